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

// oddCases are those of the conformance suite that leave what is hard to copy.
var oddCases = []string{"odd_texts", "many_records", "decide_what_is_odd", "erase_what_is_odd", "erase_an_attachment", "search", "state_hash"}

// Whatever the conformance suite leaves in a store is the same in PostgreSQL, and in SQLite again:
// every value, what search finds, and every index. Copied is what has rows in a table that no case
// before had, and what is odd; with FIGS_LONG everything.
func TestCopySuite(t *testing.T) {
	r := &roundTrips{there: openPostgres(t, storetest.SharedPostgres(t)), filled: map[string]bool{}}
	r.indexes = laterOf(t, r.there)
	t.Run("cases", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) store.Store {
			s := openSQLite(t)
			t.Cleanup(func() { r.trip(t, s, os.Getenv("FIGS_LONG") != "" || slices.Contains(oddCases, path.Base(t.Name()))) })
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
		r.trip(t, s, true)
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

// roundTrips are copies of one store after another to PostgreSQL and back.
type roundTrips struct {
	turn    sync.Mutex // the cases of the suite run beside each other
	there   *Store
	indexes []string
	filled  map[string]bool // tables that have had rows
}

func (r *roundTrips) trip(t *testing.T, s *Store, always bool) {
	r.turn.Lock()
	defer r.turn.Unlock()
	if news := r.news(t, s); !news && !always || t.Failed() {
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
	if diff := cmp.Diff(r.indexes, laterOf(t, r.there)); diff != "" {
		t.Errorf("the indexes and references (-before +after):\n%s", diff)
	}
	emptied(t, r.there)
}

// news notes which tables have rows, and reports whether one is among them that never had.
func (r *roundTrips) news(t *testing.T, s *Store) (news bool) {
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

// copyInto copies and finishes.
func copyInto(t *testing.T, to, from *Store) *store.Copied {
	t.Helper()
	copied, err := to.CopyFrom(ctx, from, store.CopyOptions{})
	if err != nil {
		t.Fatalf("copying from %s to %s: %v", from.Name(), to.Name(), err)
	}
	var unfinished *store.Unfinished
	if err := to.Finished(ctx); !errors.As(err, &unfinished) {
		t.Errorf("before a copy is finished: %v, want *store.Unfinished", err)
	}
	if err := errors.Join(to.FinishCopy(ctx), to.Finished(ctx)); err != nil {
		t.Fatal(err)
	}
	return copied
}

// sameStores holds two stores against each other by what they answer.
func sameStores(t *testing.T, x, y *Store) {
	t.Helper()
	for _, ask := range []func(*Store) (string, error){
		func(s *Store) (string, error) { return s.StateHash(ctx) },
		func(s *Store) (string, error) {
			tx, err := s.Moment(ctx)
			if err != nil {
				return "", err
			}
			defer tx.Rollback()
			return sqlcopy.StandingOf(ctx, tx)
		},
		func(s *Store) (string, error) { return fmt.Sprint(wordsIn(t, s)), nil },
		func(s *Store) (string, error) { c, err := s.VerifyAudit(ctx, ""); return fmt.Sprint(c), err },
	} {
		want, err := ask(x)
		got, failed := ask(y)
		if err != nil || failed != nil || got != want {
			t.Errorf("the copy in %s answers %s, %v, want %s, %v", y.Name(), got, failed, want, err)
		}
	}
	var last, next int64
	if err := errors.Join(x.Write.QueryRow(x.Copies().LastNumber()).Scan(&last), y.Write.QueryRow(y.Copies().LastNumber()).Scan(&next)); err != nil || next < last {
		t.Errorf("the copy goes on numbering at %d, %v, and %d are taken", next, err, last)
	}
}

// wordsIn lists which rows are in the index of words.
func wordsIn(t *testing.T, s *Store) []int64 {
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

// laterOf lists every index and every reference.
func laterOf(t *testing.T, s *Store) []string {
	t.Helper()
	rows, err := s.Write.Query(s.Copies().Later())
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, made *string) error { var gone string; return r.Scan(&gone, made) })
	if err != nil || len(all) < 20 {
		t.Fatalf("%d indexes and references, %v", len(all), err)
	}
	return all
}

// emptied takes everything out of a store.
func emptied(t *testing.T, s *Store) {
	t.Helper()
	tables, err := s.TablesOf(ctx, s.Write)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, table := range slices.Backward(tables) {
		names = append(names, table.Name)
	}
	for _, statement := range s.Copies().Empty(names) {
		if _, err := s.Write.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// A table that a later step brings is copied, or named among those that are not.
func TestCopyForgetsNoTable(t *testing.T) {
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
	for _, name := range sqlcopy.Passing {
		if !slices.Contains(lists["sqlite"], name) {
			t.Errorf("passing names %q, which is no table", name)
		}
	}
}

// A store that holds something takes no copy, and one that a copy was begun into takes no other.
func TestCopyRefuses(t *testing.T) {
	from, to := filledToday(t), openSQLite(t)
	var full *store.NotEmpty
	if _, err := from.CopyFrom(ctx, to, store.CopyOptions{}); !errors.As(err, &full) || full.Rows == 0 {
		t.Errorf("copying over something: %v, want *store.NotEmpty", err)
	}
	if err := from.Finished(ctx); err != nil {
		t.Errorf("afterwards it is not whole: %v", err)
	}
	if _, err := to.CopyFrom(ctx, from, store.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	want, err := to.CopyFrom(ctx, from, store.CopyOptions{})
	if err != nil || want.Went != 0 || want.Rows() == 0 {
		t.Errorf("a second time: %+v, %v, want no row written", want, err)
	}
	// What changes without a word in the audit shows by the rows that were copied.
	if _, err := from.Write.Exec(`UPDATE users SET language = 'xx'`); err != nil {
		t.Fatal(err)
	}
	var other *store.OtherSource
	if _, err := to.CopyFrom(ctx, from, store.CopyOptions{}); !errors.As(err, &other) || other.Table != "users" {
		t.Errorf("from a source that has changed a row: %v, want *store.OtherSource", err)
	}
	if _, err := to.CopyFrom(ctx, openSQLite(t), store.CopyOptions{}); !errors.As(err, &other) || other.Table != "" {
		t.Errorf("from another source: %v, want *store.OtherSource", err)
	}
	if again, err := to.CopyFrom(ctx, from, store.CopyOptions{Again: true}); err != nil || again.Went != want.Rows() {
		t.Errorf("again: %+v, %v, want %d rows written", again, err, want.Rows())
	}
	if err := to.FinishCopy(ctx); err != nil {
		t.Fatal(err)
	}
	sameStores(t, from, to)
}

// What was changed in the copy behind its back is noticed before it is said to be whole.
func TestCopyProves(t *testing.T) {
	from, to := filledToday(t), openSQLite(t)
	if _, err := to.CopyFrom(ctx, from, store.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := to.Write.Exec(`UPDATE trail SET pushed_by = pushed_by || ' '`); err != nil {
		t.Fatal(err)
	}
	var differs *store.Differs
	if _, err := to.CopyFrom(ctx, from, store.CopyOptions{}); !errors.As(err, &differs) || differs.Table != "trail" {
		t.Errorf("a copy that was changed: %v, want *store.Differs of trail", err)
	}
}

// Values that only other programs write are kept where they can be, and named where they cannot.
func TestCopyOddValues(t *testing.T) {
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
		var unfit *store.Unfit
		if _, err := openPostgres(t, p).CopyFrom(ctx, from, store.CopyOptions{}); !errors.As(err, &unfit) || unfit.Table != "facts" || unfit.Column != "value" || !strings.Contains(unfit.Key, `name="odd"`) || !strings.Contains(unfit.Why, why) {
			t.Errorf("a text with %q: %v, want *store.Unfit", value, err)
		}
	}
}

// A copy that is stopped at any moment goes on there, and what it has brought is not written again.
func TestCopyGoesOn(t *testing.T) {
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
				if stops < 50 || copied.Went >= whole.Rows() || cmp.Diff(whole.Tables, copied.Tables) != "" {
					t.Errorf("%s: after %d stops %d rows were written, %v", to.Name(), stops/7, copied.Went, cmp.Diff(whole.Tables, copied.Tables))
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

// Where the server goes away, or the disk is full, nothing is lost of what was copied.
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
	var full *store.Full
	for room := 1; ; room += 100 {
		if err := small.Write.QueryRow(fmt.Sprintf(`PRAGMA max_page_count = %d`, pages+room)).Scan(new(int)); err != nil {
			t.Fatal(err)
		}
		_, err := small.CopyFrom(ctx, from, store.CopyOptions{})
		if err == nil && room > 200 {
			break
		}
		if !errors.As(err, &full) {
			t.Fatalf("with room for %d pages: %v, want *store.Full", room, err)
		}
	}
	if err := small.FinishCopy(ctx); err != nil {
		t.Fatal(err)
	}
	sameStores(t, from, small)
}

// Programs that work on a database are seen, and whoever copies is not.
func TestOthers(t *testing.T) {
	p := storetest.SharedPostgres(t)
	s := openPostgres(t, p)
	address := s.Config.ConnString() + " application_name=" + store.CopierName
	copier, err := OpenPostgres(ctx, address, sqldb.PostgresOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer copier.Close()
	if n, err := copier.Others(ctx); err != nil || n < 1 {
		t.Errorf("beside another: %d, %v", n, err)
	}
	s.Close()
	testenv.Eventually(t, 10*time.Second, "the server to notice that another has gone", func() bool {
		n, err := copier.Others(ctx)
		return err == nil && n == 0
	})
}
