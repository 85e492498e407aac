package main

import (
	"context"
	"image"
	"image/color"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

func TestReportsLookAsTheirAuthorsMeantThem(t *testing.T) {
	reports, err := load("testdata/reports")
	if err != nil {
		t.Fatal(err)
	}
	if len(reports) < 20 {
		t.Errorf("%d reports, want 20", len(reports))
	}
	results, err := compare(context.Background(), testenv.Chromium(t), reports, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if p := r.problem(); p != "" {
			t.Errorf("%s: %s (%.2f %% of the pixels)", r.name, p, r.differ)
		}
	}
}

// A comparison that never finds anything would prove nothing.
func TestDifferenceIsFound(t *testing.T) {
	plain := image.NewRGBA(image.Rect(0, 0, 10, 10))
	other := image.NewRGBA(image.Rect(0, 0, 10, 10))
	for x := range 5 {
		other.Set(x, 3, color.RGBA{200, 0, 0, 255})
	}
	taller := image.NewRGBA(image.Rect(0, 0, 10, 20))
	for _, c := range []struct {
		a, b image.Image
		want float64
	}{{plain, plain, 0}, {plain, other, 5}, {other, plain, 5}, {plain, taller, 50}, {taller, plain, 50}} {
		if got, _ := difference(c.a, c.b); got != c.want {
			t.Errorf("%.1f %% differ, want %.1f", got, c.want)
		}
	}
	for _, c := range []struct{ meant, shown, want string }{
		{"a b a", "a a b", ""}, {"a b", "a", "b"}, {"a  b\nc", "c b a d", ""}, {"a a b", "a b", "a b"},
	} {
		if got := firstLost(c.meant, c.shown); got != c.want {
			t.Errorf("of %q %q shows all but %q, want %q", c.meant, c.shown, got, c.want)
		}
	}
}
