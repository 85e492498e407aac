package hosted

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/store"
)

// SigningSeed is what receipts are signed with. The store keeps the first one for ever.
func (h *Host) SigningSeed(c echo.Context) (seed []byte, since int64, err error) {
	fresh := make([]byte, 32)
	if _, err := rand.Read(fresh); err != nil {
		return nil, 0, err
	}
	return h.Store.SigningKey(c.Request().Context(), fresh, h.Now().UnixMicro())
}

// SigningKey is the public key for the pages of settings.
func (h *Host) SigningKey(c echo.Context) (accountpages.SigningKey, error) {
	seed, since, err := h.SigningSeed(c)
	if err != nil {
		return accountpages.SigningKey{}, err
	}
	return accountpages.SigningKey{Key: string(receipt.KeyOf(seed)), Since: since}, nil
}

// NoReceipt says why a decision has none.
func NoReceipt(title, hint string) error {
	return &httperr.Problem{Status: http.StatusNotFound, Code: "receipt_missing", Title: title, Hint: hint}
}

// ReceiptOf builds the receipt of a decision and signs it.
func (h *Host) ReceiptOf(c echo.Context, made *store.Decision) (*receipt.Receipt, error) {
	switch {
	case made.State == store.DecisionPending:
		return nil, NoReceipt("This decision can still be undone, so it has no receipt yet", "Reload the page in 10 seconds.")
	case made.State == store.DecisionUndone:
		return nil, NoReceipt("This decision was undone, so it has no receipt", "It never took effect, and the agent never received it.")
	}
	if err := h.hasWords(c, made); err != nil {
		return nil, err
	}
	r, err := h.build(c, made)
	if err != nil {
		return nil, err
	}
	seed, _, err := h.SigningSeed(c)
	if err == nil {
		err = r.Sign(seed)
	}
	return r, err
}

// hasWords says that there is no receipt of a decision whose ask or words were erased.
func (h *Host) hasWords(c echo.Context, made *store.Decision) error {
	for kind, id := range map[store.ErasureKind]string{store.EraseAsk: made.Ask, store.EraseReply: made.ID} {
		_, err := h.Store.Erasure(c.Request().Context(), made.Agent, kind, id)
		if err == nil {
			return NoReceipt("This decision or its ask was erased, so its receipt can't be recreated", "Anyone who kept the receipt can still verify it. The audit log keeps the hash of the decision.")
		}
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	return nil
}

// build makes the receipt. The ask is folded again from the versions that there were then: it is
// the one that was decided on if and only if its hash is the one that the decision names.
func (h *Host) build(c echo.Context, made *store.Decision) (*receipt.Receipt, error) {
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
		facts.Files = append(facts.Files, receipt.SeenFile{Name: f.Name, SHA256: f.SHA256})
	}
	return receipt.Build(facts)
}
