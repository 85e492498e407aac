//go:build core

package bridge

import "github.com/figs-web/figs-web/figs"

// What is built with the tag core reads, checks and answers the plain pages: every visitor waits for it. Earlier points, comparing,
// searching, the cost of waiting and small examples are answered by the same engine without the tag, which the reader carries and
// which reads the folder once more when somebody wants them (static/js/second.js).

type (
	looking   struct{}
	shelf     struct{}
	comparing struct{}
)

func (c *comparing) forget()     {}
func (c *comparing) take([]byte) {}

func (e *Engine) folder(n int) *agent {
	if n >= 0 && n < len(e.agents) {
		return e.agents[n]
	}
	return nil
}

func (e *Engine) asked(_ request, whole *agent) *agent { return whole }

// further answers what only the whole engine can.
func (e *Engine) further(string, request) bool { return false }

// further gathers pages that only the whole engine has.
func (x *selector) further(string) bool { return false }

func (x *selector) order() []int { return x.a.asks }

func (a *agent) history() *figs.Folder { return a.f }

// instant says that the agent is looked at as it is.
func (a *agent) instant(l *list, newest int64) {
	l.put(0, 0, 0, int(newest))
	for range 3 * figs.Ledgers {
		l.put(0)
	}
}
