package colour

import (
	"math"
	"testing"
)

// TestParse holds every notation to the colour that browsers draw for it.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"#fff": "white", "#ffff": "white", "#00000080": "black", "WHITE": "white", "rebeccapurple": "#663399", "cornsilk": "#fff8dc",
		"rgb(255 255 255)": "white", "rgba(255,255,255,1)": "white", "rgb(100% 0% 0%)": "#ff0000",
		"hsl(0 0% 100%)": "white", "hsl(120deg,100%,25%)": "#008000", "hsla(.5turn 100% 50% / 50%)": "#00ffff", "hsl(none 0 100)": "white",
		"hwb(0 100% 0%)": "white", "hwb(120 0% 49.8%)": "#008000", "lab(100 0 0)": "white", "lch(100% 0 40)": "white",
		"oklab(1 0 0)": "white", "oklch(100% 0 0)": "white", "oklch(0 0 0)": "black",
		"color(srgb 1 1 1)": "white", "color(display-p3 1 1 1)": "white", "color(srgb-linear 0 0 0)": "black", "color(xyz .9505 1 1.089)": "white",
		"color-mix(in srgb, white, white)": "white", "color-mix(in oklch,#ffffff 99%,rgb(255,255,255))": "white", "color-mix(in srgb,red,blue)": "#800080",
	} {
		c, ok := Parse(text)
		if !ok || c.Name() != want {
			t.Errorf("Parse(%q) = %s, %v, want %s", text, c.Name(), ok, want)
		}
	}
	for _, text := range []string{"", "currentcolor", "canvas", "rgb(from red r g b)", "hsl(calc(1) 2% 3%)", "rgb(1 2)", "#ggg", "#12345", "color(nowhere 1 1 1)", "light-dark(red,blue)", "var(--x)"} {
		if c, ok := Parse(text); ok {
			t.Errorf("Parse(%q) = %v", text, c)
		}
	}
	if c, ok := Parse("rgb(0 0 0 / 25%)"); !ok || c.Alpha != .25 {
		t.Errorf("alpha is %v", c.Alpha)
	}
	if c, ok := Parse("transparent"); !ok || c.Alpha != 0 {
		t.Errorf("transparent is %v", c)
	}
}

func TestContrast(t *testing.T) {
	if got := Contrast(Black, White); math.Abs(got-21) > 1e-6 {
		t.Errorf("black on white has a contrast of %v", got)
	}
	grey, _ := Parse("#e8e8e8")
	if got := Contrast(grey, White); got > 1.3 || got < 1.2 {
		t.Errorf("#e8e8e8 on white has a contrast of %v", got)
	}
}
