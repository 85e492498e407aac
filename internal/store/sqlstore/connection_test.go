//go:build unix

package sqlstore

import (
	"context"
	"database/sql/driver"
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

// TestRemoveBlobFromSlowBucket tests that a bucket that is slow to remove bytes keeps Attach waiting, for longer than idle
// transactions may last: here a second.
func TestRemoveBlobFromSlowBucket(t *testing.T) {
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
				dropped, err := s.RemoveBlob(ctx, hash, func() error {
					close(began)
					time.Sleep(2 * time.Second) // the transaction is idle for so long
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

// TestListenBehindDeadHost tests that if the first of several hosts doesn't respond, ListenChanges uses the next one.
func TestListenBehindDeadHost(t *testing.T) {
	t.Parallel()
	p := storetest.SharedPostgres(t)
	dead, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and never says a word
	if err != nil {
		t.Fatal(err)
	}
	defer dead.Close()
	c := startCuttingProxy(t, p)
	connection := strings.Replace(c.connString(p.Database(t)), "host=127.0.0.1", "host=127.0.0.1,127.0.0.1", 1)
	connection = strings.Replace(connection, "port=", fmt.Sprintf("port=%d,", dead.Addr().(*net.TCPAddr).Port), 1)
	s, err := OpenPostgres(ctx, connection+" target_session_attrs=read-write connect_timeout=4", sqldb.PostgresOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	listening, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	heard := false
	err = s.ListenChanges(listening, func(string, int64) {}, func() { heard = true; stop() })
	if !heard {
		t.Errorf("nothing is heard: %v", err)
	}
}

// TestConnectionLostWhileReadingRows tests that a connection that breaks while rows are read is an UnavailableError, and is
// retried by Update.
func TestConnectionLostWhileReadingRows(t *testing.T) {
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
	var down *store.UnavailableError
	if !errors.As(err, &down) || sqldb.Classify(err) != sqldb.Unreachable {
		t.Errorf("%v, as Down %v, and another try may help: %v", err, down, sqldb.Classify(err) == sqldb.Unreachable)
	}
}

// TestLostCommitAfterLastRetry tests that a lost commit is an UnavailableError, too, if it is found after the last attempt.
func TestLostCommitAfterLastRetry(t *testing.T) {
	t.Parallel()
	s := openPostgres(t, storetest.SharedPostgres(t))
	s.RetryTimeout = time.Millisecond
	var down *store.UnavailableError
	if err := s.Retry(ctx, func() error { return sqldb.ErrNotCommitted }); !errors.As(err, &down) {
		t.Errorf("%v, want a store.UnavailableError", err)
	}
}

// TestRequestEndsWhileRetrying tests that a request that was given up is told from a database that doesn't answer: the
// driver then ends the connection, too.
func TestRequestEndsWhileRetrying(t *testing.T) {
	t.Parallel()
	s := openPostgres(t, storetest.SharedPostgres(t))
	request, end := context.WithCancel(ctx)
	err := s.Retry(request, func() error {
		end()
		return driver.ErrBadConn
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context.Canceled", err)
	}
}
