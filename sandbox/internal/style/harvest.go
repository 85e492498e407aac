package style

import (
	"strings"

	"github.com/figs-web/figs-web/sandbox/report"
)

// loaders are the functions whose string arguments are addresses.
var loaders = map[string]bool{
	"src": true, "image": true, "image-set": true, "-webkit-image-set": true, "cross-fade": true, "-webkit-cross-fade": true,
	"url-prefix": true, "-moz-image-set": true,
}

// What is looked at one by one: further addresses are counted as loads.
const (
	maxHosts     = 1000
	maxAddresses = 5000
)

// harvest counts every address of the input, wherever it stands, before anything is dropped.
func (f *filter) harvest() {
	until := -1 // strings before this index are addresses
	for i := range f.toks {
		t := &f.toks[i]
		switch t.kind {
		case kURL, kBadURL:
			f.address(t.text)
		case kFunction:
			switch {
			case t.text == "url": // its name was written with an escape
				f.address(strings.Trim(f.raw(i+1, min(int(t.close), i+10)), "\"' \t\r\n\f"))
			case loaders[t.text]:
				if f.computed(i) {
					f.address(t.text + "()")
				}
				until = max(until, int(t.close))
			case t.text == "expression":
				f.tally.Add(report.Scripts, "expression()")
			}
		case kAtKeyword:
			if t.text == "import" {
				until = max(until, f.space(i+1, len(f.toks))+1)
			}
		case kString:
			if i < until {
				f.address(t.text)
			}
		}
	}
}

// computed says that a loader's address stands nowhere inside of it: it is put together elsewhere.
func (f *filter) computed(i int) bool {
	for k := i + 1; k < int(f.toks[i].close); k++ {
		switch f.toks[k].kind {
		case kString, kURL, kBadURL:
			return false
		}
	}
	return true
}

// address counts one address by what it would have done.
func (f *filter) address(s string) {
	if f.addresses++; f.addresses > maxAddresses {
		f.tally.Add(report.Loads, "")
		return
	}
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
		case kURL, kBadURL:
			if !strings.HasPrefix(strings.TrimSpace(t.text), "#") {
				return true
			}
		case kFunction:
			if t.text == "url" || t.text == "expression" || loaders[t.text] {
				return true
			}
		}
	}
	return false
}
