package accountpages

import (
	"context"
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
)

// Tokens is what the page of one's tokens shows.
type Tokens struct {
	Rows   []TokenRow
	Terms  []int     // days that one may last; 0 is without an end
	Fresh  string    // one that was just made: shown this once
	Reads  bool      // the fresh one only reads
	Name   string    // as typed
	Scope  string    // as chosen: "push", "read"
	Lasts  string    // as chosen, in days
	Done   string    // the URL's "notice": what a form has just done
	Faults ui.Faults // "token", "scope", "lasts", ""
}

// TokenRow is what a client of mine holds.
type TokenRow struct {
	Key, Called string
	Reads       bool // and does nothing else
	Created     int64
	Expires     int64 // 0: never
	Soon, Ended bool  // it ends within two weeks; it has ended
	Used        int64 // 0: never
	Address     string
	Revoked     int64 // 0: it is good
}

// TokensPage is the page of one's tokens.
func TokensPage(ctx context.Context, site ui.Site, m Tokens) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Tokens"), Body: tokensPage(site, m)}
}

// termWord is how long a token lasts.
func termWord(ctx context.Context, days int) string {
	switch days {
	case 0:
		return i18n.Say(ctx, "never")
	case 365:
		return i18n.Say(ctx, "in a year")
	}
	return i18n.Say(ctx, "in %d days", days)
}

func termChoices(ctx context.Context, days []int) (all []i18n.Option) {
	for _, d := range days {
		all = append(all, i18n.Option{Key: strconv.Itoa(d), Word: termWord(ctx, d)})
	}
	return all
}

func scopeChoices(ctx context.Context) []i18n.Option {
	return []i18n.Option{{Key: "push", Word: i18n.Say(ctx, "push, read and save drafts of replies")}, {Key: "read", Word: i18n.Say(ctx, "read only")}}
}

// wrongHere marks a field with which something is wrong.
func wrongHere(key, fault string) templ.Attributes {
	if fault == "" {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true", "aria-describedby": "w-" + key}
}
