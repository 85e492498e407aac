package findings_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/findings"
)

func entry(t testing.TB, line string) *findings.Entry {
	t.Helper()
	registry, _ := findings.Read([]byte(line), "")
	if len(registry.Entries) != 1 {
		t.Fatalf("%q is no entry", line)
	}
	return &registry.Entries[0]
}

func TestMerge(t *testing.T) {
	const existing = `{"id":"a","pattern":"P","detection_question":"Q","checklist_item":"C","severity":"low","applicable_languages":["go"],"applicable_when":["test-gap"],` +
		`"status":"active","superseded_by":null,"hit_count":3,"last_cited":"2026-11-02","ttl_days":30,"confidence":"high","mine":1}`
	for _, c := range []struct {
		about, newcomer string
		wording         findings.WordingChoice
		want            map[string]string // what differs from existing
		changed, kept   string
	}{
		{"nothing new", `{"pattern":"P","status":"active"}`, 0, nil, "", ""},
		{"the existing wording stays", `{"pattern":"P!","detection_question":"Q","checklist_item":"D"}`, 0, nil, "", ""},
		{"unless the newcomer's is chosen", `{"pattern":"P!","detection_question":" ","checklist_item":"D"}`, findings.NewWording, map[string]string{"pattern": `"P!"`, "checklist_item": `"D"`}, "pattern checklist_item", ""},
		{"the lifecycle is the newcomer's", `{"status":"superseded","superseded_by":"b","ttl_days":null,"confidence":"low"}`, 0,
			map[string]string{"status": `"superseded"`, "superseded_by": `"b"`, "ttl_days": "null", "confidence": `"low"`}, "status superseded_by ttl_days confidence", ""},
		{"counts never fall", `{"hit_count":2,"last_cited":"2026-11-01"}`, 0, nil, "", ""},
		{"counts rise", `{"hit_count":4,"last_cited":"2026-11-02T00:00:01Z"}`, 0, map[string]string{"hit_count": "4", "last_cited": `"2026-11-02T00:00:01Z"`}, "hit_count last_cited", ""},
		{"malformed values are not taken", `{"hit_count":-9,"last_cited":"soon","ttl_days":"x","status":7,"superseded_by":[],"applicable_when":"all"}`, 0, nil, "", ""},
		{"lists become both together", `{"applicable_languages":["rust","go",3],"applicable_when":["own","docs-drift","test-gap"]}`, 0,
			map[string]string{"applicable_languages": `["go","rust"]`, "applicable_when": `["test-gap","docs-drift"]`}, "applicable_languages applicable_when", ""},
		{"others stay, and are told", `{"id":"b","severity":"critical","mine":2}`, 0, nil, "", "id severity mine"},
		{"what is missing is taken", `{"tier":"local","category":"c","theirs":{"x":[1]}}`, 0, map[string]string{"tier": `"local"`, "category": `"c"`, "theirs": `{"x":[1]}`}, "tier category theirs", ""},
	} {
		got := findings.Merge(entry(t, existing), entry(t, c.newcomer), c.wording)
		want := object(t, []byte(existing))
		for k, v := range c.want {
			want[k] = object(t, []byte(`{"v":`+v+`}`))["v"]
		}
		if g := object(t, got.Line); !reflect.DeepEqual(g, want) {
			t.Errorf("%s: Merge = %s, want %v", c.about, got.Line, want)
		}
		if strings.Join(got.Changed, " ") != c.changed || strings.Join(got.Kept, " ") != c.kept {
			t.Errorf("%s: changed %q, kept %q, want %q and %q", c.about, got.Changed, got.Kept, c.changed, c.kept)
		}
		if c.want == nil && string(got.Line) != existing {
			t.Errorf("%s: the bytes changed: %s", c.about, got.Line)
		}
	}
}

func TestMergeTellsBothWordings(t *testing.T) {
	got := findings.Merge(entry(t, `{"pattern":"old","checklist_item":"same"}`), entry(t, `{"pattern":"new","checklist_item":"same","detection_question":"only"}`), findings.NewWording)
	want := []findings.WordingDifference{{Field: "pattern", Existing: "old", Newcomer: "new", New: true}}
	if !reflect.DeepEqual(got.Wording, want) {
		t.Errorf("Wording = %+v, want %+v", got.Wording, want)
	}
}

// A status that ends a replacement takes it along.
func TestMergeReactivates(t *testing.T) {
	got := findings.Merge(entry(t, `{"status":"superseded","superseded_by":"b","ttl_days":1,"confidence":"low"}`), entry(t, `{"status":"active"}`), 0)
	if want := `{"status":"active","superseded_by":null,"ttl_days":1,"confidence":"low"}`; string(got.Line) != want {
		t.Errorf("Merge = %s, want %s", got.Line, want)
	}
}

// What is malformed in the registry is taken from the newcomer, and what is malformed in both stays.
func TestMergeMends(t *testing.T) {
	for _, c := range []struct{ existing, newcomer, want string }{
		{`{"version":2}`, `{"version":1}`, `"version":1`}, {`{"version":1}`, `{"version":2}`, `"version":1`}, {`{"version":"1"}`, `{"version":2}`, `"version":"1"`},
		{`{"source":"x"}`, `{"source":{"repo":"r"}}`, `"source":{"repo":"r"}`}, {`{"source":{"repo":"r"}}`, `{"source":"x"}`, `"source":{"repo":"r"}`},
		{`{"last_cited":7}`, `{"last_cited":"soon"}`, `"last_cited":7`}, {`{"last_cited":7}`, `{"last_cited":"2026-11-02"}`, `"last_cited":"2026-11-02"`}, {`{"last_cited":null}`, `{"last_cited":"2026-11-02"}`, `"last_cited":"2026-11-02"`},
		{`{"last_cited":"2026-11-02"}`, `{"last_cited":null}`, `"last_cited":"2026-11-02"`}, {`{"last_cited":"2026-11-02"}`, `{"last_cited":"2026-11-02T00:00:00Z"}`, `"last_cited":"2026-11-02"`},
		{`{"hit_count":"x"}`, `{"hit_count":0}`, `"hit_count":0`}, {`{"hit_count":2}`, `{"hit_count":2.0}`, `"hit_count":2`}, {`{"ttl_days":"x"}`, `{"ttl_days":0}`, `"ttl_days":0`}, {`{"ttl_days":4}`, `{"ttl_days":-1}`, `"ttl_days":4`},
		{`{"applicable_languages":"go"}`, `{"applicable_languages":["rust"]}`, `"applicable_languages":["rust"]`}, {`{"pattern":" "}`, `{"pattern":"P"}`, `"pattern":"P"`}, {`{"pattern":"P"}`, `{"pattern":7}`, `"pattern":"P"`},
	} {
		got := findings.Merge(entry(t, c.existing), entry(t, c.newcomer), findings.KeepWording)
		if want := "{" + c.want; !strings.HasPrefix(string(got.Line), want+",") {
			t.Errorf("Merge(%s, %s) = %s, want %s", c.existing, c.newcomer, got.Line, want)
		}
	}
}

// A record that stays as it is keeps its bytes, spaces too.
func TestMergeKeepsBytes(t *testing.T) {
	const existing = `{ "id": "a", "status": "active", "superseded_by": null, "ttl_days": null, "confidence": "high" }`
	if got := findings.Merge(entry(t, existing), entry(t, `{"id":"a"}`), findings.KeepWording); string(got.Line) != existing || len(got.Changed) > 0 {
		t.Errorf("Merge = %s, changed %q, want %s", got.Line, got.Changed, existing)
	}
}

func TestWith(t *testing.T) {
	record := figs.Fold([][]byte{[]byte(`{"id":"a","x":1}`)})
	for _, c := range []struct{ key, json, want string }{{"x", `2`, `{"id":"a","x":2}`}, {"y", `"z"`, `{"id":"a","x":1,"y":"z"}`}, {"x", `{`, `{"id":"a","x":1}`}} {
		if got := string(figs.AppendObject(nil, findings.SetField(record, c.key, []byte(c.json)))); got != c.want {
			t.Errorf("With(%s, %s) = %s, want %s", c.key, c.json, got, c.want)
		}
	}
	if got := string(figs.AppendObject(nil, record)); got != `{"id":"a","x":1}` {
		t.Errorf("the record became %s", got)
	}
}

func object(t testing.TB, line []byte) (o map[string]any) {
	t.Helper()
	if err := json.Unmarshal(line, &o); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return o
}

// FuzzMerge merges any two objects: the result is one line of JSON with the lifecycle in it, nothing unknown is lost,
// counts do not fall, and merging the same again changes nothing.
func FuzzMerge(f *testing.F) {
	f.Add([]byte(`{"id":"a","hit_count":3,"pattern":"P","x":1}`), []byte(`{"hit_count":4,"pattern":"Q","y":2,"applicable_when":["test-gap"]}`), true)
	f.Add([]byte(`{"status":7,"last_cited":"2026-01-01"}`), []byte(`{"status":"retired","superseded_by":"b","last_cited":"2026-01-02T00:00:00Z"}`), false)
	f.Add([]byte(`{"a\ud800":1,"applicable_languages":[1,"go"]}`), []byte(`{"a\ud800":2,"applicable_languages":["go","go","\u0067o"],"ttl_days":30.0}`), false)
	f.Fuzz(func(t *testing.T, a, b []byte, chosen bool) {
		if bytes.ContainsAny(a, "\r\n") || bytes.ContainsAny(b, "\r\n") {
			return
		}
		one, _ := findings.Read(bytes.Clone(a), "")
		two, _ := findings.Read(bytes.Clone(b), "")
		if len(one.Entries) != 1 || len(two.Entries) != 1 {
			return
		}
		w := findings.KeepWording
		if chosen {
			w = findings.NewWording
		}
		m := findings.Merge(&one.Entries[0], &two.Entries[0], w)
		if bytes.ContainsAny(m.Line, "\n") || !json.Valid(m.Line) {
			t.Fatalf("Merge = %q, want one line of JSON", m.Line)
		}
		merged, _ := findings.Read(bytes.Clone(m.Line), "")
		e := &merged.Entries[0]
		if again := findings.Merge(e, &two.Entries[0], w); !bytes.Equal(again.Line, m.Line) || len(again.Changed) > 0 {
			t.Errorf("merging again changes %q:\n%s\n%s", again.Changed, m.Line, again.Line)
		}
		if e.HitCount < one.Entries[0].HitCount || findings.Instant(e.LastCited) < findings.Instant(one.Entries[0].LastCited) {
			t.Errorf("a count fell: %s", m.Line)
		}
		got, was := object(t, m.Line), object(t, a)
		for _, name := range []string{"status", "superseded_by", "ttl_days", "confidence"} {
			if _, there := got[name]; !there {
				t.Errorf("%s is not written: %s", name, m.Line)
			}
		}
		for k := range was {
			if _, there := got[k]; !there {
				t.Errorf("%q was lost: %s", k, m.Line)
			}
		}
	})
}
