package redact

import (
	"math"
	"testing"
)

func TestSet(t *testing.T) {
	for ranges, want := range map[string]string{"a-c": "abc", "a-c_": "_abc", "a-": "-a", "-": "-", "0-29": "0129", "a-a": "a", "": ""} {
		var got []byte
		s := setOf(ranges)
		for c := range 256 {
			if s.has(byte(c)) {
				got = append(got, byte(c))
			}
		}
		if string(got) != want {
			t.Errorf("setOf(%q) has %q, want %q", ranges, got, want)
		}
	}
	for _, c := range []struct {
		text    string
		i, n    int
		run     int
		longest int
	}{{"", 0, 9, 0, 0}, {"12a345", 0, 9, 2, 3}, {"12a345", 3, 2, 5, 3}, {"12a345", 2, 9, 2, 3}, {"12a345", 3, 0, 3, 3}, {"12a345", 6, 9, 6, 3}, {"a", 0, 9, 0, 0}, {"1234a5", 0, 9, 4, 4}} {
		if got := digits.run([]byte(c.text), c.i, c.n); got != c.run {
			t.Errorf("run(%q, %d, %d) = %d, want %d", c.text, c.i, c.n, got, c.run)
		}
		if got := digits.longest([]byte(c.text)); got != c.longest {
			t.Errorf("longest(%q) = %d, want %d", c.text, got, c.longest)
		}
	}
	for i, want := range map[int]byte{-1: 0, 0: 'a', 1: 'b', 2: 0} {
		if got := at([]byte("ab"), i); got != want {
			t.Errorf("at(%d) = %q, want %q", i, got, want)
		}
	}
	for c, want := range map[byte]bool{'a': true, '9': true, '-': false, 0x7f: false, 0x80: true, 0xff: true} {
		if got := isAlnum(c); got != want {
			t.Errorf("isAlnum(%q) = %v, want %v", c, got, want)
		}
	}
}

func TestMix(t *testing.T) {
	for text, want := range map[string]mix{
		"":         {},
		"aazz":     {lower: 4, distinct: 2, entropy: 1},
		"AZ09":     {upper: 2, digit: 2, distinct: 4, entropy: 2},
		"a{`@[/:x": {lower: 2, other: 6, distinct: 8, entropy: 3},
	} {
		got := mixOf([]byte(text))
		if math.Abs(got.entropy-want.entropy) > 1e-9 {
			t.Errorf("the entropy of %q is %v, want %v", text, got.entropy, want.entropy)
		}
		if got.entropy = want.entropy; got != want {
			t.Errorf("mixOf(%q) = %+v, want %+v", text, got, want)
		}
	}
	for text, want := range map[string]int{"": 0, "a": 1, "aB": 2, "aB1": 3, "aB1-": 4} {
		if got := mixOf([]byte(text)).classes(); got != want {
			t.Errorf("classes of %q = %d, want %d", text, got, want)
		}
	}
}

func TestCovered(t *testing.T) {
	edits := []edit{{2, 5, ""}, {8, 9, ""}}
	for _, c := range []struct {
		start, end int
		want       bool
	}{{2, 5, true}, {3, 4, true}, {1, 5, false}, {2, 6, false}, {8, 9, true}, {5, 8, false}} {
		if got := covered(edits, c.start, c.end); got != c.want {
			t.Errorf("covered(%d, %d) = %v, want %v", c.start, c.end, got, c.want)
		}
	}
	if covered(nil, 0, 0) {
		t.Error("nothing covers something")
	}
}

func TestQuotedPlaceholder(t *testing.T) {
	for text, want := range map[string]string{"[email-1]": "[email-1]", `a"b`: `a\"b`, `a\b`: `a\\b`, `"`: `\"`, `\`: `\\`, "": ""} {
		if got := quoted(text); got != want {
			t.Errorf("quoted(%q) = %q, want %q", text, got, want)
		}
	}
}

// What can be looked through is text of a kind that the protocol knows.
func TestReadableKinds(t *testing.T) {
	for _, c := range []struct {
		name, content string
		want          bool
	}{
		{"a.md", "x", true}, {"a.MD", "x", true}, {"a.html", "", true}, {"a.png", "x", false}, {"md", "x", true}, {"a", "x", false}, {"a.txt", "x\x00", false}, {"a.txt", "\x00", false}, {"a.txt", "\xff", false}, {"runs.jsonl", "\xff", true},
		{"asks.jsonl", "\xff", true}, {"messages.jsonl", "\xff", true}, {"other.jsonl", "\xff", false}, {"runs.jsonl", "\x00", false},
	} {
		if got := IsReadable(c.name, []byte(c.content)); got != c.want {
			t.Errorf("Readable(%q, %q) = %v, want %v", c.name, c.content, got, c.want)
		}
	}
}

// Addresses of hooks are found in the middle of a word; a short prefix behind an underscore is part of a name.
func TestTokensInWords(t *testing.T) {
	const hook = "hooks.slack.com/services/T01ABCDEF/B02GHIJKL/aB3dE5fG7hJ9kL1mN3pQ5rS7"
	for text, want := range map[string]int{
		"x" + hook: slackToken, "_" + hook: slackToken, "sk-" + mixed[:48]: modelKey, "_sk-" + mixed[:48]: -1, "xsk-" + mixed[:48]: -1, "_glpat-aB3dE5fG7hJ9kL1mN3pQ": gitlabToken, "xglpat-aB3dE5fG7hJ9kL1mN3pQ": -1,
	} {
		got := -1
		find([]byte(text), func(m match) { got = m.rule })
		if got != want {
			t.Errorf("%q: found rule %d, want %d", text, got, want)
		}
	}
}

// What stands in the name of a file counts for the first original in it that is replaced, with what stands beside it.
func TestCountName(t *testing.T) {
	off, none, ada := &Match{Text: "ada", Off: true}, &Match{Text: "eve"}, &Match{Text: "ada@x"}
	r := New()
	r.inNames = map[string]*Match{}
	r.book.list = []*Match{off, none, ada}
	for range 2 {
		r.countName("list.md", "of-ada@x.md")
	}
	r.countName("list.md", "of-nobody.md")
	if off.Count != 0 || none.Count != 0 || ada.Count != 2 || len(ada.Places) != 2 {
		t.Errorf("counted %d, %d and %d in %d places, want 0, 0 and 2 in 2", off.Count, none.Count, ada.Count, len(ada.Places))
	} else if got, want := ada.Places[0], (Occurrence{File: "list.md", Before: "of-", After: ".md"}); got != want {
		t.Errorf("counted at %+v, want %+v", got, want)
	}
}

// An excerpt of what was decoded ends with its own line.
func TestCountDecoded(t *testing.T) {
	for code, want := range map[bool]Occurrence{false: {File: "a.md", Line: 3, Before: "one two ", After: " four five"}, true: {File: "a.md", Line: 3, Before: "two ", After: " four"}} {
		r, o := New(), &Match{Text: "three"}
		r.counted = map[string]map[*Match]bool{}
		text := []byte("one\ntwo three four\nfive")
		at := len("one\ntwo ")
		r.count(o, "a.md", &piece{line: 3}, &view{text: text, code: code}, at, at+len("three"))
		if len(o.Places) != 1 || o.Places[0] != want || o.Count != 1 {
			t.Errorf("decoded %v: %d at %+v, want %+v", code, o.Count, o.Places, want)
		}
	}
}
