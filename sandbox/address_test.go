package sandbox

import (
	"strings"
	"testing"

	"github.com/figs-web/figs-web/sandbox/report"
)

func TestHostOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.com/a": "example.com", "mailto:ada@example.com?subject=x@evil.example": "example.com", "mailto:ada@example.com,eve@example.org": "example.com",
		"mailto:ada": "", "mailto:": "", "mailto:a@" + strings.Repeat("b", 5000): hostOf("mailto:a@" + strings.Repeat("b", 6000)), "#here": "", "": "",
	} {
		if got := hostOf(address); got != want {
			t.Errorf("hostOf(%.60q) = %q, want %q", address, got, want)
		}
	}
}

// A link lies when it names a host and leads to none that it names.
func TestLinkTo(t *testing.T) {
	for _, c := range []struct {
		text, address string
		lies          bool
	}{
		{"example.com", "https://example.com/a", false}, {"www.example.com", "https://example.com", false}, {"example.com", "https://docs.example.com", false},
		{"docs.example.com", "https://example.com", true}, {"example.com", "https://evil.example", true}, {"example.com", "https://notexample.com", true},
		{"see example.com now", "https://evil.example", true}, {"read it", "https://evil.example", false}, {"report.pdf", "https://evil.example", false}, {"(example.com)", "https://evil.example", true},
		{"https://example.com/x", "https://evil.example", true}, {"ada@example.com", "mailto:ada@example.com", false}, {"ada@example.com", "mailto:eve@evil.example", true},
		{"example.com evil.example", "https://evil.example", true}, {"v1.2", "https://evil.example", false}, {"e.g.", "https://evil.example", false},
	} {
		got := linkTo(" "+c.text, " "+c.address+" ")
		if want := (report.Link{Text: c.text, Address: c.address, Host: hostOf(c.address), Lies: c.lies}); got != want {
			t.Errorf("linkTo(%q, %q) = %+v, want %+v", c.text, c.address, got, want)
		}
	}
}

func TestNamedHost(t *testing.T) {
	for word, want := range map[string]string{
		"example.com": "example.com", "EXAMPLE.com": "example.com", "“example.com”,": "example.com", "a.bc": "a.bc", "a.b": "", ".com": "", "com": "", "": "", "report.html": "", "a_b.com": "",
		"1.2.3.44": "", "10.com": "10.com", "a-b.com": "a-b.com", "a.c0m": "", "a.c-m": "a.c-m", "bücher.example": "xn--bcher-kva.example", "ftp://example.com": "example.com", "http://report.html": "report.html",
		"x@example.com": "example.com", "://": "", "a.xn--p1ai": "a.xn--p1ai", "a.0com": "", "a.com0": "", "a.zz": "a.zz", "a.aa": "a.aa", "0a.zz": "0a.zz", "9z.zz": "9z.zz",
	} {
		if got := namedHost(word); got != want {
			t.Errorf("namedHost(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		name, content string
		want          report.Kind
	}{
		{"a.html", "<p>", report.HTML}, {"a.HTML", "", report.HTML}, {".md", "", report.Markdown}, {"a.b.txt", "", report.Plain}, {"a", "", report.Download}, {"a.", "", report.Download},
		{"a.pdf", "", report.Download}, {"a.html", "%PDF-1.7", report.Download}, {"a.png", "PK\x03\x04", report.Download}, {"a.md/b", "", report.Download}, {`a.md\b`, "", report.Download}, {"a.exe", "", report.Download},
	} {
		if got := KindOf(c.name, []byte(c.content)); got != c.want {
			t.Errorf("KindOf(%q, %q) = %v, want %v", c.name, c.content, got, c.want)
		}
	}
	for name, want := range map[string]string{"a.elevenchars": "elevenchars", "a.twelvechars1": "", "a.": "", "a": "", ".x": "x"} {
		if got := extOf(name); got != want {
			t.Errorf("extOf(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestLooksLike(t *testing.T) {
	for content, want := range map[string]string{
		"GIF89a": "a gif image", "\xff\xd8\xff": "a jpeg image", "RIFF1234WEBPx": "a webp image", "RIFF1234WEBP": "", "RIFF1234WAVEx": "", "RIFF": "", "<svg>": "", "": "",
	} {
		if got := looksLike([]byte(content)); got != want {
			t.Errorf("looksLike(%q) = %q, want %q", content, got, want)
		}
	}
}
