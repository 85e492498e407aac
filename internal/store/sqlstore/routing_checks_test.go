//go:build unix

package sqlstore

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/notify"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// checks compares the inboxes of all people, notifications and pages with the open asks and who may reply.
func (w *routing) checks(after string) {
	w.Helper()
	for _, workspace := range w.workspaces {
		if !w.deleted[workspace] {
			w.checkKept(after, workspace)
			w.check(after, workspace)
		}
	}
}

// askName returns a name for an ask of an agent.
func askName(agent, ask string) string { return agent + " " + ask }

func (w *routing) check(after, workspace string) {
	w.Helper()
	roles, users := map[string]store.Role{}, []store.User(nil)
	members, err := w.s.Members(ctx, workspace)
	w.must(err)
	for _, m := range members {
		roles[m.User.ID], users = m.Role, append(users, m.User)
	}
	here := map[string]*store.Agent{} // that are not archived
	open := map[string]*store.Agent{} // by ask
	for _, agent := range w.agents {
		if w.home[agent] != workspace {
			continue
		}
		a, err := w.s.Agent(ctx, agent)
		w.must(err)
		for _, person := range []string{a.Manager, a.Builder} {
			if person != "" && !accounts.CanAnswer(roles[person]) {
				w.Errorf("after %s: %q answers for %s, as %q", after, person, agent, roles[person])
			}
		}
		if a.Archived == 0 {
			here[agent] = &a
			for id := range w.asks[agent] {
				open[askName(agent, id)] = &a
			}
		}
	}
	rounds := map[string]string{}
	mine := map[string][]string{} // whose inboxes each ask is in
	for _, person := range w.people {
		for _, item := range w.inbox(workspace, person) {
			k := askName(item.Agent, figs.ReadAsk(figs.Fold([][]byte{item.Fold})).ID)
			mine[k], rounds[k] = append(mine[k], person), fmt.Sprint(item.Round)
			if !slices.Contains(item.AskedOf, person) || len(item.AskedOf) != len(slices.Compact(slices.Sorted(slices.Values(item.AskedOf)))) {
				w.Errorf("after %s: %s is in the inbox of %s, and is asked of %q", after, k, person, item.AskedOf)
			}
		}
	}
	for k, list := range mine {
		slices.Sort(list)
		if open[k] == nil && w.claimOf(k, here) == nil {
			w.Errorf("after %s: %s is in an inbox and is not open", after, k)
		}
	}
	for k, a := range open {
		if len(mine[k]) == 0 {
			w.Errorf("after %s: %s is in nobody's inbox", after, k)
		}
		for _, person := range mine[k] {
			if !accounts.Can(roles[person], accounts.RelationTo(person, a), accounts.ReplyToAsk) {
				w.Errorf("after %s: %s is in the inbox of %s, who may not reply", after, k, person)
			}
		}
	}
	for agent := range here {
		for id, c := range w.claims[agent] {
			if k, of := askName(agent, id), confirmers(&c, users, roles); len(of) == 0 || !slices.Equal(mine[k], of) {
				w.Errorf("after %s: the report %s waits for %q, and is in the inboxes of %q", after, k, of, mine[k])
			}
		}
	}
	w.checkTold(after, workspace, mine, rounds)
	w.checkPages(after, workspace, mine)
}

// claimOf returns the report that an ask needs to have confirmed, if its agent is in the workspace; else nil.
func (w *routing) claimOf(k string, here map[string]*store.Agent) *claim {
	for agent := range here {
		for id, c := range w.claims[agent] {
			if askName(agent, id) == k {
				return &c
			}
		}
	}
	return nil
}

// confirmers returns whom a report names if they may confirm it, else the owners.
func confirmers(c *claim, users []store.User, roles map[string]store.Role) (of []string) {
	if person := store.MemberNamed(c.by, c.arrived, users); accounts.Can(roles[person], accounts.AgentRelation{}, accounts.ConfirmReport) {
		return []string{person}
	}
	for person, role := range roles {
		if role == store.Owner {
			of = append(of, person)
		}
	}
	slices.Sort(of)
	return of
}

// checkTold plans notifications as the server does, and compares them with the inboxes: whoever is notified has the ask,
// and whoever has it was notified in that round.
func (w *routing) checkTold(after, workspace string, mine map[string][]string, rounds map[string]string) {
	w.Helper()
	x, err := w.s.PlanInput(ctx, workspace, w.clock)
	w.must(err)
	news := notify.Plan(x, time.UnixMicro(w.clock).UTC())
	_, err = w.s.PlanNotifications(ctx, workspace, x.From, x.To, news)
	w.must(err)
	for _, n := range news {
		switch n.Event {
		case store.EventAsk, store.EventRaisedAgain, store.EventStillOpen, store.EventReportedReply:
			k := askName(n.Agent, n.Ask)
			if !slices.Contains(mine[k], n.Person) {
				w.Errorf("after %s: %s is told %s of %s, which is in the inboxes of %q", after, n.Person, n.Event, k, mine[k])
			}
			w.notified[k+" "+fmt.Sprint(n.Round)+" "+n.Person] = true
		}
	}
	for k, list := range mine {
		for _, person := range list {
			if !w.notified[k+" "+rounds[k]+" "+person] {
				w.Errorf("after %s: %s is in the inbox of %s, who was never told", after, k, person)
			}
		}
	}
}

// checkPages compares what the pages of an agent, and so the API, say about who is asked with the inboxes.
func (w *routing) checkPages(after, workspace string, mine map[string][]string) {
	w.Helper()
	agent := pick(w.random, w.agents)
	if w.home[agent] != workspace {
		return
	}
	j := storejournal.New(w.s, workspace, w.clock)
	page, err := j.Asks(ctx, journal.Segment(agent), journal.Query{N: 200})
	w.must(err)
	says := func(ask *journal.Ask) (of []string) {
		for _, p := range ask.AskedOf {
			if of = append(of, p.ID); p.Name == "" {
				w.Errorf("after %s: %s has no name", after, p.ID)
			}
		}
		slices.Sort(of)
		return of
	}
	for i := range page.Items {
		ask := &page.Items[i]
		k := askName(agent, ask.Ask.ID)
		_, claimed := w.claims[agent][ask.Ask.ID]
		if ask.State.Phase != figs.NeedsYou && !claimed {
			continue // nobody is asked
		}
		alone, err := j.Ask(ctx, journal.Segment(agent), ask.Key)
		w.must(err)
		if list, page := says(ask), says(alone); !slices.Equal(list, mine[k]) || !slices.Equal(page, mine[k]) {
			w.Errorf("after %s: %s is in the inboxes of %q, its agent's list says %q, and its page %q", after, k, mine[k], list, page)
		}
	}
}

func (w *routing) inbox(workspace, mine string) []store.InboxItem {
	w.Helper()
	in, err := w.s.Inbox(ctx, store.InboxQuery{Workspace: workspace, Mine: mine, Slice: store.Slice{N: 1000}, Now: w.clock})
	w.must(err)
	return in.Items
}

// checkKept compares inboxes with those of a process that keeps nothing yet.
func (w *routing) checkKept(after, workspace string) {
	w.Helper()
	s, person := w.s, pick(w.random, w.people)
	for _, q := range []store.InboxQuery{{Mine: person}, {Mine: person, Tab: store.TabReported}, {Viewer: person, Tab: store.TabReported}, {Mine: person, Tab: store.TabReported, Agent: pick(w.random, w.agents)}} {
		q.Workspace, q.N, q.Now = workspace, 1000, w.clock
		kept, err := s.Inbox(ctx, q)
		w.must(err)
		inboxes, reported, rosters, figures, pages := s.inboxes, s.reported, s.rosters, s.figures, s.pages
		s.initCaches()
		fresh, err := s.Inbox(ctx, q)
		w.must(err)
		s.inboxes, s.reported, s.rosters, s.figures, s.pages = inboxes, reported, rosters, figures, pages
		if d := cmp.Diff(fresh, kept, cmpopts.IgnoreUnexported(store.Roster{}), cmpopts.EquateEmpty()); d != "" {
			w.Errorf("after %s: %+v, from nothing, and as kept:\n%s", after, q, d)
		}
	}
}
