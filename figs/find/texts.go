package find

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// What a search sees of a record are the texts of its fold, each by itself. Words that stand together stand in one of them:
// "fail" at the end of a status and "close" at the beginning of the title behind it are no phrase of anybody's. That a phrase
// lies within one string of one line also lets an index pass over whatever cannot hold it.

// AppendRecord writes the texts of a record as search compares them: all but its time, which fields ask for and which would
// begin like many a number. Between two texts stand two spaces, so that no phrase reaches from one into the next.
func AppendRecord(dst []byte, fold figs.Object) []byte {
	for i := range fold {
		if fold[i].Key != "ts" {
			dst = AppendValue(dst, fold[i].Value)
		}
	}
	return dst
}

// AppendValue is AppendRecord for one value: a string, or those inside of it.
func AppendValue(dst []byte, v jsonl.Value) []byte {
	if v.Kind == jsonl.String {
		if raw := v.Raw[1 : len(v.Raw)-1]; jsonl.Plain(raw) {
			return AppendFolded(dst, raw)
		}
		return appendDecoded(dst, v.Raw)
	}
	for c := jsonl.Walk(v); c.Next(); {
		dst = AppendValue(dst, c.Value)
	}
	return dst
}

// appendDecoded folds a string that is not written as it reads. It is decoded behind what is folded, and then laid over that.
func appendDecoded(dst, raw []byte) []byte {
	n := len(dst)
	dst = jsonl.AppendText(dst, raw)
	m := len(dst)
	dst = AppendFolded(dst, dst[n:m])
	return dst[:n+copy(dst[n:], dst[m:])]
}

// AppendFile writes the name of an attachment and its words as search compares them, each by itself.
func AppendFile(dst []byte, name string, words []byte) []byte {
	return AppendFolded(AppendFolded(dst, []byte(name)), words)
}

// marked finds the first text of a value in which one of the words stands; nil when none has it.
func (q *Query) marked(v jsonl.Value) []byte {
	if v.Kind == jsonl.String {
		b := jsonl.AppendText(nil, v.Raw)
		if _, end := q.Mark(b); end > 0 {
			return b
		}
		return nil
	}
	for c := jsonl.Walk(v); c.Next(); {
		if b := q.marked(c.Value); b != nil {
			return b
		}
	}
	return nil
}
