package pages_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/wasm/reader/pages"
)

// tree is a project as the page's worker knows it: files by path, and empty folders.
type tree struct {
	files map[string][]byte
	dirs  []string
}

func packed(pieces ...string) (b []byte) {
	for _, p := range pieces {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(p))), p...)
	}
	return b
}

func unpacked(t *testing.T, b []byte) (pieces []string) {
	t.Helper()
	for len(b) > 0 {
		n := binary.LittleEndian.Uint32(b)
		pieces, b = append(pieces, string(b[4:4+n])), b[4+n:]
	}
	return pieces
}

// contents answers what is wanted, each with its most bytes, as project-files.js does.
func (p tree) contents(wanted []string) (pieces []string) {
	for i := 0; i < len(wanted); i += 2 {
		most, _ := strconv.Atoi(wanted[i+1])
		content, there := p.files[wanted[i]]
		switch {
		case !there:
			pieces = append(pieces, "unreadable", "it is gone")
		case len(content) > most:
			pieces = append(pieces, "large", fmt.Sprint(len(content), " bytes"))
		default:
			pieces = append(pieces, "", string(content))
		}
	}
	return pieces
}

func (p tree) targets(listed []string) (pieces []string) {
	for i := 0; i < len(listed); i += 2 {
		most, _ := strconv.Atoi(listed[i+1])
		content, there := p.files[listed[i]]
		sum := sha256.Sum256(content)
		switch {
		case !there && p.folder(listed[i]):
			pieces = append(pieces, "folder", "", "")
		case !there:
			pieces = append(pieces, "missing", "", "")
		case len(content) > most:
			pieces = append(pieces, "file", strconv.Itoa(len(content)), "")
		default:
			pieces = append(pieces, "file", strconv.Itoa(len(content)), hex.EncodeToString(sum[:]))
		}
	}
	return pieces
}

func (p tree) folder(path string) bool {
	within := func(name string) bool { return name == path || strings.HasPrefix(name, path+"/") || path == "." }
	return slices.ContainsFunc(p.dirs, within) || slices.ContainsFunc(slices.Collect(maps.Keys(p.files)), within)
}

// read gives the reader a project in the steps of project.js.
func (p tree) read(t *testing.T, project int, now string) (roots []struct{ No, Errors int }) {
	t.Helper()
	head, listed := asked(t, map[string]any{"op": "project", "step": "list", "project": project, "top": "top"}, packed(slices.Sorted(maps.Keys(p.files))...))
	if string(head["found"]) != "true" {
		return nil
	}
	_, given := asked(t, map[string]any{"op": "project", "step": "give"}, packed(p.contents(unpacked(t, listed))...))
	head, _ = asked(t, map[string]any{"op": "project", "step": "look", "now": now}, packed(p.targets(unpacked(t, given))...))
	if err := json.Unmarshal(head["roots"], &roots); err != nil {
		t.Fatalf("%v in %s", err, head)
	}
	return roots
}

// TestKindVectors gives the reader every vector about another kind of folder, in the steps of the page.
func TestKindVectors(t *testing.T) {
	project := 0
	figstest.RunKinds(t, func(v figstest.Vector) (figstest.Result, error) {
		if len(v.Links) > 0 {
			return figstest.Result{}, fmt.Errorf("%w: browsers leave links out", errors.ErrUnsupported)
		}
		project++
		if roots := (tree{v.Tree, v.Dirs}).read(t, project, v.Now); len(roots) != 1 || roots[0].No != 1 {
			t.Fatalf("%s: the roots are %+v, want one", v.Name, roots)
		}
		_, report := asked(t, map[string]any{"op": "project", "step": "findings", "root": 1, "project": project}, nil)
		return figstest.Result{FindingsJSON: report}, nil
	})
}

// TestProjectIsGivenAgain holds that an instance which knows nothing of a project says so on each page that shows it.
func TestProjectIsGivenAgain(t *testing.T) {
	registry := tree{files: map[string][]byte{".agents/findings/registry.jsonl": []byte("{}\n")}}
	if roots := registry.read(t, 1000, "2026-11-20T18:00:00Z"); len(roots) != 1 {
		t.Fatalf("the roots are %+v, want the registry", roots)
	}
	page := func(project int) map[string]any { return map[string]any{"op": "page", "path": "/", "project": project} }
	for project, missing := range map[int]bool{0: false, 1000: false, 999: true} {
		if head, _ := asked(t, page(project), nil); (head["missing"] != nil) != missing {
			t.Errorf("the page of project %d answers %s", project, head)
		}
		head, body := asked(t, map[string]any{"op": "project", "step": "findings", "root": 1, "project": project}, nil)
		if project == 1000 != (len(body) > 0) || (head["missing"] != nil) != missing {
			t.Errorf("the findings of project %d are %s, %s", project, head, body)
		}
	}
	if roots := (tree{files: map[string][]byte{"README.md": nil}}).read(t, 1001, ""); roots != nil {
		t.Errorf("in a project without any there are %+v", roots)
	}
}

// TestProjectSteps refuses steps out of their order, and payloads that are not what was asked for.
func TestProjectSteps(t *testing.T) {
	paths := packed(".agents/findings/registry.jsonl")
	for _, test := range []struct {
		lesson, step string
		payload      []byte
		fine         bool
	}{
		{"unpacked", "list", []byte{9, 0, 0, 0, 'x'}, false},
		{"listed", "list", paths, true},
		{"look_too_early", "look", packed("file", "1", ""), false},
		{"too_little", "give", packed(""), false},
		{"unknown_step", "take", nil, false},
		{"given", "give", packed("", "{}\n"), true},
		{"too_much", "look", packed("file", "1", "", "file"), false},
		{"looked", "look", nil, true},
		{"looked_twice", "look", nil, false},
		{"given_after_the_end", "give", packed("", "{}\n"), false},
	} {
		if head, _ := asked(t, map[string]any{"op": "project", "step": test.step, "project": 7}, test.payload); (head["error"] == nil) != test.fine {
			t.Errorf("%s: %s", test.lesson, head)
		}
	}
}

// FuzzProject takes any bytes for any step.
func FuzzProject(f *testing.F) {
	f.Add("list", packed("workflows/w/workflow.yaml", "a/.flue-runtime/artifacts/records/r.json"), "give", packed("", "name: x", "large", "9"))
	f.Add("look", packed("file", "-1", "x"), "list", []byte{1})
	f.Fuzz(func(t *testing.T, first string, payload []byte, second string, more []byte) {
		for i, step := range []string{"list", first, second, "findings"} {
			line, _ := json.Marshal(map[string]any{"op": "project", "step": step, "project": 5, "root": 1, "now": "2026-11-20T18:00:00Z"})
			body := [][]byte{packed(".agents/findings/registry.jsonl", "workflows/w/workflow.yaml"), payload, more, nil}[i]
			answer := pages.Answer(append(append(line, '\n'), body...))
			if len(answer) == 0 || answer[0] != '{' {
				t.Fatalf("%s answers %q", step, answer)
			}
		}
	})
}
