package pagetest

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Parse reads a page, or a part of one, as a browser would.
func Parse(t testing.TB, page string) *html.Node {
	t.Helper()
	if !strings.HasPrefix(strings.ToLower(page), "<!doctype") {
		page = "<!DOCTYPE html><main>" + page + "</main>"
	}
	root, err := html.Parse(strings.NewReader(page))
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

// Matches understands "tag#id.class[attr][attr=value]", each part optional, with any number of classes and attributes.
func Matches(n *html.Node, selector string) bool {
	if n.Type != html.ElementNode {
		return false
	}
	name, attributes, _ := strings.Cut(strings.TrimSuffix(selector, "]"), "[")
	name, classes, _ := strings.Cut(name, ".")
	tag, id, _ := strings.Cut(name, "#")
	if tag != "" && n.Data != tag || id != "" && Attr(n, "id") != id {
		return false
	}
	for class := range strings.SplitSeq(classes, ".") {
		if class != "" && !strings.Contains(" "+Attr(n, "class")+" ", " "+class+" ") {
			return false
		}
	}
	for attribute := range strings.SplitSeq(attributes, "][") {
		key, value, valued := strings.Cut(attribute, "=")
		if key != "" && !Has(n, key) || valued && Attr(n, key) != value {
			return false
		}
	}
	return true
}

// All finds elements by a path of selectors, "ol.thread li.is-earlier". A space in a value belongs to the value.
func All(root *html.Node, path string) []*html.Node {
	end := 0
	for inside := false; end < len(path) && (inside || path[end] != ' '); end++ {
		inside = path[end] == '[' || inside && path[end] != ']'
	}
	first, rest := path[:end], strings.TrimSpace(path[end:])
	var out []*html.Node
	for n := range root.Descendants() {
		if !Matches(n, first) {
			continue
		}
		if rest == "" {
			out = append(out, n)
			continue
		}
		for _, found := range All(n, rest) {
			if !slices.Contains(out, found) {
				out = append(out, found)
			}
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

// Lines are what a person reads of elements, a block of text on each line. An element inside another of them is not read twice.
func Lines(nodes ...*html.Node) []string {
	var lines []string
	line := ""
	end := func() {
		if words := strings.Join(strings.Fields(line), " "); words != "" {
			lines = append(lines, words)
		}
		line = ""
	}
	var read func(n *html.Node)
	read = func(n *html.Node) {
		if n.Type == html.TextNode {
			line += n.Data
		}
		if n.Data == "script" || n.Data == "style" {
			return
		}
		block := n.Type == html.ElementNode && !slices.Contains(inline, n.Data)
		if n.Data == "span" || n.Data == "code" || n.Data == "a" {
			line += " " // chips and lists of facts are set apart by their styles
		}
		if block {
			end()
		}
		for child := range n.ChildNodes() {
			read(child)
		}
		if block {
			end()
		}
	}
	for i, n := range nodes {
		if !slices.ContainsFunc(nodes[:i], func(other *html.Node) bool { return within(n, other) }) {
			read(n)
			end()
		}
	}
	return lines
}

// inline lists the elements that don't break a line of text.
var inline = []string{"a", "abbr", "b", "bdi", "code", "em", "i", "q", "span", "strong", "time"}

// within reports whether an element is another one or a descendant of it.
func within(n, other *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == other {
			return true
		}
	}
	return false
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
