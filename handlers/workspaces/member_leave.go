package workspaces

import (
	"context"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// mostAsksNamed is how many open asks of an agent the page before a removal looks at.
const mostAsksNamed = 50

// ShowRemove asks before a member is removed, or leaves, and names what changes with it.
func (h Handlers) ShowRemove(c echo.Context) error {
	return h.confirmChange(c, c.QueryParam("user"), "")
}

// confirmChange asks before a member gets a role, or with "" none, in which they can answer for no agent.
func (h Handlers) confirmChange(c echo.Context, user string, to store.Role) error {
	ctx, at := c.Request().Context(), auth.At(c)
	members, err := h.Store.Members(ctx, at.Workspace.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(members, func(m store.Membership) bool { return m.User.ID == user })
	if i < 0 {
		return h.RefuseMembers(c, accountpages.Members{}, &accounts.ValidationError{Field: "role", Sentence: "This person is no longer a member of this workspace."})
	}
	self := user == web.SignedIn(c).User.ID
	if err := accounts.CheckRoleChange(at.Role, members[i].Role, to, self); err != nil {
		return h.RefuseMembers(c, accountpages.Members{}, err)
	}
	m := accountpages.ChangeMember{Key: user, Person: members[i].User.Name, Role: string(to), Self: self}
	if m.Agents, err = h.answersFor(ctx, at.Workspace.ID, user); err != nil {
		return err
	}
	site, err := h.Site(c, "settings", nil)
	if err != nil {
		return err
	}
	return h.SendPerson(c, site, http.StatusOK, accountpages.ChangeMemberPage(ctx, site, m))
}

// answersFor lists the agents that a person manages or built, each with the open asks that wait for that person.
func (h Handlers) answersFor(ctx context.Context, workspace, user string) ([]accountpages.AnsweredAgent, error) {
	roster, err := h.Store.Roster(ctx, workspace)
	if err != nil {
		return nil, err
	}
	var agents []accountpages.AnsweredAgent
	for i := range roster.Agents {
		face := &roster.Agents[i]
		if face.Manager != user && face.Builder != user {
			continue
		}
		a := accountpages.AnsweredAgent{Name: face.Name, Key: journal.Segment(face.ID), Manager: face.Manager == user, Builder: face.Builder == user}
		in, err := h.Store.Inbox(ctx, store.InboxQuery{Workspace: workspace, Agent: face.ID, Slice: store.Slice{N: mostAsksNamed}})
		if err != nil {
			return nil, err
		}
		for k := range in.Items {
			if item := &in.Items[k]; slices.Contains(item.AskedOf, user) {
				a.Asks = append(a.Asks, figs.Fold([][]byte{item.Fold}).Get("title").Text())
			}
		}
		a.More = in.Next != ""
		agents = append(agents, a)
	}
	return agents, nil
}
