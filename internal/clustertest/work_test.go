//go:build unix

package clustertest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
	"github.com/figs-web/figs-web/internal/testenv"
)

// most is how often one agent pushes: whole ledgers grow, and so does what each push sends. Then comes the next agent.
const most = 6

// world is what a test of several nodes stands on.
type world struct {
	c         *Cluster
	store     *sqlstore.Store // the database, past everything that a test breaks
	blobs     blob.Store      // the bucket, likewise
	workspace string
	reference *reference
	n         atomic.Int32 // agents so far
}

// question is one that was acknowledged.
type question struct {
	agent *Agent
	n     int
}

func (q question) at(server string) string {
	return fmt.Sprintf("%s/w/%s/agents/%s/asks/%s", server, slug, q.agent.ID, Question(q.n))
}

// work is agents that push and a person who decides, all through the balancer, until they are told to stop.
type work struct {
	*testing.T
	*world
	asked   chan question
	stop    chan struct{}
	wait    sync.WaitGroup
	pushed  atomic.Int64 // acknowledged pushes
	decided atomic.Int64

	mutex   sync.Mutex
	agents  []*Agent
	answers map[question]string // acknowledged; "" was taken back
}

// begin lets so many agents push at a time, and people decide.
func (w *world) begin(t *testing.T, agents int) *work {
	t.Helper()
	k := &work{T: t, world: w, asked: make(chan question, 10_000), stop: make(chan struct{}), answers: map[question]string{}}
	for i := range agents {
		k.wait.Go(func() { k.push(client.Generation(i % 2)) })
	}
	k.wait.Go(k.decide)
	t.Cleanup(k.end)
	return k
}

// agent makes one that has pushed nothing yet.
func (k *work) agent(g client.Generation) *Agent {
	a := NewAgent(fmt.Sprintf("0d4f2a3c-2222-4222-8333-%012x", k.n.Add(1)), k.workspace, g)
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.agents = append(k.agents, a)
	return a
}

func (k *work) stopped() bool {
	select {
	case <-k.stop:
		return true
	default:
		return false
	}
}

// push pushes for one agent after the other.
func (k *work) push(g client.Generation) {
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	for {
		a := k.agent(g)
		c := a.At(k.c.Balancer.Address, token, &http.Client{Transport: transport})
		for range most {
			if k.stopped() {
				return
			}
			if err := a.Push(ctx, c); err != nil {
				k.Error(err)
				return
			}
			k.pushed.Add(1)
			k.asked <- question{a, a.Pushed - 1}
		}
	}
}

// decide answers what was asked, and takes each fifth answer back.
func (k *work) decide() {
	var person *Person
	err := insist(ctx, func() (retry bool, err error) {
		person, err = SignIn(ctx, k.c.Balancer.Address, ana, password)
		return true, err
	})
	if err != nil {
		k.Error(err)
		return
	}
	for {
		var q question
		select {
		case <-k.stop:
			return
		case q = <-k.asked:
		}
		if err := k.answer(person, q); err != nil {
			k.Errorf("deciding question %d of %s: %v", q.n, q.agent.ID, err)
			return
		}
		k.decided.Add(1)
	}
}

func (k *work) answer(person *Person, q question) error {
	at, text := q.at(k.c.Balancer.Address), fmt.Sprintf("Answer %d.", q.n)
	if err := person.Answer(ctx, at, text); err != nil {
		return err
	}
	if q.n%5 == 4 {
		var refused *Refused
		switch err := person.Undo(ctx, at); {
		case err == nil:
			text = ""
		case !errors.As(err, &refused) || refused.Status != http.StatusConflict: // too late is no failure
			return fmt.Errorf("taking it back: %w", err)
		}
	}
	k.note(q, text)
	return nil
}

func (k *work) note(q question, text string) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.answers[q] = text
}

// progress waits until so many more pushes and decisions were acknowledged.
func (k *work) progress(pushes, decisions int) {
	k.Helper()
	p, d := k.pushed.Load()+int64(pushes), k.decided.Load()+int64(decisions)
	done := func() bool { return k.Failed() || k.pushed.Load() >= p && k.decided.Load() >= d }
	if !testenv.Poll(2*Patience, done) {
		k.Fatalf("waited in vain for %d more pushes and %d more decisions; the nodes' logs end:\n%s", max(0, p-k.pushed.Load()), max(0, d-k.decided.Load()), k.c.Logs(3000))
	}
}

// end lets what is under way be finished, and starts no more.
func (k *work) end() {
	if !k.stopped() {
		close(k.stop)
	}
	k.wait.Wait()
}

// whole is how a test ends: everything that was acknowledged is there; replies come down, asks are closed; and the state
// is that of a reader to which nothing happened.
func (k *work) whole() {
	k.Helper()
	k.end()
	if k.Failed() {
		k.Fatalf("the nodes' logs end:\n%s", k.c.Logs(1500))
	}
	if _, err := k.store.Settle(ctx, time.Now().Add(time.Hour).UnixMicro()); err != nil {
		k.Fatal(err)
	}
	decisions := map[*Agent]map[string][]byte{}
	for _, a := range k.agents {
		decisions[a] = k.holds(a)
	}
	c := &http.Client{Transport: &http.Transport{}}
	defer c.CloseIdleConnections()
	for _, a := range k.agents {
		if a.Pushed == 0 {
			continue
		}
		at := a.At(k.c.Balancer.Address, token, c)
		if err := a.Sync(ctx, at); err != nil {
			k.Fatal(err)
		}
		if len(a.closed) != len(decisions[a]) {
			k.Errorf("a sync of %s brought %d replies, want %d", a.ID, len(a.closed), len(decisions[a]))
		}
		if err := a.Again(ctx, at); err != nil {
			k.Fatal(err)
		}
		k.reference.told(k.T, a, decisions[a])
	}
	k.same()
	k.Logf("%d pushes and %d decisions were acknowledged", k.pushed.Load(), k.decided.Load())
	if k.pushed.Load() == 0 || k.Failed() {
		k.Fatalf("the nodes' logs end:\n%s", k.c.Logs(1500))
	}
}

// calmly fails where a node wrote what it should not.
func (w *world) calmly(t *testing.T) {
	t.Helper()
	if text := w.surprises(); text != "" {
		t.Errorf("the nodes wrote:\n%s", text)
	}
}

// surprises are what the nodes wrote of failures that they have no words for, since this was last asked, and secrets: a
// fault of a database or a bucket is told as one, without what opens them.
func (w *world) surprises() (text string) {
	wrong := []string{"Something went wrong", "panic", "goroutine ", Password}
	for _, pair := range w.c.Env {
		if name, value, _ := strings.Cut(pair, "="); name == "AWS_SECRET_ACCESS_KEY" {
			wrong = append(wrong, value)
		}
	}
	for i, n := range w.c.Nodes {
		for line := range strings.SplitSeq(n.Log.Take(), "\n") {
			if slices.ContainsFunc(wrong, func(s string) bool { return strings.Contains(line, s) }) {
				text += fmt.Sprintf("node %d: %.1000s\n", i, line)
			}
		}
	}
	return text
}

// holds looks for everything of an agent that was acknowledged, and returns the replies that count, by question.
func (k *work) holds(a *Agent) map[string][]byte {
	k.Helper()
	replies := map[string][]byte{}
	if a.Pushed == 0 {
		return replies
	}
	for i := range records {
		if r, err := k.store.Record(ctx, a.ID, figs.Runs, fmt.Sprintf("r%d", i)); err != nil || r.Versions != a.Pushed {
			k.Errorf("job %d of %s has %d versions after %d pushes (%v)", i, a.ID, versions(r), a.Pushed, err)
		}
	}
	if r, err := k.store.Record(ctx, a.ID, figs.Asks, "count"); err != nil || r.Versions != a.Pushed || len(r.Thread) != a.Pushed {
		k.Errorf("%s counts %d versions after %d pushes (%v)", a.ID, versions(r), a.Pushed, err)
	}
	for n := range a.Pushed {
		if line := k.holdsReply(question{a, n}); line != nil {
			replies[Question(n)] = line
		}
	}
	files, err := k.store.Attachments(ctx, a.ID)
	if err != nil || len(files) != a.Pushed {
		k.Errorf("%s has %d files after %d pushes (%v)", a.ID, len(files), a.Pushed, err)
	}
	for _, f := range files {
		var n int
		fmt.Sscanf(f.Name, "%d.txt", &n)
		if err := k.holdsBytes(f.SHA256, a.File(n)); err != nil {
			k.Errorf("%s of %s: %v", f.Name, a.ID, err)
		}
	}
	return replies
}

func versions(r *store.Record) int {
	if r == nil {
		return 0
	}
	return r.Versions
}

// holdsReply looks for what was decided, once: nothing where it was taken back.
func (k *work) holdsReply(q question) []byte {
	k.Helper()
	r, err := k.store.Record(ctx, q.agent.ID, figs.Asks, Question(q.n))
	if err != nil {
		k.Errorf("question %d of %s: %v", q.n, q.agent.ID, err)
		return nil
	}
	k.mutex.Lock()
	want, sure := k.answers[q]
	k.mutex.Unlock()
	var texts []string
	var line []byte
	for _, m := range r.Thread {
		line = m.Line
		texts = append(texts, figs.ReadMessage(figs.Fold([][]byte{line})).Text)
		if !m.Verified {
			k.Errorf("question %d of %s has a reply that nobody gave here", q.n, q.agent.ID)
		}
	}
	switch {
	case sure && want != "" && !slices.Equal(texts, []string{want}):
		k.Errorf("question %d of %s has the replies %q, want %q once", q.n, q.agent.ID, texts, want)
	case sure && want == "" && len(texts) > 0:
		k.Errorf("question %d of %s has the replies %q, which were taken back", q.n, q.agent.ID, texts)
	case len(texts) > 1:
		k.Errorf("question %d of %s has %d replies", q.n, q.agent.ID, len(texts))
	}
	return line
}

func (k *work) holdsBytes(sha256 string, want []byte) error {
	r, _, err := k.blobs.Open(ctx, sha256)
	if err != nil {
		return err
	}
	defer r.Close()
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) {
		return fmt.Errorf("%d bytes, want %d of its own (%v)", len(got), len(want), err)
	}
	return nil
}

// same compares the states, and says which agents differ.
func (w *world) stateOf(t *testing.T, s store.Store) string {
	t.Helper()
	hash, err := s.StateHash(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

func (k *work) same() {
	k.Helper()
	got, want := k.stateOf(k.T, k.store), k.stateOf(k.T, k.reference.store)
	if got != want {
		k.Errorf("the state is %s, and without the fault %s:\n%s", got, want, k.difference())
		return
	}
	if chain, err := k.store.VerifyAudit(ctx, k.workspace); err != nil || chain.Broken != 0 {
		k.Errorf("the audit is %+v, %v", chain, err)
	}
}

// difference is what one of the two has alone.
func (k *work) difference() (text string) {
	lines := func(s store.Store) map[string]bool {
		all := map[string]bool{}
		for _, a := range k.agents {
			for _, file := range []figs.File{figs.Runs, figs.Asks} {
				page, err := s.Records(ctx, store.RecordQuery{Agent: a.ID, File: file, Slice: store.Slice{N: 1000}})
				if err != nil {
					return map[string]bool{err.Error(): true}
				}
				for i := range page.Items {
					all[fmt.Sprintf("%s %s %s", a.ID, page.Items[i].ID, page.Items[i].Fold)] = true
				}
			}
		}
		return all
	}
	got, want := lines(k.store), lines(k.reference.store)
	for _, line := range slices.Sorted(maps.Keys(got)) {
		if !want[line] {
			text += "+ " + line + "\n"
		}
	}
	for _, line := range slices.Sorted(maps.Keys(want)) {
		if !got[line] {
			text += "- " + line + "\n"
		}
	}
	return text
}
