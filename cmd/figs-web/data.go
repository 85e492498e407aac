package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/blob/s3"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// openData opens what a hosted reader keeps, or makes it. In a folder figs.db is the database, blobs the
// bytes of attachments, tmp the bodies of pushes that are being read. Nobody else on the machine may look
// into it.
func openData(ctx context.Context, where cmd.Where) (*cmd.Data, error) {
	blobs, reach, end, err := openPlaces(ctx, where)
	if err != nil {
		return nil, err
	}
	s, err := openStore(ctx, where)
	if err != nil {
		return nil, errors.Join(err, end())
	}
	return &cmd.Data{Store: s, Blobs: blobs, Reach: reach, Close: func() error { return errors.Join(s.Close(), end()) }}, nil
}

// openStore opens the database alone.
func openStore(ctx context.Context, where cmd.Where) (store.Store, error) {
	s, err := openDatabase(ctx, where)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// openDatabase refuses one into which a copy was not finished, unless it is to be finished.
func openDatabase(ctx context.Context, where cmd.Where) (*sqlstore.Store, error) {
	s, err := openEither(ctx, where)
	if err != nil || where.Unfinished {
		return s, err
	}
	if err := s.CheckFinished(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func openEither(ctx context.Context, where cmd.Where) (*sqlstore.Store, error) {
	if where.Postgres() {
		return sqlstore.OpenPostgres(ctx, where.Database, sqlstore.PostgresOptions{TablesOnly: where.TablesOnly, Connections: where.Connections})
	}
	file, err := os.OpenFile(where.File(), os.O_RDWR|os.O_CREATE, 0o600) // SQLite gives the files beside it the same mode
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	return sqlstore.OpenSQLite(ctx, where.File())
}

// openBlobs opens the attachments alone.
func openBlobs(ctx context.Context, where cmd.Where) (blob.Store, func() error, error) {
	blobs, _, end, err := openPlaces(ctx, where)
	return blobs, end, err
}

func openPlaces(ctx context.Context, where cmd.Where) (blobs blob.Store, reach func(context.Context) error, end func() error, err error) {
	if where.Dir != "" {
		if err := os.MkdirAll(filepath.Join(where.Dir, "tmp"), 0o700); err != nil {
			return nil, nil, nil, err
		}
	}
	if where.Bucket() {
		bucket, err := s3.Open(ctx, where.Blobs, s3.Options{Temp: where.Temp})
		if err != nil {
			return nil, nil, nil, err
		}
		return bucket, bucket.Ready, bucket.Close, nil
	}
	folder, err := blob.OpenFolder(where.Folder())
	if err != nil {
		return nil, nil, nil, err
	}
	return folder, nil, folder.Close, nil
}
