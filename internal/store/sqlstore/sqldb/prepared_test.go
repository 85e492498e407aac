package sqldb

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
)

// TestStatementsStayPrepared runs the same statements in many transactions, one of which is rolled back, and many others once.
func TestStatementsStayPrepared(t *testing.T) {
	ctx := t.Context()
	db, err := OpenSQLite(ctx, filepath.Join(t.TempDir(), "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Write.ExecContext(ctx, `CREATE TABLE names (name TEXT)`); err != nil {
		t.Fatal(err)
	}
	const add, count, set = `INSERT INTO names (name) VALUES ($1)`, `SELECT count(*) FROM names`, `UPDATE names SET name = name || '!' WHERE name = $1 RETURNING name`
	lost := errors.New("lost")
	rows := 0
	for i := range 6 {
		err := db.Update(ctx, func(tx *Tx) error {
			name := fmt.Sprint("row ", i)
			if n, err := tx.Exec(ctx, add, name); err != nil || n != 1 {
				t.Errorf("transaction %d inserted %d rows: %v", i, n, err)
			}
			var n int
			if err := tx.Row(ctx, count).Scan(&n); err != nil || n != rows+1 {
				t.Errorf("transaction %d counts %d rows, want %d: %v", i, n, rows+1, err)
			}
			list, err := tx.Rows(ctx, set, name)
			names, err := Collect(list, err, func(r Scanner, s *string) error { return r.Scan(s) })
			if err != nil || len(names) != 1 || names[0] != name+"!" {
				t.Errorf("transaction %d changed %q: %v", i, names, err)
			}
			if i == 3 {
				return lost
			}
			rows++
			return nil
		})
		if err != nil && !(i == 3 && errors.Is(err, lost)) {
			t.Fatal(err)
		}
	}
	for _, query := range []string{add, count, set} {
		if db.kept.known[query] == nil {
			t.Errorf("%s isn't prepared", query)
		}
	}
	for i := range 2 * maxKept { // what is made up each time doesn't pile up
		err := db.Update(ctx, func(tx *Tx) error {
			_, err := tx.Exec(ctx, fmt.Sprintf(`DELETE FROM names WHERE name = '%d'`, i))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := len(db.kept.known); n > maxKept {
		t.Errorf("%d statements are known, at most %d should be", n, maxKept)
	}
}
