package projectpages

import (
	"context"
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/journal"
)

// headsShown is how many records of a channel the page of all channels lists.
const headsShown = 5

// channels finds a page of artifact channels.
func (r *rootRequest) channels(section, key string) (ui.View, error) {
	c := r.root.Channels
	switch {
	case section == "":
		return r.channelList()
	case section == "work" && key == "":
		return r.works()
	case section == "records":
		if no := ui.KeyNumber(key, len(c.Records)); no > 0 {
			return r.record(&c.Records[no-1])
		}
	}
	return ui.View{}, journal.ErrNotFound
}

// channelList is the page of all channels, or of the records that its filters leave.
func (r *rootRequest) channelList() (ui.View, error) {
	c := r.root.Channels
	n := &narrowing{at: r.to()}
	f := artifacts.Filter{Channel: r.channelAsked(n)}
	f.Work = r.pick(n, "work", r.say("Work"), each(c.Records, func(x *artifacts.Record) string { return x.Producer.Work }))
	f.Task = r.pick(n, "task", r.say("Task"), each(c.Records, func(x *artifacts.Record) string { return x.Producer.Task }))
	f.Session = r.pick(n, "session", r.say("Session"), each(c.Records, func(x *artifacts.Record) string { return x.Producer.Session }))
	f.Status = r.offer(n, "status", r.say("Status"), [2]string{"", r.say("active")}, [2]string{"superseded", r.say("superseded")}, [2]string{"deleted", r.say("deleted")}, [2]string{"all", r.say("any")})
	if f.All = f.Status == "all"; f.All {
		f.Status = ""
	}
	f.Since = r.typed(n, "since", r.say("Published since"), "date")
	news, lede := channelsNews(r.ctx, c)
	parts := []templ.Component{ui.Headline(news, lede)}
	switch {
	case len(c.Records) == 0:
		parts = append(parts, ui.Nothing(r.say("Nothing published yet"), r.say("Artifacts appear here when an agent publishes a file by writing a record into .flue-runtime/artifacts/records.")))
	case n.on == 0 && f.Channel == "":
		parts = append(append(parts, r.channelLinks(f.Channel), narrow(n)), r.channelBlocks()...)
	default:
		found := c.List(f)
		from, to := r.part(len(found))
		parts = append(parts, r.channelLinks(f.Channel), narrow(n))
		if len(found) == 0 {
			parts = append(parts, ui.Nothing(r.say("No matching records"), r.say("Superseded and deleted records are hidden. Use the status filter to show them.")))
		} else {
			parts = append(parts, ui.ItemRows(r.recordItems(found[from:to]...)), r.pager(len(found)))
		}
	}
	return r.ok(r.say("Channels"), "channels", parts...)
}

// channelAsked is the channel that the address asks for.
func (r *rootRequest) channelAsked(n *narrowing) string {
	asked := r.typed(n, "channel", "", "hidden")
	if no := ui.KeyNumber(asked, len(r.root.Channels.Channels)); no > 0 {
		return r.root.Channels.Channels[no-1].Name
	}
	return asked
}

// channelName is what a page calls a channel.
func channelName(name string) templ.Component {
	if name == "" {
		return i18n.Sentence("No channel")
	}
	return agenttext.Line(name)
}

// channelLinks lead to one channel each.
func (r *rootRequest) channelLinks(asked string) templ.Component {
	c := r.root.Channels
	active := 0
	for i := range c.Channels {
		active += c.Channels[i].Active
	}
	links := []ui.Choice{{Kind: "", Word: ui.SentenceText(r.say("All channels")), Count: active, Href: r.with("channel", ""), On: asked == ""}}
	for i := range ui.FirstItems(c.Channels) {
		ch := &c.Channels[i]
		links = append(links, ui.Choice{Kind: competingKind(ch.Competing), Word: channelName(ch.Name), Count: ch.Active, Href: r.with("channel", strconv.Itoa(i+1)), On: ch.Name == asked})
	}
	return ui.Choices(r.say("Show a channel"), links)
}

func competingKind(n int) string {
	if n > 0 {
		return "warn"
	}
	return ""
}

// channelBlocks are the newest records of every channel.
func (r *rootRequest) channelBlocks() (parts []templ.Component) {
	c := r.root.Channels
	for i := range ui.FirstItems(c.Channels) {
		ch := &c.Channels[i]
		items := r.recordItems(r.numbered(ch.Heads[:min(len(ch.Heads), headsShown)])...)
		if len(items) == 0 {
			continue
		}
		var after templ.Component = templ.NopComponent
		if ch.Active > len(items) {
			after = ui.FollowLink(r.with("channel", strconv.Itoa(i+1)), r.say("All %s in this channel", i18n.Number(r.ctx, ch.Active)))
		}
		parts = append(parts, ui.WordBlock(channelName(ch.Name), ui.ItemRows(items), after))
	}
	if len(parts) == 0 {
		parts = append(parts, ui.Nothing(r.say("No active artifacts here"), r.say("Every record here was superseded or deleted. Use the status filter to show them.")))
	}
	return parts
}

// numbered are the records with those numbers.
func (r *rootRequest) numbered(numbers []int) []*artifacts.Record {
	records := make([]*artifacts.Record, 0, len(numbers))
	for _, no := range numbers {
		records = append(records, r.root.Channels.Record(no))
	}
	return records
}

func (r *rootRequest) recordItems(records ...*artifacts.Record) []ui.Item {
	items := make([]ui.Item, len(records))
	for i, x := range records {
		items[i] = r.recordItem(x)
	}
	return items
}

func (r *rootRequest) recordItem(x *artifacts.Record) ui.Item {
	it := ui.Item{Href: r.to("records", strconv.Itoa(x.No)), Title: agenttext.Line(recordTitle(x)), Signs: r.recordSigns(x), Side: ui.When(r.site, x.Created)}
	if x.Summary != "" {
		it.Gist = agenttext.Line(x.Summary)
	}
	if x.Path != recordTitle(x) {
		it.AgentNote(x.Path)
	}
	it.AgentNote(x.Kind)
	it.AgentNote(recordviews.FirstOf(x.Producer.Name, x.Producer.Work))
	return it
}

// recordTitle is what a page calls an artifact.
func recordTitle(x *artifacts.Record) string {
	return recordviews.FirstOf(x.Title, x.Path, x.ID, x.File)
}

// recordSigns say how a record stands, and what became of the file that it names.
func (r *rootRequest) recordSigns(x *artifacts.Record) (signs []ui.Sign) {
	switch {
	case x.Deleted:
		signs = append(signs, ui.Sign{Kind: "withdrawn", Word: r.say("deleted")})
	case x.Superseded:
		signs = append(signs, ui.Sign{Kind: "note", Word: r.say("superseded")})
	}
	if x.Competition > 0 {
		signs = append(signs, ui.Sign{Kind: "warn", Word: r.say("competes")})
	}
	if s := targetSign(r.ctx, x); s.Kind != "ok" && s.Kind != "note" {
		signs = append(signs, s)
	}
	return signs
}

// targetSign is what became of the file that a record names.
func targetSign(ctx context.Context, x *artifacts.Record) ui.Sign {
	switch x.Target.State {
	case artifacts.TargetAvailable:
		if !x.Verified() {
			return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "present, digest not checked")}
		}
		return ui.Sign{Kind: "ok", Word: i18n.Say(ctx, "as recorded")}
	case artifacts.TargetUnavailable:
		return ui.Sign{Kind: "missing", Word: i18n.Say(ctx, "unavailable")}
	case artifacts.TargetEscapes:
		return ui.Sign{Kind: "fail", Word: i18n.Say(ctx, "outside the workspace")}
	case artifacts.TargetDiffers:
		return ui.Sign{Kind: "fail", Word: i18n.Say(ctx, "not as recorded")}
	}
	return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "not checked")}
}

// channelsNews is the headline of the page of all channels.
func channelsNews(ctx context.Context, c *artifacts.Channels) (news, lede string) {
	active, competing := 0, 0
	for i := range c.Channels {
		active, competing = active+c.Channels[i].Active, competing+c.Channels[i].Competing
	}
	lede = agenttext.JoinFacts(i18n.Count(ctx, len(c.Records), "%d record", "%d records"), i18n.Count(ctx, len(c.Works), "%d work", "%d works"))
	switch {
	case len(c.Records) == 0:
		return i18n.Say(ctx, "No artifacts yet"), ""
	case competing > 0:
		return i18n.CountWords(ctx, competing, "One artifact has competing revisions", "%s artifacts have competing revisions"), lede
	case active == 0:
		return i18n.Say(ctx, "No active artifacts"), lede
	case len(c.Channels) == 1:
		return i18n.CountWords(ctx, active, "One artifact in one channel", "%s artifacts in one channel"), lede
	}
	return i18n.Say(ctx, "%s in %s channels", i18n.CountWords(ctx, active, "One artifact", "%s artifacts"), ui.LowerFirst(i18n.NumberWord(ctx, len(c.Channels)))), lede
}

// each gives a value of every item.
func each[T any](items []T, value func(*T) string) func(yield func(string)) {
	return func(yield func(string)) {
		for i := range items {
			yield(value(&items[i]))
		}
	}
}
