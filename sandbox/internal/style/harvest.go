package style

import (
	"strings"

	"github.com/tdewolff/parse/v2/css"

	"github.com/figs-web/figs-web/sandbox/report"
)

// loaders are the functions whose string arguments are addresses.
var loaders = map[string]bool{
	"src": true, "image": true, "image-set": true, "-webkit-image-set": true, "cross-fade": true, "-webkit-cross-fade": true,
	"url-prefix": true, "-moz-image-set": true,
}

// maxHosts bounds the hosts of one call.
const maxHosts = 1000

// harvest counts every address of the input, wherever it stands, before anything is dropped.
func (f *filter) harvest() {
	until := -1 // strings before this index are addresses
	for i := range f.toks {
		t := &f.toks[i]
		switch t.kind {
		case css.URLToken, css.BadURLToken:
			f.address(t.text)
		case css.FunctionToken:
			switch {
			case t.text == "url": // its name was written with an escape
				f.address(strings.Trim(f.raw(i+1, int(t.close)), "\"' \t\r\n\f"))
			case loaders[t.text]:
				until = max(until, int(t.close))
			case t.text == "expression":
				f.tally.Add(report.Scripts, "expression()")
			}
		case css.AtKeywordToken:
			if t.text == "import" {
				until = max(until, f.space(i+1, len(f.toks))+1)
			}
		case css.StringToken:
			if i < until {
				f.address(t.text)
			}
		}
	}
}

// address counts one address by what it would have done.
func (f *filter) address(s string) {
	switch scheme := Scheme(s); {
	case strings.HasPrefix(strings.TrimSpace(s), "#"): // counted with its declaration
	case scheme == "data":
		f.tally.Add(report.Data, "data:")
	case scheme == "javascript" || scheme == "vbscript":
		f.tally.Add(report.Scripts, scheme+":")
	default:
		f.tally.Add(report.Loads, s)
		if h := Host(s); h != "" && len(f.hosts) < maxHosts && !f.known[h] {
			if f.known == nil {
				f.known = map[string]bool{}
			}
			f.known[h] = true
			f.hosts = append(f.hosts, h)
		}
	}
}

// loads says whether a range holds an address that harvest counted, so that it is not counted twice.
func (f *filter) loads(lo, hi int) bool {
	for i := lo; i < hi; i++ {
		switch t := &f.toks[i]; t.kind {
		case css.URLToken, css.BadURLToken:
			if !strings.HasPrefix(strings.TrimSpace(t.text), "#") {
				return true
			}
		case css.FunctionToken:
			if t.text == "url" || t.text == "expression" || loaders[t.text] {
				return true
			}
		}
	}
	return false
}
