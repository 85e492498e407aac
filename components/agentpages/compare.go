package agentpages

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// Comparison is the page about a folder and what it is compared with.
func Comparison(r *recordviews.Request) (ui.View, error) {
	j, ok := r.J.(journal.Comparer)
	if !ok {
		return ui.View{}, journal.ErrNotFound
	}
	c, err := j.Compare(r.Ctx, r.Agent.Key, r.Query)
	return r.Page(i18n.Say(r.Ctx, "Compare"), err, func() templ.Component { return FoldersComparedPage(r.Site, r.Agent, r.Query, c) })
}

// inspecting reports whether the page is the inspector's own, whose script can read another folder and keep hashes.
func inspecting(s ui.Site) bool { return s.Offline && s.Base == "" }

// rewrittenLines counts the lines of the past that were changed, and those that came.
func rewrittenLines(c *journal.Comparison) (changed, added, same int) {
	for i := range c.Ledgers {
		l := &c.Ledgers[i]
		changed, added, same = changed+l.Changed(), added+l.Added, same+l.Same
	}
	return changed, added, same
}

// becameCount is how many records of all ledgers are not as they were.
func becameCount(c *journal.Comparison) (n int) {
	for _, of := range c.Counts {
		for _, k := range of {
			n += k
		}
	}
	return n
}

// ComparedNews is the headline of a comparison and the sentence below it.
func ComparedNews(ctx context.Context, c *journal.Comparison) (news, lede string) {
	changed, added, same := rewrittenLines(c)
	switch {
	case c.Problem == journal.CompareTooLarge:
		return i18n.Say(ctx, "Too large to compare here"), i18n.Say(ctx, "Only an index is kept of ledgers larger than 256 MiB, so this page can't show what changed in them or whether their history was rewritten. Use the command line instead: figs-web compare OLD NEW.")
	case c.Problem == journal.CompareUnknown:
		return i18n.Say(ctx, "Comparison not found"), i18n.Say(ctx, "The folder is no longer open, or the URL names an invalid time. Choose again below.")
	case c.Mode == journal.CompareNothing:
		return i18n.Say(ctx, "Compare this folder"), i18n.Say(ctx, "Compare it with another copy, or with itself at another time. Ledgers are append-only: earlier lines that were edited, removed or moved are shown in red, before and after.")
	case c.Partial:
		return i18n.Say(ctx, "A ledger couldn't be read completely"), i18n.Say(ctx, "A file changed while it was being read, or couldn't be read to the end, so the differences below may not be real. Read the folder again to be sure.")
	case c.DifferentAgents && c.Past == figs.HistoryUnrelated:
		return i18n.Say(ctx, "These are two different agents"), i18n.Say(ctx, "Their ids differ and they have no lines in common, so there is no line-by-line comparison. Open each agent's own pages to see its contents.")
	case c.Past == figs.HistoryUnrelated:
		return i18n.Say(ctx, "No lines in common"), i18n.Say(ctx, "These are two different folders, or the agent started over, so there is no line-by-line comparison. Open each folder's own pages to see its contents.")
	case c.Past == figs.HistoryRewritten && editedLines(c) == 0:
		return i18n.Say(ctx, "Earlier lines were removed"), i18n.Say(ctx, "Later lines are still here. Either the lines were deleted on purpose, or the older folder was merged from two copies and this is one of them.")
	case c.Past == figs.HistoryRewritten:
		return i18n.Say(ctx, "History was rewritten"), i18n.Count(ctx, changed, "%d earlier line has changed.", "%d earlier lines have changed.")
	case c.Past == figs.HistoryOlder:
		return i18n.Say(ctx, "Some lines are missing"), i18n.Count(ctx, changed, "Every line here is unchanged, but %d line is missing. This is an older copy, or its end was cut off.", "Every line here is unchanged, but %d lines are missing. This is an older copy, or its end was cut off.")
	case c.Past == figs.HistoryDiverged:
		return i18n.Say(ctx, "The two copies diverged"), i18n.Count(ctx, changed, "%d line of the other copy is changed or missing here, from the point where the two diverge to the end. Either this copy continued separately, or its history was rewritten.", "%d lines of the other copy are changed or missing here, from the point where the two diverge to the end. Either this copy continued separately, or its history was rewritten.")
	case c.Past == figs.HistoryMerged:
		return i18n.Say(ctx, "All lines are here, in a different order"), i18n.Say(ctx, "Other lines are in between, as happens when two copies are merged. An append-only ledger never looks like this.")
	case c.Past == figs.HistoryRedacted:
		return i18n.Say(ctx, "Words were replaced with placeholders"), i18n.Count(ctx, changed, "The %d changed line contains a placeholder such as [email-1]: one of the two is a redacted copy.", "Each of the %d changed lines contains a placeholder such as [email-1]: one of the two is a redacted copy.")
	case c.Past == figs.HistoryMissing:
		return i18n.Say(ctx, "A ledger is missing"), i18n.Say(ctx, "The others are unchanged. A cloned copy has no ledgers.")
	case c.Mode == journal.ComparePoints && becameCount(c) == 0:
		return i18n.Say(ctx, "No changes in between"), i18n.Say(ctx, "Every record is in the same state.")
	case c.Mode == journal.ComparePoints:
		return i18n.Say(ctx, "Changes in between"), i18n.Count(ctx, becameCount(c), "%d record has changed.", "%d records have changed.")
	}
	if n := exchanged(c); n > 0 {
		return i18n.Count(ctx, n, "The contents of %d attachment have changed", "The contents of %d attachments have changed"), i18n.Say(ctx, "No ledger line was changed. Ledgers only name an attachment, so its file can be replaced without a trace in them.")
	}
	if n := vanished(c); n > 0 {
		return i18n.Count(ctx, n, "%d file is missing from artifacts/", "%d files are missing from artifacts/"), i18n.Say(ctx, "No ledger line was changed. Attached files must stay in place; a cloned copy may lack some.")
	}
	if added == 0 && len(c.Files) == 0 {
		return i18n.Say(ctx, "Nothing has changed"), i18n.Count(ctx, same, "%d line, unchanged.", "%d lines, all unchanged.")
	}
	return i18n.Say(ctx, "History is unchanged"), i18n.Count(ctx, added, "%d line was added since.", "%d lines were added since.")
}

// editedLines counts the lines of the past that have other words or another place.
func editedLines(c *journal.Comparison) (n int) {
	for i := range c.Ledgers {
		n += c.Ledgers[i].Edited + c.Ledgers[i].Moved
	}
	return n
}

// exchanged counts the attachments that have other bytes under a name that they had.
func exchanged(c *journal.Comparison) (n int) {
	for i := range c.Files {
		if c.Files[i].Artifact && c.Files[i].Kind == figs.FileDiffers {
			n++
		}
	}
	return n
}

// vanished counts the files of artifacts/ that are no longer there.
func vanished(c *journal.Comparison) (n int) {
	for i := range c.Files {
		if c.Files[i].Artifact && c.Files[i].Kind == figs.FileDeleted {
			n++
		}
	}
	return n
}

// blame is how a changed line is marked: as a failure only where nothing else explains it.
func blame(past figs.History) string {
	if past == figs.HistoryRewritten {
		return "fail"
	}
	return "warn"
}

// LedgerWords says in a few words what became of a ledger.
func LedgerWords(ctx context.Context, l *journal.LedgerChange, past figs.History) []ui.Sign {
	var signs []ui.Sign
	note := func(n int, kind, one, many string) {
		if n > 0 {
			signs = append(signs, ui.Sign{Kind: kind, Word: i18n.Count(ctx, n, one, many)})
		}
	}
	if l.Deleted {
		return []ui.Sign{{Kind: "warn", Word: i18n.Count(ctx, l.Old, "missing, with its %d line", "missing, with its %d lines")}}
	}
	if past == figs.HistoryUnrelated {
		note(l.Old, "note", "%d there", "%d there")
		note(l.Added+l.Edited+l.Between, "note", "%d here", "%d here")
		return signs
	}
	kind := blame(past)
	note(l.Edited, kind, "%d edited", "%d edited")
	if past == figs.HistoryOlder || past == figs.HistoryDiverged {
		note(l.Removed, kind, "%d not here", "%d not here")
	} else {
		note(l.Removed, kind, "%d removed", "%d removed")
	}
	note(l.Moved, kind, "%d moved", "%d moved")
	note(l.Between, kind, "%d inserted", "%d inserted")
	if len(signs) == 0 && l.Old > 0 {
		signs = append(signs, ui.Sign{Kind: "ok", Word: i18n.Say(ctx, "unchanged")})
	}
	note(l.Added, "note", "%d new", "%d new")
	if l.Completed {
		signs = append(signs, ui.Sign{Kind: "note", Word: i18n.Say(ctx, "a cut-off last line was completed")})
	}
	if l.Dropped {
		signs = append(signs, ui.Sign{Kind: "note", Word: i18n.Say(ctx, "a cut-off last line was removed")})
	}
	note(l.Ends, "note", "%d with a different line ending", "%d with different line endings")
	if l.Joined {
		signs = append(signs, ui.Sign{Kind: "warn", Word: i18n.Say(ctx, "text was added to the last line, which had no line ending")})
	}
	return signs
}

// lineNews says what became of a line of the past.
func lineNews(ctx context.Context, l *journal.LineChange, past figs.History) string {
	switch l.Kind {
	case figs.LineRemoved:
		if past == figs.HistoryOlder || past == figs.HistoryDiverged {
			return i18n.Say(ctx, "not here")
		}
		return i18n.Say(ctx, "removed")
	case figs.LineMoved:
		return i18n.Say(ctx, "moved from line %d to line %d", l.Old, l.New)
	case figs.LineInserted:
		return i18n.Say(ctx, "inserted")
	}
	if l.Old != l.New {
		return i18n.Say(ctx, "edited, was line %d", l.Old)
	}
	return i18n.Say(ctx, "edited")
}

// lastLine is the line under which the change is listed: as it is, or as it was.
func lastLine(l *journal.LineChange) journal.Position {
	if l.New > 0 {
		return journal.Position{File: l.File, Line: l.New}
	}
	return journal.Position{File: l.File, Line: l.Old}
}

// becameGroup are records of one ledger that are not as they were.
type becameGroup struct {
	word  string
	total int
	items []*journal.RecordChange
}

func becameGroups(ctx context.Context, c *journal.Comparison) []becameGroup {
	if c.Past == figs.HistoryUnrelated {
		return nil // nothing became of anything: all of it is other
	}
	groups := []becameGroup{{word: i18n.Say(ctx, "Asks")}, {word: i18n.Say(ctx, "Jobs")}, {word: i18n.Say(ctx, "Replies")}}
	at := [figs.Ledgers]int{figs.Asks: 0, figs.Runs: 1, figs.Messages: 2}
	for _, of := range c.Counts {
		for file, n := range of {
			groups[at[file]].total += n
		}
	}
	for i := range c.Records {
		g := &groups[at[c.Records[i].File%figs.Ledgers]]
		g.items = append(g.items, &c.Records[i])
	}
	var some []becameGroup
	for _, g := range groups {
		if g.total > 0 {
			some = append(some, g)
		}
	}
	return some
}

// becameSign says what became of a record.
func becameSign(ctx context.Context, r *journal.RecordChange) ui.Sign {
	switch r.Kind {
	case figs.RecordNew:
		return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "new")}
	case figs.RecordDeleted:
		return ui.Sign{Kind: "fail", Word: i18n.Say(ctx, "no longer there")}
	case figs.AskRaised:
		return ui.Sign{Kind: "need", Word: i18n.Say(ctx, "asked again")}
	case figs.AskAnswered:
		return ui.Sign{Kind: "reply", Word: i18n.Say(ctx, "replied to")}
	case figs.AskClosed:
		return ui.Sign{Kind: "close", Word: i18n.Say(ctx, "closed")}
	case figs.JobSettled:
		return ui.Sign{Kind: "ok", Word: i18n.Say(ctx, "settled")}
	}
	return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "more lines")}
}

// stateChange are the states before and after, where they differ.
func stateChange(ctx context.Context, r *journal.RecordChange) (was, is string) {
	switch {
	case r.Kind == figs.RecordNew && r.File == figs.Asks:
		return "", phaseWord(ctx, r.NewPhase)
	case r.Kind == figs.RecordNew && r.File == figs.Runs:
		return "", outcomeWord(ctx, r.NewOutcome)
	case r.Kind == figs.RecordNew || r.Kind == figs.RecordDeleted:
	case r.File == figs.Asks && r.OldPhase != r.NewPhase:
		return phaseWord(ctx, r.OldPhase), phaseWord(ctx, r.NewPhase)
	case r.File == figs.Runs && r.OldOutcome != r.NewOutcome:
		return outcomeWord(ctx, r.OldOutcome), outcomeWord(ctx, r.NewOutcome)
	}
	return "", ""
}

func phaseWord(ctx context.Context, p figs.Phase) string {
	return [...]string{
		figs.NeedsYou: i18n.Say(ctx, "needs you"), figs.Replied: i18n.Say(ctx, "replied"), figs.BeingRevised: i18n.Say(ctx, "being revised"), figs.Declined: i18n.Say(ctx, "declined"),
		figs.Resolved: i18n.Say(ctx, "resolved"), figs.Withdrawn: i18n.Say(ctx, "withdrawn"), figs.Rejected: i18n.Say(ctx, "rejected"),
	}[min(p, figs.Rejected)]
}

func outcomeWord(ctx context.Context, o figs.Outcome) string {
	return [...]string{
		figs.OutcomeOK: i18n.Say(ctx, "OK"), figs.OutcomeWarn: i18n.Say(ctx, "warning"), figs.OutcomeFail: i18n.Say(ctx, "failed"), figs.OutcomeInFlight: i18n.Say(ctx, "running"),
		figs.OutcomeUnknown: i18n.Say(ctx, "unknown status"),
	}[min(o, figs.OutcomeUnknown)]
}

// fileSign says what became of a file.
func fileSign(ctx context.Context, f *figs.FileChange) ui.Sign {
	switch {
	case f.Kind == figs.FileNew:
		return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "new")}
	case f.Kind == figs.FileSameSize:
		return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "same size as before; contents not compared")}
	case f.Kind == figs.FileDeleted:
		return ui.Sign{Kind: "warn", Word: i18n.Say(ctx, "not in this copy")}
	case f.Artifact: // an attachment's name stands for its bytes (§7)
		return ui.Sign{Kind: "fail", Word: i18n.Say(ctx, "same name, different contents")}
	}
	return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "changed")}
}

// DiffPiece is a part of a text; Other says that the other text has not got it.
type DiffPiece struct {
	Text  string
	Other bool
}

// mostWords bounds the table in which two texts are compared word by word.
const mostWords = 600

// WordDiff cuts two texts into what both have and what only one of them has, word by word.
func WordDiff(was, is string) (a, b []DiffPiece) {
	x, y := wordsOf(was), wordsOf(is)
	from, to := 0, 0
	for from < len(x) && from < len(y) && x[from] == y[from] {
		from++
	}
	for to < len(x)-from && to < len(y)-from && x[len(x)-1-to] == y[len(y)-1-to] {
		to++
	}
	mx, my := x[from:len(x)-to], y[from:len(y)-to]
	a, b = adding(a, x[:from], false), adding(b, y[:from], false)
	if len(mx) > mostWords || len(my) > mostWords {
		a, b = adding(a, mx, true), adding(b, my, true)
	} else {
		// Row i holds, for each j, how many words mx[i:] and my[j:] have in common, in order.
		table := make([][]int, len(mx)+1)
		table[len(mx)] = make([]int, len(my)+1)
		for i := len(mx) - 1; i >= 0; i-- {
			table[i] = make([]int, len(my)+1)
			for j := len(my) - 1; j >= 0; j-- {
				if table[i][j] = max(table[i+1][j], table[i][j+1]); mx[i] == my[j] {
					table[i][j] = table[i+1][j+1] + 1
				}
			}
		}
		i, j := 0, 0
		for i < len(mx) || j < len(my) {
			switch {
			case i < len(mx) && j < len(my) && mx[i] == my[j]:
				a, b = adding(a, mx[i:i+1], false), adding(b, my[j:j+1], false)
				i, j = i+1, j+1
			case j == len(my) || i < len(mx) && table[i+1][j] >= table[i][j+1]:
				a = adding(a, mx[i:i+1], true)
				i++
			default:
				b = adding(b, my[j:j+1], true)
				j++
			}
		}
	}
	return adding(a, x[len(x)-to:], false), adding(b, y[len(y)-to:], false)
}

func adding(list []DiffPiece, words []string, other bool) []DiffPiece {
	text := strings.Join(words, "")
	if text == "" {
		return list
	}
	if n := len(list); n > 0 && list[n-1].Other == other {
		list[n-1].Text += text
		return list
	}
	return append(list, DiffPiece{text, other})
}

// wordsOf cuts a text into words and single other characters.
func wordsOf(s string) (list []string) {
	for s != "" {
		n := 0
		for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
			n++
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(s)
		}
		list = append(list, s[:n])
		s = s[n:]
	}
	return list
}

// becameAt is when the newest line of a record was written: a close carries its time inside of its resolution. "" where none is known.
func becameAt(r *journal.RecordChange) string {
	if r.Last.TS == "" && r.Ask != nil && r.Ask.Ask.Resolution != nil {
		return r.Ask.Ask.Resolution.TS
	}
	return r.Last.TS
}

// DiffSpot is the one place in which two texts differ.
type DiffSpot struct {
	At      int // the byte of the line, from 1
	Was, Is string
}

// FindDiffSpot finds the one place in which an edited line differs, where there is one and it is short enough to be said in a sentence.
func FindDiffSpot(l *journal.LineChange, was, is []DiffPiece) (s DiffSpot, ok bool) {
	before := -1
	for side, list := range [...][]DiffPiece{was, is} {
		at, n := 0, 0
		for _, p := range list {
			if p.Other {
				if n++; n > 1 || len(p.Text) > 80 || before >= 0 && before != at {
					return s, false
				}
				before = at
				if side == 0 {
					s.Was = p.Text
				} else {
					s.Is = p.Text
				}
			}
			at += len(p.Text)
		}
	}
	s.At = l.Was.From + before + 1
	return s, before >= 0
}

// blankText reports whether a text would be seen as nothing.
func blankText(s string) bool { return strings.TrimSpace(s) == "" }

// ChangesSentence is what the strip on the first view says, and how it is marked.
func ChangesSentence(ctx context.Context, s *ChangesSince) (news, more, kind string) {
	switch s.Past {
	case figs.HistoryMissing.String():
		return i18n.Count(ctx, s.Gone, "%d line you saw then isn't in this copy.", "%d lines you saw then aren't in this copy."), i18n.Say(ctx, "A whole ledger is missing. Cloned copies have none."), "warn"
	case figs.HistoryOlder.String():
		return i18n.Count(ctx, s.Removed+s.Gone, "%d line you saw then isn't here.", "%d lines you saw then aren't here."), i18n.Say(ctx, "Every line here is unchanged. This is an older copy, or its end was cut off."), "warn"
	case figs.HistoryDiverged.String():
		return i18n.Count(ctx, s.Changed+s.Gone, "%d line you saw then was changed or removed.", "%d lines you saw then were changed or removed."), i18n.Say(ctx, "Either this is another copy of the folder that diverged, or its history was rewritten."), "warn"
	case figs.HistoryMerged.String():
		return i18n.Say(ctx, "Every line you saw then is here, but in a different order or with other lines in between."), i18n.Say(ctx, "This happens when two copies are merged. An append-only ledger never looks like this."), "warn"
	case figs.HistoryRedacted.String():
		return i18n.Count(ctx, s.Changed, "%d line you saw then has different words.", "%d lines you saw then have different words."), i18n.Say(ctx, "Each contains a placeholder such as [email-1], then or now: one of the two is a redacted copy."), "warn"
	case figs.HistoryUnrelated.String():
		return i18n.Say(ctx, "None of the lines you saw then are here."), i18n.Say(ctx, "This is a different folder of the same agent, the agent started over, or its history was rewritten."), "warn"
	case figs.HistoryRewritten.String():
		if s.Changed == s.Removed {
			return i18n.Count(ctx, s.Changed, "%d line you saw then is gone, but later ones are still here.", "%d lines you saw then are gone, but later ones are still here."), i18n.Say(ctx, "Either earlier lines were removed, or the folder you opened then was merged from two copies and this is one of them."), "fail"
		}
		return i18n.Count(ctx, s.Changed+s.Gone, "History was rewritten: %d line you saw then was changed.", "History was rewritten: %d lines you saw then were changed."), "", "fail"
	}
	switch {
	case s.Added > 0:
		return i18n.Count(ctx, s.Added, "%d new line since then; every line you saw is unchanged.", "%d new lines since then; every line you saw is unchanged."), "", "note"
	case s.Ends > 0:
		return i18n.Say(ctx, "No line you saw then was changed; only line endings differ."), i18n.Say(ctx, "Copies made on another system can have them (CR LF)."), "note"
	}
	return "", "", ""
}

// ChangesSince is what became of a folder since this browser opened it before, in numbers of lines.
type ChangesSince struct {
	Agent, With             string // keys of the addresses
	Past                    string // as figs.History names it
	At                      int64  // when that was, microseconds since 1970
	Added, Changed, Removed int    // Removed are among Changed
	Gone                    int    // of ledgers that are missing
	Ends                    int    // that end in CR LF and did not, or the other way round
}
