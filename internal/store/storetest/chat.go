package storetest

import (
	"fmt"
	"sync"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// addChat adds a chat channel.
func (w *fixture) addChat(name string) store.ChatChannel {
	w.Helper()
	act := w.act()
	h := store.ChatChannel{ID: store.NewID(), Workspace: w.workspace.ID, Service: "matrix", Name: name, URL: "https://matrix.example", Room: "!a:matrix.example", Token: "secret", By: w.ana.ID, Created: act.At, ChatChoice: store.ChatChoice{Topics: store.DefaultChatTopics()}}
	w.ok(w.s.AddChatChannel(ctx, act, h))
	return h
}

// toChat returns a notification about ask a for a channel, due now.
func (w *fixture) toChat(h store.ChatChannel, name string) store.Notification {
	at := w.act().At
	return store.Notification{ID: store.NewID(), Destination: h.ID, Workspace: w.workspace.ID, Event: store.EventAsk, Name: name, Agent: w.agent, Ask: "a", Round: 1, At: at, Next: at}
}

// chatChannels tests the channels of a workspace, and what is sent to them.
func chatChannels(w *fixture) {
	w.push(pushBody{asks: []string{anAsk}})
	h := w.addChat("Ops")
	w.same("it", must(w.s.ChatChannel(ctx, w.workspace.ID, h.ID))(w), h)
	row := must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{N: 1}))(w)[0]
	w.same("its audit has no secret", []string{row.Action, row.Subject, row.By}, []string{"chat.add", "matrix Ops", w.ana.ID})
	other := store.NewID()
	_, err := w.s.ChatChannel(ctx, other, h.ID)
	w.wantError(err, store.ErrNotFound)
	w.wantError(w.s.AddChatChannel(ctx, w.act(), store.ChatChannel{ID: store.NewID(), Workspace: other}), store.ErrNotFound)
	w.same("planned with", len(must(w.s.PlanInput(ctx, w.workspace.ID, w.clock))(w).Channels), 1)

	one := w.toChat(h, "one")
	w.ok(w.s.AddNotification(ctx, one))
	claim := func(lease string) store.DueNotification {
		w.Helper()
		due := must(w.s.ClaimNotifications(ctx, lease, w.clock, w.clock+100, 10))(w)
		if len(due) != 1 {
			w.Fatalf("%d are due", len(due))
		}
		return due[0]
	}
	end := func(d store.DueNotification, lease string, state store.SendState) {
		w.Helper()
		d.State, d.Ended, d.Next, d.Tries, d.Answer = state, w.clock, w.clock+50, d.Tries+1, "HTTP 500"
		w.ok(w.s.FinishNotification(ctx, lease, d.QueuedNotification))
	}
	d := claim("a")
	w.same("claimed", []any{d.Chat, d.To.Kind, d.To.ID, d.Over, d.IncludeText, d.Title, len(d.Steps), d.Waits}, []any{h, store.DestinationChat, h.ID, false, false, "", 0, int64(figs.NoTime)})
	end(d, "a", store.SendWaiting)
	w.same("failing", must(w.s.ChatChannel(ctx, w.workspace.ID, h.ID))(w).Failing, w.clock)
	w.clock += 50
	end(claim("b"), "b", store.SendDead)
	told := func(person string) (n int) {
		list, err := w.s.ListNotifications(ctx, person, w.workspace.ID, store.NotificationQuery{})
		w.ok(err)
		for i := range list.Items {
			if list.Items[i].Event == store.EventDestinationFailing {
				n++
			}
		}
		return n
	}
	w.same("owners are told, and nobody else", []int{told(w.ana.ID), told(w.bo.ID)}, []int{1, 0})
	sent := must(w.s.SentToChat(ctx, w.workspace.ID, 0, 10))(w)
	w.same("sent", []any{len(sent), sent[0].State, sent[0].Answer, sent[0].Person}, []any{1, store.SendDead, "HTTP 500", ""})
	w.same("elsewhere", len(must(w.s.SentToChat(ctx, other, 0, 10))(w)), 0)
	_, err = w.s.ChatNotification(ctx, other, one.ID)
	w.wantError(err, store.ErrNotFound)
	w.same("by its id", must(w.s.ChatNotification(ctx, w.workspace.ID, one.ID))(w).Ask, "a")
	w.wantError(w.s.ResendToChat(ctx, w.act(), other, one.ID), store.ErrNotFound)
	w.ok(w.s.ResendToChat(ctx, w.act(), w.workspace.ID, one.ID))
	d = claim("c")
	w.same("resent under its id", []any{d.ID, d.Tries}, []any{one.ID, 0})
	end(d, "c", store.SendSent)
	w.same("it works again", must(w.s.ChatChannel(ctx, w.workspace.ID, h.ID))(w).Failing, int64(0))

	w.clock += store.GroupWindow
	w.ok(w.s.AddNotification(ctx, w.toChat(h, "two")))
	w.reply("m", "a", `"kind":"verdict","verdict":"approved"`)
	d = claim("d")
	w.same("it was answered meanwhile", d.Over, true)
	end(d, "d", store.SendDropped)
	w.wantError(w.s.RemoveChatChannel(ctx, w.act(), other, h.ID), store.ErrNotFound)
	w.ok(w.s.RemoveChatChannel(ctx, w.act(), w.workspace.ID, h.ID))
	w.same("removed", len(must(w.s.ChatChannels(ctx, w.workspace.ID))(w))+len(must(w.s.SentToChat(ctx, w.workspace.ID, 0, 10))(w)), 0)
	for i := range store.MaxChatChannels {
		w.addChat(fmt.Sprint(i))
	}
	w.wantError(w.s.AddChatChannel(ctx, w.act(), store.ChatChannel{ID: store.NewID(), Workspace: w.workspace.ID}), store.ErrLimitReached)
	w.ok(w.s.AddNotification(ctx, w.toChat(must(w.s.ChatChannels(ctx, w.workspace.ID))(w)[0], "three")))
	w.ok(w.s.DeleteWorkspace(ctx, w.act(), w.workspace.ID))
	w.same("no workspace", claim("e").Over, true)
	w.ok(w.s.PurgeWorkspace(ctx, w.act(), w.workspace.ID))
	w.same("purged", len(must(w.s.ChatChannels(ctx, w.workspace.ID))(w)), 0)
}

// chatChoice tests what a channel is told about: it is stored and audited, and decides at the last moment.
func chatChoice(w *fixture) {
	w.push(pushBody{asks: []string{anAsk}})
	h := w.addChat("Ops")
	w.same("planned with", must(w.s.PlanInput(ctx, w.workspace.ID, w.clock))(w).Channels[0].ChatChoice, h.ChatChoice)
	w.ok(w.s.AddNotification(ctx, w.toChat(h, "one")))
	over := func(want bool) {
		w.Helper()
		w.clock += store.GroupWindow
		due := must(w.s.ClaimNotifications(ctx, fmt.Sprint(w.clock), w.clock, w.clock+1, 10))(w)
		if len(due) != 1 || due[0].Over != want {
			w.Errorf("%d are due, of which it is no longer told: %v", len(due), due)
		}
	}
	over(false)
	for _, c := range []struct {
		choice store.ChatChoice
		over   bool
	}{
		{store.ChatChoice{Topics: []store.ChatTopic{store.ChatReminders, store.ChatQuestions}}, true},
		{store.ChatChoice{Topics: store.ChatTopics(), Agents: []string{store.NewID()}}, true},
		{store.ChatChoice{Topics: store.ChatTopics(), Departments: []string{"Elsewhere"}}, true},
		{store.ChatChoice{Topics: store.ChatTopics(), Agents: []string{w.agent}, Departments: []string{"Elsewhere"}}, false},
		{store.ChatChoice{Topics: []store.ChatTopic{store.ChatSignOffs}}, false},
	} {
		w.ok(w.s.SetChatChoice(ctx, w.act(), w.workspace.ID, h.ID, c.choice))
		got := must(w.s.ChatChannel(ctx, w.workspace.ID, h.ID))(w).ChatChoice
		w.same("agents and departments", []any{got.Agents, got.Departments, len(got.Topics)}, []any{c.choice.Agents, c.choice.Departments, len(c.choice.Topics)})
		over(c.over)
	}
	row := must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{N: 1}))(w)[0]
	w.same("audit", []string{row.Action, row.Subject, row.By}, []string{"chat.choose", "matrix Ops", w.ana.ID})
	w.wantError(w.s.SetChatChoice(ctx, w.act(), store.NewID(), h.ID, store.ChatChoice{}), store.ErrNotFound)

	quiet := w.addChat("Quiet") // which was told nothing
	for _, c := range []store.ChatChannel{h, quiet} {
		w.ok(w.s.SetChatChoice(ctx, w.act(), w.workspace.ID, c.ID, store.ChatChoice{Topics: store.ChatTopics(), Departments: []string{"Elsewhere"}}))
	}
	told := w.toChat(h, "ask "+w.agent+" a 1")
	w.ok(w.s.AddNotification(ctx, told))
	plan := func() *store.PlanInput {
		return must(w.s.PlanInput(ctx, w.workspace.ID, w.act().At))(w)
	}
	w.same("it is open", len(plan().Settled), 0)
	w.reply("m", "a", `"kind":"verdict","verdict":"approved"`)
	x := plan()
	w.same("it is settled", x.Settled, []store.SettledAsk{{Agent: w.agent, Ask: "a", Round: 1, Told: []string{h.ID}}})
	w.same("departments", x.Departments[w.agent], "")
}

// groupNotifications tests what is claimed together, keeps together, and waits.
func groupNotifications(w *fixture) {
	w.push(pushBody{asks: []string{anAsk}})
	h, other := w.addChat("Ops"), w.addChat("Other")
	hook := w.addDestination(w.ana, store.DestinationWebhook)
	add := func(h store.ChatChannel, from, to int) {
		for i := from; i < to; i++ {
			n := w.toChat(h, fmt.Sprint("n", i))
			n.At, n.Next = w.clock, w.clock
			w.ok(w.s.AddNotification(ctx, n))
		}
	}
	claim := func(lease string, n int) (due []store.DueNotification, batches map[string]int) {
		batches = map[string]int{}
		due = must(w.s.ClaimNotifications(ctx, lease, w.clock, w.clock+20_000_000, n))(w)
		for _, d := range due {
			batches[d.Batch]++
		}
		return due, batches
	}
	end := func(lease string, tries int, state store.SendState, all ...store.DueNotification) error {
		var results []store.QueuedNotification
		for _, d := range all {
			d.State, d.Tries, d.Ended, d.Next = state, tries, w.clock, w.clock+1_000_000
			results = append(results, d.QueuedNotification)
		}
		return w.s.FinishNotification(ctx, lease, results...)
	}
	add(h, 0, 25)
	due, batches := claim("a", 3)
	w.same("all that is due there is claimed at once, as one batch", []int{len(due), len(batches)}, []int{25, 1})
	batch := due[0].Batch
	w.clock += 20_000_000
	due, batches = claim("b", 3)
	w.same("after a crash, it is the same batch", []int{len(due), batches[batch]}, []int{25, 25})
	add(h, 25, 27)
	add(other, 0, 1)
	w.ok(w.s.AddNotification(ctx, w.newNotification(hook, "hook")))
	later, batches := claim("c", 10)
	w.same("others wait, elsewhere they don't", []any{len(later), batches[""]}, []any{2, 1})
	w.ok(end("b", 1, store.SendWaiting, due...))
	w.wantError(end("b", 1, store.SendWaiting, due...), store.ErrNotFound)
	w.clock += 1_000_000
	again, batches := claim("d", 3)
	w.same("it is tried again as it was", []int{len(again), batches[batch]}, []int{25, 25})
	w.ok(end("c", 1, store.SendSent, later...))
	w.wantError(end("c", 1, store.SendSent, again...), store.ErrNotFound)
	w.ok(end("d", 1, store.SendSent, again...))
	w.clock += store.GroupWindow
	last, _ := claim("e", 10)
	w.same("what waited", len(last), 2)
	w.ok(end("e", 0, store.SendWaiting, last...))
	w.clock += store.GroupWindow
	add(h, 27, 30)
	last, batches = claim("f", 10)
	w.same("what was postponed joins what is new", []int{len(last), len(batches)}, []int{5, 1})
	w.ok(end("f", 1, store.SendDead, last...))
	w.ok(w.s.ResendToChat(ctx, w.act(), w.workspace.ID, last[1].ID))
	last, _ = claim("g", 10)
	w.same("sent again alone, at once", []any{len(last), last[0].Batch, last[0].Resent}, []any{1, "", true})
}

// groupConcurrently tests that concurrent claims share no batch.
func groupConcurrently(w *fixture) {
	w.push(pushBody{asks: []string{anAsk}})
	const channels, n, workers = 4, 30, 4
	for i := range channels {
		h := w.addChat(fmt.Sprint(i))
		for k := range n {
			x := w.toChat(h, fmt.Sprint(k))
			x.At, x.Next = w.clock-1_000_000, w.clock-1_000_000
			w.ok(w.s.AddNotification(ctx, x))
		}
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	by, ids := map[string]string{}, map[string]bool{}
	at := w.clock
	for i := range workers {
		all.Go(func() {
			lease := fmt.Sprint("worker ", i)
			for {
				due, err := w.s.ClaimNotifications(ctx, lease, at, at+1000, 7)
				if err != nil {
					w.Error(err)
				}
				if len(due) == 0 {
					return
				}
				mu.Lock()
				for _, d := range due {
					if who := by[d.Destination+d.Batch]; who != "" && who != lease || ids[d.ID] || d.Batch == "" {
						w.Errorf("%s of batch %q was claimed by %s and by %s", d.ID, d.Batch, who, lease)
					}
					by[d.Destination+d.Batch], ids[d.ID] = lease, true
				}
				mu.Unlock()
				results := make([]store.QueuedNotification, len(due))
				for i, d := range due {
					d.State, d.Ended, d.Tries = store.SendSent, at, 1
					results[i] = d.QueuedNotification
				}
				if err := w.s.FinishNotification(ctx, lease, results...); err != nil {
					w.Error(err)
				}
			}
		})
	}
	all.Wait()
	w.same("each once, in one batch for each channel", []int{len(ids), len(by)}, []int{channels * n, channels})
}

// textLevels tests what each level lets each destination know.
func textLevels(w *fixture) {
	w.push(pushBody{asks: []string{anAsk}})
	fresh := store.Workspace{ID: store.NewID(), Slug: "fresh", Name: "Fresh", Created: w.clock}
	fresh.Text = store.TextMembers
	w.ok(w.s.AddWorkspace(ctx, w.act(), fresh, w.ana.ID))
	w.same("a new workspace", must(w.s.Workspace(ctx, "fresh"))(w).Policy, store.Policy{Text: store.TextMembers})
	h := w.addChat("Ops")
	places := []store.Destination{w.addDestination(w.ana, store.DestinationEmail), w.addDestination(w.ana, store.DestinationPush), w.addDestination(w.ana, store.DestinationNtfy), w.addDestination(w.ana, store.DestinationWebhook)}
	for level, want := range map[store.TextLevel]map[store.DestinationKind]bool{
		store.TextLink:       {},
		store.TextMembers:    {store.DestinationEmail: true, store.DestinationPush: true},
		store.TextEverywhere: {store.DestinationEmail: true, store.DestinationPush: true, store.DestinationNtfy: true, store.DestinationWebhook: true, store.DestinationChat: true},
	} {
		w.clock += store.GroupWindow
		w.ok(w.s.SetPolicy(ctx, w.act(), w.workspace.ID, store.Policy{Text: level}, true))
		w.ok(w.s.AddNotification(ctx, w.toChat(h, level.String())))
		for _, p := range places {
			n := w.newNotification(p, level.String())
			n.Event, n.Agent, n.Ask, n.Round = store.EventAsk, w.agent, "a", 1
			w.ok(w.s.AddNotification(ctx, n))
		}
		asks := 0
		for _, d := range must(w.s.ClaimNotifications(ctx, level.String(), w.clock, w.clock+100, 20))(w) {
			d.State, d.Ended = store.SendSent, w.clock
			w.ok(w.s.FinishNotification(ctx, level.String(), d.QueuedNotification))
			if d.Event != store.EventAsk { // that the policy was changed
				continue
			}
			asks++
			told := d.Title != "" && d.AskType != ""
			w.same(fmt.Sprint(level, " ", d.To.Kind), []bool{d.IncludeText, told, d.To.Kind == store.DestinationChat && d.Waits != figs.NoTime && len(d.Steps) > 0},
				[]bool{want[d.To.Kind], want[d.To.Kind], level == store.TextEverywhere && d.To.Kind == store.DestinationChat})
			if !told && d.AgentName+d.Title+d.AskType != "" {
				w.Errorf("%s: %q, %q and %q leave", d.To.Kind, d.AgentName, d.Title, d.AskType)
			}
		}
		w.same("due", asks, 5)
	}
}
