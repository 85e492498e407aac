package notify

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"unicode"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/store"
)

// Message is what a notification says.
type Message struct {
	Headline  string // without a full stop
	Workspace string // its name; "" if the notification isn't about a workspace
	Quote     string // title of the ask; may be ""
	Text      string // a sentence with more; may be ""
	Button    string // for emails: the link's label
	Link      string // to the page; it decides nothing
}

// Title is the headline with the workspace's name: "Payables needs your approval · Acme".
func (m *Message) Title() string { return joinDot(m.Headline, cut(m.Workspace, maxName)) }

// Subject is the headline with the title of the ask and the workspace's name.
func (m *Message) Subject() string {
	headline := m.Headline
	if m.Quote != "" {
		headline += ": " + cut(m.Quote, maxSubjectText)
	}
	return joinDot(headline, cut(m.Workspace, maxName))
}

// Body is the text below the title where there is room for one thing; may be "".
func (m *Message) Body() string { return cmp.Or(m.Quote, m.Text) }

// A title has at most maxName characters of a name, and a subject maxSubjectText of an ask's title, so that the mail
// package's limit of 200 never cuts off the workspace.
const maxName, maxSubjectText = 40, 70

func joinDot(headline, workspace string) string {
	if workspace == "" {
		return headline
	}
	return headline + " · " + workspace
}

// note words a notification in the language of ctx. Text written by agents, including their names, is only in it if the
// workspace allows that.
func (w *Worker) note(ctx context.Context, d *store.DueNotification) Message {
	n := Message{Link: w.link(d), Workspace: oneLine(d.WorkspaceName)}
	if d.IncludeText {
		n.Quote = oneLine(d.Title)
	}
	if agent := cut(oneLine(d.AgentName), maxName); d.IncludeText && agent != "" {
		n.Headline, n.Button = namedHeadline(ctx, d, agent)
	}
	if headline, button := headline(ctx, d); n.Headline == "" {
		n.Headline, n.Button = headline, button
	}
	switch d.Event {
	case store.EventTest:
		n.Text = i18n.Say(ctx, "Notifications will arrive here.")
	case store.EventPolicy:
		n.Text = i18n.Say(ctx, "Approvals or notifications in this workspace are less protected than before.")
	case store.EventHandedOver, store.EventMention:
		n.Text = oneLine(d.Note)
	case store.EventWeekly:
		n.Text = w.weekly(ctx, d)
	case store.EventReportedReply:
		n.Text = i18n.Say(ctx, "If the report is right, confirm it. If not, contradict it.")
	}
	return n
}

// headline is what a notification says without text written by agents, and the label of its link.
func headline(ctx context.Context, d *store.DueNotification) (headline, button string) {
	open := i18n.Say(ctx, "Open the ask")
	switch d.Event {
	case store.EventAsk:
		return i18n.Say(ctx, "An agent needs you"), open
	case store.EventRaisedAgain:
		return i18n.Say(ctx, "An agent raised a sign-off again after you requested changes"), open
	case store.EventStillOpen:
		return i18n.Say(ctx, "An agent is still waiting for you"), open
	case store.EventNotPickedUp:
		return i18n.Say(ctx, "An agent hasn't picked up your reply"), open
	case store.EventReportedReply:
		if d.IsIrreversible() {
			return i18n.Say(ctx, "Confirm or contradict a reported approval of steps that can't be undone"), open
		}
		return i18n.Say(ctx, "Confirm or contradict a reported reply"), open
	case store.EventHandedOver:
		if d.Ask == "" {
			return i18n.Say(ctx, "A colleague handed you several asks"), i18n.Say(ctx, "Open the inbox")
		}
		return i18n.Say(ctx, "A colleague handed you an ask"), open
	case store.EventMention:
		return i18n.Say(ctx, "A colleague mentioned you in a note"), open
	case store.EventNudge:
		return i18n.Say(ctx, "A colleague reminds you: an agent hasn't picked up a reply"), open
	case store.EventNoAddressee:
		if isVacantBuilder(d) {
			return i18n.Say(ctx, "An agent has lost its builder"), i18n.Say(ctx, "Choose a builder")
		}
		return i18n.Say(ctx, "An agent has lost its manager"), i18n.Say(ctx, "Choose a manager")
	case store.EventPolicy:
		return i18n.Say(ctx, "The workspace policy now protects less"), i18n.Say(ctx, "Check the policy")
	case store.EventWeekly:
		return i18n.Say(ctx, "Your weekly report"), i18n.Say(ctx, "Open the reports")
	case store.EventTest:
		return i18n.Say(ctx, "Test notification"), i18n.Say(ctx, "Open your notification settings")
	}
	return i18n.Say(ctx, "You have a notification"), i18n.Say(ctx, "Open figs-web")
}

// namedHeadline is headline with the agent's name. It is "" for events whose headline doesn't name the agent.
func namedHeadline(ctx context.Context, d *store.DueNotification, agent string) (headline, button string) {
	open, approval, answer := i18n.Say(ctx, "Open the ask"), i18n.Say(ctx, "Review the sign-off"), i18n.Say(ctx, "Answer the question")
	signOff, question := d.AskType == "sign-off", d.AskType == "question"
	switch d.Event {
	case store.EventAsk:
		switch {
		case signOff:
			return i18n.Say(ctx, "%s needs your approval", agent), approval
		case question:
			return i18n.Say(ctx, "%s needs your answer", agent), answer
		}
		return i18n.Say(ctx, "%s needs you", agent), open
	case store.EventRaisedAgain:
		return i18n.Say(ctx, "%s raised a sign-off again after you requested changes", agent), approval
	case store.EventStillOpen:
		switch {
		case signOff:
			return i18n.Say(ctx, "%s still needs your approval", agent), approval
		case question:
			return i18n.Say(ctx, "%s still needs your answer", agent), answer
		}
		return i18n.Say(ctx, "%s still needs you", agent), open
	case store.EventNotPickedUp:
		return i18n.Say(ctx, "%s hasn't picked up your reply", agent), open
	case store.EventNudge:
		return i18n.Say(ctx, "A colleague reminds you: %s hasn't picked up a reply", agent), open
	case store.EventNoAddressee:
		if isVacantBuilder(d) {
			return i18n.Say(ctx, "%s has lost its builder", agent), i18n.Say(ctx, "Choose a builder")
		}
		return i18n.Say(ctx, "%s has lost its manager", agent), i18n.Say(ctx, "Choose a manager")
	}
	return "", ""
}

// isVacantBuilder reports whether an EventNoAddressee is about the builder, not the manager.
func isVacantBuilder(d *store.DueNotification) bool {
	return strings.HasPrefix(d.Name, "vacant builder ")
}

// link is the URL of the notification, which redirects to what it is about. It contains no ids of records, because agents
// choose those.
func (w *Worker) link(d *store.DueNotification) string {
	if d.Slug == "" {
		return w.Public.JoinPath("settings", "notifications").String()
	}
	return w.Public.JoinPath("w", url.PathEscape(d.Slug), "news", d.ID).String()
}

// oneLine is s on one line, without control and format characters, cut after 120 characters.
func oneLine(s string) string {
	return cut(strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}), " "), 120)
}

// cut shortens s to n characters.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		s = string(r[:n-1]) + "…"
	}
	return s
}

// plainly describes an error without URLs, which may contain secrets.
func plainly(err error) string {
	var at *url.Error
	for err != nil {
		if e, ok := err.(*url.Error); ok {
			at = e
			break
		}
		u, ok := err.(interface{ Unwrap() error })
		if !ok {
			break
		}
		err = u.Unwrap()
	}
	var lookup *net.DNSError
	switch {
	case at != nil && errors.As(at, &lookup): // its own text names the resolver
		return "the host name couldn't be resolved"
	case at != nil && at.Timeout():
		return "no response in time"
	case at != nil:
		return oneLine(at.Err.Error())
	}
	return oneLine(err.Error())
}
