package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/blob/s3"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// A database that a newer program wrote is no broken folder.
func TestNewerData(t *testing.T) {
	f := cmd.FailureOf(datadir.WhereFailure(&store.NewerSchemaError{Step: 12, Name: "later"}, cmd.Where{Dir: "/data"}), "")
	if !strings.Contains(f.Message, "newer than this program") || !strings.Contains(f.Message, "12 (later)") || !strings.Contains(f.Hint, "backup") {
		t.Errorf("a newer database is told as %q, %q", f.Message, f.Hint)
	}
}

// openAnywhere is the program's OpenData, which only cmd/figs-web may wire.
func openAnywhere(ctx context.Context, w cmd.Where) (*cmd.Data, error) {
	if w.Dir != "" {
		if err := os.MkdirAll(filepath.Join(w.Dir, "tmp"), 0o700); err != nil {
			return nil, err
		}
	}
	var blobs interface {
		blob.Store
		Close() error
	}
	var reach func(context.Context) error
	var err error
	if w.Bucket() {
		var bucket *s3.Bucket
		if bucket, err = s3.Open(ctx, w.Blobs, s3.Options{Temp: w.Temp}); err == nil {
			blobs, reach = bucket, bucket.Ready
		}
	} else {
		blobs, err = blob.OpenFolder(w.Folder())
	}
	if err != nil {
		return nil, err
	}
	var s *sqlstore.Store
	if w.Postgres() {
		s, err = sqlstore.OpenPostgres(ctx, w.Database, sqlstore.PostgresOptions{TablesOnly: w.TablesOnly, Connections: w.Connections})
	} else {
		s, err = sqlstore.OpenSQLite(ctx, w.File())
	}
	if err != nil {
		return nil, errors.Join(err, blobs.Close())
	}
	return &cmd.Data{Store: s, Blobs: blobs, Reach: reach, Close: func() error { return errors.Join(s.Close(), blobs.Close()) }}, nil
}

func openFolder(ctx context.Context, dir string) (*cmd.Data, error) {
	return openAnywhere(ctx, cmd.Where{Dir: dir})
}
