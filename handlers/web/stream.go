package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/internal/changefeed"
)

const (
	MaxStreams = 8                // a person's, over all tabs and browsers; with one more the oldest ends
	Heartbeat  = 20 * time.Second // so that proxies do not take a quiet stream for a dead one
	recheck    = 3                // heartbeats after which the session and the role are looked at again
	slowest    = 10 * time.Second // how long one event may take to be sent
)

// Streams is what the streams of events share.
type Streams struct {
	Seats *changefeed.StreamLimit
	Beat  time.Duration
}

// NewStreams allows the usual number of streams.
func NewStreams() Streams { return Streams{changefeed.NewStreamLimit(MaxStreams), Heartbeat} }

// Stream tells one page of changes. There may be thousands, which do nothing most of the time: each is one
// small goroutine that waits for its page to leave, without a timer, a buffer or a request of its own.
type Stream struct {
	to    line
	Seen  int64                        // what the page knows
	Still func() bool                  // whether the page may be told still; nil: always
	Beat  time.Duration                // between two signs of life
	Text  func(seen, seq int64) []byte // the event for a page that knows one number and is told another; nil: it says the number alone

	news atomic.Int64 // the newest number
	over atomic.Int32 // why it ends: 0 goes on
}

const (
	seatLost = 1 + iota // to another stream of the same person
	stopping            // the server is
)

// line leads to a page.
type line interface {
	send(text []byte) error    // at once; an error says that the page is gone
	wait(until time.Time) bool // false: the page is gone
	wake()                     // ends the wait, or the next one; never waits itself
	close()
}

func (s *Stream) tell(seq int64) {
	s.news.Store(seq)
	s.to.wake()
}

func (s *Stream) end(why int32) {
	s.over.CompareAndSwap(0, why)
	s.to.wake()
}

// run sends what begins the stream, and then what comes, until the page is gone or may not listen any more.
func (s *Stream) run(first []byte) {
	if s.to.send(first) != nil {
		return // the page is gone, here and below: nobody is left to be told
	}
	// Streams that began together, as after the restart of a server, do not go on together.
	next, beats := time.Now().Add(rand.N(s.Beat)), rand.IntN(recheck)
	for s.to.wait(next) {
		switch s.over.Load() {
		case seatLost: // said, because a page that only lost its stream would take another one's at once
			s.to.send([]byte("event: enough\ndata:\n\n"))
			return
		case stopping:
			return
		}
		if seq := s.news.Load(); seq > s.Seen {
			if s.to.send(s.text(seq)) != nil {
				return
			}
			s.Seen = seq
		}
		if time.Now().Before(next) {
			continue
		}
		next = time.Now().Add(s.Beat)
		if beats++; beats%recheck == 0 && s.Still != nil && !s.Still() || s.to.send([]byte(":\n\n")) != nil {
			return
		}
	}
}

// text is the event of a number.
func (s *Stream) text(seq int64) []byte {
	if s.Text != nil {
		return s.Text(s.Seen, seq)
	}
	return changeText(seq)
}

// lastChange is the one that was last put into words, for the thousands who are told the same.
var lastChange atomic.Pointer[change]

type change struct {
	seq  int64
	text []byte
}

func changeText(seq int64) []byte {
	c := lastChange.Load()
	if c == nil || c.seq != seq {
		c = &change{seq, changefeed.EventText(seq, nil)}
		lastChange.Store(c)
	}
	return c.text
}

// SeenBefore is the number that the page knows: the browser says it when it connects again, the
// page when it connects.
func SeenBefore(c echo.Context) (seq int64, ok bool) {
	for _, text := range []string{c.Request().Header.Get("Last-Event-ID"), c.QueryParam("seen")} {
		if seq, err := strconv.ParseInt(text, 10, 64); err == nil && seq >= 0 {
			return seq, true
		}
	}
	return 0, false
}

// Audience is whom a stream is for.
type Audience struct {
	Watch    func(tell func(seq int64)) (cancel func()) // see changefeed.Broker
	Seats    *changefeed.StreamLimit
	Person   string
	Stopping context.Context // may be nil
}

// Stream sends a page what changes, beginning with an event, which is nil where there is nothing to tell
// at once. Where the connection can be had it goes on beside the request, which ends; everything that
// served the request is free then.
func (s *Server) Stream(c echo.Context, x *Stream, to Audience, now []byte) error {
	head := c.Response().Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("X-Accel-Buffering", "no") // nginx would hold events back until it has enough of them
	first := append([]byte("retry: 3000\n\n"), now...)
	conn, _, err := http.NewResponseController(c.Response().Writer).Hijack()
	switch {
	case errors.Is(err, http.ErrNotSupported): // HTTP/2, whose connection carries other requests too
		x.to = newShared(c)
	case err != nil:
		return err
	default:
		first = append(headOf(head), first...)
		x.to = &sole{conn: conn}
	}
	route, listening, answering := c.Path(), s.Gauges.stream(), s.Gauges.request()
	stay := func() bool { return true }
	if to.Stopping != nil {
		stay = context.AfterFunc(to.Stopping, func() { x.end(stopping) })
	}
	leave := to.Seats.Acquire(to.Person, func() { x.end(seatLost) })
	cancel := to.Watch(x.tell)
	run := func() {
		defer func() { // calm stands behind requests alone
			if p := recover(); p != nil && s.Log != nil {
				s.Log(Event{Route: route, Err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())})
			}
			cancel()
			leave()
			stay()
			x.to.close()
			listening()
			answering()
		}()
		x.run(first)
	}
	if conn == nil {
		run()
		return nil
	}
	go run()
	return nil
}

// headOf is the head of an answer that lasts until its connection ends.
func headOf(head http.Header) []byte {
	var b bytes.Buffer
	b.WriteString("HTTP/1.1 200 OK\r\n")
	head.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	head.Set("Connection", "close")
	head.Write(&b)
	b.WriteString("\r\n")
	return b.Bytes()
}

// sole is a line that has its connection for itself. It waits by reading, which ends when the page leaves; to
// wake it, the time for reading is over at once.
type sole struct {
	conn  net.Conn
	woken atomic.Bool
	none  [1]byte // a page has nothing to say
}

func (l *sole) send(text []byte) error {
	l.conn.SetWriteDeadline(time.Now().Add(slowest))
	_, err := l.conn.Write(text)
	return err
}

func (l *sole) wait(until time.Time) bool {
	l.conn.SetReadDeadline(until)
	if l.woken.Swap(false) { // before that: its deadline is the one that was replaced
		return true
	}
	_, err := l.conn.Read(l.none[:])
	l.woken.Store(false)
	return errors.Is(err, os.ErrDeadlineExceeded)
}

func (l *sole) wake() {
	if !l.woken.Swap(true) { // else it is waking up, and looks at everything afterwards
		l.conn.SetReadDeadline(time.Unix(1, 0))
	}
}

func (l *sole) close() { l.conn.Close() }

// shared is a line over an answer of the server, whose request lasts as long.
type shared struct {
	to      *echo.Response
	control *http.ResponseController
	gone    <-chan struct{}
	woken   chan struct{}
}

func newShared(c echo.Context) *shared {
	return &shared{c.Response(), http.NewResponseController(c.Response().Writer), c.Request().Context().Done(), make(chan struct{}, 1)}
}

func (l *shared) send(text []byte) error {
	l.control.SetWriteDeadline(time.Now().Add(slowest))
	if _, err := l.to.Write(text); err != nil {
		return err
	}
	if err := l.control.Flush(); err != nil {
		return err
	}
	l.control.SetWriteDeadline(time.Time{})
	return nil
}

func (l *shared) wait(until time.Time) bool {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-l.gone:
		return false
	case <-l.woken:
	case <-timer.C:
	}
	return true
}

func (l *shared) wake() {
	select {
	case l.woken <- struct{}{}:
	default: // it is due already
	}
}

func (l *shared) close() {}
