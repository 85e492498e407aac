package web

import (
	"errors"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// Guess is what the operator is told of secrets that were given wrongly. Nothing in it is one.
type Guess struct {
	What    string // "password", "token", "code", "recovery", "passkey", "invite"
	From    string // the address; of IPv6 the network. "" are many at once, each of which would be a line
	Blocked bool   // they were not looked at: too many from there had been wrong
	Times   int    // how many there were since the last line of these
}

const (
	guessTold   = time.Minute // how often one kind of guess from one address is told
	MostGuesses = 4096        // how many kinds and addresses are told apart at once
)

// guesses tells of guesses without letting whoever guesses write the log full: the first of a kind
// and address at once, and what follows within a minute as a count when that is over.
type guesses struct {
	tell func(Guess)
	now  func() time.Time
	mu   sync.Mutex
	Told map[Guess]*toldOf // by the guess without its count
	next time.Time         // when the first of them may be told again
}

type toldOf struct {
	at   time.Time
	more int // that came since
}

// NewGuesses tells of guesses, at most once a minute of each kind and address.
func NewGuesses(tell func(Guess), now func() time.Time) *guesses {
	return &guesses{tell: tell, now: now, Told: map[Guess]*toldOf{}}
}

// GuessedIf notes a guess where err says that a secret was wrong, or that it was not looked at.
func GuessedIf(c echo.Context, what string, err error) {
	var wait *accounts.RateLimitError
	switch {
	case errors.As(err, &wait):
		auth.Guessed(c, what, true)
	case errors.Is(err, accounts.ErrNoMatch), errors.Is(err, store.ErrNotFound):
		auth.Guessed(c, what, false)
	}
}

// note takes a guess of a call, if it left one.
func (g *guesses) note(c echo.Context) {
	x, ok := auth.GuessOf(c)
	if !ok || g == nil || g.tell == nil {
		return
	}
	g.CatchUp()
	g.mu.Lock()
	defer g.mu.Unlock()
	key := Guess{What: x.What, From: accounts.ClientNetwork(c.RealIP()), Blocked: x.Blocked}
	if g.Told[key] == nil && len(g.Told) >= MostGuesses {
		key.From = ""
	}
	if t := g.Told[key]; t != nil {
		t.more++
		return
	}
	now := g.now()
	g.Told[key] = &toldOf{at: now}
	if end := now.Add(guessTold); len(g.Told) == 1 || end.Before(g.next) {
		g.next = end
	}
	key.Times = 1
	g.tell(key)
}

// CatchUp tells how many guesses came since their first was told, once its minute is over.
func (g *guesses) CatchUp() {
	if g == nil || g.tell == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	if now.Before(g.next) {
		return
	}
	g.next = now.Add(guessTold)
	for key, t := range g.Told {
		switch end := t.at.Add(guessTold); {
		case now.Before(end):
			if end.Before(g.next) {
				g.next = end
			}
		case t.more == 0:
			delete(g.Told, key)
		default:
			count := key
			count.Times = t.more
			g.tell(count)
			t.at, t.more = now, 0
		}
	}
}
