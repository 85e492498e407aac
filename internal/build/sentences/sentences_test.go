package sentences

import (
	"slices"
	"testing"
)

func TestSaid(t *testing.T) {
	for source, want := range map[string][]string{
		`show(tr('Don\'t stop'), tr("not this"), tr(name))`:                          {"Don't stop"},
		`const A = [msg('one'), 'two', msg('three')];`:                               {"one", "three"},
		`trCount(list.length, '1 note', '{0} notes')`:                                {"1 note", "{0} notes"},
		"throw new Failure('zip', '{0} is damaged.', name);":                         {"{0} is damaged."},
		`throw new Failure('crash', String(error)); str('no'); a = b ? tr('x') : ''`: {"x"},
	} {
		if got := Said(source); !slices.Equal(got, want) {
			t.Errorf("%s says %q, want %q", source, got, want)
		}
	}
}

// TestPage knows sentences of the page with elements in them, and of attributes.
func TestPage(t *testing.T) {
	page := Page()
	for _, want := range []string{"Open a sample", "One JSON object per line, as in {0}, {1} or {2}.", "Figs inspector, start page", "Figs {0}", "inspector"} {
		if !slices.Contains(page, want) {
			t.Errorf("the page lacks %q: %q", want, page)
		}
	}
}
