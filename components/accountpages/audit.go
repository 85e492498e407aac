package accountpages

import (
	"context"
	"io"
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/listquery"
)

// AuditSentences are what was done, by its action: {0} is who did it, {1} whom it is about, {2}
// and {3} are what more there is to say.
var AuditSentences = map[string]string{
	"workspace.add":         "{0} created the workspace",
	"workspace.rename":      "{0} renamed the workspace",
	"workspace.delete":      "{0} deleted the workspace",
	"workspace.restore":     "{0} restored the workspace",
	"workspace.purge":       "{0} permanently deleted the workspace's data",
	"workspace.export":      "{0} exported the workspace",
	"agent.export":          "{0} exported the agent {1}",
	"workspace.ticks":       "{0} changed which steps of an approval need a tick",
	"workspace.policy":      "{0} changed the policy: {2}",
	"member.set":            "{0} gave {1} the role {2}",
	"member.remove":         "{0} removed {1}",
	"member.leave":          "{0} left the workspace",
	"invite.add":            "{0} invited {1} as {2}",
	"invite.open":           "{0} created an invite link for the role {2}",
	"invite.revoke":         "{0} revoked an invite",
	"invite.use":            "{1} joined with an invite",
	"agent.register":        "{0} pushed the agent {1} for the first time",
	"agent.rename":          "{0} allowed the agent {1} to change its name",
	"agent.archive":         "{0} archived the agent {1}",
	"agent.restore":         "{0} restored the agent {1}",
	"agent.leave":           "{0} moved the agent {1} to another workspace",
	"agent.join":            "{0} moved the agent {1} here",
	"agent.rename.grant":    "{0} allowed the agent {1} to push once as {2}",
	"agent.rename.withdraw": "{0} no longer allows the agent {1} to push as {2}",
	"erase.run":             "{0} erased the text of a job of {1}",
	"erase.ask":             "{0} erased the text of an ask of {1}",
	"erase.reply":           "{0} erased the text of a reply to {1}",
	"erase.attachment":      "{0} erased an attachment of {1}",
	"agent.assign":          "{0} assigned {1}: manager {2}, builder {3}",
	"agent.vacate.manager":  "{2} no longer manages {1}",
	"agent.vacate.builder":  "{2} is no longer the builder of {1}",
	"ask.reply":             "{0} replied to {2}, asked by {1}",
	"decision.make":         "{0} decided on {2}, asked by {1}",
	"decision.undo":         "{0} undid the decision on {2}, asked by {1}",
	"ask.handover":          "{0} handed {2}, asked by {1}, to {3}",
	"ask.takeback":          "{0} ended the hand-over of {2}, asked by {1}, to {3}",
	"ask.note":              "{0} wrote a note to colleagues on {2}, asked by {1}",
	"ask.nudge":             "{0} reminded {3} of the reply to {2}, asked by {1}",
	"chat.add":              "{0} added the {1} channel {2}",
	"chat.choose":           "{0} changed what the {1} channel {2} is told about",
	"chat.remove":           "{0} removed the {1} channel {2}",
	"chat.resend":           "{0} sent a message to a chat channel again",
	"feedback.remove":       "{0} removed feedback sent with a token of {1}",
}

// Audit is what the page of the audit log shows.
type Audit struct {
	List   listview.Request
	Page   listquery.Page[AuditRow]
	Values []string // filters to choose from
}

// AuditPage is the page of the audit log.
func AuditPage(ctx context.Context, site ui.Site, m Audit) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Audit log"), Body: auditPage(site, m)}
}

// AuditList is the list of what was done. Its filters are conditions of the database.
func AuditList(ctx context.Context) *listview.List[AuditRow] {
	l := &listview.List[AuditRow]{
		Name: "audit", Title: i18n.Say(ctx, "Audit log"),
		ID: func(r *AuditRow) string { return strconv.FormatInt(r.No, 10) },
		Columns: []listview.Column[AuditRow]{
			{Column: listquery.Column[AuditRow]{Name: "what"}, Title: i18n.Say(ctx, "What happened"), Cell: func(r *AuditRow) templ.Component { return auditWords(*r) }},
			listview.Name("by", i18n.Say(ctx, "Who"), func(r *AuditRow) string { return r.By }),
			listview.Text("action", i18n.Say(ctx, "Action"), func(r *AuditRow) string { return r.Action }),
			listview.Text("about", i18n.Say(ctx, "About"), func(r *AuditRow) string { return agenttext.JoinFacts(r.Whom, r.What, r.Too) }),
			listview.Time("when", i18n.Say(ctx, "When"), func(r *AuditRow) int64 { return r.At }),
		},
		Empty: ui.Nothing(i18n.Say(ctx, "Nothing yet."), ""),
	}
	for i := range l.Columns {
		l.Columns[i].Fixed, l.Columns[i].Extra = true, i > 0 && i < 4
	}
	return l
}

// auditWords is a row of the audit as a sentence.
func auditWords(row AuditRow) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		by := agenttext.Line(row.By)
		if row.By == "" {
			by = ui.InWords(i18n.Say(ctx, "The server's administrator"))
		}
		english, ok := AuditSentences[row.Action]
		if !ok {
			return i18n.Sentence("{0} performed the action {1}", by, agenttext.Line(row.Action)).Render(ctx, w)
		}
		what := agenttext.Line(row.What)
		if row.Action == "member.set" || row.Action == "invite.add" || row.Action == "invite.open" {
			what = ui.InWords(ui.RoleWord(ctx, row.What))
		}
		if row.Action == "workspace.policy" {
			what = ui.InWords(policyWords(ctx, row.What))
		}
		if row.To != "" {
			what = ui.Link(row.To, what)
		}
		return i18n.Sentence(english, by, agenttext.Line(row.Whom), what, agenttext.Line(row.Too)).Render(ctx, w)
	})
}

// doneWords says what a form has just done.
func doneWords(ctx context.Context, done string) string {
	switch done {
	case "name-saved":
		return i18n.Say(ctx, "Name saved.")
	case "language-saved":
		return i18n.Say(ctx, "Language saved.")
	case "password-changed":
		return i18n.Say(ctx, "Password changed. You're signed out everywhere else.")
	case "passkey-added":
		return i18n.Say(ctx, "Passkey added. You can use it the next time you sign in.")
	case "passkey-removed":
		return i18n.Say(ctx, "Passkey removed. Your device may still offer it, so delete it there too.")
	case "recovery-code-used":
		return i18n.Say(ctx, "You're signed in, and the code is used up. Add a passkey or set a new password before you leave this page; the codes you have left are counted below.")
	case "session-ended":
		return i18n.Say(ctx, "Session signed out.")
	case "sessions-ended":
		return i18n.Say(ctx, "Signed out of all other sessions.")
	case "token-revoked":
		return i18n.Say(ctx, "Token revoked. Clients that used it must log in again.")
	case "policy-saved":
		return i18n.Say(ctx, "Policy saved. It applies from now on.")
	case "account-linked":
		return i18n.Say(ctx, "Account linked. You can now sign in with it.")
	case "account-unlinked":
		return i18n.Say(ctx, "Account unlinked. You can no longer sign in with it.")
	case "invite-revoked":
		return i18n.Say(ctx, "Invite revoked. Its link no longer works.")
	case "member-added":
		return i18n.Say(ctx, "Member added. They see the workspace when they next load a page.")
	case "role-changed":
		return i18n.Say(ctx, "Role changed.")
	case "feedback-removed":
		return i18n.Say(ctx, "Feedback removed.")
	case "member-removed":
		return i18n.Say(ctx, "Member removed. Everything they pushed stays.")
	}
	return ""
}
