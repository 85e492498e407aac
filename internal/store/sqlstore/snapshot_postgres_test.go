//go:build unix

package sqlstore

import (
	"testing"

	"github.com/figs-web/figs-web/internal/store/storetest"
)

// A snapshot of PostgreSQL is one moment of a store that is written to, and a store of its own.
func TestSnapshotPostgres(t *testing.T) {
	snapshots(t, openPostgres(t, storetest.SharedPostgres(t)), t.TempDir())
}
