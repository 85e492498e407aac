package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// A database that a newer program wrote is no broken folder.
func TestNewerData(t *testing.T) {
	f := failureOf(dataFailure(&store.Newer{Step: 12, Name: "later"}, "/data"), "")
	if !strings.Contains(f.message, "newer than this program") || !strings.Contains(f.message, "12 (later)") || !strings.Contains(f.hint, "backup") {
		t.Errorf("a newer database is told as %q, %q", f.message, f.hint)
	}
}

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
