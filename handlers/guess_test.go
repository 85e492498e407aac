package handlers

import (
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/store"
)

// rows counts the rows of every table.
func (c *club) rows() (n int) {
	c.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(c.dir, "figs.db"))
	c.must(err)
	defer db.Close()
	names, err := db.Query(`SELECT name FROM sqlite_master WHERE type = 'table'`)
	c.must(err)
	var tables []string
	for names.Next() {
		var name string
		c.must(names.Scan(&name))
		tables = append(tables, name)
	}
	c.must(names.Err())
	for _, table := range tables {
		var of int
		c.must(db.QueryRow(`SELECT count(*) FROM "` + table + `"`).Scan(&of))
		n += of
	}
	return n
}

// listens keeps what the operator is told of guesses.
func (c *club) listens() *[]web.Guess {
	told := &[]web.Guess{}
	c.h.Guesses = web.NewGuesses(func(g web.Guess) { *told = append(*told, g) }, func() time.Time { return c.now })
	c.route()
	return told
}

// load sends 2,000 requests and counts the answers by status; every refusal says when to come again.
func load(t *testing.T, send func(i int) answer) map[int]int {
	t.Helper()
	statuses := map[int]int{}
	for i := range 2000 {
		a := send(i)
		statuses[a.StatusCode]++
		if seconds, err := strconv.Atoi(a.Header.Get("Retry-After")); a.StatusCode == 429 && (err != nil || seconds < 1) {
			t.Fatalf("request %d: Retry-After %q", i, a.Header.Get("Retry-After"))
		}
	}
	return statuses
}

// TestLoadOfWrongPasswords: who tries passwords is slowed, the operator learns of it in a few lines,
// the database hardly grows, and who sits elsewhere is let in all the while.
func TestLoadOfWrongPasswords(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	told := c.listens()
	before := c.rows()
	guesser := c.browser()
	guesser.address = "203.0.113.66"
	statuses := load(t, func(i int) answer {
		return guesser.post("/sign-in", "email", []string{"ada", "bob", "eve", "kim", "lee", "max", "ned", "ola", "pat", "quo", "ray", "sue"}[i%12]+"@example.org", "password", "guess "+strconv.Itoa(i))
	})
	if statuses[401] != 100 || statuses[429] != 1900 {
		t.Errorf("the answers are %v", statuses)
	}
	if grew := c.rows() - before; grew > 40 {
		t.Errorf("the database grew by %d rows", grew)
	}
	c.browser().post("/sign-in", "email", ada.Email, "password", secretWords).leads(t, "/")
	c.now = c.now.Add(time.Minute)
	c.h.Guesses.CatchUp()
	wrong, blocked := web.Guess{What: "password", From: "203.0.113.66"}, web.Guess{What: "password", From: "203.0.113.66", Blocked: true}
	holds(t, *told, count(wrong, 1), count(blocked, 1), count(wrong, 99), count(blocked, 1899))
}

// TestLoadOfWrongTokens is the same for tokens, at both doors that take them.
func TestLoadOfWrongTokens(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	c.must(c.store.AddToken(context.Background(), store.Act{At: c.at()}, store.Token{ID: "t", User: ada.ID, Name: "t", Hash: store.Hash("good"), Created: c.at()}))
	told := c.listens()
	before := c.rows()
	guesser := c.browser()
	guesser.address = "2001:db8::1"
	statuses := load(t, func(i int) answer {
		guesser.address = "2001:db8::" + strconv.FormatInt(int64(i+1), 16) // a network is as easy to have as an address
		guesser.headers = map[string]string{"Authorization": "Bearer figs_guess" + strconv.Itoa(i)}
		return guesser.send("GET", []string{"/api/workspaces", "/api/v1/workspaces"}[i%2], "")
	})
	if statuses[401] != 60 || statuses[429] != 1940 {
		t.Errorf("the answers are %v", statuses)
	}
	if grew := c.rows() - before; grew != 1 {
		t.Errorf("the database grew by %d rows", grew)
	}
	guesser.headers = map[string]string{"Authorization": "Bearer good"}
	for _, address := range []string{"/api/workspaces", "/api/v1/workspaces"} {
		guesser.get(address).says(t, 200)
	}
	c.now = c.now.Add(time.Minute)
	c.h.Guesses.CatchUp()
	wrong, blocked := web.Guess{What: "token", From: "2001:db8::/64"}, web.Guess{What: "token", From: "2001:db8::/64", Blocked: true}
	holds(t, *told, count(wrong, 1), count(blocked, 1), count(wrong, 59), count(blocked, 1939))
}

func count(g web.Guess, times int) web.Guess {
	g.Times = times
	return g
}

// holds holds what was told, in any order, to what was to be.
func holds(t *testing.T, told []web.Guess, want ...web.Guess) {
	t.Helper()
	order := func(a, b web.Guess) int { return strings.Compare(lineOf(a), lineOf(b)) }
	slices.SortFunc(told, order)
	slices.SortFunc(want, order)
	if !slices.Equal(told, want) {
		t.Errorf("the operator is told\n%+v\nwant\n%+v", told, want)
	}
}

func lineOf(g web.Guess) string {
	return g.What + g.From + strconv.FormatBool(g.Blocked) + strconv.Itoa(g.Times)
}

// TestManyGuessers: however many addresses guess, lines and memory stay few.
func TestManyGuessers(t *testing.T) {
	c := newClub(t)
	told := c.listens()
	b := c.browser()
	b.headers = map[string]string{"Authorization": "Bearer figs_guess"}
	for i := range web.MostGuesses + 500 {
		b.address = "10." + strconv.Itoa(i>>16) + "." + strconv.Itoa(i>>8&255) + "." + strconv.Itoa(i&255)
		if i == 3 { // one of which store and log hear nothing: nobody sent anything
			delete(b.headers, "Authorization")
			b.get("/api/workspaces").says(t, 401)
			b.headers["Authorization"] = "Bearer figs_guess"
		}
		b.get("/api/workspaces").says(t, 401)
	}
	if len(*told) != web.MostGuesses+1 || (*told)[web.MostGuesses].From != "" {
		t.Errorf("%d lines, the last %+v", len(*told), (*told)[len(*told)-1])
	}
	*told = nil
	c.now = c.now.Add(time.Minute)
	c.h.Guesses.CatchUp()
	holds(t, *told, web.Guess{What: "token", Times: 499})
	c.now = c.now.Add(time.Minute)
	c.h.Guesses.CatchUp()
	if len(c.h.Guesses.Told) != 0 {
		t.Errorf("%d are kept for ever", len(c.h.Guesses.Told))
	}
}
