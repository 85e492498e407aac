package handlers

import (
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/store"
)

// auditRows are the last things done in the workspace, with names in place of ids.
func (h *host) auditRows(c echo.Context, members []store.Membership) ([]components.AuditRow, error) {
	all, err := h.Store.Audit(c.Request().Context(), visitor.At(c).Workspace.ID, 0, audited)
	if err != nil {
		return nil, err
	}
	names := &names{h: h, c: c, people: map[string]string{"": "", "nobody": "nobody", byProvider: "The sign-in provider", byProxy: "The proxy in front"}, agents: map[string]string{}}
	for _, m := range members {
		names.people[m.User.ID] = m.User.Name
	}
	var rows []components.AuditRow
	for _, a := range all {
		rows = append(rows, names.row(a))
	}
	return rows, names.err
}

// names finds what ids of the audit are called, each once.
type names struct {
	h              *host
	c              echo.Context
	people, agents map[string]string
	err            error
}

func (n *names) person(id string) string {
	if name, ok := n.people[id]; ok {
		return name
	}
	u, err := n.h.Store.User(n.c.Request().Context(), id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		n.err = errors.Join(n.err, err)
	}
	if err != nil {
		u.Name = id
	}
	n.people[id] = u.Name
	return u.Name
}

func (n *names) agent(id string) string {
	if name, ok := n.agents[id]; ok {
		return name
	}
	a, err := n.h.Store.Agent(n.c.Request().Context(), id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		n.err = errors.Join(n.err, err)
	}
	if err != nil || a.Workspace != visitor.At(n.c).Workspace.ID { // what one that has left is called now, its new place knows
		a.Name = id
	}
	n.agents[id] = a.Name
	return a.Name
}

// somebody is a person's name, or that there is nobody.
func (n *names) somebody(id string) string {
	if id == "" {
		return "nobody"
	}
	return n.person(id)
}

// row reads a subject as the store writes it.
func (n *names) row(a store.Audited) components.AuditRow {
	row := components.AuditRow{At: a.At, By: n.person(a.By), Action: a.Action, Whom: a.Subject}
	first, rest, _ := strings.Cut(a.Subject, " ")
	switch a.Action {
	case "member.set":
		row.Whom, row.What = n.person(first), rest
	case "invite.add":
		what, email, _ := strings.Cut(rest, " ")
		if row.Whom, row.What = email, what; email == "" {
			row.Action = "invite.open"
		}
	case "workspace.policy":
		row.What = a.Subject
	case "invite.use":
		row.Whom = n.person(rest)
	case "feedback.remove":
		row.Whom = n.person(first)
	case "member.remove":
		if row.Whom = n.person(first); first == a.By {
			row.Action = "member.leave"
		}
	case "agent.register", "agent.rename", "agent.export", "agent.archive", "agent.restore", "agent.leave", "agent.join", "ask.reply", "decision.make", "decision.undo",
		"erase.run", "erase.ask", "erase.reply", "erase.attachment":
		row.Whom = n.agent(first)
	case "agent.rename.grant", "agent.rename.withdraw":
		row.Whom, row.What = n.agent(first), rest
	case "agent.assign":
		manager, builder, _ := strings.Cut(strings.TrimPrefix(rest, "manager "), " builder ")
		if after, ok := strings.CutPrefix(rest, "manager  builder "); ok {
			manager, builder = "", after
		}
		row.Whom, row.What, row.Too = n.agent(first), n.somebody(manager), n.somebody(builder)
	}
	return row
}
