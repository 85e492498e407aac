package sandbox

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// names reads the names of one or more sections of the standard's lists.
func names(t *testing.T, sections ...string) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/standard.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	reading := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "["):
			reading = slices.Contains(sections, strings.Trim(line, "[]"))
		case reading && !strings.HasPrefix(line, "#"):
			list = append(list, strings.Fields(line)...)
		}
	}
	return list
}

// TestEveryElementHasARow holds that nothing of the standard is decided by silence.
func TestEveryElementHasARow(t *testing.T) {
	all := names(t, "elements", "obsolete elements")
	if len(all) < 140 {
		t.Fatalf("only %d names", len(all))
	}
	for _, name := range all {
		if elementRules[name] == nil {
			t.Errorf("<%s> has no row in elements", name)
		}
	}
	seen := map[string]bool{}
	for _, e := range elements {
		if seen[e.name] {
			t.Errorf("<%s> has two rows", e.name)
		}
		seen[e.name] = true
		if e.fate != keep && e.why == "" {
			t.Errorf("<%s> is not kept, and no reason stands beside it", e.name)
		}
	}
}

// TestEveryAttributeHasARow is the same for attributes.
func TestEveryAttributeHasARow(t *testing.T) {
	for _, name := range names(t, "attributes", "obsolete attributes") {
		if removedAs[name] == nil {
			t.Errorf("%s has no row in attributes", name)
		}
	}
	seen := map[string]bool{}
	for _, a := range attributes {
		if seen[a.name] {
			t.Errorf("%s has two rows", a.name)
		}
		seen[a.name] = true
		if a.shape == none && a.why == "" {
			t.Errorf("%s is not allowed, and no reason stands beside it", a.name)
		}
		for _, on := range strings.Fields(a.on) {
			if a.shape != none && on != "*" && (elementRules[on] == nil || elementRules[on].fate != keep) {
				t.Errorf("%s is allowed on <%s>, which is not kept", a.name, on)
			}
		}
	}
}

// TestNothingThatActs holds the names that must never be allowed, whatever the tables say.
func TestNothingThatActs(t *testing.T) {
	for _, name := range strings.Fields("script style link meta base iframe object embed form input button select textarea svg math template noscript xmp plaintext title video audio canvas dialog slot") {
		if e := elementRules[name]; e == nil || e.fate != drop {
			t.Errorf("<%s> is not dropped with its content", name)
		}
	}
	for _, name := range strings.Fields("srcdoc srcset action formaction ping background poster xlink:href target autofocus popover shadowrootmode is nonce http-equiv onclick usemap tabindex title role aria-label") {
		if a := allowed[name]; a != nil {
			t.Errorf("%s is allowed", name)
		}
	}
}

// TestShapes holds the last gate's patterns to values that must pass and values that must not.
func TestShapes(t *testing.T) {
	cases := []struct {
		shape   shape
		yes, no []string
	}{
		{classes, []string{"u-a", "u-a u-b"}, []string{"", "a", "u-a f-own", "u-<"}},
		{colour, []string{"red", "#fff", "#00ff0080"}, []string{"url(x)", "#ggg", "red;", "a b"}},
		{fragment, []string{"#", "#u-x"}, []string{"", "x", "#x", "//h", "https://h/#u-x", "javascript:x"}},
		{imageData, []string{"data:image/png;base64,AAAA", "data:image/svg+xml;base64,AA=="}, []string{"data:text/html;base64,AAAA", "https://h/a.png", "data:image/png,AAA", "data:image/png;base64,A A"}},
		{number, []string{"1", "100%", "99999"}, []string{"", "-1", "1e5", "100000", "1px"}},
		{span, []string{"0", "100"}, []string{"1000", "-1", ""}},
		{styles, []string{"color:red", ""}, []string{"</style>", "a{b}", "@import"}},
		{word, []string{"center", "1"}, []string{"", "a b", "a:b"}},
		{language, []string{"de", "zh-Hant-TW"}, []string{"", "x y", "en_US", "123456789"}},
	}
	for _, c := range cases {
		for _, v := range c.yes {
			if !c.shape.fits(v) {
				t.Errorf("shape %d refuses %q", c.shape, v)
			}
		}
		for _, v := range c.no {
			if c.shape.fits(v) {
				t.Errorf("shape %d lets %q pass", c.shape, v)
			}
		}
	}
}
