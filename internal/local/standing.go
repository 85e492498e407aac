package local

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
)

// standing is an ask as its folder has it at one moment.
type standing struct {
	f     *figs.Folder
	rec   int
	state figs.AskState
	fold  figs.Object
	lines [][]byte // of its trail
	turn  int64    // the newest time of these, microseconds since 1970, or figs.NoTime
	// thread holds the replies in the order of the ledger, ids those in the order of time.
	thread [][]byte
	ids    []string
	latest int64 // the newest time of the replies, or figs.NoTime
	broken int   // line of messages.jsonl that cannot be read; 0
}

// standing reads the ask with that key from the disk.
func (l *Folders) standing(ctx context.Context, dir, key string) (*standing, error) {
	c := l.ledgers(dir)
	f, _, err := c.Read(ctx, figs.Options{}, nil)
	if err != nil {
		return nil, err
	}
	id, hasID, number := journal.ParseRecordSegment(key)
	p := &standing{f: f, rec: number - 1, turn: figs.NoTime, latest: figs.NoTime}
	if found := f.Find(figs.Asks, id); hasID && found >= 0 {
		p.rec = found
	}
	if p.rec < 0 || p.rec >= f.Records(figs.Asks) {
		return nil, journal.ErrNotFound
	}
	p.state = f.State(p.rec)
	lines := map[figs.File]*lineReader{}
	for _, file := range c.Files {
		from, err := l.fsys.Open(file.Path)
		if err != nil {
			return nil, refusal(err)
		}
		defer from.Close()
		lines[file.Kind] = &lineReader{from: from}
	}
	p.read(lines)
	for _, r := range lines {
		if r.err != nil {
			return nil, refusal(r.err)
		}
	}
	return p, nil
}

func (p *standing) read(from map[figs.File]*lineReader) {
	for _, ref := range p.f.Trail(figs.Asks, p.rec) {
		p.lines = append(p.lines, from[figs.Asks].line(ref))
		p.turn = max(p.turn, ref.TS)
	}
	p.fold = figs.Fold(p.lines)
	thread := p.f.Thread(p.rec)
	for _, r := range thread {
		p.ids = append(p.ids, p.f.ID(figs.Messages, r.Message))
		p.latest = max(p.latest, r.At)
	}
	slices.SortFunc(thread, func(a, b figs.Reply) int { return a.Message - b.Message })
	for _, r := range thread {
		first, _, _ := p.f.Ends(figs.Messages, r.Message)
		p.thread = append(p.thread, from[figs.Messages].line(first))
	}
	for i := range p.f.Lines(figs.Messages) {
		if ref := p.f.Line(figs.Messages, i); ref.Aside() && p.broken == 0 {
			p.broken = ref.Number
		}
	}
}

// lineReader reads lines again, and remembers the first error.
type lineReader struct {
	from io.Reader
	err  error
}

func (r *lineReader) line(ref figs.LineRef) []byte {
	b := make([]byte, ref.Len)
	at, ok := r.from.(io.ReaderAt)
	if !ok {
		r.err = errChanged
	}
	if r.err == nil {
		_, r.err = at.ReadAt(b, ref.Offset)
	}
	return b
}

// given finds a reply to this ask by its id.
func (p *standing) given(id string) *reply.WrittenReply {
	at := slices.Index(p.ids, id)
	if at < 0 || !isID(id) {
		return nil
	}
	return &reply.WrittenReply{ID: id, Again: true, Stands: p.state.Reply == at, Broken: p.broken}
}

// repeats reports whether a reply says what the one with its id says. A form that was filled in anew
// after it was sent is another reply, which must not pass for given.
func (p *standing) repeats(r *reply.Entry) bool {
	for _, line := range p.thread {
		before := figs.ReadMessage(figs.Fold([][]byte{line}))
		if before.ID != r.ID {
			continue
		}
		again, wrong := r.Say(p.fold, figs.ReplyInput{ID: r.ID, TS: before.TS, Chat: true})
		now := figs.ReadMessage(figs.Fold([][]byte{again}))
		return wrong == figs.ReplyOK && now.By == before.By && now.Verdict == before.Verdict && now.Chosen == before.Chosen && now.Text == before.Text
	}
	return false
}

// line writes the event, under an id that is new and at a time that belongs to the present round.
func (p *standing) line(now time.Time, r *reply.Entry) (line []byte, id string, err error) {
	if id = r.ID; !isID(id) || p.f.Find(figs.Messages, id) >= 0 {
		id = uuid.NewString()
	}
	for _, at := range p.moments(now) {
		line, wrong := r.Say(p.fold, figs.ReplyInput{ID: id, TS: at.Format(time.RFC3339), Chat: true})
		if wrong != figs.ReplyOK {
			return nil, "", &reply.InvalidReplyError{Misfit: wrong}
		}
		if p.decides(line, id) {
			return line, id, nil
		}
	}
	return nil, "", &reply.RefusedError{Sentence: "A reply wouldn't count for this ask now, because of the times in its lines.",
		Hint: "Nothing was written. Ask the agent to raise it again with the current time."}
}

// moments are the times, in whole seconds, at which a reply may belong to the present round, the
// smallest first: now, or not before what it replies to where that is dated later. A reply that
// ties with a change counts as given before it (§6).
func (p *standing) moments(now time.Time) []time.Time {
	now = now.UTC().Truncate(time.Second)
	all := []time.Time{now}
	for _, at := range []int64{p.turn, p.latest} {
		if at == figs.NoTime {
			continue
		}
		second := time.UnixMicro(at + 999_999).UTC().Truncate(time.Second)
		for _, t := range []time.Time{second, second.Add(time.Second)} {
			if t.After(now) && t.Year() <= 9999 {
				all = append(all, t)
			}
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return slices.Compact(all)
}

// decides reports whether the ask would stand as a reply says, were it appended.
func (p *standing) decides(line []byte, id string) bool {
	f := figs.New(figs.Options{Loose: true})
	feed := func(file figs.File, lines ...[]byte) {
		for _, line := range lines {
			f.Feed(file, append(slices.Clone(line), '\n'))
		}
	}
	feed(figs.Asks, p.lines...)
	feed(figs.Messages, p.thread...)
	feed(figs.Messages, line)
	f.Finish()
	if f.Records(figs.Asks) != 1 {
		return false
	}
	state, thread := f.State(0), f.Thread(0)
	return state.Reply >= 0 && f.ID(figs.Messages, thread[state.Reply].Message) == id
}

// revision is how much of an ask there is, and what it says.
type revision struct {
	lines, round, replies int
	content               string
}

// Revision tells what a page shows of an ask, for the form of its reply: how many lines it has,
// the round, how many replies, and a hash of its fold and of which replies these are.
func (*Folders) Revision(ask *journal.Ask) string {
	ids := make([]string, len(ask.Thread))
	for i := range ask.Thread {
		ids[i] = ask.Thread[i].Message.ID
	}
	content, err := json.Marshal(struct {
		Ask     figs.Ask
		Replies []string
	}{ask.Ask, ids})
	if err != nil {
		panic("local: " + err.Error()) // both are plain data
	}
	sum := sha256.Sum256(content)
	return revision{ask.Lines, ask.State.Round, len(ids), hex.EncodeToString(sum[:])}.String()
}

func (r revision) String() string {
	return fmt.Sprintf("%d.%d.%d.%s", r.lines, r.round, r.replies, r.content)
}

func parseRevision(s string) (r revision, ok bool) {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return revision{}, false
	}
	for i, n := range []*int{&r.lines, &r.round, &r.replies} {
		v, err := strconv.Atoi(parts[i])
		if err != nil || v < 0 {
			return revision{}, false
		}
		*n = v
	}
	r.content = parts[3]
	return r, r.String() == s
}

// numberOf is the number, from 0, of the agent that a key of an address stands for; -1 when it stands for none.
func numberOf(key string) int {
	n, err := strconv.Atoi(key)
	if err != nil || n < 1 || strconv.Itoa(n) != key {
		return -1
	}
	return n - 1
}
