package projectpages

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/findings"
)

// rank is the page that says which findings are given to a reader for some work, and why.
func (r *rootRequest) rank() (ui.View, error) {
	words := [][2]string{{"", r.say("any")}}
	for _, word := range findings.Applicable {
		words = append(words, [2]string{word, agenttext.Plain(word)})
	}
	n := &narrowing{at: r.to("rank")}
	w := findings.WorkItem{}
	if chosen := r.offer(n, "when", r.say("Task type"), words...); chosen != "" {
		w.When = []string{chosen}
	}
	w.Languages = listed(r.typed(n, "lang", r.say("Languages, separated by commas"), "text"))
	w.Paths = listed(r.typed(n, "path", r.say("Paths, separated by commas"), "text"))
	w.Text = r.typed(n, "text", r.say("Goal, plan or subject of the review"), "text")
	ranked := r.root.Registry.Rank(w)
	parts := []templ.Component{
		ui.Headline(i18n.CountWords(r.ctx, len(ranked), "One finding is given to the agent", "%s findings are given to the agent"), r.say("The agent is reminded of these before this kind of work: up to five active entries, by severity, then by how well they match.")),
		fieldForm(n.at, n.fields, r.say("Rank")),
	}
	if len(ranked) == 0 {
		parts = append(parts, ui.Nothing(r.say("No active entries here"), r.say("Agents aren't reminded of retired and superseded entries.")))
	}
	items := make([]ui.Item, len(ranked))
	for i := range ranked {
		items[i] = r.entryItem(ranked[i].Entry)
		items[i].More = ui.Reasons(ranked[i].Why)
	}
	if len(items) > 0 {
		parts = append(parts, ui.ItemRows(items))
	}
	return r.ok(r.say("What applies"), "rank", parts...)
}

// listed are the words of a field with commas between them.
func listed(s string) (list []string) {
	for word := range strings.SplitSeq(s, ",") {
		if word = strings.TrimSpace(word); word != "" {
			list = append(list, word)
		}
	}
	return list
}
