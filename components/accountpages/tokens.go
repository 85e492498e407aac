package accountpages

import (
	"context"
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/components/ui"
)

// Tokens is what the page of one's tokens shows.
type Tokens struct {
	Rows   []TokenRow
	List   listview.Request
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

// TokenList is the list of a person's tokens.
func TokenList(ctx context.Context) *listview.List[TokenRow] {
	return &listview.List[TokenRow]{
		Name: "tokens", Title: i18n.Say(ctx, "Tokens"), Default: "-created",
		ID: func(r *TokenRow) string { return r.Key },
		Columns: []listview.Column[TokenRow]{
			listview.Text("name", i18n.Say(ctx, "Name"), func(r *TokenRow) string { return r.Called }),
			listview.Time("created", i18n.Say(ctx, "Created"), func(r *TokenRow) int64 { return r.Created }),
			listview.Time("expires", i18n.Say(ctx, "Expires"), func(r *TokenRow) int64 { return r.Expires }),
			listview.Time("used", i18n.Say(ctx, "Last used"), func(r *TokenRow) int64 { return r.Used }),
			listview.Time("revoked", i18n.Say(ctx, "Revoked"), func(r *TokenRow) int64 { return r.Revoked }).Hidden(),
		},
	}
}

// tokenColumns is TokenList with what the person sees and may do.
func tokenColumns(ctx context.Context, site ui.Site) *listview.List[TokenRow] {
	l := TokenList(ctx)
	for i, cell := range []func(ui.Site, *TokenRow) templ.Component{0: tokenName, 2: tokenExpiry, 3: tokenUse} {
		if cell != nil {
			l.Columns[i].Cell = func(r *TokenRow) templ.Component { return cell(site, r) }
		}
	}
	l.Actions = tokenActions
	return l
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
