package storejournal

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// excerpts returns an excerpt for each finding, from its record or the charter, with the value marked to which the
// finding's pointer leads. The excerpt is empty if the record doesn't exist any more.
func (j *Journal) excerpts(ctx context.Context, a *store.Agent, list []figs.Finding) ([]journal.Excerpt, error) {
	folds := map[string]map[string][]byte{}
	for _, file := range [...]figs.File{figs.Runs, figs.Asks, figs.Messages} {
		var ids []string
		for i := range list {
			if list[i].File == file.String() && list[i].Record != "" {
				ids = append(ids, list[i].Record)
			}
		}
		if len(ids) == 0 {
			continue
		}
		found, err := j.s.Folds(ctx, a.ID, file, ids)
		if err != nil {
			return nil, err
		}
		folds[file.String()] = found
	}
	folds[figs.AgentJSON.String()] = map[string][]byte{"": a.Charter}
	excerpts := make([]journal.Excerpt, len(list))
	for i := range list {
		if text := folds[list[i].File][list[i].Record]; text != nil {
			at, end := pointerRange(text, list[i].Pointer)
			stop := min(end, at+excerptMargin)
			for stop > at && stop < len(text) && !utf8.RuneStart(text[stop]) {
				stop--
			}
			excerpts[i] = excerptAt(text, at, stop)
		}
	}
	return excerpts, nil
}

// pointerRange returns the range of the value to which a JSON pointer leads, as far as it can be followed; 0, 0 if not at
// all.
func pointerRange(text []byte, pointer string) (at, end int) {
	v, _, ok := jsonl.Parse(text)
	if !ok {
		return 0, 0
	}
	from := cap(text) - cap(v.Raw)
	for pointer != "" {
		var name string
		name, pointer, _ = strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
		offset, child := member(v, strings.NewReplacer("~1", "/", "~0", "~").Replace(name))
		if child.Kind == jsonl.None {
			break
		}
		from, v = from+offset, child
		at, end = from, from+len(child.Raw)
	}
	return at, end
}

// member returns an element of a value by its key or index.
func member(v jsonl.Value, name string) (offset int, found jsonl.Value) {
	if v.Kind != jsonl.Object && v.Kind != jsonl.Array {
		return 0, found
	}
	n := 0
	for c := jsonl.Walk(v); c.Next(); n++ {
		if v.Kind == jsonl.Array && strconv.Itoa(n) == name || v.Kind == jsonl.Object && string(jsonl.AppendKey(nil, c.Key)) == name {
			offset, found = c.Offset, c.Value // with duplicate keys, the last one counts
		}
	}
	return offset, found
}
