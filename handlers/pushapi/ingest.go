package pushapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/store"
)

// ingested is the answer to a push that was stored.
type ingested struct {
	OK         bool      `json:"ok"`
	Unchanged  bool      `json:"unchanged,omitempty"` // everything was there
	AgentID    string    `json:"agentId"`
	Registered bool      `json:"registered,omitempty"` // the agent is new here
	Runs       int       `json:"runs"`                 // how many changed
	Asks       int       `json:"asks"`
	Messages   int       `json:"messages"`
	Refused    []refused `json:"refused"`
	Errors     int       `json:"errors"` // what the rules say of what came; it is stored all the same
	Warnings   int       `json:"warnings"`
	URL        string    `json:"url"`
}

// refused is a record that was left out.
type refused struct {
	Kind    string `json:"kind"`
	ID      string `json:"id"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// ingestPush stores a push. A body that came before is known by its hash and is not even read.
func (w *Wire) ingestPush(c echo.Context) error {
	arrived := w.now()
	b, err := w.read(c)
	if err != nil {
		return err
	}
	defer b.Close()
	ctx := c.Request().Context()
	answer, err := w.known(ctx, c, b)
	if err == nil && answer == nil {
		answer, err = w.process(ctx, c, b, arrived)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, answer)
}

// known answers a body that was stored before; for every other it returns nil.
func (w *Wire) known(ctx context.Context, c echo.Context, b *spool) (*ingested, error) {
	agent, workspace, err := w.Store.KnownPush(ctx, b.digest)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err == nil {
		err = w.admit(ctx, auth.Of(c), workspace)
	}
	if err != nil {
		return nil, err
	}
	about(c, workspace, agent)
	c.Set("push", "unchanged")
	return &ingested{OK: true, Unchanged: true, AgentID: agent, Refused: []refused{}, URL: w.page(workspace)}, nil
}

// process waits until a body may be processed, and stores it. A large one is stored even if the client disconnects while
// it waits: clients give up after 30 seconds, and their next try is then answered as unchanged.
func (w *Wire) process(ctx context.Context, c echo.Context, b *spool, arrived int64) (*ingested, error) {
	if b.size >= largePush {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), waitTime+storeTime)
		defer cancel()
		_ = http.NewResponseController(c.Response().Writer).SetWriteDeadline(time.Now().Add(waitTime + storeTime + time.Minute))
	}
	done, waited, err := w.admission.enter(ctx, b.size)
	if err != nil {
		return nil, err
	}
	defer done()
	if waited { // the same body may have been stored meanwhile
		if answer, err := w.known(ctx, c, b); err != nil || answer != nil {
			return answer, err
		}
	}
	return w.apply(ctx, c, b, arrived)
}

// about tells the log what an authorised call is about.
func about(c echo.Context, workspace, agent string) {
	c.Set("workspace", workspace)
	c.Set("agent", agent)
}

// apply takes a push apart, holds it against the rules and stores it.
func (w *Wire) apply(ctx context.Context, c echo.Context, b *spool, arrived int64) (*ingested, error) {
	v := auth.Of(c)
	text, err := b.Bytes()
	if err != nil {
		return nil, err
	}
	push, err := figs.OpenPush(text)
	if err != nil {
		return nil, err
	}
	if err := w.admit(ctx, v, push.Workspace); err != nil {
		return nil, err
	}
	about(c, push.Workspace, push.Agent)
	if err := outsized(push); err != nil {
		return nil, err
	}
	if err := c.Request().Context().Err(); err != nil && w.pushedSince(ctx, push.Agent, arrived) {
		return nil, err
	}
	x, stored, err := w.store(ctx, v, push, b.digest)
	if err != nil {
		return nil, err
	}
	c.Set("push", "unchanged")
	if stored.Changed {
		c.Set("push", "changed")
		w.tell(push.Workspace, stored.Seq)
	}
	return &ingested{true, !stored.Changed, push.Agent, stored.Registered, stored.Runs, stored.Asks, stored.Messages, leftOut(stored.Refused),
		x.report.Errors, x.report.Warnings, w.page(push.Workspace)}, nil
}

// pushedSince reports whether the agent was pushed after a time. A client that disconnected may have pushed a newer
// folder through another node by then, which this older one must not follow.
func (w *Wire) pushedSince(ctx context.Context, agent string, at int64) bool {
	a, err := w.Store.Agent(ctx, agent)
	return err == nil && a.Pushed > at
}

// store holds a push against the rules while the store compares it with what is there; nothing is
// written before the rules have spoken.
func (w *Wire) store(ctx context.Context, v *auth.Visitor, push *figs.Push, digest string) (*examined, store.PushResult, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	examined := w.examine(push)
	stored, err := w.Store.Push(ctx, store.Push{Workspace: push.Workspace, Act: store.Act{By: v.User.ID, At: w.now()}, Digest: digest, Body: push, Report: func() *figs.Report {
		x := examined()
		if len(x.stopping) > 0 {
			stop()
		}
		return x.report
	}})
	x := examined()
	if len(x.stopping) > 0 {
		return nil, stored, invalid(x.stopping)
	}
	if err != nil {
		err = w.conflict(ctx, v, push.Workspace, err)
	}
	return x, stored, err
}

// page is the address of a workspace.
func (w *Wire) page(workspace string) string { return w.Public.String() + "/w/" + workspace }

// read reads the body of a push and hashes it.
func (w *Wire) read(c echo.Context) (*spool, error) {
	body, err := w.open(c, limit{w.MaxIngest, &httperr.Problem{Status: http.StatusRequestEntityTooLarge, Code: "push_too_large",
		Title: "The push is over the limit of " + size(w.MaxIngest) + " that this server takes; nothing was stored",
		Hint: "Retrying will not help. A server operator can raise the limit with --max-ingest. " +
			"Long texts and data are better attached as files, which are uploaded one by one."}})
	if err != nil {
		return nil, err
	}
	return w.spool(body, c.Request().ContentLength)
}

// outsized refuses a charter over the limits, which its agent can mend: it is no ledger.
func outsized(p *figs.Push) error {
	const hint = "Shorten .figs/agent.json, then push again. Put long texts into files and attach them to a record."
	switch figs.CheckSize(p.Charter) {
	case figs.RefusedTooLarge:
		return &httperr.Problem{Status: http.StatusRequestEntityTooLarge, Code: "charter_too_large", Title: "agent.json is over " + size(figs.MaxRecord) + "; nothing was stored", Hint: hint}
	case figs.RefusedTooDeep:
		return &httperr.Problem{Status: http.StatusBadRequest, Code: "charter_too_deep", Title: fmt.Sprintf("agent.json nests deeper than %d levels; nothing was stored", figs.MaxDepth), Hint: hint}
	}
	return nil
}

// invalid refuses a push that breaks protocol rules. Clients print only the sentence, so it lists what to fix.
func invalid(stopping []issue) error {
	const named = 5
	var list strings.Builder
	list.WriteString("To fix:\n")
	for _, i := range stopping[:min(len(stopping), named)] {
		list.WriteString("  " + i.Path + ": " + i.Message + "\n")
	}
	if more := len(stopping) - named; more > 0 {
		list.WriteString("  and " + strconv.Itoa(more) + " more\n")
	}
	list.WriteString("Ledgers are append-only: append a corrected line with the same id, check with figs doctor, then push again.")
	return &httperr.Problem{Status: http.StatusBadRequest, Code: "push_invalid", Title: "This push breaks protocol rules; nothing was stored", Hint: list.String(),
		Fields: map[string]any{"issues": listed(stopping)}}
}

// conflict adds advice to storage errors. It names another workspace only if the user may see that.
func (w *Wire) conflict(ctx context.Context, v *auth.Visitor, workspace string, err error) error {
	var moved *store.OtherWorkspaceError
	var renamed *store.RenamedError
	if errors.As(err, &renamed) { // registered there, where the visitor may push
		p := httperr.Of(err)
		p.Hint = "If it was renamed, run figs push --rename once, or have the new name confirmed at " + w.page(workspace) + "/settings/agents and push again. " + httperr.Copied
		return p
	}
	if !errors.As(err, &moved) {
		return err
	}
	sees, e := w.sees(ctx, v, moved.Workspace)
	if e != nil {
		return e
	}
	if !sees {
		return err
	}
	p := httperr.Of(err)
	p.Hint = "It belongs to the workspace " + moved.Workspace + ", which you can access: figs link --workspace " + moved.Workspace + " links it there again. " + p.Hint
	p.Fields = map[string]any{"workspaceId": moved.Workspace}
	return p
}

var kinds = map[figs.File]string{figs.Runs: "run", figs.Asks: "ask", figs.Messages: "message"}

// leftOut lists refused records; the agent's page shows them too.
func leftOut(list []figs.RefusedRecord) []refused {
	const most = 1000
	out := make([]refused, 0, min(len(list), most))
	for _, r := range list[:min(len(list), most)] {
		out = append(out, refused{kinds[r.File], r.ID, r.Reason.String(), r.Reason.Sentence()})
	}
	return out
}
