package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"github.com/figs-web/figs-web/sandbox/report"
)

// Unseen is text that the fragment does not show.
type Unseen struct {
	Why  string // "unused link target", "code info"
	Text string // shortened
}

// maxUnseen bounds one piece of unseen text in bytes.
const maxUnseen = 300

// unseen lists what stands in a document and on no page made of it: a person reads past it
// while a machine that reads the bytes does not.
func unseen(doc ast.Node, src []byte) []Unseen {
	u := finder{src: src, used: map[string]bool{}}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			u.node(n)
		}
		return ast.WalkContinue, nil
	})
	for _, def := range u.defs {
		if !u.used[string(def.Destination)] {
			u.add("unused link target", strings.Join([]string{string(def.Label), string(def.Destination), string(def.Title)}, " "))
		}
	}
	return u.found
}

type finder struct {
	src   []byte
	used  map[string]bool
	defs  []*ast.LinkReferenceDefinition
	found []Unseen
}

func (u *finder) add(why, text string) {
	if text = strings.TrimSpace(text); text == "" || len(u.found) == report.MaxItems {
		return
	}
	if len(text) > maxUnseen {
		text = strings.ToValidUTF8(text[:maxUnseen], "") + "…"
	}
	u.found = append(u.found, Unseen{Why: why, Text: text})
}

func (u *finder) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Link:
		u.used[string(n.Destination)] = true
	case *ast.Image:
		u.used[string(n.Destination)] = true
	case *ast.LinkReferenceDefinition:
		u.defs = append(u.defs, n)
	case *ast.FencedCodeBlock:
		if n.Info != nil {
			_, rest, _ := bytes.Cut(n.Info.Segment.Value(u.src), []byte(" "))
			u.add("words after a code block's language", string(rest))
		}
	case *east.TableRow:
		u.row(n)
	}
}

// row finds the cells of a row beyond the columns of its table.
func (u *finder) row(n *east.TableRow) {
	last := n.LastChild()
	if last == nil || last.Lines().Len() == 0 {
		return
	}
	rest, _, _ := bytes.Cut(u.src[last.Lines().At(0).Stop:], []byte("\n"))
	if _, more, ok := bytes.Cut(rest, []byte("|")); ok {
		u.add("cell beyond the table's columns", strings.TrimRight(string(more), "| \t\r"))
	}
}
