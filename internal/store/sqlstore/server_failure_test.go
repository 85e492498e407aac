//go:build unix

package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
	"github.com/figs-web/figs-web/internal/testenv"
)

// pushers are some agents that each push new runs one after the other.
type pushers struct {
	workspace string
	agents    int
	done      atomic.Int64
}

// push lets all agents push that many times; acknowledged pushes are counted meanwhile.
func (c *pushers) push(t *testing.T, s *Store, rounds int) {
	t.Helper()
	var wait sync.WaitGroup
	for agent := range c.agents {
		wait.Go(func() {
			for round := range rounds {
				if err := pushRun(s, c.workspace, agent, round); err != nil {
					t.Errorf("agent %d, push %d: %v", agent, round, err)
					return
				}
				c.done.Add(1)
			}
		})
	}
	wait.Wait()
}

func pushRun(s *Store, workspace string, agent, round int) error {
	text := fmt.Sprintf(`{"workspaceId":%q,"agent":{"id":"0d4f2a3c-1111-4222-8333-%012d","name":"A%d"},"runs":[{"id":"r%d","ts":"2026-11-20T10:00:00Z","title":"October","status":"ok"}]}`,
		workspace, agent, agent, round)
	read, err := figs.ReadPush([]byte(text))
	if err != nil {
		return err
	}
	done, err := s.Push(ctx, store.Push{Workspace: workspace, Act: store.Act{At: noonOfTests}, Digest: store.Hash(text), Body: read})
	if err == nil && (!done.Changed || done.Runs != 1) {
		err = fmt.Errorf("the answer is %+v", done)
	}
	return err
}

// after waits until that many pushes were acknowledged.
func (c *pushers) after(t *testing.T, n int64) {
	t.Helper()
	if !testenv.Poll(2*time.Minute, func() bool { return c.done.Load() >= n }) {
		t.Errorf("after two minutes %d pushes were acknowledged, want %d before the next trouble", c.done.Load(), n)
	}
}

const troubledWorkspace = "33333333-3333-4333-8333-333333333333"

// undisturbedState returns the state hash and the Seq of a store with the same pushes without any failure.
func undisturbedState(t *testing.T, agents, rounds int) (hash string, seq int64) {
	t.Helper()
	return stateAfter(t, openSQLite(t), &pushers{workspace: troubledWorkspace, agents: agents}, rounds, func() {})
}

func stateAfter(t *testing.T, s *Store, c *pushers, rounds int, trouble func()) (hash string, seq int64) {
	t.Helper()
	if err := s.AddWorkspace(ctx, store.Act{At: 1}, store.Workspace{ID: c.workspace, Slug: "w", Name: "W"}, ""); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	wait.Go(trouble)
	c.push(t, s, rounds)
	wait.Wait()
	hash, err := s.StateHash(ctx)
	if err == nil {
		seq, err = s.Seq(ctx, c.workspace)
	}
	if err != nil {
		t.Fatal(err)
	}
	if chain, err := s.VerifyAudit(ctx, c.workspace); err != nil || chain.Broken != 0 {
		t.Errorf("audit: %+v, %v", chain, err)
	}
	return hash, seq
}

// TestServerTroubles tests that every push succeeds exactly once while the server is stopped, crashes, closes connections
// or refuses them.
func TestServerTroubles(t *testing.T) {
	const agents, rounds = 4, 60
	hash, seq := undisturbedState(t, agents, rounds)
	for _, trouble := range []struct {
		name string
		do   func(t *testing.T, p *storetest.Postgres, admin *sql.DB, c *pushers)
	}{
		{"stopped", func(t *testing.T, p *storetest.Postgres, _ *sql.DB, c *pushers) {
			c.after(t, 20)
			p.Stop(syscall.SIGINT)
			time.Sleep(200 * time.Millisecond) // for so long it is away
			p.Start(t)
		}},
		{"crashes", func(t *testing.T, p *storetest.Postgres, _ *sql.DB, c *pushers) {
			for i := range int64(2) {
				c.after(t, 20+60*i)
				p.Stop(syscall.SIGQUIT)
				p.Start(t)
			}
		}},
		{"throws out", func(t *testing.T, _ *storetest.Postgres, admin *sql.DB, c *pushers) {
			for i := range int64(10) {
				c.after(t, 10+15*i)
				if _, err := admin.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'figs-web'`); err != nil {
					t.Error(err)
				}
			}
		}},
		{"is full", func(t *testing.T, p *storetest.Postgres, admin *sql.DB, c *pushers) {
			c.after(t, 20)
			var taken []*sql.Conn
			for { // every place that there is
				conn, err := admin.Conn(ctx)
				if err != nil {
					break
				}
				taken = append(taken, conn)
				admin.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'figs-web'`)
			}
			if len(taken) < 40 {
				t.Errorf("only %d connections were taken", len(taken))
			}
			time.Sleep(100 * time.Millisecond) // for so long it is full
			for _, conn := range taken {
				conn.Close()
			}
			admin.Close()
		}},
	} {
		t.Run(trouble.name, func(t *testing.T) {
			t.Parallel()
			p := storetest.StartPostgres(t)
			connection := p.Database(t)
			s, err := OpenPostgres(ctx, connection, sqldb.PostgresOptions{Connections: 6})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			admin, err := sql.Open("pgx", connection)
			if err != nil {
				t.Fatal(err)
			}
			defer admin.Close()
			c := &pushers{workspace: troubledWorkspace, agents: agents}
			gotHash, gotSeq := stateAfter(t, s, c, rounds, func() { trouble.do(t, p, admin, c) })
			if gotHash != hash || gotSeq != seq {
				t.Errorf("state %s and number %d, want %s and %d", gotHash, gotSeq, hash, seq)
			}
		})
	}
}

// TestDiskFull tests that a full disk is a DiskFullError, that nothing was written, and that everything works again once
// there is space.
func TestDiskFull(t *testing.T) {
	p := storetest.SharedPostgres(t)
	s := openPostgres(t, p)
	w := workspaceOf(t, s)
	for _, statement := range []string{
		`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`,
		`CREATE TRIGGER no_room BEFORE INSERT ON trail FOR EACH ROW EXECUTE FUNCTION no_room()`,
	} {
		if _, err := s.Write.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	var full *store.DiskFullError
	if err := pushRun(s, w, 1, 1); !errors.As(err, &full) {
		t.Errorf("a push to a full disk: %v", err)
	}
	if seq, err := s.Seq(ctx, w); err != nil || seq != 0 {
		t.Errorf("after it the workspace has number %d, %v", seq, err)
	}
	if _, err := s.Write.Exec(`DROP TRIGGER no_room ON trail`); err != nil {
		t.Fatal(err)
	}
	if err := pushRun(s, w, 1, 1); err != nil {
		t.Error(err)
	}
}

// TestDiskFullErrorCodes tests that a quota and a file size limit, which have no code of their own, are recognized by the
// server's routine, and that other internal errors aren't.
func TestDiskFullErrorCodes(t *testing.T) {
	for _, c := range []struct {
		err  pgconn.PgError
		full bool
	}{
		{pgconn.PgError{Code: "53100", Routine: "mdextend"}, true},
		{pgconn.PgError{Code: "XX000", Routine: "mdextend", Message: "could not extend file: Disk quota exceeded"}, true},
		{pgconn.PgError{Code: "XX000", Routine: "mdzeroextend", Message: "could not extend file: File too large"}, true},
		{pgconn.PgError{Code: "XX000", Routine: "elog_internalerror"}, false},
		{pgconn.PgError{Code: "40001", Routine: "mdextend"}, false},
	} {
		var is *store.DiskFullError
		if err := sqldb.WrapDiskFull(fmt.Errorf("a push: %w", &c.err)); errors.As(err, &is) != c.full {
			t.Errorf("%s of %s: %v, want a full disk: %t", c.err.Code, c.err.Routine, err, c.full)
		}
	}
}

// TestUnavailableDatabase tests that a canceled call returns at once, however long it would be retried, and that retries
// end.
func TestUnavailableDatabase(t *testing.T) {
	p := storetest.StartPostgres(t)
	s := openPostgres(t, p)
	w := workspaceOf(t, s)
	p.Stop(syscall.SIGINT)
	defer p.Start(t)
	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	if _, err := s.Seq(short, w); err == nil || short.Err() == nil {
		t.Errorf("reading: %v", err)
	}
	if err := s.SetFact(short, "a", "b", 1); err == nil {
		t.Error("writing: no error")
	}
	if err := s.Ready(ctx); err == nil {
		t.Error("it says that it is ready")
	}
	s.RetryTimeout = 50 * time.Millisecond
	var down *store.UnavailableError
	if _, err := s.Seq(ctx, w); !errors.As(err, &down) || down.MayBeCommitted {
		t.Errorf("reading from a database that stays away: %v", err)
	}
	if err := s.SetFact(ctx, "a", "b", 1); !errors.As(err, &down) || down.MayBeCommitted {
		t.Errorf("writing to a database that stays away: %v", err)
	}
	if err := s.VerifyCommit(ctx, "x", time.Now(), sqldb.ErrNotCommitted); !errors.As(err, &down) || !down.MayBeCommitted {
		t.Errorf("a commit that nobody can look up: %v", err)
	}
}

// TestStuckTransactionIsEnded tests that a program that hangs in a transaction doesn't block others.
func TestStuckTransactionIsEnded(t *testing.T) {
	p := storetest.SharedPostgres(t)
	connection := p.Database(t)
	var stores [2]*Store
	for i := range stores {
		s, err := OpenPostgres(ctx, connection, sqldb.PostgresOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		stores[i] = s
	}
	w := workspaceOf(t, stores[0])
	held, other, tries := make(chan struct{}), make(chan error, 1), 0
	go func() {
		<-held
		other <- pushRun(stores[1], w, 2, 1)
	}()
	err := stores[0].update(ctx, func(c *storeTx) error {
		if _, err := c.NextSeq(ctx, w); err != nil {
			return err
		}
		if tries++; tries == 1 {
			close(held)
			if err := <-other; err != nil { // it comes through although this change goes on afterwards
				t.Error(err)
			}
		}
		return nil
	})
	if seq, serr := stores[1].Seq(ctx, w); err != nil || serr != nil || seq != 2 || tries != 2 {
		t.Errorf("the change that stood still: %v; the number is %d after %d tries, %v", err, seq, tries, serr)
	}
}

// TestSerializable tests that conflicting transactions are retried if every transaction is serializable, as on some
// databases.
func TestSerializable(t *testing.T) {
	const agents, rounds = 4, 15
	hash, seq := undisturbedState(t, agents, rounds)
	s, err := OpenPostgres(ctx, storetest.SharedPostgres(t).Database(t)+" default_transaction_isolation=serializable", sqldb.PostgresOptions{TablesOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	gotHash, gotSeq := stateAfter(t, s, &pushers{workspace: troubledWorkspace, agents: agents}, rounds, func() {})
	if gotHash != hash || gotSeq != seq {
		t.Errorf("state %s and number %d, want %s and %d", gotHash, gotSeq, hash, seq)
	}
}
