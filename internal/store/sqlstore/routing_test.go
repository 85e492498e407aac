//go:build unix

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
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// TestRoutingProperty makes random changes to people, roles, agents and asks. After each one, every open ask must be in the
// "For me" inbox of at least one person who may reply to it, and only of people who may; the notification planner must
// notify exactly those, the agent's pages and the API must name the same people, and inboxes must be those of a process that
// keeps nothing yet. FIGS_LONG=1 makes 10,000 changes on
// each database.
func TestRoutingProperty(t *testing.T) {
	sqlite, postgres := 1_600, 200
	if os.Getenv("FIGS_LONG") != "" {
		sqlite, postgres = 10_000, 10_000
	}
	t.Run("SQLite", func(t *testing.T) { walkRouting(t, func() *Store { return openSQLite(t) }, sqlite) })
	t.Run("PostgreSQL", func(t *testing.T) {
		p := storetest.SharedPostgres(t)
		walkRouting(t, func() *Store { return openPostgres(t, p) }, postgres)
	})
}

// walkRouting makes that many changes, a hundred in each of several new stores.
func walkRouting(t *testing.T, open func() *Store, steps int) {
	seed := uint64(time.Now().UnixNano())
	done := map[string]int{}
	for n := 0; n < steps; n += 100 {
		w := newRouting(t, open(), seed+uint64(n))
		w.s.maxOpen = n / 100 % 2 // in every second store the cache has room for one ask of a workspace
		w.checks("the beginning")
		for i := range 100 {
			what, err := w.step()
			if err != nil {
				t.Fatalf("seed %d, step %d, %s: %v\n%s", seed+uint64(n), n+i+1, what, err, w.log())
			}
			done[what]++
			if w.checks(what); t.Failed() {
				t.Fatalf("seed %d, step %d, after:\n%s", seed+uint64(n), n+i+1, w.log())
			}
		}
		w.s.Close()
	}
	t.Logf("%v", done)
}

// routing is a store with two workspaces, people and agents; asks are those that were raised.
type routing struct {
	*testing.T
	s          *Store
	random     *rand.Rand
	clock      int64
	workspaces []string
	deleted    map[string]bool // workspaces
	people     []string
	agents     []string
	home       map[string]string            // of an agent: its workspace
	asks       map[string]map[string]string // by agent: open asks, with the fields of their last raise
	claims     map[string]map[string]claim  // by agent: asks that were answered in a name
	invites    []store.Invite
	notified   map[string]bool // who was told of an ask, or to confirm a claim, in a round
	raised     int
	closed     int
	lines      []string
}

// claim is a reply that an agent reported.
type claim struct {
	by, message string
	arrived     int64
}

// mostPeople is how many accounts a walk creates at most.
const mostPeople = 8

func newRouting(t *testing.T, s *Store, seed uint64) *routing {
	w := &routing{T: t, s: s, random: rand.New(rand.NewPCG(seed, 0)), clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC).UnixMicro(),
		home: map[string]string{}, asks: map[string]map[string]string{}, claims: map[string]map[string]claim{}, deleted: map[string]bool{}, notified: map[string]bool{}}
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
		w.claims[agent] = map[string]claim{}
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

// push pushes fields of a body as someone who may.
func (w *routing) push(agent, fields string) error {
	if w.deleted[w.home[agent]] {
		return store.ErrNotFound // nobody has a role there
	}
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"N"}%s}`, w.home[agent], agent, fields))
	if err == nil {
		_, err = w.s.Push(ctx, store.Push{Workspace: w.home[agent], Act: w.act(pick(w.random, w.people)), Body: body})
	}
	return err
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// step makes a random change and describes it.
func (w *routing) step() (what string, err error) {
	agent, workspace, person := pick(w.random, w.agents), pick(w.random, w.workspaces), pick(w.random, w.people)
	if w.deleted[workspace] && w.random.IntN(2) == 0 {
		w.note("restore workspace %s", workspace)
		w.deleted[workspace] = false
		return "restore workspace", w.s.RestoreWorkspace(ctx, w.act(""), workspace)
	}
	switch w.random.IntN(24) {
	case 0, 1, 2:
		what, err = w.changeRole(workspace, person)
	case 3, 4:
		by, what := "", "remove"
		if w.random.IntN(2) == 0 {
			by, what = person, "leave"
		}
		w.note("%s %s from %s", what, person, workspace)
		return w.refused(what, w.s.RemoveMember(ctx, w.act(by), workspace, person))
	case 5, 6:
		what, err = w.invite(workspace, person)
	case 7:
		what, err = w.provision()
	case 8:
		name := fmt.Sprint("Person ", w.random.IntN(5))
		w.note("rename %s: %s", person, name)
		what, err = "rename", w.s.SetUserName(ctx, w.act(person), person, name)
	case 9, 10, 11:
		manager, builder := pick(w.random, append([]string{""}, w.people...)), pick(w.random, append([]string{""}, w.people...))
		w.note("assign %s: manager %q, builder %q", agent, manager, builder)
		what, err = "assign", w.s.Assign(ctx, w.act(""), agent, manager, builder)
	case 12:
		archived := w.random.IntN(2) == 0
		what = map[bool]string{true: "archive", false: "restore agent"}[archived]
		w.note("%s %s", what, agent)
		err = w.s.Archive(ctx, w.act(""), agent, archived)
	case 13:
		w.note("move %s to %s", agent, workspace)
		if what, err = "move", w.s.MoveAgent(ctx, w.act(""), agent, workspace); err == nil {
			w.home[agent] = workspace
		}
	case 14:
		if w.random.IntN(3) > 0 {
			return "nothing", nil
		}
		w.note("delete workspace %s", workspace)
		if what, err = "delete workspace", w.s.DeleteWorkspace(ctx, w.act(""), workspace); err == nil {
			w.deleted[workspace] = true
		}
	case 15, 16, 17, 18:
		what, err = w.raise(agent, person)
	case 19, 20:
		what, err = w.report(agent)
	case 21:
		what, err = w.close(agent)
	default:
		what, err = w.decide(agent, person)
	}
	return w.refused(what, err)
}

func (w *routing) note(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

// refused ignores errors that are allowed.
func (w *routing) refused(what string, err error) (string, error) {
	var taken *store.TakenError
	if errors.Is(err, store.ErrLastOwner) || errors.Is(err, store.ErrCannotAnswer) || errors.Is(err, store.ErrNotFound) || errors.As(err, &taken) {
		w.note("  refused: %v", err)
		return what + " refused", nil
	}
	return what, err
}

// changeRole gives a person a role or removes them, as an admin does, or a provider at sign-in, with the same calls.
func (w *routing) changeRole(workspace, person string) (what string, err error) {
	by, what := "", "role"
	if w.random.IntN(2) == 0 {
		by, what = "provider", "role by provider"
	}
	role := pick(w.random, append(store.Roles(), ""))
	w.note("%s %q of %s in %s", what, role, person, workspace)
	if role == "" {
		return what, w.s.RemoveMember(ctx, w.act(by), workspace, person)
	}
	return what, w.s.SetMember(ctx, w.act(by), workspace, person, role)
}

// invite creates, uses or revokes an invite; whoever uses it may have no account yet.
func (w *routing) invite(workspace, person string) (what string, err error) {
	if len(w.invites) == 0 || w.random.IntN(3) == 0 {
		role := pick(w.random, store.Roles())
		i := store.Invite{ID: store.NewID(), Hash: store.Hash(store.NewID()), Workspace: workspace, Role: role, By: person, Created: w.clock, Expires: w.clock + 100*hour}
		w.note("invite to %s as %s", workspace, role)
		if err = w.s.AddInvite(ctx, w.act(person), i); err == nil {
			w.invites = append(w.invites, i)
		}
		return "invite", err
	}
	i := pick(w.random, w.invites)
	w.invites = slices.DeleteFunc(w.invites, func(x store.Invite) bool { return x.ID == i.ID })
	if w.random.IntN(4) == 0 {
		w.note("withdraw the invite %s", i.ID)
		return "withdraw invite", w.s.RevokeInvite(ctx, w.act(""), i.Workspace, i.ID)
	}
	joining := store.InviteAcceptance{User: store.User{ID: person}}
	if len(w.people) < mostPeople && w.random.IntN(2) == 0 {
		joining = store.InviteAcceptance{User: w.newUser(), New: true}
	}
	w.note("%s uses an invite to %s as %s", joining.User.ID, i.Workspace, i.Role)
	if err = w.s.AcceptInvite(ctx, w.act(joining.User.ID), i.Hash, joining); err == nil && joining.New {
		w.people = append(w.people, joining.User.ID)
	}
	return "use invite as " + string(i.Role), err
}

func (w *routing) newUser() store.User {
	n := len(w.people)
	return store.User{ID: store.NewID(), Email: fmt.Sprintf("p%d@example.org", n), Name: fmt.Sprintf("Person %d", n), Created: w.clock}
}

// provision creates an account, as a proxy does for someone without one.
func (w *routing) provision() (what string, err error) {
	if len(w.people) >= mostPeople {
		return "nothing", nil
	}
	u := w.newUser()
	w.note("provision %s", u.ID)
	if err = w.s.AddProvisioned(ctx, w.act("proxy"), u, store.Identity{Issuer: "header:X-User", Subject: u.Email, Person: u.ID, Email: u.Email, Created: w.clock, Used: w.clock}); err == nil {
		w.people = append(w.people, u.ID)
	}
	return "provision", err
}

// raise raises an ask, or raises it again.
func (w *routing) raise(agent, person string) (what string, err error) {
	id := fmt.Sprintf("ask%d", w.closed+w.random.IntN(6))
	to := pick(w.random, []string{"manager", "builder", "", "constructor", "Person 1", person})
	w.raised++
	fields := fmt.Sprintf(`"type":"question","title":"Question %d?","to":%q`, w.raised, to)
	what = "raise"
	if _, known := w.asks[agent][id]; known {
		what = "raise again"
	} else if _, claimed := w.claims[agent][id]; claimed {
		what = "raise again after a report"
	}
	w.note("%s %s of %s to %q", what, id, agent, to)
	if err = w.push(agent, fmt.Sprintf(`,"asks":[{"id":%q,%s,"status":"open","ts":%q}]`, id, fields, w.stamp())); err == nil {
		w.asks[agent][id] = fields
		delete(w.claims[agent], id)
	}
	return what, err
}

// report lets an agent report a reply in someone's name.
func (w *routing) report(agent string) (what string, err error) {
	id := w.anyOf(w.asks[agent])
	if id == "" {
		return "nothing", nil
	}
	by, message := pick(w.random, []string{"Person 1", "person 2", "P3@example.org", "Somebody"}), fmt.Sprint("m", w.clock)
	w.note("report an answer to %s of %s by %s", id, agent, by)
	if err = w.push(agent, fmt.Sprintf(`,"messages":[{"id":%q,"ask":%q,"kind":"answer","text":"So.","by":%q,"source":"chat","ts":%q}]`, message, id, by, w.stamp())); err == nil {
		delete(w.asks[agent], id)
		w.claims[agent][id] = claim{by, message, w.clock}
	}
	return "report", err
}

func (w *routing) anyOf(asks map[string]string) string {
	if len(asks) == 0 {
		return ""
	}
	return pick(w.random, slices.Sorted(maps.Keys(asks)))
}

// close lets an agent withdraw one of its open asks.
func (w *routing) close(agent string) (what string, err error) {
	id := w.anyOf(w.asks[agent])
	if id == "" {
		return "nothing", nil
	}
	w.note("withdraw %s of %s", id, agent)
	if err = w.push(agent, fmt.Sprintf(`,"asks":[{"id":%q,%s,"status":"withdrawn","resolution":{"ts":%q},"ts":%q}]`, id, w.asks[agent][id], w.stamp(), w.stamp())); err == nil {
		delete(w.asks[agent], id)
		w.closed++ // an id that was closed is used no more
	}
	return "withdraw ask", err
}

// decide lets a person answer an ask, which must succeed exactly if they may.
func (w *routing) decide(agent, person string) (what string, err error) {
	id, workspace := w.anyOf(w.asks[agent]), w.home[agent]
	if id == "" || w.deleted[workspace] {
		return "nothing", nil
	}
	a, err := w.s.Agent(ctx, agent)
	if err != nil {
		return "decide", err
	}
	role, err := w.s.Role(ctx, workspace, person)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return "decide", err
	}
	r, err := w.s.Record(ctx, agent, figs.Asks, id)
	if err != nil {
		return "decide", err
	}
	w.note("%s answers %s of %s", person, id, agent)
	message := fmt.Sprint("d", w.clock)
	line := fmt.Sprintf(`{"id":%q,"kind":"answer","ask":%q,"by":"P","ts":%q,"source":"app","text":"So."}`, message, id, w.stamp())
	made, err := w.s.Decide(ctx, w.act(person), store.DecisionInput{Workspace: workspace, Agent: agent, Ask: id, Key: message, Line: []byte(line), Saw: store.View{Revision: store.RevisionOf(r)}})
	if may := accounts.Can(role, accounts.RelationTo(person, &a), accounts.ReplyToAsk); may != (err == nil) || !may && !errors.Is(err, store.ErrForbidden) {
		return "decide", fmt.Errorf("%s, who may: %v: %w", person, may, err)
	}
	if err != nil {
		return "decide refused", nil
	}
	w.clock = made.Effective
	delete(w.asks[agent], id)
	_, err = w.s.Settle(ctx, w.clock)
	return "decide", err
}

// stamp returns a time of the agent's clock, later than all before.
func (w *routing) stamp() string {
	w.clock += 1_000_000
	return time.UnixMicro(w.clock).UTC().Format(time.RFC3339)
}
