package selected

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/wasm/bridge"
)

var _ journal.Comparer = (*Journal)(nil)

// Opening is an earlier opening of an agent's folder of which hashes were stored.
type Opening struct {
	Agent int    // number of the agent, from 1
	With  string // value for Query.With, "kept-1"
	At    int64  // microseconds since 1970
	Lines int    // how many lines the folder had
}

// SetOpenings sets the earlier openings that folders can be compared with, and whether the browser stores them.
func (j *Journal) SetOpenings(keeping journal.OpeningHistory, kept []Opening) {
	j.history, j.openings = keeping, kept
}

// Compare implements journal.Comparer.
func (j *Journal) Compare(_ context.Context, agent string, _ journal.Query) (*journal.Comparison, error) {
	if !j.hasPage(agent) {
		return nil, journal.ErrNotFound
	}
	from, ok := bridge.DecodeComparison(j.s.Text)
	if !ok {
		return nil, journal.ErrNotFound
	}
	c := &journal.Comparison{
		Mode: journal.CompareMode(from.Mode), Problem: journal.CompareProblem(from.Problem), Past: from.Past, DifferentAgents: from.Others, Partial: from.Partial, Path: from.Path, Counts: from.Counts, Files: from.Files,
		Was: journal.Instant{Point: from.From.String(), TS: from.FromAt}, Now: journal.Instant{Point: from.To.String(), TS: from.ToAt},
		Choices: j.choices(), OpeningHistory: j.history,
	}
	for i, l := range from.Ledgers {
		c.Ledgers = append(c.Ledgers, journal.LedgerChange{
			File: figs.File(i), Old: l.Old, Same: l.Same, Added: l.Added, Deleted: l.Gone, Completed: l.Completed, Joined: l.Joined, Dropped: l.Dropped, Ends: l.Ends,
			Edited: l.Counts[figs.LineEdited], Removed: l.Counts[figs.LineRemoved], Moved: l.Counts[figs.LineMoved], Between: l.Counts[figs.LineInserted],
		})
	}
	var lines []journal.LineChange
	for i := range from.Lines {
		l := &from.Lines[i]
		lines = append(lines, journal.LineChange{
			Kind: l.Kind, File: l.File, Old: l.Old, New: l.New, Owner: j.recordAddress(bridge.Ref{File: l.File, Record: l.Record}), Was: trimText(&l.Was), Is: trimText(&l.Now),
		})
	}
	c.Lines = *page(j, lines)
	replies := map[int]figs.Reply{}
	for _, reply := range j.f.Replies() {
		replies[reply.Message] = reply
	}
	for i := range from.Records {
		c.Records = append(c.Records, j.recordChange(&from.Records[i], replies))
	}
	return c, nil
}

func (j *Journal) recordChange(r *bridge.RecordComparison, replies map[int]figs.Reply) journal.RecordChange {
	c := journal.RecordChange{Kind: r.Kind, File: r.Ref.File, Owner: j.recordAddress(r.Ref), ID: r.ID}
	switch r.Ref.File {
	case figs.Runs:
		c.OldOutcome, c.NewOutcome = figs.Outcome(max(0, r.Was)), figs.Outcome(max(0, r.Is))
	case figs.Asks:
		c.OldPhase, c.NewPhase = figs.Phase(max(0, min(r.Was, int(figs.Rejected)))), figs.Phase(max(0, min(r.Is, int(figs.Rejected))))
	}
	n := j.recordIn(r.Ref)
	if n < 0 {
		return c
	}
	c.ID, c.Title = j.f.ID(r.Ref.File, n), j.title(r.Ref.File, n)
	_, last, _ := j.f.Ends(r.Ref.File, n)
	c.Last = j.position(r.Ref.File, last)
	switch r.Ref.File {
	case figs.Messages:
		m := j.message(replies[n])
		c.Message = &m
	case figs.Asks:
		ask := j.ask(n)
		c.Ask = &ask
	}
	return c
}

// trimText converts a part of a line, without incomplete characters at its ends.
func trimText(p *bridge.TextPart) journal.LineText {
	t := journal.LineText{Known: p.Known, Text: p.Text, From: p.From, Size: p.Size}
	for t.From > 0 && len(t.Text) > 0 && t.Text[0]&0xC0 == 0x80 {
		t.Text = t.Text[1:]
		t.From++
	}
	if t.From+len(t.Text) < t.Size {
		for n := 0; n < 3 && len(t.Text) > 0 && t.Text[len(t.Text)-1] >= 0x80; n++ {
			last := t.Text[len(t.Text)-1]
			t.Text = t.Text[:len(t.Text)-1]
			if last >= 0xC0 {
				break
			}
		}
	}
	t.Text = bytes.TrimRight(t.Text, "\r")
	return t
}

// choices returns what the selected agent can be compared with: other folders, those of the same agent first, and earlier
// openings.
func (j *Journal) choices() (list []journal.CompareChoice) {
	own := j.agent(j.s.Agent)
	var others []journal.CompareChoice
	for i := range j.s.Agents {
		if i == j.s.Agent {
			continue
		}
		a := j.agent(i)
		c := journal.CompareChoice{With: "agent-" + strconv.Itoa(i+1), Agent: &a, Lines: a.Counts.Lines}
		if c.Same = a.Config.AgentID != "" && strings.EqualFold(a.Config.AgentID, own.Config.AgentID); c.Same {
			list = append(list, c)
		} else {
			others = append(others, c)
		}
	}
	for _, k := range j.openings {
		if k.Agent == j.s.Agent+1 {
			list = append(list, journal.CompareChoice{With: k.With, At: k.At, Lines: k.Lines})
		}
	}
	return append(list, others...)
}
