package findings

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"Prior finding injection was skipped in planning": "prior-finding-injection-was-skipped-in-planning",
		"Plans can omit prior-finding injection.":         "plans-can-omit-prior-finding-injection",
		"It's a pre-mortem_check":                         "its-a-pre-mortemcheck",
		"  a \t\n b\u00a0c\u3000d  ":                      "a-b-c-d",
		"-- a -- b --":                                    "a-b",
		"a—b / c":                                         "ab-c",
		"100 % of $5 + 3":                                 "100-of-5-3",
		"ÄÖÜ ß İ Σ":                                       "äöü-ß-i-σ",
		"e\u0301 é":                                       "e\u0301-é",
		"a\u200bb\u202ec\x00d\xffe":                       "abcde",
		"日本語、テスト":                                         "日本語テスト",
		"🚀":                                               "",
		"":                                                "",
	} {
		if got := Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}

// Every character alone, and between others, is kept or dropped for good.
func TestSlugOfEveryCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		slug := Slug("x" + string(r) + "y")
		if again := Slug(slug); again != slug {
			t.Fatalf("%U: Slug(%q) = %q, want the same", r, slug, again)
		}
		kept := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
		want := "xy"
		switch {
		case r == '-' || unicode.IsSpace(r):
			want = "x-y"
		case kept:
			want = "x" + string(unicode.ToLower(r)) + "y"
		}
		if slug != want {
			t.Fatalf("%U: Slug = %q, want %q", r, slug, want)
		}
	}
}

func TestDedupKey(t *testing.T) {
	for _, c := range []struct {
		category, pattern string
		when              []string
		want              string
	}{
		{"validation-gap", "Prior finding injection was skipped in planning", []string{"plan-shape", "validation-gap"}, "validation-gap|prior-finding-injection-was-skipped-in-planning|plan-shape"},
		{"A b", "x", []string{"nonsense", "test-gap", "plan-shape"}, "A b|x|test-gap"},
		{"", "x", []string{"test-gap"}, ""},
		{"a", "!", []string{"test-gap"}, ""},
		{"a", "x", nil, ""},
		{"a", "x", []string{"Test-gap"}, ""},
	} {
		if got := DedupKey(c.category, c.pattern, c.when); got != c.want {
			t.Errorf("DedupKey(%q, %q, %q) = %q, want %q", c.category, c.pattern, c.when, got, c.want)
		}
	}
}

func FuzzSlug(f *testing.F) {
	for _, s := range []string{"Plans can omit prior-finding injection.", "a\u00a0-b", "\xff\xfe", "İi̇", "Ⅷ ٣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		slug := Slug(s)
		if again := Slug(slug); again != slug {
			t.Errorf("Slug(Slug(%q)) = %q, want %q", s, again, slug)
		}
		if strings.HasPrefix(slug, "-") || strings.HasSuffix(slug, "-") || strings.Contains(slug, "--") || strings.ContainsFunc(slug, unicode.IsSpace) || !utf8.ValidString(slug) {
			t.Errorf("Slug(%q) = %q: hyphens part words, nothing else does", s, slug)
		}
		if shout := Slug("  " + s + "?! "); shout != slug {
			t.Errorf("Slug of %q differs with punctuation around it: %q, want %q", s, shout, slug)
		}
	})
}
