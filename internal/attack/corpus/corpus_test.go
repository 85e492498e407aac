package corpus

import (
	"slices"
	"strings"
	"testing"
)

// aim is how many lessons the project promises to keep.
const aim = 400

func TestCorpus(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < aim {
		t.Errorf("the corpus holds %d vectors, want at least %d", len(all), aim)
	}
	contents := make(map[string]string)
	for _, v := range all {
		content, err := v.Fill(80)
		if err != nil {
			t.Error(err)
			continue
		}
		name := v.Family + "/" + v.Name
		same := v.File + strings.ReplaceAll(string(content), v.Host(), "")
		if other, found := contents[same]; found {
			t.Errorf("%s holds the same bytes as %s", name, other)
		}
		contents[same] = name
		if !strings.HasSuffix(v.Why, ".") || len(v.Why) < 40 {
			t.Errorf("%s: its lesson is no sentence: %q", name, v.Why)
		}
	}
}

func TestFill(t *testing.T) {
	for _, test := range []struct{ encode, text, want string }{
		{"", `<a href="{{HTTP}}/x">{{HOST}} {{NAME}}`, `<a href="http://v7.attack.test:80/x">v7.attack.test:80 v7.attack.test`},
		{"", "{{base64 <{{NAME}}>}}|{{repeat 3 ab }}|{{other}}", "PHY3LmF0dGFjay50ZXN0Pg==|ab ab ab |{{other}}"},
		{"utf-16le", "aé", "a\x00\xe9\x00"},
		{"utf-16be", "😀", "\xd8\x3d\xde\x00"},
		{"quoted", "\"a\\x00\" * 2\n\"b\"", "a\x00a\x00b"},
	} {
		v := Vector{Number: 7, encode: test.encode, text: test.text}
		got, err := v.Fill(80)
		if string(got) != test.want || err != nil {
			t.Errorf("Fill(%q, %q) = %q, %v, want %q", test.encode, test.text, got, err, test.want)
		}
	}
	for _, v := range []Vector{{encode: "rot13"}, {text: "{{repeat x y}}"}, {encode: "quoted", text: "no"}, {encode: "quoted", text: `"a" * b`}} {
		if got, err := v.Fill(80); err == nil {
			t.Errorf("Fill(%q, %q) = %q, want an error", v.encode, v.text, got)
		}
	}
}

func TestParse(t *testing.T) {
	got, err := parse("f", "About.\n\n== a\nfile: a.md\nwhy: Because.\nstrip: scripts loads\nkeep: x\nkeep: y: z\nnotice: cut\nunsafe: yes\n----\none\n\ntwo\n\n== b\nfile: b\nwhy: c\n----\n\n")
	if err != nil || len(got) != 2 {
		t.Fatalf("parse = %+v, %v, want two vectors", got, err)
	}
	a := got[0]
	if a.Name != "a" || a.File != "a.md" || !slices.Equal(a.Strip, []string{"scripts", "loads"}) ||
		!slices.Equal(a.Keep, []string{"x", "y: z"}) || a.Notice != "cut" || !a.Unsafe || a.text != "one\n\ntwo" {
		t.Errorf("parse read %+v", a)
	}
	for _, bad := range []string{"\n== a\nfile: a\nwhy: b\n", "\n== a\nfile: a\n----\n", "\n== a\nfiles: a\n----\n",
		"\n== a\nfile: a\nwhy: b\n----\n\n== a\nfile: a\nwhy: b\n----\n"} {
		if got, err := parse("f", bad); err == nil {
			t.Errorf("parse(%q) = %+v, want an error", bad, got)
		}
	}
}
