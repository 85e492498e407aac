package components

import (
	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/listquery"
)

// noticesOf is a page on notifications with everything on it.
func noticesOf(now int64) accountpages.Notifications {
	m := accountpages.Notifications{Email: "ada@example.org", Mail: true, Push: "BKEY", Open: 24, Picked: 72, Fresh: "figs_secret", Done: "channel-added", Topic: "https://ntfy.example/t", Hook: "https://hooks.example/h", Called: "My hook",
		Faults: ui.Faults{"": {Sentence: "Fault."}, "target": {Sentence: "Fault."}, "hook": {Sentence: "Fault."}, "email": {Sentence: "Fault."}}}
	wanted := map[string]bool{"ask": true}
	space := accountpages.WorkspaceSettings{PageLocation: ui.PageLocation{Slug: "acme", Name: "Acme"}, Key: "w1"}
	for i, kind := range []string{"page", "email", "push", "ntfy", "webhook"} {
		o := accountpages.NotificationChannel{Key: "p" + kind, Kind: kind, Called: "Mine", Where: "somewhere.example", Digest: i - 1}
		if kind == "page" {
			o.Called, o.Where = "", ""
		}
		m.Outlets = append(m.Outlets, o)
		space.Rows = append(space.Rows, accountpages.SettingRow{Key: o.Key, Kind: kind, Called: o.Called, Wanted: wanted})
	}
	m.Outlets = append(m.Outlets, accountpages.NotificationChannel{Key: "pw", Kind: "email", Where: "ada@example.org", Digest: -1, Waits: true}, accountpages.NotificationChannel{Key: "pf", Kind: "webhook", Called: "Broken", Failing: now - ui.Hour, Digest: -1})
	m.Spaces = []accountpages.WorkspaceSettings{space}
	for i, state := range []string{"waiting", "sent", "dead", "dropped"} {
		m.Sent = append(m.Sent, accountpages.SentRow{Key: "s" + state, Event: accountpages.WishEvents[i], Kind: "webhook", Called: "Mine", At: now - ui.Hour, Stands: state, Tries: i + 1, Answer: "HTTP 500: no", Next: now + ui.Hour})
	}
	m.Sent = append(m.Sent, accountpages.SentRow{Key: "s", Event: "test", Kind: "gone", At: now, Stands: "waiting"})
	return m
}

// newsOf is a page of news of all kinds.
func newsOf(now int64) accountpages.NotificationList {
	m := accountpages.NotificationList{List: listview.Request{Here: "/w/acme/news"}, Page: listquery.Page[accountpages.NotificationRow]{Total: -1, Prev: "1..YQ", Next: "0..Yg"}, AnyUnread: true, Until: now}
	for _, event := range append([]string{"failing", "failing.chat", "test", "other"}, accountpages.WishEvents...) {
		m.Page.Items = append(m.Page.Items, accountpages.NotificationRow{Link: "/w/acme/news/n1", Event: event, Who: "Closer", Ask: &journal.Ask{Ask: figs.Ask{Type: "sign-off", Title: "Send it?"}}, At: now - ui.Hour, Unread: event == "ask"})
	}
	return m
}

// chatOf is a page on chat channels with everything on it.
func chatOf(now int64) accountpages.Chat {
	m := accountpages.Chat{Off: true, Done: "chat-added", Services: []string{"slack", "teams", "discord", "mattermost", "telegram", "matrix", "googlechat"}, Text: accountpages.TextLevel{Level: "members", Place: "Acme"},
		Adding: &accountpages.ChatForm{Called: "Ops", Home: "https://matrix.example.org", Room: "!a:example.org", HasURL: true, HasRoom: true}, Faults: ui.Faults{"": {Sentence: "Fault."}, "url": {Sentence: "Fault."}, "room": {Sentence: "Fault."}, "topic": {Sentence: "Fault."}, "add": {Sentence: "Fault."}}}
	for _, service := range m.Services {
		m.Channels = append(m.Channels, accountpages.ChatRow{Key: "c" + service, Kind: service, Called: "Ops", Where: "somewhere.example", Failing: now, Choice: accountpages.ChatChoice{Topics: accountpages.ChatTopics}})
	}
	m.Channels[0].Choice = accountpages.ChatChoice{Topics: []string{"open"}, Departments: []accountpages.ChatBox{{Key: "f", Name: "Finance"}}, Agents: []accountpages.ChatBox{{Key: "a1", Name: "Closer"}, {Key: "a2"}, {Key: "a3"}}}
	m.Adding.Choice = accountpages.ChatChoice{Departments: []accountpages.ChatBox{{Key: "f", Name: "Finance"}}, Others: []accountpages.ChatBox{{Key: "s", Name: "Sales"}}, Names: []string{"Closer"}, Typed: "Nobody"}
	for _, event := range []string{"ask", "open", "claim", "picked", "settled", "test", "other"} {
		m.Sent = append(m.Sent, accountpages.SentRow{Key: "s" + event, Event: event, Kind: "slack", Called: "Ops", At: now, Stands: "dead", Tries: 2, Answer: "HTTP 404: no_service"})
	}
	return m
}
