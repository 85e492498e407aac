package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// openFolder is the program's OpenData, which only cmd/figs-web may wire.
func openFolder(ctx context.Context, dir string) (*Data, error) {
	if err := os.MkdirAll(filepath.Join(dir, "tmp"), 0o700); err != nil {
		return nil, err
	}
	blobs, err := blob.OpenFolder(filepath.Join(dir, "blobs"))
	if err != nil {
		return nil, err
	}
	s, err := sqlstore.OpenSQLite(ctx, filepath.Join(dir, "figs.db"))
	if err != nil {
		return nil, errors.Join(err, blobs.Close())
	}
	return &Data{Store: s, Blobs: blobs, Close: func() error { return errors.Join(s.Close(), blobs.Close()) }}, nil
}
