package recordviews

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
)

// change is a field of an ask that is not what it was. A list says of each item how it came here.
type change struct {
	word          string // the field, a word of ours
	was, is       string // the agent's words; "" is none
	items         []changedItem
	reordered     bool
	before, after *figs.Pair // a detail
}

// changedItem is one of a list: "kept", "new" or "gone".
type changedItem struct{ Kind, Words string }

// changesOf lists what tells one state of an ask from a later one, attachments aside.
func changesOf(ctx context.Context, before, after *figs.Ask) (out []change) {
	for _, f := range []struct{ word, was, is string }{
		{i18n.Say(ctx, "Title"), before.Title, after.Title},
		{i18n.Say(ctx, "Background"), before.Found, after.Found},
		{i18n.Say(ctx, "Request"), before.Need, after.Need},
		{i18n.Say(ctx, "Type"), before.Type, after.Type},
		{i18n.Say(ctx, "To"), before.To, after.To},
		{i18n.Say(ctx, "Unit"), before.Unit, after.Unit},
		{i18n.Say(ctx, "Job"), before.Run, after.Run},
	} {
		if f.was != f.is {
			out = append(out, change{word: f.word, was: f.was, is: f.is})
		}
	}
	for _, f := range []struct {
		word    string
		was, is []string
	}{
		{i18n.Say(ctx, "Steps after approval"), before.OnApprove, after.OnApprove},
		{i18n.Say(ctx, "Options"), before.Options, after.Options},
	} {
		if !slices.Equal(f.was, f.is) {
			items := changedItems(f.was, f.is)
			out = append(out, change{word: f.word, items: items, reordered: !slices.ContainsFunc(items, func(c changedItem) bool { return c.Kind != "kept" })})
		}
	}
	return append(out, changedDetails(ctx, before.Details, after.Details)...)
}

// changedItems is the later list with what is new in it marked, then what is gone. What stands
// twice counts twice.
func changedItems(was, is []string) (out []changedItem) {
	left := slices.Clone(was)
	for _, words := range is {
		kind := "new"
		if at := slices.Index(left, words); at >= 0 {
			kind, left = "kept", slices.Delete(left, at, at+1)
		}
		out = append(out, changedItem{kind, words})
	}
	for _, words := range left {
		out = append(out, changedItem{"gone", words})
	}
	return out
}

// changedDetails are the details that are new, gone, or have another value.
func changedDetails(ctx context.Context, was, is []figs.Pair) (out []change) {
	find := func(list []figs.Pair, label string) *figs.Pair {
		for i := range list {
			if list[i].Label == label {
				return &list[i]
			}
		}
		return nil
	}
	for i := range is {
		if b := find(was, is[i].Label); b == nil || b.Value != is[i].Value {
			out = append(out, change{word: i18n.Say(ctx, "Detail"), before: b, after: &is[i]})
		}
	}
	for i := range was {
		if find(is, was[i].Label) == nil {
			out = append(out, change{word: i18n.Say(ctx, "Detail"), before: &was[i]})
		}
	}
	return out
}

// until folds the first moments of an ask's trail.
func until(trail []journal.TrailEntry) *figs.Ask {
	var ask figs.Ask
	for i := range trail {
		if trail[i].Ask != nil {
			overlay(&ask, trail[i].Ask, trail[i].Changed)
		}
	}
	return &ask
}

// askedThen is what an ask said in the round of a reply: its lines of later rounds are left out, and those that close it say nothing
// of what was asked.
func askedThen(ask *journal.Ask, m *journal.Message) *figs.Ask {
	for i := range ask.Trail {
		if ask.Trail[i].Round > m.Round {
			return until(ask.Trail[:i])
		}
	}
	return until(ask.Trail)
}

// reviewedNames are the attachments that a reply itself names (reply.Gate.Reviewed); nil when it names none.
func reviewedNames(extra figs.Object) (names []string) {
	for c := jsonl.Walk(extra.Get("reviewed")); c.Next(); {
		for f := jsonl.Walk(c.Value); f.Next(); {
			if string(f.Key) == `"name"` {
				names = append(names, f.Value.Text())
			}
		}
	}
	return names
}

// overlay puts a line over what was before it. A field that the line empties is among the changed.
func overlay(ask, line *figs.Ask, changed []string) {
	for _, f := range []struct {
		key      string
		into, is *string
	}{
		{"type", &ask.Type, &line.Type}, {"to", &ask.To, &line.To}, {"title", &ask.Title, &line.Title}, {"unit", &ask.Unit, &line.Unit},
		{"run", &ask.Run, &line.Run}, {"found", &ask.Found, &line.Found}, {"need", &ask.Need, &line.Need},
	} {
		if *f.is != "" || slices.Contains(changed, f.key) {
			*f.into = *f.is
		}
	}
	for _, f := range []struct {
		key      string
		into, is *[]string
	}{
		{"options", &ask.Options, &line.Options}, {"onApprove", &ask.OnApprove, &line.OnApprove}, {"attachments", &ask.Attachments, &line.Attachments},
	} {
		if *f.is != nil || slices.Contains(changed, f.key) {
			*f.into = *f.is
		}
	}
	if line.Details != nil || slices.Contains(changed, "details") {
		ask.Details = line.Details
	}
}

// RoundChanges is what the present round changed against the one before.
type RoundChanges struct {
	number  int
	before  *figs.Ask
	changes []change
	files   []changedFile
	request *journal.Message // for changes, which this round answers; nil when there was none
}

// changedFile is an attachment that came with a round, or that is not part of it any more.
type changedFile struct {
	journal.File
	kind string // "new", "gone"
	like string // key of the earlier file that it looks like a version of; ""
}

// NewRoundChanges tells an ask's present round from the one before; nil in the first.
func NewRoundChanges(ctx context.Context, ask *journal.Ask, v *viewer.View) *RoundChanges {
	at := slices.IndexFunc(ask.Trail, func(m journal.TrailEntry) bool { return m.Round == ask.State.Round })
	if ask.State.Round < 2 || at < 1 {
		return nil
	}
	r := &RoundChanges{number: ask.State.Round, before: until(ask.Trail[:at])}
	r.changes = changesOf(ctx, r.before, until(ask.Trail))
	r.files = changedFiles(ask, r.before, v)
	for i := range ask.Thread {
		if m := &ask.Thread[i]; m.Round == r.number-1 && m.Message.Verdict == "changes-requested" {
			r.request = m
		}
	}
	return r
}

// changedFiles are the attachments that a state did not name, and those that only it named.
func changedFiles(ask *journal.Ask, before *figs.Ask, v *viewer.View) (out []changedFile) {
	for _, f := range ask.Files {
		if slices.Contains(before.Attachments, f.Name) {
			continue
		}
		c := changedFile{File: f, kind: "new"}
		best := 0
		for _, e := range ask.Earlier {
			if n := viewer.VersionLikeness(e.Name, f.Name); n > best && e.Present() && f.Present() {
				best, c.like = n, e.Key
			}
		}
		out = append(out, c)
	}
	for _, f := range ask.Earlier {
		if slices.Contains(before.Attachments, f.Name) {
			out = append(out, changedFile{File: f, kind: "gone"})
		}
	}
	return out
}

// IsNew reports whether a step is new in this round.
func (r *RoundChanges) IsNew(step string) bool {
	return r != nil && !slices.Contains(r.before.OnApprove, step)
}

// VisibleEntries returns how many entries of a trail someone has seen who saw that many versions.
func VisibleEntries(trail []journal.TrailEntry, versions int) int {
	for i := range trail {
		if versions -= max(1, trail[i].Folded); versions < 0 {
			return i
		}
	}
	return len(trail)
}

// pairOf is the later of two states of a detail, or what there is.
func pairOf(before, after *figs.Pair) *figs.Pair {
	if after != nil {
		return after
	}
	return before
}

func pairValue(p *figs.Pair) string {
	if p == nil {
		return ""
	}
	return p.Value
}
