package pagetest

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Parse reads a page as a browser would.
func Parse(t *testing.T, page string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader("<!DOCTYPE html><main>" + page + "</main>"))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func Attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func Has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// Matches understands "tag.class[attr]", each part optional.
func Matches(n *html.Node, selector string) bool {
	if n.Type != html.ElementNode {
		return false
	}
	selector, attribute, _ := strings.Cut(strings.TrimSuffix(selector, "]"), "[")
	tag, classes, _ := strings.Cut(selector, ".")
	if tag != "" && n.Data != tag || attribute != "" && !Has(n, attribute) {
		return false
	}
	for class := range strings.SplitSeq(classes, ".") {
		if class != "" && !strings.Contains(" "+Attr(n, "class")+" ", " "+class+" ") {
			return false
		}
	}
	return true
}

// All finds elements by a path of selectors, "ol.thread li.is-earlier".
func All(root *html.Node, path string) []*html.Node {
	first, rest, deeper := strings.Cut(path, " ")
	var out []*html.Node
	for n := range root.Descendants() {
		if !Matches(n, first) {
			continue
		}
		if deeper {
			out = append(out, All(n, rest)...)
		} else {
			out = append(out, n)
		}
	}
	return out
}

// Text is what a person reads, with single spaces.
func Text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func Inside(n *html.Node, selectors ...string) bool {
	for ; n != nil; n = n.Parent {
		for _, selector := range selectors {
			if Matches(n, selector) {
				return true
			}
		}
	}
	return false
}
