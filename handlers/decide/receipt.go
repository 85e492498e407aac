package decide

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/askpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/parcel"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/store"
)

// SendKey sends the public key as a JSON Web Key (RFC 8037). Anybody may know it.
func (h Handlers) SendKey(c echo.Context) error {
	seed, _, err := h.SigningSeed(c)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "no-cache")
	return c.Blob(http.StatusOK, "application/jwk+json", receipt.KeyOf(seed).JWK())
}

// ShowReceipt shows the receipt of a decision.
func (h Handlers) ShowReceipt(c echo.Context) error {
	r, made, err := h.receipt(c)
	if err != nil {
		return err
	}
	site, err := h.Site(c, "", nil)
	if err != nil {
		return err
	}
	shown := askpages.Receipt{Receipt: r, At: receiptAt(site.Shell, &made), AskAt: askOf(site.Shell, &made)}
	return h.SendPerson(c, site, http.StatusOK, askpages.ReceiptPage(c.Request().Context(), site, shown))
}

// SendReceipt sends it as its file.
func (h Handlers) SendReceipt(c echo.Context) error {
	r, _, err := h.receipt(c)
	if err != nil {
		return err
	}
	head := c.Response().Header()
	head.Set("Content-Security-Policy", parcel.Policy)
	head.Set("Content-Disposition", parcel.Disposition("receipt.json"))
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, r.JSON())
}

func receiptAt(s *ui.Shell, made *store.Decision) string {
	return string(s.To("agents/" + viewer.Segment(made.Agent) + "/receipts/" + viewer.Segment(made.ID)))
}

func askOf(s *ui.Shell, made *store.Decision) string {
	return string(s.To("agents/" + viewer.Segment(made.Agent) + "/asks/" + viewer.Segment(made.Ask)))
}

// receipt builds the receipt of the decision of the address and signs it.
func (h Handlers) receipt(c echo.Context) (*receipt.Receipt, store.Decision, error) {
	ctx := c.Request().Context()
	agent, ok := journal.ParseSegment(c.Param("agent"))
	id, also := journal.ParseSegment(c.Param("key"))
	if !ok || !also {
		return nil, store.Decision{}, echo.ErrNotFound
	}
	made, err := h.Store.Decision(ctx, agent, id)
	if err == nil && made.Workspace != auth.At(c).Workspace.ID {
		err = store.ErrNotFound
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, made, hosted.NoReceipt("Receipt not found", "A reply has a receipt if someone gave it while signed in to this workspace.")
	case err != nil:
		return nil, made, err
	}
	r, err := h.ReceiptOf(c, &made)
	return r, made, err
}

// decided is a row of the list. Its names are those of then, where they were noted.
func decided(shell *ui.Shell, x *store.DecisionDetails, names *hosted.NameLookup) askpages.DecisionRow {
	d := askpages.DecisionRow{ID: x.ID, Event: figs.ReadMessage(figs.Fold([][]byte{x.Line})), Made: x.At, Agent: names.Agent(x.Agent), AskAt: askOf(shell, &x.Decision),
		Receipt: receiptAt(shell, &x.Decision), Title: hosted.TitleOf(x.Fold, x.Ask), Delivery: journal.Delivery{Recorded: x.Delivery.Recorded, PickedUp: x.Delivery.PickedUp, Confirmed: x.Delivery.Confirmed, Closed: x.Delivery.Closed}}
	var notes receipt.Notes
	if json.Unmarshal(x.Notes, &notes) == nil {
		d.Who = notes.Who.Name
	}
	if d.Who == "" {
		d.Who = names.Person(x.By)
	}
	return d
}
