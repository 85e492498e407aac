package accountpages

import (
	"context"
	"io"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
)

// AuditSentences are what was done, by its action: {0} is who did it, {1} whom it is about, {2}
// and {3} are what more there is to say.
var AuditSentences = map[string]string{
	"workspace.add":         "{0} made this workspace",
	"workspace.rename":      "{0} renamed the workspace",
	"workspace.delete":      "{0} deleted the workspace",
	"workspace.restore":     "{0} brought the workspace back",
	"workspace.purge":       "{0} removed everything of the workspace",
	"workspace.export":      "{0} exported the workspace",
	"agent.export":          "{0} exported the agent {1}",
	"workspace.ticks":       "{0} changed which steps of an approval need a tick",
	"workspace.policy":      "{0} set the policy: {2}",
	"member.set":            "{0} gave {1} the role {2}",
	"member.remove":         "{0} removed {1}",
	"member.leave":          "{0} left",
	"invite.add":            "{0} invited {1} as {2}",
	"invite.open":           "{0} invited anyone with the link as {2}",
	"invite.revoke":         "{0} took an invite back",
	"invite.use":            "{1} came in by an invite",
	"agent.register":        "{0} pushed the agent {1} for the first time",
	"agent.rename":          "{0} let the agent {1} change its name",
	"agent.archive":         "{0} archived the agent {1}",
	"agent.restore":         "{0} brought the agent {1} back",
	"agent.leave":           "{0} moved the agent {1} to another workspace",
	"agent.join":            "{0} moved the agent {1} here",
	"agent.rename.grant":    "{0} granted that the agent {1} comes as {2}, once",
	"agent.rename.withdraw": "{0} took back that the agent {1} may come as {2}",
	"erase.run":             "{0} erased the text of a job of {1}",
	"erase.ask":             "{0} erased the text of an ask of {1}",
	"erase.reply":           "{0} erased the text of a reply to {1}",
	"erase.attachment":      "{0} erased an attachment of {1}",
	"agent.assign":          "{0} set who answers for {1}: manager {2}, builder {3}",
	"agent.vacate.manager":  "{2} no longer manages {1}",
	"agent.vacate.builder":  "{2} is no longer the builder of {1}",
	"ask.reply":             "{0} replied to {2}, asked by {1}",
	"decision.make":         "{0} decided {2}, asked by {1}",
	"decision.undo":         "{0} took back the decision on {2}, asked by {1}",
	"feedback.remove":       "{0} removed what a tool had sent with a token of {1}",
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
			return i18n.Sentence("{0} did what is called {1}", by, agenttext.Line(row.Action)).Render(ctx, w)
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
	case "name":
		return i18n.Say(ctx, "The name is saved.")
	case "language":
		return i18n.Say(ctx, "The language is saved.")
	case "password":
		return i18n.Say(ctx, "The password is changed. You are signed out everywhere else.")
	case "key":
		return i18n.Say(ctx, "The passkey is kept. The next time, it lets you in.")
	case "unkey":
		return i18n.Say(ctx, "The passkey is removed here. The device may still offer it: remove it there too.")
	case "recovered":
		return i18n.Say(ctx, "You are in, and the code is used up. Below is how many are left; make a passkey or a new password before you go on.")
	case "session":
		return i18n.Say(ctx, "That session has ended.")
	case "sessions":
		return i18n.Say(ctx, "All other sessions have ended.")
	case "revoked":
		return i18n.Say(ctx, "The token is revoked. What used it is told to log in again.")
	case "policy":
		return i18n.Say(ctx, "Saved. It holds from now on.")
	case "linked":
		return i18n.Say(ctx, "Linked. You can sign in there from now on.")
	case "unlinked":
		return i18n.Say(ctx, "Unlinked. You sign in without it from now on.")
	case "uninvited":
		return i18n.Say(ctx, "Revoked. The link no longer works.")
	case "added":
		return i18n.Say(ctx, "Added. The workspace shows up when they next load a page.")
	case "role":
		return i18n.Say(ctx, "The role is changed.")
	case "feedback":
		return i18n.Say(ctx, "Removed.")
	case "removed":
		return i18n.Say(ctx, "Removed. What they pushed stays.")
	}
	return ""
}
