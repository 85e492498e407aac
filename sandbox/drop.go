package sandbox

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// boxes are the sentences that stand where something larger was.
var boxes = map[string]string{
	"form": "A form was removed here.", "frameset": "This page consisted of other pages. They are not loaded.",
	"iframe": "Another page was shown here. It is not loaded.", "frame": "Another page was shown here. It is not loaded.",
	"object": "An embedded object was removed here. It is not loaded.", "embed": "An embedded object was removed here. It is not loaded.",
	"applet": "An embedded object was removed here. It is not loaded.", "portal": "Another page was shown here. It is not loaded.",
	"video": "A video was here. It is not loaded.", "audio": "An audio file was here. It is not loaded.",
	"canvas": "A script would draw here. Scripts don't run.", "dialog": "A dialog was removed here.",
}

// dropped tallies an element that goes with everything in it. leave ends it.
func (c *cleaner) dropped(n *html.Node, rule *element) {
	if text := boxes[n.Data]; text != "" && (c.muted == 0 || n.Data == "frameset") {
		if n.Data == "frameset" {
			c.out.add("<body>")
			defer c.out.add("</body>")
		}
		c.box(text)
	}
	if mark := checkmark(n); mark != "" && c.muted == 0 {
		c.out.add(mark)
		c.words.text(mark, "")
	}
	c.muted++
	if n.Data != "input" {
		c.words.open(n.Data)
	}
	switch n.Data {
	case "style":
		c.wanted(n)
		return
	case "meta":
		c.meta(n)
		return
	case "script":
		c.drawn.scripts++
		c.drawn.marker(attrOf(n.Attr, "src"), sources)
	case "canvas":
		c.drawn.canvas++
	case "base", "area":
		c.p.tally.link(linkTo("", attrOf(n.Attr, "href")))
	}
	if n.Data != "input" || c.p.result.Kind != report.Markdown { // a task list is no form
		c.removeIf(rule.what, n.Data)
	}
	c.wanted(n)
}

// checkmark returns what a checkbox or a radio button shows, as a character, or "".
func checkmark(n *html.Node) string {
	if n.Data != "input" {
		return ""
	}
	ticked := false
	for _, a := range n.Attr {
		ticked = ticked || a.Key == "checked"
	}
	switch kind := strings.ToLower(attrOf(n.Attr, "type")); {
	case kind == "checkbox" && ticked:
		return "☑"
	case kind == "checkbox":
		return "☐"
	case kind == "radio" && ticked:
		return "◉"
	case kind == "radio":
		return "○"
	}
	return ""
}

// meta tallies a meta element that would do something.
func (c *cleaner) meta(n *html.Node) {
	equiv := strings.ToLower(strings.TrimSpace(attrOf(n.Attr, "http-equiv")))
	switch equiv {
	case "", "content-type", "x-ua-compatible", "content-language":
		return
	}
	c.remove(report.Redirects, equiv)
	if equiv != "refresh" {
		return
	}
	content := attrOf(n.Attr, "content")
	if i := strings.Index(strings.ToLower(content), "url"); i >= 0 {
		address := strings.Trim(content[i+3:], "= \t\n'\"")
		c.p.tally.link(linkTo("", address))
	}
}

// wanted tallies what the attributes of an element that goes would have done.
func (c *cleaner) wanted(n *html.Node) {
	for _, a := range n.Attr {
		rule := removedAs[a.Key]
		switch {
		case strings.HasPrefix(a.Key, "on"):
			c.remove(report.Handlers, a.Key)
		case a.Key == "src" || a.Key == "data" || a.Key == "href" && n.Data == "link":
			c.p.tally.host(hostOf(a.Val))
		case a.Key == "action" || a.Key == "formaction":
			c.p.tally.link(linkTo(n.Data, a.Val))
		case rule != nil && rule.what == report.Loads:
			c.address(report.Loads, a)
		}
	}
}

// img writes a picture that the document carries, or a box with its words.
func (c *cleaner) img(n *html.Node, attrs []html.Attribute) {
	src := attrOf(n.Attr, "src")
	pic, known := c.images[src]
	if !known {
		pic = c.picture(src)
		if c.images[src] = pic; pic.src != "" { // read again, it is known
			c.images[pic.src] = pic
		}
	}
	alt := squeeze(attrOf(n.Attr, "alt"))
	if pic.what != "" {
		c.remove(pic.what, style.Scheme(src))
		if pic.what == report.Loads {
			c.p.tally.host(pic.host)
		}
	}
	if pic.src == "" {
		c.box(withWords(pic.why, alt))
		c.words.apart(alt, "")
		return
	}
	c.drawn.pictures++
	if alt != "" {
		c.words.apart(alt, "alt")
	}
	for i := range attrs {
		if attrs[i].Key == "src" {
			attrs[i].Val = pic.src
		}
	}
	c.tag("img", attrs)
}

// picture decides about the address of a picture.
func (c *cleaner) picture(src string) image {
	switch scheme := style.Scheme(src); {
	case strings.TrimSpace(src) == "":
		return image{why: "An image without a URL"}
	case scheme == "javascript" || scheme == "vbscript":
		return image{what: report.Scripts, why: "A script instead of an image"}
	case scheme != "data":
		return image{what: report.Loads, host: hostOf(src), why: "An image from outside this file was not loaded"}
	}
	return c.embedded(src)
}
