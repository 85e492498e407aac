package hosted

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/internal/store"
)

// auditRows are the last things done in the workspace, with names in place of ids.
func (h *Host) auditRows(c echo.Context, members []store.Membership) ([]accountpages.AuditRow, error) {
	all, err := h.Store.Audit(c.Request().Context(), auth.At(c).Workspace.ID, store.AuditQuery{N: audited})
	if err != nil {
		return nil, err
	}
	known := map[string]string{"nobody": "no one", ByProvider: "The sign-in provider", byProxy: "The proxy"}
	for _, m := range members {
		known[m.User.ID] = m.User.Name
	}
	made := map[string]bool{}
	for _, a := range all {
		if a.Action == "decision.make" {
			_, _, reply := DecidedSubject(a)
			made[reply] = true
		}
	}
	all = slices.DeleteFunc(all, func(a store.AuditEntry) bool {
		if a.Action != "ask.reply" {
			return false
		}
		_, _, reply := DecidedSubject(a)
		return made[reply] // the same decision, once it was sent
	})
	rows := make([]accountpages.AuditRow, len(all))
	err = h.WithNames(c, known, func(n *NameLookup) {
		for i := range all {
			rows[i] = n.row(all[i])
		}
	})
	return rows, err
}

// DecidedSubject reads the subject of a decision, of one that was undone and of a reply: ids of the agent, ask and reply.
func DecidedSubject(a store.AuditEntry) (agent, ask, reply string) {
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

// NameLookup finds what the ids on a page are called.
type NameLookup struct {
	slug   string // of the workspace
	roster *store.Roster
	people map[string]string
	titles map[store.AskRef]string
}

// WithNames calls write twice: first to learn whose names it needs, and again once they have been read, all together.
// People that are known already are not read.
func (h *Host) WithNames(c echo.Context, known map[string]string, write func(*NameLookup)) error {
	ctx, at := c.Request().Context(), auth.At(c).Workspace
	roster, err := h.Store.Roster(ctx, at.ID)
	if err != nil {
		return err
	}
	n := &NameLookup{slug: at.Slug, roster: roster, people: map[string]string{}, titles: map[store.AskRef]string{}}
	write(n)
	maps.DeleteFunc(n.people, func(id, _ string) bool { _, had := known[id]; return had })
	found, err := h.Store.UserNames(ctx, slices.Collect(maps.Keys(n.people)))
	if err != nil {
		return err
	}
	folds, err := h.Store.AskFolds(ctx, at.ID, slices.Collect(maps.Keys(n.titles)))
	if err != nil {
		return err
	}
	maps.Copy(n.people, found)
	maps.Copy(n.people, known)
	for ref := range n.titles {
		n.titles[ref] = TitleOf(folds[ref], ref.Ask)
	}
	write(n)
	return nil
}

// Person is a person's name, or the id if there is no such person any more.
func (n *NameLookup) Person(id string) string {
	if _, asked := n.people[id]; !asked {
		n.people[id] = id
	}
	return n.people[id]
}

// Agent is an agent's name, or the id if it is not in the workspace any more.
func (n *NameLookup) Agent(id string) string {
	if face := n.roster.Agent(id); face != nil {
		return face.Name
	}
	return id
}

// ask is the title of an ask and the address of its page, or nothing if it isn't in this workspace.
func (n *NameLookup) ask(agent, id string) (title string, to templ.SafeURL) {
	if n.roster.Agent(agent) == nil {
		return "", ""
	}
	ref := store.AskRef{Agent: agent, Ask: id}
	if _, asked := n.titles[ref]; !asked {
		n.titles[ref] = id
	}
	return n.titles[ref], templ.SafeURL(AskAddress(n.slug, agent, id))
}

// personName is a person's name, or "no one".
func (n *NameLookup) personName(id string) string {
	if id == "" {
		return "no one"
	}
	return n.Person(id)
}

// row reads a subject as the store writes it.
func (n *NameLookup) row(a store.AuditEntry) accountpages.AuditRow {
	row := accountpages.AuditRow{At: a.At, By: n.Person(a.By), Action: a.Action, Whom: a.Subject}
	first, rest, _ := strings.Cut(a.Subject, " ")
	switch a.Action {
	case "member.set":
		row.Whom, row.What = n.Person(first), rest
	case "invite.add":
		what, email, _ := strings.Cut(rest, " ")
		if row.Whom, row.What = email, what; email == "" {
			row.Action = "invite.open"
		}
	case "workspace.policy":
		row.What = a.Subject
	case "invite.use":
		row.Whom = n.Person(rest)
	case "feedback.remove":
		row.Whom = n.Person(first)
	case "member.remove":
		if row.Whom = n.Person(first); first == a.By {
			row.Action = "member.leave"
		}
	case "agent.register", "agent.rename", "agent.export", "agent.archive", "agent.restore", "agent.leave", "agent.join",
		"erase.run", "erase.ask", "erase.reply", "erase.attachment":
		row.Whom = n.Agent(first)
	case "ask.reply", "decision.make", "decision.undo":
		agent, ask, _ := DecidedSubject(a)
		row.Whom, row.What = n.Agent(agent), ask
		if title, to := n.ask(agent, ask); to != "" {
			row.What, row.To = title, to
		}
	case "ask.handover", "ask.takeback", "ask.note", "ask.nudge":
		agent, ask, people := DecidedSubject(a)
		row.Whom, row.What = n.Agent(agent), ask
		if title, to := n.ask(agent, ask); to != "" {
			row.What, row.To = title, to
		}
		var names []string
		for _, id := range strings.FieldsFunc(people, func(r rune) bool { return r == ',' }) {
			names = append(names, n.Person(id))
		}
		row.Too = strings.Join(names, ", ")
	case "agent.rename.grant", "agent.rename.withdraw":
		row.Whom, row.What = n.Agent(first), rest
	case "agent.vacate":
		post, person, _ := strings.Cut(rest, " ")
		row.Action, row.Whom, row.What = "agent.vacate."+post, n.Agent(first), n.Person(person)
	case "agent.assign":
		manager, builder, _ := strings.Cut(strings.TrimPrefix(rest, "manager "), " builder ")
		if after, ok := strings.CutPrefix(rest, "manager  builder "); ok {
			manager, builder = "", after
		}
		row.Whom, row.What, row.Too = n.Agent(first), n.personName(manager), n.personName(builder)
	}
	return row
}
