package provenance

import (
	"slices"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
)

// event is a line of an ask's trail, or a reply to it.
type event struct {
	line  *journal.TrailEntry
	at    int // of the line in the trail
	reply *journal.Message
}

// events puts lines and replies in the order in which they came to be: the ledger's and the thread's own
// order stay, and a reply stands before the line that began the round after its own. Within a round times
// tell, as far as there are any; what ties came first as a reply, unless the line raises.
func events(a *journal.Ask) []event {
	var all []event
	next := 0
	for i := range a.Trail {
		m := &a.Trail[i]
		for ; next < len(a.Thread) && before(&a.Thread[next], m); next++ {
			all = append(all, event{reply: &a.Thread[next]})
		}
		all = append(all, event{line: m, at: i})
	}
	for ; next < len(a.Thread); next++ {
		all = append(all, event{reply: &a.Thread[next]})
	}
	return all
}

func before(r *journal.Message, m *journal.TrailEntry) bool {
	if r.Round != m.Round {
		return r.Round < m.Round
	}
	if at := timeOf(m); at != figs.NoTime {
		return r.At < at || r.At == at && !m.Raises
	}
	return m.Closes
}

// timeOf is when a line was written: its own time, else that of the close that it brings.
func timeOf(m *journal.TrailEntry) int64 {
	if m.Position.TS == "" && m.Ask != nil && m.Ask.Resolution != nil {
		if at, ok := figs.ParseTime(m.Ask.Resolution.TS); ok {
			return at
		}
	}
	return m.At
}

// stood tells where an ask stood after each event. Of very many, those in the middle are one step.
func (t *tale) stood(a *journal.Ask) []Step {
	all := events(a)
	var steps []Step
	var lines []*journal.TrailEntry
	var replies []*journal.Message
	single := most(all)
	since := 0
	for i := range all {
		e := &all[i]
		fold := figs.Object(nil)
		if e.line != nil {
			lines = append(lines, e.line)
		} else {
			replies = append(replies, e.reply)
		}
		if since++; i >= single/2 && i < len(all)-(single-single/2) {
			continue
		}
		if len(lines) > 0 {
			fold = t.named[len(lines)-1]
		}
		state, decides := stateOf(lines, replies)
		step := Step{Line: e.line, Reply: e.reply, Events: since, Standing: &state, Type: fold.Get("type").Text(), Decides: decides}
		if e.line != nil {
			step.Events += max(0, e.line.Folded-1)
		}
		step.Rule = stateRule(steps, &step)
		steps, since = append(steps, step), 0
	}
	if n := len(steps); n == 0 || !sameState(steps[n-1].Standing, &a.State) {
		state := a.State
		steps = append(steps, Step{Rule: Together, Standing: &state, Type: a.Ask.Type, Decides: decider(a)})
	}
	return steps
}

// most is how many events are looked at one by one: each means reading all before it.
func most(all []event) int {
	size := 1
	for i := range all {
		if e := &all[i]; e.line != nil {
			size += len(e.line.Raw)
		} else {
			size += len(e.reply.Raw)
		}
	}
	n := len(all)
	if n > 400 {
		n = min(400, 200_000/n)
	}
	return min(len(all), max(4, min(n, mostRead/size)))
}

// mostRead is how many bytes are read to tell where an ask stood after each event.
const mostRead = 128 << 20

func sameState(x, y *figs.AskState) bool {
	return x.Phase == y.Phase && x.Round == y.Round && x.Reported == y.Reported && x.Since == y.Since
}

func decider(a *journal.Ask) *journal.Message {
	if i := a.State.Reply; i >= 0 && i < len(a.Thread) {
		return &a.Thread[i]
	}
	return nil
}

// stateOf asks the core where an ask stands of which there are these lines and replies alone, and which
// reply says so.
func stateOf(lines []*journal.TrailEntry, replies []*journal.Message) (state figs.AskState, decides *journal.Message) {
	if len(lines) == 0 {
		return figs.AskState{Round: 1, Reply: -1, Since: figs.NoTime}, nil
	}
	var thread []figs.Reply
	given := slices.Clone(replies)
	if lines[0].Received != 0 {
		state, thread = atDesk(lines, given)
	} else {
		state, thread = inFolder(lines, given)
	}
	if state.Reply >= 0 && state.Reply < len(thread) && thread[state.Reply].Message < len(given) {
		decides = given[thread[state.Reply].Message]
	}
	return state, decides
}

// inFolder reads them as a folder. Only what the state needs of a reply is written again.
func inFolder(lines []*journal.TrailEntry, replies []*journal.Message) (figs.AskState, []figs.Reply) {
	f := figs.New(figs.Options{Loose: true})
	for _, m := range lines {
		f.Feed(figs.Asks, append(slices.Clone(m.Raw), '\n'))
	}
	for _, m := range replies {
		f.Feed(figs.Messages, append(eventOf(m), '\n'))
	}
	f.Finish()
	if f.Records(figs.Asks) == 0 {
		return figs.AskState{Round: 1, Reply: -1, Since: figs.NoTime}, nil
	}
	return f.State(0), f.Thread(0)
}

func eventOf(m *journal.Message) []byte {
	ts := m.Message.TS
	if at, ok := figs.ParseTime(ts); !ok || at != m.At {
		ts = ""
		if m.At != figs.NoTime {
			ts = time.UnixMicro(m.At).UTC().Format("2006-01-02T15:04:05.999999Z")
		}
	}
	o := figs.Object{}
	for _, f := range [...][2]string{{"id", m.Message.ID}, {"kind", m.Message.Kind}, {"ask", m.Message.Ask}, {"ts", ts}, {"verdict", m.Message.Verdict}} {
		if f[1] != "" {
			o = append(o, figs.Field{Key: f[0], Value: jsonl.Value{Kind: jsonl.String, Raw: figs.AppendString(nil, f[1])}})
		}
	}
	return figs.AppendObject(nil, o)
}

// atDesk reads them as a server does, which has each version as it came, and knows which replies it minted
// itself. It puts the replies into the order in which they arrived.
func atDesk(lines []*journal.TrailEntry, replies []*journal.Message) (figs.AskState, []figs.Reply) {
	d := figs.NewAskStates()
	for _, m := range lines {
		d.Version(figs.Version{Line: m.Raw, Snapshot: m.Snapshot, At: m.Received})
	}
	slices.SortStableFunc(replies, func(x, y *journal.Message) int { return x.No - y.No })
	for _, m := range replies {
		d.Reply(m.Raw, m.Received, m.Verified)
	}
	d.Finish()
	id := figs.Fold([][]byte{lines[0].Raw}).Get("id").Text()
	state, ok := d.State(id)
	if !ok {
		return figs.AskState{Round: 1, Reply: -1, Since: figs.NoTime}, nil
	}
	return state, d.Thread(id)
}

// rounds are the steps that began a round, or moved since when it lasts.
func rounds(stood []Step) []Step {
	var out []Step
	for _, s := range stood {
		if n := len(out); n > 0 && out[n-1].Standing.Round == s.Standing.Round && out[n-1].Standing.Since == s.Standing.Since {
			continue
		}
		out = append(out, s)
	}
	return out
}

// grades are the steps that changed which reply the state rests on, and who vouches for it; none when no
// reply ever decided anything.
func grades(stood []Step) []Step {
	var out []Step
	var was *journal.Message
	word, ever := "", false
	for _, s := range stood {
		is := ""
		switch {
		case s.Decides == nil:
		case s.Standing.Reported:
			is, s.Rule = "transcribed", GradeTranscribed
		case !s.Decides.Verified:
			is, s.Rule = "verified", GradeConfirmed
		default:
			is, s.Rule = "verified", GradeVerified
		}
		if s.Decides == nil {
			s.Rule = GradeNone
			if was != nil && s.Line != nil && s.Standing.Phase == figs.NeedsYou && s.Standing.Round > 1 {
				s.Rule = GradeEarlier
			}
		}
		ever = ever || s.Decides != nil
		if s.Decides != was || is != word || len(out) == 0 {
			s.Reads, was, word = is, s.Decides, is
			out = append(out, s)
		}
	}
	if !ever {
		return nil
	}
	return out
}
