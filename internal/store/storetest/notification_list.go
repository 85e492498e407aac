package storetest

import (
	"fmt"

	"github.com/figs-web/figs-web/internal/store"
)

// notificationList tests filters and pages of what a person is told on the page.
func notificationList(w *fixture) {
	w.push(pushBody{asks: []string{anAsk, aQuestion}})
	add := func(id string, event store.NotificationEvent, agent, ask string, at int64) {
		w.Helper()
		w.ok(w.s.AddNotification(ctx, store.Notification{ID: id, Destination: w.ana.ID, Person: w.ana.ID, Workspace: w.workspace.ID, Event: event, Name: id, Agent: agent, Ask: ask, Round: 1, At: at}))
	}
	add("a1", store.EventMention, w.agent, "a", 10)
	add("b1", store.EventMention, otherAgent, "", 20) // at the same time as the next
	add("b2", store.EventAsk, w.agent, "a", 20)
	add("c1", store.EventWeekly, "", "", 30)
	add("c2", store.EventPolicy, "", "", 40)
	w.ok(w.s.MarkNotificationsRead(ctx, w.ana.ID, w.workspace.ID, 10, 50))
	list := func(q store.NotificationQuery) (ids []string) {
		w.Helper()
		for _, n := range must(w.s.ListNotifications(ctx, w.ana.ID, w.workspace.ID, q))(w).Items {
			ids = append(ids, n.ID)
		}
		return ids
	}
	term := func(t ...store.NotificationTerm) store.NotificationQuery { return store.NotificationQuery{Terms: t} }
	all := []string{"c2", "c1", "b2", "b1", "a1"}
	w.same("all", list(store.NotificationQuery{}), all)
	for n := 1; n <= len(all); n++ {
		walkPages(w, fmt.Sprintf("%d notifications on a page", n), n, all, func(part store.Slice) ([]string, string, string) {
			page := must(w.s.ListNotifications(ctx, w.ana.ID, w.workspace.ID, store.NotificationQuery{Slice: part}))(w)
			return list(store.NotificationQuery{Slice: part}), page.Prev, page.Next
		})
	}
	w.same("after a cursor that can't be read", list(store.NotificationQuery{Slice: store.Slice{After: "x", N: 2}}), all[:2])
	w.same("of an agent", list(term(store.NotificationTerm{Agents: []string{w.agent}})), []string{"b2", "a1"})
	w.same("not of it", list(term(store.NotificationTerm{Agents: []string{w.agent}, Not: true})), []string{"c2", "c1", "b1"})
	w.same("of an agent or an event", list(term(store.NotificationTerm{Agents: []string{otherAgent}, Events: []store.NotificationEvent{store.EventPolicy}})), []string{"c2", "b1"})
	w.same("of both", list(term(store.NotificationTerm{Agents: []string{w.agent}}, store.NotificationTerm{Events: []store.NotificationEvent{store.EventMention}})), []string{"a1"})
	w.same("of nothing", list(term(store.NotificationTerm{})), []string(nil))
	w.same("by the title of the ask", list(term(store.NotificationTerm{Title: "SEND"})), []string{"b2", "a1"})
	w.same("by a title that is no pattern", list(term(store.NotificationTerm{Title: "%"})), []string(nil))
	w.same("unread", list(term(store.NotificationTerm{Unread: true})), []string{"c2", "c1", "b2", "b1"})
	w.same("between two times", list(store.NotificationQuery{Since: 20, Until: 40}), []string{"c1", "b2", "b1"})
	w.same("of no one else", len(must(w.s.ListNotifications(ctx, w.bo.ID, w.workspace.ID, store.NotificationQuery{}))(w).Items), 0)
	w.reply("m", "a", `"kind":"verdict","verdict":"approved"`)
	w.same("unread once the ask was answered", list(term(store.NotificationTerm{Unread: true})), []string{"c2", "c1", "b1"})
}
