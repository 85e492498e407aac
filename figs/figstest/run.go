package figstest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Result is what a door answers for one vector.
type Result struct {
	// FindingsJSON is the one object of `doctor --json`.
	FindingsJSON []byte
	// Fold is what `fold --ledger` prints, by "runs", "asks" and "messages"; nil where the
	// door has none.
	Fold map[string][]byte
	// States are lines as in Vector.States; nil where the door has none.
	States []string
}

// Run puts every vector through a door and compares what it says. A door that cannot take a
// vector returns errors.ErrUnsupported, and the vector is skipped with the reason.
func Run(t *testing.T, door func(Vector) (Result, error)) { run(t, Vectors(), door) }

// RunKinds is Run for the vectors about other kinds of folders. The report is that of the one folder of a kind that
// the project has; States are as each kind writes them.
func RunKinds(t *testing.T, door func(Vector) (Result, error)) { run(t, KindVectors(), door) }

func run(t *testing.T, vectors iter.Seq[Vector], door func(Vector) (Result, error)) {
	for v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			got, err := door(v)
			if errors.Is(err, errors.ErrUnsupported) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, complaint := range v.Compare(got) {
				t.Error(complaint)
			}
		})
	}
}

// Compare says how a result differs from what the vector expects; nothing when it agrees.
func (v Vector) Compare(got Result) (complaints []string) {
	complaints = v.compareReport(got.FindingsJSON)
	for _, ledger := range []string{"runs", "asks", "messages"} {
		want, stated := v.Fold[ledger]
		if !stated || got.Fold == nil {
			continue
		}
		if diff := compareLines(got.Fold[ledger], want); diff != "" {
			complaints = append(complaints, "fold of "+ledger+": "+diff)
		}
	}
	if got.States != nil && !slices.Equal(got.States, v.States) {
		complaints = append(complaints, fmt.Sprintf("states:\n got %q\nwant %q", got.States, v.States))
	}
	return complaints
}

// compareReport compares the findings, and what the report counts.
func (v Vector) compareReport(text []byte) (complaints []string) {
	var report struct {
		Valid                   bool
		Now                     string
		Errors, Warnings, Infos int
		Findings                []Finding
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return []string{"the report is not JSON: " + err.Error()}
	}
	count := map[string]int{}
	var got, want strings.Builder
	for _, f := range report.Findings {
		fmt.Fprintln(&got, f)
	}
	for _, f := range v.Findings {
		count[f.Severity]++
		fmt.Fprintln(&want, f)
	}
	if got.String() != want.String() {
		complaints = append(complaints, fmt.Sprintf("findings:\n--- got\n%s--- want\n%s", &got, &want))
	}
	if report.Errors != count["error"] || report.Warnings != count["warning"] || report.Infos != count["info"] {
		complaints = append(complaints, fmt.Sprintf("the report counts %d errors, %d warnings, %d infos; want %d, %d, %d",
			report.Errors, report.Warnings, report.Infos, count["error"], count["warning"], count["info"]))
	}
	if report.Valid != (count["error"] == 0) {
		complaints = append(complaints, fmt.Sprintf("valid is %v with %d errors", report.Valid, count["error"]))
	}
	if report.Now != v.Now {
		complaints = append(complaints, fmt.Sprintf("the report was made at %q, want %q", report.Now, v.Now))
	}
	return complaints
}

// compareLines compares JSON Lines by value: spelling and the order of fields are free.
func compareLines(got, want []byte) string {
	g, w := bytes.Split(bytes.TrimSpace(got), []byte("\n")), bytes.Split(bytes.TrimSpace(want), []byte("\n"))
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) {
			return fmt.Sprintf("got %d records, want %d", records(got), records(want))
		}
		if bytes.Equal(g[i], w[i]) {
			continue
		}
		gv, err := value(g[i])
		if err != nil {
			return fmt.Sprintf("record %d: %v", i+1, err)
		}
		if wv, err := value(w[i]); err != nil || !reflect.DeepEqual(gv, wv) {
			return fmt.Sprintf("record %d:\n got %s\nwant %s", i+1, clip(g[i]), clip(w[i]))
		}
	}
	return ""
}

// records counts the lines that hold something.
func records(lines []byte) (n int) {
	for line := range bytes.Lines(lines) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	return n
}

// value decodes one JSON text; numbers keep their digits.
func value(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return v, d.Decode(&v)
}

func clip(b []byte) []byte {
	if len(b) > 2000 {
		return append(slices.Clone(b[:2000]), "…"...)
	}
	return b
}
