package notify

import (
	"errors"
	"net"
	"net/url"
	"strings"
	"unicode"

	"github.com/figs-web/figs-web/internal/store"
)

// Message is what news say.
type Message struct {
	Title string // a sentence without a full stop
	Text  string // more of it; may be ""
	Link  string // to the page; it decides nothing
}

// note words a sending. What agents wrote, their names included, stands in it only where the
// workspace allows that.
func (w *Worker) note(d *store.DueNotification) Message {
	n := Message{Link: w.link(d)}
	place := oneLine(d.WorkspaceName)
	switch d.Event {
	case store.EventAsk:
		n.Title = "A new ask waits for you in " + place
		if d.IncludeText {
			n.Title = "An ask of " + oneLine(d.AgentName) + " waits for you in " + place
		}
	case store.EventRaisedAgain:
		n.Title = "What you asked changes of was raised again in " + place
	case store.EventStillOpen:
		n.Title = "An ask still waits for you in " + place
	case store.EventNotPickedUp:
		n.Title = "No agent has come for a reply of yours in " + place
	case store.EventReportedReply:
		n.Title = "An agent reports a reply in your name. Confirm or contradict it in " + place
		if strings.HasPrefix(d.Name, grave) {
			n.Title = "An agent reports that you approved what cannot be undone. Confirm or contradict it in " + place
		}
	case store.EventNoAddressee:
		n.Title = "An agent has lost its manager or builder in " + place
		if d.IncludeText && d.AgentName != "" {
			n.Title = oneLine(d.AgentName) + " has lost its manager or builder in " + place
		}
	case store.EventPolicy:
		n.Title = "Approvals or notifications are protected less than before in " + place
	case store.EventTest:
		n.Title, n.Text = "This is a try", "What needs you will arrive here."
	default:
		n.Title = "There are news for you in " + place
	}
	if d.IncludeText && d.Title != "" {
		n.Text = oneLine(d.Title)
	}
	return n
}

// link leads to the news, and from there to what they are about: its own address holds no word of a
// record, since ids are an agent's words too.
func (w *Worker) link(d *store.DueNotification) string {
	if d.Slug == "" {
		return w.Public.JoinPath("settings", "notifications").String()
	}
	return w.Public.JoinPath("w", url.PathEscape(d.Slug), "news", d.ID).String()
}

// oneLine is a text that fits into a line of somebody else's program: no line feeds, nothing that
// cannot be seen, and no more than one reads.
func oneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}), " ")
	if r := []rune(s); len(r) > 120 {
		s = string(r[:119]) + "…"
	}
	return s
}

// plainly is an error without addresses: what was typed into one may be a secret.
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
		return "the name of its host leads nowhere"
	case at != nil && at.Timeout():
		return "there was no answer in time"
	case at != nil:
		return oneLine(at.Err.Error())
	}
	return oneLine(err.Error())
}
