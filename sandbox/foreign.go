package sandbox

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/picture"
	"github.com/figs-web/figs-web/sandbox/report"
)

// svgClass marks the image that an inline svg became, so that rules for svg still reach it.
const svgClass = "u-figs-svg"

// embedded decides about a picture in a data: address. The pictures of one report may not have more
// than twice the pixels of the largest one that is shown alone.
func (c *cleaner) embedded(src string) image {
	bad := image{what: report.Data, why: "An image that could not be checked is not shown"}
	mime, b, ok := picture.Payload(src, c.p.limits.Input)
	if ok && mime == "image/svg+xml" {
		r := picture.SVG(b, c.p.limits)
		c.fromSVG(&r)
		if r.Notice != nil {
			return bad
		}
		return image{src: picture.Address(mime, r.SVG)}
	}
	clean, info, ok := picture.Data(src, c.p.limits)
	if c.pixels += info.Width * info.Height; !ok || c.pixels > 2*c.p.limits.Pixels {
		return bad
	}
	return image{src: clean}
}

// fromSVG tallies what an svg lost.
func (c *cleaner) fromSVG(r *picture.Result) {
	for _, x := range r.Removed {
		c.p.tally.add(x)
	}
	for _, h := range r.Hosts {
		c.p.tally.host(h)
	}
	for _, l := range r.Links {
		c.p.tally.link(l)
	}
}

// foreign shows an svg as an image, and puts a box where that cannot be.
func (c *cleaner) foreign(n *html.Node) {
	if n.Data != "svg" || n.Namespace != "svg" {
		c.remove(report.Foreign, n.Data)
		text := squeeze(textOf(n))
		c.words.text(text, "")
		c.box(withWords("A formula", text))
		return
	}
	r := picture.InlineSVGIn(n, c.around(), c.p.limits)
	c.fromSVG(&r)
	text := squeeze(strings.Join(r.Text, " "))
	for _, line := range r.Text {
		c.words.open("div")
		c.words.text(line, c.p.markWithin(n, line))
		c.words.close("div")
	}
	if r.Notice != nil {
		c.box("A drawing that could not be checked is not shown. " + r.Notice.Text)
		return
	}
	c.drawn.pictures++
	if c.muted == 0 {
		c.tag("img", c.svgAttrs(n, picture.Address("image/svg+xml", r.SVG), text))
	}
}

// withWords adds the words of what is not shown to the sentence that stands for it.
func withWords(sentence, words string) string {
	if words == "" {
		return sentence
	}
	return sentence + ": " + shorten(words, 300)
}

// svgAttrs returns the attributes of the image that stands for an svg: what placed the svg in its
// page places the image.
func (c *cleaner) svgAttrs(n *html.Node, src, alt string) []html.Attribute {
	var attrs []html.Attribute
	for _, key := range []string{"class", "id", "style", "width", "height"} {
		value, ok := "", hasAttr(n, key)
		if ok {
			value, ok = c.value(n, allowed[key], attrOf(n.Attr, key))
		}
		if ok {
			attrs = append(attrs, html.Attribute{Key: key, Val: value})
		}
	}
	attrs = withClass(attrs, svgClass)
	return append(attrs, html.Attribute{Key: "src", Val: src}, html.Attribute{Key: "alt", Val: shorten(alt, 500)})
}

// What the sheet of a page may add to its drawings.
const (
	lentOnce = 16 << 10
	lentAll  = 2 << 20
)

// around is what an svg takes from its page: rules, colour and font. What placed it in the page is
// undone inside, where it would count twice.
func (c *cleaner) around() picture.Around {
	a := picture.Around{Font: c.font}
	if n := len(c.inks); n > 0 && c.inks[n-1].colour != "#000000" {
		a.Colour = c.inks[n-1].colour
	}
	if size := len(c.css) + len(unplaced); c.css != "" && size < lentOnce && c.lent+size < lentAll {
		a.Sheet = c.css + unplaced
		c.lent += size
	}
	return a
}

// unplaced undoes, at the root of a drawing, what its page says about where and how an svg stands.
const unplaced = "svg:root{margin:0!important;padding:0!important;border:0!important;background:none!important;box-shadow:none!important;" +
	"opacity:1!important;transform:none!important;max-width:none!important;border-radius:0!important}"

// bodyFont returns the fonts that a filtered sheet gives to the whole page.
func bodyFont(css string) string {
	font := ""
	for _, selector := range []string{"*{", ":root{", "html{", "body{"} {
		for rest := css; ; {
			i := strings.Index(rest, selector)
			if i < 0 {
				break
			}
			whole := i == 0 || rest[i-1] == '}' || rest[i-1] == ','
			rest = rest[i+len(selector):]
			block := until(rest, "}")
			if _, family, found := strings.Cut(block, "font-family:"); found && whole {
				font = until(family, ";}!")
			}
		}
	}
	return font
}

// retarget makes the rules for svg elements rules for the images that they became.
func retarget(css string) string {
	if !strings.Contains(css, "svg") {
		return css
	}
	var b strings.Builder
	selecting, quote := true, byte(0)
	for i := 0; i < len(css); i++ {
		ch := css[i]
		switch {
		case quote != 0:
			if ch == quote {
				quote = 0
			}
		case ch == '"' || ch == '\'':
			quote = ch
		case ch == '{':
			selecting = strings.HasPrefix(lastPrelude(css[:i]), "@")
		case ch == '}':
			selecting = true
		case selecting && strings.HasPrefix(css[i:], "svg") && edged(css, i-1) && edged(css, i+3):
			b.WriteString("img:where(." + svgClass + ")")
			i += 2
			continue
		}
		b.WriteByte(ch)
	}
	return b.String()
}

// lastPrelude returns what stands between the last block and the end of css.
func lastPrelude(css string) string {
	css = css[max(0, len(css)-20_000):]
	return strings.TrimSpace(css[strings.LastIndexAny(css, "{};")+1:])
}

// edged reports whether a name cannot go on at i.
func edged(css string, i int) bool {
	if i < 0 || i >= len(css) {
		return true
	}
	c := css[i]
	return !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.' || c == '#' || c == '\\' || c >= 0x80)
}
