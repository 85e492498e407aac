// Package provenance explains derived values of a record: for each value, the lines and replies that set or changed it, in
// order, each with the value after it and the rule that decided. The values are those that package figs derives from the
// record up to that line.
package provenance

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// Explanation is everything that is derived of one record.
type Explanation struct {
	Values []Value // what pages show of it: where it stands, how it went, in which round
	Fields []Value // each field of the fold, in the order of first appearance (§4.3)
	Folded int     // lines in the middle of a very long trail, which are explained as one; 0: each is
}

// Value is one derived value with what made it.
type Value struct {
	Slug  string // a word of ours: "state", "round", …; of a field "f" and its number in the fold, from 1
	Key   string // of a field: its key, which an agent wrote
	Steps []Step // never empty; the last one's value is the value
}

// What of a record is explained beside its fields.
const (
	State   = "state"   // of an ask: where it stands (§6); of a job: in flight or settled (§3)
	Round   = "round"   // of an ask
	Grade   = "grade"   // of the reply that an ask's state rests on (§6)
	Files   = "files"   // what an ask puts before a human now
	Outcome = "outcome" // of a job
	Title   = "title"   // what pages call it
	To      = "to"      // whom an ask is asked of
)

// Step is one line or one reply that set a value, or that could have and did not.
type Step struct {
	Rule   Rule
	Line   *journal.TrailEntry // nil when a reply did, or nothing
	Reply  *journal.Message    // nil when a line did, or nothing
	Events int                 // more than 1: it stands for so many lines and replies, of which this is the last
	Again  int                 // how many later lines say the same once more

	// The value from then on, by what the value is.
	Reads    string // as pages read it: of State and Outcome of a job, Title, To; Grade's is "verified", "transcribed" or ""
	Text     string // of a field that is a text, decoded
	IsText   bool
	JSON     []byte           // of a field, as the fold has it; nil when there is none yet
	Standing *figs.AskState   // of State and Round of an ask, and of Grade; Reply counts in the thread of then
	Type     string           // of State of an ask: the type that it had
	Decides  *journal.Message // of Grade: the reply; nil when none decides
	Files    []journal.File   // of Files
}

// Last is the value now.
func (v *Value) Last() *Step { return &v.Steps[len(v.Steps)-1] }

// Job explains a job, which came from Journal.Job.
func Job(j *journal.Job) *Explanation {
	t := newTale(j.Trail)
	e := &Explanation{Folded: foldedIn(j.Trail), Fields: t.fields()}
	e.Values = append(e.Values,
		t.word(State, "state", RunStateDefault, runStates, run(func(r *figs.Run) string { return r.State }), always("settled")),
		t.word(Outcome, "status", RunStatusDefault, runStatuses, run(func(r *figs.Run) string { return r.Status }), always("ok")),
		t.word(Title, "title", TitleIsID, nil, run(func(r *figs.Run) string { return r.Title }), run(func(r *figs.Run) string { return r.ID })),
	)
	return e
}

// Ask explains an ask, which came from Journal.Ask.
func Ask(a *journal.Ask) *Explanation {
	t := newTale(a.Trail)
	e := &Explanation{Folded: foldedIn(a.Trail), Fields: t.fields()}
	stood := t.stood(a)
	e.Values = append(e.Values, Value{Slug: State, Steps: stood}, Value{Slug: Round, Steps: rounds(stood)})
	if grade := grades(stood); len(grade) > 0 {
		e.Values = append(e.Values, Value{Slug: Grade, Steps: grade})
	}
	if files := t.attached(); len(files) > 0 {
		e.Values = append(e.Values, Value{Slug: Files, Steps: files})
	}
	e.Values = append(e.Values,
		t.word(Title, "title", TitleIsID, nil, ask(func(r *figs.Ask) string { return r.Title }), ask(func(r *figs.Ask) string { return r.ID })),
		t.word(To, "to", ToDefault, askTos, ask(func(r *figs.Ask) string { return r.To }), always("")),
	)
	return e
}

func run(of func(*figs.Run) string) func(figs.Object) string {
	return func(o figs.Object) string {
		r := figs.ReadRun(o)
		return of(&r)
	}
}

func ask(of func(*figs.Ask) string) func(figs.Object) string {
	return func(o figs.Object) string {
		r := figs.ReadAsk(o)
		return of(&r)
	}
}

func always(word string) func(figs.Object) string { return func(figs.Object) string { return word } }

// foldedIn counts the lines of a trail that one moment stands for.
func foldedIn(trail []journal.TrailEntry) (n int) {
	for i := range trail {
		n += trail[i].Folded
	}
	return n
}

// The closed lists of the values that are explained as words (§3).
var (
	runStates   = []string{"in-flight", "settled"}
	runStatuses = []string{"ok", "warn", "fail"}
	askTos      = []string{"manager", "builder"}
)
