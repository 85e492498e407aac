package agentfile_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/internal/project"
)

// read reads a folder that holds one project, at its top.
func read(t *testing.T, dir string) *project.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	p, err := project.ReadFS(context.Background(), root.FS(), "", "2026-11-20T12:00:00Z", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Roots) != 1 || p.Roots[0].Kind != project.Workflows || p.Roots[0].Path != "." {
		t.Fatalf("%d folders of a kind, want one with workflows, at the top", len(p.Roots))
	}
	return p.Roots[0]
}

// TestVectors holds the reader to its own vectors, from real folders.
func TestVectors(t *testing.T) {
	figstest.RunKinds(t, func(v figstest.Vector) (figstest.Result, error) {
		if !strings.HasPrefix(v.Name, "kinds/workflow_") {
			return figstest.Result{}, fmt.Errorf("%w: about another kind", errors.ErrUnsupported)
		}
		dir := t.TempDir()
		if err := v.LayTree(dir); err != nil {
			return figstest.Result{}, err
		}
		root := read(t, dir)
		root.Report.Now = v.Now
		return figstest.Result{FindingsJSON: figs.AppendFindings(nil, root.Report), States: root.Workflows.States()}, nil
	})
}

// TestSample reads a project as teams have them: without a finding, and with one step that waits for a person.
func TestSample(t *testing.T) {
	root := read(t, "testdata/project")
	for _, f := range root.Report.Findings {
		t.Errorf("finding: %s:%d:%d %v %s", f.File, f.Line, f.Column, f.Code, f.Message)
	}
	w := root.Workflows
	want := `workflows/code-reviewer: code-reviewer 2.0.1 [analyze, review<-analyze, summarize<-review]
workflows/release-notes: release-notes 1.4.0 [collect shell, draft, check<-draft, approve<-draft+check gate, publish shell]
artifacts/release-notes/2026-11-20T09-14-05: generating [collect completed, draft completed, check completed, approve awaiting_approval, publish pending]
artifacts/code-reviewer/2026-11-19T08-30-00: generating [analyze completed, review in_progress, summarize pending]
artifacts/release-notes/2026-11-18T16-02-40: failed [collect completed, draft completed, check failed, approve skipped, publish skipped]
outputs/release-notes/2026-11-11T10-00-00/execution: bare
outputs/code-reviewer/2026-02-23T10-41-22/build: archived [clarify completed, design completed, review completed, register completed]`
	if got := strings.Join(w.States(), "\n"); got != want {
		t.Errorf("States:\n%s\nwant\n%s", got, want)
	}
	waiting := w.Waiting()
	if len(waiting) != 1 || waiting[0].Step.ID != "approve" || waiting[0].Flow.Name != "release-notes" || waiting[0].Run.No != 3 {
		t.Errorf("Waiting = %+v, want the step approve of one run", waiting)
	}
	if w.Project != "payments-tools" || !w.Declared {
		t.Errorf("the project is called %q (declared %v), want payments-tools", w.Project, w.Declared)
	}
	if st := w.Workflows[0].Status; st == nil || st.Run < 0 || w.Runs[st.Run].Archived != "build" {
		t.Errorf("Status = %+v, want one that leads to the archive", st)
	}
	if len(root.Files) != 32 {
		t.Errorf("%d files for the viewer, want all 32", len(root.Files))
	}
}
