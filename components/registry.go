package components

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/journal"
)

// registry finds a page of a finding registry.
func (r *rootRequest) registry(section, key string) (view, error) {
	switch {
	case section == "":
		return r.entries()
	case section == "rank" && key == "":
		return r.rank()
	case section == "entries":
		if no := numbered(key, len(r.root.Registry.Entries)); no > 0 {
			return r.entry(&r.root.Registry.Entries[no-1])
		}
	}
	return view{}, journal.ErrNotFound
}

// entries is the page of all entries, or of those that its filters leave.
func (r *rootRequest) entries() (view, error) {
	reg := r.root.Registry
	n := &narrowing{at: r.to()}
	f := findings.Filter{Status: r.typed(n, "status", "", "hidden"), Expired: r.typed(n, "expired", "", "hidden") != ""}
	f.Severity = r.pick(n, "severity", r.say("Severity"), each(reg.Entries, func(e *findings.Entry) string { return e.Severity }))
	f.Category = r.pick(n, "category", r.say("Category"), each(reg.Entries, func(e *findings.Entry) string { return e.Category }))
	f.When = r.pick(n, "when", r.say("Applies when"), eachOf(reg.Entries, func(e *findings.Entry) []string { return e.When }))
	f.Language = r.pick(n, "language", r.say("Language"), eachOf(reg.Entries, func(e *findings.Entry) []string { return e.Languages }))
	f.Text = r.typed(n, "text", r.say("Words"), "search")
	news, lede := entriesNews(r.ctx, reg)
	parts := []templ.Component{headline(news, lede)}
	if reg.Refused != "" {
		parts = append(parts, banner("fail", r.say("The registry could not be read. Readers go on as if it were empty.")))
	} else if reg.Locked {
		parts = append(parts, banner("note", r.say("A lock lies beside the registry: somebody writes at the moment, or has died while writing.")))
	}
	if len(reg.Entries) == 0 {
		parts = append(parts, nothing(r.say("The registry has no entries."), r.say("An agent writes down what it learned from a mistake in .agents/findings/registry.jsonl, one finding a line. It will stand here.")))
		return r.ok(r.say("Entries"), "registry", parts...)
	}
	found := reg.List(f)
	parts = append(parts, r.entryLinks(&f), narrow(n))
	if len(found) == 0 {
		parts = append(parts, nothing(r.say("No entry matches."), ""))
	} else {
		from, to := r.part(len(found))
		items := make([]item, 0, to-from)
		for _, e := range found[from:to] {
			items = append(items, r.entryItem(e))
		}
		parts = append(parts, itemRows(items), r.pager(len(found)))
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
	links := []choice{{"", spoken(r.say("All")), len(r.root.Registry.Entries), r.with("status", ""), f.Status == "" && !f.Expired}}
	for _, s := range [...][3]string{{"ok", findings.Active, "Active"}, {"note", findings.Superseded, "Superseded"}, {"withdrawn", findings.Retired, "Retired"}} {
		if counts[s[1]] > 0 || f.Status == s[1] {
			links = append(links, choice{s[0], spoken(r.say(s[2])), counts[s[1]], r.with("status", s[1]), f.Status == s[1] && !f.Expired})
		}
	}
	if expired > 0 {
		r.fields.Del("status")
		links = append(links, choice{"warn", spoken(r.say("Past their time")), expired, r.with("expired", "1"), f.Expired})
	}
	return choices(r.say("Show entries"), links)
}

func (r *rootRequest) entryItem(e *findings.Entry) item {
	it := item{to: r.to("entries", itoa(e.No)), title: agentLine(entryTitle(e)), signs: r.entrySigns(e), side: dayOf(r.site, e.Date)}
	if e.Question != "" {
		it.gist = agentLine(e.Question)
	}
	it.remark(e.Category)
	it.remark(findings.Primary(e.When))
	it.remark(strings.Join(capped(e.Languages), ", "))
	if e.HitCount > 0 {
		it.note(spoken(count(r.ctx, e.HitCount, "cited once", "cited %d times")))
	}
	return it
}

// dayOf is a date as an entry has it: a day, or a time.
func dayOf(site Site, date string) templ.Component {
	if at := findings.Instant(date); at != figs.NoTime {
		return whenAt(site, at)
	}
	return when(site, date)
}

// entryTitle is what a page calls an entry.
func entryTitle(e *findings.Entry) string { return firstOf(e.Pattern, e.Checklist, e.ID, "?") }

// entrySigns say how grave an entry is, and whether it still holds.
func (r *rootRequest) entrySigns(e *findings.Entry) []sign {
	signs := []sign{severityOf(r.ctx, e.Rank, e.Severity)}
	switch {
	case e.Expired:
		signs = append(signs, sign{"warn", r.say("past its time")})
	case e.Status == findings.Superseded:
		signs = append(signs, sign{"note", r.say("superseded")})
	case e.Status == findings.Retired:
		signs = append(signs, sign{"withdrawn", r.say("retired")})
	case e.Status != findings.Active:
		signs = append(signs, sign{"fail", r.say("unknown status")})
	}
	return signs
}

// severityOf is the sign of a severity; only those that have a rank are named.
func severityOf(ctx context.Context, rank int, severity string) sign {
	kind := "note"
	switch rank {
	case 0, 1:
		kind = "fail"
	case 2:
		kind = "warn"
	case 3:
	default:
		return sign{kind, say(ctx, "unknown severity")}
	}
	return sign{kind, plain(severity)}
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
	lede = count(ctx, len(reg.Entries), "%d entry", "%d entries")
	if reg.Skipped > 0 {
		lede = joinFacts(lede, count(ctx, reg.Skipped, "%d line could not be read and is left out", "%d lines could not be read and are left out"))
	}
	switch {
	case len(reg.Entries) == 0:
		return say(ctx, "Nothing was learned yet"), ""
	case expired > 0:
		return countSpelled(ctx, expired, "One entry is past its time", "%s entries are past their time"), lede
	case active == 0:
		return say(ctx, "No entry is active"), lede
	}
	return countSpelled(ctx, active, "One entry is active", "%s entries are active"), lede
}

// entry is the page of one entry: what to ask, what to check, where it comes from, and how long it holds.
func (r *rootRequest) entry(e *findings.Entry) (view, error) {
	lede := []templ.Component{sentence("recorded {0}", dayOf(r.site, e.Date))}
	if e.ID != "" {
		lede = append(lede, ident(e.ID))
	}
	var after templ.Component = templ.NopComponent
	if e.Status == findings.Superseded && e.SupersededNo > 0 {
		by := &r.root.Registry.Entries[e.SupersededNo-1]
		after = banner("note", r.say("Another entry took its place."), itemRows([]item{r.entryItem(by)}))
	} else if e.Expired {
		after = banner("warn", r.say("Its time is over. It still counts: somebody should look whether it holds, and renew or retire it."))
	}
	return r.ok(r.say("Entry %d", e.No), "registry",
		crumbs(r.site, r.say("Entries"), r.root.Kind.String(), itoa(r.root.No)), heading(entryTitle(e), r.entrySigns(e), lede...), after,
		columns([]templ.Component{wordCard(r.say("Ask this"), e.Question), wordCard(r.say("Check this"), e.Checklist), factCard(r.say("Applies"), r.scopeFacts(e))},
			[]templ.Component{factCard(r.say("Where it comes from"), r.sourceFacts(e)), factCard(r.say("State"), r.standingFacts(e))}),
		extra(e.Extra), asWritten(e.Raw), r.foundOnLine(findings.File, e.Line))
}

func (r *rootRequest) scopeFacts(e *findings.Entry) *facts {
	f := r.facts().lines("Severity", e.Severity, "Category", e.Category)
	for i, when := range capped(e.When) {
		if i == 0 {
			f.lines("When, above all", when)
		} else {
			f.lines("Also when", when)
		}
	}
	return f.lines("Languages", strings.Join(capped(e.Languages), ", "), "Tier", e.Tier)
}

func (r *rootRequest) sourceFacts(e *findings.Entry) *facts {
	return r.facts().lines("Repository", e.Source.Repo, "#File", e.Source.File, "Session", e.Source.Session, "Skill", e.Source.Skill)
}

func (r *rootRequest) standingFacts(e *findings.Entry) *facts {
	f := r.facts().lines("Confidence", e.Confidence).put("Cited", spoken(count(r.ctx, e.HitCount, "once", "%d times")))
	if e.LastCited != "" {
		f.put("Last cited", dayOf(r.site, e.LastCited))
	}
	switch {
	case e.TTLDays < 0:
		f.put("Holds", spoken(r.say("without an end")))
	case e.Expires != figs.NoTime:
		word := "Ends"
		if e.Expired {
			word = "Ended"
		}
		f.put(word, whenAt(r.site, e.Expires)).put("Holds for", spoken(count(r.ctx, e.TTLDays, "%d day", "%d days")))
	}
	f.lines("#Superseded by", e.SupersededBy, "#Key", e.DedupKey)
	if e.ExpectedKey != e.DedupKey {
		f.lines("#Key that follows from it", e.ExpectedKey)
	}
	return f
}
