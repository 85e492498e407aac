package accountpages

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
)

// RoleRule is one row of the table on what roles may do; its lists are in the order of Members.Roles.
type RoleRule struct {
	Says             string // in English: one of our sentences
	StepUp           bool   // it takes a fresh proof of who the person is
	May              []bool
	Manager, Builder []bool // who manages or built the agent may, where the role alone may not
}

// ownMark is the mark of what a role may do with agents of its own alone.
func ownMark(rule RoleRule, i int) string {
	mark := ""
	if rule.Manager[i] {
		mark = "ᴍ"
	}
	if rule.Builder[i] {
		mark += "ʙ"
	}
	return mark
}

func ownWords(ctx context.Context, rule RoleRule, i int) string {
	switch {
	case rule.Manager[i] && rule.Builder[i]:
		return i18n.Say(ctx, "only the agent's manager or builder")
	case rule.Manager[i]:
		return i18n.Say(ctx, "only the agent's manager")
	}
	return i18n.Say(ctx, "only the agent's builder")
}
