package notify

import (
	"slices"
	"strconv"
	"time"

	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
)

const hour = int64(3_600_000_000)

// Plan returns the notifications for x. The zone of now is the one in which daily emails have their hour. The result is
// deterministic except for the ids.
func Plan(x *store.PlanInput, now time.Time) []store.Notification {
	p := planner{x: x, now: now}
	for i := range x.Recipients {
		t := &x.Recipients[i]
		for k := range x.Asks {
			p.ask(t, &x.Asks[k])
		}
		for k := range x.Unconfirmed {
			p.claim(t, &x.Unconfirmed[k])
		}
		for k := range x.Replies {
			p.reply(t, &x.Replies[k])
		}
		if x.Week != "" {
			p.tell(t, store.Notification{Event: store.EventWeekly, Name: "weekly " + x.Workspace + " " + x.Week})
		}
	}
	for i := range x.Channels {
		p.channel(&x.Channels[i])
	}
	return p.list
}

type planner struct {
	x    *store.PlanInput
	now  time.Time
	list []store.Notification
}

// ask notifies a person about an open ask that needs them and that they haven't snoozed.
func (p *planner) ask(t *store.Recipient, a *store.OpenAsk) {
	if !slices.Contains(a.AskedOf, t.Person) || slices.Contains(a.SnoozedBy, t.Person) {
		return
	}
	name := a.Agent + " " + a.Ask + " " + strconv.Itoa(a.Round)
	n := store.Notification{Agent: a.Agent, Ask: a.Ask, Round: a.Round}
	back := slices.Contains(a.SnoozeEndedFor, t.Person)
	if a.New || back {
		n.Event, n.Name = store.EventAsk, "ask "+name
		if a.ChangesBy == t.Person {
			n.Event = store.EventRaisedAgain
		}
		p.tell(t, n)
	}
	if due := a.Arrived + int64(t.Hours.Open)*hour; p.passed(due) || back && due <= p.x.To.At {
		n.Event, n.Name = store.EventStillOpen, "open "+name
		p.tell(t, n)
	}
}

// claim asks a person to confirm or contradict a reply that an agent reported.
func (p *planner) claim(t *store.Recipient, c *store.UnconfirmedReply) {
	if !slices.Contains(c.Confirmers, t.Person) {
		return
	}
	p.tell(t, store.Notification{Event: store.EventReportedReply, Name: claimName(c), Agent: c.Agent, Ask: c.Ask, Round: c.Round})
}

// claimName is the name of a notification about a reported reply.
func claimName(c *store.UnconfirmedReply) string {
	name := "claim "
	if c.Approves && slices.ContainsFunc(c.Steps, reply.IsIrreversible) {
		name = store.IrreversiblePrefix
	}
	return name + c.Agent + " " + c.Ask + " " + strconv.FormatInt(c.Since, 10)
}

// reply tells a person that the agent hasn't picked up their reply.
func (p *planner) reply(t *store.Recipient, l *store.LateReply) {
	if l.Person == t.Person && p.passed(l.At+int64(t.Hours.PickedUp)*hour) {
		p.tell(t, store.Notification{Event: store.EventNotPickedUp, Name: "picked " + l.Agent + " " + l.ID, Agent: l.Agent, Ask: l.Ask})
	}
}

// passed reports whether a time was reached since the last round.
func (p *planner) passed(at int64) bool {
	return p.x.From.At != 0 && at > p.x.From.At && at <= p.x.To.At
}

// tell adds a notification for each destination where the person wants it.
func (p *planner) tell(t *store.Recipient, n store.Notification) {
	n.Person, n.Workspace, n.At, n.Next = t.Person, p.x.Workspace, p.x.To.At, p.x.To.At
	if t.Wants(t.Person, n.Workspace, n.Event) {
		n.ID, n.Destination = store.NewID(), t.Person
		p.list = append(p.list, n)
	}
	for _, place := range t.Destinations {
		if !t.Wants(place.ID, n.Workspace, n.Event) {
			continue
		}
		n.ID, n.Destination = store.NewID(), place.ID
		if n.Next = p.x.To.At; place.Kind == store.DestinationEmail && place.Digest >= 0 {
			n.Next = nextHour(p.now, place.Digest).UnixMicro()
		}
		p.list = append(p.list, n)
	}
}

// nextHour is the next time at which it is that hour in the server's zone.
func nextHour(now time.Time, hour int) time.Time {
	at := time.Date(now.Year(), now.Month(), now.Day(), hour, 0, 0, 0, now.Location())
	if !at.After(now) {
		at = time.Date(now.Year(), now.Month(), now.Day()+1, hour, 0, 0, 0, now.Location())
	}
	return at
}
