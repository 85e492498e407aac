package askpages

import (
	"context"
	"slices"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
)

// ReplyBarOf returns the bar with which the person replies to an ask; nil if there is none.
func ReplyBarOf(r *recordviews.Request, ask *journal.Ask, v *viewer.View) (*viewer.ReplyBar, error) {
	if r.Site.DecisionForms == nil {
		return nil, nil
	}
	sheet, err := r.Site.DecisionForms.DecisionForm(r.Ctx, r.Agent, ask)
	if err != nil || sheet == nil {
		return nil, err
	}
	b := &viewer.ReplyBar{DecisionForm: sheet, Agent: r.Agent, Ask: ask, V: v, Host: r.Site.Shell != nil}
	b.More = b.Host && r.Site.Shell.Needs > 1
	return b, nil
}

// replyLocal reports whether the page is that of an open folder.
func replyLocal(b *viewer.ReplyBar) bool { return b.At != "" && !b.Verified && !b.Host }

// replyCommandOnly reports whether nothing can be written here, but a command can say the same.
func replyCommandOnly(b *viewer.ReplyBar) bool {
	return replyLocal(b) && b.Why.Sentence != "" && b.Pending == nil && b.Form.Key != ""
}

// replyViewed counts the files that count as viewed.
func replyViewed(b *viewer.ReplyBar) int {
	n := 0
	for i := range b.Gate.Files {
		if f := &b.Gate.Files[i]; f.Opened {
			n++
		}
	}
	return n
}

// replyWaivable are the numbers, from 1, of the files that are there and do not count as viewed.
func replyWaivable(b *viewer.ReplyBar) (numbers []int) {
	for i := range b.Gate.Files {
		if f := &b.Gate.Files[i]; !f.Absent() && !f.Opened {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// replyAbsent are the files that have not arrived.
func replyAbsent(b *viewer.ReplyBar) (files []reply.GatedFile) {
	for i := range b.Gate.Files {
		if b.Gate.Files[i].Absent() {
			files = append(files, b.Gate.Files[i])
		}
	}
	return files
}

// replyStep is what the gate says of a step, from 0; nil when there is no gate.
func replyStep(b *viewer.ReplyBar, i int) *reply.Step {
	if !b.Verdict() || i >= len(b.Gate.Steps) {
		return nil
	}
	return &b.Gate.Steps[i]
}

// replyTicks counts the steps that need a tick.
func replyTicks(b *viewer.ReplyBar) int {
	n := 0
	for i := range b.Gate.Steps {
		if b.Gate.Steps[i].Tick {
			n++
		}
	}
	return n
}

// replyLow reports whether the bar is one row that stays in sight while one reads.
func replyLow(b *viewer.ReplyBar) bool {
	return b.Open() && !b.Correct && b.Fault == nil && b.Stale == nil && b.Reported == nil && len(b.Lacks) == 0 && b.Command == "" && b.Line == ""
}

// replyFolded reports whether the form corrects a reply, and nothing was begun: then it opens on demand.
func replyFolded(b *viewer.ReplyBar) bool {
	return b.Open() && b.Correct && b.Fault == nil && b.Stale == nil && len(b.Lacks) == 0 && b.Command == "" && b.Line == "" && b.Form.Text == "" && b.Reported == nil
}

// press is a button that sends the form.
type press struct {
	verdict, key, word string
	grade              string // "primary", "grave", ""
}

// replyPresses are the buttons of the form in their order, the weightiest last. What is reported is
// confirmed by one of them and contradicted by the others.
func replyPresses(ctx context.Context, b *viewer.ReplyBar) []press {
	if !viewer.IsSignOff(b.Ask) {
		word := i18n.Say(ctx, "Answer")
		if b.Correct {
			word = i18n.Say(ctx, "Answer again")
		}
		return []press{{"answer", "a", word, "primary"}}
	}
	approve := i18n.Count(ctx, len(b.Ask.Ask.OnApprove), "Approve 1 step", "Approve %d steps")
	confirm := i18n.Count(ctx, len(b.Ask.Ask.OnApprove), "Confirm: approve 1 step", "Confirm: approve %d steps")
	contradict := i18n.Count(ctx, len(b.Ask.Ask.OnApprove), "Contradict: approve 1 step", "Contradict: approve %d steps")
	if len(b.Ask.Ask.OnApprove) == 0 {
		approve, confirm, contradict = i18n.Say(ctx, "Approve"), i18n.Say(ctx, "Confirm: approve"), i18n.Say(ctx, "Contradict: approve")
	}
	words := [3][3]string{
		{i18n.Say(ctx, "Decline"), i18n.Say(ctx, "Confirm: decline"), i18n.Say(ctx, "Contradict: decline")},
		{i18n.Say(ctx, "Request changes"), i18n.Say(ctx, "Confirm: request changes"), i18n.Say(ctx, "Contradict: request changes")},
		{approve, confirm, contradict},
	}
	all := []press{{verdict: "rejected", key: "r", grade: "grave"}, {verdict: "changes-requested", key: "c"}, {verdict: "approved", key: "a", grade: "primary"}}
	for i := range all {
		against := replyAgainst(b, all[i].verdict)
		all[i].word = words[i][against]
		if against == 2 && all[i].grade == "primary" {
			all[i].grade = "" // contradicting is not more prominent than confirming
		}
	}
	return all
}

// replyAgainst says how a verdict stands to what is reported: 0 nothing known is, 1 it is the same, 2 another.
func replyAgainst(b *viewer.ReplyBar, verdict string) int {
	if b.Reported == nil {
		return 0
	}
	switch b.Reported.Message.Verdict {
	case verdict:
		return 1
	case "approved", "changes-requested", "rejected":
		return 2
	}
	return 0
}

// attributes are those of a button of the form.
func (p press) attributes(b *viewer.ReplyBar) templ.Attributes {
	a := templ.Attributes{"name": reply.FieldVerdict, "value": p.verdict, "data-decide-key": p.key}
	if p.verdict != "approved" {
		a["formnovalidate"] = true
		return a
	}
	a["aria-describedby"] = "decide-waits"
	if len(replyAbsent(b)) > 0 {
		a["disabled"] = true
	}
	return a
}

// replyBy is the name under which the reply is recorded.
func replyBy(b *viewer.ReplyBar, site ui.Site) string {
	if b.Form.By == "" && site.Shell != nil {
		return site.Shell.Person.Name
	}
	return b.Form.By
}

// replyFault is what is wrong with a field of the form; "" is the whole form.
func replyFault(b *viewer.ReplyBar, field string) *ui.Fault {
	if b.Fault == nil || b.Fault.Field != field {
		return nil
	}
	return b.Fault
}

// replyWholeFault is what is wrong with no single field.
func replyWholeFault(b *viewer.ReplyBar) *ui.Fault {
	if b.Fault != nil && (b.Ask == nil || !b.Open()) {
		return b.Fault // there is no form
	}
	if b.Fault == nil || b.Fault.Field == "text" || b.Fault.Field == reply.FieldNewText || b.Fault.Field == "by" && b.AskName || b.Fault.Field == "chosen" && len(b.Ask.Ask.Options) > 0 && !viewer.IsSignOff(b.Ask) {
		return nil
	}
	return b.Fault
}

// replyClaimable reports whether there are others to tell that one looks at the ask.
func replyClaimable(b *viewer.ReplyBar) bool { return b.Host && b.Open() && b.Snooze }

// replyClaimed reports whether the person has said so.
func replyClaimed(b *viewer.ReplyBar) bool {
	return slices.ContainsFunc(b.Claims, func(c journal.Claim) bool { return c.Mine })
}
