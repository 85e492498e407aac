//go:build unix

package sqlstore

import (
	"testing"

	"github.com/figs-web/figs-web/internal/store/storetest"
)

// TestSnapshotPostgres tests that a snapshot of a PostgreSQL store that is written to is consistent, and is itself a store.
func TestSnapshotPostgres(t *testing.T) {
	snapshots(t, openPostgres(t, storetest.SharedPostgres(t)), t.TempDir())
}
