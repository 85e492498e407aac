package figs

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// pastLine is one line of a made-up history of one ask.
type pastLine struct {
	file File
	text string
	at   int64
}

// madeHistory makes up what an agent and people wrote about one ask, a second or more apart.
func madeHistory(r *rand.Rand) []pastLine {
	at := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	var all []pastLine
	ts := func() string { return at.Format(time.RFC3339) }
	add := func(file File, format string, args ...any) {
		all = append(all, pastLine{file, fmt.Sprintf(format, args...), at.UnixMicro()})
	}
	typ := [...]string{"sign-off", "question"}[r.IntN(2)]
	raise := func() {
		add(Asks, `{"id":"a","type":%q,"title":"T%d","ts":%q}`, typ, r.IntN(3), ts())
	}
	raise()
	closed, replies := false, 0
	for range r.IntN(12) {
		at = at.Add(time.Duration(1+r.IntN(90)) * time.Second)
		switch k := r.IntN(12); {
		case closed && k < 6:
			add(Asks, `{"id":"a","status":"open","title":"R%d","ts":%q}`, r.IntN(3), ts())
			closed = false
		case k < 2 && !closed:
			raise()
		case k < 4 && !closed && typ == "sign-off":
			add(Asks, `{"id":"a","type":"sign-off","onApprove":["step %d"],"attachments":["f%d.md"],"ts":%q}`, len(all), r.IntN(2), ts())
		case k >= 10 && !closed: // without a type
			add(Asks, `{"id":"a","onApprove":["step %d"],"ts":%q}`, len(all), ts())
		case k < 5 && !closed:
			status := [...]string{"resolved", "withdrawn", "resolved", "rejected"}[r.IntN(4)]
			add(Asks, `{"id":"a","status":%q,"resolution":{"ts":%q,"note":"n%d"}}`, status, ts(), len(all))
			if closed = true; status == "rejected" {
				return all
			}
		default:
			replies++
			if typ == "question" {
				add(Messages, `{"id":"m%d","kind":"answer","ask":"a","by":"ana","ts":%q,"text":"x"}`, replies, ts())
			} else {
				word := [...]string{"approved", "changes-requested", "changes-requested", "rejected"}[r.IntN(4)]
				add(Messages, `{"id":"m%d","kind":"verdict","ask":"a","by":"ana","ts":%q,"verdict":%q,"text":"x"}`, replies, ts(), word)
			}
		}
	}
	return all
}

// TestOneState: however a history is cut into pushes, the desk shows what the folder shows. Two figures cannot be
// known where one push hides a raise under a later line: how many rounds there were, and when a raise before
// the first reply was made. There the round is at most the folder's, and an open ask is open since then or later.
func TestOneState(t *testing.T) {
	histories := 4000
	if testing.Short() {
		histories = 1000
	}
	wrong := 0
	for seed := range histories {
		r := rand.New(rand.NewPCG(20, uint64(seed)))
		history := madeHistory(r)
		f := New(Options{})
		var asks, messages [][]byte
		var stored Stored
		raised, hidden := 0, false
		desk := NewDesk()
		sent := 0 // replies
		often := 1 + r.IntN(6)
		for i, h := range history {
			f.Feed(h.file, []byte(h.text+"\n"))
			if h.file == Asks {
				if asks = append(asks, []byte(h.text)); raised > 0 {
					hidden = true // unless nothing else comes before the push
				}
				raised++
			} else {
				messages = append(messages, []byte(h.text))
			}
			if i < len(history)-1 && r.IntN(often) > 0 {
				continue
			}
			arrived := h.at + 500_000
			for range 1 + r.IntN(2) { // again, or from another machine
				m := Merge(&PushRecord{File: Asks, Lines: [][]byte{AppendObject(nil, Fold(asks))}}, &stored)
				if m.Refused != NotRefused {
					t.Fatalf("history %d: refused %v", seed, m.Refused)
				}
				for _, v := range m.New {
					v.At = arrived
					desk.Version(v)
					stored.Trail = append(stored.Trail, v)
				}
				if stored.Fold = m.Fold; len(m.New) > 0 && Settled(Asks, m.Fold) {
					stored.ClosedAt = arrived
				}
			}
			for ; sent < len(messages); sent++ {
				desk.Reply(messages[sent], arrived, false)
			}
			raised = 0
		}
		f.Finish()
		desk.Finish()
		want := f.State(0)
		got, _ := desk.State("a")
		same := got.Phase == want.Phase && got.Reply == want.Reply
		if hidden {
			same = same && got.Round <= want.Round && (want.Phase.Closed() || got.Since >= want.Since)
		} else {
			same = same && got.Round == want.Round && got.Since == want.Since
		}
		if !same {
			if wrong++; wrong <= 3 {
				t.Errorf("history %d, hidden %v: the folder shows %+v, the desk %+v", seed, hidden, want, got)
				for _, h := range history {
					t.Log(h.text)
				}
				for _, v := range stored.Trail {
					t.Logf("version at %s: %s", time.UnixMicro(v.At).UTC().Format(time.RFC3339), v.Line)
				}
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d histories went wrong", wrong, histories)
	}
}

// TestOneStateTies states what becomes of a reply in the second of the first version that a server sees. The
// fold does not tell whether it answered that version or one that is folded away: a request for changes
// asks once too often, any other reply counts.
func TestOneStateTies(t *testing.T) {
	const raise = `{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z"}`
	for _, c := range []struct {
		verdict  string
		verified bool
		want     Phase
		round    int
	}{
		{"approved", false, Replied, 1},
		{"rejected", false, Declined, 1},
		{"changes-requested", false, NeedsYou, 2},
		{"changes-requested", true, BeingRevised, 1}, // given here, to this version
	} {
		d := NewDesk()
		d.Version(Version{Line: []byte(raise), Snapshot: true, At: timeOfText("2026-11-20T10:00:00Z")})
		d.Reply([]byte(`{"id":"m","kind":"verdict","ask":"a","by":"ana","ts":"2026-11-20T10:00:00Z","verdict":"`+c.verdict+`"}`), timeOfText("2026-11-20T10:00:01Z"), c.verified)
		d.Finish()
		if s, _ := d.State("a"); s.Phase != c.want || s.Round != c.round {
			t.Errorf("%s, verified %v: %s in round %d, want %s in round %d", c.verdict, c.verified, s.Phase, s.Round, c.want, c.round)
		}
	}
}

// A sign-off that was answered and raised again before its first push needs a human: what the folder shows.
func TestOneStateFirstPush(t *testing.T) {
	d := NewDesk()
	d.Version(Version{Line: []byte(`{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T17:05:00Z"}`), Snapshot: true, At: timeOfText("2026-11-20T18:00:00Z")})
	d.Reply([]byte(`{"id":"m","kind":"verdict","ask":"a","by":"ana","ts":"2026-11-20T16:30:00Z","verdict":"changes-requested"}`), timeOfText("2026-11-20T18:00:00Z"), false)
	d.Finish()
	if s, _ := d.State("a"); s.Phase != NeedsYou || s.Round != 2 {
		t.Errorf("%s in round %d", s.Phase, s.Round)
	}
	if thread := d.Thread("a"); !thread[0].Earlier || thread[0].Round != 1 {
		t.Errorf("the reply: %+v", thread[0])
	}
}
