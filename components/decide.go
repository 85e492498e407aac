package components

import (
	"context"
	"slices"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/sandbox/report"
)

// replyBar is the sheet of a page beside its ask: what the decision bar shows. It stands apart from
// everything that an agent wrote.
type replyBar struct {
	*Sheet
	agent *journal.Agent
	ask   *journal.Ask
	v     *viewing
	host  bool // a server's page: it has an inbox to go on in
	more  bool // more than this ask needs the person
}

// deciding asks the desk what the person may say to an ask; nil when there is nothing to say of it.
func (r *request) deciding(ask *journal.Ask, v *viewing) (*replyBar, error) {
	if r.site.Desk == nil {
		return nil, nil
	}
	sheet, err := r.site.Desk.Sheet(r.ctx, r.agent, ask)
	if err != nil || sheet == nil {
		return nil, err
	}
	b := &replyBar{Sheet: sheet, agent: r.agent, ask: ask, v: v, host: r.site.Shell != nil}
	b.more = b.host && r.site.Shell.Needs > 1
	return b, nil
}

// views reports whether the page shows a file that can be viewed here for an approval.
func (b *replyBar) views(v *viewing) bool {
	if b == nil || !b.verdict() || len(v.files) == 0 {
		return false
	}
	f := b.gated(v.file().Key)
	return f != nil && !f.Absent() && (!showable(v.file()) || v.shows(f.Key))
}

// alonePage is the page of one file, which somebody opens to view it for the ask.
func alonePage(site Site, b *replyBar, f *reply.Gated) templ.SafeURL {
	return templ.SafeURL(site.Links.To("/" + b.agent.Key + "/files/" + f.Key + "?for=" + b.ask.Key))
}

// shows reports whether the page itself shows a file in a view in which it can be read.
func (v *viewing) shows(key string) bool {
	counts := []string{string(report.Rendered), string(report.Source), string(report.Text)}
	return len(v.files) > 0 && v.file().Key == key && v.file().Present() && showable(v.file()) && slices.Contains(counts, v.view)
}

// open reports whether the form stands there.
func (b *replyBar) open() bool { return b != nil && b.Why == "" && b.Pending == nil }

// local reports whether the page is that of an open folder.
func (b *replyBar) local() bool { return b.At != "" && !b.Verified && !b.host }

// commandOnly reports whether nothing can be written here, but a command can say the same.
func (b *replyBar) commandOnly() bool {
	return b.local() && b.Why != "" && b.Pending == nil && b.Form.Key != ""
}

// verdict reports whether the form takes a verdict, and with it what an approval waits for.
func (b *replyBar) verdict() bool { return b.open() && signOff(b.ask) }

// gated is the file before the gate that a tab shows; nil when there is no gate.
func (b *replyBar) gated(key string) *reply.Gated {
	if b == nil {
		return nil
	}
	for i := range b.Gate.Files {
		if f := &b.Gate.Files[i]; f.Key == key && key != "" {
			return f
		}
	}
	return nil
}

// viewed counts the files that count as viewed.
func (b *replyBar) viewed() int {
	n := 0
	for i := range b.Gate.Files {
		if f := &b.Gate.Files[i]; f.Opened {
			n++
		}
	}
	return n
}

// waivable are the numbers, from 1, of the files that are there and do not count as viewed.
func (b *replyBar) waivable() (numbers []int) {
	for i := range b.Gate.Files {
		if f := &b.Gate.Files[i]; !f.Absent() && !f.Opened {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// absent are the files that have not arrived.
func (b *replyBar) absent() (files []reply.Gated) {
	for i := range b.Gate.Files {
		if b.Gate.Files[i].Absent() {
			files = append(files, b.Gate.Files[i])
		}
	}
	return files
}

// step is what the gate says of a step, from 0; nil when there is no gate.
func (b *replyBar) step(i int) *reply.Step {
	if !b.verdict() || i >= len(b.Gate.Steps) {
		return nil
	}
	return &b.Gate.Steps[i]
}

// ticks counts the steps that need a tick.
func (b *replyBar) ticks() int {
	n := 0
	for i := range b.Gate.Steps {
		if b.Gate.Steps[i].Tick {
			n++
		}
	}
	return n
}

// low reports whether the bar is one row that stays in sight while one reads.
func (b *replyBar) low() bool {
	return b.open() && !b.Correct && b.Fault == nil && b.Stale == nil && b.Reported == nil && len(b.Lacks) == 0 && b.Command == "" && b.Line == ""
}

// folded reports whether the form corrects a reply, and nothing was begun: then it opens on demand.
func (b *replyBar) folded() bool {
	return b.open() && b.Correct && b.Fault == nil && b.Stale == nil && len(b.Lacks) == 0 && b.Command == "" && b.Line == "" && b.Form.Text == "" && b.Reported == nil
}

// press is a button that sends the form.
type press struct {
	verdict, key, word string
	grade              string // "primary", "grave", ""
}

// presses are the buttons of the form in their order, the weightiest last. What is reported is
// confirmed by one of them and contradicted by the others.
func (b *replyBar) presses(ctx context.Context) []press {
	if !signOff(b.ask) {
		word := say(ctx, "Answer")
		if b.Correct {
			word = say(ctx, "Answer again")
		}
		return []press{{"answer", "a", word, "primary"}}
	}
	approve := count(ctx, len(b.ask.Ask.OnApprove), "Approve 1 step", "Approve %d steps")
	confirm := count(ctx, len(b.ask.Ask.OnApprove), "Confirm: approve 1 step", "Confirm: approve %d steps")
	contradict := count(ctx, len(b.ask.Ask.OnApprove), "Contradict: approve 1 step", "Contradict: approve %d steps")
	if len(b.ask.Ask.OnApprove) == 0 {
		approve, confirm, contradict = say(ctx, "Approve"), say(ctx, "Confirm: approve"), say(ctx, "Contradict: approve")
	}
	words := [3][3]string{
		{say(ctx, "Decline"), say(ctx, "Confirm: decline"), say(ctx, "Contradict: decline")},
		{say(ctx, "Request changes"), say(ctx, "Confirm: request changes"), say(ctx, "Contradict: request changes")},
		{approve, confirm, contradict},
	}
	all := []press{{verdict: "rejected", key: "r", grade: "grave"}, {verdict: "changes-requested", key: "c"}, {verdict: "approved", key: "a", grade: "primary"}}
	for i := range all {
		against := b.against(all[i].verdict)
		all[i].word = words[i][against]
		if against == 2 && all[i].grade == "primary" {
			all[i].grade = "" // what contradicts is no more at hand than what confirms
		}
	}
	return all
}

// against says how a verdict stands to what is reported: 0 nothing known is, 1 it is the same, 2 another.
func (b *replyBar) against(verdict string) int {
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
func (p press) attributes(b *replyBar) templ.Attributes {
	a := templ.Attributes{"name": reply.FieldVerdict, "value": p.verdict, "data-decide-key": p.key}
	if p.verdict != "approved" {
		a["formnovalidate"] = true
		return a
	}
	a["aria-describedby"] = "decide-waits"
	if len(b.absent()) > 0 {
		a["disabled"] = true
	}
	return a
}

// by is the name under which the reply is recorded.
func (b *replyBar) by(site Site) string {
	if b.Form.By == "" && site.Shell != nil {
		return site.Shell.Person.Name
	}
	return b.Form.By
}

// fault is what is wrong with a field of the form; "" is the whole form.
func (b *replyBar) fault(field string) *Fault {
	if b.Fault == nil || b.Fault.Field != field {
		return nil
	}
	return b.Fault
}

// wholeFault is what is wrong with no single field.
func (b *replyBar) wholeFault() *Fault {
	if b.Fault != nil && (b.ask == nil || !b.open()) {
		return b.Fault // there is no form
	}
	if b.Fault == nil || b.Fault.Field == "text" || b.Fault.Field == "by" && b.AskName || b.Fault.Field == "chosen" && len(b.ask.Ask.Options) > 0 && !signOff(b.ask) {
		return nil
	}
	return b.Fault
}

// asTyped is what a person typed, in the field where it was typed. A field drops a line break that
// it begins with.
func asTyped(text string) string {
	if len(text) > 0 && (text[0] == '\n' || text[0] == '\r') {
		return "\n" + text
	}
	return text
}

// gateMarks tell scripts which bytes a name stands for.
func gateMarks(f *reply.Gated) templ.Attributes {
	if f == nil || f.Absent() {
		return nil
	}
	return templ.Attributes{"data-sha256": f.SHA256}
}

// passed reports whether a file counts as viewed.
func passed(f *reply.Gated) bool { return f != nil && f.Opened }

// claimable reports whether there are others to tell that one looks at the ask.
func (b *replyBar) claimable() bool { return b.host && b.open() && b.Snooze }

// claimed reports whether the person has said so.
func (b *replyBar) claimed() bool {
	return slices.ContainsFunc(b.Claims, func(c journal.Claim) bool { return c.Mine })
}
