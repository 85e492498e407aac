package accountpages

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
)

// Confirm is the page that asks for a fresh proof of who somebody is.
type Confirm struct {
	Goes     string        // where its form goes
	Fields   []HiddenField // what was sent there, kept
	Key      string        // of the person who sent it
	Email    string
	Password bool      // they have one
	Passkey  bool      // they have one, and the address of the server takes them
	Again    string    // where to sign in again; "" when a password or a passkey does
	Faults   ui.Faults // "confirm_password", ""
}

// HiddenField is one value of a form that is kept in another.
type HiddenField struct{ Key, Held string }

// ConfirmPage asks: is it you?
func ConfirmPage(ctx context.Context, m Confirm) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Confirm it's you"), Body: confirmPage(m)}
}
