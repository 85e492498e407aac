package yearfixture_test

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/yearfixture"
)

// TestYear reads every agent of the year: enough happened, and nothing is wrong that was not mended.
func TestYear(t *testing.T) {
	files := yearfixture.Folders(yearfixture.Last)
	agents, err := fs.Glob(files, "*/.figs")
	if err != nil || len(agents) != 5 {
		t.Fatalf("%d agents, %v; want 5", len(agents), err)
	}
	lines := 0
	for _, dir := range agents {
		n, findings := read(t, files, dir)
		lines += n
		for _, f := range findings {
			t.Errorf("%s: %s", dir, f)
		}
	}
	if lines < 8_000 {
		t.Errorf("%d lines, want a year of them", lines)
	}
}

// TestPrefix holds that an earlier day is the beginning of a later one, file by file.
func TestPrefix(t *testing.T) {
	whole := yearfixture.Folders(yearfixture.Last)
	for _, day := range []time.Time{yearfixture.First.AddDate(0, 0, -1), yearfixture.First, yearfixture.First.AddDate(0, 5, 3), yearfixture.Last.AddDate(0, 0, -1)} {
		for path, file := range yearfixture.Folders(day) {
			later := whole[path]
			if later == nil || !bytes.HasPrefix(later.Data, file.Data) {
				t.Errorf("%s: %s is not the beginning of the year's", day.Format(time.DateOnly), path)
			}
			if strings.HasSuffix(path, ".html") && !bytes.Equal(later.Data, file.Data) {
				t.Errorf("%s: %s changed later", day.Format(time.DateOnly), path)
			}
		}
	}
}

// read reads a folder and returns how many lines it has and what is wrong with it.
func read(t *testing.T, files fs.FS, dir string) (lines int, findings []string) {
	t.Helper()
	f, report, err := folder.Read(t.Context(), files, dir, figs.Options{Now: "2026-11-21T00:00:00Z"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range report.Findings {
		findings = append(findings, finding.Code.String()+": "+finding.Message)
	}
	return f.Lines(figs.Runs) + f.Lines(figs.Asks) + f.Lines(figs.Messages), findings
}
