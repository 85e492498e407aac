package web

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/journal"
)

// Event is one answered request. Nothing in it is a secret: addresses are there as their
// routes, without what visitors put into them, and Path is for servers whose paths hold none.
type Event struct {
	Method    string
	Path      string // without the query
	Route     string // "/w/:workspace/agents/:agent"; "" where no route took the request
	Status    int
	Duration  time.Duration
	Bytes     int64         // of the answer's body, before it was compressed
	Person    string        // id of who asked; "" when nobody has said
	Workspace string        // id, once the visitor may see it
	Agent     string        // id
	Address   string        // of the visitor
	Trace     string        // id of the trace that the request belongs to, 32 digits of hex
	Received  int64         // bytes of the request's body, as it said; -1: it did not
	Push      string        // what became of a push: "changed", "unchanged"; "" where there was none
	Waited    time.Duration // how long the ask that was decided had waited; 0: none was
	Err       error         // what went wrong, for the operator; nil when nothing did
}

// What handlers leave for the log with c.Set: FaultKey where one could answer all the same and
// the operator must know, the others where the route does not say it.
const (
	FaultKey     = "fault"
	workspaceKey = "workspace" // id
	agentKey     = "agent"     // id
	pushKey      = "push"      // what became of it
	WaitedKey    = "waited"    // how long an ask had waited until it was decided
)

// Logged tells Log of every answer, errors included.
func (s *Server) Logged(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		begun := time.Now()
		var p *httperr.Problem
		ended := s.begin(c)
		defer func() { // also when a handler cuts the connection
			e := eventOf(c, time.Since(begun), p.ForOperator())
			ended(&e)
			if s.Log != nil {
				s.Log(e)
			}
			s.Guesses.note(c)
		}()
		if err := next(c); err != nil {
			if p = httperr.Of(err); left(c, err) {
				p = nil
				return nil
			}
			c.Error(p) // the page on it is written here, so that its status is known
		}
		return nil
	}
}

// left reports whether the visitor went away while the answer was sent: nobody has to mend that.
func left(c echo.Context, err error) bool {
	var failed *net.OpError
	return c.Response().Committed && errors.As(err, &failed) && failed.Op == "write"
}

func eventOf(c echo.Context, took time.Duration, err error) Event {
	r := c.Request()
	e := Event{Method: r.Method, Path: r.URL.Path, Route: c.Path(), Status: c.Response().Status, Duration: took, Bytes: c.Response().Size, Address: c.RealIP(), Err: err}
	if left, ok := c.Get(FaultKey).(error); ok && e.Err == nil {
		e.Err = left
	}
	if v := auth.Of(c); v != nil {
		e.Person = v.User.ID
	}
	e.Received = r.ContentLength
	e.Push, _ = c.Get(pushKey).(string)
	e.Waited, _ = c.Get(WaitedKey).(time.Duration)
	e.Workspace, _ = c.Get(workspaceKey).(string)
	e.Agent, _ = c.Get(agentKey).(string)
	if at := auth.At(c); at != nil {
		e.Workspace = at.Workspace.ID
		// An address that leads to nothing may hold anything, also what was pasted by mistake.
		if id, ok := journal.ParseSegment(c.Param("agent")); ok && e.Agent == "" && e.Status < http.StatusBadRequest {
			e.Agent = id
		}
	}
	return e
}

// RecoverPanic turns a panic into an error of one request, whose stack the operator gets.
func RecoverPanic(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			switch p := recover(); {
			case p == nil:
			case isAbort(p):
				panic(p) // a handler that cuts the connection means to
			default:
				err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		return next(c)
	}
}

func isAbort(p any) bool {
	err, ok := p.(error)
	return ok && errors.Is(err, http.ErrAbortHandler)
}
