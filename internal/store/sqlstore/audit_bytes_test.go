//go:build unix

package sqlstore

import (
	"fmt"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

// oddAuditChain adds a workspace whose audit log has all kinds of text.
func oddAuditChain(t *testing.T, s *Store) (workspace string, rows []store.AuditEntry) {
	t.Helper()
	workspace = workspaceOf(t, s)
	for i, name := range []string{"Größe", "a\x00b\xffc\u2028", `"\,]`, "\U0001F600", ""} {
		if err := s.RenameWorkspace(ctx, store.Act{By: "ana\xf0\x9f", At: int64(i)}, workspace, name); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.EachAudit(ctx, workspace, func(row store.AuditEntry) error { rows = append(rows, row); return nil }); err != nil {
		t.Fatal(err)
	}
	return workspace, rows
}

// entryTexts are the texts of a row, for tests that change them.
func entryTexts(row *store.AuditEntry) []*string {
	return []*string{&row.Workspace, &row.By, &row.Action, &row.Subject, &row.Hash}
}

// TestAuditEveryByte tests that changing any byte of any text, or any number, breaks the chain.
func TestAuditEveryByte(t *testing.T) {
	_, rows := oddAuditChain(t, openSQLite(t))
	walk := func() store.AuditChain {
		var chain store.AuditChain
		for i := range rows {
			chain.Add(&rows[i])
		}
		return chain
	}
	whole := walk()
	if whole.Broken != 0 || whole.Rows != int64(len(rows)) || len(rows) < 6 {
		t.Fatalf("the chain as it was made: %+v", whole)
	}
	tried := 0
	try := func(what string, row int) {
		tried++
		if chain := walk(); chain.Broken == 0 {
			t.Errorf("row %d, %s: nothing is broken", row+1, what)
		}
	}
	for i := range rows {
		row := &rows[i]
		for n, text := range entryTexts(row) {
			was := *text
			for k := range len(was) {
				for b := range 256 {
					if byte(b) != was[k] {
						*text = was[:k] + string([]byte{byte(b)}) + was[k+1:]
						try(fmt.Sprintf("text %d is %q, was %q", n, *text, was), i)
					}
				}
				*text = was[:k] + was[k+1:]
				try(fmt.Sprintf("text %d without byte %d", n, k), i)
			}
			*text = was + "\x00"
			try(fmt.Sprintf("text %d with a byte more", n), i)
			*text = was
		}
		for n, number := range []*int64{&row.No, &row.At} {
			was := *number
			for bit := range 64 {
				*number = was ^ 1<<bit
				try(fmt.Sprintf("number %d is %d, was %d", n, *number, was), i)
			}
			*number = was
		}
	}
	if walk() != whole || tried < 100_000 {
		t.Errorf("%d changes tried, and then %+v", tried, walk())
	}
}

// TestAuditEveryByteStored tests the same in the database.
func TestAuditEveryByteStored(t *testing.T) {
	s := openSQLite(t)
	w, rows := oddAuditChain(t, s)
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := s.Write.Exec(query, args...); err != nil {
			t.Fatal(query, err)
		}
	}
	exec(`PRAGMA synchronous = off`)
	verify := func() store.AuditChain {
		t.Helper()
		chain, err := s.VerifyAudit(ctx, w)
		if err != nil {
			t.Fatal(err)
		}
		return chain
	}
	whole := verify()
	for i := range rows {
		for n, column := range []string{"workspace", "actor", "action", "subject", "hash"} {
			was := *entryTexts(&rows[i])[n]
			at := ` WHERE n = ` + fmt.Sprint(rows[i].No) + ` AND workspace = `
			for k := range len(was) {
				changed := []byte(was)
				changed[k] ^= 1 << (k % 8)
				of := []byte(w)
				exec(`UPDATE audit SET `+column+` = CAST($1 AS TEXT)`+at+`CAST($2 AS TEXT)`, changed, of)
				if chain := verify(); chain.Broken == 0 {
					t.Errorf("row %d, byte %d of %s: %+v", rows[i].No, k, column, chain)
				}
				if column == "workspace" {
					of = changed
				}
				exec(`UPDATE audit SET `+column+` = $1`+at+`CAST($2 AS TEXT)`, was, of)
			}
		}
	}
	exec(`CREATE TABLE kept_audit AS SELECT * FROM audit`)
	exec(`CREATE TABLE kept_chains AS SELECT * FROM chains`)
	last := int64(len(rows))
	for what, x := range map[string]struct {
		broken  int64
		queries []string
	}{
		"two rows change places": {2, []string{`UPDATE audit SET n = -n WHERE n IN (2, 3)`, `UPDATE audit SET n = 5 + n WHERE n < 0`}},
		"one is put between": {3, []string{`UPDATE audit SET n = -n WHERE n > 2`, `UPDATE audit SET n = 1 - n WHERE n < 0`, `UPDATE chains SET n = n + 1`,
			`INSERT INTO audit (workspace, n, at, actor, action, subject, hash) SELECT workspace, 3, at, actor, action, subject, hash FROM audit WHERE n = 2`}},
		"the last is taken out": {last, []string{fmt.Sprint(`DELETE FROM audit WHERE n = `, last)}},
		"one is taken out, and the others follow": {3, []string{`DELETE FROM audit WHERE n = 3`, `UPDATE audit SET n = -n WHERE n > 3`, `UPDATE audit SET n = -n - 1 WHERE n < 0`,
			`UPDATE chains SET n = n - 1`}},
	} {
		for _, query := range x.queries {
			exec(query)
		}
		if chain := verify(); chain.Broken != x.broken {
			t.Errorf("%s: %+v, want it broken at %d", what, chain, x.broken)
		}
		for _, table := range []string{"audit", "chains"} {
			exec(`DELETE FROM ` + table)
			exec(`INSERT INTO ` + table + ` SELECT * FROM kept_` + table)
		}
		if again := verify(); again != whole {
			t.Fatalf("%s, and mended: %+v, want %+v", what, again, whole)
		}
	}
}
