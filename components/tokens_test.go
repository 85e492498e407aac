package components

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// luminance is the relative luminance of WCAG 2 of a colour like "#1e1a24".
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// TestContrast holds inks on the grounds they stand on to WCAG: AA for all text, AAA for
// what people decide by.
func TestContrast(t *testing.T) {
	sheet, err := os.ReadFile("../static/css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	tokens := map[string][2]string{}
	for _, m := range regexp.MustCompile(`--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)`).FindAllStringSubmatch(string(sheet), -1) {
		if _, ok := tokens[m[1]]; !ok {
			tokens[m[1]] = [2]string{m[2], m[3]}
		}
	}
	const aa, aaa = 4.5, 7
	grounds := []string{"paper", "surface", "sunken", "quiet"}
	pairs := []struct {
		ink   string
		on    []string
		least float64
	}{
		{"ink", append([]string{"fig-wash", "fail-wash", "warn-wash"}, grounds...), aaa},
		{"soft", grounds, aa}, {"faint", grounds, aa},
		{"fig", append([]string{"fig-wash", "fail-wash"}, grounds...), aa},
		{"fig-ink", []string{"fig"}, aaa},
		{"ok", append([]string{"ok-wash"}, grounds...), aa},
		{"warn", append([]string{"warn-wash"}, grounds...), aa},
		{"fail", append([]string{"fail-wash"}, grounds...), aa},
		{"run", append([]string{"run-wash"}, grounds...), aa},
	}
	for _, pair := range pairs {
		for _, ground := range pair.on {
			for i, face := range []string{"light", "dark"} {
				ink, on := tokens[pair.ink][i], tokens[ground][i]
				if ink == "" || on == "" {
					t.Fatalf("no token --%s or --%s", pair.ink, ground)
				}
				if got := contrast(t, ink, on); got < pair.least {
					t.Errorf("%s: --%s on --%s = %.2f, want at least %v", face, pair.ink, ground, got, pair.least)
				}
			}
		}
	}
}
