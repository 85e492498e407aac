package findings_test

import (
	"errors"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/internal/findings"
)

// TestVectors puts every vector about registries through the reader.
func TestVectors(t *testing.T) {
	broken := map[figs.Code]bool{}
	figstest.RunKinds(t, func(v figstest.Vector) (figstest.Result, error) {
		if _, is := v.Tree[findings.File]; !is {
			return figstest.Result{}, errors.ErrUnsupported
		}
		r := findings.New()
		for name, content := range v.Tree {
			if r.See(name) {
				r.Give(name, content)
			}
		}
		report := r.Finish(v.Now)
		for _, f := range report.Findings {
			broken[f.Code] = true
			if f.Message == "" || f.Hint == "" {
				t.Errorf("%v has no sentences", f.Code)
			}
		}
		return figstest.Result{FindingsJSON: figs.AppendFindings(nil, report), States: r.State().States()}, nil
	})
	for c := figs.EntryMalformed; c <= figs.RegistryTorn; c++ {
		if !broken[c] {
			t.Errorf("no vector breaks %v", c)
		}
	}
}
