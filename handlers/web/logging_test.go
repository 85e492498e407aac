package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"

	"github.com/labstack/echo/v4"
)

// A visitor who goes away while an answer is sent is nobody's fault; what fails before is.
func TestVisitorLeft(t *testing.T) {
	gone := &net.OpError{Op: "write", Net: "tcp", Err: syscall.EPIPE}
	for name, test := range map[string]struct {
		begun bool
		told  bool
	}{"while it was sent": {true, false}, "before": {false, true}} {
		t.Run(name, func(t *testing.T) {
			var logged []Event
			s := &Server{Config: Config{Log: func(e Event) { logged = append(logged, e) }}}
			e := echo.New()
			e.HTTPErrorHandler = func(err error, c echo.Context) { c.NoContent(http.StatusInternalServerError) }
			e.GET("/", func(c echo.Context) error {
				if test.begun {
					c.Response().WriteHeader(http.StatusOK)
				}
				return gone
			}, s.Logged)
			e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
			if len(logged) != 1 || (logged[0].Err != nil) != test.told {
				t.Errorf("the operator is told %+v, want an error: %v", logged, test.told)
			}
		})
	}
}
