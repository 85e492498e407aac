// Package style filters CSS: it reads tokens, keeps what an allow-list names and writes that afresh.
// Nothing of the input's spelling survives: escapes are decoded before they are judged, and what is
// written loads nothing, moves nothing, reacts to nothing and looks the same on every machine.
//
// The input is read in time proportional to its length. Writing is stable: filtering what was
// filtered changes nothing.
package style

import (
	"strings"

	"github.com/figs-web/figs-web/sandbox/report"
)

// Prefix begins every class and id of the author, in markup and in selectors, so that they never
// meet ours.
const Prefix = "u-"

// Name returns a class or id as the author's: with Prefix, which is never put twice.
func Name(s string) string {
	if strings.HasPrefix(s, Prefix) {
		return s
	}
	return Prefix + s
}

// Result is what became of a style sheet or a style attribute.
type Result struct {
	// CSS holds no '<', no '&' and no quote beside those around a string; '>' stands only between
	// two spaces, as the child combinator of a sheet.
	CSS     string
	Removed []report.Removal
	Hosts   []string // where it wanted to load from, in order, each once; punycode
	// Colour is the opaque colour of text that a style attribute sets, as "#rrggbb". Inline only.
	Colour string
	// Dropped says that nothing was kept because the input, or what it became, is too large.
	Dropped bool
}

// What a sheet may cost the browser that draws it.
const (
	maxDepth    = 8      // nested blocks, and nested functions of a value
	maxRules    = 4000   // rules of one sheet
	maxAnywhere = 64     // rules of one sheet that the browser must try on every element
	maxTokens   = 600    // tokens of one value
	maxCustom   = 256    // custom properties of one call
	maxMixed    = 16     // custom properties of one call made of another one and something else
	maxNumber   = 1e5    // any number
	maxList     = 128    // selectors of one rule
	maxCompound = 10     // steps of one selector
	maxParts    = 24     // classes and the like of one step
	maxSibling  = 2      // steps of one selector that search among siblings
	maxIdent    = 120    // bytes of a name
	maxString   = 2000   // bytes of a string
	maxValue    = 16_000 // bytes of a value
)

// Sheet filters the content of a style element. Input or output of more than max bytes is dropped.
func Sheet(css string, max int) Result {
	if len(css) > max {
		return tooLarge()
	}
	f := newFilter(css)
	f.harvest()
	f.rules(0, len(f.toks), 0)
	return f.result(max)
}

// Inline filters the value of a style attribute. Input or output of more than max bytes is dropped.
func Inline(css string, max int) Result {
	if len(css) > max {
		return tooLarge()
	}
	f := newFilter(css)
	f.harvest()
	decls := f.declarations(0, len(f.toks))
	f.out = append(f.out, written(decls)...)
	r := f.result(max)
	if !r.Dropped {
		for _, d := range decls {
			if d.name == "color" {
				r.Colour = Colour(d.value)
			}
		}
	}
	return r
}

func tooLarge() Result {
	return Result{Dropped: true, Removed: []report.Removal{{What: report.Styles, Count: 1, Example: "too large"}}}
}

// filter is the state of one call.
type filter struct {
	src       string
	toks      []token
	out       []byte
	tally     Tally
	hosts     []string
	addresses int             // looked at
	known     map[string]bool // hosts
	within    int             // @media blocks around
	kept      int             // rules written
	anywhere  int             // of these, rules for any element
	custom    int             // custom properties written
	mixed     int             // of these, made of another one and something else
}

func newFilter(css string) *filter {
	css = strings.ToValidUTF8(css, "\uFFFD")
	return &filter{src: css, toks: lex(css)}
}

func (f *filter) result(max int) Result {
	if len(f.out) > max {
		r := tooLarge()
		r.Hosts = f.hosts
		return r
	}
	return Result{CSS: string(f.out), Removed: f.tally.List(), Hosts: f.hosts}
}

// drop counts something that is not allowed. The example is shortened.
func (f *filter) drop(example string) {
	f.tally.Add(report.Styles, example)
}
