package hiding

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestCollection holds the size of the collection and what every document must have.
func TestCollection(t *testing.T) {
	names, count := map[string]bool{}, map[Class]int{}
	for _, d := range All() {
		count[d.Class]++
		if names[d.Name] {
			t.Errorf("two documents are named %s", d.Name)
		}
		names[d.Name] = true
		if d.Name == "" || d.Ext == "" || d.Trick == "" || strings.ContainsAny(d.Name, " ./%?#") {
			t.Errorf("%q.%s (%s): a document needs a name that can stand in a URL, an extension and a trick", d.Name, d.Ext, d.Trick)
		}
		hides := d.Class == Hides || d.Class == LowContrast
		if d.HasSecret() != hides {
			t.Errorf("%s (%s) has a secret: %v", d.Name, d.Class, d.HasSecret())
		}
		content := string(d.With(Secret))
		if n := strings.Count(content, Secret); hides && n != 1 || !hides && n != 0 {
			t.Errorf("%s holds the secret %d times", d.Name, n)
		}
		if strings.Contains(content, mark) || !utf8.ValidString(content) {
			t.Errorf("%s holds a leftover mark, or is not UTF-8", d.Name)
		}
		if d.Class == Honest && len(d.Texts) == 0 {
			t.Errorf("%s does not say what a person must be able to read", d.Name)
		}
	}
	for _, want := range []struct {
		least   int
		classes []Class
	}{{150, []Class{Hides, LowContrast}}, {50, []Class{Imitates, Reorders, LookAlike}}, {60, []Class{Honest}}} {
		sum := 0
		for _, class := range want.classes {
			sum += count[class]
		}
		if sum < want.least {
			t.Errorf("%d documents of %q, want %d", sum, want.classes, want.least)
		}
	}
	t.Log(count)
}

// TestOther holds the two texts to the same shape: a document that draws neither must not change its layout.
func TestOther(t *testing.T) {
	secret, other := []rune(Secret), []rune(Other())
	if len(secret) != len(other) {
		t.Fatalf("%q and %q differ in length", Secret, Other())
	}
	for i := range secret {
		if (secret[i] == ' ') != (other[i] == ' ') || secret[i] != ' ' && secret[i] == other[i] {
			t.Errorf("%q and %q: want another letter at %d, and a space only where the other has one", Secret, Other(), i)
		}
	}
}
