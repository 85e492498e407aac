//go:build unix

package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
	"github.com/figs-web/figs-web/internal/testenv"
)

// listener records what ListenChanges reports, in order: "lost", or a workspace and its Seq.
type listener struct {
	t    *testing.T
	told chan string
}

func startListener(t *testing.T, hints func(context.Context, func(string, int64), func()) error) *listener {
	t.Helper()
	l := &listener{t, make(chan string, 1000)}
	ctx, stop := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		err := hints(ctx, func(workspace string, seq int64) { l.told <- fmt.Sprint(workspace, " ", seq) }, func() { l.told <- "lost" })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("listening ended with %v", err)
		}
	})
	t.Cleanup(func() {
		stop()
		done.Wait()
	})
	return l
}

func (l *listener) next(want string) {
	l.t.Helper()
	select {
	case got := <-l.told:
		if got != want {
			l.t.Errorf("told %q, want %q", got, want)
		}
	case <-time.After(30 * time.Second):
		l.t.Fatalf("%q was not told in half a minute", want)
	}
}

// sendNotification sends a payload, as a change does, and as everyone can who can connect.
func sendNotification(t *testing.T, s *Store, payload string) {
	t.Helper()
	if _, err := s.Write.ExecContext(ctx, `SELECT pg_notify('`+sqldb.NotifyChannel+`', $1)`, payload); err != nil {
		t.Fatal(err)
	}
}

// closeListeners closes the connections of all listeners, and returns how many there were.
func closeListeners(t *testing.T, s *Store) (n int) {
	t.Helper()
	err := s.Write.QueryRowContext(ctx, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%' AND pid <> pg_backend_pid()`).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestListenChanges tests ListenChanges with a real server.
func TestListenChanges(t *testing.T) {
	p := storetest.StartPostgres(t)
	t.Run("changes", func(t *testing.T) { testHearsChanges(t, p) })
	t.Run("silence", func(t *testing.T) { testNoticesSilence(t, p) })
	t.Run("return", func(t *testing.T) { testReconnects(t, p) })
	t.Run("nobody", func(t *testing.T) { testUnsupported(t, p) })
}

// testHearsChanges tests that every change of another program is reported, in order, that invalid payloads are ignored, and
// that a lost connection is reported.
func testHearsChanges(t *testing.T, p *storetest.Postgres) {
	url := p.Database(t)
	open := func() *Store {
		s, err := OpenPostgres(ctx, url, sqldb.PostgresOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	here, there := open(), open()
	one := startListener(t, here.ListenChanges)
	other := startListener(t, there.ListenChanges)
	for _, l := range []*listener{one, other} {
		l.next("lost")
	}
	w := store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme", Created: 1}
	if err := there.AddWorkspace(ctx, store.Act{At: 1}, w, ""); err != nil {
		t.Fatal(err)
	}
	rename := func(name string) string {
		t.Helper()
		if err := there.RenameWorkspace(ctx, store.Act{At: 1}, w.ID, name); err != nil {
			t.Fatal(err)
		}
		seq, err := there.Seq(ctx, w.ID)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(w.ID, " ", seq)
	}
	for range len(one.told) { // of adding it
		<-one.told
	}
	for _, junk := range []string{"", "nothing", w.ID, w.ID + " ", w.ID + " x", w.ID + " -1", " 7", w.ID + " 99999999999999999999", "a b c"} {
		sendNotification(t, there, junk)
	}
	first := rename("One")
	for got := ""; got != first; { // events of adding it come first
		select {
		case got = <-one.told:
		case <-time.After(30 * time.Second):
			t.Fatal("the change was not told in half a minute")
		}
	}
	for i := range 20 {
		one.next(rename(fmt.Sprint("Name ", i)))
	}
	act := store.Act{At: 2}
	for name, change := range map[string]func() error{ // each increments the Seq in another way
		"policy": func() error { return there.SetPolicy(ctx, act, w.ID, store.Policy{TickEveryStep: true}, true) },
		"delete": func() error {
			return errors.Join(there.DeleteWorkspace(ctx, act, w.ID), there.RestoreWorkspace(ctx, act, w.ID))
		},
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		want, err := there.Seq(ctx, w.ID)
		if err != nil {
			t.Fatal(err)
		}
		for got := ""; got != fmt.Sprint(w.ID, " ", want); {
			select {
			case got = <-one.told:
			case <-time.After(30 * time.Second):
				t.Fatalf("%s was not told in half a minute", name)
			}
		}
	}
	for range 3 {
		if n := closeListeners(t, there); n != 2 {
			t.Fatalf("%d connections listened, want 2", n)
		}
		one.next("lost")
		one.next(rename("Cut"))
		for got := ""; got != "lost"; {
			got = <-other.told
		}
	}
}

// testNoticesSilence tests that a dead connection is noticed, and that listening continues on a new one.
func testNoticesSilence(t *testing.T, p *storetest.Postgres) {
	s := openPostgres(t, p)
	e := sqldb.DefaultListener
	e.PingAfter, e.PingTimeout = 50*time.Millisecond, 300*time.Millisecond
	var mu sync.Mutex
	var lines []*silentConn
	config := s.Config.Copy()
	inner := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := inner(ctx, network, address)
		if err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		line := &silentConn{Conn: c, deaf: make(chan struct{})}
		lines = append(lines, line)
		return line, nil
	}
	e.Connect = func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, config) }
	l := startListener(t, func(ctx context.Context, changed func(string, int64), lost func()) error {
		e.Changed, e.Lost = changed, lost
		return e.Listen(ctx)
	})
	l.next("lost")
	mu.Lock()
	line := lines[len(lines)-1]
	mu.Unlock()
	said := line.said.Load()
	testenv.Eventually(t, time.Minute, "the server to be asked some times, and to answer", func() bool { return line.said.Load() >= said+3 })
	sendNotification(t, s, "w 1")
	l.next("w 1")
	close(line.deaf)
	l.next("lost")
	sendNotification(t, s, "w 2")
	l.next("w 2")
}

// silentConn is a connection that delivers nothing any more, without an error.
type silentConn struct {
	net.Conn
	said atomic.Int64 // how often the server has sent something
	deaf chan struct{}
}

func (d *silentConn) Read(b []byte) (int, error) {
	for {
		n, err := d.Conn.Read(b)
		select {
		case <-d.deaf:
			if err != nil {
				return 0, err // its deadline has passed, or it is closed
			}
			continue // what arrives is thrown away
		default:
			if n > 0 {
				d.said.Add(1)
			}
			return n, err
		}
	}
}

// testUnsupported tests databases that can't report changes.
func testUnsupported(t *testing.T, p *storetest.Postgres) {
	file, err := OpenSQLite(ctx, filepath.Join(t.TempDir(), "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	tables, err := OpenPostgres(ctx, p.Database(t), sqldb.PostgresOptions{TablesOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	for name, s := range map[string]*Store{"a file": file, "tables only": tables} {
		err := s.ListenChanges(ctx, func(string, int64) { t.Errorf("%s told of a change", name) }, func() { t.Errorf("%s lost something", name) })
		if !errors.Is(err, store.ErrNoChangeEvents) {
			t.Errorf("%s: %v, want ErrNoHints", name, err)
		}
	}
	lacks := sqldb.DefaultListener // as CockroachDB answers LISTEN
	lacks.Connect = func(context.Context) (*pgx.Conn, error) { return nil, &pgconn.PgError{Code: "0A000"} }
	if err := lacks.Listen(ctx); !errors.Is(err, store.ErrNoChangeEvents) {
		t.Errorf("an engine without LISTEN: %v, want ErrNoHints", err)
	}
}

// testReconnects tests that an unreachable server is retried.
func testReconnects(t *testing.T, p *storetest.Postgres) {
	s := openPostgres(t, p)
	e := sqldb.DefaultListener
	e.MinBackoff, e.MaxBackoff = time.Millisecond, 5*time.Millisecond
	tries := 0
	e.Connect = func(ctx context.Context) (*pgx.Conn, error) {
		if tries++; tries < 8 {
			return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
		}
		return pgx.ConnectConfig(ctx, s.Config.Copy())
	}
	l := startListener(t, func(ctx context.Context, changed func(string, int64), lost func()) error {
		e.Changed, e.Lost = changed, lost
		return e.Listen(ctx)
	})
	l.next("lost")
}
