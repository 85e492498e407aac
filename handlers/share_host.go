package handlers

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/export"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/share"
	copies "github.com/figs-web/figs-web/internal/share/parcel"
	"github.com/figs-web/figs-web/internal/store"
)

// shareRoutes are the pages that make a copy of one ask, to be shown to somebody who has no account. Who may export the
// agent may do that; before anything leaves, the person proves who they are, and the audit says so.
func (h *host) shareRoutes(w *routing) {
	w.GET("/agents/:agent/share/:key", h.showShare)
	w.POST("/agents/:agent/share/:key", h.sendShare, h.may(people.ExportAgent))
}

// What one ask's copy is made of while a person waits, in bytes.
const (
	shareLines = 32 << 20 // of the agent, all of which are passed over
	shareFiles = 96 << 20 // attached to the ask and its job
)

// hostSharer looks through the ask of the request's own agent.
type hostSharer struct {
	h *host
	c echo.Context
}

// sharerOf is nil for those who may not take copies of the agent of the address.
func (h *host) sharerOf(c echo.Context) (components.Sharer, error) {
	agent, err := h.agentHere(c)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil // the page says so
	}
	if err != nil || !people.May(visitor.At(c).Role, people.StandsTo(me(c).User.ID, &agent), people.ExportAgent) {
		return nil, err
	}
	return hostSharer{h, c}, nil
}

// Share is what there is to replace in the ask.
func (s hostSharer) Share(ctx context.Context, _, ask string, choice *share.Choice) (*share.Found, error) {
	f, err := s.h.askFolder(s.c, ask)
	if err != nil {
		return nil, err
	}
	sharing, err := copies.Take(ctx, f, ask, choice)
	if err != nil {
		return nil, copyFailure(err)
	}
	return sharing.Found(choice), nil
}

// showShare shows what would be replaced. It takes no proof: nothing leaves.
func (h *host) showShare(c echo.Context) error {
	if _, err := h.agentHere(c); err != nil {
		return err
	}
	sharer, err := h.sharerOf(c)
	if err != nil {
		return err
	}
	if sharer == nil {
		return mayNot(people.RuleOf(people.ExportAgent))
	}
	if _, ok := journal.Named(c.Param("key")); !ok {
		return echo.ErrNotFound
	}
	site, err := h.site(c, "", h.shownIn(visitor.At(c).Workspace.ID))
	if err != nil {
		return err
	}
	site.Sharer = sharer
	path := "/" + c.Param("agent") + "/share/" + c.Param("key")
	if q := c.Request().URL.RawQuery; q != "" {
		path += "?" + q
	}
	status, title, main, err := h.render(c.Request().Context(), site, h.journal(c), path)
	if err != nil {
		return err
	}
	return h.sendPage(c, site, status, title, main)
}

// sendShare sends the copy that was chosen, or shows the page again with other choices.
func (h *host) sendShare(c echo.Context) error {
	sent, err := c.FormParams()
	if err != nil {
		return echo.ErrBadRequest
	}
	ask, ok := journal.Named(c.Param("key"))
	if !ok || ask == "" {
		return echo.ErrNotFound
	}
	if as := sent.Get("as"); as != "zip" && as != "page" {
		return c.Redirect(http.StatusSeeOther, c.Request().URL.EscapedPath()+"?"+share.ParseChoice(sent).Form().Encode())
	}
	f, err := h.askFolder(c, ask)
	if err != nil {
		return err
	}
	agent, err := h.agentHere(c)
	if err != nil {
		return err
	}
	note := func() error {
		return h.Store.NoteExport(c.Request().Context(), h.act(c), visitor.At(c).Workspace.ID, agent.ID)
	}
	return h.sendCopy(c, f, ask, sent, h.Now(), note)
}

// askFolder is the folder of the agent of the address with what belongs to an ask, and the receipts of its decisions.
func (h *host) askFolder(c echo.Context, ask string) (copies.Folder, error) {
	ctx, at := c.Request().Context(), visitor.At(c)
	agent, err := h.agentHere(c)
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
	e, err := export.Take(ctx, h.Store, at.Workspace.ID, agent.ID, at.Workspace.Name, h.Temp, h.Now())
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
		of.Gather(file.String(), lines)
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
	f := copies.At(z, e.Name()+"/.figs")
	f.Receipts, err = h.receiptsOf(c, agent.ID, ask)
	return f, err
}

var errTooMuchToShare = &fault.Problem{Status: http.StatusRequestEntityTooLarge, Code: "too_large_to_share", Title: "There is more than a page makes a copy of",
	Hint: "Export the agent, and make the copy of the ask in the inspector or with figs-web share --ask."}

// receiptsOf are the receipts of what was decided on an ask, the newest first. One that cannot be written is left out: its
// own page says why.
func (h *host) receiptsOf(c echo.Context, agent, ask string) (list []share.Enclosed, err error) {
	made, _, err := h.Store.ListDecisions(c.Request().Context(), visitor.At(c).Workspace.ID, agent, ask, 0, share.MaxReceipts)
	if err != nil {
		return nil, err
	}
	for i := range made {
		r, err := h.receiptOf(c, &made[i])
		var none *fault.Problem
		if errors.As(err, &none) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, share.Enclosed{Name: strconv.Itoa(i+1) + ".receipt.json", Content: r.JSON()})
	}
	return list, nil
}
