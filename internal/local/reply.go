package local

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/google/uuid"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/lock"
	"github.com/figs-web/figs-web/internal/reply"
)

// lockWait is how long a reply waits for the lock of others.
const lockWait = 10 * time.Second

// Reply appends a reply to the ledger of the agent's folder, on the disk when it returns. Before
// that it reads the folder again, under a lock that all our processes take, and refuses: with
// *reply.StaleError when the ask is not what was seen, with *reply.BlockedError, *reply.InvalidReplyError, or
// *reply.RefusedError, which says what stood in the way. The ledger is appended to by one write and
// never changed otherwise.
func (l *Folders) Reply(ctx context.Context, r reply.Entry) (*reply.WrittenReply, error) {
	number, dir, err := l.writable(r.Agent)
	if err != nil {
		return nil, err
	}
	l.replying.Lock()
	defer l.replying.Unlock()
	release, err := l.lock(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer release()
	defer l.forget()
	p, err := l.standing(ctx, dir, r.Ask)
	if err != nil {
		return nil, err
	}
	if given := p.given(r.ID); given != nil && p.repeats(&r) {
		return given, l.keep(dir)
	}
	if err := l.held(ctx, number, p, &r); err != nil {
		return nil, err
	}
	line, id, err := p.line(l.options.Now(), &r)
	if err != nil {
		return nil, err
	}
	if err := l.append(dir, line); err != nil {
		return nil, err
	}
	return l.verify(ctx, dir, r.Ask, id)
}

// writable is the number, from 0, and the folder of an agent that can be replied to.
func (l *Folders) writable(agent string) (number int, dir string, err error) {
	if why := l.ReadOnly(); why != "" {
		return 0, "", &reply.RefusedError{Sentence: why, Hint: "Unpack it or open the folder itself, then reply there."}
	}
	number = numberOf(agent)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if number < 0 || number >= len(l.agents) {
		return 0, "", journal.ErrNotFound
	}
	return number, l.agents[number].Contents.Dir, nil
}

// ReadOnly says in a sentence why nothing can be appended; "" when it can.
func (l *Folders) ReadOnly() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	switch {
	case l.options.Root == nil:
		return "You can't reply here: this is a zip, and replies can't be added to it."
	case len(l.agents) > 0 && l.agents[0].Contents.Alone:
		return "You can't reply here: this is a single file without its folder."
	}
	return ""
}

// lock keeps our other processes from the folder's ledger. It is the lock of asks.jsonl, which is
// there when there is an ask to reply to: no file of ours is left behind.
func (l *Folders) lock(ctx context.Context, dir string) (release func(), err error) {
	f, err := l.options.Root.OpenFile(path.Join(dir, figs.Asks.String()), os.O_RDONLY|openAtOnce, 0)
	if err != nil {
		return nil, refusal(err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	switch err := lock.Wait(ctx, f); {
	case errors.Is(err, lock.ErrUnable): // one write is whole without a lock, too
	case err != nil:
		f.Close()
		return nil, refuse("Another figs-web process is still writing to this folder.", "Nothing was written. Try again; if that doesn't help, stop the other process.", err)
	}
	return func() { f.Close() }, nil
}

// forget makes the next page look at the folder again.
func (l *Folders) forget() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.checked = time.Time{}
}

// held holds what was seen against what is there, and the ask against taking a reply.
func (l *Folders) held(ctx context.Context, agent int, p *standing, r *reply.Entry) error {
	seen, ok := parseRevision(r.Revision)
	stale := &reply.StaleError{Lines: seen.lines, Replies: seen.replies}
	for _, f := range r.Files {
		now, err := l.sum(ctx, place{agent: agent, name: f.Name})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			now = "" // it cannot be read any more
		}
		if now != f.SHA256 {
			stale.Files = append(stale.Files, reply.Change{Name: f.Name, Before: f.SHA256, After: now})
		}
	}
	shown, err := l.showable(ctx, r)
	if err != nil {
		return err
	}
	other := shown.Ask.ID != p.f.ID(figs.Asks, p.rec) // the ledger was written anew between the two readings
	if !ok || other || r.Revision != l.Revision(shown) || len(stale.Files) > 0 {
		return stale
	}
	if bar := reply.CheckOpen(&shown.Ask, p.state); bar != figs.NotBlocked {
		return &reply.BlockedError{Bar: bar}
	}
	return nil
}

// quick is up to which size, in bytes, a folder is read again whether or not it looks changed.
const quick = 8 << 20

// showable is the ask as a page would show it now.
func (l *Folders) showable(ctx context.Context, r *reply.Entry) (*journal.Ask, error) {
	l.mutex.Lock()
	l.checked = time.Time{}
	var size int64
	for _, a := range l.agents {
		size += a.Contents.Bytes
	}
	l.changed = l.changed || size <= quick
	l.mutex.Unlock()
	j, err := l.Journal(ctx, "/"+r.Agent+"/asks/"+r.Ask)
	if err != nil {
		return nil, err
	}
	return j.Ask(ctx, r.Agent, r.Ask)
}

// verify reads the ledger once more: the reply must be in it, and tell where the ask stands.
func (l *Folders) verify(ctx context.Context, dir, ask, id string) (*reply.WrittenReply, error) {
	p, err := l.standing(ctx, dir, ask)
	if err != nil {
		return nil, err
	}
	given := p.given(id)
	if given == nil {
		return nil, &reply.RefusedError{Sentence: "The reply was written but is no longer in messages.jsonl.", Hint: "Another program changed that file at the same time. Check it before you reply again."}
	}
	given.Again = false
	return given, nil
}

// isID reports whether s is a UUID as we write it, in lower case.
func isID(s string) bool {
	id, err := uuid.Parse(s)
	return err == nil && id.String() == s
}

// ledgers lists what a reply depends on, as it lies there now.
func (l *Folders) ledgers(dir string) *folder.Contents {
	c := folder.List(l.fsys, dir)
	var files []folder.File
	for _, f := range c.Files {
		if f.Kind == figs.Asks || f.Kind == figs.Messages {
			files = append(files, f)
		}
	}
	c.Files, c.Artifacts = files, nil
	return c
}

// isGone reports whether an error says that something is not there.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }
