package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// taking is a store.ExportWriter: it writes ledgers to the temporary file one behind the other.
type taking struct {
	*Export
	names  map[string]bool
	buffer bytes.Buffer
	order  order
}

const mostBuffer = 1 << 20

// stamps are the times that the newest lines of runs and asks have said, as they wrote them, by id.
type stamps [figs.Messages]map[string][]byte

// asked is what is known of an ask while its lines pass.
type asked struct{ kind, status string }

func (t *taking) Agent(id, name string, charter []byte) error {
	if err := t.order.flush(t.write); err != nil {
		return err
	}
	a := &agent{id: id, name: name, charter: bytes.Clone(charter), asks: map[string]*asked{}}
	if len(t.agents) > 0 {
		before := t.agents[len(t.agents)-1]
		before.asks, before.stamps = nil, stamps{}
	}
	a.dir = folderName(name, id, 8)
	if t.names[a.dir] {
		a.dir = folderName(name, id, len(id))
	}
	t.names[a.dir] = true
	t.agents = append(t.agents, a)
	return nil
}

// folderName is made of a name so that every file system takes it, and of the id, which tells
// agents of one name apart.
func folderName(name, id string, n int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 40 {
			break
		}
	}
	word := strings.Trim(b.String(), "-")
	if word == "" {
		word = "agent"
	}
	return word + "-" + id[:min(n, len(id))]
}

func (t *taking) Line(file figs.File, id string, v figs.Version) error {
	return t.order.add(file, id, v, t.write)
}

func (t *taking) write(file figs.File, id string, v figs.Version) error {
	a := t.agents[len(t.agents)-1]
	line := a.line(file, id, v)
	if bytes.ContainsAny(line, "\r\n") { // a client may have written it over several lines
		var one bytes.Buffer
		if err := json.Compact(&one, line); err != nil {
			return err
		}
		line = one.Bytes()
	}
	s := &a.ledgers[file]
	if s.size == 0 {
		s.from = t.size
	}
	s.size += int64(len(line)) + 1
	t.size += int64(len(line)) + 1
	t.buffer.Write(line)
	t.buffer.WriteByte('\n')
	if t.buffer.Len() < mostBuffer {
		return nil
	}
	return t.flush()
}

// line is the line of a version, as a ledger needs it.
func (a *agent) line(file figs.File, id string, v figs.Version) []byte {
	if file == figs.Asks {
		v.Line = a.raise(id, v)
	}
	if file != figs.Messages {
		v.Line = a.stamp(file, id, v)
	}
	return v.Line
}

// stamp is the line of a version with its time. Of a client that folds before it sends, the reader keeps what changed
// alone: where that is not the time, the version says the time of the one before it.
func (a *agent) stamp(file figs.File, id string, v figs.Version) []byte {
	if a.stamps[file] == nil {
		a.stamps[file] = map[string][]byte{}
	}
	line := figs.Fold([][]byte{v.Line})
	before := a.stamps[file][id]
	switch {
	case has(line, "ts"):
		a.stamps[file][id] = bytes.Clone(line.Get("ts").Raw)
		return v.Line
	case !v.Snapshot, before == nil, len(line) == 0, has(line, "resolution"): // which has a time of its own
		return v.Line
	}
	out := append(append([]byte(`{"ts":`), before...), ',')
	return append(out, bytes.TrimLeft(v.Line, " \t\r\n")[1:]...)
}

// raise is the line of an ask. Clients that fold before they send make the reader keep what
// changed alone; that the change put the ask to a human once more, a ledger says by the type (§6).
func (a *agent) raise(id string, v figs.Version) []byte {
	line := figs.Fold([][]byte{v.Line})
	ask, known := a.asks[id]
	if !known {
		ask = &asked{}
		a.asks[id] = ask
	}
	kind, status := line.Get("type").Text(), line.Get("status").Text()
	if kind != "" {
		ask.kind = kind
	}
	if status != "" {
		ask.status = status
	}
	switch {
	case !known, !v.Snapshot, kind != "", ask.kind == "", has(line, "type"), has(line, "resolution"):
		return v.Line
	case ask.status != "" && ask.status != "open", len(line) == 0:
		return v.Line
	}
	out := append([]byte(`{"type":`), figs.AppendString(nil, ask.kind)...)
	return append(append(out, ','), bytes.TrimLeft(v.Line, " \t\r\n")[1:]...)
}

func has(o figs.Object, key string) bool {
	for _, f := range o {
		if f.Key == key {
			return true
		}
	}
	return false
}

func (t *taking) Attachment(f store.Attachment) error {
	a := t.agents[len(t.agents)-1]
	a.files = append(a.files, f)
	return nil
}

func (t *taking) Erased(e store.ExportedErasure) error {
	a := t.agents[len(t.agents)-1]
	a.erased = append(a.erased, e)
	return nil
}

func (t *taking) flush() error {
	_, err := t.spool.Write(t.buffer.Bytes())
	t.buffer.Reset()
	return err
}

// whole reads an attachment; nil when its bytes are gone or are others.
func whole(ctx context.Context, blobs blob.Store, f store.Attachment) ([]byte, error) {
	r, size, err := blobs.Open(ctx, f.SHA256)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if size > mostFile {
		return nil, nil
	}
	content, err := io.ReadAll(io.LimitReader(r, mostFile))
	var damaged *blob.DamagedError
	if errors.As(err, &damaged) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != f.SHA256 {
		return nil, nil
	}
	if content == nil {
		content = []byte{}
	}
	return content, nil
}
