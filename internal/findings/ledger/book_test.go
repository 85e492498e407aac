package ledger

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/findings"
)

// sound is a finding with these fields changed; a value of "" leaves the field out.
func sound(changes ...string) string {
	fields := map[string]string{
		"id": `"f-1"`, "version": "1", "tier": `"local"`, "source": `{"repo": "r", "session": "s", "file": "a.md", "skill": "k"}`, "date": `"2026-11-01"`, "severity": `"high"`,
		"category": `"c"`, "pattern": `"P"`, "detection_question": `"Q?"`, "checklist_item": `"C."`, "applicable_languages": `[]`, "applicable_when": `["test-gap"]`, "status": `"active"`,
		"superseded_by": "null", "dedup_key": `"c|p|test-gap"`, "hit_count": "0", "last_cited": "null", "ttl_days": "30", "confidence": `"high"`,
	}
	var extra []string
	for i := 0; i < len(changes); i += 2 {
		if _, known := fields[changes[i]]; !known {
			extra = append(extra, changes[i])
		}
		fields[changes[i]] = changes[i+1]
	}
	var parts []string
	for _, name := range append(findings.Fields[:], extra...) {
		if v := fields[name]; v != "" {
			parts = append(parts, `"`+name+`": `+v)
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func book(t *testing.T, content string) *Book {
	t.Helper()
	b, err := ReadBook([]byte(content))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func draft(t *testing.T, record string, defaults ...string) Draft {
	t.Helper()
	o, ok := Object([]byte(record))
	if !ok {
		t.Fatalf("%s is no object", record)
	}
	d := Draft{Record: o}
	for i := 0; i < len(defaults); i += 2 {
		d.Defaults = findings.SetField(d.Defaults, defaults[i], []byte(defaults[i+1]))
	}
	return d
}

// Everything that is not changed stays as it was, to the byte: lines that nobody can read, blank ones, odd spaces.
func TestOthersKeepTheirBytes(t *testing.T) {
	odd := "\ufeff  " + sound("id", `"f-9"`, "pattern", `"Other"`, "dedup_key", `"c|other|test-gap"`) + " \r\n"
	before := odd + "{broken\n\n[1]\n\xff\xfe\n" + sound() + "\r\n" + `{"torn": "ta`
	b := book(t, before)
	if _, err := b.Add(draft(t, sound("id", "", "pattern", `"New"`, "dedup_key", ""))); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Retire("f-1"); err != nil {
		t.Fatal(err)
	}
	want := odd + "{broken\n\n[1]\n\xff\xfe\n" + canonical(sound("status", `"retired"`)) + "\r\n" + `{"torn": "ta` + "\n" +
		canonical(sound("id", `"f-2026-11-01-001"`, "pattern", `"New"`, "dedup_key", `"c|new|test-gap"`)) + "\n"
	if got := string(b.Bytes()); got != want {
		t.Errorf("the file is\n%q, want\n%q", got, want)
	}
	if b := book(t, before); b.Changed() || string(b.Bytes()) != before {
		t.Error("a book that nobody changed differs from its file")
	}
}

// canonical is a record as a writer writes it: no space between fields.
func canonical(record string) string {
	o, _ := Object([]byte(record))
	return string(figs.AppendObject(nil, o))
}

func TestAdd(t *testing.T) {
	for _, c := range []struct {
		about, before, record string
		defaults              []string
		action, id, key       string
		refused               string
	}{
		{"an id and a key are filled in", "", sound("id", "", "dedup_key", "", "pattern", `"It's so."`), nil, "added", "f-2026-11-01-001", "c|its-so|test-gap", ""},
		{"ids count on", sound("id", `"f-2026-11-01-041"`, "pattern", `"X"`, "dedup_key", `"c|x|test-gap"`), sound("id", ""), nil, "added", "f-2026-11-01-042", "c|p|test-gap", ""},
		{"of each day", sound("id", `"f-2026-11-02-041"`, "pattern", `"X"`, "dedup_key", `"c|x|test-gap"`), sound("id", ""), nil, "added", "f-2026-11-01-001", "c|p|test-gap", ""},
		{"defaults are for a new one", "", sound("id", "", "ttl_days", "", "confidence", ""), []string{"ttl_days", "30", "confidence", `"low"`, "tier", `"other"`}, "added", "f-2026-11-01-001", "c|p|test-gap", ""},
		{"an equal key merges", sound(), sound("id", "", "hit_count", "7"), nil, "merged", "f-1", "c|p|test-gap", ""},
		{"and one that should be equal", sound("dedup_key", `"c|wrong|test-gap"`), sound("id", "", "dedup_key", "", "hit_count", "7"), nil, "merged", "f-1", "c|wrong|test-gap", ""},
		{"the same again is nothing", sound(), sound(), nil, "unchanged", "f-1", "c|p|test-gap", ""},
		{"a default changes nothing that is there", sound("status", `"retired"`), sound("id", "", "status", ""), []string{"status", `"active"`}, "unchanged", "f-1", "c|p|test-gap", ""},
		{"an id is of one finding", sound(), sound("pattern", `"X"`, "dedup_key", ""), nil, "", "", "", `Another finding has the id "f-1".`},
		{"what is missing is refused", "", sound("id", "", "tier", "", "checklist_item", ""), nil, "", "", "", "This finding has no tier and checklist_item."},
		{"a cause comes before the key that lacks for it", "", sound("id", "", "dedup_key", "", "applicable_when", `["plan"]`), nil, "", "", "", "“plan” is not in the vocabulary of applicable_when."},
		{"a pattern without words has no key", "", sound("id", "", "dedup_key", "", "pattern", `"?!"`), nil, "", "", "", "The pattern has no letters or digits, so it gives no dedup_key."},
		{"what is malformed is refused", "", sound("ttl_days", "-1"), nil, "", "", "", "The field “ttl_days” should be a whole number of days from 0, or null."},
	} {
		b := book(t, c.before)
		got, err := b.Add(draft(t, c.record, c.defaults...))
		var refused *RefusedError
		if errors.As(err, &refused) || c.refused != "" {
			if refused == nil || refused.Sentence != c.refused || b.Changed() {
				t.Errorf("%s: %v, changed %v, want %q", c.about, err, b.Changed(), c.refused)
			}
			continue
		}
		if err != nil || got.Action != c.action || got.Entry.ID != c.id || got.Entry.DedupKey != c.key {
			t.Errorf("%s: %v %s %s %s, want %s %s %s", c.about, err, got.Action, got.Entry.ID, got.Entry.DedupKey, c.action, c.id, c.key)
		}
		if b.Changed() != (c.action != "unchanged") {
			t.Errorf("%s: changed %v", c.about, b.Changed())
		}
	}
}

func TestMergeOfRegistries(t *testing.T) {
	here := sound() + "\n" + sound("id", `"f-2"`, "pattern", `"Two"`, "dedup_key", `"c|two|test-gap"`)
	there := sound("id", `"x-1"`, "hit_count", "5") + "\n" + // f-1 by another name
		sound("id", `"f-2"`, "pattern", `"Three"`, "dedup_key", `"c|three|test-gap"`) + "\n" + // an id that means another finding here
		sound("id", `"x-3"`, "pattern", `"Four"`, "dedup_key", `"c|four|test-gap"`, "status", `"superseded"`, "superseded_by", `"f-2"`) + "\n" +
		sound("id", `"x-4"`, "tier", "") + "\n" + "broken\n" +
		sound("id", `"x-5"`, "pattern", `"Three!"`, "dedup_key", `"c|three|test-gap"`, "hit_count", "9") + "\n"
	other, _ := findings.Read([]byte(there), "")
	b := book(t, here)
	var got []string
	for _, o := range b.Merge(other, findings.KeepWording, false) {
		got = append(got, o.Action+" "+o.Entry.ID)
	}
	want := "merged f-1, added f-2026-11-01-001, added x-3, refused x-4, merged f-2026-11-01-001"
	if g := strings.Join(got, ", "); g != want {
		t.Errorf("Merge = %s, want %s", g, want)
	}
	merged, report := findings.Read(b.Bytes(), "")
	if report.Errors+report.Warnings > 0 || len(merged.Entries) != 4 {
		t.Errorf("%d entries, findings %+v", len(merged.Entries), report.Findings)
	}
	if e := merged.ByID("x-3"); e == nil || e.SupersededBy != "f-2026-11-01-001" {
		t.Errorf("x-3 = %+v, want it replaced by the finding that f-2 meant there", e)
	}
	again := book(t, string(b.Bytes()))
	if again.Merge(other, findings.KeepWording, false); again.Changed() {
		t.Errorf("merging the same again changes\n%s\nto\n%s", b.Bytes(), again.Bytes())
	}
}

func TestSupersede(t *testing.T) {
	two := sound("id", `"f-2"`, "pattern", `"Two"`, "dedup_key", `"c|two|test-gap"`)
	three := sound("id", `"f-3"`, "pattern", `"Three"`, "dedup_key", `"c|three|test-gap"`, "status", `"superseded"`, "superseded_by", `"f-2"`)
	for _, c := range []struct{ id, by, want string }{
		{"f-1", "f-2", ""},
		{"f-1", "f-3", ""},
		{"f-2", "f-3", `"f-3" is replaced by "f-2" already, directly or through others.`},
		{"f-1", "f-1", "A finding cannot replace itself."},
		{"f-1", "f-4", `There is no finding with the id "f-4".`},
		{"f-4", "f-1", `There is no finding with the id "f-4".`},
	} {
		b := book(t, sound()+"\n"+two+"\n"+three+"\n")
		o, err := b.Supersede(c.id, c.by)
		said := ""
		if err != nil {
			said = err.Error()
		}
		if said != c.want || b.Changed() != (c.want == "") {
			t.Errorf("Supersede(%s, %s) = %q, changed %v, want %q", c.id, c.by, said, b.Changed(), c.want)
		}
		if c.want == "" && (o.Entry.Status != findings.Superseded || o.Entry.SupersededBy != c.by) {
			t.Errorf("Supersede(%s, %s) = %s %s", c.id, c.by, o.Entry.Status, o.Entry.SupersededBy)
		}
	}
}

// A registry that goes round already ends the search for a circle, too.
func TestSupersedeInACircle(t *testing.T) {
	b := book(t, sound()+"\n"+sound("id", `"f-2"`, "superseded_by", `"f-3"`)+"\n"+sound("id", `"f-3"`, "superseded_by", `"f-2"`)+"\n")
	if _, err := b.Supersede("f-1", "f-2"); err != nil {
		t.Error(err)
	}
}

func TestUnreadableRegistryIsNotWritten(t *testing.T) {
	if _, err := ReadBook([]byte("\xff\xfe{\x00}\x00\n\x00")); err == nil || err.Error() != "The registry could not be read: it is UTF-16." {
		t.Errorf("ReadBook = %v", err)
	}
}

// FuzzAdd adds any object to any file: what was there is still there, to the byte, and the file is whole.
func FuzzAdd(f *testing.F) {
	f.Add([]byte(sound()+"\n{broken\n"), []byte(sound("id", "", "hit_count", "3")))
	f.Add([]byte("\r\n{\"id\":\"f-1\"}"), []byte(sound("pattern", `"New"`, "dedup_key", "")))
	f.Add([]byte(sound("dedup_key", `"x"`)), []byte("{\n  \"pattern\": \"P\",\n \"x\": [1,\n2]}"))
	f.Fuzz(func(t *testing.T, file, record []byte) {
		o, ok := Object(record)
		if !ok {
			return
		}
		b, err := ReadBook(file)
		if err != nil {
			return
		}
		before, _ := findings.Read(append([]byte(nil), file...), "")
		defaults := draft(t, sound("id", "", "dedup_key", ""))
		outcome, err := b.Add(Draft{Record: o, Defaults: defaults.Record})
		if err != nil {
			if b.Changed() {
				t.Errorf("%v, and the book has changed", err)
			}
			return
		}
		after, report := findings.Read(b.Bytes(), "")
		if after.Skipped != before.Skipped || len(after.Entries) != len(before.Entries)+map[bool]int{true: 1}[outcome.Action == "added"] {
			t.Errorf("%s: %d entries, %d skipped; before %d, %d", outcome.Action, len(after.Entries), after.Skipped, len(before.Entries), before.Skipped)
		}
		if report == nil || !json.Valid(outcome.Entry.Raw) {
			t.Errorf("the entry is %q", outcome.Entry.Raw)
		}
		again, _ := ReadBook(b.Bytes())
		if o, err := again.Add(Draft{Record: o, Defaults: defaults.Record}); err != nil || o.Action != "unchanged" {
			if err == nil || outcome.Action != "added" { // with an id of its own
				t.Errorf("added again: %s %v after %s", o.Action, err, outcome.Action)
			}
		}
	})
}

// What is retired or superseded stays so when an older copy is merged, and comes back only when that is asked for.
func TestMergeBringsNothingBack(t *testing.T) {
	older, _ := findings.Read([]byte(sound()+"\n"), "")
	for _, status := range []string{findings.Retired, findings.Superseded} {
		book, err := ReadBook([]byte(sound() + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := book.tell("f-1", status, status, map[string]string{findings.Retired: "null", findings.Superseded: `"f-9"`}[status]); err != nil {
			t.Fatal(err)
		}
		before := string(book.Bytes())
		got := book.Merge(older, findings.KeepWording, false)
		if len(got) != 1 || got[0].Action != "unchanged" || got[0].Entry.Status != status || len(got[0].Merging.Kept) != 1 || got[0].Merging.Kept[0] != "status" || string(book.Bytes()) != before {
			t.Errorf("%s: merging an older copy = %+v\n%s", status, got, book.Bytes())
		}
		if o, err := book.Add(Draft{Record: figs.Fold([][]byte{[]byte(sound())})}); err != nil || o.Entry.Status != status {
			t.Errorf("%s: adding it again = %+v, %v", status, o, err)
		}
		if got := book.Merge(older, findings.KeepWording, true); got[0].Entry.Status != findings.Active || got[0].Entry.SupersededBy != "" {
			t.Errorf("%s: asked to reactivate = %+v", status, got)
		}
	}
}
