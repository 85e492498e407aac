package handlers

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// why says why the visitor cannot reply to an ask; "" when they can.
func (d *desk) why(ctx context.Context, x *matter) (string, error) {
	switch {
	case !x.may:
		return mayNot(d.at, x.agent.Hosted), nil
	case x.bar == figs.BarDecided:
		by, err := d.person(ctx, x.by)
		return by.Name + " has replied to this ask in the meantime. Read the reply; if you disagree, speak with " + by.Name + ".", err
	}
	return x.bar.Sentence(), nil
}

// mayNot says who may reply to the asks of an agent.
func mayNot(at *visitor.Place, agent *journal.Hosted) string {
	var who []string
	if agent != nil && agent.Manager.ID != "" {
		who = append(who, agent.Manager.Name+", who manages this agent")
	}
	if agent != nil && agent.Builder.ID != "" && agent.Builder.ID != agent.Manager.ID {
		who = append(who, agent.Builder.Name+", who built it")
	}
	who = append(who, "the owners and admins of the workspace")
	can := "Those who may reply: " + strings.Join(who, "; ") + "."
	if at.Role == store.Viewer {
		return "You are a viewer here: you can read everything and reply to nothing. " + can
	}
	return "You do not answer for this agent. " + can + " An owner or admin can make you its manager or builder."
}
