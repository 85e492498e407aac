// Package markdown turns an agent's markdown into HTML that still has to pass the sandbox's
// pipeline for html: addresses are kept as written, so that the pipeline can count and list them.
//
// goldmark reads the dialect of GitHub: tables, strikethrough, bare links, task lists. Raw HTML
// is not passed on and not dropped either: it stands in the text as its author typed it, as
// code, so that the reader sees every byte of it. An element of its own is around it (RawTag), so
// that the pipeline can say what it would have done. Only <br> becomes the line break it is.
//
// goldmark needs gigabytes for some inputs of a few kilobytes. Two passes stand before it: the
// guard over lines, and a reading of blocks without their inline markup, which counts exactly
// what each block would cost.
package markdown

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/figs-web/figs-web/sandbox/report"
)

// RawTag is the element around text that was raw HTML. No author can write it: what looks like
// it in the markdown is raw HTML itself.
const RawTag = "figs-raw"

// maxOutput bounds the HTML of a document in bytes.
const maxOutput = 8 << 20

// Result is what became of a markdown document.
type Result struct {
	// HTML is the fragment for the html pipeline; nil when Notice says why there is none.
	HTML []byte
	// Unseen is text that the fragment does not show: notes in unused link targets, cells
	// beyond a table's columns, words after a code block's language.
	Unseen []Unseen
	Notice *report.Notice
}

// HTML renders a markdown document. With a notice the caller shows plain text instead.
func HTML(src []byte, l report.Limits) Result {
	if len(src) > l.Markdown {
		return Result{Notice: &report.Notice{Code: report.TooLarge, Text: "This Markdown is too large to render." + plainInstead}}
	}
	if why := guard(src); why != nil {
		return Result{Notice: why}
	}
	if why := guardBlocks(src); why != nil {
		return Result{Notice: why}
	}
	return render(src, min(maxOutput, l.Output))
}

func render(src []byte, limit int) Result {
	var r Result
	md := goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(html.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(rawHTML{}, 100))),
	)
	out := &limited{left: limit}
	doc := md.Parser().Parse(text.NewReader(src), parser.WithContext(parser.NewContext(parser.WithIDs(newIDs()))))
	if !fits(func() error { return md.Renderer().Render(out, src, doc) }) {
		r.Notice = &report.Notice{Code: report.OutputTooLarge, Text: "This Markdown would be too large when rendered." + plainInstead}
		return r
	}
	r.HTML, r.Unseen = out.buf, unseen(doc, src)
	return r
}

// full is the panic of a buffer at its limit. goldmark's renderers go on after a writer's
// error, however much is still to come, so an error would bound memory but not time.
type full struct{}

// fits runs a rendering and reports whether it came to its end.
func fits(render func() error) (ok bool) {
	defer func() {
		switch p := recover(); p {
		case nil, full{}:
		default:
			panic(p)
		}
	}()
	return render() == nil
}

// limited is a buffer that stops whoever writes to it at its limit.
type limited struct {
	buf  []byte
	left int
}

func (w *limited) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		panic(full{})
	}
	w.buf = append(w.buf, p...)
	return len(p), nil
}
