package sandbox

import (
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/sandbox/internal/picture"
	"github.com/figs-web/figs-web/sandbox/report"
)

// picture shows a raster image.
func (p *page) picture() {
	p.binary = true
	info, notice := picture.Raster(p.result.Ext, p.content, p.limits)
	switch {
	case p.result.View == report.Source:
		p.source()
	case notice != nil && notice.Code == report.TooLarge:
		p.result.Notices = append(p.result.Notices, *notice)
		p.sentence("This image is too large to show. You can download it.")
	case notice != nil:
		p.fallback(*notice)
	case p.result.View == report.Text:
		p.sentence("An image contains no text that a machine would read.")
	default:
		p.still(info)
	}
}

// still shows the one picture that an image is, and says when the file holds more.
func (p *page) still(info picture.Info) {
	if info.Frames > 1 {
		p.notice(report.Cut, "This image is animated: it has "+strconv.Itoa(info.Frames)+" frames. Only the first one is shown. Download it to see the others.")
	}
	if info.Trailing > 0 {
		p.notice(report.Cut, "The file contains extra bytes after the end of the image ("+strconv.Itoa(info.Trailing)+" bytes). They are not shown.")
	}
	p.imageDocument(picture.Address(info.Type, picture.Still(info, p.content)))
}

// svg shows a drawing as an image.
func (p *page) svg() {
	r := picture.SVG([]byte(p.text), p.limits)
	c := cleaner{p: p}
	c.fromSVG(&r)
	p.pixels(picture.Info{Width: r.Width, Height: r.Height})
	switch {
	case r.Notice != nil:
		p.fallback(*r.Notice)
	case p.result.View == report.Source:
		p.source()
	case p.result.View == report.Text:
		p.own("f-own f-words", p.preformatted(strings.Join(r.Text, "\n")), "")
	default:
		p.imageDocument(picture.Address("image/svg+xml", r.SVG))
	}
}

// imageDocument shows one picture: as large as the frame, or, once its bar is opened, as large as it
// is. No script: the bar is a details element that the style sheet listens to.
func (p *page) imageDocument(src string) {
	const bar = `<details class="f-zoom"><summary><span>Natural size</span><span>Fit the frame</span></summary></details>`
	body := bar + `<div class="f-stage"><img alt="" src="` + src + `"></div>`
	if !p.own("f-own f-image", body, "") {
		p.result.Notices = append(p.result.Notices, report.Notice{Code: report.OutputTooLarge,
			Text: "This image is larger than the display limit (" + size(p.limits.Output) + " as part of a document). Download it."})
		p.sentence("This image is too large to show. You can download it.")
	}
}
