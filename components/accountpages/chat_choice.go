package accountpages

import (
	"context"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/components/i18n"
)

// ChatChoice is what a channel is told about, as its form shows it.
type ChatChoice struct {
	Topics      []string
	Agents      []ChatBox // the chosen ones
	Departments []ChatBox // the chosen ones
	Others      []ChatBox // departments that can be chosen with a box
	Names       []string  // suggestions of agents and departments
	Typed       string    // the agent or department to add
}

// ChatBox is an agent or a department that can be chosen. Its Name is "" if it's an agent that the workspace no longer has.
type ChatBox struct{ Key, Name string }

// ChatTopics are what a channel can be told about.
var ChatTopics = []string{"sign-off", "question", "open", "claim", "picked", "settled"}

// chatTopic is a topic, to choose from.
func chatTopic(ctx context.Context, topic string) string {
	switch topic {
	case "sign-off":
		return i18n.Say(ctx, "New sign-offs")
	case "question":
		return i18n.Say(ctx, "New questions")
	case "open":
		return i18n.Say(ctx, "Reminders about asks that are still open after 24 hours")
	case "claim":
		return i18n.Say(ctx, "Replies that agents report, to confirm or contradict")
	case "picked":
		return i18n.Say(ctx, "Replies that agents haven't picked up after 24 hours")
	}
	return i18n.Say(ctx, "Asks the channel was told about that no longer need a person")
}

// topicsInShort are the topics of a channel in a list.
func (c *ChatChoice) topicsInShort(ctx context.Context) string {
	short := map[string]string{"sign-off": i18n.Say(ctx, "sign-offs"), "question": i18n.Say(ctx, "questions"), "open": i18n.Say(ctx, "reminders"),
		"claim": i18n.Say(ctx, "reported replies"), "picked": i18n.Say(ctx, "late pickups"), "settled": i18n.Say(ctx, "settled asks")}
	var all []string
	for _, t := range ChatTopics {
		if slices.Contains(c.Topics, t) {
			all = append(all, short[t])
		}
	}
	return strings.Join(all, ", ")
}

// isLimited reports whether a channel isn't told about all agents.
func (c *ChatChoice) isLimited() bool { return len(c.Agents)+len(c.Departments) > 0 }

// maxNamed is how many agents and departments a channel's row names.
const maxNamed = 3

// named are the first of the agents and departments that a channel is told about.
func (c *ChatChoice) named(ctx context.Context) string {
	var all []string
	for _, b := range slices.Concat(c.Departments, c.Agents) {
		all = append(all, b.called(ctx))
	}
	return strings.Join(all[:min(len(all), maxNamed)], ", ")
}

// unnamed is how many others there are.
func (c *ChatChoice) unnamed() int { return max(0, len(c.Agents)+len(c.Departments)-maxNamed) }

func (b ChatBox) called(ctx context.Context) string {
	if b.Name == "" {
		return i18n.Say(ctx, "an agent that is no longer here")
	}
	return b.Name
}
