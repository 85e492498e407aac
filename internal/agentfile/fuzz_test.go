package agentfile

import (
	"bytes"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// FuzzWorkflow holds the reading of workflow.yaml to the library's own decoding: what we take for YAML, it takes, and
// what it takes, we refuse only for reasons that it does not know. Every finding lies in the file.
func FuzzWorkflow(f *testing.F) {
	seeds(f, workflowFile)
	f.Fuzz(func(t *testing.T, content []byte) {
		const file = "workflows/w/" + workflowFile
		r := New()
		r.See(file)
		r.Give(file, content)
		for _, p := range r.Targets() {
			if _, ok := within("", p); !ok {
				t.Errorf("a target leads out: %q", p)
			}
			r.Look(p, kind.Target{State: kind.TargetMissing, Size: -1})
		}
		report := r.Finish("2026-11-20T12:00:00Z")
		inside(t, report, file, content)
		w := r.State().Workflows[0]
		for i := range w.Steps {
			for _, from := range w.Steps[i].From {
				if from < 0 || from >= i {
					t.Errorf("step %d reads from step %d", i, from)
				}
			}
		}
		has := map[figs.Code]bool{}
		for _, f := range report.Findings {
			has[f.Code] = true
		}
		var plain any
		err := unmarshal(content, &plain)
		_, mapping := plain.(map[string]any)
		switch {
		case has[figs.YAMLBroken] != w.Broken && w.Broken:
			t.Errorf("broken without a finding that says so")
		case err == nil && mapping && w.Broken && !refused(content) && bytes.IndexByte(content, '!') < 0:
			t.Errorf("the library reads %v, and we call it broken", plain)
		case err != nil && !w.Broken && !has[figs.YAMLBroken] && !has[figs.YAMLKeyDuplicate] && !has[figs.YAMLAlias] && !has[figs.ProjectUTF8Invalid] && !tagged(content):
			t.Errorf("we read it, and the library says %v", err)
		}
	})
}

// unmarshal is the library's decoding; it panics on some of what it cannot merge.
func unmarshal(content []byte, v any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &yaml.TypeError{}
		}
	}()
	return yaml.Unmarshal(content, v)
}

// refused reports whether a text is one that we never parse.
func refused(content []byte) bool {
	_, code, _, _ := newSource("", content)
	return code == figs.YAMLBroken
}

// tagged reports whether a text gives its values kinds, or has keys that are no texts: plain decoding then fails on
// what is well formed.
func tagged(content []byte) bool {
	for _, c := range content {
		if c == '!' || c == '?' || c == '{' || c == '[' {
			return true
		}
	}
	return false
}

// FuzzManifest holds the reading of a manifest to places that are in the file and to paths that stay in the run.
func FuzzManifest(f *testing.F) {
	seeds(f, manifestFile)
	f.Fuzz(func(t *testing.T, content []byte) {
		const dir = "artifacts/w/2026-02-23T10-41-22"
		r := New()
		r.See(dir + "/" + manifestFile)
		r.See("workflows/w/" + workflowFile)
		r.Give("workflows/w/"+workflowFile, []byte("name: w\nsteps:\n- id: draft\n- id: edit\n"))
		r.Give(dir+"/"+manifestFile, content)
		for i, p := range r.Targets() {
			if len(p) < len(dir) || p[:len(dir)] != dir {
				t.Errorf("a target is not in the run: %q", p)
			}
			r.Look(p, kind.Target{State: kind.State(i % 5), Dir: i%3 == 0, Size: int64(i)})
		}
		inside(t, r.Finish(""), dir+"/"+manifestFile, content)
		s := r.State()
		for _, w := range s.Waiting() {
			if w.Step.Step >= 0 && w.Flow.Steps[w.Step.Step].ID != w.Step.ID {
				t.Errorf("the step %q waits, and its place in the workflow is that of %q", w.Step.ID, w.Flow.Steps[w.Step.Step].ID)
			}
		}
		s.States()
	})
}

// FuzzPrompt holds the reading of agents and skills to places that are in the file.
func FuzzPrompt(f *testing.F) {
	seeds(f, ".md")
	f.Fuzz(func(t *testing.T, content []byte) {
		const file = "workflows/w/agents/a.md"
		r := New()
		r.See(file)
		r.See("workflows/w/" + workflowFile)
		r.Give(file, content)
		r.Give("workflows/w/"+workflowFile, []byte("name: w\n"))
		inside(t, r.Finish(""), file, content)
	})
}

// FuzzStatus holds the reading of status files to places that are in the file.
func FuzzStatus(f *testing.F) {
	seeds(f, statusFile)
	f.Fuzz(func(t *testing.T, content []byte) {
		const file = "workflows/w/" + statusFile
		r := New()
		r.See("workflows/w/" + workflowFile)
		r.See(file)
		r.Give("workflows/w/"+workflowFile, []byte("name: w\n"))
		r.Give(file, content)
		inside(t, r.Finish(""), file, content)
	})
}
