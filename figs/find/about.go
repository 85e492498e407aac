package find

import "github.com/figs-web/figs-web/figs"

// told are the fields that say most about a record, the best first. Its title is not among them: it stands beside every excerpt.
var told = [...]string{"result", "need", "found", "text", "chosen"}

// About is the text that an excerpt is cut from: one in which stands what was looked for, else what says most. Where only the title
// has it, which is shown in any case, it is what says most too.
func About(q *Query, fold figs.Object) []byte {
	for _, name := range told {
		if b := q.marked(fold.Get(name)); b != nil {
			return b
		}
	}
	inTitle := q.marked(fold.Get("title"))
	for i := range fold {
		if key := fold[i].Key; key == "ts" || key == "title" || inTitle != nil {
			continue
		}
		if b := q.marked(fold[i].Value); b != nil {
			return b
		}
	}
	for _, name := range told {
		if b := figs.AppendWords(nil, fold.Get(name)); len(b) > 0 {
			return b[1:]
		}
	}
	return inTitle
}
