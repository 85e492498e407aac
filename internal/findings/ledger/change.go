package ledger

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/findings"
)

// Outcome is what became of a newcomer, or of an entry that was told what to be.
type Outcome struct {
	Action  string // "added", "merged", "unchanged", "retired", "superseded", or "refused"
	Entry   *findings.Entry
	Merging findings.MergeResult // of "merged" and "unchanged": whose wording stands, what changed, what was kept
	Was     string               // of "merged", "unchanged", "retired" and "superseded": the status before
	Line    int                  // of "refused": the line of the other registry
	Why     figs.Finding         // of "refused": the first rule that the newcomer breaks
}

// Draft is a finding that is to be recorded. Record holds what is known of it, Defaults what a new entry gets where
// that says nothing; an entry that is there already is not changed by defaults.
type Draft struct {
	Record, Defaults figs.Object
	Wording          findings.WordingChoice
	Reactivate       bool // the record's status counts also for an entry that is retired or superseded
}

// Object reads a record from JSON text, which may span several lines. ok is false when it is anything but one object.
func Object(json []byte) (o figs.Object, ok bool) {
	flat := bytes.ReplaceAll(json, []byte("\n"), []byte(" ")) // between values only: a string has none
	registry, _ := findings.Read(append(flat, '\n'), "")
	if len(registry.Entries) != 1 || registry.Skipped > 0 {
		return nil, false
	}
	return figs.Fold([][]byte{registry.Entries[0].Raw}), true
}

// Add records a finding: id, version, dedup_key and defaults are filled in. One with an equal dedup_key is merged into
// the entry that has it instead. A finding that breaks a rule is not recorded: the error is a *RefusedError.
func (b *Book) Add(d Draft) (Outcome, error) {
	record, whole := d.Record, d.Record
	for _, f := range d.Defaults {
		if whole.Get(f.Key).Kind == 0 {
			whole = findings.SetField(whole, f.Key, f.Value.Raw)
		}
	}
	e := entryOf(figs.AppendObject(nil, whole))
	if whole.Get("dedup_key").Kind == 0 && e.ExpectedKey != "" {
		key := figs.AppendString(nil, e.ExpectedKey)
		record, whole = findings.SetField(record, "dedup_key", key), findings.SetField(whole, "dedup_key", key)
	}
	minted := whole.Get("id").Kind == 0
	if minted {
		whole = findings.SetField(whole, "id", figs.AppendString(nil, "f-"+e.Date))
	}
	if err := judge(whole); err != nil {
		return Outcome{}, err
	}
	newcomer := entryOf(figs.AppendObject(nil, record))
	if no := b.under(entryOf(figs.AppendObject(nil, whole))); no > 0 {
		return b.merge(no, newcomer, d.Wording, d.Reactivate), nil
	}
	if minted {
		whole = findings.SetField(whole, "id", figs.AppendString(nil, b.NewID(e.Date)))
	} else if b.Entry(e.ID) != nil {
		return Outcome{}, &RefusedError{Reason: ReasonIDInUse, Sentence: fmt.Sprintf("Another finding has the id %q.", e.ID), Hint: "Nothing was written. Leave the id out to get a new one."}
	}
	return Outcome{Action: "added", Entry: b.put(figs.AppendObject(nil, ordered(whole)))}, nil
}

// judge refuses a record that breaks a rule. Without a key it is judged as if it had one: what keeps the key from being
// told is what the writer has to mend.
func judge(record figs.Object) error {
	keyless := record.Get("dedup_key").Kind == 0
	if keyless {
		record = findings.SetField(record, "dedup_key", []byte(`"-"`))
	}
	why := broken(figs.AppendObject(nil, record))
	switch {
	case why != nil:
		return &RefusedError{Reason: ReasonInvalid, Sentence: why.Message, Hint: "Nothing was written. " + why.Hint, Finding: why}
	case keyless:
		return &RefusedError{Reason: ReasonInvalid, Sentence: "The pattern has no letters or digits, so it gives no dedup_key.", Hint: "Nothing was written. Say in a sentence what goes wrong."}
	}
	return nil
}

// ordered is a record with the contract's fields first, in its order.
func ordered(o figs.Object) (all figs.Object) {
	known := map[string]bool{}
	for _, name := range findings.Fields {
		known[name] = true
		if v := o.Get(name); v.Kind != 0 {
			all = append(all, figs.Field{Key: name, Value: v})
		}
	}
	for _, f := range o {
		if !known[f.Key] {
			all = append(all, f)
		}
	}
	return all
}

// broken is the first rule of severity error that a record breaks; nil when it breaks none.
func broken(record []byte) *figs.Finding {
	registry, report := findings.Read(bytes.Clone(record), "")
	if report.Errors == 0 && len(registry.Entries) == 1 {
		return nil
	}
	if len(report.Findings) == 0 {
		return &figs.Finding{Code: figs.EntryMalformed, Message: "This is not a finding.", Hint: "Write it as one JSON object."}
	}
	return &report.Findings[0]
}

// merge merges a newcomer into an entry. An entry that is retired or superseded stays so, unless reactivate says that the
// newcomer's status counts: a copy of the registry that is older would otherwise bring it back.
func (b *Book) merge(no int, newcomer *findings.Entry, w findings.WordingChoice, reactivate bool) Outcome {
	was := b.entries[no-1]
	kept := !reactivate && (was.Status == findings.Retired || was.Status == findings.Superseded)
	if kept {
		record := figs.Fold([][]byte{newcomer.Raw})
		kept = record.Get("status").Kind != 0 && newcomer.Status != was.Status
		record = slices.DeleteFunc(record, func(f figs.Field) bool { return f.Key == "status" || f.Key == "superseded_by" })
		newcomer = entryOf(figs.AppendObject(nil, record))
	}
	o := Outcome{Action: "unchanged", Merging: findings.Merge(was, newcomer, w), Was: was.Status}
	if kept {
		o.Merging.Kept = append(o.Merging.Kept, "status")
	}
	if len(o.Merging.Changed) > 0 {
		o.Action = "merged"
		b.replace(no, o.Merging.Line)
	}
	o.Entry = b.entries[no-1]
	return o
}

// Merge merges all entries of another registry, in their order. Those that break a rule of severity error are refused
// one by one, and everything else is merged. An entry whose id means another finding here gets an id of its own, and
// what names it in superseded_by follows. With reactivate, what is retired or superseded here becomes what the other says.
func (b *Book) Merge(other *findings.Registry, w findings.WordingChoice, reactivate bool) (outcomes []Outcome) {
	called := make(map[string]string, len(other.Entries)) // ids here, by ids there
	refused := make([]*figs.Finding, len(other.Entries))
	planned := map[string]string{} // ids of entries that will be added, by both of their keys
	taken := map[string]bool{}
	for i := range other.Entries {
		e := &other.Entries[i]
		if refused[i] = broken(e.Raw); refused[i] != nil {
			continue
		}
		id := e.ID
		if no := b.under(e); no > 0 {
			id = b.entries[no-1].ID
		} else if known := cmp.Or(planned[e.DedupKey], planned[e.ExpectedKey]); known != "" {
			id = known
		} else {
			if b.Entry(id) != nil || taken[id] {
				id = b.NewID(e.Date)
			}
			planned[e.DedupKey], planned[e.ExpectedKey], taken[id] = id, id, true
			delete(planned, "") // where no key can be told
		}
		if _, known := called[e.ID]; !known {
			called[e.ID] = id
		}
	}
	for i := range other.Entries {
		e := &other.Entries[i]
		if refused[i] != nil {
			outcomes = append(outcomes, Outcome{Action: "refused", Entry: e, Line: e.Line, Why: *refused[i]})
			continue
		}
		record := figs.Fold([][]byte{e.Raw})
		if by, known := called[e.SupersededBy]; known && by != e.SupersededBy {
			record = findings.SetField(record, "superseded_by", figs.AppendString(nil, by))
		}
		if no := b.under(e); no > 0 {
			outcomes = append(outcomes, b.merge(no, entryOf(figs.AppendObject(nil, record)), w, reactivate))
			continue
		}
		line := e.Raw
		if id := planned[e.DedupKey]; id != e.ID {
			record = findings.SetField(record, "id", figs.AppendString(nil, id))
			line = figs.AppendObject(nil, record)
		} else if by := called[e.SupersededBy]; by != "" && by != e.SupersededBy {
			line = figs.AppendObject(nil, record)
		}
		outcomes = append(outcomes, Outcome{Action: "added", Entry: b.put(line)})
	}
	return outcomes
}

// Retire makes an entry history: it stays, and is given to nobody any more.
func (b *Book) Retire(id string) (Outcome, error) {
	return b.tell(id, "retired", findings.Retired, "null")
}

// Supersede says that another entry replaces this one.
func (b *Book) Supersede(id, by string) (Outcome, error) {
	switch {
	case id == by:
		return Outcome{}, &RefusedError{Reason: ReasonNotApplicable, Sentence: "A finding cannot replace itself.", Hint: "Name the finding that is used from now on: --by ID. To use none, retire it."}
	case b.Entry(id) != nil && b.Entry(by) == nil:
		return Outcome{}, unknown(by)
	}
	for e, steps := b.Entry(by), 0; e != nil && steps <= len(b.entries); e, steps = b.Entry(e.SupersededBy), steps+1 {
		if e.SupersededBy == id {
			return Outcome{}, &RefusedError{Reason: ReasonNotApplicable, Sentence: fmt.Sprintf("%q is replaced by %q already, directly or through others.", by, id), Hint: "Nothing was written: a circle of replacements leaves none that is used. Record the newer one again with --status active first."}
		}
	}
	return b.tell(id, "superseded", findings.Superseded, string(figs.AppendString(nil, by)))
}

// tell gives an entry its status and replacement.
func (b *Book) tell(id, action, status, by string) (Outcome, error) {
	no := b.ids[id]
	if no == 0 {
		return Outcome{}, unknown(id)
	}
	e := b.entries[no-1]
	newcomer := entryOf(fmt.Appendf(nil, `{"status": %s, "superseded_by": %s}`, figs.AppendString(nil, status), by))
	o := Outcome{Action: "unchanged", Merging: findings.Merge(e, newcomer, findings.KeepWording), Was: e.Status}
	if len(o.Merging.Changed) > 0 {
		o.Action = action
		b.replace(no, o.Merging.Line)
	}
	o.Entry = b.entries[no-1]
	return o, nil
}

func unknown(id string) error {
	return &RefusedError{Sentence: fmt.Sprintf("There is no finding with the id %q.", id), Hint: "figs-web finding list shows the ids.", Reason: ReasonUnknown}
}
