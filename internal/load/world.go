//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// world is who and what is there before anything is measured.
type world struct {
	workspaces []store.Workspace
	people     int
}

// The token of the first person, who owns every workspace; the others look.
const token = "figs_load"

// furnish makes workspaces and people, each with a session.
func furnish(ctx context.Context, s store.Store, workspaces, people int) (*world, error) {
	w := &world{people: people}
	now := time.Now().UnixMicro()
	act := store.Act{At: now}
	for i := range people {
		u := store.User{ID: store.NewID(), Email: fmt.Sprintf("person-%d@example.org", i), Name: fmt.Sprintf("Person %d", i), Created: now}
		if err := s.AddUser(ctx, act, u); err != nil {
			return nil, err
		}
		if i == 0 {
			for k := range workspaces {
				x := store.Workspace{ID: store.NewID(), Slug: fmt.Sprintf("team-%d", k), Name: fmt.Sprintf("Team %d", k), Created: now}
				if err := s.AddWorkspace(ctx, act, x, u.ID); err != nil {
					return nil, err
				}
				w.workspaces = append(w.workspaces, x)
			}
			if err := s.AddToken(ctx, act, store.Token{ID: store.NewID(), User: u.ID, Name: "load", Hash: store.Hash(token), Created: now}); err != nil {
				return nil, err
			}
		} else if err := s.SetMember(ctx, act, w.workspaces[0].ID, u.ID, store.Viewer); err != nil {
			return nil, err
		}
		x := store.Session{Hash: store.Hash(secretOf(i)), User: u.ID, Created: now, Used: now, Proved: now, Expires: now + 24*time.Hour.Microseconds()}
		if err := s.SaveSession(ctx, x); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func secretOf(person int) string { return fmt.Sprintf("session-of-person-%d", person) }

// cookieOf is the session's cookie of a person at a node, "127.0.0.1:4000": on plain http it is named after the port.
func cookieOf(node string, person int) string {
	return "figs-web-" + node[strings.LastIndexByte(node, ':')+1:] + "=" + secretOf(person)
}

// pushTo has a store take a body as the server would, without a network.
func pushTo(ctx context.Context, s store.Store, workspace string, body []byte) error {
	read, err := figs.ReadPush(body)
	if err == nil {
		_, err = s.Push(ctx, store.Push{Workspace: workspace, Act: store.Act{At: time.Now().UnixMicro()}, Body: read})
	}
	return err
}

// agentID is the id of an agent of a team.
func agentID(team, agent int) string {
	return fmt.Sprintf("0d4f2a3c-2222-4222-%04d-%012d", 8000+team, agent)
}

// body is a push of an agent with the records that are given.
func body(w store.Workspace, id string, n int, runs, asks []string) []byte {
	return fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"Agent %d","role":"Monthly close","department":"Department %d"},"runs":[%s],"asks":[%s]}`,
		w.ID, id, n, n%12, strings.Join(runs, ","), strings.Join(asks, ","))
}

// began is when the jobs of every generated ledger begin.
var began = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

// run is a settled job of about 350 bytes.
func run(n int) string {
	return fmt.Sprintf(`{"id":"close-%06d","ts":%q,"title":"Monthly close of customer %d","unit":"customer-%d","period":"2026-10","state":"settled","status":%q,"result":"All %d invoices matched; the two without a delivery number wait for the carrier","session":{"runtime":"claude-code","model":"m","sessionId":"s-%d","tokens":{"input":%d,"output":900}}}`,
		n, began.Add(time.Duration(n)*17*time.Minute).Format(time.RFC3339), n, n%40, [...]string{"ok", "ok", "ok", "warn", "fail"}[n%5], 200+n%90, n, 40_000+n)
}

// ask is a sign-off, or where it is open one that needs a human.
func ask(n int, open bool) string {
	end := `"status":"resolved","resolution":{"note":"Sent","ts":"2026-10-02T08:00:00Z"}`
	if open {
		end = `"status":"open"`
	}
	return fmt.Sprintf(`{"id":"send-%06d","ts":%q,"type":"sign-off","title":"Send the statement of customer %d","run":"close-%06d","found":"The statement is complete but for two delivery numbers","need":"A go before the end of the month","onApprove":["Send the statement","File the copy"],"details":[{"l":"Amount","v":"%d,400.00"}],%s}`,
		n, began.Add(time.Duration(n)*17*time.Minute).Format(time.RFC3339), n, n, 1+n%90, end)
}

// asker asks a node, as a person's browser or as an agent.
type asker struct {
	client *http.Client
	person int
	token  string // of API calls
	packed bool   // it takes compressed answers, as browsers do, and leaves them so
}

func newAsker(person, connections int) *asker {
	return &asker{person: person, token: token, client: &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       time.Minute,
	}}
}

// do sends a request and reads the whole answer; anything but the status that is wanted is an error. kind is the
// content's type, where there is content.
func (a *asker) do(ctx context.Context, method, address, kind string, content []byte, want int) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	if kind == "application/json" || strings.Contains(r.URL.Path, "/api/") {
		r.Header.Set("Authorization", "Bearer "+a.token)
	} else {
		r.Header.Set("Cookie", cookieOf(r.URL.Host, a.person))
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	if a.packed {
		r.Header.Set("Accept-Encoding", "gzip, br")
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	answer, err := a.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != want {
		err = fmt.Errorf("%s %s = %d %.300s, want %d", method, r.URL.Path, answer.StatusCode, text, want)
	}
	return text, err
}

// page asks for a page.
func (a *asker) page(ctx context.Context, address string) ([]byte, error) {
	return a.do(ctx, http.MethodGet, address, "", nil, http.StatusOK)
}

// push sends records.
func (a *asker) push(ctx context.Context, n *node, body []byte) error {
	_, err := a.do(ctx, http.MethodPost, n.address+"/api/ingest", "application/json", body, http.StatusOK)
	return err
}
