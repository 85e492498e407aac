package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/cli"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// openData opens DIR, or makes it: figs.db is the database, blobs the bytes of attachments, tmp
// the bodies of pushes that are being read. Nobody else on the machine may look into it.
func openData(ctx context.Context, dir string) (*cli.Data, error) {
	if err := os.MkdirAll(filepath.Join(dir, "tmp"), 0o700); err != nil {
		return nil, err
	}
	db := filepath.Join(dir, "figs.db")
	file, err := os.OpenFile(db, os.O_RDWR|os.O_CREATE, 0o600) // SQLite gives the files beside it the same mode
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	blobs, err := blob.OpenFolder(filepath.Join(dir, "blobs"))
	if err != nil {
		return nil, err
	}
	s, err := sqlstore.OpenSQLite(ctx, db)
	if err != nil {
		return nil, errors.Join(err, blobs.Close())
	}
	return &cli.Data{Store: s, Blobs: blobs, Close: func() error { return errors.Join(s.Close(), blobs.Close()) }}, nil
}
