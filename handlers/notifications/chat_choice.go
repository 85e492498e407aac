package notifications

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// maxChoiceBoxes is how many departments have a box, and maxSuggestions how many names are suggested.
const maxChoiceBoxes, maxSuggestions = 12, 200

// topicWords are topics as the form has them.
func topicWords(topics []store.ChatTopic) (words []string) {
	for _, t := range topics {
		words = append(words, string(t))
	}
	return words
}

// departmentBox is a department as the form has it: forms change hidden characters, so its name isn't what is sent.
func departmentBox(name string) accountpages.ChatBox {
	d := journal.Department{Name: name}
	return accountpages.ChatBox{Key: d.Key(), Name: name}
}

// choiceRow is what a channel is told about, as the page shows it.
func choiceRow(roster *store.Roster, x *store.ChatChoice) accountpages.ChatChoice {
	row := accountpages.ChatChoice{Topics: topicWords(x.Topics)}
	for _, d := range x.Departments {
		row.Departments = append(row.Departments, departmentBox(d))
	}
	for _, id := range x.Agents {
		b := accountpages.ChatBox{Key: id}
		if r := roster.Agent(id); r != nil {
			b.Name = r.Name
		}
		row.Agents = append(row.Agents, b)
	}
	return row
}

// suggestChoices fills in what the form that is open offers. Of a channel that is changed, m.Changing has the Key alone, or also
// what was typed.
func suggestChoices(roster *store.Roster, m *accountpages.Chat) {
	var form *accountpages.ChatChoice
	if m.Adding != nil {
		form = &m.Adding.Choice
	}
	if m.Changing != nil {
		at := slices.IndexFunc(m.Channels, func(r accountpages.ChatRow) bool { return r.Key == m.Changing.Key })
		if at < 0 {
			m.Changing = nil // it was removed
			return
		}
		row := m.Channels[at]
		if len(m.Faults) > 0 {
			row.Choice = m.Changing.Choice
		}
		m.Changing, form = &row, &row.Choice
	}
	if form == nil {
		return
	}
	for _, d := range roster.Departments {
		switch b := departmentBox(d); {
		case slices.Contains(form.Departments, b):
		case len(form.Others) < maxChoiceBoxes:
			form.Others = append(form.Others, b)
		case len(form.Names) < maxSuggestions:
			form.Names = append(form.Names, d)
		}
	}
	for i := range roster.Agents {
		if a := &roster.Agents[i]; !a.Archived && len(form.Names) < maxSuggestions {
			form.Names = append(form.Names, a.Name)
		}
	}
}

// readChoice reads the fields of a choice; had is what the channel is told about now. If something is wrong, the choice has what
// is right.
func readChoice(c echo.Context, roster *store.Roster, had *store.ChatChoice) (x store.ChatChoice, err error) {
	form := c.Request().PostForm
	for _, t := range store.ChatTopics() {
		if slices.Contains(form["topic"], string(t)) {
			x.Topics = append(x.Topics, t)
		}
	}
	add := func(to *[]string, value string) {
		if value != "" && !slices.Contains(*to, value) {
			*to = append(*to, value)
		}
	}
	for _, d := range slices.Concat(had.Departments, roster.Departments) {
		if slices.Contains(form["department"], departmentBox(d).Key) {
			add(&x.Departments, d)
		}
	}
	for _, id := range form["agent"] {
		if roster.Agent(id) != nil || slices.Contains(had.Agents, id) {
			add(&x.Agents, id)
		}
	}
	if name := nameKey(web.FormValue(c, "add")); name != "" && !addNamed(roster, name, func(id string) { add(&x.Agents, id) }, func(d string) { add(&x.Departments, d) }) {
		return x, &accounts.ValidationError{Field: "add", Sentence: "No agent and no department of this workspace is called that. Choose a name from the suggestions."}
	}
	switch {
	case len(x.Topics) == 0:
		return x, &accounts.ValidationError{Field: "topic", Sentence: "Choose at least one event. To stop all messages, remove the channel."}
	case len(x.Agents) > store.MaxChatAgents || len(x.Departments) > store.MaxChatAgents:
		return x, &accounts.ValidationError{Field: "add", Sentence: "A channel can be limited to at most 100 agents and 100 departments. Choose departments instead of agents, or no limit."}
	}
	return x, nil
}

// addNamed adds the department with that nameKey or, if there is none, the agents. It reports whether there are any.
func addNamed(roster *store.Roster, name string, agent, department func(string)) (found bool) {
	for _, d := range roster.Departments {
		if isCalled(d, name) {
			department(d)
			found = true
		}
	}
	if found {
		return true
	}
	for i := range roster.Agents {
		if a := &roster.Agents[i]; !a.Archived && isCalled(a.Name, name) {
			agent(a.ID)
			found = true
		}
	}
	return found
}

// typedChoice is what was typed to be added, if it is wrong.
func typedChoice(err error, c echo.Context) string {
	var wrong *accounts.ValidationError
	if errors.As(err, &wrong) && wrong.Field == "add" {
		return web.FormValue(c, "add")
	}
	return ""
}

// isCalled reports whether a nameKey is that of a name, or of how the suggestions spell it.
func isCalled(name, key string) bool {
	return nameKey(name) == key || nameKey(agenttext.Title(name)) == key
}

// nameKey is a name without what people don't see or type.
func nameKey(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// ChooseChat changes what a channel is told about.
func (h Handlers) ChooseChat(c echo.Context) error {
	ctx, at := c.Request().Context(), auth.At(c).Workspace
	x, err := h.Store.ChatChannel(ctx, at.ID, web.FormValue(c, "id"))
	if err != nil {
		return err
	}
	roster, err := h.Store.Roster(ctx, at.ID)
	if err != nil {
		return err
	}
	choice, err := readChoice(c, roster, &x.ChatChoice)
	if err != nil {
		row := accountpages.ChatRow{Key: x.ID, Choice: choiceRow(roster, &choice)}
		row.Choice.Typed = typedChoice(err, c)
		return h.refuseChat(c, accountpages.Chat{Changing: &row}, err)
	}
	if err := h.Store.SetChatChoice(ctx, h.Actor(c), at.ID, x.ID, choice); err != nil {
		return err
	}
	to := web.Workspaces + viewer.Segment(at.Slug) + "/settings/chat?notice=chat-chosen"
	if web.FormValue(c, "add") != "" { // there may be more to add
		to += "&channel=" + x.ID + "#choose"
	}
	return c.Redirect(http.StatusSeeOther, to)
}
