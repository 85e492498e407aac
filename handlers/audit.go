package handlers

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/a-h/templ"
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
	names := &names{h: h, c: c, people: map[string]string{"": "", "nobody": "nobody", byProvider: "The sign-in provider", byProxy: "The proxy in front"}, agents: map[string]string{}, titles: map[templ.SafeURL]string{}}
	for _, m := range members {
		names.people[m.User.ID] = m.User.Name
	}
	made := map[string]bool{}
	for _, a := range all {
		if a.Action == "decision.make" {
			_, _, reply := decidedSubject(a)
			made[reply] = true
		}
	}
	var rows []components.AuditRow
	for _, a := range all {
		if a.Action == "ask.reply" {
			if _, _, reply := decidedSubject(a); made[reply] {
				continue // the same decision, once it was sent
			}
		}
		rows = append(rows, names.row(a))
	}
	return rows, names.err
}

// decidedSubject reads the subject of a decision, of one that was undone and of a reply: ids of the agent, ask and reply.
func decidedSubject(a store.Audited) (agent, ask, reply string) {
	agent, ask, _ = strings.Cut(a.Subject, " ")
	fields := 1 // behind the ask, which may have spaces
	if a.Action == "decision.make" {
		fields = 4
	}
	for range fields {
		at := strings.LastIndexByte(ask, ' ')
		if at < 0 {
			return agent, "", ""
		}
		ask, reply = ask[:at], ask[at+1:]
	}
	if err := json.Unmarshal([]byte(`"`+ask+`"`), &ask); err != nil {
		ask = ""
	}
	return agent, ask, reply
}

// names finds what ids of the audit are called, each once.
type names struct {
	h              *host
	c              echo.Context
	people, agents map[string]string
	titles         map[templ.SafeURL]string // of asks, by the address of their page
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

// ask is the address of an ask's page, or "" if it isn't in this workspace.
func (n *names) ask(agent, id string) templ.SafeURL {
	at := visitor.At(n.c).Workspace
	to := templ.SafeURL(askAddress(at.Slug, agent, id))
	if _, ok := n.titles[to]; ok {
		return to
	}
	a, err := n.h.Store.Agent(n.c.Request().Context(), agent)
	if err != nil || a.Workspace != at.ID {
		return ""
	}
	title, err := n.h.titleOf(n.c.Request().Context(), &store.Made{Agent: agent, Ask: id})
	if err != nil {
		return ""
	}
	n.titles[to] = title
	return to
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
	case "agent.register", "agent.rename", "agent.export", "agent.archive", "agent.restore", "agent.leave", "agent.join",
		"erase.run", "erase.ask", "erase.reply", "erase.attachment":
		row.Whom = n.agent(first)
	case "ask.reply", "decision.make", "decision.undo":
		agent, ask, _ := decidedSubject(a)
		row.Whom, row.What, row.To = n.agent(agent), ask, n.ask(agent, ask)
		if row.To != "" {
			row.What = n.titles[row.To]
		}
	case "agent.rename.grant", "agent.rename.withdraw":
		row.Whom, row.What = n.agent(first), rest
	case "agent.vacate":
		post, person, _ := strings.Cut(rest, " ")
		row.Action, row.Whom, row.What = "agent.vacate."+post, n.agent(first), n.person(person)
	case "agent.assign":
		manager, builder, _ := strings.Cut(strings.TrimPrefix(rest, "manager "), " builder ")
		if after, ok := strings.CutPrefix(rest, "manager  builder "); ok {
			manager, builder = "", after
		}
		row.Whom, row.What, row.Too = n.agent(first), n.somebody(manager), n.somebody(builder)
	}
	return row
}
