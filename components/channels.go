package components

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/journal"
)

// headsShown is how many records of a channel the page of all channels lists.
const headsShown = 5

// channels finds a page of artifact channels.
func (r *rootRequest) channels(section, key string) (view, error) {
	c := r.root.Channels
	switch {
	case section == "":
		return r.channelList()
	case section == "work" && key == "":
		return r.works()
	case section == "records":
		if no := numbered(key, len(c.Records)); no > 0 {
			return r.record(&c.Records[no-1])
		}
	}
	return view{}, journal.ErrNotFound
}

// channelList is the page of all channels, or of the records that its filters leave.
func (r *rootRequest) channelList() (view, error) {
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
	parts := []templ.Component{headline(news, lede)}
	switch {
	case len(c.Records) == 0:
		parts = append(parts, nothing(r.say("Nothing was published yet."), r.say("An agent publishes a file for others by writing a record into .flue-runtime/artifacts/records. It will stand here.")))
	case n.on == 0 && f.Channel == "":
		parts = append(append(parts, r.channelLinks(f.Channel), narrow(n)), r.channelBlocks()...)
	default:
		found := c.List(f)
		from, to := r.part(len(found))
		parts = append(parts, r.channelLinks(f.Channel), narrow(n))
		if len(found) == 0 {
			parts = append(parts, nothing(r.say("No record matches."), r.say("Superseded and deleted records are left out unless the status says otherwise.")))
		} else {
			parts = append(parts, itemRows(r.recordItems(found[from:to]...)), r.pager(len(found)))
		}
	}
	return r.ok(r.say("Channels"), "channels", parts...)
}

// channelAsked is the channel that the address asks for.
func (r *rootRequest) channelAsked(n *narrowing) string {
	asked := r.typed(n, "channel", "", "hidden")
	if no := numbered(asked, len(r.root.Channels.Channels)); no > 0 {
		return r.root.Channels.Channels[no-1].Name
	}
	return asked
}

// channelName is what a page calls a channel.
func channelName(name string) templ.Component {
	if name == "" {
		return sentence("No channel")
	}
	return agentLine(name)
}

// channelLinks lead to one channel each.
func (r *rootRequest) channelLinks(asked string) templ.Component {
	c := r.root.Channels
	active := 0
	for i := range c.Channels {
		active += c.Channels[i].Active
	}
	links := []choice{{"", spoken(r.say("All channels")), active, r.with("channel", ""), asked == ""}}
	for i := range capped(c.Channels) {
		ch := &c.Channels[i]
		links = append(links, choice{competingKind(ch.Competing), channelName(ch.Name), ch.Active, r.with("channel", itoa(i+1)), ch.Name == asked})
	}
	return choices(r.say("Show a channel"), links)
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
	for i := range capped(c.Channels) {
		ch := &c.Channels[i]
		items := r.recordItems(r.numbered(ch.Heads[:min(len(ch.Heads), headsShown)])...)
		if len(items) == 0 {
			continue
		}
		var after templ.Component = templ.NopComponent
		if ch.Active > len(items) {
			after = following(r.with("channel", itoa(i+1)), r.say("All %s in this channel", grouped(r.ctx, ch.Active)))
		}
		parts = append(parts, wordBlock(channelName(ch.Name), itemRows(items), after))
	}
	if len(parts) == 0 {
		parts = append(parts, nothing(r.say("No artifact is active."), r.say("Every record here was superseded or deleted. The filter for the status shows them.")))
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

func (r *rootRequest) recordItems(records ...*artifacts.Record) []item {
	items := make([]item, len(records))
	for i, x := range records {
		items[i] = r.recordItem(x)
	}
	return items
}

func (r *rootRequest) recordItem(x *artifacts.Record) item {
	it := item{to: r.to("records", itoa(x.No)), title: agentLine(recordTitle(x)), signs: r.recordSigns(x), side: when(r.site, x.Created)}
	if x.Summary != "" {
		it.gist = agentLine(x.Summary)
	}
	if x.Path != recordTitle(x) {
		it.remark(x.Path)
	}
	it.remark(x.Kind)
	it.remark(firstOf(x.Producer.Name, x.Producer.Work))
	return it
}

// recordTitle is what a page calls an artifact.
func recordTitle(x *artifacts.Record) string { return firstOf(x.Title, x.Path, x.ID, x.File) }

// recordSigns say how a record stands, and what became of the file that it names.
func (r *rootRequest) recordSigns(x *artifacts.Record) (signs []sign) {
	switch {
	case x.Deleted:
		signs = append(signs, sign{"withdrawn", r.say("deleted")})
	case x.Superseded:
		signs = append(signs, sign{"note", r.say("superseded")})
	}
	if x.Competition > 0 {
		signs = append(signs, sign{"warn", r.say("competes")})
	}
	if s := targetSign(r.ctx, x); s.Kind != "ok" && s.Kind != "note" {
		signs = append(signs, s)
	}
	return signs
}

// targetSign is what became of the file that a record names.
func targetSign(ctx context.Context, x *artifacts.Record) sign {
	switch x.Target.State {
	case artifacts.TargetAvailable:
		if !x.Verified() {
			return sign{"note", say(ctx, "present, digest not checked")}
		}
		return sign{"ok", say(ctx, "as recorded")}
	case artifacts.TargetUnavailable:
		return sign{"missing", say(ctx, "unavailable")}
	case artifacts.TargetEscapes:
		return sign{"fail", say(ctx, "outside of the workspace")}
	case artifacts.TargetDiffers:
		return sign{"fail", say(ctx, "not as recorded")}
	}
	return sign{"note", say(ctx, "not looked at")}
}

// channelsNews is the headline of the page of all channels.
func channelsNews(ctx context.Context, c *artifacts.Channels) (news, lede string) {
	active, competing := 0, 0
	for i := range c.Channels {
		active, competing = active+c.Channels[i].Active, competing+c.Channels[i].Competing
	}
	lede = joinFacts(count(ctx, len(c.Records), "%d record", "%d records"), count(ctx, len(c.Works), "%d work", "%d works"))
	switch {
	case len(c.Records) == 0:
		return say(ctx, "No artifact yet"), ""
	case competing > 0:
		return countSpelled(ctx, competing, "Revisions of one artifact compete", "Revisions of %s artifacts compete"), lede
	case active == 0:
		return say(ctx, "No artifact is active"), lede
	case len(c.Channels) == 1:
		return countSpelled(ctx, active, "One artifact in one channel", "%s artifacts in one channel"), lede
	}
	return say(ctx, "%s in %s channels", countSpelled(ctx, active, "One artifact", "%s artifacts"), lowered(spelled(ctx, len(c.Channels)))), lede
}

// each gives a value of every item.
func each[T any](items []T, value func(*T) string) func(yield func(string)) {
	return func(yield func(string)) {
		for i := range items {
			yield(value(&items[i]))
		}
	}
}
