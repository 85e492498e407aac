package sarif_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/sarif"
)

var update = flag.Bool("update", false, "rewrite the golden log")

// report is of a folder with an error on a line, a warning with a related place, and a
// finding on a file as a whole.
func report() *figs.Report {
	f := figs.New(figs.Options{Now: "2026-11-20T12:00:00Z"})
	f.Feed(figs.AgentJSON, []byte(`{"name":"Ada"}`))
	f.Feed(figs.ConfigJSON, []byte(`{"agentId":"0f6f2a52-5d0c-4d2e-9a39-0c1b7e6d1a11"}`))
	f.Feed(figs.Asks, []byte(`{"id":"a","ts":"2026-11-20T10:00:00Z","type":"signoff","title":"Ünïcode"}`+"\n"))
	f.Feed(figs.Messages, []byte(`{"id":"m","kind":"answer","ask":"a","by":"S","ts":"2026-11-20T10:00:00Z","text":"x"}`+"\n"+
		`{"id":"m","kind":"answer","ask":"a","by":"S","ts":"2026-11-20T10:00:00Z","text":"y"}`+"\n"))
	f.Attach("odd name#1.md", 3)
	return f.Finish()
}

func TestAppend(t *testing.T) {
	got := sarif.Append([]byte("before"), "v1.2.3", []sarif.Folder{{Path: "repo/.figs", Report: report()}})
	got = bytes.TrimPrefix(got, []byte("before"))
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, got, "", "  "); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/log.golden.json"
	if *update {
		if err := os.WriteFile(golden, pretty.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), pretty.String()); diff != "" {
		t.Errorf("Append() differs from %s (-update accepts it):\n%s", golden, diff)
	}
}

// The parts of the standard that readers insist on.
func TestAppendIsSARIF(t *testing.T) {
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, Version string
					Rules         []struct{ ID string }
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(sarif.Append(nil, "v1.2.3", []sarif.Folder{{Path: "a/.figs", Report: report()}, {Path: "b/.figs", Report: report()}}), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Version != "1.2.3" {
		t.Fatalf("log %q with %d runs by %+v", log.Version, len(log.Runs), log.Runs[0].Tool.Driver)
	}
	run := log.Runs[0]
	if want := 2 * len(report().Findings); len(run.Results) != want {
		t.Errorf("%d results, want %d", len(run.Results), want)
	}
	for _, r := range run.Results {
		if r.RuleID != run.Tool.Driver.Rules[r.RuleIndex].ID {
			t.Errorf("rule %s has the index of %s", r.RuleID, run.Tool.Driver.Rules[r.RuleIndex].ID)
		}
		if r.Level != "error" && r.Level != "warning" && r.Level != "note" || r.Message.Text == "" || len(r.Locations) != 1 {
			t.Errorf("%s: level %q, message %q, %d locations", r.RuleID, r.Level, r.Message.Text, len(r.Locations))
		}
		at := r.Locations[0].PhysicalLocation
		if strings.ContainsAny(at.ArtifactLocation.URI, " #") || !strings.Contains(at.ArtifactLocation.URI, "/.figs/") {
			t.Errorf("%s: URI %q is no relative reference", r.RuleID, at.ArtifactLocation.URI)
		}
		if at.Region != nil && at.Region.StartLine < 1 {
			t.Errorf("%s: line %d", r.RuleID, at.Region.StartLine)
		}
	}
}

// A value of the agent's that the message quotes must not become a link.
func TestAppendQuotesNoLinks(t *testing.T) {
	r := &figs.Report{Findings: []figs.Finding{{Code: figs.AskTypeUnknown, Message: "“[approve](https://example.com)” is no type."}}}
	if got := string(sarif.Append(nil, "", []sarif.Folder{{Report: r}})); strings.Contains(got, "](") {
		t.Errorf("Append() = %s, want no link in the message", got)
	}
}

func TestAppendEmpty(t *testing.T) {
	got := string(sarif.Append(nil, "v1.2.3", nil))
	if !strings.Contains(got, `"results":[]`) || !strings.Contains(got, `"rules":[]`) {
		t.Errorf("Append() without folders = %s, want empty lists, not null", got)
	}
}

// What a page holds is the findings as bytes: the log must come out the same.
func TestParse(t *testing.T) {
	want := report()
	got, err := sarif.Parse(figs.AppendFindings(nil, want))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Findings, got.Findings); diff != "" {
		t.Errorf("Parse(AppendFindings(r)) differs from r:\n%s", diff)
	}
	if got.Errors != want.Errors || got.Warnings != want.Warnings || got.Infos != want.Infos || got.Now != want.Now {
		t.Errorf("Parse() = %d %d %d at %q", got.Errors, got.Warnings, got.Infos, got.Now)
	}
	for _, bad := range []string{"", "[]", `{"findings":[{"code":"no_such_rule"}]}`, `{"findings":[{"code":"line_broken","severity":"grave"}]}`} {
		if _, err := sarif.Parse([]byte(bad)); err == nil {
			t.Errorf("Parse(%q) = nil error", bad)
		}
	}
}
