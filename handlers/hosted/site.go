package hosted

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/export"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
	"github.com/figs-web/figs-web/internal/share"
	copies "github.com/figs-web/figs-web/internal/share/parcel"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// Kinds are the words with which addresses of other folders than .figs begin, below their workspace.
var Kinds = []string{project.Channels.String(), project.Registry.String(), project.Workflows.String()}

// KindOf is the kind that an address, or a page's path, is of; "" when it is of an agent.
func KindOf(path string) string {
	word, _, more := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if more && slices.Contains(Kinds, word) {
		return word
	}
	return ""
}

// InWorkspace are the addresses of the pages of a workspace.
type InWorkspace struct{ Workspace string }

// To puts a page's path below its workspace: "/1/jobs/3" becomes "/w/local/agents/1/jobs/3", and
// "/channels/1" becomes "/w/local/channels/1".
func (w InWorkspace) To(path string) string {
	page, query, asked := strings.Cut(path, "?")
	if asked {
		query = "?" + query
	}
	switch {
	case page == "/rules" || strings.HasPrefix(page, "/rules/"):
		return path
	case page == "/":
		return web.Workspaces + w.Workspace + query
	case KindOf(page) != "":
		return web.Workspaces + w.Workspace + page + query
	}
	return web.Workspaces + w.Workspace + "/agents" + page + query
}

// What one ask's copy is made of while a person waits, in bytes.
const (
	shareLines = 32 << 20 // of the agent, all of which are passed over
	shareFiles = 96 << 20 // attached to the ask and its job
)

// hostSharer looks through the ask of the request's own agent.
type hostSharer struct {
	h *Host
	c echo.Context
}

// SharerOf is nil for those who may not take copies of the agent of the address.
func (h *Host) SharerOf(c echo.Context) (ui.ShareSource, error) {
	agent, err := h.AgentHere(c)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil // the page says so
	}
	if err != nil || !accounts.Can(auth.At(c).Role, accounts.RelationTo(web.SignedIn(c).User.ID, &agent), accounts.ExportAgent) {
		return nil, err
	}
	return hostSharer{h, c}, nil
}

// Share is what there is to replace in the ask.
func (s hostSharer) Share(ctx context.Context, _, ask string, choice *share.Options) (*share.Preview, error) {
	f, err := s.h.AskFolder(s.c, ask)
	if err != nil {
		return nil, err
	}
	sharing, err := copies.Open(ctx, f, ask, choice)
	if err != nil {
		return nil, web.CopyFailure(err)
	}
	return sharing.Preview(choice), nil
}

// AskFolder is the folder of the agent of the address with what belongs to an ask, and the receipts of its decisions.
func (h *Host) AskFolder(c echo.Context, ask string) (copies.Folder, error) {
	ctx, at := c.Request().Context(), auth.At(c)
	agent, err := h.AgentHere(c)
	if err != nil {
		return copies.Folder{}, err
	}
	size, err := h.Store.ExportSize(ctx, at.Workspace.ID, agent.ID)
	if err != nil {
		return copies.Folder{}, err
	}
	if size.LineBytes > shareLines {
		return copies.Folder{}, errTooMuchToShare
	}
	e, err := export.Create(ctx, h.Store, at.Workspace.ID, agent.ID, at.Workspace.Name, h.Temp, h.Now())
	if err != nil {
		return copies.Folder{}, err
	}
	defer e.Close()
	of := share.New(ask)
	for _, file := range []figs.File{figs.Asks, figs.Runs} {
		lines, err := io.ReadAll(e.Lines(file))
		if err != nil {
			return copies.Folder{}, err
		}
		of.AddLedger(file.String(), lines)
	}
	if e.Only(of.Wants); e.FileBytes() > shareFiles {
		return copies.Folder{}, errTooMuchToShare
	}
	var packed bytes.Buffer
	if err := e.Zip(ctx, &packed, h.Blobs); err != nil {
		return copies.Folder{}, err
	}
	z, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		return copies.Folder{}, err
	}
	f := copies.FromFS(z, e.Name()+"/.figs")
	f.Receipts, err = h.receiptsOf(c, agent.ID, ask)
	return f, err
}

var errTooMuchToShare = &httperr.Problem{Status: http.StatusRequestEntityTooLarge, Code: "too_large_to_share", Title: "This is too large to copy from a page",
	Hint: "Export the agent, then create the copy of the ask in the inspector or with figs-web share --ask."}

// receiptsOf are the receipts of what was decided on an ask, the newest first. One that cannot be written is left out: its
// own page says why.
func (h *Host) receiptsOf(c echo.Context, agent, ask string) (list []share.AttachedReceipt, err error) {
	made, err := h.Store.ListDecisions(c.Request().Context(), auth.At(c).Workspace.ID, agent, ask, share.MaxReceipts)
	if err != nil {
		return nil, err
	}
	for i := range made {
		r, err := h.ReceiptOf(c, &made[i])
		var none *httperr.Problem
		if errors.As(err, &none) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, share.AttachedReceipt{Name: strconv.Itoa(i+1) + ".receipt.json", Content: r.JSON()})
	}
	return list, nil
}

// AgentHere is the agent of the address, if it is registered in the workspace of the address.
func (h *Host) AgentHere(c echo.Context) (store.Agent, error) {
	id, ok := journal.ParseSegment(c.Param("agent"))
	if !ok {
		return store.Agent{}, echo.ErrNotFound
	}
	a, err := h.Store.Agent(c.Request().Context(), id)
	if err == nil && a.Workspace != auth.At(c).Workspace.ID {
		err = store.ErrNotFound
	}
	return a, err
}

// Answerable lets those who run the workspace choose who answers for an agent on its own page.
func (h *Host) Answerable(c echo.Context, shell *ui.Shell) error {
	at := auth.At(c)
	if !accounts.Can(at.Role, accounts.AgentRelation{}, accounts.AssignAgent) {
		return nil
	}
	members, err := h.Store.Members(c.Request().Context(), at.Workspace.ID)
	for _, m := range PossibleAnswerers(members) {
		shell.Members = append(shell.Members, journal.Person{ID: m.User.ID, Name: m.User.Name})
	}
	return err
}

// PossibleAnswerers leaves those members who can be manager or builder of an agent.
func PossibleAnswerers(members []store.Membership) []store.Membership {
	return slices.DeleteFunc(slices.Clone(members), func(m store.Membership) bool { return !accounts.CanAnswer(m.Role) })
}

// Render renders a page of an agent, at the point in its life that the path names. Who may see the page may see it at any
// point: what was erased since is gone from all of them.
func (h *Host) Render(ctx context.Context, site ui.Site, now *storejournal.Journal, path string) (status int, title string, main []byte, err error) {
	j, err := now.Page(ctx, path)
	var missing *journal.Missing
	switch {
	case errors.As(err, &missing):
		return components.RenderUnseen(ctx, site, now, path, missing)
	case err != nil:
		return 0, "", nil, err
	}
	return components.Render(ctx, site, j, path)
}

// RejectPast refuses what is sent to a page of the past: nothing can be decided there.
func RejectPast(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if m := c.Request().Method; m != http.MethodGet && m != http.MethodHead && c.Request().URL.Query().Has("at") {
			return &httperr.Problem{Status: http.StatusBadRequest, Code: "past", Title: "You can't decide at a past point in time",
				Hint: "Nothing was changed. Remove at=… from the URL, check the current state, and send the form from there."}
		}
		return next(c)
	}
}
