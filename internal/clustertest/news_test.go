//go:build unix

package clustertest

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/store"
)

// listen opens the stream of events that a page has, at one node, and passes on the numbers that it tells.
func listen(t *testing.T, p *Person, n *Node) <-chan int64 {
	t.Helper()
	heard := make(chan int64, 1000)
	limited, stop := context.WithCancel(ctx)
	r, err := http.NewRequestWithContext(limited, "GET", n.URL("/w/"+slug+"/events"), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: p.name, Value: p.cookie})
	answer, err := (&http.Client{}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the stream of events answers %d", answer.StatusCode)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer answer.Body.Close()
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			number, _, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "data: "), " ") // the agents that changed are behind it
			if seq, err := strconv.ParseInt(number, 10, 64); err == nil {
				heard <- seq
			}
		}
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	return heard
}

// hears waits until a stream tells of a number, or a later one.
func hears(t *testing.T, heard <-chan int64, seq int64) {
	t.Helper()
	begun, late := time.Now(), time.After(2*Patience)
	for {
		select {
		case got := <-heard:
			if got >= seq {
				t.Logf("heard after %s", time.Since(begun).Round(time.Millisecond))
				return
			}
		case <-late:
			t.Fatalf("a page at another node was never told of change %d", seq)
		}
	}
}

// newsOverThere holds that a page at one node hears of what is pushed at another.
func newsOverThere(t *testing.T, w *world) {
	person, err := SignIn(ctx, w.c.Nodes[1].URL(""), ana, password)
	if err != nil {
		t.Fatal(err)
	}
	heard := listen(t, person, w.c.Nodes[1])
	k := &work{T: t, world: w, stop: make(chan struct{}), answers: map[question]string{}}
	a := k.agent(client.G12)
	for range 3 {
		if err := a.Push(ctx, a.At(w.c.Nodes[0].URL(""), token, nil)); err != nil {
			t.Fatal(err)
		}
		k.pushed.Add(1)
		hears(t, heard, k.seq())
	}
	k.whole()
}

func (k *work) seq() int64 {
	k.Helper()
	seq, err := k.store.Seq(ctx, k.workspace)
	if err != nil {
		k.Fatal(err)
	}
	return seq
}

// newsAfterLoss changes something while no node is connected to the database: the pages that are open hear of it when the
// nodes are back.
func newsAfterLoss(t *testing.T, w *world) {
	newsOverThere(t, w)
	person, err := SignIn(ctx, w.c.Nodes[1].URL(""), ana, password)
	if err != nil {
		t.Fatal(err)
	}
	heard := listen(t, person, w.c.Nodes[1])
	k := &work{T: t, world: w, stop: make(chan struct{}), answers: map[question]string{}}
	a := k.agent(client.G12)
	if err := a.Push(ctx, a.At(w.c.Nodes[0].URL(""), token, nil)); err != nil {
		t.Fatal(err)
	}
	k.pushed.Add(1)
	hears(t, heard, k.seq())
	w.c.Relay.Refuse(true)
	w.c.Relay.Cut()
	elsewhere(t, w, a)
	w.c.Relay.Refuse(false)
	hears(t, heard, k.seq())
	if err := a.Push(ctx, a.At(w.c.Balancer.Address, token, nil)); err != nil { // which brings the file, too
		t.Fatal(err)
	}
	k.pushed.Add(1)
	k.whole()
}

// elsewhere makes the records of an agent's next push past all nodes, as a node would that nobody here knows.
func elsewhere(t *testing.T, w *world, a *Agent) {
	t.Helper()
	folder := a.folder(a.Pushed + 1)
	var body bytes.Buffer
	body.WriteString(`{"workspaceId":"` + w.workspace + `","agent":{"name":"Agent ` + a.ID + `","id":"` + a.ID + `"}`)
	for name, file := range map[string]string{"runs": "runs.jsonl", "asks": "asks.jsonl", "messages": "messages.jsonl"} {
		lines := bytes.TrimSuffix(folder[file].Data, []byte("\n"))
		body.WriteString(`,"` + name + `":[` + string(bytes.ReplaceAll(lines, []byte("\n"), []byte(","))) + `]`)
	}
	body.WriteString("}")
	push, err := figs.ReadPush(body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if done, err := w.store.Push(ctx, store.Push{Workspace: w.workspace, Act: store.Act{At: time.Now().UnixMicro()}, Body: push}); err != nil || !done.Changed {
		t.Fatalf("a push past all nodes: %+v, %v", done, err)
	}
}
