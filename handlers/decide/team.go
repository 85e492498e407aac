package decide

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/sandbox/visible"
)

// can reports whether the visitor may do something to the asks of an agent.
func (d *desk) can(a *journal.Agent, action accounts.Action) bool {
	relation := accounts.AgentRelation{}
	if a.Hosted != nil {
		relation = accounts.RelationTo(d.user.ID, &store.Agent{Manager: a.Hosted.Manager.ID, Builder: a.Hosted.Builder.ID})
	}
	return accounts.Can(d.at.Role, relation, action)
}

// team is what colleagues do about the ask.
func (d *desk) team(ctx context.Context, x *askContext) (*ui.AskTeam, error) {
	notes, err := d.h.Store.AskNotes(ctx, x.id, x.ask.Ask.ID)
	if err != nil {
		return nil, err
	}
	f, err := d.h.Store.FollowUp(ctx, x.id, x.ask.Ask.ID)
	if errors.Is(err, store.ErrNotFound) { // it is being moved
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	roster, err := d.h.Store.Roster(ctx, d.at.Workspace.ID)
	if err != nil {
		return nil, err
	}
	ids := append([]string{f.RepliedBy, f.NudgedBy}, f.Reminded...)
	for i := range notes {
		ids = append(append(ids, notes[i].By), notes[i].People...)
	}
	names, err := d.h.Store.UserNames(ctx, ids)
	if err != nil {
		return nil, err
	}
	person := func(id string) journal.Person {
		p := journal.Person{ID: id, Name: names[id]}
		if p.Name == "" {
			p.Name = "Someone"
		}
		return p
	}
	t := &ui.AskTeam{FollowUp: d.follow(&f, names, x.ask), CanNote: d.can(x.agent, accounts.NoteAsk)}
	stuck := f.Stuck()
	t.CanNudge = d.can(x.agent, accounts.NudgeAgent) && stuck != 0 && stuck <= d.now-store.NudgeAfter && f.Nudged <= d.now-store.NudgeInterval
	for i := range notes {
		n := &notes[i]
		if n.Kind == store.KindNudge { // the follow-up has the last one
			continue
		}
		entry := ui.TeamEntry{Kind: string(n.Kind), By: person(n.By), Text: n.Text, At: n.At}
		for _, id := range n.People {
			entry.People = append(entry.People, person(id))
		}
		if t.Entries = append(t.Entries, entry); n.Holds && len(n.People) == 1 {
			t.Handover = &journal.Handover{No: n.No, By: entry.By, To: entry.People[0], Mine: n.People[0] == d.user.ID, Note: n.Text, At: n.At, CanReply: roster.MayReply(n.People[0], x.id)}
		}
	}
	hands := d.can(x.agent, accounts.HandOverAsk) && x.agent.Hosted != nil && x.agent.Hosted.Archived == 0
	t.CanHandOver, t.CanTakeBack = hands && x.ask.State.Phase == figs.NeedsYou, hands && t.Handover != nil
	for _, m := range membersByName(roster) {
		if m.ID == d.user.ID {
			continue
		}
		if t.Members = append(t.Members, m); roster.MayReply(m.ID, x.id) {
			t.Colleagues = append(t.Colleagues, m)
		}
	}
	return t, nil
}

// membersByName are the members of a workspace, ordered by their names.
func membersByName(roster *store.Roster) (list []journal.Person) {
	for id, name := range roster.Names {
		list = append(list, journal.Person{ID: id, Name: name})
	}
	slices.SortFunc(list, func(a, b journal.Person) int {
		return strings.Compare(strings.ToLower(a.Name)+"\x00"+a.ID, strings.ToLower(b.Name)+"\x00"+b.ID)
	})
	return list
}

// refuseTeam shows the ask again with a form of colleagues that was not taken, and why.
func (t *replyRequest) refuseTeam(status int, form ui.TeamForm) error {
	return t.refuse(status, RefusedForm{Unread: true, Team: &form})
}

// noteFault says what is wrong with a note; without a sentence, nothing is.
func noteFault(text string) ui.Fault {
	f := ui.Fault{Sentence: "The note has more than {0} bytes, so it was not saved.", Hint: "Your text is still in the form. Shorten it, then send it again.", Args: []any{store.MaxAskNote}}
	switch r := figs.HiddenCharacter([]byte(text)); {
	case !utf8.ValidString(text) || strings.Contains(text, "\x00"):
		return ui.Fault{Sentence: "Some of what was sent isn't text: it contains bytes that aren't characters.", Hint: "They appear as � in the form. Replace them, then send it again."}
	case r >= 0:
		return ui.Fault{Sentence: "The note contains invisible characters, so it was not saved.", Hint: "The first one is {0}.", Args: []any{visible.CodePoint(r)}}
	case len(text) > store.MaxAskNote:
		return f
	}
	return ui.Fault{}
}

// noteOf is the note of a form.
func noteOf(c echo.Context) string {
	return strings.TrimSpace(strings.ReplaceAll(web.FormValue(c, "note"), "\r\n", "\n"))
}

// cleanNote is a note as a form can show it again.
func cleanNote(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "�"), "\x00", "�")
}

// HandOver hands the ask to a colleague, or takes it back.
func (h Handlers) HandOver(c echo.Context) error {
	t, err := h.ReadReply(c, true)
	if t == nil {
		return err
	}
	form := ui.TeamForm{Of: "handover", To: web.FormValue(c, "to"), Note: noteOf(c)}
	if !t.can(t.x.agent, accounts.HandOverAsk) {
		form.Fault = t.at.MayNot(t.x.agent.Hosted)
		form.Note = cleanNote(form.Note)
		return t.refuseTeam(http.StatusForbidden, form)
	}
	seen, err := strconv.ParseInt(web.FormValue(c, "seen"), 10, 64)
	if err != nil || seen < 0 {
		seen = 0
	}
	act, ref := store.Act{By: t.user.ID, At: t.now}, store.AskRef{Agent: t.x.id, Ask: t.x.ask.Ask.ID}
	if web.FormValue(c, "do") == "take-back" {
		return t.takeBack(act, ref, seen)
	}
	if form.Fault = noteFault(form.Note); form.Fault.Sentence != "" {
		form.Note = cleanNote(form.Note)
		return t.refuseTeam(http.StatusUnprocessableEntity, form)
	}
	if form.To == t.user.ID {
		form.Fault = ui.Fault{Sentence: "You can't hand an ask to yourself.", Hint: "Choose a colleague who can reply to it."}
		return t.refuseTeam(http.StatusUnprocessableEntity, form)
	}
	outcomes, seq, err := h.Store.HandOver(c.Request().Context(), act, t.at.Workspace.ID, []store.AskRef{ref}, store.HandoverInput{To: form.To, Note: form.Note, Seen: seen})
	if err != nil {
		return err
	}
	if err := outcomes[0]; err != nil && !errors.Is(err, store.ErrUnchanged) {
		status := http.StatusUnprocessableEntity
		if form.Fault, status, err = t.handoverFault(err, form.To); err != nil {
			return err
		}
		return t.refuseTeam(status, form)
	}
	if seq != 0 {
		h.Live.Changed(t.at.Workspace.ID, seq)
	}
	return t.stay("handed-over#team")
}

// takeBack ends the hand-over that the form showed.
func (t *replyRequest) takeBack(act store.Act, ref store.AskRef, seen int64) error {
	seq, err := t.h.Store.TakeBack(t.c.Request().Context(), act, t.at.Workspace.ID, ref, seen)
	if err != nil && !errors.Is(err, store.ErrUnchanged) {
		form := ui.TeamForm{Of: "handover"}
		var status int
		if form.Fault, status, err = t.handoverFault(err, ""); err != nil {
			return err
		}
		return t.refuseTeam(status, form)
	}
	if seq != 0 {
		t.h.Live.Changed(t.at.Workspace.ID, seq)
	}
	return t.stay("taken-back#team")
}

// handoverFault says why an ask was not handed over or taken back. Other errors are returned.
func (t *replyRequest) handoverFault(err error, to string) (f ui.Fault, status int, _ error) {
	var handed *store.HandedOverError
	switch {
	case errors.As(err, &handed):
		f.Sentence, f.Hint = "This hand-over has ended since you opened the ask, so nothing was changed.", "Check who has the ask now, then try again."
		if handed.To != "" {
			by, err := t.person(t.c.Request().Context(), handed.By)
			if err != nil {
				return f, 0, err
			}
			to, err := t.person(t.c.Request().Context(), handed.To)
			if err != nil {
				return f, 0, err
			}
			f.Sentence, f.Args = "{0} has handed this to {1} since you opened it, so nothing was changed.", []any{by.Name, to.Name}
		}
		return f, http.StatusConflict, nil
	case errors.Is(err, store.ErrNotWaiting):
		return ui.Fault{Sentence: "This ask no longer needs a human, so it was not handed over.", Hint: "Read what has happened since, below."}, http.StatusConflict, nil
	case errors.Is(err, store.ErrForbidden): // since the page was read
		return t.at.MayNot(t.x.agent.Hosted), http.StatusForbidden, nil
	case !errors.Is(err, store.ErrCannotReply):
		return f, 0, err
	}
	roster, err := t.h.Store.Roster(t.c.Request().Context(), t.at.Workspace.ID)
	f = ui.Fault{Sentence: "Choose a colleague from the list.", Hint: "The ask can go to people in this workspace who can reply to it."}
	if name := roster.Names[to]; err == nil && name != "" {
		f = ui.Fault{Sentence: "{0} can't reply to this ask, so it was not handed over.", Hint: "Only owners, admins and the agent's manager or builder can reply. An owner or admin can change that.", Args: []any{name}}
	}
	return f, http.StatusUnprocessableEntity, err
}

// AddNote adds a note to colleagues.
func (h Handlers) AddNote(c echo.Context) error {
	t, err := h.ReadReply(c, true)
	if t == nil {
		return err
	}
	form := ui.TeamForm{Of: "note", To: web.FormValue(c, "to"), Note: noteOf(c)}
	if !t.can(t.x.agent, accounts.NoteAsk) {
		form.Fault, form.Note = ui.Fault{Sentence: "You're a viewer here: you can read notes but can't write any.", Hint: "An owner or admin of the workspace can change your role."}, cleanNote(form.Note)
		return t.refuseTeam(http.StatusForbidden, form)
	}
	ctx := c.Request().Context()
	roster, err := h.Store.Roster(ctx, t.at.Workspace.ID)
	if err != nil {
		return err
	}
	if form.Fault = noteFault(form.Note); form.Fault.Sentence == "" && form.Note == "" {
		form.Fault = ui.Fault{Sentence: "The note is empty, so it was not saved."}
	}
	var mentions []string
	if form.To != "" {
		mentions = append(mentions, form.To)
	}
	if form.Fault.Sentence == "" {
		var twice string
		if mentions, twice = mentioned(form.Note, membersByName(roster), mentions); twice != "" {
			form.Fault = ui.Fault{Sentence: "Several members are called {0}, so the note was not saved.", Hint: "Choose the person in the list below the note.", Args: []any{twice}}
		}
	}
	if form.Fault.Sentence != "" {
		form.Note = cleanNote(form.Note)
		return t.refuseTeam(http.StatusUnprocessableEntity, form)
	}
	seq, err := h.Store.AddAskNote(ctx, store.Act{By: t.user.ID, At: t.now}, t.at.Workspace.ID, store.AskRef{Agent: t.x.id, Ask: t.x.ask.Ask.ID}, form.Note, mentions)
	switch {
	case errors.Is(err, store.ErrLimitReached):
		form.Fault = ui.Fault{Sentence: "This ask has {0} notes, the most it can have.", Hint: "Your text is still in the form.", Args: []any{store.MaxAskNotes}}
		return t.refuseTeam(http.StatusConflict, form)
	case errors.Is(err, store.ErrNotMember):
		form.Fault = ui.Fault{Sentence: "The person you mentioned isn't a member of this workspace, so the note was not saved.", Hint: "Choose someone else from the list."}
		return t.refuseTeam(http.StatusUnprocessableEntity, form)
	case err != nil:
		return err
	}
	if seq != 0 {
		h.Live.Changed(t.at.Workspace.ID, seq)
	}
	return t.stay("note-added#team")
}

// mentioned adds to mentions the members whom a note names as @name. The longest name counts, whatever its case. twice is a
// name that several members have, none of whom is in mentions already.
func mentioned(note string, members []journal.Person, mentions []string) (all []string, twice string) {
	all = mentions
	lower := strings.ToLower(note)
	for at := 0; at < len(lower); at++ {
		before, _ := utf8.DecodeLastRuneInString(lower[:at])
		if lower[at] != '@' || at > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
			continue
		}
		longest, name, found := 0, "", []string(nil)
		for _, m := range members {
			called := strings.ToLower(strings.TrimSpace(m.Name))
			rest, ok := strings.CutPrefix(lower[at+1:], called)
			after, _ := utf8.DecodeRuneInString(rest)
			if !ok || called == "" || rest != "" && (unicode.IsLetter(after) || unicode.IsDigit(after)) || len(called) < longest {
				continue
			}
			if len(called) > longest {
				longest, name, found = len(called), m.Name, nil
			}
			found = append(found, m.ID)
		}
		chosen := slices.ContainsFunc(found, func(id string) bool { return slices.Contains(all, id) })
		switch {
		case len(found) > 1 && !chosen:
			return nil, name
		case len(found) == 1 && !chosen:
			all = append(all, found[0])
		}
	}
	return all, ""
}

// Nudge reminds the agent's people of a reply that it hasn't picked up.
func (h Handlers) Nudge(c echo.Context) error {
	t, err := h.ReadReply(c, true)
	if t == nil {
		return err
	}
	form := ui.TeamForm{Of: "nudge"}
	told, seq, err := []string(nil), int64(0), error(store.ErrForbidden)
	if t.can(t.x.agent, accounts.NudgeAgent) {
		told, seq, err = h.Store.Nudge(c.Request().Context(), store.Act{By: t.user.ID, At: t.now}, t.at.Workspace.ID, store.AskRef{Agent: t.x.id, Ask: t.x.ask.Ask.ID})
	}
	var nudged *store.NudgedError
	status := http.StatusConflict
	switch {
	case errors.Is(err, store.ErrForbidden):
		status, form.Fault = http.StatusForbidden, ui.Fault{Sentence: "You're a viewer here: you can't send reminders.", Hint: "An owner or admin of the workspace can change your role."}
	case errors.As(err, &nudged):
		by, err := t.person(c.Request().Context(), nudged.By)
		if err != nil {
			return err
		}
		next := time.UnixMicro(nudged.Next).In(h.Now().Location()).Format("15:04 MST")
		form.Fault = ui.Fault{Sentence: "{0} sent a reminder less than an hour ago, so none was sent now.", Hint: "The next one is possible at {1}.", Args: []any{by.Name, next}}
	case errors.Is(err, store.ErrNothingToNudge):
		form.Fault = ui.Fault{Sentence: "No reply has waited for an hour, so no reminder was sent.", Hint: "The agent may have picked it up since you opened the ask."}
	case err != nil:
		return err
	case len(told) == 0:
		form.Fault = ui.Fault{Sentence: "No one was reminded: this agent has no manager or builder, besides you, who wants such notifications.", Hint: "An owner or admin can assign a manager. Or talk to the person who runs the agent."}
	}
	if form.Fault.Sentence != "" {
		return t.refuseTeam(status, form)
	}
	h.Live.Changed(t.at.Workspace.ID, seq)
	return t.c.Redirect(http.StatusSeeOther, hosted.AskAddress(t.at.Workspace.Slug, t.x.id, t.x.ask.Ask.ID)+"?notice=reminded#team")
}
