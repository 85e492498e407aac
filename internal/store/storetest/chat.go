package storetest

import (
	"fmt"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// addChat adds a chat channel.
func (w *fixture) addChat(name string) store.ChatChannel {
	w.Helper()
	act := w.act()
	h := store.ChatChannel{ID: store.NewID(), Workspace: w.workspace.ID, Service: "matrix", Name: name, URL: "https://matrix.example", Room: "!a:matrix.example", Token: "secret", By: w.ana.ID, Created: act.At}
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
