package hosted

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/internal/chat"
	"github.com/figs-web/figs-web/internal/listquery"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowAudit shows the audit log of a workspace, or sends what a filter leaves of it as a file.
func (h *Host) ShowAudit(c echo.Context) error {
	ctx := c.Request().Context()
	r, err := h.ListRequest(c, "audit")
	if err != nil {
		return err
	}
	known, err := h.auditNames(c)
	if err != nil {
		return err
	}
	q, unknown, nothing := auditQuery(r.Query.Filter, known)
	if AsksForFile(c) {
		return h.sendAudit(c, q, nothing, known)
	}
	r.Query.N = min(r.Query.Size(), 100)
	q.N = r.Query.N + 1
	if at, ok := listquery.ParseCursor(r.Query.After); ok {
		q.Below = at.Key.Number
	} else if at, ok := listquery.ParseCursor(r.Query.Before); ok {
		q.Above = at.Key.Number
	}
	var all []store.AuditEntry
	if !nothing {
		if all, err = h.Store.Audit(ctx, auth.At(c).Workspace.ID, q); err != nil {
			return err
		}
	}
	cut := listquery.Cut(r.Query, all, func(x *store.AuditEntry) listquery.Cursor { return listquery.Cursor{Key: listquery.Key{Number: x.No}} })
	m := accountpages.Audit{List: r, Page: listquery.Page[accountpages.AuditRow]{Total: -1, Unknown: unknown, Prev: cut.Prev, Next: cut.Next}}
	if m.Page.Items, err = h.auditRows(c, cut.Items, known); err != nil {
		return err
	}
	for _, action := range slices.Sorted(maps.Keys(accountpages.AuditSentences)) {
		m.Values = append(m.Values, "action:"+action)
	}
	site, err := h.Site(c, "settings", nil)
	if err != nil {
		return err
	}
	return h.SendPerson(c, site, http.StatusOK, accountpages.AuditPage(ctx, site, m))
}

// auditNames are the names that the audit log knows, by who did something.
func (h *Host) auditNames(c echo.Context) (map[string]string, error) {
	members, err := h.Store.Members(c.Request().Context(), auth.At(c).Workspace.ID)
	known := map[string]string{"nobody": "no one", ByProvider: "The sign-in provider", byProxy: "The proxy"}
	for _, m := range members {
		known[m.User.ID] = m.User.Name
	}
	return known, err
}

// storedActions are the actions of the log that rows of the page call something else.
var storedActions = map[string]string{"member.leave": "member.remove", "invite.open": "invite.add", "agent.vacate.manager": "agent.vacate", "agent.vacate.builder": "agent.vacate"}

// auditQuery makes conditions of a filter. A word is part of a name, or of what is done. nothing says that no row can be
// all of it.
func auditQuery(filter string, known map[string]string) (q store.AuditQuery, unknown []string, nothing bool) {
	f := listquery.ParseFilter(filter, []string{"by", "action", "when"})
	people := func(value string) (ids []string) {
		for id, name := range known {
			if strings.Contains(strings.ToLower(name), value) {
				ids = append(ids, id)
			}
		}
		return ids
	}
	actions := func(value string, sentences bool) (all []string) {
		for action, sentence := range accountpages.AuditSentences {
			if strings.HasPrefix(action, value) || sentences && strings.Contains(strings.ToLower(sentence), value) {
				all = append(all, cmp.Or(storedActions[action], action))
			}
		}
		return all
	}
	narrow := func(list *[]string, by []string) {
		if *list == nil {
			*list = append([]string{}, by...)
			return
		}
		*list = slices.DeleteFunc(*list, func(x string) bool { return !slices.Contains(by, x) })
	}
	for _, t := range f.Terms {
		switch {
		case t.Not:
			f.Unknown = append(f.Unknown, "-"+t.Value)
		case t.Field == "by":
			narrow(&q.By, people(t.Value))
		case t.Field == "action":
			narrow(&q.Actions, actions(t.Value, false))
		case t.Field == "when":
			from, to, ok := listquery.Time.Range(t.Value)
			if !ok {
				nothing = true
			}
			q.Since = max(q.Since, from)
			if q.Until == 0 || to < q.Until {
				q.Until = to
			}
		case len(people(t.Value)) > 0:
			narrow(&q.By, people(t.Value))
		default:
			narrow(&q.Actions, actions(t.Value, true))
		}
	}
	return q, f.Unknown, nothing || q.By != nil && len(q.By) == 0 || q.Actions != nil && len(q.Actions) == 0
}

// sendAudit sends everything that a query selects as a file.
func (h *Host) sendAudit(c echo.Context, q store.AuditQuery, nothing bool, known map[string]string) error {
	var all []accountpages.AuditRow
	for q.N = 200; !nothing; {
		part, err := h.Store.Audit(c.Request().Context(), auth.At(c).Workspace.ID, q)
		if err != nil {
			return err
		}
		rows, err := h.auditRows(c, part, known)
		if err != nil {
			return err
		}
		if all = append(all, rows...); len(part) < q.N {
			break
		}
		q.Below = part[len(part)-1].No
	}
	return SendRows(c, accountpages.AuditList(c.Request().Context()), all)
}

// auditRows are rows of the audit log with names in place of ids.
func (h *Host) auditRows(c echo.Context, all []store.AuditEntry, known map[string]string) ([]accountpages.AuditRow, error) {
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
	err := h.WithNames(c, known, func(n *NameLookup) {
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
	asks, err := h.Store.AskRecords(ctx, at.ID, slices.Collect(maps.Keys(n.titles)))
	if err != nil {
		return err
	}
	maps.Copy(n.people, found)
	maps.Copy(n.people, known)
	for ref := range n.titles {
		n.titles[ref] = TitleOf(asks[ref].Fold, ref.Ask)
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
	row := accountpages.AuditRow{No: a.No, At: a.At, By: n.Person(a.By), Action: a.Action, Whom: a.Subject}
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
	case "chat.add", "chat.choose", "chat.remove":
		row.Whom, row.What = cmp.Or(chat.Service(first).Name(), first), rest
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
