package reply

import (
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/remark"
)

// Gate is what must have happened before an approval: every attachment was viewed, or is waived
// with a reason; every step that cannot be undone was ticked.
type Gate struct {
	Files []GatedFile // in the order of the form's files
	Steps []Step      // all that an approval sets in motion, in order
	// Earlier are this person's remarks of the previous round. An approval says once that some of them are unresolved.
	Earlier []EarlierRemark
}

// EarlierRemark is a remark of the previous round, with its number.
type EarlierRemark struct {
	Number int
	Text   string
}

// GatedFile is an attachment before the gate.
type GatedFile struct {
	File
	Key    string // as addresses name it
	Opened bool   // it counts as viewed: this person read it to its end, opened it alone, or downloaded what is never shown
	How    string // the first way in which it was viewed, as package receipt names it; "" where it does not count
	Part   int    // percent of its frame that was on the screen, where it does not count as viewed

	Hidden       int // texts in it that the check without a browser reports as hidden
	Instructions int // of these, the ones that read like an instruction
}

// MustReadHidden reports whether an approval takes a tick that the hidden text of an attachment was read: where it reads
// like an instruction, where a step cannot be undone, or where the person's own browser found text that it does not draw.
func (g *Gate) MustReadHidden(i int, m Measurement) bool {
	hard := slices.ContainsFunc(g.Steps, func(s Step) bool { return s.Hard })
	return g.Files[i].Instructions > 0 || g.Files[i].Hidden > 0 && hard || m.Undrawn > 0
}

// Absent reports whether the attachment has not arrived: nothing lets that pass.
func (g *GatedFile) Absent() bool { return g.SHA256 == "" }

// Step is one thing that an approval sets in motion.
type Step struct {
	Text string
	Hard bool // the agent's text says that it cannot be undone
	Tick bool // it must be ticked
}

// Steps prepares the steps of an approval; all makes each need a tick.
func Steps(texts []string, all bool) []Step {
	steps := make([]Step, len(texts))
	for i, text := range texts {
		hard := IsIrreversible(text)
		steps[i] = Step{Text: text, Hard: hard, Tick: hard || all}
	}
	return steps
}

// IsIrreversible reports whether a step says of itself that it cannot be undone. A step that says
// nothing is never called reversible.
func IsIrreversible(step string) bool {
	step = strings.ToLower(strings.ReplaceAll(step, "\u2019", "'"))
	for _, word := range []string{"irreversible", "irrevocable", "cannot be undone", "can't be undone", "can not be undone", "permanent"} {
		if strings.Contains(step, word) {
			return true
		}
	}
	return false
}

// Missing is something that an approval waits for.
type Missing struct {
	Absent bool   // an attachment that has not arrived
	File   string // name of an attachment; "" for a step and a reason
	Step   int    // its number, from 1
	Reason bool   // an attachment is waived, and the form does not say why
	Hidden bool   // the hidden text of File must be read
	// Unresolved is how many remarks of this person in the previous round are neither resolved nor repeated.
	Unresolved int
	Unadded    bool // the form has a remark that wasn't added; that holds up any reply
}

// Missing lists what an approval still waits for. Other replies wait for a remark that was begun and not added.
func (g *Gate) Missing(f *Form) (lacks []Missing) {
	if f.New.Begun() {
		lacks = append(lacks, Missing{Unadded: true})
	}
	if f.Verdict != "approved" {
		return lacks
	}
	if n := g.unresolved(f); n > 0 && !f.Told {
		lacks = append(lacks, Missing{Unresolved: n})
	}
	waived, ticked, read, unsaid := set(f.Waived), set(f.Ticked), set(f.Hidden), false
	for i := range g.Files {
		switch file := &g.Files[i]; {
		case file.Absent():
			lacks = append(lacks, Missing{Absent: true, File: file.Name})
		case !file.Opened && !waived[i+1]:
			lacks = append(lacks, Missing{File: file.Name})
		case !file.Opened:
			unsaid = unsaid || f.Reason == ""
		}
	}
	for i := range g.Files {
		if g.MustReadHidden(i, f.MeasuredOf(i+1)) && !read[i+1] {
			lacks = append(lacks, Missing{File: g.Files[i].Name, Hidden: true})
		}
	}
	if unsaid {
		lacks = append(lacks, Missing{Reason: true})
	}
	for i := range g.Steps {
		if g.Steps[i].Tick && !ticked[i+1] {
			lacks = append(lacks, Missing{Step: i + 1})
		}
	}
	return lacks
}

// unresolved counts the person's remarks of the previous round that the form neither calls resolved nor repeats.
func (g *Gate) unresolved(f *Form) (n int) {
	if len(g.Earlier) == 0 {
		return 0
	}
	note := f.Note()
	resolved := set(note.Resolved)
	for _, e := range g.Earlier {
		repeats := slices.ContainsFunc(note.Remarks, func(r remark.Remark) bool { return r.Text == e.Text })
		if !resolved[e.Number] && !repeats {
			n++
		}
	}
	return n
}

func set(numbers []int) map[int]bool {
	all := make(map[int]bool, len(numbers))
	for _, n := range numbers {
		all[n] = true
	}
	return all
}
