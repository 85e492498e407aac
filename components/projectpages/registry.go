package projectpages

import (
	"context"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/journal"
)

// registry finds a page of a finding registry.
func (r *rootRequest) registry(section, key string) (ui.View, error) {
	switch {
	case section == "":
		return r.entries()
	case section == "rank" && key == "":
		return r.rank()
	case section == "entries":
		if no := ui.KeyNumber(key, len(r.root.Registry.Entries)); no > 0 {
			return r.entry(&r.root.Registry.Entries[no-1])
		}
	}
	return ui.View{}, journal.ErrNotFound
}

// entries is the page of all entries, or of those that its filters leave.
func (r *rootRequest) entries() (ui.View, error) {
	reg := r.root.Registry
	n := &narrowing{at: r.to()}
	f := findings.Filter{Status: r.typed(n, "status", "", "hidden"), Expired: r.typed(n, "expired", "", "hidden") != ""}
	f.Severity = r.pick(n, "severity", r.say("Severity"), each(reg.Entries, func(e *findings.Entry) string { return e.Severity }))
	f.Category = r.pick(n, "category", r.say("Category"), each(reg.Entries, func(e *findings.Entry) string { return e.Category }))
	f.When = r.pick(n, "when", r.say("Applies when"), eachOf(reg.Entries, func(e *findings.Entry) []string { return e.When }))
	f.Language = r.pick(n, "language", r.say("Language"), eachOf(reg.Entries, func(e *findings.Entry) []string { return e.Languages }))
	f.Text = r.typed(n, "text", r.say("Words"), "search")
	news, lede := entriesNews(r.ctx, reg)
	parts := []templ.Component{ui.Headline(news, lede)}
	if reg.Refused != "" {
		parts = append(parts, ui.Banner("fail", r.say("The registry couldn't be read. Programs treat it as empty.")))
	} else if reg.Locked {
		parts = append(parts, ui.Banner("note", r.say("The registry is locked: another program is writing to it, or stopped while writing.")))
	}
	if len(reg.Entries) == 0 {
		parts = append(parts, ui.Nothing(r.say("The registry has no entries"), r.say("Entries appear here when an agent records what it learned from a mistake in .agents/findings/registry.jsonl.")))
		return r.ok(r.say("Entries"), "registry", parts...)
	}
	found := reg.List(f)
	parts = append(parts, r.entryLinks(&f), narrow(n))
	if len(found) == 0 {
		parts = append(parts, ui.Nothing(r.say("No matching entries"), ""))
	} else {
		from, to := r.part(len(found))
		items := make([]ui.Item, 0, to-from)
		for _, e := range found[from:to] {
			items = append(items, r.entryItem(e))
		}
		parts = append(parts, ui.ItemRows(items), r.pager(len(found)))
	}
	return r.ok(r.say("Entries"), "registry", parts...)
}

// eachOf gives the values of every item.
func eachOf[T any](items []T, values func(*T) []string) func(yield func(string)) {
	return func(yield func(string)) {
		for i := range items {
			for _, value := range values(&items[i]) {
				yield(value)
			}
		}
	}
}

// entryLinks narrow by what has become of an entry.
func (r *rootRequest) entryLinks(f *findings.Filter) templ.Component {
	counts, expired := map[string]int{}, 0
	for i := range r.root.Registry.Entries {
		e := &r.root.Registry.Entries[i]
		counts[e.Status]++
		if e.Expired {
			expired++
		}
	}
	r.fields.Del("expired")
	links := []ui.Choice{{Kind: "", Word: ui.SentenceText(r.say("All")), Count: len(r.root.Registry.Entries), Href: r.with("status", ""), On: f.Status == "" && !f.Expired}}
	for _, s := range [...][3]string{{"ok", findings.Active, "Active"}, {"note", findings.Superseded, "Superseded"}, {"withdrawn", findings.Retired, "Retired"}} {
		if counts[s[1]] > 0 || f.Status == s[1] {
			links = append(links, ui.Choice{Kind: s[0], Word: ui.SentenceText(r.say(s[2])), Count: counts[s[1]], Href: r.with("status", s[1]), On: f.Status == s[1] && !f.Expired})
		}
	}
	if expired > 0 {
		r.fields.Del("status")
		links = append(links, ui.Choice{Kind: "warn", Word: ui.SentenceText(r.say("Expired")), Count: expired, Href: r.with("expired", "1"), On: f.Expired})
	}
	return ui.Choices(r.say("Show entries"), links)
}

func (r *rootRequest) entryItem(e *findings.Entry) ui.Item {
	it := ui.Item{Href: r.to("entries", strconv.Itoa(e.No)), Title: agenttext.Line(entryTitle(e)), Signs: r.entrySigns(e), Side: dayOf(r.site, e.Date)}
	if e.Question != "" {
		it.Gist = agenttext.Line(e.Question)
	}
	it.AgentNote(e.Category)
	it.AgentNote(findings.Primary(e.When))
	it.AgentNote(strings.Join(ui.FirstItems(e.Languages), ", "))
	if e.HitCount > 0 {
		it.Note(ui.SentenceText(i18n.Count(r.ctx, e.HitCount, "cited once", "cited %d times")))
	}
	return it
}

// dayOf is a date as an entry has it: a day, or a time.
func dayOf(site ui.Site, date string) templ.Component {
	if at := findings.Instant(date); at != figs.NoTime {
		return ui.WhenAt(site, at)
	}
	return ui.When(site, date)
}

// entryTitle is what a page calls an entry.
func entryTitle(e *findings.Entry) string {
	return recordviews.FirstOf(e.Pattern, e.Checklist, e.ID, "?")
}

// entrySigns say how grave an entry is, and whether it still holds.
func (r *rootRequest) entrySigns(e *findings.Entry) []ui.Sign {
	signs := []ui.Sign{severityOf(r.ctx, e.Rank, e.Severity)}
	switch {
	case e.Expired:
		signs = append(signs, ui.Sign{Kind: "warn", Word: r.say("expired")})
	case e.Status == findings.Superseded:
		signs = append(signs, ui.Sign{Kind: "note", Word: r.say("superseded")})
	case e.Status == findings.Retired:
		signs = append(signs, ui.Sign{Kind: "withdrawn", Word: r.say("retired")})
	case e.Status != findings.Active:
		signs = append(signs, ui.Sign{Kind: "fail", Word: r.say("unknown status")})
	}
	return signs
}

// severityOf is the sign of a severity; only those that have a rank are named.
func severityOf(ctx context.Context, rank int, severity string) ui.Sign {
	kind := "note"
	switch rank {
	case 0, 1:
		kind = "fail"
	case 2:
		kind = "warn"
	case 3:
	default:
		return ui.Sign{Kind: kind, Word: i18n.Say(ctx, "unknown severity")}
	}
	return ui.Sign{Kind: kind, Word: agenttext.Plain(severity)}
}

func entriesNews(ctx context.Context, reg *findings.Registry) (news, lede string) {
	active, expired := 0, 0
	for i := range reg.Entries {
		if reg.Entries[i].Status == findings.Active {
			active++
		}
		if reg.Entries[i].Expired {
			expired++
		}
	}
	lede = i18n.Count(ctx, len(reg.Entries), "%d entry", "%d entries")
	if reg.Skipped > 0 {
		lede = agenttext.JoinFacts(lede, i18n.Count(ctx, reg.Skipped, "%d line couldn't be read and is left out", "%d lines couldn't be read and are left out"))
	}
	switch {
	case len(reg.Entries) == 0:
		return i18n.Say(ctx, "No entries yet"), ""
	case expired > 0:
		return i18n.CountWords(ctx, expired, "One entry has expired", "%s entries have expired"), lede
	case active == 0:
		return i18n.Say(ctx, "No active entries"), lede
	}
	return i18n.CountWords(ctx, active, "One active entry", "%s active entries"), lede
}

// entry is the page of one entry: what to ask, what to check, where it comes from, and how long it holds.
func (r *rootRequest) entry(e *findings.Entry) (ui.View, error) {
	lede := []templ.Component{i18n.Sentence("recorded {0}", dayOf(r.site, e.Date))}
	if e.ID != "" {
		lede = append(lede, ui.Ident(e.ID))
	}
	var after templ.Component = templ.NopComponent
	if e.Status == findings.Superseded && e.SupersededNo > 0 {
		by := &r.root.Registry.Entries[e.SupersededNo-1]
		after = ui.Banner("note", r.say("Replaced by another entry."), ui.ItemRows([]ui.Item{r.entryItem(by)}))
	} else if e.Expired {
		after = ui.Banner("warn", r.say("Expired, but still in effect. Check whether it still applies, then renew or retire it."))
	}
	return r.ok(r.say("Entry %d", e.No), "registry",
		ui.Crumbs(r.site, r.say("Entries"), r.root.Kind.String(), strconv.Itoa(r.root.No)), ui.Heading(entryTitle(e), r.entrySigns(e), lede...), after,
		ui.Columns([]templ.Component{ui.WordCard(r.say("Ask this"), e.Question), ui.WordCard(r.say("Check this"), e.Checklist), ui.FactCard(r.say("Applies"), r.scopeFacts(e))},
			[]templ.Component{ui.FactCard(r.say("Origin"), r.sourceFacts(e)), ui.FactCard(r.say("State"), r.standingFacts(e))}),
		ui.Extra(e.Extra), ui.RawRecord(e.Raw), r.foundOnLine(findings.File, e.Line))
}

func (r *rootRequest) scopeFacts(e *findings.Entry) *ui.Facts {
	f := r.facts().Lines("Severity", e.Severity, "Category", e.Category)
	for i, when := range ui.FirstItems(e.When) {
		if i == 0 {
			f.Lines("Mainly when", when)
		} else {
			f.Lines("Also when", when)
		}
	}
	return f.Lines("Languages", strings.Join(ui.FirstItems(e.Languages), ", "), "Tier", e.Tier)
}

func (r *rootRequest) sourceFacts(e *findings.Entry) *ui.Facts {
	return r.facts().Lines("Repository", e.Source.Repo, "#File", e.Source.File, "Session", e.Source.Session, "Skill", e.Source.Skill)
}

func (r *rootRequest) standingFacts(e *findings.Entry) *ui.Facts {
	f := r.facts().Lines("Confidence", e.Confidence).Add("Cited", ui.SentenceText(i18n.Count(r.ctx, e.HitCount, "once", "%d times")))
	if e.LastCited != "" {
		f.Add("Last cited", dayOf(r.site, e.LastCited))
	}
	switch {
	case e.TTLDays < 0:
		f.Add("Expires", ui.SentenceText(r.say("never")))
	case e.Expires != figs.NoTime:
		word := "Ends"
		if e.Expired {
			word = "Ended"
		}
		f.Add(word, ui.WhenAt(r.site, e.Expires)).Add("Holds for", ui.SentenceText(i18n.Count(r.ctx, e.TTLDays, "%d day", "%d days")))
	}
	f.Lines("#Superseded by", e.SupersededBy, "#Key", e.DedupKey)
	if e.ExpectedKey != e.DedupKey {
		f.Lines("#Derived key", e.ExpectedKey)
	}
	return f
}
