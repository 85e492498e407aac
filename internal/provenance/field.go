package provenance

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
)

// tale is a record's trail with what its lines said.
type tale struct {
	trail []journal.TrailEntry
	lines []figs.Object  // each line alone
	fold  figs.Object    // of all lines
	at    map[string]int // where a field stands in it
	named []figs.Object  // after each line, the fields that the protocol names: a line may bring any number of others
}

func newTale(trail []journal.TrailEntry) *tale {
	t := &tale{trail: trail, at: map[string]int{}}
	var named figs.Object
	for i := range trail {
		line := figs.Fold([][]byte{trail[i].Raw})
		named = slices.Clone(named)
		for _, f := range line {
			n, known := t.at[f.Key]
			if !known {
				n = len(t.fold)
				t.at[f.Key], t.fold = n, append(t.fold, f)
			}
			t.fold[n].Value = f.Value
			if !figs.IsKnownKey([]byte(f.Key)) {
				continue
			}
			if n = slices.IndexFunc(named, func(g figs.Field) bool { return g.Key == f.Key }); n < 0 {
				n, named = len(named), append(named, f)
			}
			named[n].Value = f.Value
		}
		t.lines, t.named = append(t.lines, line), append(t.named, named)
	}
	return t
}

// fields explains each field of the fold: the lines that set it to another value than it had.
func (t *tale) fields() []Value {
	values := make([]Value, len(t.fold))
	was := make([]jsonl.Value, len(t.fold))
	for i := range t.fold {
		values[i] = Value{Slug: "f" + strconv.Itoa(i+1), Key: t.fold[i].Key}
	}
	for i, line := range t.lines {
		for _, f := range line {
			n := t.at[f.Key]
			v, is := &values[n], f.Value
			if len(v.Steps) > 0 && bytes.Equal(was[n].Raw, is.Raw) {
				v.Steps[len(v.Steps)-1].Again++
				continue
			}
			v.Steps = append(v.Steps, Step{Rule: fieldRule(f.Key, was[n], is), Line: &t.trail[i], Events: max(1, t.trail[i].Folded), JSON: is.Raw, Text: is.Text(), IsText: is.Kind == jsonl.String})
			was[n] = is
		}
	}
	return values
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
	for i := range t.named {
		if i > 0 && t.lines[i].Get(key).Kind == jsonl.None {
			continue
		}
		step := Step{Rule: FieldReplaced, Line: &t.trail[i], Events: max(1, t.trail[i].Folded), Reads: of(t.named[i])}
		n := len(v.Steps)
		switch {
		case step.Reads == "":
			step.Rule, step.Reads = absent, or(t.named[i])
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
