package icons

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/static"
)

var update = flag.Bool("update", false, "draw the icons in static/icons again")

// TestIcons draws every icon again and compares it with the one that is kept, up to how machines round.
func TestIcons(t *testing.T) {
	svg, err := static.Files.ReadFile("icon.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, icon := range Icons {
		path := filepath.Join("../../../static/icons", icon.Name)
		if *update {
			var b bytes.Buffer
			if err := Write(&b, string(svg), icon); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := Draw(string(svg), icon)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(bytes.NewReader(kept))
		if err != nil || got.Bounds() != want.Bounds() || len(kept) > 16<<10 {
			t.Fatalf("%s: %v, %d bytes; want a PNG file of %v", icon.Name, err, len(kept), want.Bounds())
		}
		for y := range icon.Size {
			for x := range icon.Size {
				if !near(got.At(x, y), want.At(x, y)) {
					t.Fatalf("%s differs from static/icon.svg at %d, %d: run go test ./internal/build/icons -update", icon.Name, x, y)
				}
			}
		}
		mark(t, icon, got)
	}
}

// near reports whether two colours look the same.
func near(a, b color.Color) bool {
	ar, ag, ab, aa := a.RGBA()
	br, bg, bb, ba := b.RGBA()
	for _, d := range []int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb), int(aa) - int(ba)} {
		if d < -0x300 || d > 0x300 {
			return false
		}
	}
	return true
}

// mark looks at what launchers need: the mark in the middle, its ground, and of a maskable icon the ground in the corners
// and nothing of the mark outside of the inner circle.
func mark(t *testing.T, icon Icon, picture image.Image) {
	t.Helper()
	if middle := picture.At(icon.Size/2, icon.Size/2); !near(middle, ink) {
		t.Errorf("%s has %v in its middle, want the mark", icon.Name, middle)
	}
	if _, _, _, alpha := picture.At(0, 0).RGBA(); icon.Maskable != (alpha == 0xffff) {
		t.Errorf("%s has a corner with alpha %#x", icon.Name, alpha)
	}
	safe := icon.Size * 2 / 5 // the radius of what no launcher cuts off
	for y := 0; icon.Maskable && y < icon.Size; y++ {
		for x := range icon.Size {
			if dx, dy := x-icon.Size/2, y-icon.Size/2; dx*dx+dy*dy > safe*safe && !near(picture.At(x, y), ground) {
				t.Fatalf("%s has a part of the mark at %d, %d, where launchers cut", icon.Name, x, y)
			}
		}
	}
}

// TestTraceRefuses gives commands that are not drawn.
func TestTraceRefuses(t *testing.T) {
	for _, svg := range []string{"", `<svg viewBox="0 0 9 9"/>`, `<svg viewBox="0 0 x 9"><path d="M1 1Z"/></svg>`, `<svg viewBox="0 0 9 9"><path d="M1 1q1 1 2 2Z"/></svg>`, `<svg viewBox="0 0 9 9"><path d="M1 1.2.3"/></svg>`} {
		if _, err := Draw(svg, Icons[0]); err == nil {
			t.Errorf("%s is drawn", svg)
		}
	}
}
