package pages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/reply"
)

// desk is what a person may say to the asks of a folder that was dropped: nothing proves who they
// are, and nothing is sent, so that every reply is one that the agent may transcribe.
type desk struct{ r *Request }

// Sheet implements components.Desk.
func (d desk) DecisionForm(_ context.Context, a *journal.Agent, ask *journal.Ask) (*ui.DecisionForm, error) {
	s := &ui.DecisionForm{AskName: true, Gate: d.gate(a, ask)}
	s.Form = reply.Form{Key: d.r.ID, Revision: revision(ask), By: d.r.By}
	s.Earlier = viewer.EarlierRemarks(ask, func(*journal.Message) bool { return true }, d.r.open()) // nothing proves who made them
	s.Gate.Earlier = ui.MineOf(s.Earlier)
	d.r.fill(s)
	for i := range ask.Files {
		s.Form.Files = append(s.Form.Files, reply.File{Name: ask.Files[i].Name, SHA256: mark(&ask.Files[i])})
	}
	if s.Why.Sentence = barred(ask); s.Why.Sentence == "" && d.r.Copy {
		s.Why.Sentence = "This is a redacted copy with placeholders, and the agent never reads it. Reply in the original folder."
		return s, nil
	}
	s.Correct = s.Why.Sentence == "" && ask.State.Phase.Waiting()
	return s, nil
}

// fill puts the remarks that were made before into a form.
func (r *Request) fill(s *ui.DecisionForm) {
	switch {
	case r.remarks != nil:
		s.Form.Text, s.Form.New, s.Fault = r.remarks.form.Text, r.remarks.form.New, r.remarks.fault
	case r.Op == "page" && r.Form != "" && len(r.Form) <= mostForm:
		if values, err := url.ParseQuery(r.Form); err == nil {
			s.Form.Text = reply.Read(values).Text
		}
	}
}

// open returns what reads the attachments of a request; nil if it brought none and asks for none.
func (r *Request) open() func(key string) (*reply.Attachment, error) {
	if r.remarks == nil {
		return nil
	}
	return r.remarks.files.open
}

// barred says why an ask takes no reply; "" when it takes one. What was replied may be corrected,
// until the agent closes the ask: here nobody can tell who gave the reply.
func barred(ask *journal.Ask) string {
	switch {
	case ask.State.Phase.Closed():
		return figs.BlockedClosed.Sentence()
	case ask.State.Phase == figs.Declined:
		return figs.BlockedDeclined.Sentence()
	case ask.Ask.MeantType() != "":
		return figs.BlockedType.Sentence()
	}
	return ""
}

// gate is what an approval waits for. The page's script tells which files it has shown, and the
// hashes of those; the bytes of the others nobody has read.
func (d desk) gate(a *journal.Agent, ask *journal.Ask) reply.Gate {
	g := reply.Gate{Steps: reply.Steps(ask.Ask.OnApprove, false)}
	for i := range ask.Files {
		f := &ask.Files[i]
		gated := reply.GatedFile{File: reply.File{Name: f.Name}, Key: f.Key}
		gated.SHA256, gated.Opened = d.r.Opened[a.Key+"/"+f.Key]
		if gated.Opened = gated.Opened && f.Present(); !gated.Opened {
			gated.SHA256, gated.Part = mark(f), d.r.Parts[a.Key+"/"+f.Key]
		} else if gated.How = receipt.OnScreen; f.Class != figs.Rendered {
			gated.How = receipt.Downloaded
		}
		g.Files = append(g.Files, gated)
	}
	return g
}

// mark stands for the hash of an attachment whose bytes nobody may have read yet: it tells it from
// others of the form, and a file from another one under its name. "" is one that is not there.
func mark(f *journal.File) string {
	if !f.Present() {
		return ""
	}
	return fmt.Sprintf("unread.%s.%d", f.Key, f.Size)
}

// revision is what there is of an ask, as a form carries it. Two are equal when nothing has been
// added to it.
func revision(ask *journal.Ask) string {
	sum := sha256.Sum256(figs.AppendCanonicalObject(nil, folded(ask)))
	return fmt.Sprintf("%d.%d.%d.%s", ask.Lines, ask.State.Round, len(ask.Thread), hex.EncodeToString(sum[:]))
}

// folded is the ask as one record, out of the lines of its trail.
func folded(ask *journal.Ask) figs.Object {
	lines := make([][]byte, len(ask.Trail))
	for i := range ask.Trail {
		lines[i] = ask.Trail[i].Raw
	}
	return figs.Fold(lines)
}

// changed reports whether the folder was read again since the form was written, and has another
// ask or other files now.
func changed(form *reply.Form, now *ui.DecisionForm) bool {
	return form.Revision != now.Form.Revision || !slices.Equal(form.Files, now.Form.Files)
}
