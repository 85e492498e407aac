//go:build unix

package sqlstore

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// TestAuditChain tests that a changed, deleted or inserted row is found.
func TestAuditChain(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { auditChain(t, openSQLite(t)) })
	t.Run("postgres", func(t *testing.T) { auditChain(t, openPostgres(t, storetest.SharedPostgres(t))) })
}

func auditChain(t *testing.T, s *Store) {
	const rows = 5
	w, other := workspaceOf(t, s), workspaceOf(t, s)
	for i := range rows - 1 {
		if err := s.RenameWorkspace(ctx, store.Act{By: fmt.Sprint("ana", i), At: int64(1000 + i)}, w, fmt.Sprintf("\"W\u2028 %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	verify := func(workspace string) store.AuditChain {
		t.Helper()
		chain, err := s.VerifyAudit(ctx, workspace)
		if err != nil {
			t.Fatal(err)
		}
		return chain
	}
	whole := verify(w)
	if whole.Rows != rows || whole.Broken != 0 || len(whole.Head) != 64 {
		t.Fatalf("the chain as it was made: %+v", whole)
	}
	if empty := verify("nowhere"); empty != (store.AuditChain{}) {
		t.Errorf("the chain of nothing: %+v", empty)
	}
	exec := func(query string) {
		t.Helper()
		if _, err := s.Write.Exec(query); err != nil {
			t.Fatal(query, err)
		}
	}
	exec(`CREATE TABLE kept_audit AS SELECT * FROM audit`)
	exec(`CREATE TABLE kept_chains AS SELECT * FROM chains`)
	here := ` WHERE workspace = '` + w + `'`
	damaged := map[string]int64{ // the row where the break is noticed
		`DELETE FROM audit` + here:                     1,
		`UPDATE chains SET n = n + 1` + here:           rows + 1,
		`UPDATE chains SET hash = 'x'` + here:          rows + 1,
		`DELETE FROM chains` + here:                    rows + 1,
		`UPDATE chains SET workspace = 'other'` + here: rows + 1,
		`INSERT INTO audit (workspace, n, at, actor, action, subject, hash) SELECT workspace, 6, at, actor, action, subject, hash FROM audit` + here + ` AND n = 5`: 6,
		`INSERT INTO audit (workspace, n, at, actor, action, subject, hash) SELECT workspace, 0, at, actor, action, subject, hash FROM audit` + here + ` AND n = 1`: 1,
		`UPDATE audit SET n = CASE n WHEN 2 THEN 13 WHEN 3 THEN 12 ELSE n END` + here:                                                                               2,
	}
	for n := int64(1); n <= rows; n++ {
		at := here + fmt.Sprint(" AND n = ", n)
		damaged[`DELETE FROM audit`+at] = n
		damaged[`UPDATE audit SET n = n + 100`+at] = n
		damaged[`UPDATE audit SET workspace = '`+other+`', n = 100`+at] = n
		damaged[`UPDATE audit SET at = at + 1`+at] = n
		damaged[`UPDATE audit SET actor = actor || 'x'`+at] = n
		damaged[`UPDATE audit SET action = 'x'`+at] = n
		damaged[`UPDATE audit SET subject = subject || ' '`+at] = n
		damaged[`UPDATE audit SET hash = '`+whole.Head[:63]+`x'`+at] = n
	}
	for query, broken := range damaged {
		exec(query)
		if chain := verify(w); chain.Broken != broken {
			t.Errorf("%s: broken at %d of %d, want %d", query, chain.Broken, chain.Rows, broken)
		}
		exec(`DELETE FROM audit`)
		exec(`INSERT INTO audit SELECT * FROM kept_audit`)
		exec(`DELETE FROM chains`)
		exec(`INSERT INTO chains SELECT * FROM kept_chains`)
	}
	if again := verify(w); again != whole {
		t.Errorf("restored: %+v, want %+v", again, whole)
	}
	exec(`UPDATE audit SET workspace = '` + other + `', n = 2` + here + ` AND n = 2`)
	if chain := verify(other); chain.Broken != 2 {
		t.Errorf("a row of another workspace: %+v", chain)
	}
}

// TestAuditExport tests that the chain can be verified without the store.
func TestAuditExport(t *testing.T) {
	s := openSQLite(t)
	w := workspaceOf(t, s)
	if err := s.RenameWorkspace(ctx, store.Act{By: "ana", At: 7}, w, "New"); err != nil {
		t.Fatal(err)
	}
	var chain store.AuditChain
	if err := s.EachAudit(ctx, w, func(row store.AuditEntry) error { chain.Add(&row); return nil }); err != nil {
		t.Fatal(err)
	}
	if kept, err := s.VerifyAudit(ctx, w); err != nil || kept != chain || chain.Rows != 2 || chain.Broken != 0 {
		t.Errorf("exported %+v, kept %+v, %v", chain, kept, err)
	}
	stop := errors.New("stop")
	if err := s.EachAudit(ctx, w, func(store.AuditEntry) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an export that is broken off: %v", err)
	}
	row := store.AuditEntry{No: 1, At: 7, By: "ana", Action: "a", Subject: "s", Workspace: "w"}
	if got := row.ChainHash(""); got != "1fdc0af623baf1728ad2d414aee4af72341d9a364a5e6ea6e6d5e553c6cc4d5d" {
		t.Errorf("the hash of a row: %s", got)
	}
}

// TestAuditAtOnce tests concurrent writes to one chain, besides other workspaces.
func TestAuditAtOnce(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { auditAtOnce(t, openSQLite(t)) })
	t.Run("postgres", func(t *testing.T) { auditAtOnce(t, openPostgres(t, storetest.SharedPostgres(t))) })
}

func auditAtOnce(t *testing.T, s *Store) {
	const people, each = 6, 10
	var wait sync.WaitGroup
	for i := range people {
		wait.Go(func() {
			for k := range each {
				u := store.User{ID: store.NewID(), Email: fmt.Sprintf("p%d.%d@acme.example", i, k)}
				if err := s.AddUser(ctx, store.Act{At: int64(k)}, u); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if chain, err := s.VerifyAudit(ctx, ""); err != nil || chain.Broken != 0 || chain.Rows != people*each {
		t.Errorf("%+v, %v", chain, err)
	}
}
