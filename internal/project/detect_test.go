package project

import (
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		about string
		paths string
		want  string
	}{
		{"nothing", "README.md src/workflows/x.yaml artifacts/a/b/manifest.json", ""},
		{"at the top", ".agents/findings/registry.jsonl .flue-runtime/artifacts/records/a.json workflows/w/workflow.yaml", ".:channels .:registry .:workflows"},
		{"at depth", "a/b/.agents/findings/registry.jsonl c/workflows/w/workflow.yaml", "a/b:registry c:workflows"},
		{"runs without their workflow", "x/artifacts/w/2026-02-23T10-41-22/manifest.json", "x:workflows"},
		{"what is attached to an agent", ".figs/artifacts/w/2026-02-23T10-41-22/manifest.json a/.figs/workflows/w/workflow.yaml", ""},
		{"bodies that the runtime keeps", ".flue-runtime/artifacts/files/art_1/workflows/w/workflow.yaml", ""},
		{"a workflow that a workflow wrote", "workflows/w/workflow.yaml outputs/w/2026-02-23T10-41-22/build/workflows/v/workflow.yaml artifacts/w/r/workflows/v/workflow.yaml", ".:workflows"},
		{"a project inside of a project", "workflows/w/workflow.yaml tools/workflows/v/workflow.yaml", ".:workflows tools:workflows"},
		{"names that only look alike", "x.agents/findings/registry.jsonl a/.flue-runtime/artifacts/recordsx/a.json my-workflows/w/workflow.yaml", ""},
	} {
		var got []string
		for _, p := range Detect(strings.Fields(c.paths)) {
			got = append(got, p.Path+":"+p.Kind.String())
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: Detect = %q, want %q", c.about, g, c.want)
		}
	}
}
