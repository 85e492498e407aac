package recordviews

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/remark"
)

const (
	// shownHash is how many digits of an attachment's hash a remark shows.
	shownHash = 8
	// openRemarks is how many remarks of one reply are shown without a fold.
	openRemarks = 10
	// The views of an attachment in which passages are found, as viewer.ViewNames has them.
	sourceView, textView = "view=source", "view=text"
)

func joinNumbers(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ", ")
}

// addressIn is the address of a remark's attachment; "" if there is none.
func addressIn(file func(*remark.Remark) templ.SafeURL, r *remark.Remark) templ.SafeURL {
	if file == nil {
		return ""
	}
	return file(r)
}

// remarkedFiles leads to the bytes that a remark on an ask was made on: on the ask's page if it still attaches them, else
// on the page of the file. Where hashes aren't known, as offline, the name has to do.
func remarkedFiles(site ui.Site, agent string, ask *journal.Ask) func(*remark.Remark) templ.SafeURL {
	return func(r *remark.Remark) templ.SafeURL {
		view := ""
		switch {
		case r.Kind == remark.Passage && r.Line > 0:
			view = sourceView
		case r.Kind == remark.Passage:
			view = textView
		case r.SHA256 == "":
			return ""
		}
		for _, is := range []func(*journal.File, *remark.Remark) bool{hasHash, hasName} {
			for i := range ask.Files {
				if f := &ask.Files[i]; f.Present() && is(f, r) {
					return templ.SafeURL(site.Links.To("/" + agent + "/asks/" + ask.Key + "?" + strings.Trim("show="+f.Key+"&"+view, "&")))
				}
			}
			for i := range ask.Earlier {
				if f := &ask.Earlier[i]; f.Present() && is(f, r) {
					return templ.SafeURL(site.Links.To(strings.TrimSuffix("/"+agent+"/files/"+f.Key+"?"+view, "?")))
				}
			}
		}
		return ""
	}
}

func hasHash(f *journal.File, r *remark.Remark) bool { return f.SHA256 != "" && f.SHA256 == r.SHA256 }

// hasName reports whether a file whose hash isn't known has the name that a remark says.
func hasName(f *journal.File, r *remark.Remark) bool {
	return f.SHA256 == "" && remark.VisibleName(f.Name) == r.File
}
