package accountpages

import (
	"cmp"
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/listquery"
)

// Notifications is what the page shows on where a person is told of what needs them.
type Notifications struct {
	Email   string
	Mail    bool   // this server sends letters
	Off     bool   // notifications appear on the site only
	Push    string // the key that browsers subscribe with
	Outlets []NotificationChannel
	Spaces  []WorkspaceSettings
	Open    int // hours
	Picked  int
	Sent    []SentRow
	Fresh   string // a signing secret that was just made: shown this once
	Done    string
	Faults  ui.Faults // "target", "hook", "email", ""
	Topic   string    // as typed
	Hook    string
	Called  string
}

// NotificationChannel is a place where a person is told.
type NotificationChannel struct {
	Key, Kind, Called, Where string // Kind is "page", "email", "push", "ntfy", "webhook"; what is typed is the rest but Key
	Digest                   int    // the hour of a day's letter; -1: at once
	Waits                    bool   // it is not confirmed
	Failing                  int64  // since when nothing arrives; 0
}

// WorkspaceSettings is what a person wants to be told of in a workspace.
type WorkspaceSettings struct {
	ui.PageLocation
	Key  string
	Rows []SettingRow
}

// SettingRow is what is wanted at one place.
type SettingRow struct {
	Key, Kind, Called string
	Wanted            map[string]bool // by event
}

// SentRow is one sending.
type SentRow struct {
	Key, Event, Kind, Called string
	At                       int64
	Stands                   string // "waiting", "sent", "dead", "dropped"
	Tries                    int
	Answer                   string // of somebody else's server
	Next                     int64
}

// NotificationsPage is where a person says where they are told of what.
func NotificationsPage(ctx context.Context, site ui.Site, m Notifications) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Notifications"), Body: notificationsPage(site, m)}
}

// ConfirmDestinationPage is what the link in a letter leads to: opening it decides nothing.
func ConfirmDestinationPage(ctx context.Context, key string, good bool) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Confirm your email address"), Body: confirmPlacePage(key, good)}
}

// NotificationList is what the page tells a person in a workspace.
type NotificationList struct {
	List      listview.Request
	Page      listquery.Page[NotificationRow]
	AnyUnread bool
	Until     int64 // of the newest that is shown
}

// NotificationRow is one thing.
type NotificationRow struct {
	ID     string
	Link   templ.SafeURL
	Event  string       // "vacant.manager" and "vacant.builder" say which
	Who    string       // the agent, in its own words
	Ask    *journal.Ask // that it is about, with its State; nil: none, or one that is gone
	Person string       // who managed or built the agent
	By     string       // the colleague who handed the ask over, wrote the note or sent the reminder; ""
	Note   string       // that colleague's note
	At     int64
	Unread bool
}

// NewsList is the list of notifications. Its filters are conditions of the database. A notification is a sentence
// with a link, so the page shows rows instead of a table.
func NewsList(ctx context.Context, site ui.Site) *listview.List[NotificationRow] {
	return &listview.List[NotificationRow]{
		Name: "notifications", Title: i18n.Say(ctx, "Notifications"),
		ID: func(r *NotificationRow) string { return r.ID },
		Columns: []listview.Column[NotificationRow]{
			listview.Text("ask", i18n.Say(ctx, "Ask"), (*NotificationRow).title),
			listview.Text("kind", i18n.Say(ctx, "Kind"), func(r *NotificationRow) string { return r.Event }),
			listview.Text("says", i18n.Say(ctx, "What happened"), func(r *NotificationRow) string { return newsWord(ctx, r.Event) }),
			listview.Name("agent", i18n.Say(ctx, "Agent"), func(r *NotificationRow) string { return r.Who }),
			listview.Text("by", i18n.Say(ctx, "Who"), func(r *NotificationRow) string { return cmp.Or(r.By, r.Person) }),
			listview.Text("note", i18n.Say(ctx, "Note"), func(r *NotificationRow) string { return r.Note }),
			listview.Text("is", i18n.Say(ctx, "State"), func(r *NotificationRow) string {
				if r.Unread {
					return "unread"
				}
				return "read"
			}),
			listview.Time("when", i18n.Say(ctx, "When"), func(r *NotificationRow) int64 { return r.At }),
		},
		Empty: noNews(site),
	}
}

// EventsSaying returns the events of which one of our sentences contains a text in lower case.
func EventsSaying(ctx context.Context, text string) (all []string) {
	for _, event := range NotificationKinds {
		if strings.Contains(strings.ToLower(newsWord(ctx, event)), text) {
			all = append(all, event)
		}
	}
	return all
}

// notificationValues are filters to choose from.
func notificationValues() []string {
	all := []string{"is:unread"}
	for _, event := range NotificationKinds {
		all = append(all, "kind:"+event)
	}
	return all
}

// NotificationKinds are the events of notifications on the page, as kind: in filters has them.
var NotificationKinds = []string{"ask", "claim", "changes", "open", "picked", "handed", "mention", "nudge", "vacant", "policy", "weekly", "failing", "test"}

// title is the title of the ask, an agent's words; "" when there is none.
func (r *NotificationRow) title() string {
	if r.Ask == nil {
		return ""
	}
	return r.Ask.Ask.Title
}

// vacantSentences say whose post is empty, and what follows.
var vacantSentences = map[string]string{
	"vacant.manager": "{0} was the manager of {1}. Its asks to a manager go to owners and admins until you choose one.",
	"vacant.builder": "{0} was the builder of {1}. Its asks to a builder go to owners and admins until you choose one.",
}

// NotificationListPage lists it.
func NotificationListPage(ctx context.Context, site ui.Site, m NotificationList) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Notifications"), Body: newsPage(site, m)}
}

// newsWord says what happened, without anybody's words.
func newsWord(ctx context.Context, event string) string {
	switch event {
	case "ask":
		return i18n.Say(ctx, "A new ask needs you")
	case "claim":
		return i18n.Say(ctx, "An agent reports a reply in your name: confirm or contradict it")
	case "changes":
		return i18n.Say(ctx, "An ask was raised again after you requested changes")
	case "open":
		return i18n.Say(ctx, "An ask still needs you")
	case "picked":
		return i18n.Say(ctx, "The agent hasn't picked up your reply")
	case "handed":
		return i18n.Say(ctx, "A colleague handed you an ask")
	case "handed.several":
		return i18n.Say(ctx, "A colleague handed you several asks")
	case "mention":
		return i18n.Say(ctx, "A colleague mentioned you in a note")
	case "nudge":
		return i18n.Say(ctx, "A colleague reminds you: the agent hasn't picked up a reply")
	case "vacant", "vacant.manager", "vacant.builder":
		return i18n.Say(ctx, "An agent has lost its manager or builder")
	case "policy":
		return i18n.Say(ctx, "A workspace loosened its approval or notification policy")
	case "weekly":
		return i18n.Say(ctx, "Your weekly report")
	case "failing":
		return i18n.Say(ctx, "One of your notification channels is failing")
	case "failing.chat":
		return i18n.Say(ctx, "A chat channel of this workspace is failing")
	case "test":
		return i18n.Say(ctx, "Test message")
	}
	return i18n.Say(ctx, "Notification")
}

// WishEvents are the events that one chooses, in their order.
var WishEvents = []string{"ask", "claim", "changes", "open", "picked", "handed", "mention", "nudge", "vacant", "policy", "weekly"}

func wishWord(ctx context.Context, event string) string {
	switch event {
	case "ask":
		return i18n.Say(ctx, "New asks")
	case "claim":
		return i18n.Say(ctx, "Replies reported in my name")
	case "changes":
		return i18n.Say(ctx, "Asks raised again after I requested changes")
	case "open":
		return i18n.Say(ctx, "Reminders about open asks")
	case "handed":
		return i18n.Say(ctx, "Asks handed to me")
	case "mention":
		return i18n.Say(ctx, "Notes that mention me")
	case "nudge":
		return i18n.Say(ctx, "Reminders that an agent hasn't picked up a reply")
	case "vacant":
		return i18n.Say(ctx, "An agent without manager or builder")
	case "policy":
		return i18n.Say(ctx, "Looser workspace policy")
	case "weekly":
		return i18n.Say(ctx, "Weekly report")
	}
	return i18n.Say(ctx, "Agent hasn't picked up my reply")
}

// outletWord is a way on which one is told.
func outletWord(ctx context.Context, kind string) string {
	switch kind {
	case "page":
		return i18n.Say(ctx, "On this site")
	case "email":
		return i18n.Say(ctx, "Email")
	case "push":
		return i18n.Say(ctx, "Browser")
	case "ntfy":
		return i18n.Say(ctx, "ntfy")
	case "webhook":
		return i18n.Say(ctx, "Webhook")
	}
	return cmp.Or(chatService(ctx, kind), i18n.Say(ctx, "a removed channel"))
}

func sentWord(ctx context.Context, state string) string {
	switch state {
	case "sent":
		return i18n.Say(ctx, "sent")
	case "dead":
		return i18n.Say(ctx, "gave up")
	case "dropped":
		return i18n.Say(ctx, "no longer needed")
	}
	return i18n.Say(ctx, "waiting")
}

// sentTone is the chip of a state.
func sentTone(state string) string {
	switch state {
	case "sent":
		return "ok"
	case "dead":
		return "fail"
	case "waiting":
		return "wait"
	}
	return "note"
}

// newsDone says what a form has just done.
func newsDone(ctx context.Context, done string) string {
	switch done {
	case "channel-added":
		return i18n.Say(ctx, "Channel added. Choose below what to send there, and send a test.")
	case "confirmation-sent":
		return i18n.Say(ctx, "We sent you an email. Open its link within a day to confirm the address.")
	case "email-confirmed":
		return i18n.Say(ctx, "Email address confirmed. Choose below what to send there.")
	case "channel-removed":
		return i18n.Say(ctx, "Channel removed. Nothing will be sent there.")
	case "test-sent":
		return i18n.Say(ctx, "Test message sent. The result appears below.")
	case "message-resent":
		return i18n.Say(ctx, "The message is being sent again with the same ID.")
	case "events-saved", "reminders-saved", "schedule-saved":
		return i18n.Say(ctx, "Saved.")
	case "all-read":
		return i18n.Say(ctx, "All notifications are marked as read.")
	}
	return ""
}

// everyHour are the hours of a day.
func everyHour() []int {
	all := make([]int, 24)
	for i := range all {
		all[i] = i
	}
	return all
}

func hasEmail(m Notifications) bool {
	for i := range m.Outlets {
		if m.Outlets[i].Kind == "email" && !m.Outlets[i].Waits {
			return true
		}
	}
	return false
}

// BrowserName is what kind of browser said so of itself, as a person may call the place where it is.
func BrowserName(ctx context.Context, agent string) string { return browserNamed(ctx, agent) }

// inKey is a key in base64url, and nothing else that stands in it.
func inKey(key string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return r
		}
		return -1
	}, key)
}

// naming is what tells a place from others for who hears the page.
func (o *NotificationChannel) naming(ctx context.Context) string {
	if o.Called != "" {
		return o.Called
	}
	return outletWord(ctx, o.Kind)
}
