package cmd

import (
	"context"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// Data is what a hosted reader keeps. Several programs may have it open at once: the servers on a
// database that they share, and the admin commands beside a server.
type Data struct {
	Store store.Store
	Blobs blob.Store
	Reach func(context.Context) error // asks, cheaply, whether attachments can be reached; nil where a folder has them
	Close func() error
}
