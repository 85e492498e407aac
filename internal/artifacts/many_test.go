package artifacts_test

import (
	"strconv"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/kind"
)

const some = 20_000

// Workspaces of as many records as are read, and one more, and of shapes that would never come to an end if anything
// took time by the square.
func TestMany(t *testing.T) {
	id := func(i int) string { return "art_" + strconv.Itoa(1_000_000+i) }
	for _, test := range []struct {
		about    string
		n        int
		more     func(i, n int) []string
		active   int
		compete  int
		warnings int
		errors   int
	}{
		{"a chain of revisions, and of work", artifacts.MaxRecords, func(i, n int) []string {
			work := []string{`"producer":{"workId":"w` + strconv.Itoa(i) + `","parentWorkId":"w` + strconv.Itoa(i+1) + `","kind":"task"}`}
			if i == 0 {
				return work
			}
			return append(work, `"replaces":"`+id(i-1)+`"`)
		}, 1, 0, 1, 0},
		{"one artifact that all replace", some, func(i, n int) []string {
			if i == 0 {
				return nil
			}
			return []string{`"replaces":"` + id(0) + `"`}
		}, some - 1, 1, 1, 0},
		{"pairs that compete", some, func(i, n int) []string { return []string{`"replaces":"` + id(i/2*2+2_000_000) + `"`} }, some, some / 2, some + some/2, 0},
		{"a circle, and work in a circle", some, func(i, n int) []string {
			return []string{`"replaces":"` + id((i+1)%n) + `"`, `"producer":{"workId":"w` + strconv.Itoa(i) + `","parentWorkId":"w` + strconv.Itoa((i+1)%n) + `","kind":"task"}`}
		}, some, 0, 1, 1},
	} {
		r, n := artifacts.New(), test.n
		for i := range n + 1 {
			path := artifacts.Dir + "/" + id(i) + ".json"
			if wanted := i < n || n < artifacts.MaxRecords; r.See(path) != wanted {
				t.Fatalf("record %d is wanted: %v", i, !wanted)
			}
			if i < n {
				r.Give(path, []byte(record(id(i), append(test.more(i, n), `"path":"out"`)...)))
			}
		}
		for _, p := range r.Targets() {
			r.Look(p, kind.Target{State: kind.TargetAvailable, Dir: true, Size: -1})
		}
		report := r.Finish("")
		c := r.State()
		if got := len(c.List(artifacts.Filter{})); got != test.active {
			t.Errorf("%s: %d are active, want %d", test.about, got, test.active)
		}
		if got := len(c.Competing()); got != test.compete {
			t.Errorf("%s: %d compete, want %d", test.about, got, test.compete)
		}
		if report.Errors != test.errors || report.Warnings != test.warnings || hasCode(report, figs.ProjectTooManyFiles) != (n == artifacts.MaxRecords) {
			t.Errorf("%s: %d errors, %d warnings, want %d and %d", test.about, report.Errors, report.Warnings, test.errors, test.warnings)
		}
		if got := len(c.Chain(n)); got < 1 || got > n {
			t.Errorf("%s: Chain(%d) has %d records", test.about, n, got)
		}
		if got := len(c.States()); got < n {
			t.Errorf("%s: %d lines of states", test.about, got)
		}
		for _, w := range c.Works {
			if w.Depth > artifacts.MaxDepth {
				t.Fatalf("%s: work of depth %d", test.about, w.Depth)
			}
		}
	}
}

func hasCode(r *figs.Report, code figs.Code) bool {
	for _, f := range r.Findings {
		if f.Code == code {
			return true
		}
	}
	return false
}

// One record of the largest size that breaks a rule with every few bytes.
func TestHostileRecord(t *testing.T) {
	content := []byte(`{"a":0`)
	for len(content) < kind.MaxContent-10 {
		content = append(content, `,"a":1`...)
	}
	r := artifacts.New()
	r.See(artifacts.Dir + "/a.json")
	r.Give(artifacts.Dir+"/a.json", append(content, '}'))
	if report := r.Finish(""); report.Warnings != (len(content)-6)/6 || len(report.Findings) > 12*figs.PerRule {
		t.Errorf("%d warnings, %d listed", report.Warnings, len(report.Findings))
	}
}

// Records past the bytes that are read are left out, and said to be.
func TestTooManyBytes(t *testing.T) {
	content := []byte(record("a"))
	for len(content) < kind.MaxContent {
		content = append(content, ' ')
	}
	r := artifacts.New()
	for i := range artifacts.MostBytes/len(content) + 3 {
		path := artifacts.Dir + "/" + strconv.Itoa(1000+i) + ".json"
		r.See(path)
		r.Give(path, content)
	}
	report := r.Finish("")
	if got := len(r.State().Records); got != artifacts.MostBytes/len(content) || !hasCode(report, figs.ProjectTooManyFiles) {
		t.Errorf("%d records were read, and the report is %+v", got, report.Findings)
	}
}
