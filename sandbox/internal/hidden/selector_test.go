package hidden

import (
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// plainly is the rule that matches is held to: every way is tried.
func plainly(sel *selector, n *html.Node, i int) bool {
	left := mostLooks
	st := &sel.steps[i]
	if !st.holds(n, &left) {
		return false
	}
	switch st.before {
	case 0:
		return true
	case '>':
		up := parent(n)
		return up != nil && plainly(sel, up, i-1)
	case '+':
		before := sibling(n, &left)
		return before != nil && plainly(sel, before, i-1)
	case '~':
		for before := sibling(n, &left); before != nil; before = sibling(before, &left) {
			if plainly(sel, before, i-1) {
				return true
			}
		}
		return false
	}
	for up := parent(n); up != nil; up = parent(up) {
		if plainly(sel, up, i-1) {
			return true
		}
	}
	return false
}

// nested is a random page of a few kinds of elements.
func nested(r *rand.Rand, elements int) string {
	var b strings.Builder
	var open []string
	for range elements {
		name := []string{"b", "i", "p", "s"}[r.IntN(4)]
		b.WriteString("<" + name + ` class="` + []string{"x", "y", "x y", ""}[r.IntN(4)] + `">`)
		open = append(open, name)
		for len(open) > 0 && r.IntN(3) > 0 {
			b.WriteString("</" + open[len(open)-1] + "> ")
			open = open[:len(open)-1]
		}
	}
	return b.String()
}

// TestMatches holds matching, which leaves out what cannot be, to trying every way.
func TestMatches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	held := 0
	for range 300 {
		doc, err := html.Parse(strings.NewReader(nested(r, 30)))
		if err != nil {
			t.Fatal(err)
		}
		for range 30 {
			var text strings.Builder
			for i := range 1 + r.IntN(4) {
				if i > 0 {
					text.WriteString([]string{" ", ">", "+", "~"}[r.IntN(4)])
				}
				text.WriteString([]string{"b", "i", "p", "*", ".x", "s.y", ":first-child", ":not(b)", "i:nth-child(2)"}[r.IntN(9)])
			}
			sel := parseSelector(text.String())
			if sel == nil {
				t.Fatalf("%s is not read", text.String())
			}
			for n := range doc.Descendants() {
				if n.Type != html.ElementNode {
					continue
				}
				left := mostLooks
				got, want := sel.matches(n, &left), plainly(sel, n, len(sel.steps)-1)
				if got != want {
					t.Fatalf("%s for a %s is %v, want %v", text.String(), n.Data, got, want)
				}
				if got {
					held++
				}
			}
		}
	}
	if held < 1000 {
		t.Errorf("only %d selectors were for an element", held)
	}
}

// TestLooks holds what a page can cost, whatever its selectors are.
func TestLooks(t *testing.T) {
	doc, err := html.Parse(strings.NewReader(strings.Repeat("<div>", 200) + "<p class=\"" + strings.Repeat("a ", 1000) + "\">x" + strings.Repeat("</div>", 200) + strings.Repeat("<i>x</i><!-- -->", 2000)))
	if err != nil {
		t.Fatal(err)
	}
	for selector, most := range map[string]int{
		"x" + strings.Repeat(" div", 20) + " p":      1_000,
		"x" + strings.Repeat(">div", 20) + " p":      10_000,
		"x" + strings.Repeat(" ~ i", 10):             20_000_000,
		"i:nth-child(1999)":                          20_000_000,
		"i" + strings.Repeat(":last-of-type", 100):   20_000_000,
		".a" + strings.Repeat(".b", 3) + " p":        10_000,
		strings.Repeat("i~p~", 10) + "i":             20_000_000,
		strings.Repeat(":not(i~p) ", 10) + "div > p": 100_000,
	} {
		sheet := parse(selector+"{display:none}", usual)
		for n := range doc.Descendants() {
			if n.Type == html.ElementNode && !sheet.Partly {
				look := page()
				sheet.enter(n, nil, &look)
			}
		}
		if spent := mostLooks - sheet.left; spent > most+10_000 {
			t.Errorf("%s takes %d looks, want at most %d", selector, spent, most)
		}
	}
}
