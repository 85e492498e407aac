package sandbox

import (
	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/report"
)

// embedded decides about a picture in a data: address.
func (c *cleaner) embedded(src string) image {
	return image{what: report.Data, why: "A picture that could not be checked is not shown"}
}

// foreign shows an svg as an image, and puts a box where that cannot be.
func (c *cleaner) foreign(n *html.Node) {
	c.remove(report.Foreign, n.Data)
	text := squeeze(textOf(n))
	if n.Data == "math" {
		c.box("A formula: " + text)
		return
	}
	c.box("A drawing that could not be checked is not shown: " + text)
	c.p.tally.hide("svg", text)
}
