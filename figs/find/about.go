package find

import "github.com/figs-web/figs-web/figs"

// told are the fields that say most about a record, the best first.
var told = [...]string{"result", "need", "found", "text", "chosen", "title"}

// About is the text that an excerpt is cut from: that of the field that holds what was looked for,
// else what says most.
func About(q *Query, fold figs.Object) []byte {
	for _, name := range told {
		b := figs.AppendWords(nil, fold.Get(name))
		if _, end := q.Mark(b); end > 0 {
			return b[1:]
		}
	}
	all := AppendWords(nil, fold)
	if _, end := q.Mark(all); end > 0 {
		return all[1:]
	}
	for _, name := range told {
		if b := figs.AppendWords(nil, fold.Get(name)); len(b) > 0 {
			return b[1:]
		}
	}
	return nil
}
