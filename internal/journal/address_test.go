package journal

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
)

// plainName and the two functions below are independent implementations of Segment and
// ParseSegment to compare them with.
var plainName = regexp.MustCompile(`\A[A-Za-z0-9][A-Za-z0-9._-]{0,99}\z`)

func segmentOracle(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return "~" + strings.TrimRight(base64.URLEncoding.EncodeToString([]byte(name)), "=")
}

func parseSegmentOracle(segment string) (string, bool) {
	if plainName.MatchString(segment) {
		return segment, true
	}
	coded, ok := strings.CutPrefix(segment, "~")
	if !ok || !regexp.MustCompile(`\A[A-Za-z0-9_-]*\z`).MatchString(coded) {
		return "", false
	}
	name, err := base64.URLEncoding.DecodeString(coded + strings.Repeat("=", (4-len(coded)%4)%4))
	return string(name), err == nil && segmentOracle(string(name)) == segment
}

func TestSegment(t *testing.T) {
	for name, want := range map[string]string{
		"acme-2026-10":            "acme-2026-10",
		"a.b_c-1":                 "a.b_c-1",
		"":                        "~",
		"a/b":                     "~YS9i",
		"..":                      "~Li4",
		"../agent.json":           "~Li4vYWdlbnQuanNvbg",
		"-x":                      "~LXg",
		"~YS9i":                   "~fllTOWk",
		"🍇":                       "~8J-Nhw",
		"a\nb":                    "~YQpi",
		"%2F":                     "~JTJG",
		strings.Repeat("a", 100):  strings.Repeat("a", 100),
		strings.Repeat("aaa", 67): "~" + strings.Repeat("YWFh", 67),
	} {
		if got := Segment(name); got != want {
			t.Errorf("Segment(%q) = %q, want %q", name, got, want)
		}
		if got, ok := ParseSegment(want); got != name || !ok {
			t.Errorf("ParseSegment(%q) = %q, %v, want %q", want, got, ok, name)
		}
	}
	for _, other := range []string{"", "a/b", "~YS9i=", "~YS9i\n", "~YWNtZQ", "~YS9j ", "~YT", "~YR", "~a", "..", "a b", "é", "~+/", "%7EYS9i", "\x00", "~~"} {
		if name, ok := ParseSegment(other); ok {
			t.Errorf("ParseSegment(%q) = %q, want no name", other, name)
		}
	}
}

// FuzzSegment tests that segments are plain, that different names have different segments, and that ParseSegment is the
// inverse.
func FuzzSegment(f *testing.F) {
	for _, name := range []string{"", "acme", "..", "a/b", "~YS9i", "🍇", "\x00\xff", "CON.md", "~", "~~", strings.Repeat("a", 101), "%2e%2e"} {
		f.Add(name)
	}
	plain := regexp.MustCompile(`\A~?[A-Za-z0-9._-]*\z`)
	f.Fuzz(func(t *testing.T, name string) {
		segment := Segment(name)
		if want := segmentOracle(name); segment != want || !plain.MatchString(segment) || strings.HasPrefix(segment, ".") {
			t.Fatalf("Segment(%q) = %q, want %q", name, segment, want)
		}
		if again, ok := ParseSegment(segment); again != name || !ok {
			t.Fatalf("ParseSegment(Segment(%q)) = %q, %v", name, again, ok)
		}
		got, ok := ParseSegment(name) // as if it were a segment
		want, wanted := parseSegmentOracle(name)
		if ok != wanted || ok && got != want {
			t.Fatalf("ParseSegment(%q) = %q, %v, want %q, %v", name, got, ok, want, wanted)
		}
		if ok && Segment(got) != name {
			t.Fatalf("two segments for %q: %q and %q", got, name, Segment(got))
		}
	})
}
