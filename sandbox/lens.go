package sandbox

import (
	"slices"
	"sort"
	"strings"

	"github.com/figs-web/figs-web/sandbox/internal/hints"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Read looks at an attachment through the lens: what a model would read of it and a person who looks at the
// rendered view would not see. It makes no document.
func Read(name string, content []byte, limits report.Limits) *report.Reading {
	p := newPage(name, content, report.HiddenTextView, limits)
	if len(content) > 0 && len(content) <= limits.Input {
		if p.result.Kind != report.Download && p.result.Kind != report.Image {
			p.decode()
		}
		p.gather()
	} else if len(content) > 0 {
		p.finds.unread = "It is larger than the limit for this check (" + size(limits.Input) + ")."
	}
	return &report.Reading{Name: name, Size: int64(len(content)), Passages: p.finds.sorted(), More: p.finds.more, Unread: p.finds.unread}
}

// ReadText looks at one text, which is shown as it is: for characters that leave no mark, letters that pretend
// to be others, and what stands far behind white space. Offsets and lines are those of the text.
func ReadText(text string) []report.Passage {
	f := finds{text: text}
	f.characters(report.Plain)
	f.lookAlikes(text)
	f.farAway()
	return f.sorted()
}

// InstructionPhrases are the words of a fixed list that make a text read like an instruction to a machine, or nil.
func InstructionPhrases(text string) []string { return hints.Find(text) }

// judge finds what a person and a machine do not both read. Every view has what it found.
func (p *page) judge() {
	p.gather()
	r := p.result
	r.Passages, r.More.Passages = p.finds.sorted(), p.finds.more
	if p.finds.unread != "" {
		p.notice(report.NotRead, p.finds.unread)
	}
}

// lens shows the text of an attachment with everything marked that a person would not see.
func (p *page) lens() {
	r := p.result
	switch {
	case r.Kind == report.Download:
		return
	case r.Kind == report.Image:
		p.sentence("An image contains no text that a machine would read, except what is listed above.")
		return
	case p.binary:
		p.source()
		return
	}
	p.marked()
	r.View = report.HiddenTextView
}

// gather finds the passages of an attachment by its kind.
func (p *page) gather() {
	f := &p.finds
	f.text, f.base = p.text, int64(len(p.content)-len(p.text))
	if f.base != int64(len(bom)) || !strings.HasPrefix(string(p.content[:min(3, len(p.content))]), bom) {
		f.base = 0
	}
	switch kind := p.result.Kind; {
	case kind == report.Image:
		f.picture(p.result.Ext, p.content)
	case kind == report.Download:
		f.download(p.result.Ext, p.content)
	case p.binary:
		f.unread = "It is not text, so it was not checked."
	default:
		f.characters(kind)
		f.lookAlikes(p.text)
		switch kind {
		case report.HTML, report.SVG:
			p.readMarkup()
		case report.Markdown:
			p.readMarkdown()
		case report.JSON:
			f.twice(p.limits)
		case report.Plain:
			f.farAway()
		}
	}
}

// readMarkup finds what HTML, or a drawing, keeps from sight.
func (p *page) readMarkup() {
	f := &p.finds
	doc, notice := p.tree()
	switch {
	case notice != nil && notice.Code == report.TooLarge:
		f.unread = "It is larger than the rendering limit (" + size(p.limits.HTML) + "); only its characters were checked."
		return
	case notice != nil:
		f.unread = "It can't be parsed as HTML or SVG within the limits; only its characters were checked."
		return
	}
	newReader(p, doc).read(doc)
}

// readMarkdown finds what markdown, rendered, keeps from sight.
func (p *page) readMarkdown() {
	f := &p.finds
	r := p.markdowned()
	if r.Notice != nil {
		f.unread = "It can't be parsed as Markdown within the limits; only its characters were checked."
		return
	}
	for _, u := range r.Unseen {
		f.add(report.Passage{Way: report.LinkNote, Sight: report.Never, Why: u.Why, Text: u.Text})
	}
	f.comments()
	if doc, notice := p.tree(); notice == nil {
		newReader(p, doc).read(doc)
	}
	f.search()
}

// finds gathers passages of one text.
type finds struct {
	text   string // decoded
	base   int64  // bytes before the text in the attachment
	list   []report.Passage
	known  map[find]bool
	more   int
	unread string

	saturated bool  // with passages that hide something
	lines     []int // where each line of text begins
}

// find is what makes two passages one.
type find struct {
	way             report.HidingMethod
	why, text, path string
	at              int64
}

// longest is how much of a passage is kept, in bytes.
const longest = 600

// besides are the places beside the picture where honest reports have words too: comments, descriptions. They
// hide something only where they read like an instruction.
var besides = map[report.HidingMethod]bool{report.Comment: true, report.Attribute: true}

// add notes a passage. Its offsets are of text; an End of 0 says that it is not known where it stands.
func (f *finds) add(x report.Passage) {
	if x.Text = shorten(squeeze(x.Text), longest); x.Text == "" {
		return
	}
	if f.saturated {
		f.more++
		return
	}
	x.Cues = hints.Find(x.Text)
	switch {
	case besides[x.Way] && x.Sight == report.Never && x.Cues == nil && !strings.HasPrefix(x.Why, "data-"):
		x.Sight = report.Aside
	case x.Sight == report.Aside && x.Cues != nil && (x.Way == report.Styled || x.Way == report.Undrawn):
		x.Sight = report.Never
	}
	x.Why, x.Path = shorten(x.Why, 80), shorten(x.Path, 160)
	k := find{x.Way, x.Why, x.Text, x.Path, x.At}
	if f.known[k] {
		return
	}
	if len(f.list) >= report.MaxPassages {
		f.more++
		if !x.Sight.Hides() || !f.forget() {
			return
		}
	}
	if f.known == nil {
		f.known = map[find]bool{}
	}
	f.known[k] = true
	if x.End > 0 {
		x.Line = f.lineOf(int(x.At))
		x.At, x.End = x.At+f.base, x.End+f.base
	}
	if x.Plain != "" {
		x.Plain = shorten(squeeze(x.Plain), longest)
		if more := hints.Find(x.Plain); len(more) > len(x.Cues) {
			x.Cues = more
		}
	}
	f.list = append(f.list, x)
}

// forget drops the last passage that hides nothing, to make room for one that does.
func (f *finds) forget() bool {
	for i := len(f.list) - 1; i >= 0; i-- {
		if !f.list[i].Sight.Hides() {
			f.list = slices.Delete(f.list, i, i+1)
			return true
		}
	}
	f.saturated = true
	return false
}

// lineOf is the line of an offset, from 1.
func (f *finds) lineOf(at int) int {
	if f.lines == nil {
		f.lines = []int{0}
		for i := 0; i < len(f.text); i++ {
			if f.text[i] == '\n' {
				f.lines = append(f.lines, i+1)
			}
		}
	}
	return sort.SearchInts(f.lines, at+1)
}

// sorted returns the passages, the worst first.
func (f *finds) sorted() []report.Passage {
	sort.SliceStable(f.list, func(i, j int) bool { return report.IsWorse(&f.list[i], &f.list[j]) })
	return f.list
}
