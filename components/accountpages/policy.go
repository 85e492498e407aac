package accountpages

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
)

// Policy is what a workspace's page of its policy shows.
type Policy struct {
	Called     string     // the workspace's name, as typed
	Renames    bool       // the visitor may change it
	Sets       bool       // the visitor may change the rest
	TickAll    bool       // an approval needs every step ticked
	StepUp     bool       // an approval takes a fresh proof of who the person is
	Text       TextLevel  // what notifications may say
	HidePeople bool       // reports have no figures about people
	Signing    SigningKey // with which the server signs receipts
	Done       string     // the URL's "notice": what a form has just done
	Faults     ui.Faults  // "name", ""
}

// PolicyPage is the page of a workspace's policy.
func PolicyPage(ctx context.Context, site ui.Site, m Policy) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Policy"), Body: policyPage(site, m)}
}

// policyWords says what a row of the audit has of a policy: "step_up=off>on words=on>off". Older rows have what it is
// alone: "step_up=on".
func policyWords(ctx context.Context, changed string) string {
	var all []string
	for word := range strings.FieldsSeq(changed) {
		switch word = strings.NewReplacer("on>", "", "off>", "", "link>", "", "members>", "", "everywhere>", "").Replace(word); word {
		case "ticks=on":
			all = append(all, i18n.Say(ctx, "every step of an approval needs a tick"))
		case "ticks=off":
			all = append(all, i18n.Say(ctx, "only irreversible steps need a tick"))
		case "step_up=on":
			all = append(all, i18n.Say(ctx, "approvals require confirming who you are"))
		case "step_up=off":
			all = append(all, i18n.Say(ctx, "approvals no longer require confirming who you are"))
		case "text=link":
			all = append(all, i18n.Say(ctx, "notifications contain only a link"))
		case "text=members":
			all = append(all, i18n.Say(ctx, "emails and browser notifications name agents and asks"))
		case "text=everywhere":
			all = append(all, i18n.Say(ctx, "all notifications name agents and asks"))
		case "words=on":
			all = append(all, i18n.Say(ctx, "notifications include record text"))
		case "hide_people=off":
			all = append(all, i18n.Say(ctx, "reports include figures about people"))
		case "hide_people=on":
			all = append(all, i18n.Say(ctx, "reports have no figures about people"))
		case "words=off":
			all = append(all, i18n.Say(ctx, "notifications don't include record text"))
		}
	}
	return strings.Join(all, "; ")
}
