package decide

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/askpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

const (
	// mostSelected is how many asks can be selected: the most that a page of the inbox lists.
	mostSelected = 200
	// mostBulkForm is how many bytes their form may have.
	mostBulkForm = 1 << 20
)

// selection is several asks of a workspace, and what a member wants to do with them. None of it decides.
type selection struct {
	h      *hosted.Host
	at     *auth.Place
	act    store.Act
	roster *store.Roster
	asks   []selectedAsk
	result askpages.BulkResult
	seq    int64
}

// selectedAsk is one of them, as it is now.
type selectedAsk struct {
	ref   store.AskRef
	title string
	state figs.AskState
	found bool
	why   string // why nothing is done with it; "" if there is nothing against it
}

// Bulk snoozes several asks, hands them to a colleague, or marks notifications about them as read. It never decides: each
// decision is bound to what its own page showed.
func (h Handlers) Bulk(c echo.Context) error {
	if err := web.ReadFormOf(c, mostBulkForm); err != nil {
		return err
	}
	s := &selection{h: h.Host, at: auth.At(c), act: store.Act{By: web.SignedIn(c).User.ID, At: h.Now().UnixMicro()}}
	s.result = askpages.BulkResult{Did: web.FormValue(c, "do"), Back: journal.ParseInboxQuery(web.FormValue(c, "back")).String()}
	ctx := c.Request().Context()
	acts := map[string]func(context.Context, echo.Context) error{"snooze": s.snooze, "seen": s.markSeen, "handover": s.handOver}
	act := acts[s.result.Did]
	if act == nil {
		return &httperr.Problem{Status: http.StatusUnprocessableEntity, Title: "The form doesn't say what to do with these asks", Hint: "Nothing was changed. Go back and press one of the buttons."}
	}
	if err := s.read(ctx, c.Request().PostForm["ask"]); err != nil {
		return err
	}
	if err := act(ctx, c); err != nil {
		return err
	}
	if s.seq != 0 {
		h.Live.Changed(s.at.Workspace.ID, s.seq)
	}
	for i := range s.asks {
		if a := &s.asks[i]; a.why != "" {
			s.result.Skipped = append(s.result.Skipped, askpages.BulkSkipped{At: hosted.AskAddress(s.at.Workspace.Slug, a.ref.Agent, a.ref.Ask), Title: a.title, Why: ui.Fault{Sentence: a.why}})
		}
	}
	site, err := h.Site(c, "inbox", nil)
	if err != nil {
		return err
	}
	if s.seq != 0 {
		site.Shell.Seq = s.seq // the page shows this change already
	}
	return h.SendPerson(c, site, http.StatusOK, askpages.BulkResultPage(ctx, site, &s.result))
}

// LeaveBulk leads from the address of the result, which can't be opened again, to the inbox.
func (h Handlers) LeaveBulk(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(auth.At(c).Workspace.Slug)+"/inbox")
}

// read reads the selected asks, each once.
func (s *selection) read(ctx context.Context, values []string) (err error) {
	if len(values) == 0 {
		return &httperr.Problem{Status: http.StatusUnprocessableEntity, Title: "No asks are selected", Hint: "Nothing was changed. Go back and select some asks."}
	}
	if len(values) > mostSelected {
		return &httperr.Problem{Status: http.StatusUnprocessableEntity, Title: "Too many asks are selected", Hint: "Nothing was changed. Select at most {0} asks at a time.", Args: []any{mostSelected}}
	}
	if s.roster, err = s.h.Store.Roster(ctx, s.at.Workspace.ID); err != nil {
		return err
	}
	had, ids := map[store.AskRef]int{}, map[string][]string{}
	for _, value := range values {
		agentKey, askKey, _ := strings.Cut(value, "/")
		agent, ok := journal.ParseSegment(agentKey)
		ask, also := journal.ParseSegment(askKey)
		ref := store.AskRef{Agent: agent, Ask: ask}
		if _, again := had[ref]; again || !ok || !also {
			continue
		}
		had[ref] = len(s.asks)
		s.asks = append(s.asks, selectedAsk{ref: ref, title: ask})
		if a := s.roster.Agent(agent); a != nil && !a.Archived {
			ids[agent] = append(ids[agent], ask)
		}
	}
	for agent, asks := range ids {
		records, err := s.h.Store.FullRecords(ctx, agent, figs.Asks, asks)
		if err != nil {
			return err
		}
		for i := range records {
			r := &records[i]
			a := &s.asks[had[store.AskRef{Agent: agent, Ask: r.ID}]]
			a.found, a.state, a.title = true, r.State, hosted.TitleOf(r.Fold, r.ID)
		}
	}
	for i := range s.asks {
		if !s.asks[i].found {
			s.asks[i].why = "There is no such ask in this workspace."
		}
	}
	return nil
}

// mayReply leaves out the asks to which the visitor can't reply, and those that need no human.
func (s *selection) mayReply() {
	for i := range s.asks {
		switch a := &s.asks[i]; {
		case a.why != "":
		case !s.roster.MayReply(s.act.By, a.ref.Agent):
			a.why = "You can't reply to this ask."
		case a.state.Phase != figs.NeedsYou:
			a.why = "It no longer needs a human."
		}
	}
}

func (s *selection) snooze(ctx context.Context, c echo.Context) error {
	until, ok := SnoozedUntil(web.FormValue(c, "until"), s.h.Now())
	if !ok {
		return &httperr.Problem{Status: http.StatusUnprocessableEntity, Title: "The form doesn't say until when to snooze these asks", Hint: "Nothing was changed. Choose one of the times."}
	}
	s.mayReply()
	for i := range s.asks {
		a := &s.asks[i]
		if a.why != "" {
			continue
		}
		seq, err := s.h.Store.Snooze(ctx, s.act, s.at.Workspace.ID, a.ref.Agent, a.ref.Ask, until)
		switch {
		case errors.Is(err, store.ErrNotFound):
			a.why = "There is no such ask in this workspace."
		case err != nil:
			return err
		default:
			s.seq = seq
			s.result.Done++
		}
	}
	return nil
}

func (s *selection) markSeen(ctx context.Context, _ echo.Context) error {
	var asks []store.AskRef
	for i := range s.asks {
		if s.asks[i].why == "" {
			asks = append(asks, s.asks[i].ref)
		}
	}
	n, err := s.h.Store.MarkAskNotificationsRead(ctx, s.act.By, s.at.Workspace.ID, asks, s.act.At)
	s.result.Done = int(n)
	return err
}

func (s *selection) handOver(ctx context.Context, c echo.Context) error {
	note, to := noteOf(c), web.FormValue(c, "to")
	if f := noteFault(note); f.Sentence != "" {
		return &httperr.Problem{Status: http.StatusUnprocessableEntity, Title: "The note can't be sent with these asks", Hint: f.Sentence, Args: f.Args}
	}
	if to == "" || to == s.act.By || s.roster.Names[to] == "" {
		return &httperr.Problem{Status: http.StatusUnprocessableEntity, Title: "The form doesn't name a colleague to hand these asks to", Hint: "Nothing was changed. Go back and choose a colleague from the list."}
	}
	s.mayReply()
	var asks []store.AskRef
	var of []int // by number of asks: its place
	for i := range s.asks {
		if s.asks[i].why == "" {
			asks, of = append(asks, s.asks[i].ref), append(of, i)
		}
	}
	if len(asks) == 0 {
		return nil
	}
	outcomes, seq, err := s.h.Store.HandOver(ctx, s.act, s.at.Workspace.ID, asks, store.HandoverInput{To: to, Note: note, Seen: store.AnyHandover})
	if err != nil {
		return err
	}
	s.seq = seq
	for i, outcome := range outcomes {
		a := &s.asks[of[i]]
		switch {
		case outcome == nil:
			s.result.Done++
		case errors.Is(outcome, store.ErrUnchanged):
			a.why = "It is handed to that colleague already."
		case errors.Is(outcome, store.ErrCannotReply):
			a.why = "That colleague can't reply to this ask."
		case errors.Is(outcome, store.ErrForbidden):
			a.why = "You can't reply to this ask."
		case errors.Is(outcome, store.ErrNotWaiting):
			a.why = "It no longer needs a human."
		case errors.Is(outcome, store.ErrNotFound):
			a.why = "There is no such ask in this workspace."
		default:
			return outcome
		}
	}
	return nil
}
