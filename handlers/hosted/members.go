package hosted

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// SendMembers sends the page of members with what is filled in.
func (h *Host) SendMembers(c echo.Context, status int, m accountpages.Members) error {
	ctx, at, v := c.Request().Context(), auth.At(c), web.SignedIn(c)
	members, err := h.Store.Members(ctx, at.Workspace.ID)
	if err != nil {
		return err
	}
	owners := 0
	for _, x := range members {
		if x.Role == store.Owner {
			owners++
		}
	}
	for _, x := range members {
		self, last := x.User.ID == v.User.ID, x.Role == store.Owner && owners == 1
		row := MemberRow(x)
		row.Me = self
		row.Change = accounts.CheckRoleChange(at.Role, x.Role, store.Member, self) == nil && accounts.Can(at.Role, accounts.AgentRelation{}, accounts.ChangeMembers) && !last
		row.Remove = accounts.CheckRoleChange(at.Role, x.Role, "", self) == nil && !last
		m.Rows = append(m.Rows, row)
	}
	if m.List, err = h.ListRequest(c, "members"); err != nil {
		return err
	}
	if sent, err := SendListFile(c, m.List, accountpages.MemberList(ctx), m.Rows); sent || err != nil {
		return err
	}
	for _, role := range store.Roles() {
		if accounts.CheckRoleChange(at.Role, "", role, false) == nil {
			m.Give = append(m.Give, string(role))
		}
	}
	if err := h.fillInvites(c, &m, members); err != nil {
		return err
	}
	fillRules(&m, at.Role)
	if m.Audits = accounts.Can(at.Role, accounts.AgentRelation{}, accounts.ReadAudit); m.Audits {
		if m.Feedback, err = h.Store.CountFeedback(ctx, at.Workspace.ID); err != nil {
			return err
		}
	}
	site, err := h.Site(c, "settings", nil)
	if err != nil {
		return err
	}
	return h.SendPerson(c, site, status, accountpages.MembersPage(ctx, site, m))
}

// MemberRow is a line of that page.
func MemberRow(m store.Membership) accountpages.MemberRow {
	return accountpages.MemberRow{Key: m.User.ID, Person: m.User.Name, Email: m.User.Email, Role: string(m.Role), Since: m.Since}
}

// RefuseMembers sends it with what was wrong in its form.
func (h *Host) RefuseMembers(c echo.Context, m accountpages.Members, err error) error {
	faults, status, err := web.FaultsOf(err)
	if err != nil {
		return err
	}
	if said, ok := faults["role"]; ok { // no field of the page's bears a role's name alone
		faults[""] = said
	}
	m.Faults = faults
	return h.SendMembers(c, status, m)
}

// SettledIn leads back to the workspace's settings, which say what was done.
func SettledIn(c echo.Context, notice string) error {
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(auth.At(c).Workspace.Slug)+"/settings?notice="+notice)
}

// Who changes roles where no person does: their names stand in the audit.
const (
	ByProvider = "provider"
	byProxy    = "proxy"
)

// fillInvites adds what those see who may invite people.
func (h *Host) fillInvites(c echo.Context, m *accountpages.Members, members []store.Membership) error {
	at := auth.At(c)
	if m.Invite = accounts.Can(at.Role, accounts.AgentRelation{}, accounts.InviteMembers); !m.Invite {
		return nil
	}
	m.Mails = h.Mail != nil
	all, err := h.Store.ListInvites(c.Request().Context(), at.Workspace.ID, h.Now().UnixMicro())
	if err != nil {
		return err
	}
	known := map[string]string{}
	for _, x := range members {
		known[x.User.ID] = x.User.Name
	}
	m.Invites = make([]accountpages.InviteRow, len(all))
	return h.WithNames(c, known, func(n *NameLookup) {
		for k, i := range all {
			m.Invites[k] = accountpages.InviteRow{Key: i.ID, Role: string(i.Role), By: n.Person(i.By), Email: i.Email, Since: i.Created, Until: i.Expires}
		}
	})
}

// fillRules adds the table of who may do what, as package accounts has it.
func fillRules(m *accountpages.Members, mine store.Role) {
	m.Mine = string(mine)
	for _, role := range store.Roles() {
		m.Roles = append(m.Roles, string(role))
	}
	for _, rule := range accounts.Rules() {
		row := accountpages.RoleRule{Says: rule.Says, StepUp: rule.StepUp}
		for _, role := range store.Roles() {
			may := accounts.Can(role, accounts.AgentRelation{}, rule.Action)
			row.May = append(row.May, may)
			row.Manager = append(row.Manager, !may && accounts.Can(role, accounts.AgentRelation{Manager: true}, rule.Action))
			row.Builder = append(row.Builder, !may && accounts.Can(role, accounts.AgentRelation{Builder: true}, rule.Action))
		}
		m.Rules = append(m.Rules, row)
	}
}
