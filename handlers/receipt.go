package handlers

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/handlers/parcel"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/store"
)

// receiptRoutes are the pages of decisions and their receipts, and the key that signs them.
func (h *host) receiptRoutes(e *echo.Echo, w *routing) {
	e.GET("/.well-known/figs-web-key", h.sendKey)
	w.GET("/decisions", h.listDecisions)
	w.GET("/agents/:agent/receipts/:key", h.showReceipt)
	w.GET("/agents/:agent/receipts/:key/receipt.json", h.sendReceipt)
}

// seed is what receipts are signed with. The store keeps the first one for ever.
func (h *host) seed(c echo.Context) (seed []byte, since int64, err error) {
	fresh := make([]byte, 32)
	if _, err := rand.Read(fresh); err != nil {
		return nil, 0, err
	}
	return h.Store.SigningKey(c.Request().Context(), fresh, h.Now().UnixMicro())
}

// sendKey sends the public key as a JSON Web Key (RFC 8037). Anybody may know it.
func (h *host) sendKey(c echo.Context) error {
	seed, _, err := h.seed(c)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "no-cache")
	return c.Blob(http.StatusOK, "application/jwk+json", receipt.KeyOf(seed).JWK())
}

// signingKey is the public key for the pages of settings.
func (h *host) signingKey(c echo.Context) (components.SigningKey, error) {
	seed, since, err := h.seed(c)
	if err != nil {
		return components.SigningKey{}, err
	}
	return components.SigningKey{Key: string(receipt.KeyOf(seed)), Since: since}, nil
}

// showReceipt shows the receipt of a decision.
func (h *host) showReceipt(c echo.Context) error {
	r, made, err := h.receipt(c)
	if err != nil {
		return err
	}
	site, err := h.site(c, "", nil)
	if err != nil {
		return err
	}
	shown := components.Receipt{Receipt: r, At: receiptAt(site.Shell, &made), AskAt: askOf(site.Shell, &made)}
	return h.sendPerson(c, site, http.StatusOK, components.ReceiptPage(c.Request().Context(), site, shown))
}

// sendReceipt sends it as its file.
func (h *host) sendReceipt(c echo.Context) error {
	r, _, err := h.receipt(c)
	if err != nil {
		return err
	}
	head := c.Response().Header()
	head.Set("Content-Security-Policy", parcel.Policy)
	head.Set("Content-Disposition", parcel.Disposition("receipt.json"))
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, r.JSON())
}

func receiptAt(s *components.Shell, made *store.Made) string {
	return string(s.To("agents/" + segment(made.Agent) + "/receipts/" + segment(made.ID)))
}

func askOf(s *components.Shell, made *store.Made) string {
	return string(s.To("agents/" + segment(made.Agent) + "/asks/" + segment(made.Ask)))
}

// noReceipt says why a decision has none.
func noReceipt(title, hint string) error {
	return &fault.Problem{Status: http.StatusNotFound, Code: "receipt_missing", Title: title, Hint: hint}
}

// receipt builds the receipt of the decision of the address and signs it.
func (h *host) receipt(c echo.Context) (*receipt.Receipt, store.Made, error) {
	ctx := c.Request().Context()
	agent, ok := named(c.Param("agent"))
	id, also := named(c.Param("key"))
	if !ok || !also {
		return nil, store.Made{}, echo.ErrNotFound
	}
	made, err := h.Store.Decision(ctx, agent, id)
	if err == nil && made.Workspace != visitor.At(c).Workspace.ID {
		err = store.ErrNotFound
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, made, noReceipt("There is no receipt here", "A reply has one when somebody who was signed in gave it in this workspace.")
	case err != nil:
		return nil, made, err
	}
	r, err := h.receiptOf(c, &made)
	return r, made, err
}

// receiptOf builds the receipt of a decision and signs it.
func (h *host) receiptOf(c echo.Context, made *store.Made) (*receipt.Receipt, error) {
	switch {
	case made.Fate == store.FatePending:
		return nil, noReceipt("This decision can still be taken back, so it has no receipt yet", "Load the page again in ten seconds.")
	case made.Fate == store.FateUndone:
		return nil, noReceipt("This decision was taken back, so it has no receipt", "It never counted, and the agent never got it.")
	}
	if err := h.hasWords(c, made); err != nil {
		return nil, err
	}
	r, err := h.build(c, made)
	if err != nil {
		return nil, err
	}
	seed, _, err := h.seed(c)
	if err == nil {
		err = r.Sign(seed)
	}
	return r, err
}

// hasWords says that there is no receipt of a decision whose ask or words were erased.
func (h *host) hasWords(c echo.Context, made *store.Made) error {
	for kind, id := range map[store.Erasable]string{store.ErasedAsk: made.Ask, store.ErasedReply: made.ID} {
		_, err := h.Store.Erasure(c.Request().Context(), made.Agent, kind, id)
		if err == nil {
			return noReceipt("The words of this decision, or of its ask, were erased, so its receipt cannot be written again", "Whoever has kept the receipt can still check it. The audit still holds the hash of what was decided.")
		}
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	return nil
}

// build makes the receipt. The ask is folded again from the versions that there were then: it is
// the one that was decided on if and only if its hash is the one that the decision names.
func (h *host) build(c echo.Context, made *store.Made) (*receipt.Receipt, error) {
	ask, err := h.Store.Record(c.Request().Context(), made.Agent, figs.Asks, made.Ask)
	if err != nil {
		return nil, fmt.Errorf("the ask of a decision: %w", err)
	}
	saw := made.Saw.Revision
	if saw.Version > len(ask.Trail) {
		return nil, fmt.Errorf("the ask %q of the agent %s has lost versions: it had %d", made.Ask, made.Agent, saw.Version)
	}
	var lines [][]byte
	for _, entry := range ask.Trail[:saw.Version] {
		lines = append(lines, entry.Line)
	}
	facts := receipt.Facts{Server: h.Public.String(), Workspace: made.Workspace, Agent: made.Agent, Fold: figs.AppendObject(nil, figs.Fold(lines)),
		Round: saw.Round, Revision: saw.String(), Line: made.Line, By: made.By, Made: made.At, Effective: made.Effective, Audit: made.Audit, Notes: made.Notes}
	for _, f := range made.Saw.Files {
		facts.Files = append(facts.Files, receipt.Seen{Name: f.Name, SHA256: f.SHA256})
	}
	return receipt.Build(facts)
}

// decisionsShown is how many decisions stand on one page.
const decisionsShown = 50

// listDecisions shows what was decided in the workspace, the newest first.
func (h *host) listDecisions(c echo.Context) error {
	ctx := c.Request().Context()
	from, err := strconv.Atoi(c.QueryParam("from"))
	if err != nil || from < 0 || from > 1<<30 {
		from = 0
	}
	list, more, err := h.Store.ListDecided(ctx, visitor.At(c).Workspace.ID, from, decisionsShown)
	if err != nil {
		return err
	}
	site, err := h.site(c, "decisions", nil)
	if err != nil {
		return err
	}
	page := components.Decisions{From: from, More: more, Size: decisionsShown, Items: make([]components.Decided, len(list))}
	if err := h.withNames(c, nil, func(n *names) {
		for i := range list {
			page.Items[i] = decided(site.Shell, &list[i], n)
		}
	}); err != nil {
		return err
	}
	return h.sendPerson(c, site, http.StatusOK, components.DecisionsPage(ctx, site, page))
}

// decided is a row of the list. Its names are those of then, where they were noted.
func decided(shell *components.Shell, x *store.Decided, names *names) components.Decided {
	d := components.Decided{Event: figs.ReadMessage(figs.Fold([][]byte{x.Line})), Made: x.At, Agent: names.agent(x.Agent), AskAt: askOf(shell, &x.Made),
		Receipt: receiptAt(shell, &x.Made), Title: titleOf(x.Fold, x.Ask), Delivery: journal.Delivery{Recorded: x.Delivery.Recorded, Handed: x.Delivery.Handed, Confirmed: x.Delivery.Confirmed, Closed: x.Delivery.Closed}}
	var notes receipt.Notes
	if json.Unmarshal(x.Notes, &notes) == nil {
		d.Who = notes.Who.Name
	}
	if d.Who == "" {
		d.Who = names.person(x.By)
	}
	return d
}
