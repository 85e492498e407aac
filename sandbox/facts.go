package sandbox

import (
	"strconv"

	"github.com/figs-web/figs-web/sandbox/internal/facts"
	"github.com/figs-web/figs-web/sandbox/internal/picture"
	"github.com/figs-web/figs-web/sandbox/report"
)

// facts gathers what can safely be said about the bytes. For a type that is never shown it also says
// when they are not what the name promises.
func (p *page) facts() {
	if p.result.Kind == report.Image {
		info, _ := picture.Raster(p.result.Ext, p.content, p.limits)
		p.pixels(info)
		return
	}
	list, notice := facts.Of(p.result.Ext, p.content)
	p.result.Facts = list
	if notice != nil && p.result.Kind == report.Download && p.result.Notice(notice.Code) == nil {
		p.result.Notices = append(p.result.Notices, *notice)
	}
}

// pixels adds the facts of a picture.
func (p *page) pixels(info picture.Info) {
	add := func(name, value string) {
		p.result.Facts = append(p.result.Facts, report.Fact{Name: name, Value: value})
	}
	if info.Format != "" {
		add("format", info.Format)
	}
	if info.Width > 0 && info.Height > 0 {
		add("pixels", strconv.Itoa(info.Width)+" × "+strconv.Itoa(info.Height))
	}
	if info.Frames > 1 {
		add("frames", strconv.Itoa(info.Frames))
	}
	if info.Trailing > 0 {
		add("bytes after its end", strconv.Itoa(info.Trailing))
	}
}
