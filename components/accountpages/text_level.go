package accountpages

import (
	"cmp"
	"context"

	"github.com/figs-web/figs-web/components/i18n"
)

// TextLevel is the choice of what notifications outside figs-web may say.
type TextLevel struct {
	Level string // "link", "members", "everywhere"
	Place string // the workspace's name, for the examples; "" if it has none yet
	Owner bool   // the visitor may choose "everywhere"
	Fixed bool   // the visitor may choose nothing
}

// textLevelKeys are the levels, from the strictest.
var textLevelKeys = []string{"link", "members", "everywhere"}

// label and help say what a level means.
func (TextLevel) label(ctx context.Context, level string) string {
	switch level {
	case "members":
		return i18n.Say(ctx, "Agent and title in email and browser notifications, a link elsewhere")
	case "everywhere":
		return i18n.Say(ctx, "Agent and title everywhere, including chat, ntfy and webhooks")
	}
	return i18n.Say(ctx, "Only a link")
}

func (TextLevel) help(ctx context.Context, level string) string {
	switch level {
	case "members":
		return i18n.Say(ctx, "Email goes to members' confirmed addresses, and browser notifications are encrypted.")
	case "everywhere":
		return i18n.Say(ctx, "The services that deliver these messages can read and store them. Only an owner can allow this.")
	}
	return i18n.Say(ctx, "Messages say that something waits, and where.")
}

// example is a message at a level: what the strictest destination that the level speaks of gets.
func (t TextLevel) example(ctx context.Context, level string) string {
	place := cmp.Or(t.Place, i18n.Say(ctx, "Your workspace"))
	if level == "link" {
		return i18n.Say(ctx, "An agent needs you") + " · " + place
	}
	return i18n.Say(ctx, "%s needs your approval", i18n.Say(ctx, "Bookkeeping")) + ": " + i18n.Say(ctx, "Pay the rent for November") + " · " + place
}

// unavailable reports whether the visitor can't choose a level.
func (t TextLevel) unavailable(level string) bool {
	return t.Fixed || level == "everywhere" && !t.Owner && t.Level != level
}
