// Package seed fills a store with a large company: a thousand agents in forty departments, one of them with very many jobs and
// asks, and two hundred people who answer. Everything goes through the calls that the server itself makes, so the rows are
// those of real pushes and decisions. The same size and time give the same records.
package seed

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// Size is how much there is. Two fifths of the jobs and a fifth of the asks belong to the first agent.
type Size struct {
	Agents, Asks, Jobs, People int
	Departments                int // at most 40; 0: the agents have none
}

// Full is the size of make scale, Short that of the test.
var (
	Full  = Size{Agents: 1000, Asks: 100_000, Jobs: 500_000, People: 200, Departments: 40}
	Short = Size{Agents: 100, Asks: 2000, Jobs: 10_000, People: 20, Departments: 40}
)

// share returns how many jobs and asks an agent has.
func (z Size) share(agent int) (jobs, asks int) {
	jobs, asks = z.Jobs*2/5, z.Asks/5
	if others := z.Agents - 1; agent > 0 {
		part := func(all int) int { return all*agent/others - all*(agent-1)/others }
		jobs, asks = part(z.Jobs-jobs), part(z.Asks-asks)
	}
	return jobs, asks
}

// Slug is the workspace's.
const Slug = "scale"

// World is what Fill made.
type World struct {
	Workspace store.Workspace
	People    []store.User // the first owns the workspace
	size      Size
	now       time.Time
	s         store.Store
	blobs     Blobs
}

// Blobs keeps the bytes of attachments.
type Blobs interface {
	Put(ctx context.Context, r io.Reader, max int64) (sha256 string, size int64, err error)
}

// AgentID returns the id of the n-th agent. The first one, 0, is the large one.
func AgentID(n int) string { return fmt.Sprintf("0d4f2a3c-2222-4222-9000-%012d", n) }

// SessionOf is the secret of a person's session, which their cookie has, and TokenOf that of their token.
func SessionOf(person int) string { return fmt.Sprintf("session-of-person-%d", person) }

// TokenOf is the secret of a person's token.
func TokenOf(person int) string { return fmt.Sprintf("token-of-person-%d", person) }

// Fill makes the workspace with its people and agents as of a time. password is the encoded password of the owner; "" if they
// can't sign in with one. progress, which may be nil, is told how many agents are there.
func Fill(ctx context.Context, s store.Store, blobs Blobs, z Size, now time.Time, password string, progress func(agents int)) (*World, error) {
	w := &World{size: z, now: now, s: s, blobs: blobs}
	if err := w.employ(ctx, password); err != nil {
		return nil, err
	}
	for n := range z.Agents {
		if err := w.agent(ctx, n); err != nil {
			return nil, fmt.Errorf("agent %d: %w", n, err)
		}
		if progress != nil {
			progress(n + 1)
		}
	}
	if err := w.attach(ctx); err != nil {
		return nil, err
	}
	return w, w.answer(ctx)
}

// Open returns the world of a store that Fill has filled with that size.
func Open(ctx context.Context, s store.Workspaces, z Size, now time.Time) (*World, error) {
	at, err := s.Workspace(ctx, Slug)
	if err != nil {
		return nil, err
	}
	w := &World{Workspace: at, size: z, now: now}
	for i := range z.People {
		w.People = append(w.People, store.User{Name: personName(i)})
	}
	return w, nil
}

// employ makes the workspace and its people: five owners, ten admins, and of the others one in four only looks.
func (w *World) employ(ctx context.Context, password string) error {
	joined := w.now.AddDate(-2, 0, 0).UnixMicro()
	act := store.Act{At: joined}
	w.Workspace = store.Workspace{ID: store.NewID(), Slug: Slug, Name: "Scale", Created: joined}
	for i := range w.size.People {
		u := store.User{ID: store.NewID(), Email: fmt.Sprintf("person-%d@example.org", i), Name: personName(i), Created: joined}
		if i == 0 {
			u.Password = password
		}
		if err := w.s.AddUser(ctx, act, u); err != nil {
			return err
		}
		w.People = append(w.People, u)
		if i == 0 {
			if err := w.s.AddWorkspace(ctx, act, w.Workspace, u.ID); err != nil {
				return err
			}
		} else if err := w.s.SetMember(ctx, store.Act{By: w.People[0].ID, At: joined}, w.Workspace.ID, u.ID, roleOf(i)); err != nil {
			return err
		}
		now := w.now.UnixMicro()
		x := store.Session{Hash: store.Hash(SessionOf(i)), User: u.ID, Created: now, Used: now, Proved: now, Method: store.MethodPassword, Expires: now + 24*time.Hour.Microseconds()}
		if err := w.s.SaveSession(ctx, x); err != nil {
			return err
		}
		if i%4 == 0 {
			err := w.s.AddToken(ctx, store.Act{By: u.ID, At: now}, store.Token{ID: store.NewID(), User: u.ID, Name: "laptop", Hash: store.Hash(TokenOf(i)), Created: now})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func roleOf(person int) store.Role {
	switch {
	case person < 5:
		return store.Owner
	case person < 15:
		return store.Admin
	case person%4 == 3:
		return store.Viewer
	}
	return store.Member
}

// managerOf returns who answers for an agent: one of the first forty people who may.
func (w *World) managerOf(agent int) store.User {
	person := agent % 40 % len(w.People)
	if roleOf(person) == store.Viewer {
		person--
	}
	return w.People[person]
}

// A pushed ledger has at most this many jobs, so that its body has a usual size.
const jobsTogether = 20_000

// agent pushes all that an agent has, and assigns it.
func (w *World) agent(ctx context.Context, n int) error {
	jobs, asks := w.size.share(n)
	l := ledger{world: w, agent: n, jobs: jobs, asks: asks}
	for from := 0; from == 0 || from < jobs; from += jobsTogether {
		l.body(from, min(from+jobsTogether, jobs))
		if err := w.push(ctx, l.buffer.Bytes()); err != nil {
			return err
		}
	}
	manager := w.managerOf(n).ID
	return w.s.Assign(ctx, store.Act{By: w.People[0].ID, At: w.now.UnixMicro()}, AgentID(n), manager, manager)
}

// push has the store take a body as the server would.
func (w *World) push(ctx context.Context, body []byte) error {
	read, err := figs.ReadPush(bytes.Clone(body))
	if err != nil {
		return err
	}
	done, err := w.s.Push(ctx, store.Push{Workspace: w.Workspace.ID, Act: store.Act{By: w.People[0].ID, At: w.now.UnixMicro()}, Body: read,
		Report: func() *figs.Report { return &figs.Report{} }})
	if err == nil && len(done.Refused) > 0 {
		err = fmt.Errorf("%d records are refused, such as %+v", len(done.Refused), done.Refused[0])
	}
	return err
}

// attach uploads the files that open asks name: one for each agent, and many of the large one.
func (w *World) attach(ctx context.Context) error {
	for n := range w.size.Agents {
		_, asks := w.size.share(n)
		files := min(asks, 1)
		if n == 0 {
			files = min(asks, 500)
		}
		for k := range files {
			name := fileName(asks - 1 - k)
			sha256, size, err := w.blobs.Put(ctx, bytes.NewReader(report(n+k)), 1<<20)
			if err != nil {
				return err
			}
			a := store.Attachment{Agent: AgentID(n), Name: name, SHA256: sha256, Size: size, Uploaded: w.now.UnixMicro(), PushedBy: w.People[0].ID}
			if _, err := w.s.Attach(ctx, store.Act{By: w.People[0].ID, At: w.now.UnixMicro()}, a, "Statement of account, version 1"); err != nil {
				return err
			}
		}
	}
	return nil
}

// answer has people decide one open ask of every agent that has one. Of each three decisions the agent has closed the ask of the
// first, knows that of the second, and hasn't fetched the third.
func (w *World) answer(ctx context.Context) error {
	var fetched, closed []int
	for n := range w.size.Agents {
		_, asks := w.size.share(n)
		if open(n, asks) == 0 {
			continue
		}
		if err := w.decide(ctx, n, askID(asks-1), w.now.Add(-time.Duration(1+n%500)*time.Hour)); err != nil {
			return fmt.Errorf("deciding an ask of agent %d: %w", n, err)
		}
		if n%3 < 2 {
			fetched = append(fetched, n)
		}
		if n%3 == 0 {
			closed = append(closed, n)
		}
	}
	if _, err := w.s.Settle(ctx, w.now.UnixMicro()); err != nil {
		return err
	}
	for _, n := range fetched {
		_, seq, err := w.s.MessagesSeq(ctx, AgentID(n))
		if err == nil {
			_, err = w.s.MarkPickedUp(ctx, AgentID(n), seq, w.now.UnixMicro())
		}
		if err != nil {
			return err
		}
	}
	for _, n := range closed {
		jobs, asks := w.size.share(n)
		reply, err := w.s.Message(ctx, AgentID(n), decisionID(n))
		if err != nil {
			return err
		}
		l := ledger{world: w, agent: n, jobs: jobs, asks: asks}
		l.begin()
		fmt.Fprintf(&l.buffer, `"asks":[{"id":%q,"status":"resolved","resolution":{"via":"figs","answer":%q,"by":%q,"note":"Done","ts":%q}}],"messages":[%s]}`,
			askID(asks-1), decisionID(n), w.managerOf(n).Name, stamp(w.now), reply.Line)
		if err := w.push(ctx, l.buffer.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func decisionID(agent int) string { return fmt.Sprintf("decision-%d", agent) }

// decide has an agent's manager approve or answer one of its asks.
func (w *World) decide(ctx context.Context, agent int, id string, at time.Time) error {
	ask, err := w.s.Record(ctx, AgentID(agent), figs.Asks, id)
	if err != nil {
		return err
	}
	by, fold := w.managerOf(agent), figs.Fold([][]byte{ask.Fold})
	in := figs.ReplyInput{ID: decisionID(agent), By: by.Name, TS: stamp(at), Text: "Fine, go ahead with the statement."}
	line, wrong := figs.Answer(fold, in)
	if fold.Get("type").Text() == "sign-off" {
		in.Verdict = "approved"
		line, wrong = figs.Verdict(fold, in)
	}
	if wrong != figs.ReplyOK {
		return fmt.Errorf("the reply can't be written: %d", wrong)
	}
	saw := store.View{Revision: store.RevisionOf(ask)}
	for _, name := range figs.AttachmentNames(fold) {
		f, err := w.s.File(ctx, AgentID(agent), name)
		if err != nil {
			return err
		}
		saw.Files = append(saw.Files, store.ViewedFile{Name: name, SHA256: f.SHA256})
	}
	_, err = w.s.Decide(ctx, store.Act{By: by.ID, At: at.UnixMicro()}, store.DecisionInput{Workspace: w.Workspace.ID, Agent: AgentID(agent), Ask: id, Line: line, Key: decisionID(agent), Saw: saw})
	return err
}
