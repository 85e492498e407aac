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

// marked gives an excerpt for each finding: of its record, or of the charter, with the value
// marked that the finding's pointer names. What is not there any more has none.
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
			stop := min(end, at+around)
			for stop > at && stop < len(text) && !utf8.RuneStart(text[stop]) {
				stop--
			}
			excerpts[i] = cut(text, at, stop)
		}
	}
	return excerpts, nil
}

// pointed is where the value lies to which a JSON pointer leads, as far as it leads; 0 and 0
// where it leads nowhere.
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

// member finds an element of a value by its key or its number.
func member(v jsonl.Value, name string) (offset int, found jsonl.Value) {
	if v.Kind != jsonl.Object && v.Kind != jsonl.Array {
		return 0, found
	}
	n := 0
	for c := jsonl.Walk(v); c.Next(); n++ {
		if v.Kind == jsonl.Array && strconv.Itoa(n) == name || v.Kind == jsonl.Object && string(jsonl.AppendKey(nil, c.Key)) == name {
			offset, found = c.Offset, c.Value // of two with one key the last
		}
	}
	return offset, found
}
