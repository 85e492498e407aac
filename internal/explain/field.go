package explain

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
)

// tale is a record's trail with the fold after each of its lines.
type tale struct {
	trail []journal.Moment
	lines []figs.Object // each line alone
	folds []figs.Object // of the lines up to each
}

func newTale(trail []journal.Moment) *tale {
	t := &tale{trail: trail}
	var fold figs.Object
	at := map[string]int{}
	for i := range trail {
		line := figs.Fold([][]byte{trail[i].Raw})
		fold = slices.Clone(fold)
		for _, f := range line {
			n, known := at[f.Key]
			if !known {
				n = len(fold)
				at[f.Key], fold = n, append(fold, f)
			}
			fold[n].Value = f.Value
		}
		t.lines, t.folds = append(t.lines, line), append(t.folds, fold)
	}
	return t
}

// last is the fold of all lines.
func (t *tale) last() figs.Object {
	if len(t.folds) == 0 {
		return nil
	}
	return t.folds[len(t.folds)-1]
}

// fields explains each field of the fold.
func (t *tale) fields() []Value {
	all := t.last()
	values := make([]Value, len(all))
	for i := range all {
		values[i] = Value{Slug: "f" + strconv.Itoa(i+1), Key: all[i].Key, Steps: t.sets(all[i].Key)}
	}
	return values
}

// sets lists the lines that set a field to another value than it had.
func (t *tale) sets(key string) []Step {
	var steps []Step
	var was jsonl.Value
	for i, line := range t.lines {
		is := line.Get(key)
		switch {
		case is.Kind == jsonl.None:
			continue
		case len(steps) > 0 && bytes.Equal(was.Raw, is.Raw):
			steps[len(steps)-1].Again++
			continue
		}
		steps = append(steps, Step{Rule: fieldRule(key, was, is), Line: &t.trail[i], Events: max(1, t.trail[i].Folded), JSON: is.Raw, Text: is.Text(), IsText: is.Kind == jsonl.String})
		was = is
	}
	return steps
}

// fieldRule is why a line's value of a field counts.
func fieldRule(key string, was, is jsonl.Value) Rule {
	switch {
	case is.Kind == jsonl.Null:
		return FieldNull
	case key == "attachments":
		return FieldAttachments
	case key == "artifact", key == "artifacts", key == "refs":
		return FieldLegacy
	case key == "resolution" && is.Kind == jsonl.String:
		return ResolutionNote
	case was.Kind == jsonl.None:
		return FieldSet
	case was.Kind == jsonl.Object && is.Kind == jsonl.Object:
		return FieldWhole
	}
	return FieldReplaced
}

// word explains a value that pages read from one field. Where of gives nothing, or says that it gives
// what stands without the field, absent is the rule and or the value.
func (t *tale) word(name, key string, absent Rule, list []string, of, or func(figs.Object) string) Value {
	v := Value{Slug: name}
	for i := range t.folds {
		if i > 0 && t.lines[i].Get(key).Kind == jsonl.None {
			continue
		}
		step := Step{Rule: FieldReplaced, Line: &t.trail[i], Events: max(1, t.trail[i].Folded), Reads: of(t.folds[i])}
		n := len(v.Steps)
		switch {
		case step.Reads == "":
			step.Rule, step.Reads = absent, or(t.folds[i])
		case list != nil && !slices.Contains(list, step.Reads):
			step.Rule = WordUnknown
		case n == 0 || v.Steps[n-1].Rule == absent:
			step.Rule = FieldSet
		}
		if n > 0 && v.Steps[n-1].Reads == step.Reads && (v.Steps[n-1].Rule == absent) == (step.Rule == absent) {
			v.Steps[n-1].Again++
			continue
		}
		v.Steps = append(v.Steps, step)
	}
	if len(v.Steps) == 0 {
		v.Steps = []Step{{Rule: absent, Reads: or(nil)}}
	}
	return v
}

// attached explains what an ask puts before a human: each line that changes it.
func (t *tale) attached() []Step {
	var steps []Step
	var was []string
	for i := range t.trail {
		now, _ := journal.Attached(t.trail[:i+1])
		names := namesOf(now)
		if slices.Equal(was, names) {
			continue
		}
		rule := FilesNamed
		if t.trail[i].Raises {
			rule = FilesRaised
		}
		steps = append(steps, Step{Rule: rule, Line: &t.trail[i], Events: max(1, t.trail[i].Folded), Files: now})
		was = names
	}
	return steps
}

func namesOf(files []journal.File) []string {
	names := make([]string, len(files))
	for i := range files {
		names[i] = files[i].Name
	}
	return names
}
