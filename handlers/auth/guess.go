package auth

import "github.com/labstack/echo/v4"

// Guess is a secret that somebody gave wrongly, or that was not even looked at since too many
// had been wrong before.
type Guess struct {
	What    string // "password", "token", "code", …
	Blocked bool
}

// guessKey is where a call leaves its guess for the log.
const guessKey = "guess"

// Guessed notes that a secret of that kind was given wrongly, or that a limit kept it from being
// looked at. The operator's log gets a line of it, which never holds the secret.
func Guessed(c echo.Context, what string, blocked bool) { c.Set(guessKey, Guess{what, blocked}) }

// GuessOf is what Guessed noted.
func GuessOf(c echo.Context) (g Guess, ok bool) {
	g, ok = c.Get(guessKey).(Guess)
	return g, ok
}
