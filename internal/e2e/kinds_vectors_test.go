package e2e

import (
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/figs/figstest"
)

// TestKindVectors drops the project of every vector about the other kinds of folders on one page and exports the
// findings from there. They are what the vector expects.
func TestKindVectors(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	p.open(saved(t))
	eval[chromedp.Void](p, vectorTools)
	for v := range figstest.KindVectors() {
		t.Run(v.Name, func(t *testing.T) {
			p := p.in(t)
			dir := filepath.Join(t.TempDir(), "project")
			if len(v.Links) > 0 {
				t.Skip("browsers leave symbolic links out")
			} else if err := v.LayTree(dir); errors.Is(err, errors.ErrUnsupported) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			for _, complaint := range v.Compare(figstest.Result{FindingsJSON: p.kindFindings(dir, v.Now)}) {
				t.Error(complaint)
			}
			p.quiet()
		})
	}
}

// kindFindings drops a project on a page with vectorTools and returns what it exports of its one folder of a kind.
func (p *tab) kindFindings(dir, now string) []byte {
	p.t.Helper()
	eval[chromedp.Void](p, fmt.Sprintf("vectors.begin(%s)", quoted(now)))
	p.drop(dir)
	text, err := base64.StdEncoding.DecodeString(eval[string](p, "vectors.kind(1)"))
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}
