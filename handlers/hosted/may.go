package hosted

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// May lets those pass who may do something in the workspace of the address, or with the agent of
// the address where it names one: the table is in package accounts. What takes a fresh proof of who
// the person is asks for it. It stands behind Desk.Member.
func (h *Host) May(a accounts.Action) echo.MiddlewareFunc {
	rule := accounts.RuleOf(a)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		if rule.StepUp {
			next = h.stepUp(next)
		}
		return func(c echo.Context) error {
			at, stands := auth.At(c), accounts.AgentRelation{}
			if c.Param("agent") != "" {
				agent, err := h.AgentHere(c)
				if err != nil {
					return err
				}
				stands = accounts.RelationTo(web.SignedIn(c).User.ID, &agent)
			}
			if !accounts.Can(at.Role, stands, a) {
				return ForbiddenError(rule)
			}
			return next(c)
		}
	}
}

// ForbiddenError tells a member whose role does not allow something what it takes, and who can change that.
func ForbiddenError(rule accounts.Rule) error {
	p := &httperr.Problem{Status: http.StatusForbidden, Code: "role_too_low", Title: "Your role in this workspace doesn't allow this"}
	switch {
	case rule.Manager && rule.Builder:
		p.Hint = "Only owners, admins and the agent's manager or builder can do this. Owners and admins can change the manager and builder under Workspace settings."
	case rule.Manager:
		p.Hint = "Only owners, admins and the agent's manager can do this. Owners and admins can change the manager under Workspace settings."
	case rule.Least == store.Owner:
		p.Hint = "Only owners of the workspace can do this. Owners can change roles under Workspace settings."
	case rule.Least == store.Admin:
		p.Hint = "Only owners and admins of the workspace can do this. They can change roles under Workspace settings."
	default:
		p.Hint = "Viewers can't do this. An owner or admin of the workspace can change your role under Workspace settings."
	}
	return p
}
