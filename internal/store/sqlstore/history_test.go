//go:build unix

package sqlstore

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// team is a store with a few people; clock is after everything that has happened.
type team struct {
	*testing.T
	s      *Store
	people []string // an owner, a member, a manager, a builder
	clock  int64
}

func newTeam(t *testing.T, s *Store) *team {
	x := &team{T: t, s: s, clock: time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC).UnixMicro()}
	for i := range 4 {
		u := store.User{ID: store.NewID(), Email: fmt.Sprintf("p%d@example.org", i), Name: fmt.Sprintf("Person %d", i), Created: 1}
		x.must(s.AddUser(ctx, store.Act{At: x.clock}, u))
		x.people = append(x.people, u.ID)
	}
	return x
}

func (x *team) must(err error) {
	x.Helper()
	if err != nil {
		x.Fatal(err)
	}
}

func (x *team) workspace(n int) string {
	w := store.Workspace{ID: store.NewID(), Slug: fmt.Sprint("w", n), Name: "W", Created: x.clock}
	x.must(x.s.AddWorkspace(ctx, store.Act{At: x.clock}, w, x.people[0]))
	for _, person := range x.people[1:] {
		x.must(x.s.SetMember(ctx, store.Act{At: x.clock}, w.ID, person, store.Member))
	}
	return w.ID
}

// history is what an agent wrote and people replied, as its folder has it.
type history struct {
	*team
	w, agent         string
	seed             uint64
	n                int
	r                *rand.Rand
	manager, builder string

	charter string
	lines   []ledgerLine
	asks    []*generatedAsk
	jobs    []string
	skew    int64           // the server's clock is so much ahead of the agent's
	events  bool            // the client sends runEvents
	pushed  []int           // how many lines each push so far had
	fresh   map[string]int  // by id: lines since the last push
	hidden  map[string]bool // by id: a push had a line under a later one
	minted  map[string]bool // ids of replies that were given on the server
	log     []string
}

// ledgerLine is a line of a ledger.
type ledgerLine struct {
	file figs.File
	id   string
	text []byte
}

// generatedAsk is an ask while its history is generated.
type generatedAsk struct {
	id, kind, to string
	closed, over bool
	last         string // its newest reply
}

func newHistory(x *team, w string, seed uint64, n int) *history {
	h := &history{team: x, w: w, seed: seed, n: n, r: rand.New(rand.NewPCG(seed, uint64(n))), agent: store.NewID(), charter: `"name":"N"`}
	for i := range 1 + h.r.IntN(3) {
		h.asks = append(h.asks, &generatedAsk{id: fmt.Sprint("a", i), kind: pick(h.r, []string{"sign-off", "question"}), to: pick(h.r, []string{"", "manager", "builder"})})
	}
	for i := range h.r.IntN(3) {
		h.jobs = append(h.jobs, fmt.Sprint("r", i))
	}
	h.events, h.minted, h.fresh, h.hidden = h.r.IntN(4) == 0, map[string]bool{}, map[string]int{}, map[string]bool{}
	h.skew = pick(h.r, []int64{0, 0, 3600, -3600}) * 1_000_000
	h.push(0) // registers the agent
	h.manager, h.builder = pick(h.r, []string{"", x.people[2]}), pick(h.r, []string{"", x.people[3]})
	h.must(x.s.Assign(ctx, store.Act{At: x.clock}, h.agent, h.manager, h.builder))
	return h
}

func (h *history) ts() string { return time.UnixMicro(h.clock).UTC().Format(time.RFC3339) }

func (h *history) write(file figs.File, id, format string, args ...any) {
	h.lines = append(h.lines, ledgerLine{file, id, fmt.Appendf(nil, format, args...)})
	h.fresh[id]++
}

// generate generates the history and pushes it, in parts or at the end.
func (h *history) generate() {
	often := 1 + h.r.IntN(8)
	steps := 1 + h.r.IntN(24)
	for i := range steps {
		h.clock += int64(1+h.r.IntN(90)) * 1_000_000
		switch k := h.r.IntN(20); {
		case k == 0:
			h.charter = fmt.Sprintf(`"name":"N","role":"Role %d","units":[{"id":"u%d","name":"U"}],"org":{"department":"D%d"}`, i, i%3, i%2)
		case k < 5 && len(h.jobs) > 0:
			h.job(pick(h.r, h.jobs))
		case k < 6:
			h.write(figs.Messages, "", `{"id":"m%d","kind":"answer","ask":"nowhere","by":"Ana","ts":%q,"text":"x"}`, len(h.lines), h.ts())
		default:
			h.ask(pick(h.r, h.asks))
		}
		if i < steps-1 && h.r.IntN(often) > 0 {
			continue
		}
		h.push(len(h.lines))
		for h.r.IntN(4) == 0 {
			h.push(len(h.lines)) // again, or from another copy
		}
		if h.r.IntN(4) == 0 { // from a copy that is behind
			h.push(pick(h.r, h.pushed))
			h.push(len(h.lines))
		}
		if h.skew == 0 && h.r.IntN(2) == 0 {
			h.decide(pick(h.r, h.asks))
		}
	}
}

// job writes a line of a job.
func (h *history) job(id string) {
	state, status := pick(h.r, []string{"in-flight", "in-flight", "settled"}), ""
	if h.r.IntN(2) == 0 {
		status = fmt.Sprintf(`,"status":%q`, pick(h.r, []string{"ok", "warn", "fail"}))
	}
	if h.r.IntN(3) == 0 {
		status += fmt.Sprintf(`,"title":"Job %d","unit":"u%d"`, len(h.lines), h.r.IntN(4))
	}
	if h.r.IntN(3) == 0 {
		status += fmt.Sprintf(`,"attachments":["f%d.md"],"session":{"sessionId":"s%d","tokens":{"input":%d}}`, h.r.IntN(3), h.r.IntN(2), h.r.IntN(1000))
	}
	h.write(figs.Runs, id, `{"id":%q,"ts":%q,"eventId":"e%d","state":%q,"result":"line %d"%s}`, id, h.ts(), len(h.lines), state, len(h.lines), status)
}

// ask writes a line of an ask, or a reply to it.
func (h *history) ask(a *generatedAsk) {
	began := slices.ContainsFunc(h.lines, func(l ledgerLine) bool { return l.file == figs.Asks && l.id == a.id })
	raise := func(fields string) {
		if a.to != "" {
			fields += fmt.Sprintf(`,"to":%q`, a.to)
		}
		h.write(figs.Asks, a.id, `{"id":%q,"type":%q,"status":"open","ts":%q%s}`, a.id, a.kind, h.ts(), fields)
	}
	switch k := h.r.IntN(14); {
	case !began:
		raise(fmt.Sprintf(`,"title":"T%d"`, h.r.IntN(3)))
	case a.over:
	case a.closed && k < 7:
		if h.r.IntN(2) == 0 {
			a.to = pick(h.r, []string{"manager", "builder"})
		}
		raise(fmt.Sprintf(`,"title":"R%d"`, h.r.IntN(3)))
		a.closed = false
	case k < 3 && !a.closed:
		raise(fmt.Sprintf(`,"title":"T%d","run":"r%d"`, h.r.IntN(3), h.r.IntN(3)))
	case k < 4 && !a.closed && a.kind == "sign-off":
		raise(fmt.Sprintf(`,"onApprove":["step %d"],"attachments":["f%d.md"]`, len(h.lines), h.r.IntN(3)))
	case k < 6 && !a.closed: // without a type
		h.write(figs.Asks, a.id, `{"id":%q,"need":"need %d","ts":%q}`, a.id, len(h.lines), h.ts())
	case k < 8 && !a.closed:
		status, cites := pick(h.r, []string{"resolved", "withdrawn", "resolved", "rejected"}), ""
		if a.last != "" && h.r.IntN(2) == 0 {
			cites = fmt.Sprintf(`"via":"figs","answer":%q,`, a.last)
		}
		h.write(figs.Asks, a.id, `{"id":%q,"status":%q,"resolution":{%s"ts":%q,"note":"n%d"}}`, a.id, status, cites, h.ts(), len(h.lines))
		a.closed, a.over = true, status == "rejected"
	default:
		h.reply(a)
	}
}

// reply adds a reply to an ask, as written by the agent.
func (h *history) reply(a *generatedAsk) {
	a.last = fmt.Sprint("m", len(h.lines))
	said := `"kind":"answer","text":"x"`
	if a.kind == "sign-off" {
		said = fmt.Sprintf(`"kind":"verdict","text":"x","verdict":%q`, pick(h.r, []string{"approved", "changes-requested", "changes-requested", "rejected"}))
	}
	h.write(figs.Messages, "", `{"id":%q,%s,"ask":%q,"by":%q,"source":"chat","ts":%q}`, a.last, said, a.id, pick(h.r, []string{"Person 1", "person 2", "Ana"}), h.ts())
}

// decide lets a person reply on the server to an ask that needs one. The agent gets the reply before it writes the next
// line.
func (h *history) decide(a *generatedAsk) {
	stored, err := h.s.Record(ctx, h.agent, figs.Asks, a.id)
	if err != nil || stored.State.Phase != figs.NeedsYou {
		return
	}
	h.clock += 1_000_000 - h.clock%1_000_000
	say := figs.ReplyInput{ID: fmt.Sprint("m", len(h.lines)), By: "Person 0", TS: h.ts(), Text: "x"}
	line, wrong := figs.Answer(figs.Fold([][]byte{stored.Fold}), say)
	if a.kind == "sign-off" {
		say.Verdict = pick(h.r, []string{"approved", "changes-requested", "rejected"})
		line, wrong = figs.Verdict(figs.Fold([][]byte{stored.Fold}), say)
	}
	if wrong != figs.ReplyOK {
		h.Fatalf("%s: %s", stored.Fold, wrong)
	}
	_, err = h.s.Reply(ctx, store.Act{By: h.people[0], At: h.clock}, h.agent, line)
	h.must(err)
	h.minted[say.ID], a.last = true, say.ID
	h.write(figs.Messages, "", "%s", line)
	h.log = append(h.log, fmt.Sprintf("%s is given on the server at %d", say.ID, h.clock))
}

// push pushes the first n lines of the folder, folded as clients do.
func (h *history) push(n int) {
	h.clock += 500_000
	if n == len(h.lines) {
		for id, lines := range h.fresh {
			h.hidden[id] = h.hidden[id] || lines > 1
		}
		clear(h.fresh)
	}
	body, err := figs.ReadPush(h.body(n))
	h.must(err)
	act := store.Act{By: h.people[len(h.pushed)%2], At: h.clock + h.skew}
	done, err := h.s.Push(ctx, store.Push{Workspace: h.w, Act: act, Body: body})
	h.must(err)
	h.pushed = append(h.pushed, n)
	h.log = append(h.log, fmt.Sprintf("push of %d lines at %d, refused %v", n, act.At, done.Refused))
}

// body returns the first n lines of the folder as a client sends them: each record merged field by field, in the order of
// first lines.
func (h *history) body(n int) []byte {
	var order [figs.Messages][]string
	raw := [figs.Messages]map[string][][]byte{{}, {}}
	var list [figs.Ledgers][][]byte
	var events [][]byte
	for _, l := range h.lines[:n] {
		if l.file == figs.Messages {
			list[l.file] = append(list[l.file], l.text)
			continue
		}
		if raw[l.file][l.id] == nil {
			order[l.file] = append(order[l.file], l.id)
		}
		raw[l.file][l.id] = append(raw[l.file][l.id], l.text)
		if l.file == figs.Runs {
			events = append(events, l.text)
		}
	}
	for file := range order {
		for _, id := range order[file] {
			list[file] = append(list[file], figs.AppendObject(nil, figs.Fold(raw[file][id])))
		}
	}
	join := func(lines [][]byte) string { return string(bytes.Join(lines, []byte(","))) }
	b := fmt.Appendf(nil, `{"workspaceId":%q,"agent":{%s,"id":%q},"runs":[%s],"asks":[%s],"messages":[%s]`, h.w, h.charter, h.agent,
		join(list[figs.Runs]), join(list[figs.Asks]), join(list[figs.Messages]))
	if h.events {
		b = fmt.Appendf(b, `,"runEvents":[%s]`, join(events))
	}
	return append(b, '}')
}
