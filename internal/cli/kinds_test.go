package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs/figstest"
)

// TestKindVectors puts every vector about the other kinds through doctor --json, from a real folder.
func TestKindVectors(t *testing.T) {
	figstest.RunKinds(t, func(v figstest.Vector) (r figstest.Result, err error) {
		dir := t.TempDir()
		defer os.RemoveAll(dir)
		if err := v.LayTree(dir); err != nil {
			return r, err
		}
		if r.FindingsJSON, err = output("doctor", dir, "--json", "--now", v.Now); err == nil {
			checkMarks(t, v, r.FindingsJSON)
		}
		return r, err
	})
}

// checkMarks holds where a finding says that it stands to where it marks: excerpts are read there.
func checkMarks(t *testing.T, v figstest.Vector, report []byte) {
	var r struct {
		Findings []struct {
			Code, File   string
			Line, Column int
			Offset       int
		}
	}
	if err := json.Unmarshal(report, &r); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		content, there := v.Tree[f.File]
		if f.Line == 0 || !there || f.Offset > len(content) {
			continue
		}
		line := 1 + bytes.Count(content[:f.Offset], []byte("\n"))
		column := f.Offset - bytes.LastIndexByte(content[:f.Offset], '\n')
		if line != f.Line || f.Column > 0 && column != f.Column {
			t.Errorf("%s: %s stands in %s:%d:%d, and marks the byte %d, which is %d:%d", v.Name, f.Code, f.File, f.Line, f.Column, f.Offset, line, column)
		}
	}
}

// mixed is a repository with an agent and two registries, one of them with faults.
func mixed(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	if err := os.CopyFS(dir, os.DirFS(sample)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{".agents/findings/registry.jsonl": "\nnonsense\n{\"id\": \"f1\", \"version\": 2}\n", "tools/.agents/findings/registry.jsonl": ""} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Doctor judges everything that agents wrote in a repository, each folder for itself.
func TestDoctorOfKinds(t *testing.T) {
	dir := mixed(t)
	got := machine(t, "--agent", "doctor", dir)
	var paths []string
	for line := range strings.Lines(got.stdout) {
		var one struct {
			Path, Kind string
			Valid      bool
		}
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, strings.TrimSpace(one.Path+" "+one.Kind))
	}
	if want := "repo/.figs, repo/.agents/findings registry, repo/tools/.agents/findings registry"; got.code != 102 || strings.Join(paths, ", ") != want {
		t.Errorf("doctor = %d %q, want 102 and %q", got.code, paths, want)
	}
	people := run(t, "doctor", dir)
	for _, part := range []string{"entry_malformed  .agents/findings/registry.jsonl:2", "2 | nonsense", "repo/tools/.agents/findings  0 registry entries", "FOLDER", "doctor --explain entry_"} {
		if !strings.Contains(people.stdout, part) {
			t.Errorf("doctor lacks %q:\n%s", part, people.stdout)
		}
	}
	sarif := run(t, "doctor", dir, "--sarif")
	if !strings.Contains(sarif.stdout, `"uri":"repo/.agents/findings/registry.jsonl"`) || strings.Contains(sarif.stdout, "findings/.agents") {
		t.Errorf("SARIF names other files: %s", sarif.stdout)
	}
	all := run(t, "doctor", dir, "--json")
	var object struct {
		Valid  bool
		Agents []struct{ Kind string }
	}
	if err := json.Unmarshal([]byte(all.stdout), &object); err != nil || object.Valid || len(object.Agents) != 3 || object.Agents[0].Kind != "" || object.Agents[1].Kind != "registry" {
		t.Errorf("--json = %+v, %v", object, err)
	}
	only := filepath.Join(dir, "tools")
	if got := run(t, "doctor", only, "--json"); got.code != 0 || !strings.HasPrefix(got.stdout, `{"valid":true,"now":`) {
		t.Errorf("of one folder: %d %s, want its report alone", got.code, got.stdout)
	}
}

// A command that reads .figs alone says what there is instead.
func TestOtherKindsAlone(t *testing.T) {
	dir := filepath.Join(mixed(t), "tools")
	for _, args := range [][]string{{"fold", dir}} {
		got := machine(t, append([]string{"--agent"}, args...)...)
		if got.code != 100 || !strings.Contains(got.stderr, "only 1 finding registry") {
			t.Errorf("%q = %d %s, want 100 and what there is", args, got.code, got.stderr)
		}
	}
}

// Every rule of another kind says of which document its section is one.
func TestExplainKinds(t *testing.T) {
	for code, want := range map[string]string{"target_missing": "Artifact channels: ", "entry_malformed": "Finding registry contract, version 1: ", "step_id_reused": "Agentfile 1.0: ", "line_torn": "figs-spec v2 §"} {
		if got := run(t, "doctor", "--explain", code); got.code != 0 || !strings.Contains(got.stdout, "\n"+want) {
			t.Errorf("--explain %s = %d\n%s\nwant %q in it", code, got.code, got.stdout, want)
		}
	}
}
