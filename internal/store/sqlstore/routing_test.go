package sqlstore

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// TestRoutingProperty walks through random changes of people, roles, agents and asks. After each one, every open ask is
// in the "For me" inbox of at least one person who may reply to it, all who find it there may, and exactly those are told.
// FIGS_LONG=1 takes 10,000 steps on each database.
func TestRoutingProperty(t *testing.T) {
	sqlite, postgres := 800, 200
	if os.Getenv("FIGS_LONG") != "" {
		sqlite, postgres = 10_000, 10_000
	}
	t.Run("SQLite", func(t *testing.T) { walkRouting(t, func() *Store { return openSQLite(t) }, sqlite) })
	t.Run("PostgreSQL", func(t *testing.T) {
		p := storetest.SharedPostgres(t)
		walkRouting(t, func() *Store { return openPostgres(t, p) }, postgres)
	})
}

// walkRouting takes so many steps, a hundred in each of several fresh stores.
func walkRouting(t *testing.T, open func() *Store, steps int) {
	seed := uint64(time.Now().UnixNano())
	done := map[string]int{}
	for n := 0; n < steps; n += 100 {
		w := newRouting(t, open(), seed+uint64(n))
		w.checks("the beginning")
		for range 100 {
			what, err := w.step()
			if err != nil {
				t.Fatalf("seed %d: %s: %v\n%s", seed+uint64(n), what, err, w.log())
			}
			done[what]++
			if w.checks(what); t.Failed() {
				t.Fatalf("seed %d, after:\n%s", seed+uint64(n), w.log())
			}
		}
		w.s.Close()
	}
	t.Logf("%v", done)
}

// routing is a store with two workspaces, people and agents; asks are what the walk raised.
type routing struct {
	*testing.T
	s          *Store
	random     *rand.Rand
	clock      int64
	workspaces []string
	people     []string
	agents     []string
	home       map[string]string            // of an agent: its workspace
	asks       map[string]map[string]string // by agent: open asks, and their "to"
	claims     map[string]map[string]string // by agent: asks that were answered in a name, and the name
	raised     int
	lines      []string
}

func newRouting(t *testing.T, s *Store, seed uint64) *routing {
	w := &routing{T: t, s: s, random: rand.New(rand.NewPCG(seed, 0)), clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC).UnixMicro(),
		home: map[string]string{}, asks: map[string]map[string]string{}, claims: map[string]map[string]string{}}
	for i := range 5 {
		u := store.User{ID: store.NewID(), Email: fmt.Sprintf("p%d@example.org", i), Name: fmt.Sprintf("Person %d", i), Created: w.clock}
		w.must(s.AddUser(ctx, w.act(""), u))
		w.people = append(w.people, u.ID)
	}
	for i := range 2 {
		id := store.NewID()
		w.must(s.AddWorkspace(ctx, w.act(""), store.Workspace{ID: id, Slug: fmt.Sprint("w", i), Name: "W", Created: w.clock}, w.people[i]))
		w.workspaces = append(w.workspaces, id)
		for _, person := range w.people[i+1:] {
			w.must(s.SetMember(ctx, w.act(""), id, person, store.Member))
		}
	}
	for i := range 3 {
		agent := fmt.Sprintf("0d4f2a3c-1111-4222-8333-00000000000%d", i)
		w.agents, w.home[agent], w.asks[agent] = append(w.agents, agent), w.workspaces[i%2], map[string]string{}
		w.claims[agent] = map[string]string{}
		w.must(w.push(agent, ""))
	}
	return w
}

func (w *routing) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *routing) act(by string) store.Act {
	w.clock += 1_000_000
	return store.Act{By: by, At: w.clock}
}

func (w *routing) log() (text string) {
	for _, line := range w.lines[max(0, len(w.lines)-25):] {
		text += line + "\n"
	}
	return text
}

// push pushes fields of a body by whoever may.
func (w *routing) push(agent, fields string) error {
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"N"}%s}`, w.home[agent], agent, fields))
	if err == nil {
		_, err = w.s.Push(ctx, store.Push{Workspace: w.home[agent], Act: w.act(pick(w.random, w.people)), Body: body})
	}
	return err
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// step changes something at random and says what.
func (w *routing) step() (what string, err error) {
	agent, workspace, person := pick(w.random, w.agents), pick(w.random, w.workspaces), pick(w.random, w.people)
	log := func(format string, args ...any) { w.lines = append(w.lines, fmt.Sprintf(format, args...)) }
	switch w.random.IntN(10) {
	case 0, 1: // by a person, a provider or a proxy
		role := pick(w.random, []store.Role{store.Owner, store.Admin, store.Member, store.Viewer})
		log("role %s of %s in %s", role, person, workspace)
		err = w.s.SetMember(ctx, w.act(""), workspace, person, role)
		what = "role"
	case 2:
		by := pick(w.random, []string{"", person})
		log("remove %s from %s by %q", person, workspace, by)
		err = w.s.RemoveMember(ctx, w.act(by), workspace, person)
		what = "remove"
	case 3, 4:
		manager, builder := pick(w.random, append([]string{""}, w.people...)), pick(w.random, append([]string{""}, w.people...))
		log("assign %s: manager %q, builder %q", agent, manager, builder)
		err = w.s.Assign(ctx, w.act(""), agent, manager, builder)
		what = "assign"
	case 5:
		archived := w.random.IntN(2) == 0
		log("archive %s: %v", agent, archived)
		err = w.s.Archive(ctx, w.act(""), agent, archived)
		what = "archive"
	case 6:
		log("move %s to %s", agent, workspace)
		if err = w.s.MoveAgent(ctx, w.act(""), agent, workspace); err == nil {
			w.home[agent] = workspace
		}
		what = "move"
	case 7, 8:
		id := fmt.Sprint("ask", w.random.IntN(6))
		to := pick(w.random, []string{"manager", "builder", "", "constructor", "Person 1", person})
		w.raised++
		log("raise %s of %s to %q", id, agent, to)
		if err = w.push(agent, fmt.Sprintf(`,"asks":[{"id":%q,"type":"question","title":"Question %d?","to":%q,"status":"open","ts":%q}]`, id, w.raised, to, w.stamp())); err == nil {
			w.asks[agent][id] = to
			delete(w.claims[agent], id)
		}
		what = "raise"
	default:
		open := slices.Sorted(maps.Keys(w.asks[agent]))
		if len(open) == 0 {
			return "nothing", nil
		}
		id := pick(w.random, open)
		by := pick(w.random, []string{"Person 1", "person 2", "P3@example.org", "Somebody"})
		log("answer %s of %s by %s", id, agent, by)
		if err = w.push(agent, fmt.Sprintf(`,"messages":[{"id":"m%d","ask":%q,"kind":"answer","text":"So.","by":%q,"source":"chat","ts":%q}]`, w.clock, id, by, w.stamp())); err == nil {
			delete(w.asks[agent], id)
			w.claims[agent][id] = by
		}
		what = "answer"
	}
	if errors.Is(err, store.ErrLastOwner) || errors.Is(err, store.ErrCannotAnswer) || errors.Is(err, store.ErrNotFound) {
		log("  refused: %v", err)
		return what + " refused", nil
	}
	return what, err
}

// stamp is a time of the agent's own, later than all before.
func (w *routing) stamp() string {
	w.clock += 1_000_000
	return time.UnixMicro(w.clock).UTC().Format(time.RFC3339)
}

// checks holds the inboxes of all people, and the planning of news, against what is open and who may reply.
func (w *routing) checks(after string) {
	w.Helper()
	for _, workspace := range w.workspaces {
		roles := map[string]store.Role{}
		members, err := w.s.Members(ctx, workspace)
		w.must(err)
		for _, m := range members {
			roles[m.User.ID] = m.Role
		}
		want := map[string]*store.Agent{}
		for _, agent := range w.agents {
			if w.home[agent] != workspace {
				continue
			}
			a, err := w.s.Agent(ctx, agent)
			w.must(err)
			for id := range w.asks[agent] {
				if a.Archived == 0 {
					want[agent+" "+id] = &a
				}
			}
		}
		told := map[string][]string{}
		for _, item := range w.inbox(workspace, "") {
			key := item.Agent + " " + figs.ReadAsk(figs.Fold([][]byte{item.Fold})).ID
			if told[key] = slices.Sorted(slices.Values(item.AskedOf)); want[key] == nil {
				w.Errorf("after %s: %s needs a human and is not open", after, key)
			}
		}
		mine := map[string][]string{}
		for _, person := range w.people {
			for _, item := range w.inbox(workspace, person) {
				key := item.Agent + " " + figs.ReadAsk(figs.Fold([][]byte{item.Fold})).ID
				mine[key] = append(mine[key], person)
			}
		}
		situation, err := w.s.NewsSituation(ctx, workspace, w.clock)
		w.must(err)
		news := map[string][]string{}
		for _, x := range situation.Asks {
			news[x.Agent+" "+x.Ask] = slices.Sorted(slices.Values(x.AskedOf))
		}
		for _, x := range situation.Unconfirmed {
			news[x.Agent+" "+x.Ask] = slices.Sorted(slices.Values(x.Confirmers))
		}
		for key, a := range want {
			slices.Sort(mine[key])
			if len(mine[key]) == 0 {
				w.Errorf("after %s: %s is in nobody's inbox", after, key)
			}
			for _, person := range mine[key] {
				if !people.May(roles[person], people.StandsTo(person, a), people.ReplyToAsk) {
					w.Errorf("after %s: %s is in the inbox of %s, who may not reply", after, key, person)
				}
			}
			if !slices.Equal(mine[key], told[key]) || !slices.Equal(mine[key], news[key]) {
				w.Errorf("after %s: %s is in the inboxes of %q, the page says %q, and the news go to %q", after, key, mine[key], told[key], news[key])
			}
		}
		for key, of := range w.claimed(workspace, roles) {
			slices.Sort(mine[key])
			if len(of) == 0 || !slices.Equal(mine[key], of) || !slices.Equal(news[key], of) {
				w.Errorf("after %s: the claim %s waits for %q, is in the inboxes of %q, and the news go to %q", after, key, of, mine[key], news[key])
			}
			delete(mine, key)
		}
		for key := range mine {
			if want[key] == nil {
				w.Errorf("after %s: %s is in an inbox and is not open", after, key)
			}
		}
	}
}

// claimed is for whom each claim of a workspace waits: whom it names, if they may confirm it, else owners.
func (w *routing) claimed(workspace string, roles map[string]store.Role) map[string][]string {
	w.Helper()
	var owners []string
	for person, role := range roles {
		if role == store.Owner {
			owners = append(owners, person)
		}
	}
	slices.Sort(owners)
	all := map[string][]string{}
	for agent, claims := range w.claims {
		a, err := w.s.Agent(ctx, agent)
		w.must(err)
		if w.home[agent] != workspace || a.Archived != 0 {
			continue
		}
		for id, by := range claims {
			named := map[string]string{"Person 1": w.people[1], "person 2": w.people[2], "P3@example.org": w.people[3]}[by]
			if all[agent+" "+id] = []string{named}; !people.May(roles[named], people.Stands{}, people.ConfirmReport) {
				all[agent+" "+id] = owners
			}
		}
	}
	return all
}

func (w *routing) inbox(workspace, mine string) []store.InboxItem {
	w.Helper()
	in, err := w.s.Inbox(ctx, store.InboxQuery{Workspace: workspace, Mine: mine, N: 1000, Now: w.clock})
	w.must(err)
	return in.Items
}
