//go:build unix

package clustertest

import "testing"

// TestTablesOnly runs nodes on a database that has tables and nothing else, as engines have that only speak PostgreSQL's
// protocol: news find their way by asking, and a node that is killed leaves no lock behind.
func TestTablesOnly(t *testing.T) {
	w, _ := newWorld(t, "--database-tables-only")
	for _, fault := range []struct {
		name string
		do   func(t *testing.T, w *world)
	}{
		{"news", newsOverThere},
		{"node killed mid-push", killedPushing},
		{"connections cut", connectionsCut},
	} {
		if !t.Run(fault.name, func(t *testing.T) {
			fault.do(t, w)
			w.calmly(t)
		}) {
			t.FailNow()
		}
	}
}
