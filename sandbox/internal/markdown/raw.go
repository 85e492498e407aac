package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// rawHTML renders a document's raw HTML as text inside the element RawTag.
type rawHTML struct{}

func (r rawHTML) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindRawHTML, r.inline)
	reg.Register(ast.KindHTMLBlock, r.block)
}

func (r rawHTML) inline(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkSkipChildren, nil
	}
	var tag []byte
	segments := node.(*ast.RawHTML).Segments
	for i := range segments.Len() {
		s := segments.At(i)
		tag = append(tag, s.Value(source)...)
	}
	if lineBreak(tag) {
		_, err := w.WriteString("<br>\n")
		return ast.WalkSkipChildren, err
	}
	return ast.WalkSkipChildren, write(w, "<code><"+RawTag+">", tag, "</"+RawTag+"></code>")
}

func (r rawHTML) block(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := node.(*ast.HTMLBlock)
	var all []byte
	for i := range block.Lines().Len() {
		line := block.Lines().At(i)
		all = append(all, line.Value(source)...)
	}
	if block.HasClosure() {
		all = append(all, block.ClosureLine.Value(source)...)
	}
	return ast.WalkContinue, write(w, "<pre><code><"+RawTag+">", all, "</"+RawTag+"></code></pre>\n")
}

func write(w util.BufWriter, before string, untrusted []byte, after string) error {
	_, _ = w.WriteString(before)
	_, _ = w.Write(util.EscapeHTML(untrusted))
	_, err := w.WriteString(after)
	return err
}

// lineBreak reports whether a tag is a <br> without attributes.
func lineBreak(tag []byte) bool {
	name, ok := bytes.CutPrefix(bytes.ToLower(tag), []byte("<br"))
	if !ok {
		return false
	}
	name = bytes.TrimSuffix(bytes.TrimSuffix(name, []byte(">")), []byte("/"))
	return len(bytes.TrimSpace(name)) == 0
}
