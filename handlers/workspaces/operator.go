package workspaces

import (
	"errors"
	"net/http"
	"runtime"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/store"
)

// Operates lets those pass who run the server. For everybody else there is no such page.
func (h Handlers) Operates(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !web.SignedIn(c).User.Operator {
			return echo.ErrNotFound
		}
		return next(c)
	}
}

// ShowOperator shows how the server is. It is shown also when the store does not answer all: that
// is when somebody looks.
func (h Handlers) ShowOperator(c echo.Context) error {
	ctx := c.Request().Context()
	m := accountpages.OperatorStatus{
		Version: h.Running.Version, Go: runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH, Public: h.Public.String(), Listens: h.Running.Listens,
		TLS: h.Running.TLS, Metrics: h.Running.Metrics, Settings: h.Running.Settings, Started: h.Health.Started.UnixMicro(), Free: -1,
	}
	for _, r := range h.ReadinessNow(ctx) {
		m.Reasons = append(m.Reasons, accountpages.OperatorReason{Code: r.Code, Says: r.Says, Warning: r.Warning})
	}
	if h.Free != nil {
		if free, err := h.Free(); err == nil {
			m.Free = free
		}
	}
	if err := h.figures(c, &m); err != nil {
		m.StoreUnreadable = true
		c.Set(web.FaultKey, err)
	}
	h.Recent.Show(&m)
	site := h.Person()
	site.Script = web.Script
	return h.SendPerson(c, site, http.StatusOK, accountpages.OperatorPage(ctx, site, m))
}

// figures fills in what the store counts.
func (h Handlers) figures(c echo.Context, m *accountpages.OperatorStatus) error {
	ctx := c.Request().Context()
	f, err := h.Store.Stats(ctx, h.Now().UnixMicro())
	if err != nil {
		return err
	}
	m.People, m.Workspaces, m.Agents, m.Undelivered = f.People, f.Workspaces, f.Agents, f.Undelivered
	m.DatabaseBytes, m.Blobs, m.BlobBytes = f.DatabaseBytes, f.Blobs, f.BlobBytes
	if len(h.Proxies) == 0 && f.SignedIn > 1 {
		m.SharedAddress, m.SharedBy = f.OnlyAddress, f.SignedIn
	}
	for _, o := range f.Open {
		m.OpenAsks += o.N
		if o.Oldest != 0 && (m.OldestAsk == 0 || o.Oldest < m.OldestAsk) {
			m.OldestAsk = o.Oldest
		}
	}
	waiting, err := h.Store.BlobRemovals(ctx, "")
	if err != nil {
		return err
	}
	if m.Removing = len(waiting); m.Removing > 0 {
		m.RemovingSince = waiting[0].At
	}
	if m.Schema, err = h.Store.Schema(ctx); err != nil {
		return err
	}
	if _, m.Backup, err = h.Store.Fact(ctx, store.FactBackup); errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
