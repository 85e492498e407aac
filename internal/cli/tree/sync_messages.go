package tree

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/lock"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// replies appends replies to the folder's messages.jsonl. While it looks and writes, no other figs-web writes there:
// it takes the lock of asks.jsonl, which open takes too, and that of messages.jsonl.
func (c SyncCommand) replies(a *cmd.App, nodes []*Node, s *Synced) error {
	name := filepath.Join(c.To, figs.Asks.String())
	if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() { // opening a pipe would wait
		asks, err := os.Open(name)
		if err != nil {
			return cmd.FailureOf(err, name)
		}
		defer asks.Close()
		if err := waitLock(a.Ctx, asks); err != nil {
			return err
		}
	}
	return AppendReplies(a.Ctx, nodes, filepath.Join(c.To, figs.Messages.String()), s)
}

// waitLock takes the lock of a file until it is closed. A file system that knows no locks is no failure.
func waitLock(ctx context.Context, f *os.File) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := lock.Wait(ctx, f); err != nil && !errors.Is(err, lock.ErrUnable) {
		return cmd.Fail(cmd.General, "Another figs-web keeps writing to this folder, so nothing was copied.", "Try again. If it fails again, stop the other figs-web.")
	}
	return nil
}

// mostLedger is how large a ledger may be to which replies are appended.
const mostLedger = 256 << 20

// AppendReplies appends the replies whose ids a ledger lacks. No line that is there changes. A last line that was left
// unfinished is completed when it is the beginning of one of these replies, as a stopped sync leaves it, and ended
// otherwise.
func AppendReplies(ctx context.Context, nodes []*Node, name string, s *Synced) error {
	var counts Synced
	err := AppendTo(ctx, name, wholefile.Options{Like: figs.Asks.String()}, func(ledger []byte) ([]byte, error) {
		counts = Synced{}
		return missingReplies(ctx, nodes, ledger, &counts), nil
	})
	if err == nil {
		*s = counts
	}
	return err
}

// missingReplies is what is to be appended to a ledger, as lines.
func missingReplies(ctx context.Context, nodes []*Node, ledger []byte, s *Synced) []byte {
	whole := ledger[:bytes.LastIndexByte(ledger, '\n')+1]
	torn := ledger[len(whole):]
	have := map[string]bool{}
	for line := range bytes.SplitSeq(whole, []byte("\n")) {
		have[IDIn(line)] = true
	}
	last := ""
	if json.Valid(torn) { // it lacks only its line feed
		last = IDIn(torn)
	}
	var rest, more []byte
	for _, n := range nodes {
		record, err := n.Raw(ctx)
		switch {
		case err != nil:
			s.done(false, err)
			continue
		case have[n.ID] && n.ID != "" || n.ID != "" && n.ID == last:
			s.done(false, nil)
			continue
		}
		if why := unfit(figs.Fold([][]byte{record})); why != "" {
			s.refuse(n.ID, why)
			continue
		}
		have[n.ID] = true
		s.done(true, nil)
		if len(torn) > 0 && rest == nil && last == "" && bytes.HasPrefix(record, torn) {
			rest = record[len(torn):]
			continue
		}
		more = append(append(more, record...), '\n')
	}
	if len(torn) > 0 && len(rest)+len(more) > 0 {
		more = append(append(bytes.Clone(rest), '\n'), more...)
	}
	return more
}

// unfit is why a message cannot stand in an agent's ledger; "" when it can. A message need not say its source (§3).
func unfit(message figs.Object) string {
	for _, key := range [...]string{"id", "ask", "by", "ts"} {
		if message.Get(key).Text() == "" {
			return "It has no " + key + "."
		}
	}
	if message.Get("source").Kind == 0 {
		message = append(slices.Clone(message), figs.Field{Key: "source", Value: figs.Fold([][]byte{[]byte(`{"source":"app"}`)}).Get("source")})
	}
	if !figs.IsSyncable(message) {
		return "Its kind, source, verdict or choice is not in the protocol."
	}
	return ""
}

// IDIn is the id of the record on a line; "" where it has none.
func IDIn(line []byte) string { return figs.Fold([][]byte{line}).Get("id").Text() }

// AppendTo appends to a plain file while no other figs-web does; a link is not followed. more is given what is in the
// file, and may be called again when that has changed. A file that is missing is written whole.
func AppendTo(ctx context.Context, name string, o wholefile.Options, more func(there []byte) ([]byte, error)) error {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return cmd.FailureOf(err, name)
	}
	defer root.Close()
	base := filepath.Base(name)
	for range 100 {
		before, err := root.Lstat(base)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			content, err := more(nil)
			if err != nil || len(content) == 0 {
				return err
			}
			if err = wholefile.Write(root, base, o, wholefile.Bytes(content)); errors.Is(err, fs.ErrExist) {
				continue
			} else if err != nil {
				return cmd.FailureOf(err, name)
			}
			return nil
		case err != nil:
			return cmd.FailureOf(err, name)
		case !before.Mode().IsRegular():
			return cmd.Fail(cmd.Denied, cmd.Quote(name)+" is not a regular file.", "Replace it with a regular file.")
		}
		if done, err := appendOnce(ctx, root, base, before, more); done || err != nil {
			if err != nil {
				return cmd.FailureOf(err, name)
			}
			return nil
		}
	}
	return cmd.Fail(cmd.General, cmd.Quote(name)+" was replaced each time it was opened.", "Try again.")
}

// appendOnce appends to a file that was seen. done is false when the file is another one by now.
func appendOnce(ctx context.Context, root *os.Root, base string, before fs.FileInfo, more func([]byte) ([]byte, error)) (done bool, err error) {
	f, err := root.OpenFile(base, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if err := waitLock(ctx, f); err != nil {
		return false, err
	}
	is, one := f.Stat()
	named, two := root.Lstat(base)
	if one != nil || two != nil || !os.SameFile(before, is) || !os.SameFile(named, is) {
		return false, nil
	}
	there, err := io.ReadAll(io.LimitReader(f, mostLedger+1))
	if err != nil {
		return false, err
	}
	if len(there) > mostLedger {
		return false, cmd.Fail(cmd.BadFormat, cmd.Quote(base)+" is too large for a ledger.", "Check its content.")
	}
	content, err := more(there)
	if err != nil || len(content) == 0 {
		return err == nil, err
	}
	_, err = wholefile.Appender{}.Append(f, content)
	return err == nil, err
}
