package decide

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
)

// desk knows what one visitor of a workspace may say to its asks, and shows what they sent that
// was not taken.
type desk struct {
	h    *hosted.Host
	user store.User
	at   *auth.Place
	now  int64
	last int64          // when the visitor last proved who they are
	said string         // what has just happened; ""
	sent *RefusedForm   // nil: nothing was
	list *ui.BesideList // the list of the inbox beside the ask; nil: none
	// follow converts how far an ask has got.
	follow func(f *store.FollowUp, names map[string]string, ask *journal.Ask) *journal.FollowUp
}

// RefusedForm is a form that was not taken, and why.
type RefusedForm struct {
	Form   reply.Form
	Unread bool // the form could not be read: what was typed is not known
	Fault  *ui.Fault
	Lacks  []reply.Missing
	Stale  *ui.StaleReply
	Team   *ui.TeamForm // the form of colleagues that was sent; nil: another was
}

// DeskOf prepares the forms of an ask's page for the visitor.
func (h Handlers) DeskOf(c echo.Context) *desk {
	return &desk{h: h.Host, user: web.SignedIn(c).User, at: auth.At(c), now: h.Now().UnixMicro(), last: web.SignedIn(c).Proved, said: saidOf(c.QueryParam("notice")), list: listOf(c), follow: h.Journal(c).FollowUpOf}
}

// Sayings are the flash messages of an ask's page, by the value of the URL's "notice" parameter.
var Sayings = map[string]string{
	"reply-undone":         "The reply was undone before it took effect. Its text is kept as your draft.",
	"draft-saved":          "Draft saved. Only you can see it.",
	"draft-empty":          "The form is empty, so no draft was saved.",
	"remark-added":         "Comment added. It is sent with your reply.",
	"remark-removed":       "Comment removed.",
	"review-started":       "Others can see for 30 minutes that you are reviewing this.",
	"review-stopped":       "Others no longer see that you are reviewing this.",
	"snoozed":              "Snoozed, for you only. The agent isn't told.",
	"unsnoozed":            "This is back in your inbox.",
	"handed-over":          "Handed over. Who may decide hasn't changed.",
	"taken-back":           "The hand-over has ended.",
	"note-added":           "Note added. The agent never sees it.",
	"reminded":             "Reminder sent.",
	"reply-already-counts": "The reply you sent with this form has already taken effect.",
}

func saidOf(word string) string { return Sayings[word] }

// askContext is an ask that a visitor wants to reply to, as this request has read it.
type askContext struct {
	agent *journal.Agent
	ask   *journal.Ask
	id    string // of the agent
	auth.Standing
	gate   reply.Gate
	opened [][]store.AttachmentView // by file of the gate: how this person has opened it
}

// Sheet implements components.Desk.
func (d *desk) DecisionForm(ctx context.Context, a *journal.Agent, ask *journal.Ask) (*ui.DecisionForm, error) {
	x, err := d.matter(ctx, a, ask)
	if err != nil {
		return nil, err
	}
	s := &ui.DecisionForm{At: d.address(x), Beside: d.list, Verified: true, Reported: x.Reported, Gate: x.gate, Said: d.said}
	s.AsksProof = d.asksProof()
	s.Form = reply.Form{Key: rand.Text(), Revision: x.Revision, By: d.user.Name, Files: FormFiles(&x.gate)}
	if s.Pending, err = d.pendingOf(ctx, x); err != nil {
		return nil, err
	}
	if s.Why, err = d.at.Why(ctx, d.h.Store, &x.Standing, a.Hosted); err != nil {
		return nil, err
	}
	if x.May {
		s.Correct, s.Drafts = x.By == d.user.ID && x.Bar == figs.NotBlocked, true
		s.Snooze = ask.State.Phase == figs.NeedsYou
		s.Earlier = d.earlier(ctx, x)
		if s.Claims, s.Snoozed, err = d.aside(ctx, x); err == nil && d.sent == nil {
			err = d.drafted(ctx, x, s)
		}
	}
	if err == nil {
		s.Team, err = d.team(ctx, x)
	}
	if d.sent != nil {
		d.sent.show(x, s)
	}
	return s, err
}

// matter reads what must be known to reply to an ask.
func (d *desk) matter(ctx context.Context, a *journal.Agent, ask *journal.Ask) (x *askContext, err error) {
	x = &askContext{agent: a, ask: ask, id: a.Config.AgentID}
	if x.Standing, err = d.at.Stand(ctx, d.h.Store, d.user.ID, a, ask); err != nil {
		return nil, err
	}
	return x, d.open(ctx, x)
}

// address is where the ask's page is.
func (d *desk) address(x *askContext) string {
	return hosted.AskAddress(d.at.Workspace.Slug, x.id, x.ask.Ask.ID)
}

// page is the URL of the ask's page with what its query or its hash says, beside the same list.
func (d *desk) page(x *askContext, more string) string {
	return d.list.WithList(d.address(x) + more)
}

// aside is who looks at the ask, and until when the visitor has put it off.
func (d *desk) aside(ctx context.Context, x *askContext) (claims []journal.Claim, snoozed int64, err error) {
	list, err := d.h.Store.Claims(ctx, x.id, x.ask.Ask.ID, d.now)
	if err != nil {
		return nil, 0, err
	}
	for _, claim := range list {
		by, err := d.person(ctx, claim.By)
		if err != nil {
			return nil, 0, err
		}
		claims = append(claims, journal.Claim{By: by, Mine: claim.By == d.user.ID, Until: claim.Until})
	}
	snoozed, err = d.h.Store.Snoozed(ctx, d.user.ID, x.id, x.ask.Ask.ID, d.now)
	return claims, snoozed, err
}

func (d *desk) person(ctx context.Context, id string) (journal.Person, error) {
	return auth.Person(ctx, d.h.Store, id)
}

// pendingOf is the decision that does not count yet; nil when there is none.
func (d *desk) pendingOf(ctx context.Context, x *askContext) (*journal.Pending, error) {
	if x.Pending == nil {
		return nil, nil
	}
	by, err := d.person(ctx, x.Pending.By)
	p := hosted.PendingFrom(x.Pending, by, d.user.ID)
	return &p, err
}

// drafted puts what the visitor has begun to write into the form.
func (d *desk) drafted(ctx context.Context, x *askContext, s *ui.DecisionForm) error {
	draft, err := d.h.Store.Draft(ctx, d.user.ID, x.id, x.ask.Ask.ID)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	s.Form.Verdict, s.Form.Chosen, s.Form.Text, s.Draft = draft.Verdict, draft.Chosen, draft.Text, draft.At
	if draft.Token != "" {
		s.ByProgram, s.Proposal = true, proposals[draft.Verdict]
	}
	s.Behind = draft.Revision != x.Revision
	return nil
}

// proposals are what drafts of programs want to be said, which no field of the form shows: the person
// presses a button for it, or another.
var proposals = map[string]string{"approved": "It proposes to approve.", "changes-requested": "It proposes to request changes.", "rejected": "It proposes to decline."}

// show puts what was typed back into the form, with why it was not taken. Ticks stay only where
// nothing has changed under them.
func (t *RefusedForm) show(x *askContext, s *ui.DecisionForm) {
	s.Fault, s.Lacks, s.Stale, s.Form.Told = t.Fault, t.Lacks, t.Stale, ToldOf(t)
	if t.Team != nil && s.Team != nil {
		s.Team.Form = *t.Team
	}
	if t.Unread {
		return
	}
	typed := t.Form
	s.Form.Verdict, s.Form.Chosen, s.Form.Text, s.Form.Reason, s.Form.New = typed.Verdict, typed.Chosen, typed.Text, typed.Reason, typed.New
	if typed.Revision == x.Revision && typed.Key != "" {
		s.Form.Keep(typed, &x.gate)
	}
}
