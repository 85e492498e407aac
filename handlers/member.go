package handlers

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// showMembers shows who belongs to the workspace, and to those who run it what was done in it.
func (h *host) showMembers(c echo.Context) error {
	return h.sendMembers(c, http.StatusOK, components.Members{Done: c.QueryParam("done")})
}

// audited is how many rows of the audit a page shows.
const audited = 50

func (h *host) sendMembers(c echo.Context, status int, m components.Members) error {
	ctx, at, v := c.Request().Context(), visitor.At(c), me(c)
	members, err := h.Store.Members(ctx, at.Workspace.ID)
	if err != nil {
		return err
	}
	slices.SortStableFunc(members, func(a, b store.Membership) int {
		return strings.Compare(strings.ToLower(a.User.Name), strings.ToLower(b.User.Name))
	})
	owners := 0
	for _, x := range members {
		if x.Role == store.Owner {
			owners++
		}
	}
	for _, x := range members {
		self, last := x.User.ID == v.User.ID, x.Role == store.Owner && owners == 1
		row := memberRow(x)
		row.Me = self
		row.Change = people.MayChange(at.Role, x.Role, store.Member, self) == nil && people.May(at.Role, people.Stands{}, people.ChangeMembers) && !last
		row.Remove = people.MayChange(at.Role, x.Role, "", self) == nil && !last
		m.Rows = append(m.Rows, row)
	}
	for _, role := range store.Roles() {
		if people.MayChange(at.Role, "", role, false) == nil {
			m.Give = append(m.Give, string(role))
		}
	}
	if err := h.fillInvites(c, &m, members); err != nil {
		return err
	}
	fillRules(&m, at.Role)
	if m.Audits = people.May(at.Role, people.Stands{}, people.ReadAudit); m.Audits {
		if m.Audit, err = h.auditRows(c, members); err != nil {
			return err
		}
		if _, m.Feedback, err = h.Store.ListFeedback(ctx, at.Workspace.ID, 0, 1); err != nil {
			return err
		}
	}
	site, err := h.site(c, "settings", nil)
	if err != nil {
		return err
	}
	return h.sendPerson(c, site, status, components.MembersPage(ctx, site, m))
}

func memberRow(m store.Membership) components.MemberRow {
	return components.MemberRow{Key: m.User.ID, Person: m.User.Name, Email: m.User.Email, Role: string(m.Role), Since: m.Since}
}

func (h *host) refuseMembers(c echo.Context, m components.Members, err error) error {
	faults, status, err := faultsOf(err)
	if err != nil {
		return err
	}
	if said, ok := faults["role"]; ok { // no field of the page's bears a role's name alone
		faults[""] = said
	}
	m.Faults = faults
	return h.sendMembers(c, status, m)
}

// settledIn leads back to the workspace's settings, which say what was done.
func settledIn(c echo.Context, done string) error {
	return c.Redirect(http.StatusSeeOther, workspaces+segment(visitor.At(c).Workspace.Slug)+"/settings?done="+done)
}

// addMember adds somebody who has an account, by their e-mail address.
func (h *host) addMember(c echo.Context) error {
	ctx, at, email := c.Request().Context(), visitor.At(c), typed(c, "email")
	again := components.Members{Email: email, AddRole: typed(c, "role")}
	role, err := people.CheckRole(typed(c, "role"))
	if err != nil {
		return h.refuseMembers(c, again, err)
	}
	user, err := h.Store.UserByEmail(ctx, email)
	if errors.Is(err, store.ErrNotFound) {
		again.Invited, again.InvitedRole = email, string(role)
		err = &people.Wrong{Field: "email", Sentence: "Nobody on this server has this e-mail address. Invite them: the address stands in the form above."}
	}
	if err != nil {
		return h.refuseMembers(c, again, err)
	}
	from, err := h.Store.Role(ctx, at.Workspace.ID, user.ID)
	if err == nil && from != "" {
		return h.refuseMembers(c, again, &people.Wrong{Field: "email", Sentence: "They belong to this workspace already. Change their role in the list above."})
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if err := h.give(c, user.ID, "", role); err != nil {
		return h.refuseMembers(c, again, err)
	}
	return settledIn(c, "added")
}

// changeRole gives a member another role. It asks first when agents would lose their manager or builder by it.
func (h *host) changeRole(c echo.Context) error {
	role, err := people.CheckRole(typed(c, "role"))
	if err != nil {
		return h.refuseMembers(c, components.Members{}, err)
	}
	if user := typed(c, "user"); !people.CanAnswer(role) && typed(c, "sure") == "" {
		agents, err := h.answersFor(c.Request().Context(), visitor.At(c).Workspace.ID, user)
		if err != nil {
			return err
		}
		if len(agents) > 0 {
			return h.confirmChange(c, user, role)
		}
	}
	return h.change(c, role, "role")
}

// removeMember takes somebody out of the workspace, or lets the person leave, which takes no right.
func (h *host) removeMember(c echo.Context) error {
	remove := func(c echo.Context) error { return h.change(c, "", "removed") }
	if typed(c, "user") != me(c).User.ID {
		remove = h.may(people.ChangeMembers)(remove)
	}
	return remove(c)
}

func (h *host) change(c echo.Context, to store.Role, done string) error {
	at, user := visitor.At(c), typed(c, "user")
	from, err := h.Store.Role(c.Request().Context(), at.Workspace.ID, user)
	if errors.Is(err, store.ErrNotFound) {
		err = &people.Wrong{Field: "role", Sentence: "They do not belong to this workspace any more."}
	}
	if err == nil {
		err = h.give(c, user, from, to)
	}
	if err != nil {
		return h.refuseMembers(c, components.Members{}, err)
	}
	if to == "" && user == me(c).User.ID {
		return c.Redirect(http.StatusSeeOther, "/")
	}
	return settledIn(c, done)
}

// give changes a role, as far as the visitor may.
func (h *host) give(c echo.Context, user string, from, to store.Role) error {
	ctx, at, act := c.Request().Context(), visitor.At(c), h.act(c)
	err := people.MayChange(at.Role, from, to, user == act.By)
	switch {
	case err != nil:
	case to == "":
		err = h.Store.RemoveMember(ctx, act, at.Workspace.ID, user)
	default:
		err = h.Store.SetMember(ctx, act, at.Workspace.ID, user, to)
	}
	if errors.Is(err, store.ErrLastOwner) {
		return &people.Wrong{Field: "role", Sentence: "A workspace needs at least one owner, and this is the last. Make someone else an owner first."}
	}
	return err
}
