package handlers

import (
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// Who changes roles where no person does: their names stand in the audit.
const (
	byProvider = "provider"
	byProxy    = "proxy"
)

// fillInvites adds what those see who may invite people.
func (h *host) fillInvites(c echo.Context, m *components.Members, members []store.Membership) error {
	at := visitor.At(c)
	if m.Invite = people.May(at.Role, people.Stands{}, people.InviteMembers); !m.Invite {
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
	m.Invites = make([]components.InviteRow, len(all))
	return h.withNames(c, known, func(n *names) {
		for k, i := range all {
			m.Invites[k] = components.InviteRow{Key: i.ID, Role: string(i.Role), By: n.person(i.By), Email: i.Email, Since: i.Created, Until: i.Expires}
		}
	})
}

// fillRules adds the table of who may do what, as package people has it.
func fillRules(m *components.Members, mine store.Role) {
	m.Mine = string(mine)
	for _, role := range store.Roles() {
		m.Roles = append(m.Roles, string(role))
	}
	for _, rule := range people.Rules() {
		row := components.RoleRule{Says: rule.Says, StepUp: rule.StepUp}
		for _, role := range store.Roles() {
			may := people.May(role, people.Stands{}, rule.Action)
			row.May = append(row.May, may)
			row.Manager = append(row.Manager, !may && people.May(role, people.Stands{Manager: true}, rule.Action))
			row.Builder = append(row.Builder, !may && people.May(role, people.Stands{Builder: true}, rule.Action))
		}
		m.Rules = append(m.Rules, row)
	}
}
