package storejournal

import (
	"cmp"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// FollowUpOf converts how far an ask has got. names are the names of people by their ids; ask is nil or as Journal.Ask
// returned it, and tells whether its close cites the reply.
func (*Journal) FollowUpOf(f *store.FollowUp, names map[string]string, ask *journal.Ask) *journal.FollowUp {
	x := &journal.FollowUp{Asked: f.Asked, Viewed: f.Viewed, Replied: f.Replied, PickedUp: f.PickedUp, Confirmed: f.Confirmed, Closed: f.Closed, Nudged: f.Nudged}
	if f.Replied != 0 {
		x.RepliedBy = userNames(names).person(f.RepliedBy)
	}
	if f.Nudged != 0 {
		x.NudgedBy = userNames(names).person(f.NudgedBy)
	}
	for _, id := range f.Reminded {
		x.Reminded = append(x.Reminded, userNames(names).person(id))
	}
	for i := 0; ask != nil && i < len(ask.Thread); i++ {
		if m := &ask.Thread[i]; m.Verified && m.Delivery != nil && m.Received == f.Replied {
			x.ActedOn = m.Delivery.Closed
		}
	}
	return x
}

// colleagues returns the members who may reply to asks of some agent, without the viewer, ordered by name.
func colleagues(roster *store.Roster, viewer string) (list []journal.Person) {
	all := roster.Memo(colleaguesKey{}, func() any {
		ids := map[string]bool{}
		for id := range roster.Admins {
			ids[id] = true
		}
		for i := range roster.Agents {
			ids[roster.Agents[i].Manager], ids[roster.Agents[i].Builder] = true, true
		}
		var all []journal.Person
		for id := range ids {
			if name := roster.Names[id]; name != "" {
				all = append(all, journal.Person{ID: id, Name: name})
			}
		}
		slices.SortFunc(all, func(a, b journal.Person) int {
			return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.ID, b.ID))
		})
		return all
	}).([]journal.Person)
	return slices.DeleteFunc(slices.Clone(all), func(p journal.Person) bool { return p.ID == viewer })
}

// colleaguesKey is the key of Roster.Memo for colleagues.
type colleaguesKey struct{}
