package notify

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/chat"
	"github.com/figs-web/figs-web/internal/store"
)

// maxChatItems is how many asks a message to a channel lists.
const maxChatItems = 5

// mostUrgent sorts notifications, and leaves one of each ask: what is most likely to need a decision soon is first, and
// otherwise what is due first.
func mostUrgent(part []store.DueNotification) []store.DueNotification {
	part = slices.Clone(part)
	slices.SortStableFunc(part, func(a, b store.DueNotification) int { return urgency(&a) - urgency(&b) })
	type ask struct{ agent, ask string }
	seen := map[ask]bool{}
	return slices.DeleteFunc(part, func(d store.DueNotification) bool {
		k := ask{d.Agent, d.Ask}
		had := seen[k]
		seen[k] = true
		return had && d.Ask != ""
	})
}

// urgency orders notifications; the lowest is first.
func urgency(d *store.DueNotification) int {
	switch {
	case d.Event == store.EventReportedReply:
		return 0
	case d.Event == store.EventSettled:
		return 4
	case !needsReply(d):
		return 3
	case d.AskType == "sign-off":
		return 1
	}
	return 2
}

// needsReply reports whether a notification is about an ask that needs a person.
func needsReply(d *store.DueNotification) bool {
	switch d.Event {
	case store.EventAsk, store.EventRaisedAgain, store.EventStillOpen, store.EventReportedReply:
		return true
	}
	return false
}

// groupNote words several notifications to a person as one, whose link leads to the inbox of the first one's workspace. Its
// quote is their titles, as far as they may be in it.
func (w *Worker) groupNote(ctx context.Context, part []store.DueNotification) Message {
	all := mostUrgent(part)
	n := Message{Workspace: oneLine(all[0].WorkspaceName), Button: i18n.Say(ctx, "Open the inbox"), Link: w.inbox(&all[0])}
	n.Headline = i18n.Count(ctx, len(all), "%d notification", "%d notifications")
	if asks := slices.DeleteFunc(slices.Clone(all), func(d store.DueNotification) bool { return !needsReply(&d) }); len(asks) == len(all) {
		n.Headline = i18n.Count(ctx, len(all), "%d ask needs you", "%d asks need you")
	}
	var titles []string
	for i := range all {
		if title := oneLine(all[i].Title); all[i].IncludeText && title != "" {
			titles = append(titles, title)
		}
	}
	n.Quote = cut(strings.Join(titles[:min(len(titles), maxChatItems)], ", "), 200)
	return n
}

// chatGroup words several notifications for a channel as one message. Text written by agents is only in it if the workspace
// allows that; otherwise the message has their number and a link to the inbox.
func (w *Worker) chatGroup(ctx context.Context, part []store.DueNotification) chat.Message {
	all := mostUrgent(part)
	m := chat.Message{Workspace: oneLine(all[0].WorkspaceName), Button: i18n.Say(ctx, "Open the inbox"), Link: w.inbox(&all[0])}
	needs, settled := 0, 0
	for i := range all {
		if needsReply(&all[i]) {
			needs++
		} else if all[i].Event == store.EventSettled {
			settled++
		}
	}
	switch len(all) {
	case needs:
		m.Headline = i18n.Count(ctx, needs, "%d ask needs a person", "%d asks need a person")
	case settled:
		m.Headline = i18n.Count(ctx, settled, "%d ask no longer needs a person", "%d asks no longer need a person")
	default:
		m.Headline = i18n.Count(ctx, len(all), "%d notification", "%d notifications")
	}
	if !all[0].IncludeText {
		return m
	}
	for i := range all[:min(len(all), maxChatItems)] {
		one := w.chatMessage(ctx, &all[i])
		text := one.Headline
		if one.Title != "" {
			text += ": " + cut(one.Title, 100)
		}
		m.Items = append(m.Items, chat.Item{Text: text, Link: one.Link})
	}
	m.Open = i18n.Say(ctx, "Open the ask")
	if more := len(all) - maxChatItems; more > 0 {
		m.More = i18n.Count(ctx, more, "and one more", "and %d more")
	}
	return m
}

// inbox is the URL of the inbox of a notification's workspace.
func (w *Worker) inbox(d *store.DueNotification) string {
	return w.Public.JoinPath("w", url.PathEscape(d.Slug), "inbox").String()
}
