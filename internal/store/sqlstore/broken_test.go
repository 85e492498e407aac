//go:build unix

package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// A bucket that takes long to remove bytes keeps whoever wants to name them waiting, longer than any other transaction may stand
// still: here a second.
func TestDropBytesOfASlowBucket(t *testing.T) {
	t.Parallel()
	for _, o := range []sqldb.PostgresOptions{{}, {TablesOnly: true}} {
		t.Run(fmt.Sprintf("tables=%v", o.TablesOnly), func(t *testing.T) {
			t.Parallel()
			s, err := OpenPostgres(ctx, storetest.SharedPostgres(t).Database(t)+" idle_in_transaction_session_timeout=1s", o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			w := workspaceOf(t, s)
			if err := pushRun(s, w, 1, 1); err != nil {
				t.Fatal(err)
			}
			var agent string
			if err := s.Row(ctx, `SELECT id FROM agents`).Scan(&agent); err != nil {
				t.Fatal(err)
			}
			hash, began, gone, done := store.Hash("x"), make(chan struct{}), false, make(chan error)
			go func() {
				dropped, err := s.DropBytes(ctx, hash, func() error {
					close(began)
					time.Sleep(2 * time.Second) // for so long the transaction stands still
					gone = true
					return nil
				})
				if err == nil && !dropped {
					err = errors.New("the bytes are said to be needed")
				}
				done <- err
			}()
			<-began
			_, err = s.Attach(ctx, store.Act{At: noonOfTests}, store.Attachment{Agent: agent, Name: "f.txt", SHA256: hash, Size: 1}, "w")
			if err != nil || !gone {
				t.Errorf("named while they are removed: %v, %v", !gone, err)
			}
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// Where the first of several hosts is a machine that answers nobody, changes are heard of from the next one.
func TestHintsBehindADeadHost(t *testing.T) {
	t.Parallel()
	p := storetest.SharedPostgres(t)
	dead, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and never says a word
	if err != nil {
		t.Fatal(err)
	}
	defer dead.Close()
	c := startCutter(t, p)
	connection := strings.Replace(c.through(p.Database(t)), "host=127.0.0.1", "host=127.0.0.1,127.0.0.1", 1)
	connection = strings.Replace(connection, "port=", fmt.Sprintf("port=%d,", dead.Addr().(*net.TCPAddr).Port), 1)
	s, err := OpenPostgres(ctx, connection+" target_session_attrs=read-write connect_timeout=4", sqldb.PostgresOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	listening, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	heard := false
	err = s.Hints(listening, func(string, int64) {}, func() { heard = true; stop() })
	if !heard {
		t.Errorf("nothing is heard: %v", err)
	}
}

// A connection that breaks while rows are read is a database that does not answer, and worth another try to a change.
func TestRowsTorn(t *testing.T) {
	t.Parallel()
	s := openPostgres(t, storetest.SharedPostgres(t))
	type row struct {
		pid  int
		text string
	}
	rows, err := s.Rows(ctx, `SELECT pg_backend_pid(), repeat('x', 100000) FROM generate_series(1, 2000)`)
	killed := false
	_, err = sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error {
		if err := r.Scan(&x.pid, &x.text); err != nil || killed {
			return err
		}
		killed = true
		return s.Exec(ctx, `SELECT pg_terminate_backend($1)`, x.pid)
	})
	var down *store.Down
	if !errors.As(err, &down) || sqldb.ChanceOf(err) != sqldb.Unreachable {
		t.Errorf("%v, as Down %v, and another try may help: %v", err, down, sqldb.ChanceOf(err) == sqldb.Unreachable)
	}
}

// A commit that was lost is the database's trouble also when it is found out after the last try.
func TestUndoneTooLate(t *testing.T) {
	t.Parallel()
	s := openPostgres(t, storetest.SharedPostgres(t))
	s.Patience = time.Millisecond
	var down *store.Down
	if err := s.Retry(ctx, func() error { return sqldb.ErrUndone }); !errors.As(err, &down) {
		t.Errorf("%v, want a store.Down", err)
	}
}
