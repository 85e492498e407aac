package sqlstore

import (
	"context"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// departmentOf returns the department of a charter.
func departmentOf(charter []byte) string {
	c, _ := figs.ReadCharter(charter)
	return strings.TrimSpace(sqldb.CleanText(sqldb.CutText(c.Department, 200)))
}

// Roster implements store.Agents.
func (s *Store) Roster(ctx context.Context, workspace string) (*store.Roster, error) {
	roster, _, err := s.rosterAt(ctx, workspace)
	return roster, err
}

// workspaceVersion identifies a state of a workspace.
type workspaceVersion struct {
	seq     int64
	common  int64 // Seq of the last change to more than some agents' rows
	roster  int64 // Seq of the last change to the roster
	changes int64 // number of changes that weren't to jobs alone
}

// rosterAt returns the roster, and the version of the workspace before it was read.
func (s *Store) rosterAt(ctx context.Context, workspace string) (_ *store.Roster, at workspaceVersion, err error) {
	workspace = sqldb.CleanText(workspace)
	// The version is read first, so that a concurrent change makes the cached roster old.
	if err := s.Row(ctx, `SELECT roster, seq, common_seq, seq - jobs_only FROM workspaces WHERE id = $1`, workspace).Scan(&at.roster, &at.seq, &at.common, &at.changes); err != nil {
		return nil, at, err
	}
	roster, err := s.rosters.Get(ctx, workspace, at.roster, func() (*store.Roster, error) { return s.readRoster(ctx, workspace, at.roster) })
	return roster, at, err
}

func (s *Store) readRoster(ctx context.Context, workspace string, version int64) (*store.Roster, error) {
	rows, err := s.Rows(ctx, `SELECT id, name, charter, department, manager, builder, archived_at FROM agents WHERE workspace = $1 ORDER BY registered_at, id`, workspace)
	agents, err := sqldb.Collect(rows, err, scanRosterAgent)
	if err != nil {
		return nil, err
	}
	roles := map[string]store.Role{}
	rows, err = s.Rows(ctx, `SELECT m.person, m.role, u.name, u.email, u.named_at FROM members m JOIN users u ON u.id = m.person WHERE m.workspace = $1 ORDER BY m.person`, workspace)
	members, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, m *member) error {
		return r.Scan(&m.ID, (*string)(&m.role), &m.Name, &m.Email, &m.NamedSince)
	})
	if err != nil {
		return nil, err
	}
	admins, canConfirm, membersByName, owners, names := map[string]bool{}, map[string]bool{}, map[string][]store.User{}, []string(nil), map[string]string{}
	for _, m := range members {
		roles[m.ID], names[m.ID] = m.role, m.Name
		if accounts.Can(m.role, accounts.AgentRelation{}, accounts.ReplyToAsk) {
			admins[m.ID] = true
		}
		if accounts.Can(m.role, accounts.AgentRelation{}, accounts.ConfirmReport) {
			canConfirm[m.ID] = true
		}
		if m.role == store.Owner {
			owners = append(owners, m.ID)
		}
		byName, byEmail := nameKey(m.Name), nameKey(m.Email)
		membersByName[byName] = append(membersByName[byName], m.User)
		if byEmail != byName {
			membersByName[byEmail] = append(membersByName[byEmail], m.User)
		}
	}
	for i := range agents {
		for _, person := range []*string{&agents[i].Manager, &agents[i].Builder} {
			if !accounts.CanAnswer(roles[*person]) {
				*person = ""
			}
		}
	}
	slices.SortStableFunc(agents, func(a, b store.RosterAgent) int { return strings.Compare(a.Name, b.Name) })
	var departments []string
	for i := range agents {
		if d := agents[i].Department; d != "" && !agents[i].Archived {
			departments = append(departments, d)
		}
	}
	slices.Sort(departments)
	roster := store.NewRoster(version, agents, slices.Compact(departments), admins)
	delete(membersByName, "") // the name of nobody
	roster.MembersByName, roster.CanConfirm, roster.Owners, roster.Names = membersByName, canConfirm, owners, names
	return roster, nil
}

type member struct {
	store.User
	role store.Role
}

// scanRosterAgent reads a few texts of a charter, not the charter.
func scanRosterAgent(r sqldb.Scanner, f *store.RosterAgent) error {
	var charter []byte
	var archived int64
	err := r.Scan(&f.ID, &f.Name, &charter, &f.Department, &f.Manager, &f.Builder, &archived)
	f.Archived = archived != 0
	c, _ := figs.ReadCharter(charter)
	if c.Name != "" {
		f.Name = c.Name
	}
	f.Name, f.Role, f.Status, f.AvatarSeed = copyText(f.Name), copyText(c.Role), copyText(c.Status), copyText(c.AvatarSeed)
	return err
}

// copyText copies a text, so that it doesn't keep a longer one in memory.
func copyText(s string) string { return strings.Clone(sqldb.CutText(s, maxText/10)) }
