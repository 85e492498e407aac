package sqldb

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/figs-web/figs-web/internal/store"
)

// HintChannel is where hints are sent, as "WORKSPACE SEQ".
const HintChannel = "figs_changes"

// Hints implements store.ChangeEvents.
func (db *DB) ListenChanges(ctx context.Context, changed func(workspace string, seq int64), lost func()) error {
	if !db.hints() {
		return store.ErrNoChangeEvents
	}
	e := UsualEar
	e.Connect = func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, db.Config.Copy()) }
	e.connecting = db.Config.ConnectTimeout * time.Duration(1+len(db.Config.Fallbacks)) // of several hosts the first may be a dead machine
	e.Changed, e.Lost = changed, lost
	return e.Listen(ctx)
}

// ear listens on a connection of its own, since a pool would give it to others meanwhile.
type ear struct {
	Connect func(context.Context) (*pgx.Conn, error)
	Changed func(workspace string, seq int64)
	Lost    func()

	Quiet      time.Duration // without a word, after which the connection is asked whether it lives
	Patience   time.Duration // for its answer
	connecting time.Duration // for a new connection; at least patience
	Shortest   time.Duration // between two tries to connect, at first
	Longest    time.Duration
}

var UsualEar = ear{Quiet: 2 * time.Second, Patience: 3 * time.Second, Shortest: 50 * time.Millisecond, Longest: 3 * time.Second}

// Listen hears until ctx ends or the database says that it has no such thing.
func (e *ear) Listen(ctx context.Context) error {
	for wait := e.Shortest; ; wait = min(2*wait, e.Longest) {
		begun := time.Now()
		err := e.hear(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case tellsNobody(err):
			return store.ErrNoChangeEvents
		case time.Since(begun) > e.Longest: // it was heard for a while: what ended it is something new
			wait = e.Shortest
		}
		select { // a server that comes back is not asked by all nodes at the same moment
		case <-time.After(wait/2 + rand.N(wait)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// tellsNobody reports whether an engine that speaks the protocol of PostgreSQL has no LISTEN: it does
// not know the word, or says that it lacks the feature.
func tellsNobody(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "0A000" || e.Code == "42601")
}

// hear connects and hears until something fails.
func (e *ear) hear(ctx context.Context) error {
	c, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer c.Close(ended(ctx))
	e.Lost()
	for {
		hint, err := e.next(ctx, c)
		if err != nil {
			return err
		}
		if workspace, seq, ok := readHint(hint); ok {
			e.Changed(workspace, seq)
		}
	}
}

func (e *ear) begin(ctx context.Context) (*pgx.Conn, error) {
	within, stop := context.WithTimeout(ctx, max(e.connecting, e.Patience))
	defer stop()
	c, err := e.Connect(within)
	if err != nil {
		return nil, err
	}
	ctx, stop = context.WithTimeout(ctx, e.Patience)
	defer stop()
	if _, err := c.Exec(ctx, "LISTEN "+HintChannel); err != nil {
		c.Close(ended(ctx))
		return nil, err
	}
	return c, nil
}

// ended is a context for saying goodbye: at once, or not at all.
func ended(ctx context.Context) context.Context {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	stop()
	return ctx
}

// next waits for a hint; nil is none. A connection that says nothing is asked whether it lives, since the end of
// a dead machine or a forgotten route reaches nobody.
func (e *ear) next(ctx context.Context, c *pgx.Conn) (*pgconn.Notification, error) {
	waiting, stop := context.WithTimeout(ctx, e.Quiet)
	hint, err := c.WaitForNotification(waiting)
	stop()
	switch {
	case hint != nil:
		return hint, nil
	case ctx.Err() != nil, waiting.Err() == nil, c.IsClosed():
		return nil, err
	}
	asking, stop := context.WithTimeout(ctx, e.Patience)
	defer stop()
	return nil, c.Ping(asking)
}

// readHint reads a payload. Whoever may connect can send any, so that only those count that are hints.
func readHint(n *pgconn.Notification) (workspace string, seq int64, ok bool) {
	if n == nil || n.Channel != HintChannel {
		return "", 0, false
	}
	workspace, number, ok := strings.Cut(n.Payload, " ")
	seq, err := strconv.ParseInt(number, 10, 64)
	return workspace, seq, ok && workspace != "" && err == nil && seq > 0
}
