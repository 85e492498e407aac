//go:build unix

package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqlcopy"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
	"github.com/figs-web/figs-web/internal/testenv"
)

// oddCases are the cases of the conformance suite whose data is hard to copy.
var oddCases = []string{"odd_texts", "many_records", "decide_invalid", "erase_invalid", "erase_an_attachment", "search", "state_hash"}

// TestCopyConformanceStores copies the stores that the conformance suite leaves to PostgreSQL, and back to SQLite, and
// compares every value, search results, and every index. It copies stores with rows in a table that was empty before, and
// oddCases; with FIGS_LONG all.
func TestCopyConformanceStores(t *testing.T) {
	r := &copyRoundTrips{there: openPostgres(t, storetest.SharedPostgres(t)), filled: map[string]bool{}}
	r.indexes = indexDefinitions(t, r.there)
	t.Run("cases", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) store.Store {
			s := openSQLite(t)
			t.Cleanup(func() {
				r.roundTrip(t, s, os.Getenv("FIGS_LONG") != "" || slices.Contains(oddCases, path.Base(t.Name())))
			})
			return s
		})
	})
	t.Run("what the suite does not leave", func(t *testing.T) {
		s := filledToday(t)
		for _, statement := range []string{
			`INSERT INTO setups (no, hash, expires_at) VALUES (1, 'h', 2)`,
			`INSERT INTO tickets (hash, kind, person, data, expires_at) VALUES ('h', 'k', '', X'00ff', 3)`,
			`INSERT INTO notify_wishes (person, place, workspace, event, wanted) VALUES ('p', 'q', 'w', 'e', 1)`,
			`INSERT INTO chores (name) VALUES ('later')`,
		} {
			if _, err := s.Write.Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		r.roundTrip(t, s, true)
	})
	tables, err := r.there.TablesOf(ctx, r.there.Write)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		if !r.filled[table.Name] {
			t.Errorf("nothing that was copied had rows in %s, so that nothing shows whether they arrive", table.Name)
		}
	}
}

// copyRoundTrips copies one store after another to PostgreSQL and back.
type copyRoundTrips struct {
	turn    sync.Mutex // the cases of the suite run beside each other
	there   *Store
	indexes []string
	filled  map[string]bool // tables that have had rows
}

func (r *copyRoundTrips) roundTrip(t *testing.T, s *Store, always bool) {
	r.turn.Lock()
	defer r.turn.Unlock()
	if news := r.hasNewTables(t, s); !news && !always || t.Failed() {
		return
	}
	back := openSQLite(t)
	copied := copyInto(t, r.there, s)
	again := copyInto(t, back, r.there)
	if diff := cmp.Diff(copied.Tables, again.Tables); diff != "" {
		t.Errorf("there and back again (-there +back):\n%s", diff)
	}
	sameStores(t, s, r.there)
	sameStores(t, s, back)
	if diff := cmp.Diff(r.indexes, indexDefinitions(t, r.there)); diff != "" {
		t.Errorf("the indexes and references (-before +after):\n%s", diff)
	}
	emptyStore(t, r.there)
}

// hasNewTables records which tables have rows, and reports whether one of them has rows for the first time.
func (r *copyRoundTrips) hasNewTables(t *testing.T, s *Store) (news bool) {
	t.Helper()
	tables, err := s.TablesOf(ctx, s.Write)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		var has bool
		if err := s.Write.QueryRow(`SELECT EXISTS (SELECT 1 FROM ` + table.Name + `)`).Scan(&has); err != nil {
			t.Fatal(err)
		}
		news = news || has && !r.filled[table.Name]
		r.filled[table.Name] = r.filled[table.Name] || has
	}
	return news
}

// copyInto copies a store and finishes the copy.
func copyInto(t *testing.T, to, from *Store) *store.CopyResult {
	t.Helper()
	copied, err := to.CopyFrom(ctx, from, store.CopyOptions{})
	if err != nil {
		t.Fatalf("copying from %s to %s: %v", from.Name(), to.Name(), err)
	}
	var unfinished *store.UnfinishedCopyError
	if err := to.CheckFinished(ctx); !errors.As(err, &unfinished) {
		t.Errorf("before a copy is finished: %v, want *store.Unfinished", err)
	}
	if err := errors.Join(to.FinishCopy(ctx), to.CheckFinished(ctx)); err != nil {
		t.Fatal(err)
	}
	return copied
}

// sameStores compares two stores by their answers.
func sameStores(t *testing.T, x, y *Store) {
	t.Helper()
	for _, ask := range []func(*Store) (string, error){
		func(s *Store) (string, error) { return s.StateHash(ctx) },
		func(s *Store) (string, error) {
			tx, err := s.BeginRead(ctx)
			if err != nil {
				return "", err
			}
			defer tx.Rollback()
			return sqlcopy.SourceState(ctx, tx)
		},
		func(s *Store) (string, error) { return fmt.Sprint(indexedRows(t, s)), nil },
		func(s *Store) (string, error) { c, err := s.VerifyAudit(ctx, ""); return fmt.Sprint(c), err },
	} {
		want, err := ask(x)
		got, failed := ask(y)
		if err != nil || failed != nil || got != want {
			t.Errorf("the copy in %s answers %s, %v, want %s, %v", y.Name(), got, failed, want, err)
		}
	}
	var last, next int64
	if err := errors.Join(x.Write.QueryRow(x.CopyDialect().LastNumber()).Scan(&last), y.Write.QueryRow(y.CopyDialect().LastNumber()).Scan(&next)); err != nil || next < last {
		t.Errorf("the copy goes on numbering at %d, %v, and %d are taken", next, err, last)
	}
}

// indexedRows returns the numbers of the rows in the search index.
func indexedRows(t *testing.T, s *Store) []int64 {
	t.Helper()
	query := `SELECT no FROM search ORDER BY no`
	if s.Name() == "sqlite" {
		query = `SELECT id FROM search_docsize ORDER BY id`
	}
	rows, err := s.Write.Query(query)
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, no *int64) error { return r.Scan(no) })
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// indexDefinitions returns every index and every reference.
func indexDefinitions(t *testing.T, s *Store) []string {
	t.Helper()
	rows, err := s.Write.Query(s.CopyDialect().DeferredObjects())
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, made *string) error { var gone string; return r.Scan(&gone, made) })
	if err != nil || len(all) < 20 {
		t.Fatalf("%d indexes and references, %v", len(all), err)
	}
	return all
}

// emptyStore deletes everything in a store.
func emptyStore(t *testing.T, s *Store) {
	t.Helper()
	tables, err := s.TablesOf(ctx, s.Write)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, table := range slices.Backward(tables) {
		names = append(names, table.Name)
	}
	for _, statement := range s.CopyDialect().Empty(names) {
		if _, err := s.Write.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// TestCopyCoversEveryTable tests that a new table is copied unless it is in NotCopied.
func TestCopyCoversEveryTable(t *testing.T) {
	there := openPostgresAs(t, storetest.SharedPostgres(t), sqldb.PostgresOptions{TablesOnly: true}) // which has a table more
	lists := map[string][]string{}
	for _, s := range []*Store{openSQLite(t), there} {
		tables, err := s.TablesOf(ctx, s.Write)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range tables {
			lists[s.Name()] = append(lists[s.Name()], table.Name)
		}
		slices.Sort(lists[s.Name()])
	}
	if diff := cmp.Diff(lists["sqlite"], lists["postgres"]); diff != "" {
		t.Errorf("tables that one database has alone belong into notCopied, with the reason (-SQLite +PostgreSQL):\n%s", diff)
	}
	if len(lists["sqlite"]) < 30 {
		t.Errorf("only %d tables are copied", len(lists["sqlite"]))
	}
	known := columnsOf(t, openSQLite(t))
	maps.Copy(known, map[string][]string{sqlcopy.CopyTableName: nil})
	rows, err := there.Write.Query(`SELECT DISTINCT table_name FROM information_schema.tables WHERE table_schema = current_schema()`)
	names, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, name *string) error { return r.Scan(name) })
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		known[name] = nil
	}
	for name, why := range sqlcopy.NotCopied {
		if _, ok := known[name]; !ok || why == "" {
			t.Errorf("notCopied names %q (%q), which no database has", name, why)
		}
	}
	for _, name := range sqlcopy.TransientTables {
		if !slices.Contains(lists["sqlite"], name) {
			t.Errorf("passing names %q, which is no table", name)
		}
	}
}

// TestCopyIntoNonEmptyStore tests that a copy is refused if the target has data, or an unfinished copy of another store.
func TestCopyIntoNonEmptyStore(t *testing.T) {
	from, to := filledToday(t), openSQLite(t)
	var full *store.NotEmptyError
	if _, err := from.CopyFrom(ctx, to, store.CopyOptions{}); !errors.As(err, &full) || full.Rows == 0 {
		t.Errorf("copying over something: %v, want *store.NotEmpty", err)
	}
	if err := from.CheckFinished(ctx); err != nil {
		t.Errorf("afterwards it is not whole: %v", err)
	}
	if _, err := to.CopyFrom(ctx, from, store.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	want, err := to.CopyFrom(ctx, from, store.CopyOptions{})
	if err != nil || want.Written != 0 || want.Rows() == 0 {
		t.Errorf("a second time: %+v, %v, want no row written", want, err)
	}
	// A change that isn't in the audit log shows in the rows that were copied.
	if _, err := from.Write.Exec(`UPDATE users SET language = 'xx'`); err != nil {
		t.Fatal(err)
	}
	var other *store.SourceChangedError
	if _, err := to.CopyFrom(ctx, from, store.CopyOptions{}); !errors.As(err, &other) || other.Table != "users" {
		t.Errorf("from a source that has changed a row: %v, want *store.OtherSource", err)
	}
	if _, err := to.CopyFrom(ctx, openSQLite(t), store.CopyOptions{}); !errors.As(err, &other) || other.Table != "" {
		t.Errorf("from another source: %v, want *store.OtherSource", err)
	}
	if again, err := to.CopyFrom(ctx, from, store.CopyOptions{Restart: true}); err != nil || again.Written != want.Rows() {
		t.Errorf("again: %+v, %v, want %d rows written", again, err, want.Rows())
	}
	if err := to.FinishCopy(ctx); err != nil {
		t.Fatal(err)
	}
	sameStores(t, from, to)
}

// TestCopyDetectsChangedRows tests that rows changed in the copy are found before it is finished.
func TestCopyDetectsChangedRows(t *testing.T) {
	from, to := filledToday(t), openSQLite(t)
	if _, err := to.CopyFrom(ctx, from, store.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := to.Write.Exec(`UPDATE trail SET pushed_by = pushed_by || ' '`); err != nil {
		t.Fatal(err)
	}
	var differs *store.CopyMismatchError
	if _, err := to.CopyFrom(ctx, from, store.CopyOptions{}); !errors.As(err, &differs) || differs.Table != "trail" {
		t.Errorf("a copy that was changed: %v, want *store.Differs of trail", err)
	}
}

// TestCopyUnsupportedValues tests that values that only other programs write are copied if possible, and reported
// otherwise.
func TestCopyUnsupportedValues(t *testing.T) {
	from, p := filledToday(t), storetest.SharedPostgres(t)
	set := func(name, value string, n int64) {
		t.Helper()
		if _, err := from.Write.Exec(`INSERT INTO facts (name, value, at) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET value = excluded.value, at = excluded.at`, name, value, n); err != nil {
			t.Fatal(err)
		}
	}
	set("largest", strings.Repeat("\u00e4\U0001F600\t\\N\r\n'\"", 1000), 1<<63-1)
	set("smallest", "", -1<<63)
	set("\\.", "\x01\x7f\uFFFF\uFEFF", 0)
	set("Ähnlich", "sorts behind every letter", 0)
	if _, err := from.Write.Exec(`INSERT INTO tickets (hash, kind, person, data, expires_at) VALUES ('odd', 'k', '', $1, 0), ('none', 'k', '', $2, 0)`, []byte("\x00\xff\x00"), []byte{}); err != nil {
		t.Fatal(err)
	}
	there, back := openPostgres(t, p), openSQLite(t)
	if diff := cmp.Diff(copyInto(t, there, from).Tables, copyInto(t, back, there).Tables); diff != "" {
		t.Errorf("there and back again (-there +back):\n%s", diff)
	}
	var data []byte
	var value string
	var at int64
	if err := back.Write.QueryRow(`SELECT data FROM tickets WHERE hash = 'odd'`).Scan(&data); err != nil || string(data) != "\x00\xff\x00" {
		t.Errorf("bytes came back as %q, %v", data, err)
	}
	var kind string
	if err := back.Write.QueryRow(`SELECT typeof(data) FROM tickets WHERE hash = 'none'`).Scan(&kind); err != nil || kind != "blob" {
		t.Errorf("no bytes came back as %s, %v", kind, err)
	}
	if err := back.Write.QueryRow(`SELECT value, at FROM facts WHERE name = 'largest'`).Scan(&value, &at); err != nil || at != 1<<63-1 || len(value) != 13_000 {
		t.Errorf("came back as %d bytes and %d, %v", len(value), at, err)
	}
	for value, why := range map[string]string{"a\x00b": "NUL", "a\xffb": "UTF-8"} {
		set("odd", value, 1)
		var unfit *store.UnsupportedValueError
		if _, err := openPostgres(t, p).CopyFrom(ctx, from, store.CopyOptions{}); !errors.As(err, &unfit) || unfit.Table != "facts" || unfit.Column != "value" || !strings.Contains(unfit.Key, `name="odd"`) || !strings.Contains(unfit.Why, why) {
			t.Errorf("a text with %q: %v, want *store.Unfit", value, err)
		}
	}
}

// TestCopyResumes tests that a copy can be stopped at any time and resumed, without writing anything again.
func TestCopyResumes(t *testing.T) {
	from := filledToday(t)
	whole := copyInto(t, openSQLite(t), from)
	for _, to := range []*Store{openSQLite(t), openPostgresAs(t, storetest.SharedPostgres(t), sqldb.PostgresOptions{TablesOnly: true})} {
		went := int64(0)
		for stops := 1; ; stops += 7 {
			ctx, stop := context.WithCancel(ctx)
			calls := 0
			copied, err := to.CopyFrom(ctx, from, store.CopyOptions{Progress: func(done, total int64) {
				if calls++; calls == stops {
					stop()
				}
				if done > total || total == 0 {
					t.Errorf("%d of %d", done, total)
				}
			}})
			stop()
			if err == nil {
				if stops < 50 || copied.Written >= whole.Rows() || cmp.Diff(whole.Tables, copied.Tables) != "" {
					t.Errorf("%s: after %d stops %d rows were written, %v", to.Name(), stops/7, copied.Written, cmp.Diff(whole.Tables, copied.Tables))
				}
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: stopped at %d: %v", to.Name(), stops, err)
			}
			var now int64
			if err := to.Write.QueryRow(`SELECT coalesce(sum(n), 0) FROM ` + sqlcopy.CopyTableName + ` WHERE kind = 'table'`).Scan(&now); err != nil || now < went {
				t.Fatalf("%s: stopped at %d there are %d rows, %v, and before there were %d", to.Name(), stops, now, err, went)
			}
			went = now
		}
		if err := to.FinishCopy(ctx); err != nil {
			t.Fatal(err)
		}
		sameStores(t, from, to)
	}
}

// TestCopyTrouble tests that nothing is lost if the server goes away or the disk is full.
func TestCopyTrouble(t *testing.T) {
	from := filledToday(t)
	p := storetest.SharedPostgres(t)
	there, other := openPostgres(t, p), openPostgres(t, p)
	cut := 0
	_, err := there.CopyFrom(ctx, from, store.CopyOptions{Progress: func(done, total int64) {
		if done > total/4 && cut == 0 {
			cut++
			if _, err := other.Write.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, there.Config.Database); err != nil {
				t.Error(err)
			}
		}
	}})
	if err == nil || cut == 0 {
		t.Errorf("without a connection: %v", err)
	}
	copyInto(t, there, from)
	sameStores(t, from, there)

	if err := from.SetFact(ctx, "large", strings.Repeat("much ", 200_000), 1); err != nil {
		t.Fatal(err)
	}
	small := openSQLite(t)
	var pages int
	if err := small.Write.QueryRow(`PRAGMA page_count`).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	var full *store.DiskFullError
	for room := 1; ; room += 100 {
		if err := small.Write.QueryRow(fmt.Sprintf(`PRAGMA max_page_count = %d`, pages+room)).Scan(new(int)); err != nil {
			t.Fatal(err)
		}
		_, err := small.CopyFrom(ctx, from, store.CopyOptions{})
		if err == nil && room > 200 {
			break
		}
		if !errors.As(err, &full) {
			t.Fatalf("with room for %d pages: %v, want *store.DiskFullError", room, err)
		}
	}
	if err := small.FinishCopy(ctx); err != nil {
		t.Fatal(err)
	}
	sameStores(t, from, small)
}

// TestOtherConnections tests that other programs are counted, and a copying one isn't.
func TestOtherConnections(t *testing.T) {
	p := storetest.SharedPostgres(t)
	s := openPostgres(t, p)
	address := s.Config.ConnString() + " application_name=" + store.CopierAppName
	copier, err := OpenPostgres(ctx, address, sqldb.PostgresOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer copier.Close()
	if n, err := copier.OtherConnections(ctx); err != nil || n < 1 {
		t.Errorf("beside another: %d, %v", n, err)
	}
	s.Close()
	testenv.Eventually(t, 10*time.Second, "the server to notice that another has gone", func() bool {
		n, err := copier.OtherConnections(ctx)
		return err == nil && n == 0
	})
}
