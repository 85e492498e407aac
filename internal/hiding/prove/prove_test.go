package main

import (
	"context"
	"html"
	"image"
	"image/color"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/hiding"
	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// sample is one document of each kind of trick.
var sample = []string{"colour-hsl", "near-f2f2f2", "decoration-stroke-thin", "cover-picture", "transform-scale-zero", "clip-screen-reader-only", "place-ch",
	"size-zero", "box-scroll", "folded-details", "far-padding", "narrow-999", "svg-defs", "md-link-title", "txt-lines"}

// TestChromiumAgreesWithTruth draws a part of the collection and holds it to truth.json.
func TestChromiumAgreesWithTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves the browser out")
	}
	testenv.Chromium(t)
	testenv.Node(t)
	testenv.NodeModules(t)
	truth := measured(t)
	documents := slices.DeleteFunc(hiding.All(), func(d hiding.Document) bool { return !slices.Contains(sample, d.Name) })
	if len(documents) != len(sample) {
		t.Errorf("%d of %d documents exist", len(documents), len(sample))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	now := hiding.Truth{}
	if err := proveSecrets(ctx, "chromium", documents, now); err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		if got, want := hiding.Words(now[d.Name]["chromium"]), hiding.Words(truth[d.Name]["chromium"]); got != want || got == "" {
			t.Errorf("Chromium draws %s: %q; truth.json says %q. To measure again: go run ./internal/hiding/prove -write", d.Name, got, want)
		}
	}
}

func measured(t *testing.T) hiding.Truth {
	t.Helper()
	truth, err := hiding.Measured()
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// TestTruthIsComplete fails for a document that was added or changed its name without being measured.
func TestTruthIsComplete(t *testing.T) {
	truth := measured(t)
	documents := hiding.Of(hiding.Hides, hiding.LowContrast)
	undrawn := 0
	for _, d := range documents {
		if truth.Undrawn(d.Name) {
			undrawn++
		}
		for _, engine := range hiding.Engines {
			if len(truth[d.Name][engine]) != len(hiding.Widths) {
				t.Errorf("truth.json does not say what %s draws of %s. To measure it: go run ./internal/hiding/prove -write -only %[2]s", engine, d.Name)
			}
		}
	}
	if len(truth) != len(documents) {
		t.Errorf("truth.json has %d documents, the collection %d", len(truth), len(documents))
	}
	if undrawn < 150 {
		t.Errorf("only %d secrets are undrawn: the collection tests little", undrawn)
	}
}

// What is good enough, in percent: of the undrawn texts, and of the honest reports.
const (
	limitCalledSeen = 3.0
	limitAlarms     = 2.0
)

// TestCommandLineVerdicts holds the static check to what browsers draw.
func TestCommandLineVerdicts(t *testing.T) {
	f := count(measured(t))
	if got := percent(len(f.calledSeen), f.undrawn); got > limitCalledSeen {
		t.Errorf("the command line calls %d of %d undrawn texts seen (%.1f %%), at most %.1f %%: %s", len(f.calledSeen), f.undrawn, got, limitCalledSeen, strings.Join(f.calledSeen, " "))
	}
	if got := percent(len(f.alarms), f.honest); got > limitAlarms {
		t.Errorf("the command line calls a text of %d of %d honest reports hidden (%.1f %%), at most %.1f %%:\n%s", len(f.alarms), f.honest, got, limitAlarms, strings.Join(f.alarms, "\n"))
	}
	if len(f.loud) > 0 {
		t.Errorf("honest reports are called hidden and like an instruction: %s", strings.Join(f.loud, " "))
	}
	t.Logf("undrawn and called seen: %d of %d; hard to see and called seen: %d of %d; honest with an alarm: %d of %d",
		len(f.calledSeen), f.undrawn, len(f.hardSeen), f.hard, len(f.alarms), f.honest)
}

var tags = regexp.MustCompile(`<[^>]*>`)

// TestImitationsAreNamed counts the imitations of the page that are named as such, and the honest reports that are.
func TestImitationsAreNamed(t *testing.T) {
	named, documents := 0, hiding.Of(hiding.Imitates)
	for _, d := range documents {
		if talksOfApproval(d) {
			named++
		} else {
			t.Logf("%s is not named", d.Name)
		}
	}
	if len(documents)-named > 3 {
		t.Errorf("%d of %d imitations are named, want all but 3", named, len(documents))
	}
	for _, d := range hiding.Of(hiding.Honest) {
		if talksOfApproval(d) {
			t.Errorf("the honest report %s is said to talk about approvals", d.Name)
		}
	}
}

// TestHonestTextsStay holds every text that an honest report promises to the document that the viewer makes of it.
func TestHonestTextsStay(t *testing.T) {
	for _, d := range hiding.Of(hiding.Honest) {
		content := d.With("")
		for i, text := range d.Texts {
			if _, found := variant(d, string(rune('0'+i))); !found {
				t.Errorf("%s does not hold %q", d.Name, text)
			}
		}
		made := sandbox.Render(d.File(), content, report.Rendered, report.Hosted())
		if made.View != report.Rendered {
			t.Errorf("%s is shown as %s", d.Name, made.View)
		}
		if d.Ext == "svg" {
			continue // it is a picture
		}
		shown := html.UnescapeString(tags.ReplaceAllString(string(made.Document), ""))
		for _, text := range d.Texts {
			if !strings.Contains(shown, html.UnescapeString(text)) {
				t.Errorf("the viewer's document of %s lacks %q", d.Name, text)
			}
		}
	}
}

func TestSightOfMark(t *testing.T) {
	control := mark{pixels: 1000, contrast: 20}
	for _, test := range []struct {
		name string
		mark mark
		want hiding.Sight
	}{
		{"no_pixel", mark{}, hiding.Never},
		{"as_the_control", control, hiding.Drawn},
		{"pale", mark{pixels: 1000, contrast: 1.2}, hiding.Low},
		{"trace", mark{pixels: 20, contrast: 20}, hiding.Partly},
		{"far_down", mark{pixels: 1000, contrast: 20, top: 9000}, hiding.Far},
		{"far_right", mark{pixels: 1000, contrast: 20, left: 4000}, hiding.Far},
	} {
		if got := test.mark.sight(552, control); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestMarkOfPictures(t *testing.T) {
	white, grey := image.NewUniform(color.White), color.Gray{0xf0}
	a, b := image.NewRGBA(image.Rect(0, 0, 30, 20)), image.NewRGBA(image.Rect(0, 0, 30, 20))
	for y := range 20 {
		for x := range 30 {
			a.Set(x, y, white.C)
			b.Set(x, y, white.C)
		}
	}
	var m mark
	add := func(a, b image.Image, y int) {
		m.add(pair{Y: y, a: a, b: b}, func(x, y int) bool { return !sameColour(a.At(x, y), b.At(x, y)) })
	}
	add(a, b, 640)
	if m != (mark{}) {
		t.Errorf("equal pictures differ: %+v", m)
	}
	b.Set(7, 3, grey)
	add(a, b, 640)
	if m.pixels != 1 || m.left != 7 || m.top != 643 || m.contrast < 1.05 || m.contrast > 1.3 {
		t.Errorf("one pale pixel: %+v", m)
	}
	b.Set(9, 1, color.Black)
	add(b, white, 0)
	if m.pixels != 3 || m.top != 1 || m.contrast < 20.9 {
		t.Errorf("a place that one document does not reach: %+v", m)
	}
}
