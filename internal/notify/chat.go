package notify

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/chat"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
)

// channel plans what a chat channel is told, of what it was chosen to be told: of each round of an ask when it arrives and once
// more when it is still open, of replies that an agent reports, of replies that it doesn't pick up, and of asks it was told about
// that no longer need a person. What had arrived before the channel was added isn't told.
func (p *planner) channel(h *store.ChatChannel) {
	for i := range p.x.Asks {
		a := &p.x.Asks[i]
		if a.Arrived < h.Created {
			continue
		}
		name := a.Agent + " " + a.Ask + " " + strconv.Itoa(a.Round)
		n := store.Notification{Agent: a.Agent, Ask: a.Ask, Round: a.Round}
		if a.New {
			n.Event, n.Name = store.EventAsk, "ask "+name
			p.tellChannel(h, n, a.Type)
		}
		if p.passed(a.Arrived + int64(store.DefaultReminderHours.Open)*hour) {
			n.Event, n.Name = store.EventStillOpen, "open "+name
			p.tellChannel(h, n, a.Type)
		}
	}
	for i := range p.x.Unconfirmed {
		if c := &p.x.Unconfirmed[i]; c.New {
			p.tellChannel(h, store.Notification{Event: store.EventReportedReply, Name: claimName(c), Agent: c.Agent, Ask: c.Ask, Round: c.Round}, "")
		}
	}
	for i := range p.x.Replies {
		l := &p.x.Replies[i]
		if l.At >= h.Created && p.passed(l.At+int64(store.DefaultReminderHours.PickedUp)*hour) {
			p.tellChannel(h, store.Notification{Event: store.EventNotPickedUp, Name: "picked " + l.Agent + " " + l.ID, Agent: l.Agent, Ask: l.Ask}, "")
		}
	}
	p.settled(h)
}

// settled plans that a channel is told of an ask that no longer needs a person.
func (p *planner) settled(h *store.ChatChannel) {
	for i := range p.x.Settled {
		if a := &p.x.Settled[i]; slices.Contains(a.Told, h.ID) {
			n := store.Notification{Event: store.EventSettled, Name: "settled " + a.Agent + " " + a.Ask + " " + strconv.Itoa(a.Round), Agent: a.Agent, Ask: a.Ask, Round: a.Round}
			p.tellChannel(h, n, "")
		}
	}
}

func (p *planner) tellChannel(h *store.ChatChannel, n store.Notification, askType string) {
	if !h.Wants(store.TopicOf(n.Event, askType), n.Agent, p.x.Departments[n.Agent]) {
		return
	}
	n.ID, n.Destination, n.Workspace, n.At, n.Next = store.NewID(), h.ID, p.x.Workspace, p.x.To.At, p.x.To.At
	p.list = append(p.list, n)
}

// byChat sends one message about all notifications of a part to a chat channel. Statuses that mean that the webhook or token is no longer valid aren't retried.
func (w *Worker) byChat(ctx context.Context, part []store.DueNotification) (string, error) {
	d := &part[0]
	c := chat.Channel{Service: chat.Service(d.Chat.Service), URL: d.Chat.URL, Room: d.Chat.Room, Token: d.Chat.Token}
	ctx = i18n.WithLanguage(ctx, d.Language)
	m := w.chatMessage(ctx, d)
	if len(part) > 1 {
		m = w.chatGroup(ctx, part)
	}
	m.ID = cmp.Or(d.Batch, d.ID)
	r, err := chat.NewRequest(ctx, &c, &m, w.Near)
	if err != nil {
		return "", &final{err.Error()}
	}
	r.Header.Set("User-Agent", "figs-web")
	got, err := w.HTTP.Do(r)
	if err != nil {
		return "", err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(io.LimitReader(got.Body, mostAnswer))
	if err != nil {
		return "", err
	}
	got.Body = io.NopCloser(strings.NewReader(c.Redact(string(body))))
	answer, err := judge(got, w.Now())
	if err != nil && chat.Revoked(got.StatusCode) {
		return "", &final{"the webhook or token is no longer valid: " + err.Error()}
	}
	return answer, err
}

// chatMessage words a notification for a channel, where several people read it. Text written by agents is only in it if the
// workspace allows that.
func (w *Worker) chatMessage(ctx context.Context, d *store.DueNotification) chat.Message {
	m := chat.Message{Workspace: oneLine(d.WorkspaceName), Link: w.link(d), Button: i18n.Say(ctx, "Open the ask")}
	agent := cut(oneLine(d.AgentName), maxName)
	named := d.IncludeText && agent != ""
	if d.IncludeText {
		m.Title = oneLine(d.Title)
	}
	switch {
	case d.Event == store.EventTest:
		m.Headline, m.Title, m.Button = i18n.Say(ctx, "Test notification"), i18n.Say(ctx, "Notifications will arrive here."), i18n.Say(ctx, "Open figs-web")
		return m
	case d.Event == store.EventReportedReply && d.IsIrreversible():
		m.Headline = i18n.Say(ctx, "Confirm or contradict a reported approval of steps that can't be undone")
	case d.Event == store.EventReportedReply:
		m.Headline = i18n.Say(ctx, "Confirm or contradict a reported reply")
	case d.Event == store.EventNotPickedUp && named:
		m.Headline = i18n.Say(ctx, "%s hasn't picked up a reply", agent)
	case d.Event == store.EventNotPickedUp:
		m.Headline = i18n.Say(ctx, "An agent hasn't picked up a reply")
	case d.Event == store.EventSettled && named:
		m.Headline = i18n.Say(ctx, "%s no longer waits for a person", agent)
	case d.Event == store.EventSettled:
		m.Headline = i18n.Say(ctx, "An agent no longer waits for a person")
	case named:
		m.Headline = channelHeadline(ctx, d, agent)
	case d.Event == store.EventStillOpen:
		m.Headline = i18n.Say(ctx, "An agent is still waiting for a person")
	default:
		m.Headline = i18n.Say(ctx, "An agent needs a person")
	}
	if d.IncludeText && needsReply(d) && d.Event != store.EventReportedReply {
		m.Facts = w.askFacts(ctx, d)
	}
	if d.Event == store.EventReportedReply && named {
		m.Facts = []chat.Fact{{Name: i18n.Say(ctx, "Agent"), Value: agent}}
	}
	return m
}

// channelHeadline says what an agent needs, to a channel.
func channelHeadline(ctx context.Context, d *store.DueNotification, agent string) string {
	still := d.Event == store.EventStillOpen
	switch {
	case d.AskType == "sign-off" && still:
		return i18n.Say(ctx, "%s is still waiting for an approval", agent)
	case d.AskType == "sign-off":
		return i18n.Say(ctx, "%s needs an approval", agent)
	case d.AskType == "question" && still:
		return i18n.Say(ctx, "%s is still waiting for an answer", agent)
	case d.AskType == "question":
		return i18n.Say(ctx, "%s needs an answer", agent)
	case still:
		return i18n.Say(ctx, "%s is still waiting for a person", agent)
	}
	return i18n.Say(ctx, "%s needs a person", agent)
}

// askFacts returns what an ask asks for and how long it has been waiting.
func (w *Worker) askFacts(ctx context.Context, d *store.DueNotification) (facts []chat.Fact) {
	if n := len(d.Steps); n > 0 {
		facts = append(facts, chat.Fact{Name: i18n.Say(ctx, "Asked for"), Value: i18n.Count(ctx, n, "approval of one step", "approval of %d steps")})
		grave := len(slices.DeleteFunc(slices.Clone(d.Steps), func(s string) bool { return !reply.IsIrreversible(s) }))
		if grave > 0 {
			facts = append(facts, chat.Fact{Name: i18n.Say(ctx, "Can't be undone"), Value: i18n.Count(ctx, grave, "one step", "%d steps")})
		}
	}
	if waited := w.now() - d.Waits; d.Waits != figs.NoTime && waited >= time.Minute.Microseconds() {
		facts = append(facts, chat.Fact{Name: i18n.Say(ctx, "Waiting"), Value: waitedFor(ctx, waited)})
	}
	return facts
}

// waitedFor is a length of time in its largest unit, rounded down.
func waitedFor(ctx context.Context, micros int64) string {
	switch minutes := int(micros / time.Minute.Microseconds()); {
	case minutes < 60:
		return i18n.Count(ctx, minutes, "%d minute", "%d minutes")
	case minutes < 48*60:
		return i18n.Count(ctx, minutes/60, "%d hour", "%d hours")
	default:
		return i18n.Count(ctx, minutes/(24*60), "%d day", "%d days")
	}
}
