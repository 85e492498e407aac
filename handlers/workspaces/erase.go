package workspaces

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/sandbox/report"
)

// grave is what an address names to be erased.
type grave struct {
	agent  store.Agent
	kind   store.ErasureKind
	id     string
	title  string
	back   string // path below the agent
	sha256 string // of an attachment's bytes
}

// graveHere reads the address. What is not there, and was not erased, does not exist.
func (h Handlers) graveHere(c echo.Context) (g grave, err error) {
	if g.agent, err = h.AgentHere(c); err != nil {
		return g, err
	}
	id, ok := journal.ParseSegment(c.QueryParam("key"))
	if !ok {
		return g, echo.ErrNotFound
	}
	ctx := c.Request().Context()
	g.id, g.title = id, id
	switch c.QueryParam("kind") {
	case store.EraseRun.String():
		g.kind, g.back = store.EraseRun, "jobs/"+journal.Segment(id)
		return g, h.nameGrave(ctx, &g, figs.Runs)
	case store.EraseAsk.String():
		g.kind, g.back = store.EraseAsk, "asks/"+journal.Segment(id)
		return g, h.nameGrave(ctx, &g, figs.Asks)
	case store.EraseReply.String():
		g.kind, g.back = store.EraseReply, "messages"
		m, err := h.Store.Message(ctx, g.agent.ID, id)
		if m.Ask != "" {
			g.back = "asks/" + journal.Segment(m.Ask)
		}
		return g, err
	case store.EraseAttachment.String():
		g.kind, g.back = store.EraseAttachment, "files/"+journal.Segment(id)
		f, err := h.Store.File(ctx, g.agent.ID, id)
		if err == nil && f.SHA256 == "" && f.Erased == nil {
			err = store.ErrNotFound // there are no bytes
		}
		if err == nil {
			g.sha256 = f.SHA256
		}
		return g, err
	}
	return g, echo.ErrNotFound
}

func (h Handlers) nameGrave(ctx context.Context, g *grave, file figs.File) error {
	found, err := h.Store.Folds(ctx, g.agent.ID, file, []string{g.id})
	if err != nil {
		return err
	}
	fold, ok := found[g.id]
	if !ok {
		return store.ErrNotFound
	}
	if title := figs.Fold([][]byte{fold}).Get("title").Text(); title != "" {
		g.title = title
	}
	return nil
}

// ShowErase asks whether something is to go for good; of what is gone it shows the tombstone.
func (h Handlers) ShowErase(c echo.Context) error {
	g, err := h.graveHere(c)
	if err != nil {
		return err
	}
	return h.sendErase(c, http.StatusOK, &g, recordviews.Erase{Done: c.QueryParam("notice") != "", Kept: c.QueryParam("notice") == "erased-still-used"})
}

func (h Handlers) sendErase(c echo.Context, status int, g *grave, m recordviews.Erase) error {
	ctx := c.Request().Context()
	m.Key, m.Agent, m.Kind, m.Thing, m.Title, m.Back = journal.Segment(g.agent.ID), g.agent.Name, g.kind.String(), journal.Segment(g.id), g.title, g.back
	e, err := h.Store.Erasure(ctx, g.agent.ID, g.kind, g.id)
	switch {
	case err == nil:
		by, err := auth.Person(ctx, h.Store, e.Person)
		if err != nil {
			return err
		}
		if e.Person == "" {
			by = journal.Person{}
		}
		m.Erased = &journal.Erasure{By: by, At: e.At, Why: e.Why, SHA256: e.SHA256, PushedAgain: e.PushedAgain}
		if g.kind == store.EraseAttachment {
			waiting, err := h.Store.BlobRemovals(ctx, g.agent.Workspace)
			if err != nil {
				return err
			}
			m.Waiting = slices.ContainsFunc(waiting, func(r store.BlobRemoval) bool { return r.SHA256 == e.SHA256 })
		}
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	if g.sha256 != "" {
		same, err := h.Store.AttachmentsBySHA(ctx, g.agent.Workspace, g.sha256)
		if err != nil {
			return err
		}
		for _, a := range same {
			if a.Agent != g.agent.ID || a.Name != g.id {
				m.Also = append(m.Also, a.Name)
			}
		}
	}
	site, err := h.Site(c, "", nil)
	if err != nil {
		return err
	}
	return h.SendPerson(c, site, status, recordviews.ErasePage(ctx, site, m))
}

// Erase takes the text or the bytes away, and leads to the tombstone.
func (h Handlers) Erase(c echo.Context) error {
	g, err := h.graveHere(c)
	if err != nil {
		return err
	}
	why := strings.TrimSpace(web.FormValue(c, "why"))
	if wrong := checkWhy(why); wrong != nil {
		return h.refuseErase(c, &g, why, wrong)
	}
	ctx := context.WithoutCancel(c.Request().Context()) // what has begun is finished, whoever waits for it
	e, err := h.Store.Erase(ctx, h.Actor(c), store.Erasure{Workspace: g.agent.Workspace, Agent: g.agent.ID, Kind: g.kind, ID: g.id, Why: why})
	var pending *store.PendingError
	if errors.As(err, &pending) {
		return h.refuseErase(c, &g, why, &accounts.ValidationError{Sentence: "Someone has just replied to this ask and can still undo that. Nothing was erased; try again in 10 seconds."})
	}
	if err != nil {
		return err
	}
	h.forget(g.agent.ID)
	h.changed(c, g.agent.Workspace)
	notice := h.removeBytes(c, &e)
	if err := h.Store.Scrub(ctx); err != nil {
		c.Set(web.FaultKey, fmt.Errorf("what was erased may still be in a free part of the database's files until it is written over: %w", err)) // for the log
	}
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(auth.At(c).Workspace.Slug)+"/agents/"+viewer.Segment(g.agent.ID)+"/erase?kind="+g.kind.String()+"&key="+viewer.Segment(g.id)+"&notice="+notice)
}

// forget drops what is cached of an agent, so that nothing that was erased stays in memory.
func (h Handlers) forget(agent string) {
	h.Lenses.Drop(func(k hosted.HiddenTextKey, _ []report.Reading) bool { return k.Agent == agent })
	h.Pasts.Forget(agent)
	h.Whole.Forget(agent)
}

// removeBytes removes the bytes of an erased attachment where nobody else has them, and says whether
// they are "gone", "kept", or "waiting": then the server tries again (store.BlobRemoval).
func (h Handlers) removeBytes(c echo.Context, e *store.Erasure) (notice string) {
	if e.Kind != store.EraseAttachment {
		return "erased"
	}
	ctx := context.WithoutCancel(c.Request().Context())
	h.Viewer.Renders.Forget(e.SHA256)
	dropped, err := h.Store.RemoveBlob(ctx, e.SHA256, func() error { return h.Blobs.Remove(ctx, e.SHA256) })
	switch {
	case err != nil:
		c.Set(web.FaultKey, fmt.Errorf("the bytes of an erased attachment are still to be removed; the server tries again in a minute: %w", err))
		return "erased-removal-pending"
	case !dropped:
		return "erased-still-used"
	}
	return "erased"
}

func checkWhy(why string) error {
	switch n := utf8.RuneCountInString(why); {
	case n == 0:
		return &accounts.ValidationError{Field: "why", Sentence: "Give a reason in a few words. Don't repeat what you want to erase."}
	case n > recordviews.MostWhy:
		return &accounts.ValidationError{Field: "why", Sentence: "The reason has {0} characters; the limit is {1}.", Args: []any{n, recordviews.MostWhy}}
	}
	return nil
}

func (h Handlers) refuseErase(c echo.Context, g *grave, why string, err error) error {
	faults, status, err := web.FaultsOf(err)
	if err != nil {
		return err
	}
	return h.sendErase(c, status, g, recordviews.Erase{Why: why, Faults: faults})
}
