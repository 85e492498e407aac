package local

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/attachtext"
)

// mostText is how much text of attachments an agent's searches keep, in bytes.
const mostText = 128 << 20

// readTexts gives the engine what the attachments of an agent say, for the page of a search: those
// that it does not know since the folders were read.
func (l *Folders) readTexts(ctx context.Context, page string) error {
	path, query, _ := strings.Cut(page, "?")
	segments := strings.Split(strings.Trim(path, "/"), "/")
	if len(segments) != 2 || segments[1] != "search" || !strings.Contains(query, "q=") {
		return nil
	}
	agent := numberOf(segments[0])
	names, err := l.untold(ctx, agent)
	if err != nil {
		return err
	}
	size := 0
	for _, name := range names {
		if size > mostText {
			return nil // the page says how many are read
		}
		text := l.textOf(agent, name)
		size += len(text)
		request := figs.AppendInt([]byte(`{"op":"index","agent":`), agent)
		request = figs.AppendString(append(request, `,"name":`...), name)
		request = append(figs.AppendString(append(request, `,"text":`...), text), '}')
		l.mutex.Lock()
		l.engine.Call(request)
		l.mutex.Unlock()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// untold lists the attachments whose texts the engine wants.
func (l *Folders) untold(ctx context.Context, agent int) ([]string, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if err := l.refresh(ctx); err != nil {
		return nil, err
	}
	if agent < 0 || agent >= len(l.agents) {
		return nil, nil
	}
	request := figs.AppendInt([]byte(`{"op":"index","list":true,"agent":`), agent)
	var answer struct{ Files []string }
	err := json.Unmarshal(l.engine.Call(append(request, '}')), &answer)
	return answer.Files, err
}

// textOf is what an attachment says; nothing where it cannot be opened, as its own page then says.
func (l *Folders) textOf(agent int, name string) string {
	f, _, err := l.open(place{agent: agent, name: name})
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, attachtext.MaxBytes))
	if err != nil {
		return ""
	}
	return attachtext.Extract(name, b)
}
