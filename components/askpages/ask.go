// Package askpages has the pages of asks: the inbox, one ask with its reply bar, an agent's list, decisions and receipts.
package askpages

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/reply"
)

// stepsWord counts the steps of an approval and those that say they are irreversible.
func stepsWord(ctx context.Context, steps []string) string {
	hard := 0
	for _, step := range steps {
		if reply.IsIrreversible(step) {
			hard++
		}
	}
	word := i18n.Count(ctx, len(steps), "%d step", "%d steps")
	if hard > 0 {
		word += ", " + i18n.Count(ctx, hard, "one irreversible", "%d irreversible")
	}
	return word
}

// copies reports whether this page's reader may make copies to be shown.
func copies(s *ui.Site) bool {
	return s.Past() == "" && (s.Sharer != nil || s.Offline && s.Script == "")
}

// WhySegment ends the address of the page that explains a record, "/1/asks/2/why".
const WhySegment = "why"

// Why is the address of a value's explanation. Where a server sends the page, the browser goes to the value by itself.
func Why(s ui.Site, agent, section, key, of string) templ.SafeURL {
	path := "/" + agent + "/" + section + "/" + key + "/" + WhySegment
	if of == "" {
		return templ.SafeURL(s.Links.To(path))
	}
	to := s.Links.To(path + "?of=" + of)
	if !s.Offline {
		to += "#why-" + of
	}
	return templ.SafeURL(to)
}
