package clustertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/figs-web/figs-web/internal/client"
)

// records is how many jobs an agent has; each of its pushes changes all of them.
const records = 4

// Agent pushes as the reference client does: its whole ledgers each time, then every file, and the same again until it
// was acknowledged. Each push changes every job and the ask "count", raises one more question, brings one more
// reply that was given elsewhere, and one more file.
type Agent struct {
	ID         string
	Pushed     int // how many pushes were acknowledged
	Fat        int // bytes of text that each job has beside what is in every push
	generation client.Generation
	workspace  string
	synced     []byte         // replies, as they came down
	closed     map[int]string // reply with which a question was closed, by its number
}

// NewAgent is one that has pushed nothing yet.
func NewAgent(id, workspace string, g client.Generation) *Agent {
	return &Agent{ID: id, workspace: workspace, generation: g, closed: map[int]string{}}
}

// Lost says that something is not there any more that was acknowledged.
type Lost struct{ What string }

func (e *Lost) Error() string { return e.What + " was acknowledged and is not there any more" }

// Question is the id of the n-th question, from 0.
func Question(n int) string { return fmt.Sprintf("q%d", n) }

// FileName is the name of the n-th file.
func FileName(n int) string { return fmt.Sprintf("%d.txt", n) }

// File is what the n-th file holds: enough to be caught half-way.
func (a *Agent) File(n int) []byte {
	return []byte(strings.Repeat(fmt.Sprintf("file %d of %s\n", n, a.ID), 1000))
}

// folder is what the agent has after n pushes.
func (a *Agent) folder(n int) fstest.MapFS {
	var runs, asks, messages strings.Builder
	fat := noise(a.Fat)
	for k := range n {
		for i := range records {
			files := ""
			if i == 0 {
				files = fmt.Sprintf(`,"attachments":[%q]`, FileName(k))
			}
			fmt.Fprintf(&runs, `{"id":"r%d","ts":"2026-11-20T10:00:00Z","eventId":"e%d-%d","title":"Job %d","state":"in-flight","n":%d,"note":%q%s}`+"\n", i, k, i, i, k, fat, files)
		}
		fmt.Fprintf(&asks, `{"id":"count","type":"question","title":"Of %d pushes","ts":"2026-11-20T10:00:00Z"}`+"\n", k+1)
		fmt.Fprintf(&asks, `{"id":%q,"type":"question","title":"Question %d","ts":"2026-11-20T10:00:00Z","attachments":[%q]}`+"\n", Question(k), k, FileName(k))
		fmt.Fprintf(&messages, `{"id":"m%d","kind":"answer","ask":"count","text":"told %d","by":"Bo","ts":"2026-11-20T11:00:00Z"}`+"\n", k, k)
	}
	for k := range n {
		if answer, ok := a.closed[k]; ok {
			fmt.Fprintf(&asks, `{"id":%q,"status":"resolved","resolution":{"via":"figs","answer":%q,"by":"Ana","ts":"2026-11-20T12:00:00Z"}}`+"\n", Question(k), answer)
		}
	}
	folder := fstest.MapFS{
		"config.json":    {Data: fmt.Appendf(nil, `{"agentId":%q,"workspaceId":%q}`, a.ID, a.workspace)},
		"agent.json":     {Data: fmt.Appendf(nil, `{"name":"Agent %s"}`, a.ID)},
		"runs.jsonl":     {Data: []byte(runs.String())},
		"asks.jsonl":     {Data: []byte(asks.String())},
		"messages.jsonl": {Data: append([]byte(messages.String()), a.synced...)},
	}
	for k := range n {
		folder["artifacts/"+FileName(k)] = &fstest.MapFile{Data: a.File(k)}
	}
	return folder
}

// noise is text of that many bytes that no database makes smaller, and always the same.
func noise(n int) string {
	source := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 0, n)
	for len(b) < n {
		b = fmt.Appendf(b, "%016x", source.Uint64())
	}
	return string(b[:n])
}

// At is a client of a server that this agent may push with.
func (a *Agent) At(address, token string, h *http.Client) *client.Client {
	return client.New(client.Options{Endpoint: address, Token: token, Generation: a.generation, HTTP: h})
}

// Push makes the next push, again and again until it is acknowledged.
func (a *Agent) Push(ctx context.Context, c *client.Client) error {
	if err := a.publish(ctx, c, a.Pushed+1); err != nil {
		return err
	}
	a.Pushed++
	return nil
}

// Again pushes what has been pushed, with what has come down since.
func (a *Agent) Again(ctx context.Context, c *client.Client) error {
	return a.publish(ctx, c, a.Pushed)
}

// publish publishes the folder after n pushes until it is acknowledged. A file that was acknowledged before must be
// known.
func (a *Agent) publish(ctx context.Context, c *client.Client, n int) error {
	folder := a.folder(n)
	return insist(ctx, func() (retry bool, err error) {
		r, err := c.Push(ctx, folder, "")
		if r != nil {
			for k := range a.Pushed {
				if slices.Contains(r.Uploaded, FileName(k)) {
					return false, &Lost{FileName(k) + " of " + a.ID}
				}
			}
		}
		if err != nil {
			return later(err), fmt.Errorf("push %d of %s: %w", n, a.ID, err)
		}
		if len(r.Answer.Refused) > 0 || len(r.Missing) > 0 {
			return false, fmt.Errorf("push %d of %s: refused %v, missing %v", n, a.ID, r.Answer.Refused, r.Missing)
		}
		return false, nil
	})
}

// later reports whether a client tells its user to try again: not when there is something to mend.
func later(err error) bool {
	var f *client.Failure
	return errors.As(err, &f) && f.Exit == client.Retry && (f.Status == 0 || f.Status >= 500)
}

// Sync brings the agent's replies down and closes every question that has one.
func (a *Agent) Sync(ctx context.Context, c *client.Client) error {
	return insist(ctx, func() (retry bool, err error) {
		s, err := c.Messages(ctx, a.ID, "")
		if err != nil {
			return later(err), err
		}
		if s.Truncated {
			return false, errors.New("the sync is truncated")
		}
		a.synced = nil
		for _, line := range s.Events {
			var m struct{ ID, Ask, Source string }
			if err := json.Unmarshal(line, &m); err != nil {
				return false, err
			}
			if m.Source != "app" {
				continue // the agent's own
			}
			var n int
			if _, err := fmt.Sscanf(m.Ask, "q%d", &n); err == nil {
				a.closed[n] = m.ID
			}
			a.synced = append(append(a.synced, line...), '\n')
		}
		return false, nil
	})
}
