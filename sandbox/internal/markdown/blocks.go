package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/figs-web/figs-web/sandbox/report"
)

// guardBlocks reads the document's blocks without their inline markup, which costs little, and
// counts in each what the inline parsers would stop at. What it counts is what goldmark would
// read: code is never counted, and nothing can be disguised as code.
func guardBlocks(src []byte) *report.Notice {
	p := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
	)
	doc := p.Parse(text.NewReader(src))
	var why *report.Notice
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || !inlines(n) {
			return ast.WalkContinue, nil
		}
		found := 0
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			found += specials(line.Value(src))
		}
		if found > maxSpecials {
			at := n.Lines().At(0).Start
			why = &report.Notice{Code: report.TooComplex, At: int64(at),
				Text: "A paragraph in this Markdown has more than 1,000 characters of markup." + plainInstead}
			return ast.WalkStop, nil
		}
		return ast.WalkSkipChildren, nil
	})
	return why
}

// inlines reports whether a block holds text that the inline parsers read.
func inlines(n ast.Node) bool {
	if n.Type() != ast.TypeBlock || n.IsRaw() {
		return false
	}
	return n.Lines() != nil && n.Lines().Len() > 0
}

// specials counts the characters that inline parsers stop at.
func specials(line []byte) int {
	n := 0
	for _, c := range line {
		switch c {
		case '*', '_', '~', '[', ']', '!', '(', ')', '<', '>', '&', '`', '\\', '|':
			n++
		}
	}
	return n
}
