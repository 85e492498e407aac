package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/figs-web/figs-web/internal/store"
)

func (w *fixture) ref(ask string) store.AskRef { return store.AskRef{Agent: w.agent, Ask: ask} }

// hand hands asks to a person, as Ana, and returns the outcomes.
func (w *fixture) hand(to store.User, note string, asks ...string) string {
	w.Helper()
	var refs []store.AskRef
	for _, ask := range asks {
		refs = append(refs, w.ref(ask))
	}
	outcomes, _, err := w.s.HandOver(ctx, w.act(), w.workspace.ID, refs, store.HandoverInput{To: to.ID, Note: note, Seen: store.AnyHandover})
	w.ok(err)
	return fmt.Sprint(outcomes)
}

// news returns a person's notifications on the page, newest first: event, ask, and "over" if it is settled.
func (w *fixture) news(u store.User) (list []string) {
	w.Helper()
	all, err := w.s.ListNotifications(ctx, u.ID, w.workspace.ID, store.NotificationQuery{Slice: store.Slice{N: 50}})
	w.ok(err)
	for _, n := range all.Items {
		text := string(n.Event) + " " + n.Ask
		if n.Over {
			text += " over"
		}
		list = append(list, text)
	}
	return list
}

// handovers tests that a handed ask is in the inbox of who got it, as long as that person may reply, and that the decision
// belongs to the same people as before.
func handovers(w *fixture) {
	carl, vi := w.user("carl@acme.example", "Carl"), w.user("vi@acme.example", "Vi")
	for u, role := range map[string]store.Role{carl.ID: store.Admin, vi.ID: store.Viewer} {
		w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, u, role))
	}
	w.push(pushBody{asks: []string{ask("a", "", "10:00"), ask("b", "", "10:01")}})
	w.ok(w.s.Assign(ctx, w.act(), w.agent, w.ana.ID, ""))
	mine := func(what string, u store.User, want ...string) {
		w.Helper()
		in := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Mine: u.ID, Now: w.clock}))(w)
		var ids []string
		for i := range in.Items {
			ids = append(ids, itemID(&in.Items[i]))
		}
		w.same(what, strings.Join(ids, " "), strings.Join(want, " "))
		badge := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Mine: u.ID, Now: w.clock, Slice: store.Slice{N: -1}}))(w)
		w.same(what+": counted", badge.Total, len(want))
	}
	hash := must(w.s.StateHash(ctx))(w)
	mine("before", carl)
	w.same("handed", w.hand(carl, "You know this client.", "a"), "[<nil>]")
	mine("his", carl, "a")
	mine("still the manager's", w.ana, "a", "b")
	w.same("told", w.news(carl), []string{"handed a"})
	in := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Now: w.clock}))(w)
	h := in.Items[0].Handover
	if h == nil || h.By != w.ana.ID || h.To != carl.ID || h.Note != "You know this client." || !h.CanReply || in.Items[1].Handover != nil {
		w.Fatalf("the hand-over is %+v", h)
	}
	w.same("the audit", must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{N: 1}))(w)[0].Subject, w.agent+" a "+carl.ID)
	w.same("no agent learns of it", must(w.s.StateHash(ctx))(w), hash)

	seq := must(w.s.Seq(ctx, w.workspace.ID))(w)
	for what, c := range map[string]struct {
		by, to string
		ask    string
		want   error
	}{
		"the same again":    {w.ana.ID, carl.ID, "a", store.ErrUnchanged},
		"a viewer":          {w.ana.ID, vi.ID, "a", store.ErrCannotReply},
		"a plain member":    {w.ana.ID, w.bo.ID, "a", store.ErrCannotReply},
		"nobody":            {w.ana.ID, "", "a", store.ErrCannotReply},
		"a stranger":        {w.ana.ID, store.NewID(), "a", store.ErrCannotReply},
		"odd bytes":         {w.ana.ID, "\x00\xff", "a", store.ErrCannotReply},
		"by a member":       {w.bo.ID, carl.ID, "a", store.ErrForbidden},
		"by a viewer":       {vi.ID, carl.ID, "a", store.ErrForbidden},
		"no such ask":       {w.ana.ID, carl.ID, "none", store.ErrNotFound},
		"an odd id":         {w.ana.ID, carl.ID, "\x00'; --", store.ErrNotFound},
		"of another agent":  {w.ana.ID, carl.ID, strings.Repeat("x", 1<<20), store.ErrNotFound},
		"by nobody, for no": {"", carl.ID, "a", store.ErrForbidden},
	} {
		got, moved, err := w.s.HandOver(ctx, store.Act{By: c.by, At: w.clock}, w.workspace.ID, []store.AskRef{w.ref(c.ask)}, store.HandoverInput{To: c.to, Note: "You know this client.", Seen: store.AnyHandover})
		if err != nil || !errors.Is(got[0], c.want) || moved != 0 {
			w.Errorf("%s: %v %d %v, want %v", what, got, moved, err, c.want)
		}
	}
	w.same("which change nothing", must(w.s.Seq(ctx, w.workspace.ID))(w), seq)
	_, _, err := w.s.HandOver(ctx, w.act(), store.NewID(), []store.AskRef{w.ref("a")}, store.HandoverInput{To: carl.ID})
	w.wantError(err, store.ErrNotFound)

	// Who may no longer reply has no ask; who may again has it again.
	for _, role := range []store.Role{store.Member, store.Viewer} {
		w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, carl.ID, role))
		mine("demoted to "+string(role), carl)
		mine("the manager's all the same", w.ana, "a", "b")
		in := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Now: w.clock}))(w)
		w.same("it says so", in.Items[0].Handover.CanReply, false)
	}
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, carl.ID, store.Admin))
	mine("promoted", carl, "a")
	w.ok(w.s.RemoveMember(ctx, w.act(), w.workspace.ID, carl.ID))
	mine("removed", carl)
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, carl.ID, store.Admin))

	// Two tabs: what one didn't see, it doesn't replace.
	notes := must(w.s.AskNotes(ctx, w.agent, "a"))(w)
	w.ok(w.s.Assign(ctx, w.act(), w.agent, w.ana.ID, w.bo.ID))
	var handed *store.HandedOverError
	got, _, err := w.s.HandOver(ctx, w.act(), w.workspace.ID, []store.AskRef{w.ref("a")}, store.HandoverInput{To: w.bo.ID, Seen: 0})
	w.ok(err)
	if !errors.As(got[0], &handed) || handed.To != carl.ID {
		w.Errorf("a tab that is behind: %v", got[0])
	}
	if _, err := w.s.TakeBack(ctx, w.act(), w.workspace.ID, w.ref("a"), 1); !errors.As(err, &handed) {
		w.Errorf("taking back what was not seen: %v", err)
	}
	_, err = w.s.TakeBack(ctx, w.actOf(vi), w.workspace.ID, w.ref("a"), notes[0].No)
	w.wantError(err, store.ErrForbidden)
	must(w.s.TakeBack(ctx, w.act(), w.workspace.ID, w.ref("a"), notes[0].No))(w)
	mine("taken back", carl)
	w.same("no longer news", w.news(carl), []string{"handed a over"})
	_, err = w.s.TakeBack(ctx, w.act(), w.workspace.ID, w.ref("a"), notes[0].No)
	w.wantError(err, store.ErrUnchanged)
	_, err = w.s.TakeBack(ctx, w.act(), w.workspace.ID, w.ref("none"), 1)
	w.wantError(err, store.ErrNotFound)

	// Several at once are one notification. Each has its own outcome.
	w.same("several", w.hand(carl, "", "a", "none", "b"), fmt.Sprint([]error{nil, store.ErrNotFound, nil}))
	mine("both", carl, "a", "b")
	w.same("told once", w.news(carl), []string{"handed ", "handed a over"})
	x := must(w.s.PlanInput(ctx, w.workspace.ID, w.clock))(w)
	w.same("reminders go to him, too", x.Asks[0].AskedOf, []string{w.ana.ID, w.bo.ID, carl.ID})

	// After the reply it waits for the agent, in the list of who has it. It can't be handed over then.
	d := w.decisionInput("v", "a", `"kind":"answer","text":"t"`)
	must(w.s.Decide(ctx, w.actOf(carl), d))(w)
	w.clock += store.UndoWindow
	w.settle()
	w.same("waits in his list", w.inbox(store.InboxQuery{Tab: store.TabWaiting, Mine: carl.ID}), []string{"a"})
	w.same("and not in another's", len(w.inbox(store.InboxQuery{Tab: store.TabWaiting, Mine: vi.ID})), 0)
	w.same("too late", w.hand(w.ana, "", "a"), fmt.Sprint([]error{store.ErrNotWaiting}))
	w.reindex()
	mine("derived again", carl, "b")
	w.erase(store.EraseAsk, "b")
	for _, n := range must(w.s.AskNotes(ctx, w.agent, "b"))(w) {
		w.same("erased", n.Text, "")
	}

	// Concurrent hand-overs leave one in force.
	w.push(pushBody{asks: []string{ask("c", "", "10:02")}})
	var wait sync.WaitGroup
	for i := range 6 {
		wait.Go(func() {
			to := []string{w.ana.ID, w.bo.ID, carl.ID}[i%3]
			if _, _, err := w.s.HandOver(ctx, store.Act{By: w.ana.ID, At: w.clock}, w.workspace.ID, []store.AskRef{w.ref("c")}, store.HandoverInput{To: to, Note: fmt.Sprint(i), Seen: store.AnyHandover}); err != nil {
				w.Error(err)
			}
		})
	}
	wait.Wait()
	inForce := 0
	for _, n := range must(w.s.AskNotes(ctx, w.agent, "c"))(w) {
		if n.Holds {
			inForce++
		}
	}
	w.same("in force", inForce, 1)
}

// askNotes tests notes: who may write them, whom they notify, their limits, and when they are deleted.
func askNotes(w *fixture) {
	vi := w.user("vi@acme.example", "Vi")
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, vi.ID, store.Viewer))
	w.push(pushBody{asks: []string{ask("a", "", "10:00"), ask("b", "", "10:01")}})
	add := func(by store.User, ask, text string, mentions ...string) (int64, error) {
		return w.s.AddAskNote(ctx, store.Act{By: by.ID, At: w.clock}, w.workspace.ID, w.ref(ask), text, mentions)
	}
	hash, _, err := w.s.MessagesSeq(ctx, w.agent)
	w.ok(err)
	state := must(w.s.StateHash(ctx))(w)
	odd := "quetzal \u202e\u200b <b>&\x00"
	if seq := must(add(w.bo, "a", odd, w.ana.ID, vi.ID, w.bo.ID))(w); seq != must(w.s.Seq(ctx, w.workspace.ID))(w) {
		w.Errorf("the note's number is %d", seq)
	}
	w.same("a second click", must(add(w.bo, "a", odd, w.ana.ID))(w), int64(0))
	_, err = add(vi, "a", "t")
	w.wantError(err, store.ErrForbidden)
	_, err = add(w.ana, "none", "t")
	w.wantError(err, store.ErrNotFound)
	_, err = add(w.ana, "a", "t", store.NewID())
	w.wantError(err, store.ErrNotMember)
	notes := must(w.s.AskNotes(ctx, w.agent, "a"))(w)
	w.same("the notes", notes, []store.AskNote{{No: notes[0].No, Agent: w.agent, Ask: "a", Kind: store.KindNote, By: w.bo.ID, People: []string{w.ana.ID, vi.ID, w.bo.ID}, Text: strings.ReplaceAll(odd, "\x00", "\ufffd"), At: w.clock}})
	w.same("by number", must(w.s.NumberedAskNotes(ctx, w.workspace.ID, []int64{notes[0].No, 1}))(w), map[int64]store.AskNote{notes[0].No: notes[0]})
	w.same("elsewhere", len(must(w.s.NumberedAskNotes(ctx, store.NewID(), []int64{notes[0].No}))(w)), 0)
	w.same("mentioned", [][]string{w.news(w.ana), w.news(vi), w.news(w.bo)}, [][]string{{"mention a"}, {"mention a"}, nil})
	after, _, err := w.s.MessagesSeq(ctx, w.agent)
	w.ok(err)
	w.same("no agent learns of it", []any{must(w.s.StateHash(ctx))(w), after}, []any{state, hash})
	w.same("marked read", must(w.s.MarkAskNotificationsRead(ctx, w.ana.ID, w.workspace.ID, []store.AskRef{w.ref("b"), w.ref("a")}, w.clock))(w), int64(1))
	w.same("unread", []int{must(w.s.UnreadNotifications(ctx, w.ana.ID, w.workspace.ID))(w), must(w.s.UnreadNotifications(ctx, vi.ID, w.workspace.ID))(w)}, []int{0, 1})

	// The text leaves the server only where the workspace allows it.
	w.ok(w.s.SetPolicy(ctx, w.act(), w.workspace.ID, store.Policy{Text: store.TextEverywhere}, true))
	w.ok(w.s.SetNotificationSettings(ctx, w.act(), w.ana.ID, w.workspace.ID, []store.NotificationSetting{{Destination: w.addDestination(w.ana, store.DestinationWebhook).ID, Workspace: w.workspace.ID, Event: store.EventMention, Wanted: true}}))
	for i, level := range []store.TextLevel{store.TextEverywhere, store.TextMembers} {
		w.ok(w.s.SetPolicy(ctx, w.act(), w.workspace.ID, store.Policy{Text: level}, true))
		must(add(w.bo, "b", fmt.Sprint("the note ", i), w.ana.ID))(w)
		due := must(w.s.ClaimNotifications(ctx, "lease", w.clock, w.clock+100, 10))(w)
		want := ""
		if level == store.TextEverywhere {
			want = "the note 0"
		}
		if len(due) != 1 || due[0].Note != want || due[0].Over {
			w.Errorf("with text %v: %+v", level, due)
		}
		due[0].State = store.SendSent
		w.ok(w.s.FinishNotification(ctx, "lease", due[0].QueuedNotification))
	}

	for i := range store.MaxAskNotes - 2 {
		must(add(w.ana, "b", fmt.Sprint("n", i)))(w)
	}
	_, err = add(w.ana, "b", "one more")
	w.wantError(err, store.ErrLimitReached)
	must(add(w.ana, "a", "of another ask"))(w)
	w.erase(store.EraseAsk, "a")
	w.same("erased", []int{len(must(w.s.AskNotes(ctx, w.agent, "a"))(w)), len(must(w.s.AskNotes(ctx, w.agent, "b"))(w))}, []int{0, store.MaxAskNotes})
	w.ok(w.s.DeleteWorkspace(ctx, w.act(), w.workspace.ID))
	w.ok(w.s.PurgeWorkspace(ctx, w.act(), w.workspace.ID))
	w.same("purged", len(must(w.s.AskNotes(ctx, w.agent, "b"))(w)), 0)
}

// followUps tests how far asks have got, the order of the tab, and reminders.
func followUps(w *fixture) {
	const hour = int64(3600_000000)
	w.push(pushBody{asks: []string{ask("a", "", "10:00"), ask("b", "", "10:01"), strings.Replace(ask("c", "", "10:02"), `"to"`, `"attachments":["f.txt"],"to"`, 1), ask("d", "", "10:03")}})
	asked := w.clock
	w.attach(w.agent, "f.txt", "aa")
	w.same("nothing yet", must(w.s.FollowUp(ctx, w.agent, "c"))(w), store.FollowUp{Asked: asked})
	for _, v := range []store.AttachmentView{{How: "rendered", At: asked + 1}, {How: "screen", At: asked - 1, Ext: ".x"}, {How: "alone", At: asked + 3}, {How: "screen", At: asked + 2}} {
		v.Workspace, v.Person, v.SHA256 = w.workspace.ID, w.bo.ID, "aa"
		w.ok(w.s.AddAttachmentView(ctx, v))
	}
	decide := func(ask string) int64 {
		w.Helper()
		made := w.decide(w.decisionInput("v-"+ask, ask, `"kind":"answer","text":"t"`))
		w.clock += store.UndoWindow
		w.settle()
		return made.At
	}
	b, a := decide("b"), decide("a")
	must(w.s.MarkPickedUp(ctx, w.agent, 1<<60, w.clock))(w)
	handed := w.clock
	c := decide("c")
	w.same("longest without confirmation first", w.inbox(store.InboxQuery{Tab: store.TabWaiting}), []string{"b", "a", "c"})
	got := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Tab: store.TabWaiting, Now: w.clock}))(w)
	for i, want := range []store.FollowUp{{Asked: asked, Replied: b, RepliedBy: w.ana.ID, PickedUp: handed}, {Asked: asked, Replied: a, RepliedBy: w.ana.ID, PickedUp: handed}, {Asked: asked, Viewed: asked + 2, Replied: c, RepliedBy: w.ana.ID}} {
		w.same("follow-up", *got.Items[i].FollowUp, want)
	}
	w.walkInbox("waiting", store.InboxQuery{Tab: store.TabWaiting})

	// The push that brings a reply back confirms it.
	w.push(pushBody{messages: []string{string(must(w.s.Message(ctx, w.agent, "v-b"))(w).Line)}})
	w.same("confirmed last", w.inbox(store.InboxQuery{Tab: store.TabWaiting}), []string{"a", "c", "b"})
	w.walkInbox("both parts of waiting", store.InboxQuery{Tab: store.TabWaiting})
	w.walkInbox("both parts of one agent", store.InboxQuery{Tab: store.TabWaiting, Agent: w.agent})
	w.same("it is known", must(w.s.FollowUp(ctx, w.agent, "b"))(w).Confirmed, w.clock)

	carl := w.user("carl@acme.example", "Carl")
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, carl.ID, store.Viewer))
	nudge := func(by store.User, ask string, at int64) ([]string, error) {
		told, _, err := w.s.Nudge(ctx, store.Act{By: by.ID, At: at}, w.workspace.ID, w.ref(ask))
		return told, err
	}
	late := c + store.NudgeAfter
	for ask, want := range map[string]error{"c": store.ErrNothingToNudge, "b": store.ErrNothingToNudge, "d": store.ErrNothingToNudge, "none": store.ErrNotFound} {
		_, err := nudge(w.bo, ask, late-1)
		w.wantError(err, want)
	}
	_, err := nudge(carl, "c", late)
	w.wantError(err, store.ErrForbidden)
	seq := must(w.s.Seq(ctx, w.workspace.ID))(w)
	w.same("nobody to tell", must(nudge(w.ana, "c", late))(w), []string(nil))
	w.same("which changes nothing", must(w.s.Seq(ctx, w.workspace.ID))(w), seq)
	w.ok(w.s.Assign(ctx, w.act(), w.agent, w.bo.ID, w.bo.ID))
	w.same("not oneself", must(nudge(w.bo, "c", late))(w), []string(nil))
	w.same("reminded", must(nudge(w.ana, "c", late))(w), []string{w.bo.ID})
	w.same("told", w.news(w.bo), []string{"nudge c"})
	var again *store.NudgedError
	if _, err := nudge(w.ana, "c", late+hour-1); !errors.As(err, &again) || again.By != w.ana.ID || again.Next != late+hour {
		w.Errorf("again: %v", err)
	}
	w.same("an hour later", must(nudge(w.ana, "c", late+hour))(w), []string{w.bo.ID})
	f := must(w.s.FollowUp(ctx, w.agent, "c"))(w)
	w.same("the last reminder", []any{f.Nudged, f.NudgedBy, f.Reminded}, []any{late + hour, w.ana.ID, []string{w.bo.ID}})
	w.ok(w.s.SetNotificationSettings(ctx, w.act(), w.bo.ID, w.workspace.ID, []store.NotificationSetting{{Destination: w.bo.ID, Workspace: w.workspace.ID, Event: store.EventNudge}}))
	w.same("who wants none", must(nudge(w.ana, "c", late+2*hour))(w), []string(nil))
	w.push(pushBody{messages: []string{string(must(w.s.Message(ctx, w.agent, "v-c"))(w).Line)}})
	w.same("settled", w.news(w.bo), []string{"nudge c over", "nudge c over"})
	_, err = nudge(w.ana, "c", late+9*hour)
	w.wantError(err, store.ErrNothingToNudge)
}
