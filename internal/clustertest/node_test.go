//go:build unix

package clustertest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/testenv"
)

// calm is a run without a fault.
func calm(t *testing.T, w *world) {
	k := w.begin(t, 2)
	k.progress(6, 3)
	k.whole()
}

// within waits for a random part of a time, so that what comes next happens at any moment of it.
func within(d time.Duration) { time.Sleep(rand.N(d)) }

// killedPushing kills nodes while they take pushes.
func killedPushing(t *testing.T, w *world) {
	k, before := w.begin(t, 4), w.c.Balancer.Broken()
	for range often(3, 40) {
		k.progress(3, 0)
		killOne(k, 20*time.Millisecond)
	}
	k.progress(4, 1)
	k.whole()
	ended(k, before)
}

// killedDeciding kills nodes while they take decisions, two people's at a time.
func killedDeciding(t *testing.T, w *world) {
	k, before := w.begin(t, 2), w.c.Balancer.Broken()
	k.wait.Go(k.decide)
	for range often(3, 40) {
		k.progress(0, 3)
		killOne(k, 20*time.Millisecond)
	}
	k.progress(0, 2)
	k.whole()
	ended(k, before)
}

// ended tells how many requests ended with their node.
func ended(k *work, before int) {
	k.Helper()
	n := k.c.Balancer.Broken() - before
	if long() && n == 0 {
		k.Error("no node was killed in the middle of a request")
	}
	k.Logf("%d requests ended with their node", n)
}

// killOne kills a node at some moment and starts it again a little later.
func killOne(k *work, moment time.Duration) {
	k.Helper()
	n := k.c.Nodes[rand.IntN(len(k.c.Nodes))]
	within(moment)
	n.Kill()
	within(moment)
	if err := n.Start(); err != nil {
		k.Fatal(err)
	}
}

// paused freezes a node in the middle of a push, which holds what others wait for, and lets it go on when the world has
// moved.
func paused(t *testing.T, w *world) {
	w.c.Balancer.SetPatience(2 * time.Second)
	defer w.c.Balancer.SetPatience(20 * time.Second)
	k := w.begin(t, 4)
	k.progress(4, 1)
	n := w.c.Nodes[rand.IntN(len(w.c.Nodes))]
	release := holding(k)
	testenv.Eventually(t, 2*Patience, "pushes to wait", func() bool { return k.waiting() > 0 })
	n.Pause()
	defer n.Wake()
	release()
	length := 3 * time.Second
	if long() {
		length = 30 * time.Second
	}
	asleep, before := time.Now(), k.pushed.Load()
	time.Sleep(length) // for so long it is frozen
	if moved := k.pushed.Load() - before; long() && moved == 0 {
		t.Errorf("no push was acknowledged in the %s that one of three nodes slept", length)
	} else {
		t.Logf("%d pushes while one of three nodes slept for %s", moved, time.Since(asleep).Round(time.Second))
	}
	n.Wake()
	w.c.Balancer.SetPatience(20 * time.Second)
	k.progress(6, 2)
	k.whole()
}

// holding holds what every change of the workspace needs, until it is released.
func holding(k *work) (release func()) {
	k.Helper()
	c, err := pgx.Connect(ctx, k.c.Postgres.connection(k.c.Database))
	if err != nil {
		k.Fatal(err)
	}
	if _, err = c.Exec(ctx, "BEGIN"); err == nil {
		_, err = c.Exec(ctx, "SELECT FROM workspaces WHERE id = $1 FOR UPDATE", k.workspace)
	}
	if err != nil {
		c.Close(ctx)
		k.Fatal(err)
	}
	return func() { c.Close(ctx) }
}

// waiting is how many programs wait for a lock.
func (k *work) waiting() int64 {
	n, err := k.c.Postgres.Number("postgres", "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'", k.c.Database)
	if err != nil {
		k.Fatal(err)
	}
	return n
}

// bothDecide lets two people decide the same ask at two nodes at the same time: one of them does, the other is told.
func bothDecide(t *testing.T, w *world) {
	k := &work{T: t, world: w, asked: make(chan question, 100), stop: make(chan struct{}), answers: map[question]string{}}
	people := make([]*Person, 2)
	for i, email := range []string{ana, cem} {
		var err error
		if people[i], err = SignIn(ctx, w.c.Nodes[i].URL(""), email, password); err != nil {
			t.Fatal(err)
		}
	}
	won := [2]int{}
	var a *Agent
	for n := range often(8, 120) {
		if n%most == 0 {
			a = k.agent(client.G12)
		}
		if err := a.Push(ctx, a.At(w.c.Balancer.Address, token, nil)); err != nil {
			t.Fatal(err)
		}
		k.pushed.Add(1)
		q := question{a, a.Pushed - 1}
		errs, texts := [2]error{}, [2]string{}
		var ready, wait sync.WaitGroup
		ready.Add(2)
		for i, p := range people {
			wait.Go(func() {
				at := q.at(w.c.Nodes[i].URL(""))
				texts[i] = fmt.Sprintf("%s says %d.", []string{"Ana", "Cem"}[i], n)
				form, err := p.Form(ctx, at, texts[i])
				ready.Done()
				ready.Wait()
				if errs[i] = err; err == nil {
					errs[i] = p.Send(ctx, at+"/decide", form)
				}
			})
		}
		wait.Wait()
		for i := range people {
			var refused *Refused
			if errs[i] == nil && errors.As(errs[1-i], &refused) && refused.Status == http.StatusConflict {
				won[i]++
				k.note(q, texts[i])
			}
		}
		if won[0]+won[1] != n+1 {
			t.Fatalf("question %d: the answers to both are %v and %v, want one decision and one 409", n, errs[0], errs[1])
		}
		k.decided.Add(1)
	}
	k.whole()
	t.Logf("of two at once the first person was first %d times, the second %d times", won[0], won[1])
}

// clockOff adds a node whose clock is an hour ahead and one whose clock is an hour behind. What they take is of the
// database's time, and no decision counts before anybody could take it back.
func clockOff(t *testing.T, w *world) {
	for _, off := range []string{"1h", "-1h"} {
		n := w.c.Node(build(t, "nodestest"), w.c.Front())
		n.env = append(n.env[:len(n.env):len(n.env)], "FIGS_NODESTEST_CLOCK="+off)
		if err := n.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			w.c.Nodes = w.c.Nodes[:3]
			if err := n.Stop(); err != nil {
				t.Error(err)
			}
		}()
		w.c.Nodes = append(w.c.Nodes, n)
	}
	k := &work{T: t, world: w, asked: make(chan question, 100), stop: make(chan struct{}), answers: map[question]string{}}
	a := k.agent(client.Newer)
	var undo []func()
	for i, n := range w.c.Nodes[2:] { // the right one, the one ahead, the one behind
		person, err := SignIn(ctx, n.URL(""), ana, password)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := a.Push(ctx, a.At(n.URL(""), token, nil)); err != nil {
				t.Fatal(err)
			}
			k.pushed.Add(1)
		}
		stays, undone, counts := question{a, 2 * i}, question{a, 2*i + 1}, int64(0)
		for _, q := range []question{stays, undone} {
			if err := person.Answer(ctx, q.at(n.URL("")), fmt.Sprintf("Answer %d.", q.n)); err != nil {
				t.Fatalf("at the node %d: %v", i, err)
			}
			k.decided.Add(1)
			counts = inTime(k, q)
		}
		k.note(stays, fmt.Sprintf("Answer %d.", stays.n))
		undo = append(undo, func() { takenBack(k, person, undone, counts) })
	}
	time.Sleep(1500 * time.Millisecond) // long enough for every node to look what counts
	for _, do := range undo {
		do()
	}
	k.whole()
}

// takenBack takes a decision back at another node than it was made at, which anybody may until it counts.
func takenBack(k *work, person *Person, q question, counts int64) {
	k.Helper()
	err := person.Undo(ctx, q.at(k.c.Nodes[0].URL("")))
	if err == nil {
		k.note(q, "")
		return
	}
	if now, clock := k.store.Time(ctx); clock != nil || now < counts {
		k.Errorf("question %d cannot be taken back at once: %v", q.n, err)
	}
	k.note(q, fmt.Sprintf("Answer %d.", q.n)) // this machine took ten seconds
}

// inTime holds the times of a decision that was just made against the database's clock, and returns from when it counts.
func inTime(k *work, q question) (counts int64) {
	k.Helper()
	now, err := k.store.Time(ctx)
	if err != nil {
		k.Fatal(err)
	}
	m, err := k.store.Pending(ctx, q.agent.ID, Question(q.n))
	if err != nil {
		k.Errorf("question %d is not pending after it was decided: %v", q.n, err)
		return 0
	}
	const minute = 60_000_000
	if m.At < now-minute || m.At > now+minute || m.Effective < now-minute || m.Effective > now+minute {
		k.Errorf("decided at %d µs and counting from %d µs, by the database's clock", m.At-now, m.Effective-now)
	}
	said := figs.ReadMessage(figs.Fold([][]byte{m.Line})).TS
	if at, err := time.Parse(time.RFC3339, fmt.Sprint(said)); err == nil && (at.UnixMicro() < now-minute || at.UnixMicro() > now+minute) {
		k.Errorf("the reply says %s", said)
	}
	return m.Effective
}
