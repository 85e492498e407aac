package accountpages

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
)

// Invite is what the page of an invite's link shows.
type Invite struct {
	State     string // "join", "accept", "member", "other"; of a link that is no good: "unknown", "used", "revoked", "expired", "gone"
	Key       string // of the link
	Workspace ui.PageLocation
	Role      string
	By        string // who invites; "" is whoever runs the server
	Until     int64
	For       string // the e-mail address that alone it lets in; ""
	Person    string // who is signed in
	Email     string // of who is signed in, else as typed
	Name      string // as typed
	Provider  string // where one can sign in elsewhere; "": nowhere
	Faults    ui.Faults
}

// InvitePage is where an invite leads.
func InvitePage(ctx context.Context, site ui.Site, m Invite) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Invite"), Body: invitePage(site, m)}
}

// SlowInvitePage is for who has tried too many links.
func SlowInvitePage(ctx context.Context, faults ui.Faults) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Too many attempts"), Body: slowInvitePage(faults)}
}

// inviteSentence says what the invite is, in one sentence.
func inviteSentence(ctx context.Context, m Invite) templ.Component {
	by := agenttext.Line(m.By)
	if m.By == "" {
		by = ui.InWords(i18n.Say(ctx, "The server's administrator"))
	}
	return i18n.Sentence("{0} invites you to the workspace {1}. Your role will be {2}. {3}", by, agenttext.Line(m.Workspace.Name), ui.InWords(ui.RoleWord(ctx, m.Role)), ui.InWords(ui.RoleCan(ctx, m.Role)))
}

// InviteRow is an open invite, for those who run a workspace.
type InviteRow struct {
	Key, Role, By, Email string // By "" is the operator at the terminal
	Since, Until         int64
}

// FreshInvite is an invite that was just made: its link is shown this once.
type FreshInvite struct {
	Link, Role, Email string
	Until             int64
	Sent              bool // an email with it was sent
	Unsent            bool // the mail server rejected the email
}
