package store

import (
	"slices"
	"sync"

	"github.com/figs-web/figs-web/figs"
)

// Roster is who the agents of a workspace are and of whom they ask, as far as lists and filters
// show it. It is kept between questions as long as Version is the workspace's.
type Roster struct {
	Version     int64 // number of the change that made it
	Agents      []RosterAgent
	Departments []string        // sorted, without the empty one
	Admins      map[string]bool // who may reply to every ask here: owners and admins, by their id

	Archived []string // ids of agents that are

	MembersByName map[string][]User // members by the keys of their names and addresses, as replies name them
	CanConfirm    map[string]bool   // members who may confirm or contradict what is reported in their names
	Owners        []string          // sorted
	Names         map[string]string // of members, by their ids

	byID   map[string]*RosterAgent
	admins []string // sorted
	mu     sync.Mutex
	memo   map[any]any
}

// RosterAgent is an agent as lists name it.
type RosterAgent struct {
	ID, Name, Role, Status, Department, AvatarSeed string
	Manager, Builder                               string // ids of users who may reply to its asks; ""
	Archived                                       bool
}

// NewRoster makes one of faces in their order.
func NewRoster(version int64, faces []RosterAgent, departments []string, admins map[string]bool) *Roster {
	r := &Roster{Version: version, Agents: faces, Departments: departments, Admins: admins, byID: make(map[string]*RosterAgent, len(faces)), memo: map[any]any{}}
	for id := range admins {
		r.admins = append(r.admins, id)
	}
	slices.Sort(r.admins)
	for i := range faces {
		if r.byID[faces[i].ID] = &faces[i]; faces[i].Archived {
			r.Archived = append(r.Archived, faces[i].ID)
		}
	}
	return r
}

// RosterAgent finds an agent by its id; nil when there is none.
func (r *Roster) Agent(id string) *RosterAgent { return r.byID[id] }

// AskedOf lists who is asked what an agent asks of `to`: all of them may reply to it now, it is in their "For me" inboxes,
// and they are told of it. Owners and admins are asked where there is no manager and no builder, and nobody for an archived
// agent. The list is not to be changed.
func (r *Roster) AskedOf(agent, to string) []string {
	face := r.Agent(agent)
	switch {
	case face == nil:
		return r.admins
	case face.Archived:
		return nil
	}
	if people := figs.AskedOf(to, figs.Addressees{Manager: face.Manager, Builder: face.Builder}); len(people) > 0 {
		return people
	}
	return r.admins
}

// Confirmers lists who is asked to confirm or contradict a reply that an agent reports in the name with that key, and that
// arrived then: the member of that name, or the owners when no such member may confirm it. It is in their "For me" inboxes,
// and they are told of it; of an archived agent nobody is. The list is not to be changed.
func (r *Roster) Confirmers(agent, key string, arrived int64) []string {
	if face := r.Agent(agent); face != nil && face.Archived {
		return nil
	}
	if person := MemberNamed(key, arrived, r.MembersByName[key]); r.CanConfirm[person] {
		return []string{person}
	}
	return r.Owners
}

// Memo returns what make makes of the roster; of all who ask with that key only the first makes it.
func (r *Roster) Memo(key any, make func() any) any {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, had := r.memo[key]; !had {
		r.memo[key] = make()
	}
	return r.memo[key]
}
