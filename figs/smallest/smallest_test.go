package smallest_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/figs/smallest"
)

// read reads the example as anybody would who was given its files.
func read(e *smallest.Example) *figs.Report {
	f := figs.New(figs.Options{Now: e.Now})
	for _, file := range e.Files {
		f.Feed(file.File, bytes.Clone(file.Text))
	}
	for _, a := range e.Attached {
		f.Attach(a.Name, a.Size)
	}
	return f.Finish()
}

// check makes an example of a finding and holds it to what it promises.
func check(t *testing.T, f *figs.Folder, finding *figs.Finding, now string) *smallest.Example {
	t.Helper()
	e, ok := smallest.Of(f, smallest.Goal{Finding: finding, Now: now})
	if !ok {
		t.Errorf("%s: there is no example", finding.Code)
		return nil
	}
	r := read(e)
	mine, others := 0, map[figs.Code]bool{}
	for i := range r.Findings {
		if r.Findings[i].Code == finding.Code {
			mine++
		} else {
			others[r.Findings[i].Code] = true
		}
	}
	if mine == 0 || len(others) != len(e.Others) {
		t.Errorf("%s: the example shows it %d times and %v beside it, said are %v\n%s", finding.Code, mine, others, e.Others, text(e))
	}
	if e.Finding.Code != finding.Code {
		t.Errorf("the example's finding is %s, want %s", e.Finding.Code, finding.Code)
	}
	return e
}

func text(e *smallest.Example) string {
	var b strings.Builder
	for _, f := range e.Files {
		fmt.Fprintf(&b, "-- %s --\n%.2000s\n", f.File, f.Text)
	}
	for _, a := range e.Attached {
		fmt.Fprintf(&b, "-- artifacts/%s: %d bytes\n", a.Name, a.Size)
	}
	return b.String()
}

// about are the rules that tell of what the reader of files met, or of size alone: no small folder shows them.
var about = map[string]bool{"file_unreadable": true, "file_changed": true, "folder_unrecognised": true, "ledger_too_large": true, "line_too_long": true}

// TestVectors makes an example of every finding of every vector: it shows that finding.
func TestVectors(t *testing.T) {
	alone, beside := 0, map[string]bool{}
	for v := range figstest.Vectors() {
		f, err := figstest.Read(v, figstest.Feeding{Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		report := f.Finish()
		for i := range report.Findings {
			finding := &report.Findings[i]
			if about[finding.Code.String()] {
				continue
			}
			t.Run(v.Name, func(t *testing.T) {
				e := check(t, f, finding, v.Now)
				if e == nil {
					return
				}
				if len(e.Others) == 0 {
					alone++
				} else {
					beside[finding.Code.String()+" "+fmt.Sprint(e.Others)] = true
				}
			})
		}
	}
	t.Logf("%d examples show their finding alone; others: %v", alone, beside)
}

// large is a folder of ten thousand lines with a few findings far apart, and words that nobody else may read.
func large() *figs.Folder {
	var runs, asks, messages strings.Builder
	for i := range 7000 {
		fmt.Fprintf(&runs, `{"id":"job-%d","ts":"2026-05-04T10:00:00Z","title":"Reconcile account %d of Mr. Miller","result":"password hunter2, and some words more","status":"ok"}`+"\n", i/3, i)
		if i == 5000 {
			runs.WriteString(`{"id":"job-1666","ts":"2026-05-04T10:00:00Z","status":"green like Miller","session":{"model":"m"}}` + "\n")
		}
	}
	for i := range 2000 {
		fmt.Fprintf(&asks, `{"id":"ask-%d","type":"question","ts":"2026-05-04T10:00:00Z","title":"May I pay Miller %d","run":"job-%d","options":["yes","no"]}`+"\n", i, i, i)
		fmt.Fprintf(&messages, `{"id":"m-%d","kind":"answer","ask":"ask-%d","by":"Kim Miller","ts":"2026-05-04T11:00:00Z","chosen":"yes"}`+"\n", i, i)
	}
	messages.WriteString(`{"id":"m-x","kind":"answer","ask":"nobody of Miller","by":"Kim Miller","ts":"2026-05-04T11:00:00Z","chosen":"maybe"}` + "\n")
	messages.WriteString(`{"id":"m-y","kind":"answer","ask":"ask-77","by":"Kim Miller","ts":"2026-05-04T11:00:00Z","chosen":"perhaps Miller"}` + "\n")
	asks.WriteString("{\"id\":\"torn Miller\n" + `{"id":"ask-78","status":"resolved","resolution":{"answer":"m-79","note":"done for Miller"},"ts":"2026-05-04T12:00:00Z"}` + "\n")
	f := figs.New(figs.Options{Keep: true})
	f.Feed(figs.ConfigJSON, []byte(`{"agentId":"c0000000-0000-4000-8000-000000000000"}`))
	f.Feed(figs.AgentJSON, []byte(`{"name":"Miller's agent"}`))
	f.Feed(figs.Runs, []byte(runs.String()))
	f.Feed(figs.Asks, []byte(asks.String()))
	f.Feed(figs.Messages, []byte(messages.String()))
	f.Finish()
	return f
}

// TestLarge finds the few lines among ten thousand, and leaves no word of theirs.
func TestLarge(t *testing.T) {
	f := large()
	seen := map[figs.Code]bool{}
	for i := range f.Finish().Findings {
		finding := &f.Finish().Findings[i]
		if seen[finding.Code] {
			continue
		}
		seen[finding.Code] = true
		e := check(t, f, finding, "")
		if e == nil {
			continue
		}
		all := text(e) + string(e.AppendReport(nil))
		if e.Lines > 4 || len(e.Others) > 0 || strings.Contains(all, "Miller") || strings.Contains(all, "hunter2") {
			t.Errorf("%s: %d lines, beside it %v\n%s", finding.Code, e.Lines, e.Others, all)
		}
	}
	if len(seen) < 5 {
		t.Errorf("only the rules %v are broken", seen)
	}
}

// BenchmarkLarge makes one example of a folder of ten thousand lines.
func BenchmarkLarge(b *testing.B) {
	f := large()
	for b.Loop() {
		for i := range f.Finish().Findings {
			if finding := &f.Finish().Findings[i]; finding.Code == figs.RunStatusUnknown {
				smallest.Of(f, smallest.Goal{Finding: finding})
			}
		}
	}
}

// TestFaultyTime makes examples of lines whose time cannot be read: one that says nothing but when is kept, so that the
// example shows what was wrong; one with words is replaced, and that is counted.
func TestFaultyTime(t *testing.T) {
	for ts, kept := range map[string]bool{
		"2026-11-18 08:00": true, "2026-11-18": true, "18.11.2026": true, "2026/11/18 08:00:01.5 +0100": true, "2026-13-45T99:00Z": true,
		"yesterday, before Miller called": false, "2026-11-18 Miller": false, "0151-555-1234": false, "4111-1111-1111-1111": false, "2026-11/18": false, "2026-11-18 55512345": false,
	} {
		f := figs.New(figs.Options{Keep: true})
		f.Feed(figs.Runs, []byte(`{"id":"job-1","ts":"`+ts+`","state":"settled","status":"ok","result":"Paid"}`+"\n"))
		report := f.Finish()
		finding := -1
		for i := range report.Findings {
			if report.Findings[i].Pointer == "/ts" {
				finding = i
			}
		}
		if finding < 0 {
			t.Errorf("%q: no finding on the time: %v", ts, report.Findings)
			continue
		}
		e, ok := smallest.Of(f, smallest.Goal{Finding: &report.Findings[finding]})
		if !ok {
			t.Errorf("%q: no example", ts)
			continue
		}
		if got := strings.Contains(text(e), `"`+ts+`"`); got != kept || e.Times != map[bool]int{true: 0, false: 1}[kept] {
			t.Errorf("%q: kept %t, %d times replaced; want kept %t\n%s", ts, got, e.Times, kept, text(e))
		}
	}
}
