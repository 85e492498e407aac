package components

import (
	"bytes"
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
)

// sheets is a desk of the tests: the same sheet for every ask.
type sheets struct{ sheet *ui.DecisionForm }

func (s sheets) DecisionForm(context.Context, *journal.Agent, *journal.Ask) (*ui.DecisionForm, error) {
	return s.sheet, nil
}

// scene is an ask as somebody finds it who may decide.
type scene struct {
	name, path string
	local      bool // an open folder; else a server, or the inspector where the sheet has no address
	bare       bool // without the server's script
	sheet      ui.DecisionForm
	set        func(o *office, s *ui.Site)
}

// poison makes every string of the sheet hostile that an agent, or a person, may have written.
func (sc *scene) poison() {
	s := &sc.sheet
	for _, part := range []any{&s.Reported, &s.Pending, &s.Claims, &s.Stale, &s.Lacks, &s.Gate, &s.Form.Files, &s.Form.By} {
		poisonAll(reflect.ValueOf(part))
	}
}

const sumA, sumB = "9f1c42ab0d2a5a63f4b7c1c0a4a7f1d2e3b4c5d6e7f8091a2b3c4d5e6f708192", "77aa42ab0d2a5a63f4b7c1c0a4a7f1d2e3b4c5d6e7f8091a2b3c4d5e6f708192"

// scenes are all that can stand before a person.
func scenes() []scene {
	at2, at3, at1 := "/w/acme/agents/1/asks/2", "/w/acme/agents/1/asks/3", "/w/acme/agents/1/asks/1"
	files := []reply.File{{Name: "brief.md", SHA256: sumA}, {Name: "acme-2026-10-v2.html", SHA256: sumB}}
	form := func(text string) reply.Form {
		return reply.Form{Key: "k1", Revision: "2.2.1.aa", Files: files, Text: text, By: "Sarah Lind"}
	}
	gate := func() reply.Gate {
		return reply.Gate{Files: []reply.GatedFile{{File: files[0], Key: "6"}, {File: files[1], Key: "7", Opened: true}},
			Steps: reply.Steps([]string{"Email the statement to ap@acme.example (irreversible)", "Mark the 31 keys disputed"}, false)}
	}
	verdict := func(text string) ui.DecisionForm {
		return ui.DecisionForm{At: at2, Verified: true, Form: form(text), Gate: gate(), Drafts: true, Snooze: true}
	}
	with := func(s ui.DecisionForm, change func(*ui.DecisionForm)) ui.DecisionForm { change(&s); return s }
	reported := pagetest.NewJournal().AllMessages[0]
	reported.PushedBy = tom
	approved := reported
	approved.Message.Kind, approved.Message.Verdict, approved.Message.Text = "verdict", "approved", "Looks right to me."
	now := pagetest.At(pagetest.Now)
	pending := &journal.Pending{ID: "m9", By: tom, Effective: now + 8*ui.Second, Verdict: "approved"}
	mine := &journal.Pending{ID: "m9", By: sarah, Mine: true, Effective: now + 8*ui.Second, Verdict: "approved"}
	local := ui.DecisionForm{At: "/w/local/agents/1/asks/2", Form: reply.Form{Key: "k", Revision: "r", Files: files}, Gate: gate(), AskName: true, Drafts: true}
	return []scene{
		{name: "sign-off", path: "/1/asks/2?show=7", sheet: verdict("")},
		{name: "sign-off-draft", path: "/1/asks/2?show=6", sheet: with(verdict("Please check line 14 again,\nthe total looks off."), func(s *ui.DecisionForm) {
			s.Draft, s.Claims, s.Form.Ticked = now-3*ui.Minute, []journal.Claim{{By: tom, Until: now + ui.Minute}}, []int{1}
		})},
		{name: "every-step", path: "/1/asks/2", sheet: with(verdict(""), func(s *ui.DecisionForm) {
			s.Gate.Steps = reply.Steps([]string{"Email the statement to ap@acme.example (irreversible)", "Mark the 31 keys disputed"}, true)
		})},
		{name: "absent", path: "/1/asks/2?show=7", sheet: with(verdict(""), func(s *ui.DecisionForm) {
			s.Gate.Files[0].SHA256, s.Form.Files = "", []reply.File{{Name: "brief.md"}, files[1]}
		})},
		{name: "question", path: "/1/asks/3", sheet: ui.DecisionForm{At: at3, Verified: true, Form: form(""), Snooze: true}, set: func(o *office, _ *ui.Site) {
			o.AllAsks[1].State = figs.AskState{Phase: figs.NeedsYou, Round: 1, Reply: -1, Since: o.AllAsks[1].State.Since}
			o.AllAsks[1].Thread = nil
			o.AllAsks[1].Ask.Options = []string{"Yes, from today", "Yes, but keep the old export until December", "No"}
		}},
		{name: "question-no-options", path: "/1/asks/3", sheet: ui.DecisionForm{At: at3, Verified: true, Form: form("Yes.")}, set: func(o *office, _ *ui.Site) {
			o.AllAsks[1].State.Phase, o.AllAsks[1].State.Reply, o.AllAsks[1].State.Reported, o.AllAsks[1].Thread = figs.NeedsYou, -1, false, nil
		}},
		{name: "fault", path: "/1/asks/2?show=7", sheet: with(verdict("a\u202eb"), func(s *ui.DecisionForm) {
			s.Fault = &ui.Fault{Field: "text", Sentence: figs.ProblemHidden.Sentence(), Hint: "Your words are kept."}
		})},
		{name: "lacks", path: "/1/asks/2?show=7", sheet: with(verdict("All good."), func(s *ui.DecisionForm) {
			s.Form.Verdict, s.Lacks = "approved", []reply.Missing{{File: "brief.md"}, {Step: 1}}
		})},
		{name: "stale", path: "/1/asks/2?show=7", sheet: with(verdict("All good."), func(s *ui.DecisionForm) {
			s.Stale = &ui.StaleReply{Versions: 1, Replies: 0, Files: []ui.StaleFile{{Name: "acme-2026-10-v2.html", After: sumB}, {Name: "brief.md", Before: sumB, After: sumA}}}
		})},
		{name: "reported", path: "/1/asks/2?show=7", sheet: with(verdict(""), func(s *ui.DecisionForm) { s.Reported = &approved }), set: reportedOn(figs.Replied, approved)},
		{name: "reported-closed", path: "/1/asks/2?show=7", sheet: with(verdict(""), func(s *ui.DecisionForm) { s.Reported = &approved }), set: reportedOn(figs.Resolved, approved)},
		{name: "reported-contradicted", path: "/1/asks/2?show=7", sheet: with(verdict(""), func(s *ui.DecisionForm) { s.Reported, s.Correct = &approved, true }), set: contradictedOn(approved)},
		{name: "reported-answer", path: "/1/asks/3", sheet: ui.DecisionForm{At: at3, Verified: true, Form: form(""), Reported: &reported}},
		{name: "pending-mine", path: "/1/asks/2?show=7", sheet: with(verdict(""), func(s *ui.DecisionForm) { s.Pending = mine }), set: func(_ *office, s *ui.Site) {
			s.Shell.Pending = []ui.PendingReply{{At: at2, Title: "Send the October statement to Acme", Pending: *mine}}
		}},
		{name: "pending-other", path: "/1/asks/2?show=7", sheet: with(verdict("I think so too."), func(s *ui.DecisionForm) { s.Pending = pending })},
		{name: "pending-elsewhere", path: "/1/asks/3", sheet: ui.DecisionForm{At: at3, Verified: true, Form: form(""), Reported: &reported, Snoozed: viewer.SnoozedForNews, Snooze: true}, set: func(_ *office, s *ui.Site) {
			s.Shell.Pending = []ui.PendingReply{{At: at2, Title: "Send the October statement to Acme", Pending: *mine}}
		}},
		{name: "correct", path: "/1/asks/2?show=7", sheet: with(verdict(""), func(s *ui.DecisionForm) {
			s.Correct, s.Said = true, "Your verdict is recorded. The agent gets it with its next sync."
		}), set: verified("approved", journal.Delivery{Recorded: now - 2*ui.Day})},
		{name: "barred", path: "/1/asks/1", sheet: ui.DecisionForm{At: at1, Verified: true, Why: ui.Fault{Sentence: figs.BlockedClosed.Sentence()}}, set: func(o *office, _ *ui.Site) {
			m := &o.AllAsks[2].Thread[0]
			m.Receipt, m.Delivery = true, &journal.Delivery{Recorded: pagetest.At("2026-11-17T10:12:00Z"), PickedUp: pagetest.At("2026-11-17T10:40:00Z"), Confirmed: pagetest.At("2026-11-17T10:58:00Z"), Closed: pagetest.At("2026-11-17T11:00:30Z"), Job: &o.AllJobs[0]}
		}},
		{name: "local", path: "/1/asks/2?show=7", local: true, sheet: local},
		{name: "local-command", path: "/1/asks/2?show=7", local: true, sheet: with(local, func(s *ui.DecisionForm) {
			s.Form.By, s.Form.Text, s.Command = "Ada O'Hara", "It's fine.", `figs answer 'acme-send' --by 'Ada O'\''Hara' --approve --text 'It'\''s fine.'`
		})},
		{name: "local-locked", path: "/1/asks/2?show=7", local: true, sheet: with(local, func(s *ui.DecisionForm) {
			s.Why.Sentence, s.Form.By = "This folder was opened from a zip file, so nothing can be appended to it. Type the command where the folder is.", "Ada"
		})},
		{name: "late", path: "/1/asks/1", sheet: ui.DecisionForm{At: at1, Verified: true, Why: ui.Fault{Sentence: figs.BlockedClosed.Sentence()}, Form: form("Use a mapping instead."), Fault: &ui.Fault{Field: "text", Sentence: figs.BlockedClosed.Sentence()}}},
		{name: "offline", path: "/1/asks/2?show=7", sheet: with(local, func(s *ui.DecisionForm) { s.At, s.Drafts = "", false })},
		{name: "offline-composed", path: "/1/asks/2?show=7", sheet: with(local, func(s *ui.DecisionForm) {
			s.At, s.Drafts, s.Form.By = "", false, "Ada"
			s.Line = `{"id":"m1","kind":"verdict","ask":"acme-send","by":"Ada","ts":"2026-11-20T18:30:00Z","source":"chat","verdict":"approved"}`
		})},
	}
}

// reportedOn puts a transcribed verdict on the sign-off.
func reportedOn(phase figs.Phase, m journal.Message) func(*office, *ui.Site) {
	return func(o *office, _ *ui.Site) {
		m.Round = 2
		ask := &o.AllAsks[0]
		ask.Thread = append(ask.Thread[:1:1], m)
		ask.State.Phase, ask.State.Reported, ask.State.Reply = phase, true, 1
	}
}

// contradictedOn closes the sign-off on what is reported, and has the person say otherwise.
func contradictedOn(m journal.Message) func(*office, *ui.Site) {
	return func(o *office, site *ui.Site) {
		reportedOn(figs.Resolved, m)(o, site)
		o.AllAsks[0].Thread = append(o.AllAsks[0].Thread, journal.Message{Key: "9", Round: 2, Verified: true,
			Message: figs.Message{ID: "m9", Kind: "verdict", By: "Sarah Lind", TS: "2026-11-20T18:30:00Z", Source: "app", Verdict: "rejected", Text: "I never said that."}})
	}
}

// verified puts a verified verdict of the person who looks on the sign-off.
func verified(word string, d journal.Delivery) func(*office, *ui.Site) {
	return func(o *office, _ *ui.Site) {
		ask := &o.AllAsks[0]
		ask.Thread = append(ask.Thread[:1:1], journal.Message{Key: "9", Round: 2, Verified: true, Receipt: true, Delivery: &d,
			Message: figs.Message{ID: "m9", Kind: "verdict", By: "Sarah Lind", TS: "2026-11-18T18:30:00Z", Source: "app", Verdict: word}})
		ask.State.Phase, ask.State.Reply = figs.Replied, 1
	}
}

// play renders a scene as a document.
func play(t *testing.T, ctx context.Context, sc scene, o *office) string {
	t.Helper()
	site := acmeSite("")
	switch {
	case sc.local:
		site.Shell, site.Base, site.Seq, site.Links = nil, "/w/local", 7, acme{}
	case sc.sheet.At == "":
		site = pagetest.Site()
	}
	if sc.set != nil {
		sc.set(o, &site)
	}
	if sc.bare {
		site.Script = ""
	}
	site.DecisionForms = sheets{&sc.sheet}
	_, title, main, err := Render(ctx, site, o, sc.path)
	if err != nil {
		t.Fatalf("%s: %v", sc.name, err)
	}
	var b bytes.Buffer
	if err := ui.Document(site, title).Render(templ.WithChildren(ctx, templ.Raw(string(main))), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// scenePage is a scene by its name.
func scenePage(t *testing.T, name string) string {
	t.Helper()
	for _, sc := range scenes() {
		if sc.name == name {
			return play(t, context.Background(), sc, newOffice())
		}
	}
	t.Fatalf("there is no scene %s", name)
	return ""
}

// scenePaths are names of files for every scene.
func scenePaths() (paths []string) {
	for _, sc := range scenes() {
		paths = append(paths, "/decide/"+strings.ReplaceAll(sc.name, " ", "-"))
	}
	return paths
}
