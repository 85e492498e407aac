package sqlstore

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

// hintChannel is where hints are sent, as "WORKSPACE SEQ".
const hintChannel = "figs_changes"

// Hints implements store.Hints.
func (s *Store) Hints(ctx context.Context, changed func(workspace string, seq int64), lost func()) error {
	if !s.hints() {
		return store.ErrNoHints
	}
	e := usualEar
	e.connect = func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, s.config.Copy()) }
	e.connecting = s.config.ConnectTimeout * time.Duration(1+len(s.config.Fallbacks)) // of several hosts the first may be a dead machine
	e.changed, e.lost = changed, lost
	return e.listen(ctx)
}

// ear listens on a connection of its own, since a pool would give it to others meanwhile.
type ear struct {
	connect func(context.Context) (*pgx.Conn, error)
	changed func(workspace string, seq int64)
	lost    func()

	quiet      time.Duration // without a word, after which the connection is asked whether it lives
	patience   time.Duration // for its answer
	connecting time.Duration // for a new connection; at least patience
	shortest   time.Duration // between two tries to connect, at first
	longest    time.Duration
}

var usualEar = ear{quiet: 2 * time.Second, patience: 3 * time.Second, shortest: 50 * time.Millisecond, longest: 3 * time.Second}

// listen hears until ctx ends or the database says that it has no such thing.
func (e *ear) listen(ctx context.Context) error {
	for wait := e.shortest; ; wait = min(2*wait, e.longest) {
		begun := time.Now()
		err := e.hear(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case tellsNobody(err):
			return store.ErrNoHints
		case time.Since(begun) > e.longest: // it was heard for a while: what ended it is something new
			wait = e.shortest
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
	e.lost()
	for {
		hint, err := e.next(ctx, c)
		if err != nil {
			return err
		}
		if workspace, seq, ok := readHint(hint); ok {
			e.changed(workspace, seq)
		}
	}
}

func (e *ear) begin(ctx context.Context) (*pgx.Conn, error) {
	within, stop := context.WithTimeout(ctx, max(e.connecting, e.patience))
	defer stop()
	c, err := e.connect(within)
	if err != nil {
		return nil, err
	}
	ctx, stop = context.WithTimeout(ctx, e.patience)
	defer stop()
	if _, err := c.Exec(ctx, "LISTEN "+hintChannel); err != nil {
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
	waiting, stop := context.WithTimeout(ctx, e.quiet)
	hint, err := c.WaitForNotification(waiting)
	stop()
	switch {
	case hint != nil:
		return hint, nil
	case ctx.Err() != nil, waiting.Err() == nil, c.IsClosed():
		return nil, err
	}
	asking, stop := context.WithTimeout(ctx, e.patience)
	defer stop()
	return nil, c.Ping(asking)
}

// readHint reads a payload. Whoever may connect can send any, so that only those count that are hints.
func readHint(n *pgconn.Notification) (workspace string, seq int64, ok bool) {
	if n == nil || n.Channel != hintChannel {
		return "", 0, false
	}
	workspace, number, ok := strings.Cut(n.Payload, " ")
	seq, err := strconv.ParseInt(number, 10, 64)
	return workspace, seq, ok && workspace != "" && err == nil && seq > 0
}
