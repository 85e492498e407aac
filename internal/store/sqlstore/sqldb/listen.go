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

// NotifyChannel is the channel of change notifications, whose payload is "WORKSPACE SEQ".
const NotifyChannel = "figs_changes"

// ListenChanges implements store.ChangeEvents.
func (db *DB) ListenChanges(ctx context.Context, changed func(workspace string, seq int64), lost func()) error {
	if !db.hasNotify() {
		return store.ErrNoChangeEvents
	}
	l := DefaultListener
	l.Connect = func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, db.Config.Copy()) }
	l.connectTimeout = db.Config.ConnectTimeout * time.Duration(1+len(db.Config.Fallbacks)) // with several hosts, the first may not respond
	l.Changed, l.Lost = changed, lost
	return l.Listen(ctx)
}

// listener listens on a separate connection, because connections of the pool are shared.
type listener struct {
	Connect func(context.Context) (*pgx.Conn, error)
	Changed func(workspace string, seq int64)
	Lost    func()

	PingAfter      time.Duration // silence after which the connection is checked
	PingTimeout    time.Duration // for the answer to a check
	connectTimeout time.Duration // for a new connection; at least PingTimeout
	MinBackoff     time.Duration // first delay between attempts to connect
	MaxBackoff     time.Duration
}

// DefaultListener has the usual timeouts.
var DefaultListener = listener{PingAfter: 2 * time.Second, PingTimeout: 3 * time.Second, MinBackoff: 50 * time.Millisecond, MaxBackoff: 3 * time.Second}

// Listen listens until ctx ends, or returns ErrNoChangeEvents if the database doesn't support LISTEN.
func (l *listener) Listen(ctx context.Context) error {
	for wait := l.MinBackoff; ; wait = min(2*wait, l.MaxBackoff) {
		start := time.Now()
		err := l.listenOnce(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case isListenUnsupported(err):
			return store.ErrNoChangeEvents
		case time.Since(start) > l.MaxBackoff: // the connection worked for a while, so this is a new failure
			wait = l.MinBackoff
		}
		select { // a random delay, so that the nodes don't reconnect all at once
		case <-time.After(wait/2 + rand.N(wait)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// isListenUnsupported reports whether a database that speaks PostgreSQL's protocol has no LISTEN: it reports a syntax
// error, or that the feature isn't supported.
func isListenUnsupported(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "0A000" || e.Code == "42601")
}

// listenOnce connects and listens until an error occurs.
func (l *listener) listenOnce(ctx context.Context) error {
	c, err := l.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close(canceled(ctx))
	l.Lost()
	for {
		n, err := l.nextNotification(ctx, c)
		if err != nil {
			return err
		}
		if workspace, seq, ok := parseNotification(n); ok {
			l.Changed(workspace, seq)
		}
	}
}

func (l *listener) connect(ctx context.Context) (*pgx.Conn, error) {
	within, stop := context.WithTimeout(ctx, max(l.connectTimeout, l.PingTimeout))
	defer stop()
	c, err := l.Connect(within)
	if err != nil {
		return nil, err
	}
	ctx, stop = context.WithTimeout(ctx, l.PingTimeout)
	defer stop()
	if _, err := c.Exec(ctx, "LISTEN "+NotifyChannel); err != nil {
		c.Close(canceled(ctx))
		return nil, err
	}
	return c, nil
}

// canceled returns a canceled context, to close a connection without waiting.
func canceled(ctx context.Context) context.Context {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	stop()
	return ctx
}

// nextNotification waits for a notification. If none comes for PingAfter, it checks the connection, because a dead server
// or a lost route isn't reported, and returns nil.
func (l *listener) nextNotification(ctx context.Context, c *pgx.Conn) (*pgconn.Notification, error) {
	waiting, stop := context.WithTimeout(ctx, l.PingAfter)
	n, err := c.WaitForNotification(waiting)
	stop()
	switch {
	case n != nil:
		return n, nil
	case ctx.Err() != nil, waiting.Err() == nil, c.IsClosed():
		return nil, err
	}
	asking, stop := context.WithTimeout(ctx, l.PingTimeout)
	defer stop()
	return nil, c.Ping(asking)
}

// parseNotification parses a payload. Everyone who can connect can send anything, so invalid ones are ignored.
func parseNotification(n *pgconn.Notification) (workspace string, seq int64, ok bool) {
	if n == nil || n.Channel != NotifyChannel {
		return "", 0, false
	}
	workspace, number, ok := strings.Cut(n.Payload, " ")
	seq, err := strconv.ParseInt(number, 10, 64)
	return workspace, seq, ok && workspace != "" && err == nil && seq > 0
}
