//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
)

const deciderSession = "session-of-the-decider"

// decider answers one question after the other through the pages of a server that is killed.
type decider struct {
	t       *testing.T
	address string
	forms   map[int]url.Values // that were sent, by question
	answers map[int]bool       // that were acknowledged
	undone  map[int]bool       // whose taking back was acknowledged
	maybe   map[int]bool       // whose taking back was sent, and nobody knows
	next    int
}

const crashQuestions = 4000

// TestCrashDecide kills a server while a person decides, again and again: what was acknowledged
// counts once, what was taken back never does, and a form that is sent again after the loss of
// its answer decides nothing twice.
func TestCrashDecide(t *testing.T) {
	times := 3
	if n, err := strconv.Atoi(os.Getenv("FIGS_CRASHES")); err == nil {
		times = n
	}
	dir := filepath.Join(t.TempDir(), "data")
	workspace := furnish(t, dir)
	ask(t, dir, workspace)
	d := &decider{t: t, forms: map[int]url.Values{}, answers: map[int]bool{}, undone: map[int]bool{}, maybe: map[int]bool{}}
	for life := range times {
		p := serveFolder(t, dir)
		d.address = p.address
		ended, decided := make(chan bool), make(chan bool, 1)
		go func() {
			defer close(ended)
			for d.step() {
				select {
				case decided <- true:
				default:
				}
			}
		}()
		if life == 0 { // on a busy machine loading the first page alone can outlast a life
			select {
			case <-decided:
			case <-ended:
			case <-time.After(time.Minute):
			}
		}
		time.Sleep(100*time.Millisecond + time.Duration(rand.IntN(300_000))*time.Microsecond) // any moment of some decisions
		p.kill()
		<-ended
	}
	data := reopen(t, dir)
	defer data.Close()
	d.holds(data)
	derivedAgain(t, data.Store)
	if chain, err := data.Store.VerifyAudit(context.Background(), workspace.ID); err != nil || chain.Broken != 0 {
		t.Errorf("the audit is %+v, %v", chain, err)
	}
	t.Logf("killed %d times; %d decisions were acknowledged, %d of them taken back", times, len(d.answers), len(d.undone))
	if len(d.answers) == 0 {
		t.Error("nothing was ever acknowledged")
	}
}

// ask pushes the questions, and signs their reader in.
func ask(t *testing.T, dir string, workspace store.Workspace) {
	t.Helper()
	data := reopen(t, dir)
	defer data.Close()
	ctx, now := context.Background(), time.Now().UnixMicro()
	var body bytes.Buffer
	fmt.Fprintf(&body, `{"workspaceId":%q,"agent":{"id":%q,"name":"N"},"asks":[`, workspace.ID, crashAgents[0])
	for n := range crashQuestions {
		fmt.Fprintf(&body, `{"id":"q%d","type":"question","title":"Q %d","ts":"2026-11-20T10:00:00Z"},`, n, n)
	}
	body.Truncate(body.Len() - 1)
	body.WriteString(`]}`)
	push, err := figs.ReadPush(body.Bytes())
	if err == nil {
		_, err = data.Store.Push(ctx, store.Push{Workspace: workspace.ID, Act: store.Act{At: now}, Body: push})
	}
	if err != nil {
		t.Fatal(err)
	}
	user, err := data.Store.UserByEmail(ctx, "ana@example.org")
	if err == nil {
		err = data.Store.SaveSession(ctx, store.Session{Hash: store.Hash(deciderSession), User: user.ID, Created: now, Used: now, Proved: now, Expires: now + 24*time.Hour.Microseconds()})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (d *decider) at(n int) string {
	return fmt.Sprintf("/w/acme/agents/%s/asks/q%d", crashAgents[0], n)
}

// step decides the next question, or sends again what was not acknowledged; false: the server is gone.
func (d *decider) step() bool {
	n := d.next
	form := d.forms[n]
	if form == nil {
		page, ok := d.send("GET", d.at(n), nil)
		if !ok {
			return false
		}
		form = url.Values{"verdict": {"answer"}, "text": {fmt.Sprintf("answer %d", n)}}
		for _, field := range []string{reply.FieldKey, reply.FieldRevision} {
			form.Set(field, fieldOf(page, field))
		}
		d.forms[n] = form
	}
	if _, ok := d.send("POST", d.at(n)+"/decide", form); !ok {
		return false
	}
	d.answers[n] = true
	d.next++
	switch n % 3 {
	case 1: // a double click
		_, ok := d.send("POST", d.at(n)+"/decide", form)
		return ok
	case 2:
		page, ok := d.send("GET", d.at(n), nil)
		if !ok {
			return false
		}
		d.maybe[n] = true
		if _, ok = d.send("POST", d.at(n)+"/undo", url.Values{"id": {fieldOf(page, "id")}}); ok {
			d.undone[n] = true
		}
		return ok
	}
	return true
}

// fieldOf is the value of a field of the page's last form that has it: what is pending on other
// asks stands before the ask's own.
func fieldOf(page, name string) (value string) {
	for _, input := range regexp.MustCompile(`<input[^>]*>`).FindAllString(page, -1) {
		if strings.Contains(input, `name="`+name+`"`) {
			if m := regexp.MustCompile(`value="([^"]*)"`).FindStringSubmatch(input); m != nil {
				value = html.UnescapeString(m[1])
			}
		}
	}
	return value
}

// send returns false when the server was killed before it answered.
func (d *decider) send(method, path string, form url.Values) (page string, ok bool) {
	r, err := http.NewRequest(method, d.address+path, strings.NewReader(form.Encode()))
	if err != nil {
		d.t.Error(err)
		return "", false
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.AddCookie(&http.Cookie{Name: handlers.CookieName(r.URL), Value: deciderSession})
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return "", false
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if want := map[string]int{"GET": 200, "POST": 303}[method]; err == nil && answer.StatusCode != want {
		d.t.Errorf("%s %s = %d, want %d\n%.600s", method, path, answer.StatusCode, want, text)
		return "", false
	}
	return string(text), err == nil
}

// holds lets all time pass and counts the replies to every question.
func (d *decider) holds(data *cmd.Data) {
	d.t.Helper()
	ctx := context.Background()
	if _, err := data.Store.Settle(ctx, time.Now().Add(time.Hour).UnixMicro()); err != nil {
		d.t.Fatal(err)
	}
	for n := range d.next + 1 {
		r, err := data.Store.Record(ctx, crashAgents[0], figs.Asks, fmt.Sprintf("q%d", n))
		if err != nil {
			d.t.Fatal(err)
		}
		least, most := 0, 1
		switch {
		case d.undone[n]:
			most = 0
		case d.answers[n] && !d.maybe[n]:
			least = 1
		}
		if got := len(r.Thread); got < least || got > most {
			d.t.Errorf("question %d has %d replies, want %d to %d", n, got, least, most)
		}
		for _, m := range r.Thread {
			if text := figs.ReadMessage(figs.Fold([][]byte{m.Line})).Text; !m.Verified || text != fmt.Sprintf("answer %d", n) {
				d.t.Errorf("question %d was answered %q", n, text)
			}
		}
	}
}
