package auth

import (
	"context"
	"errors"
	"slices"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// Replies is what must be known of the replies to an ask.
type Replies interface {
	Record(ctx context.Context, agent string, file figs.File, id string) (*store.Record, error)
	Message(ctx context.Context, agent, id string) (store.Message, error)
	MemberNamed(ctx context.Context, workspace, by string, arrived int64) (person string, err error)
	Pending(ctx context.Context, agent, ask string) (store.Decision, error)
	UserNames(ctx context.Context, people []string) (map[string]string, error)
}

// Standing is how a member of a workspace stands to an ask: whether they may reply to it, and what
// speaks against a reply now.
type Standing struct {
	May      bool
	Bar      figs.ReplyBlock
	By       string           // user id of whose verified reply bars or is corrected; ""
	Reported *journal.Message // what is only reported; nil
	Pending  *store.Decision  // a decision that does not count yet; nil
	Revision string           // of the ask, as it was read
}

// Stand tells how a person stands to an ask of an agent, both as they were read.
func (p *Place) Stand(ctx context.Context, s Replies, person string, a *journal.Agent, ask *journal.Ask) (x Standing, err error) {
	id := a.Config.AgentID
	x.Revision = RevisionOf(ask).String()
	if at := ask.State.Reply; ask.State.Reported && at >= 0 && at < len(ask.Thread) && !ask.Thread[at].Verified {
		x.Reported = &ask.Thread[at]
	}
	if a.Hosted != nil {
		x.May = accounts.Can(p.Role, accounts.RelationTo(person, &store.Agent{Manager: a.Hosted.Manager.ID, Builder: a.Hosted.Builder.ID}), accounts.ReplyToAsk)
	}
	if x.Reported != nil && !x.May && accounts.Can(p.Role, accounts.AgentRelation{}, accounts.ConfirmReport) {
		if x.May, err = p.named(ctx, s, person, id, x.Reported); err != nil {
			return x, err
		}
	}
	if x.By, err = spoke(ctx, s, id, ask); err != nil {
		return x, err
	}
	x.Bar = figs.CheckDecidable(&ask.Ask, ask.State, x.By != "", x.By == person)
	made, err := s.Pending(ctx, id, ask.Ask.ID)
	switch {
	case err == nil:
		x.Pending = &made
	case !errors.Is(err, store.ErrNotFound):
		return x, err
	}
	return x, nil
}

// named reports whether a person is whom the reported reply names.
func (p *Place) named(ctx context.Context, s Replies, person, agent string, reported *journal.Message) (bool, error) {
	m, err := s.Message(ctx, agent, reported.Message.ID)
	if err != nil {
		return false, err
	}
	who, err := s.MemberNamed(ctx, p.Workspace.ID, reported.Message.By, m.Received)
	return who == person, err
}

// spoke is who gave the newest verified reply that bars others, or may be corrected; "" is nobody.
func spoke(ctx context.Context, s Replies, agent string, ask *journal.Ask) (by string, err error) {
	if !slices.ContainsFunc(ask.Thread, func(m journal.Message) bool { return m.Verified && !m.Earlier }) {
		return "", nil
	}
	r, err := s.Record(ctx, agent, figs.Asks, ask.Ask.ID)
	if err != nil {
		return "", err
	}
	return store.LatestReplier(r), nil
}

// RevisionOf is the revision of an ask as it was read, and of nothing that came since.
func RevisionOf(ask *journal.Ask) store.Revision {
	return store.RevisionOf(&store.Record{Fold: ask.Raw, Versions: ask.Lines, State: ask.State, Thread: make([]store.Message, len(ask.Thread))})
}

// Why is the reason that a person with this standing can't reply to an ask; without a sentence, they can.
func (p *Place) Why(ctx context.Context, s Replies, x *Standing, agent *journal.Hosted) (ui.Fault, error) {
	switch {
	case !x.May:
		return p.MayNot(agent), nil
	case x.Bar == figs.BlockedDecided:
		by, err := Person(ctx, s, x.By)
		return ui.Fault{Sentence: "{0} has since replied to this ask. Read the reply; if you disagree, talk to {0}.", Args: []any{by.Name}}, err
	}
	return ui.Fault{Sentence: x.Bar.Sentence()}, nil
}

// Person is somebody with their name, as far as it is known.
func Person(ctx context.Context, s Replies, id string) (journal.Person, error) {
	names, err := s.UserNames(ctx, []string{id})
	p := journal.Person{ID: id, Name: names[id]}
	if p.Name == "" {
		p.Name = "Someone"
	}
	return p, err
}

// MayNot says who may reply to the asks of an agent.
func (p *Place) MayNot(agent *journal.Hosted) ui.Fault {
	f := ui.Fault{Sentence: "You aren't this agent's manager or builder; an owner or admin can assign you."}
	if p.Role == store.Viewer {
		f.Sentence = "You're a viewer here: you can read everything but can't reply."
	}
	managed := agent != nil && agent.Manager.ID != ""
	built := agent != nil && agent.Builder.ID != "" && agent.Builder.ID != agent.Manager.ID
	switch {
	case managed && built:
		f.Hint, f.Args = "People who can reply: {0}, who manages this agent; {1}, who built it; the owners and admins of the workspace.", []any{agent.Manager.Name, agent.Builder.Name}
	case managed:
		f.Hint, f.Args = "People who can reply: {0}, who manages this agent; the owners and admins of the workspace.", []any{agent.Manager.Name}
	case built:
		f.Hint, f.Args = "People who can reply: {0}, who built it; the owners and admins of the workspace.", []any{agent.Builder.Name}
	default:
		f.Hint = "People who can reply: the owners and admins of the workspace."
	}
	return f
}
