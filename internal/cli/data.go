package cli

import (
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// Data is what a hosted reader keeps in its folder. Several programs may have it open at once:
// the server, and the admin commands beside it.
type Data struct {
	Store store.Store
	Blobs blob.Store
	Close func() error
}
