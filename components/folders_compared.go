package components

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// comparison is the page about a folder and what it is compared with.
func (r *request) comparison() (view, error) {
	j, ok := r.j.(journal.Comparer)
	if !ok {
		return view{}, journal.ErrNotFound
	}
	c, err := j.Compare(r.ctx, r.agent.Key, r.query)
	return r.page(say(r.ctx, "Compare"), err, func() templ.Component { return FoldersComparedPage(r.site, r.agent, r.query, c) })
}

// inspecting reports whether the page is the inspector's own, whose script can read another folder and keep hashes.
func (s Site) inspecting() bool { return s.Offline && s.Base == "" }

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

// comparedNews is the headline of a comparison and the sentence below it.
func comparedNews(ctx context.Context, c *journal.Comparison) (news, lede string) {
	changed, added, same := rewrittenLines(c)
	switch {
	case c.Problem == journal.CompareBlind:
		return say(ctx, "Too large to compare here"), say(ctx, "A browser keeps at most 256 MiB of ledgers, and only what is kept can be compared. In a terminal there is no such limit: figs-web compare OLD NEW.")
	case c.Problem == journal.CompareUnknown:
		return say(ctx, "There is nothing of that name to compare with"), say(ctx, "The folder is no longer open, or the address names a time that nobody understands. Choose again below.")
	case c.Mode == journal.CompareNothing:
		return say(ctx, "What has become of this folder?"), say(ctx, "Compare it with another copy or with itself at another time. Ledgers only ever grow; where a line of the past was edited, removed or moved, it is shown in red, as it was and as it is.")
	case changed > 0:
		return say(ctx, "The past was rewritten"), count(ctx, changed, "%d line that had been written does not stand as it stood.", "%d lines that had been written do not stand as they stood.")
	case c.Mode == journal.ComparePoints:
		return say(ctx, "What happened in between"), count(ctx, becameCount(c), "%d record is not as it was.", "%d records are not as they were.")
	case added == 0 && len(c.Files) == 0:
		return say(ctx, "Nothing has changed"), count(ctx, same, "%d line, and it stands as it stood.", "%d lines, and all stand as they stood.")
	}
	return say(ctx, "The past stands as it stood"), count(ctx, added, "%d line came after it.", "%d lines came after it.")
}

// ledgerWords says in a few words what became of a ledger.
func ledgerWords(ctx context.Context, l *journal.LedgerChange) []sign {
	var signs []sign
	note := func(n int, kind, one, many string) {
		if n > 0 {
			signs = append(signs, sign{kind, count(ctx, n, one, many)})
		}
	}
	if l.Gone {
		return []sign{{"fail", count(ctx, l.Old, "gone, with its %d line", "gone, with its %d lines")}}
	}
	note(l.Edited, "fail", "%d edited", "%d edited")
	note(l.Removed, "fail", "%d removed", "%d removed")
	note(l.Moved, "fail", "%d moved", "%d moved")
	note(l.Between, "fail", "%d put in between", "%d put in between")
	if len(signs) == 0 && l.Old > 0 {
		signs = append(signs, sign{"ok", say(ctx, "stands as it stood")})
	}
	note(l.Added, "note", "%d new", "%d new")
	if l.Completed {
		signs = append(signs, sign{"note", say(ctx, "a torn last line was completed")})
	}
	if l.Joined {
		signs = append(signs, sign{"warn", say(ctx, "something was written on behind the last line, which had no end")})
	}
	return signs
}

// lineNews says what became of a line of the past.
func lineNews(ctx context.Context, l *journal.LineChange) string {
	switch l.Kind {
	case figs.LineRemoved:
		return say(ctx, "removed")
	case figs.LineMoved:
		return say(ctx, "moved from line %d to line %d", l.Old, l.New)
	case figs.LineInserted:
		return say(ctx, "put in between")
	}
	if l.Old != l.New {
		return say(ctx, "edited, and stood at line %d", l.Old)
	}
	return say(ctx, "edited")
}

// lastLine is the line under which the change is listed: as it is, or as it was.
func lastLine(l *journal.LineChange) journal.Place {
	if l.New > 0 {
		return journal.Place{File: l.File, Line: l.New}
	}
	return journal.Place{File: l.File, Line: l.Old}
}

// becameGroup are records of one ledger that are not as they were.
type becameGroup struct {
	word  string
	total int
	items []*journal.RecordChange
}

func becameGroups(ctx context.Context, c *journal.Comparison) []becameGroup {
	groups := []becameGroup{{word: say(ctx, "Asks")}, {word: say(ctx, "Jobs")}, {word: say(ctx, "Replies")}}
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
func becameSign(ctx context.Context, r *journal.RecordChange) sign {
	switch r.Kind {
	case figs.RecordNew:
		return sign{"note", say(ctx, "new")}
	case figs.RecordLost:
		return sign{"fail", say(ctx, "not there any more")}
	case figs.AskRaised:
		return sign{"need", say(ctx, "asked again")}
	case figs.AskAnswered:
		return sign{"reply", say(ctx, "replied to")}
	case figs.AskClosed:
		return sign{"close", say(ctx, "closed")}
	case figs.JobSettled:
		return sign{"ok", say(ctx, "settled")}
	}
	return sign{"note", say(ctx, "more lines")}
}

// stateChange are the states before and after, where they differ.
func stateChange(ctx context.Context, r *journal.RecordChange) (was, is string) {
	switch {
	case r.Kind == figs.RecordNew && r.File == figs.Asks:
		return "", phaseWord(ctx, r.NewPhase)
	case r.Kind == figs.RecordNew && r.File == figs.Runs:
		return "", outcomeWord(ctx, r.NewOutcome)
	case r.Kind == figs.RecordNew || r.Kind == figs.RecordLost:
	case r.File == figs.Asks && r.OldPhase != r.NewPhase:
		return phaseWord(ctx, r.OldPhase), phaseWord(ctx, r.NewPhase)
	case r.File == figs.Runs && r.OldOutcome != r.NewOutcome:
		return outcomeWord(ctx, r.OldOutcome), outcomeWord(ctx, r.NewOutcome)
	}
	return "", ""
}

func phaseWord(ctx context.Context, p figs.Phase) string {
	return [...]string{
		figs.NeedsYou: say(ctx, "needs you"), figs.Replied: say(ctx, "replied"), figs.BeingRevised: say(ctx, "being revised"), figs.Declined: say(ctx, "declined"),
		figs.Resolved: say(ctx, "resolved"), figs.Withdrawn: say(ctx, "withdrawn"), figs.Rejected: say(ctx, "rejected"),
	}[min(p, figs.Rejected)]
}

func outcomeWord(ctx context.Context, o figs.Outcome) string {
	return [...]string{
		figs.OutcomeOK: say(ctx, "ok"), figs.OutcomeWarn: say(ctx, "warn"), figs.OutcomeFail: say(ctx, "fail"), figs.OutcomeInFlight: say(ctx, "in flight"),
		figs.OutcomeUnknown: say(ctx, "unknown status"),
	}[min(o, figs.OutcomeUnknown)]
}

// fileSign says what became of a file.
func fileSign(ctx context.Context, f *figs.FileChange) sign {
	switch {
	case f.Kind == figs.FileNew:
		return sign{"note", say(ctx, "new")}
	case f.Kind == figs.FileGone:
		return sign{"warn", say(ctx, "not in this copy")}
	case f.Artifact: // an attachment's name stands for its bytes (§7)
		return sign{"fail", say(ctx, "other bytes under the same name")}
	}
	return sign{"note", say(ctx, "changed")}
}

// piece is a part of a text; Other says that the other text has not got it.
type piece struct {
	text  string
	other bool
}

// mostWords bounds the table in which two texts are compared word by word.
const mostWords = 600

// differing cuts two texts into what both have and what only one of them has, word by word.
func differing(was, is string) (a, b []piece) {
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

func adding(list []piece, words []string, other bool) []piece {
	text := strings.Join(words, "")
	if text == "" {
		return list
	}
	if n := len(list); n > 0 && list[n-1].other == other {
		list[n-1].text += text
		return list
	}
	return append(list, piece{text, other})
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

// sinceWords is what the strip on the first view says.
func sinceWords(ctx context.Context, s *Since) (news, more string) {
	switch {
	case s.Gone > 0 && s.Changed == 0:
		return count(ctx, s.Gone, "%d line that you saw then is not in this copy.", "%d lines that you saw then are not in this copy."), say(ctx, "A whole ledger is missing: copies that were cloned have none.")
	case s.Changed+s.Gone > 0 && s.Removed == s.Changed:
		return count(ctx, s.Changed+s.Gone, "%d line that you saw then is no longer there.", "%d lines that you saw then are no longer there."), say(ctx, "Ledgers only grow: either this is an older copy, or its past was rewritten.")
	case s.Changed+s.Gone > 0:
		return count(ctx, s.Changed+s.Gone, "The past was rewritten: %d line that you saw then was changed.", "The past was rewritten: %d lines that you saw then were changed."), ""
	case s.Added > 0:
		return count(ctx, s.Added, "%d line has come since; all that you saw then stands as it stood.", "%d lines have come since; all that you saw then stands as it stood."), ""
	}
	return "", ""
}

// Since is what became of a folder since this browser opened it before, in numbers of lines.
type Since struct {
	Agent, With             string // keys of the addresses
	At                      int64  // when that was, microseconds since 1970
	Added, Changed, Removed int    // Removed are among Changed
	Gone                    int    // of ledgers that are missing
}
