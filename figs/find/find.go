// Package find is the one way in which things are looked for: the syntax of a search, and whether a
// record, a reply or an attachment is what is looked for. It is the same in the browser, at the
// terminal and on the server; whatever index those keep, this has the last word. It links nothing
// that would swell the engine, and knows no sentence: what is wrong with a search are Notes.
package find

import "github.com/figs-web/figs-web/figs"

// Query is what somebody looks for. Everything in it must be true of what is found.
type Query struct {
	Text  string // as it was typed
	Notes []Note // what could not be understood
	terms []term
	files uint8 // by figs.File, with figs.NoFile as Files
}

// Kinds of what is found, beside runs, asks and messages.
const (
	// Attached stands for attachments.
	Attached = figs.NoFile
	asRuns   = 1 << figs.Runs
	asAsks   = 1 << figs.Asks
	asReply  = 1 << figs.Messages
	asFile   = 1 << Attached
	asAny    = asRuns | asAsks | asReply | asFile
)

// field is what a term asks about.
type field uint8

const (
	inText field = iota
	fieldIn
	fieldIs
	fieldStatus
	fieldType
	fieldBy
	fieldTo
	fieldUnit
	fieldRound
	fieldHas
	fieldBefore
	fieldAfter
	fieldOn
	fieldID
	fieldFile
	fieldAgent
)

// Fields are the names that a search knows, in the order in which help lists them.
func Fields() []string { return fields[1:] }

var fields = []string{"", "in", "is", "status", "type", "by", "to", "unit", "round", "has", "before", "after", "on", "id", "file", "agent"}

// kindsOf is what a field can be true of.
var kindsOf = [...]uint8{asAny, asAny, asRuns | asAsks, asRuns, asAsks, asReply, asAsks, asRuns | asAsks, asAsks, asRuns | asAsks,
	asRuns | asAsks | asReply, asRuns | asAsks | asReply, asRuns | asAsks | asReply, asRuns | asAsks | asReply, asRuns | asAsks | asFile, asAny}

// Values lists the words that a field takes; nil when it takes any text.
func Values(name string) []string {
	for i, f := range fields {
		if f == name {
			return values(field(i))
		}
	}
	return nil
}

func values(f field) []string {
	switch f {
	case fieldIn:
		return inWords
	case fieldIs:
		return isWords
	case fieldStatus:
		return statusWords
	case fieldType:
		return typeWords
	case fieldTo:
		return toWords
	case fieldHas:
		return hasWords
	}
	return nil
}

var (
	inWords     = []string{"jobs", "asks", "replies", "files"}
	isWords     = []string{"needs", "waiting", "open", "closed", "in-flight", "settled"}
	statusWords = []string{"ok", "warn", "fail", "unknown"}
	typeWords   = []string{"question", "sign-off"}
	toWords     = []string{"manager", "builder"}
	hasWords    = []string{"attachment"}
)

const (
	isNeeds = iota
	isWaiting
	isOpen
	isClosed
	isInFlight
	isSettled
)

// term is one part of a search. word is folded text, with the space before it, and one at the end
// where it has to end there; other is one that does as well, or nil (forms).
type term struct {
	field    field
	not      bool
	value    uint8 // in values
	word     []byte
	other    []byte
	shorter  bool  // word is a stem, and shorter than what was typed
	from, to int64 // the period of a date, to not included; the bounds of a round, to included

	start, end int // where it stands in the text
}

// Wants reports whether anything of a kind can be found.
func (q *Query) Wants(file figs.File) bool { return q.files&(1<<file) != 0 }

// Empty reports whether nothing is asked for.
func (q *Query) Empty() bool { return len(q.terms) == 0 }

// HasWords reports whether text is looked for, and not only fields.
func (q *Query) HasWords() bool {
	for i := range q.terms {
		if q.terms[i].field == inText && !q.terms[i].not {
			return true
		}
	}
	return false
}

// ReadsTexts reports whether Match wants Item.Folded: for words that must occur, or must not.
func (q *Query) ReadsTexts() bool {
	for i := range q.terms {
		if q.terms[i].field == inText {
			return true
		}
	}
	return false
}

// Words lists, for each text that must occur, its words as AppendFolded writes them, "acme 2026 00007";
// with whole, the last one ends there. Where other isn't "", a text with that instead will do.
func (q *Query) Words(f func(words, other string, whole bool)) {
	for i := range q.terms {
		if t := &q.terms[i]; t.field == inText && !t.not {
			f(t.words())
		}
	}
}

func (t *term) words() (words, other string, whole bool) {
	n := len(t.word)
	if whole = t.word[n-1] == ' '; whole {
		n--
	}
	if t.other != nil {
		other = string(t.other[1:])
	}
	return string(t.word[1:n]), other, whole
}

// Item is what may be found.
type Item struct {
	File    figs.File // Runs, Asks or Messages; Attached
	ID      string    // of the record; the name of an attachment
	Agent   []byte    // its agent, as FoldAgent writes it
	Fold    figs.Object
	At      int64  // when its newest line was written, as the fold's ts says; NoTime
	Folded  []byte // its texts: of a record AppendRecord of the fold, of an attachment AppendFile
	Outcome figs.Outcome
	Phase   figs.Phase
	Round   int
}

// Derived reports whether a record may match, by its kind and by what is derived of it alone: Outcome,
// Phase and Round. What it says no to does not match.
func (q *Query) Derived(it *Item) bool { return q.derived(it, true) }

// DerivedInAnyRound is Derived, but says no to no round.
func (q *Query) DerivedInAnyRound(it *Item) bool { return q.derived(it, false) }

func (q *Query) derived(it *Item, round bool) bool {
	if !q.Wants(it.File) {
		return false
	}
	for i := range q.terms {
		t := &q.terms[i]
		if t.field == fieldRound && !round {
			continue
		}
		switch t.field {
		case fieldIn, fieldIs, fieldStatus, fieldRound:
			if t.holds(it) == t.not {
				return false
			}
		}
	}
	return true
}

// FoldAgent writes an agent's name and id as search compares them.
func FoldAgent(name, id string) []byte { return append(foldedText(name), foldedText(id)...) }

// OfAgent reports whether something of an agent may match; agent is what FoldAgent returned.
func (q *Query) OfAgent(agent []byte) bool {
	it := Item{Agent: agent}
	for i := range q.terms {
		if t := &q.terms[i]; t.field == fieldAgent && t.holds(&it) == t.not {
			return false
		}
	}
	return true
}

// Match reports whether an item is what is looked for.
func (q *Query) Match(it *Item) bool {
	if !q.Wants(it.File) {
		return false
	}
	for i := range q.terms {
		if t := &q.terms[i]; t.holds(it) == t.not {
			return false
		}
	}
	return true
}

func (t *term) holds(it *Item) bool {
	if kindsOf[t.field]&(1<<it.File) == 0 {
		return false
	}
	switch t.field {
	case inText:
		return index(it.Folded, t.word) >= 0 || t.other != nil && index(it.Folded, t.other) >= 0
	case fieldIn:
		return [...]figs.File{figs.Runs, figs.Asks, figs.Messages, Attached}[t.value] == it.File
	case fieldIs:
		return t.is(it)
	case fieldStatus:
		return it.Outcome == [...]figs.Outcome{figs.OutcomeOK, figs.OutcomeWarn, figs.OutcomeFail, figs.OutcomeUnknown}[t.value]
	case fieldRound:
		return int64(it.Round) >= t.from && int64(it.Round) <= t.to
	case fieldHas:
		return len(figs.AttachmentNames(it.Fold)) > 0
	case fieldBefore, fieldAfter, fieldOn:
		return it.At >= t.from && it.At < t.to
	case fieldID:
		return index(foldedText(it.ID), t.word) == 0
	case fieldFile:
		return t.names(it)
	case fieldAgent:
		return index(it.Agent, t.word) >= 0
	case fieldType:
		return it.Fold.Get("type").Text() == typeWords[t.value]
	case fieldTo:
		return it.Fold.Get("to").Text() == toWords[t.value]
	case fieldBy:
		return index(foldedText(it.Fold.Get("by").Text()), t.word) >= 0
	}
	return index(foldedText(it.Fold.Get("unit").Text()), t.word) >= 0
}

func foldedText(s string) []byte { return AppendFolded(nil, []byte(s)) }

func (t *term) is(it *Item) bool {
	if it.File == figs.Runs {
		return t.value == isInFlight && it.Outcome == figs.OutcomeInFlight || t.value == isSettled && it.Outcome != figs.OutcomeInFlight
	}
	switch t.value {
	case isNeeds:
		return it.Phase == figs.NeedsYou
	case isWaiting:
		return it.Phase.Waiting()
	case isOpen:
		return !it.Phase.Closed()
	}
	return t.value == isClosed && it.Phase.Closed()
}

// names reports whether an attachment is called so, or a record attaches one that is.
func (t *term) names(it *Item) bool {
	if it.File == Attached {
		return index(foldedText(it.ID), t.word) >= 0
	}
	for _, name := range figs.AttachmentNames(it.Fold) {
		if index(foldedText(name), t.word) >= 0 {
			return true
		}
	}
	return false
}

// HasText reports whether search reads what a file says, by the ending of its name.
func HasText(name string) bool {
	for _, ending := range [...]string{".html", ".md", ".txt", ".csv", ".json"} {
		if n := len(name) - len(ending); n > 0 && same(ending, name[n:]) {
			return true
		}
	}
	return false
}
