package components

import (
	"context"
	"io"

	"github.com/a-h/templ"
)

// auditSentences are what was done, by its action: {0} is who did it, {1} whom it is about, {2}
// and {3} are what more there is to say.
var auditSentences = map[string]string{
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
	"invite.open":           "{0} invited whoever has the link as {2}",
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
		by := agentLine(row.By)
		if row.By == "" {
			by = inWords(say(ctx, "Whoever runs this server"))
		}
		english, ok := auditSentences[row.Action]
		if !ok {
			return sentence("{0} did what is called {1}", by, agentLine(row.Action)).Render(ctx, w)
		}
		what := agentLine(row.What)
		if row.Action == "member.set" || row.Action == "invite.add" || row.Action == "invite.open" {
			what = inWords(roleWord(ctx, row.What))
		}
		if row.Action == "workspace.policy" {
			what = inWords(policyWords(ctx, row.What))
		}
		if row.To != "" {
			what = link(row.To, what)
		}
		return sentence(english, by, agentLine(row.Whom), what, agentLine(row.Too)).Render(ctx, w)
	})
}

// inWords are some of ours as a component.
func inWords(text string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, templ.EscapeString(text))
		return err
	})
}

// doneWords says what a form has just done.
func doneWords(ctx context.Context, done string) string {
	switch done {
	case "name":
		return say(ctx, "The name is saved.")
	case "language":
		return say(ctx, "The language is saved.")
	case "password":
		return say(ctx, "The password is changed. You are signed out everywhere else.")
	case "key":
		return say(ctx, "The passkey is kept. The next time, it lets you in.")
	case "unkey":
		return say(ctx, "The passkey is removed here. The device may still offer it: remove it there too.")
	case "recovered":
		return say(ctx, "You are in, and the code is used up. Below is how many are left; make a passkey or a new password before you go on.")
	case "session":
		return say(ctx, "That session has ended.")
	case "sessions":
		return say(ctx, "All other sessions have ended.")
	case "revoked":
		return say(ctx, "The token is revoked. What used it is told to log in again.")
	case "policy":
		return say(ctx, "Saved. It holds from now on.")
	case "linked":
		return say(ctx, "Linked. You can sign in there from now on.")
	case "unlinked":
		return say(ctx, "Unlinked. You sign in without it from now on.")
	case "uninvited":
		return say(ctx, "Taken back. The link is no good any more.")
	case "added":
		return say(ctx, "Added. The workspace shows up when they next load a page.")
	case "role":
		return say(ctx, "The role is changed.")
	case "feedback":
		return say(ctx, "Removed.")
	case "removed":
		return say(ctx, "Removed. What they pushed stays.")
	}
	return ""
}
