package storetest

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/figs-web/figs-web/internal/store"
)

// addDestination adds a confirmed destination of a user.
func (w *fixture) addDestination(u store.User, kind store.DestinationKind) store.Destination {
	w.Helper()
	act := w.act()
	p := store.Destination{ID: store.NewID(), Person: u.ID, Kind: kind, Name: "mine", Target: "https://hooks.example/x", Secret: "s", Digest: store.NoDigest, Created: act.At, Confirmed: act.At}
	w.ok(w.s.AddDestination(ctx, act, p))
	return p
}

// newNotification returns a notification for a destination, due now.
func (w *fixture) newNotification(p store.Destination, name string) store.Notification {
	at := w.act().At
	return store.Notification{ID: store.NewID(), Destination: p.ID, Person: p.Person, Workspace: w.workspace.ID, Event: store.EventDestinationFailing, Name: name, At: at, Next: at}
}

func destinations(w *fixture) {
	p := w.addDestination(w.ana, store.DestinationWebhook)
	w.same("it", must(w.s.Destination(ctx, w.ana.ID, p.ID))(w), p)
	_, err := w.s.Destination(ctx, w.bo.ID, p.ID)
	w.wantError(err, store.ErrNotFound)
	w.wantError(w.s.SetDestinationSecret(ctx, w.act(), w.bo.ID, p.ID, "other"), store.ErrNotFound)
	w.ok(w.s.SetDestinationSecret(ctx, w.act(), w.ana.ID, p.ID, "other"))
	w.wantError(w.s.SetDestinationDigest(ctx, w.act(), w.bo.ID, p.ID, 8), store.ErrNotFound)
	w.ok(w.s.SetDestinationDigest(ctx, w.act(), w.ana.ID, p.ID, 8))
	p.Secret, p.Digest = "other", 8
	letter := store.Destination{ID: store.NewID(), Person: w.ana.ID, Kind: store.DestinationEmail, Target: "ana@acme.example", Digest: store.NoDigest, Created: w.act().At, Confirm: store.Hash("key"), ConfirmUntil: w.clock + 100}
	w.ok(w.s.AddDestination(ctx, w.act(), letter))
	for _, bad := range []struct {
		who  string
		hash string
		at   int64
	}{{w.bo.ID, store.Hash("key"), letter.ConfirmUntil - 1}, {w.ana.ID, store.Hash("other"), letter.ConfirmUntil - 1}, {w.ana.ID, "", letter.ConfirmUntil - 1}, {w.ana.ID, store.Hash("key"), letter.ConfirmUntil}} {
		_, err := w.s.ConfirmDestination(ctx, store.Act{By: bad.who, At: bad.at}, bad.who, bad.hash)
		w.wantError(err, store.ErrNotFound)
	}
	got := must(w.s.ConfirmDestination(ctx, store.Act{By: w.ana.ID, At: letter.ConfirmUntil - 1}, w.ana.ID, store.Hash("key")))(w)
	w.same("confirmed", got.Confirmed, letter.ConfirmUntil-1)
	_, err = w.s.ConfirmDestination(ctx, w.act(), w.ana.ID, store.Hash("key"))
	w.wantError(err, store.ErrNotFound)
	w.same("all", must(w.s.Destinations(ctx, w.ana.ID))(w), []store.Destination{p, got})

	wishes := []store.NotificationSetting{{Destination: p.ID, Workspace: w.workspace.ID, Event: store.EventAsk, Wanted: true}}
	w.ok(w.s.SetNotificationSettings(ctx, w.act(), w.ana.ID, w.workspace.ID, wishes))
	w.same("wishes", must(w.s.NotificationSettings(ctx, w.ana.ID))(w), wishes)
	w.same("hours at first", must(w.s.ReminderHours(ctx, w.ana.ID))(w), store.DefaultReminderHours)
	w.ok(w.s.SetReminderHours(ctx, w.act(), w.ana.ID, store.ReminderHours{Open: 4, PickedUp: 72}))
	w.same("hours", must(w.s.ReminderHours(ctx, w.ana.ID))(w), store.ReminderHours{Open: 4, PickedUp: 72})

	w.ok(w.s.AddNotification(ctx, w.newNotification(p, "one")))
	w.wantError(w.s.RemoveDestination(ctx, w.act(), w.bo.ID, p.ID), store.ErrNotFound)
	w.ok(w.s.RemoveDestination(ctx, w.act(), w.ana.ID, p.ID))
	w.same("wishes of one that is gone", len(must(w.s.NotificationSettings(ctx, w.ana.ID))(w))+len(must(w.s.SentNotifications(ctx, w.ana.ID, 0, 0))(w)), 0)
	for range store.MaxDestinations - 1 {
		w.addDestination(w.ana, store.DestinationNtfy)
	}
	w.wantError(w.s.AddDestination(ctx, w.act(), store.Destination{ID: store.NewID(), Person: w.ana.ID, Kind: store.DestinationNtfy}), store.ErrLimitReached)

	private, public, err := w.s.PushKey(ctx, "p1", "q1", w.clock)
	w.ok(err)
	again, too, err := w.s.PushKey(ctx, "p2", "q2", w.clock)
	w.ok(err)
	w.same("the key of web push", []string{private, public, again, too}, []string{"p1", "q1", "p1", "q1"})
}

// notificationPlan tests PlanInput as time passes.
func notificationPlan(w *fixture) {
	const h = int64(3_600_000_000)
	w.addDestination(w.bo, store.DestinationNtfy)
	look := func(at int64) *store.PlanInput {
		w.Helper()
		return must(w.s.PlanInput(ctx, w.workspace.ID, at))(w)
	}
	plan := func(at int64) *store.PlanInput {
		w.Helper()
		x := look(at)
		_, err := w.s.PlanNotifications(ctx, w.workspace.ID, x.From, x.To, nil)
		w.ok(err)
		return x
	}
	said := func(x *store.PlanInput) (out []string) {
		for _, a := range x.Asks {
			out = append(out, fmt.Sprint(a.Ask, " ", a.Round, a.New, len(a.SnoozedBy), len(a.SnoozeEndedFor), a.ChangesBy == w.ana.ID))
		}
		for _, l := range x.Replies {
			out = append(out, "reply "+l.Ask)
		}
		return out
	}
	w.same("workspaces that changed", must(w.s.WorkspacesToPlan(ctx, true))(w), []string{w.workspace.ID})
	plan(w.clock)
	w.same("none", len(must(w.s.WorkspacesToPlan(ctx, true))(w)), 0)
	w.push(pushBody{asks: []string{anAsk}})
	pushed := w.clock
	x := look(w.clock)
	w.same("a new one", said(x), []string{"a 1 true 0 0 false"})
	w.same("it is asked of", x.Asks[0].AskedOf, []string{w.ana.ID})
	w.same("people", []int{len(x.Recipients), len(x.Recipients[0].Destinations) + len(x.Recipients[1].Destinations)}, []int{2, 1})
	plan(w.clock)
	w.same("no news", said(look(w.clock)), []string(nil))
	w.same("before its hours", said(look(pushed+4*h-1)), []string(nil))
	w.same("four hours", said(plan(pushed+4*h)), []string{"a 1 false 0 0 false"})
	w.same("once", said(plan(pushed+4*h+1)), []string(nil))
	must(w.s.Snooze(ctx, store.Act{By: w.ana.ID, At: pushed + 5*h}, w.workspace.ID, w.agent, "a", pushed+30*h))(w)
	w.same("put off", said(plan(pushed+24*h)), []string{"a 1 false 1 0 false"})
	w.same("it comes back", said(plan(pushed+30*h)), []string{"a 1 false 0 1 false"})
	w.same("a clock that goes back", said(plan(pushed)), []string(nil))

	w.clock = pushed + 31*h
	w.requestChanges("a")
	settled := w.clock
	w.same("a reply that nobody fetches", said(plan(settled+4*h)), []string{"reply a"})
	w.push(pushBody{asks: []string{strings.Replace(anAsk, "Send it", "Send it now", 1)}})
	w.same("raised again", said(look(settled+5*h)), []string{"a 2 true 0 0 true"})

	was, now := look(settled+5*h), look(settled+6*h)
	n := must(w.s.PlanNotifications(ctx, w.workspace.ID, was.From, was.To, []store.Notification{w.newNotification(store.Destination{ID: w.ana.ID, Person: w.ana.ID}, "one")}))(w)
	_, err := w.s.PlanNotifications(ctx, w.workspace.ID, now.From, now.To, []store.Notification{w.newNotification(store.Destination{ID: w.ana.ID, Person: w.ana.ID}, "two")})
	w.wantError(err, store.ErrNotFound)
	w.same("planned by the first alone", []int{n, must(w.s.UnreadNotifications(ctx, w.ana.ID, w.workspace.ID))(w)}, []int{1, 1})
}

// requestChanges requests changes of an ask as Ana, and settles the decision.
func (w *fixture) requestChanges(ask string) {
	w.Helper()
	line := fmt.Sprintf(`{"id":"c","ask":%q,"by":"Ana","ts":%q,"source":"app","kind":"verdict","verdict":"changes-requested","text":"More."}`, ask, time.UnixMicro(w.clock).UTC().Format(time.RFC3339))
	w.decide(store.DecisionInput{Workspace: w.workspace.ID, Agent: w.agent, Ask: ask, Line: []byte(line), Key: "changes", Saw: w.viewOf(ask)})
	w.settle()
}

// sendNotifications tests claiming, finishing and resending.
func sendNotifications(w *fixture) {
	p := w.addDestination(w.ana, store.DestinationWebhook)
	claim := func(lease string, at int64) []store.DueNotification {
		w.Helper()
		return must(w.s.ClaimNotifications(ctx, lease, at, at+100, 10))(w)
	}
	end := func(d store.DueNotification, lease string, state store.SendState, at int64) error {
		d.State, d.Ended, d.Next, d.Tries, d.Answer = state, at, at+50, d.Tries+1, "HTTP 500"
		return w.s.FinishNotification(ctx, lease, d.QueuedNotification)
	}
	one := w.newNotification(p, "one")
	w.ok(w.s.AddNotification(ctx, one))
	again := one
	again.ID = store.NewID()
	w.ok(w.s.AddNotification(ctx, again)) // the same notification is skipped
	at := w.clock
	w.same("before its time", len(claim("a", at-1)), 0)
	due := claim("a", at)
	w.same("claimed", []any{len(due), due[0].ID, due[0].To.Secret, due[0].Slug, due[0].IncludeText, due[0].Over, due[0].State}, []any{1, one.ID, "s", "acme", false, false, store.SendWaiting})
	w.same("it is leased", len(claim("b", at+99)), 0)
	w.same("the lease ends", len(claim("b", at+100)), 1)
	w.wantError(end(due[0], "a", store.SendSent, at+101), store.ErrNotFound)
	w.ok(end(due[0], "b", store.SendWaiting, at+101))
	w.same("failing", must(w.s.Destination(ctx, w.ana.ID, p.ID))(w).Failing, at+101)
	due = claim("c", at+151)
	w.same("tried again", []any{len(due), due[0].Tries, due[0].Answer}, []any{1, 1, "HTTP 500"})
	w.ok(end(due[0], "c", store.SendDead, at+200))
	list, err := w.s.ListNotifications(ctx, w.ana.ID, w.workspace.ID, store.NotificationQuery{})
	w.ok(err)
	w.same("the page tells it", []any{len(list.Items), list.Items[0].Event}, []any{1, store.EventDestinationFailing})
	w.wantError(w.s.ResendNotification(ctx, store.Act{By: w.bo.ID, At: at + 300}, w.bo.ID, one.ID), store.ErrNotFound)
	w.ok(w.s.ResendNotification(ctx, store.Act{By: w.ana.ID, At: at + 300}, w.ana.ID, one.ID))
	due = claim("d", at+300)
	w.same("replayed under its id", []any{len(due), due[0].ID, due[0].Tries}, []any{1, one.ID, 0})
	w.ok(end(due[0], "d", store.SendSent, at+301))
	w.same("it arrives again", must(w.s.Destination(ctx, w.ana.ID, p.ID))(w).Failing, int64(0))
	w.same("listed", must(w.s.SentNotifications(ctx, w.ana.ID, 0, 0))(w)[0].State, store.SendSent)
	w.same("unread", must(w.s.UnreadNotifications(ctx, w.ana.ID, w.workspace.ID))(w), 1)
	w.ok(w.s.MarkNotificationsRead(ctx, w.ana.ID, w.workspace.ID, at+200, at+400))
	w.same("read", must(w.s.UnreadNotifications(ctx, w.ana.ID, w.workspace.ID))(w), 0)
	w.ok(w.s.SweepNotifications(ctx, at+1_000_000_000))
	w.same("swept", len(must(w.s.SentNotifications(ctx, w.ana.ID, 0, 0))(w)), 0)
}

// outdatedNotifications tests notifications that may not be sent any more.
func outdatedNotifications(w *fixture) {
	w.push(pushBody{asks: []string{anAsk}})
	p, q := w.addDestination(w.ana, store.DestinationNtfy), w.addDestination(w.bo, store.DestinationNtfy)
	of := func(p store.Destination, name string, event store.NotificationEvent) store.Notification {
		n := w.newNotification(p, name)
		n.Event, n.Agent, n.Ask, n.Round = event, w.agent, "a", 1
		return n
	}
	w.ok(w.s.AddNotification(ctx, of(p, "ask", store.EventAsk)))
	w.ok(w.s.AddNotification(ctx, of(q, "ask", store.EventAsk)))
	inPage := of(store.Destination{ID: w.ana.ID, Person: w.ana.ID}, "ask", store.EventAsk)
	w.ok(w.s.AddNotification(ctx, inPage))
	over := func(what string, want ...bool) {
		w.Helper()
		w.clock += 1_000_000
		var got []bool
		for _, d := range must(w.s.ClaimNotifications(ctx, what, w.clock, w.clock+1, 10))(w) {
			got = append(got, d.Over)
			w.same(what+": words", d.AgentName+d.Title, "")
		}
		w.same(what, got, want)
	}
	over("both", false, false)
	w.same("unread", must(w.s.UnreadNotifications(ctx, w.ana.ID, w.workspace.ID))(w), 1)
	w.ok(w.s.RemoveMember(ctx, w.act(), w.workspace.ID, w.bo.ID))
	over("one has left", false, true)
	w.reply("m", "a", `"kind":"verdict","verdict":"approved"`)
	over("it was answered", true, true)
	w.same("nothing is unread", must(w.s.UnreadNotifications(ctx, w.ana.ID, w.workspace.ID))(w), 0)
	list, err := w.s.ListNotifications(ctx, w.ana.ID, w.workspace.ID, store.NotificationQuery{})
	w.ok(err)
	w.same("the page knows that it is over", []any{len(list.Items), list.Items[0].Over, list.Items[0].Read}, []any{1, true, int64(0)})
	other := of(p, "failing", store.EventDestinationFailing)
	w.ok(w.s.AddNotification(ctx, other))
	over("another", true, true, false)
	w.ok(w.s.DeleteWorkspace(ctx, w.act(), w.workspace.ID))
	over("no workspace", true, true, true)
	w.same("no workspace to plan for", len(must(w.s.WorkspacesToPlan(ctx, false))(w)), 0)
}

// claimConcurrently tests that concurrent claims never return the same notification.
func claimConcurrently(w *fixture) {
	p := w.addDestination(w.ana, store.DestinationNtfy)
	const n, workers = 40, 4
	for i := range n {
		w.ok(w.s.AddNotification(ctx, w.newNotification(p, fmt.Sprint(i))))
	}
	var all sync.WaitGroup
	var taken sync.Map
	var total atomic.Int64
	at := w.clock
	for i := range workers {
		all.Go(func() {
			lease := fmt.Sprint("worker ", i)
			for {
				due, err := w.s.ClaimNotifications(ctx, lease, at, at+1000, 3)
				if err != nil {
					w.Error(err)
				}
				if len(due) == 0 {
					return
				}
				for _, d := range due {
					if other, twice := taken.LoadOrStore(d.ID, lease); twice {
						w.Errorf("%s was taken by %s and by %s", d.Name, other, lease)
					}
					total.Add(1)
					d.State, d.Ended = store.SendSent, at
					if err := w.s.FinishNotification(ctx, lease, d.QueuedNotification); err != nil {
						w.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	w.same("all are taken", total.Load(), int64(n))
}
