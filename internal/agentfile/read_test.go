package agentfile

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/internal/kind"
)

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		written, want string
		ok            bool
	}{
		{"agents/a.md", "workflows/w/agents/a.md", true},
		{"./agents//a.md", "workflows/w/agents/a.md", true},
		{"agents/../agents/a.md", "workflows/w/agents/a.md", true},
		{"outputs/", "workflows/w/outputs", true},
		{"..a/b", "workflows/w/..a/b", true},
		{`agents\a.md`, `workflows/w/agents\a.md`, true}, // a file of that name, on most systems
		{"", "", false},
		{"..", "", false},
		{"../v/a.md", "", false},
		{"a/../../b", "", false},
		{"/etc/passwd", "", false},
		{`..\..\a`, "", false},
		{`\\host\share`, "", false},
		{`C:\a`, "", false},
		{"c:a", "", false},
		{"a\x00b", "", false},
	} {
		if got, ok := within("workflows/w", c.written); got != c.want || ok != c.ok {
			t.Errorf("within(%q) = %q, %v, want %q, %v", c.written, got, ok, c.want, c.ok)
		}
	}
}

func TestPatterns(t *testing.T) {
	for s, want := range map[string]bool{
		"1.0.0": true, "0.0.4": true, "1.2.3-rc.1": true, "1.2.3-0.x-y+b.007": true, "10.20.30+build": true,
		"1.0": false, "v1.0.0": false, "1.0.0.0": false, "01.0.0": false, "1.0.0-": false, "1.0.0-01": false, "1.0.0+": false,
		"1.0.0-a..b": false, "": false, "1.0.0 ": false, "1.0.x": false,
	} {
		if got := isVersion(s); got != want {
			t.Errorf("isVersion(%q) = %v, want %v", s, got, want)
		}
	}
	for s, want := range map[string]bool{"a": true, "code-reviewer": true, "a1-": true, "": false, "1a": false, "A": false, "a_b": false, "-a": false, "é": false} {
		if got := isName(s); got != want {
			t.Errorf("isName(%q) = %v, want %v", s, got, want)
		}
	}
	for s, want := range map[string]bool{
		"2026-02-23T10-41-22": true, "2024-02-29T00-00-00": true, "2026-02-29T00-00-00": false, "2026-13-01T00-00-00": false,
		"2026-02-23T25-00-00": false, "2026-02-23t10-41-22": false, "2026-02-23T10:41:22": false, "2026-02-23T10-41-22Z": false, "+026-02-23T10-41-22": false, "": false,
	} {
		if got := isRunID(s); got != want {
			t.Errorf("isRunID(%q) = %v, want %v", s, got, want)
		}
	}
}

func TestHeadings(t *testing.T) {
	for _, c := range []struct {
		about, text, want string
	}{
		{"plain", "# A\n## B\ntext\n### C", "1 A|2 B|3 C"},
		{"no space, too many, too far in", "#A\n####### B\n    # C\n   # D", "1 D"},
		{"closing hashes", "# A #\n## B##\n## C ## \n##", "1 A|2 B##|2 C|2 "},
		{"fences", "```md\n# A\n````\n# B\n~~~\n# C\n```\n# D\n~~~~\n# E", "1 B|1 E"},
		{"a fence that goes on to the end", "~~~\n# A\n```\n# B", ""},
		{"backquotes in a line of text", "``` a ``` b\n# C", "1 C"},
		{"front matter", "---\n# A\n---\n# B", "1 B"},
		{"a rule, and no front matter", "---\n# A", "1 A"},
		{"Windows", "\ufeff# A\r\n\r\n## B\r\n", "1 A|2 B"},
	} {
		var got []string
		var m markdown
		skip := frontMatter([]byte(c.text))
		for at, line := range lines([]byte(c.text)) {
			if at.line <= skip {
				continue
			}
			if level, words := m.heading(string(line)); level > 0 {
				got = append(got, fmt.Sprint(level, " ", words))
			}
		}
		if g := strings.Join(got, "|"); g != c.want {
			t.Errorf("%s: headings %q, want %q", c.about, g, c.want)
		}
	}
}

// TestBrokenYAMLIsFoundInItsLine holds findings to the line that must be mended, which is not the one of the library.
func TestBrokenYAMLIsFoundInItsLine(t *testing.T) {
	for _, c := range []struct {
		text string
		line int
	}{
		{"a: 1\nb: 2\n c: 3\nd: 4\n", 3},
		{"a: 1\nb:\n  - x\n - y\nd: 4\n", 4},
		{"a: 1\nb: x: y\nc: 1\n", 2},
		{"a:\n  b: 2\n\tc: 1\nd: 1\n", 3},
		{"a: \"x\nb: 2\nc: 3\n", 1},
		{"a: 1\nb: [1, 2\nc: 3\nd: 4\n", 2},
		{"a: 1\nb: @x\nc: 1\n", 2},
		{"a: 1\nb: *x\nc: 1\n", 2},
		{"a: 1\n- b\nc: 1\n", 2},
		{"q: 1\nr: 1\na: !x!y z\nb: 1\n", 3},
		{"%YAML 2.0\n---\na: 1\n", 1},
		{"a: 1\r\nb: \"\\q\"\r\nc: 1\r\n", 2},
		{"a: \xff\nb: 1\n c: 2\n", 3},
	} {
		r := New()
		r.readYAML("f.yaml", []byte(c.text))
		found := 0
		for _, f := range r.log.Report("").Findings {
			if f.Code == figs.YAMLBroken {
				found = f.Line
			}
		}
		if found != c.line {
			t.Errorf("%q: found in line %d, want %d", c.text, found, c.line)
		}
	}
}

// TestPlacesOfNodes holds positions to bytes, whatever characters and line ends stand before.
func TestPlacesOfNodes(t *testing.T) {
	for _, text := range []string{
		"x: 1\nx: 2\n", "\ufeffx: 1\nx: 2\n", "é: ü\r\nx: ß\r\nx: 2", "a: [ü, é, {x: 1, x: 2}]\n", "a: \xff\xfe\nx: 1\nx: \xff\n",
		"a: " + strings.Repeat("é", 700) + "\nb: [" + strings.Repeat("ü, ", 300) + "{x: 1, x: 2}]\n", "a: 1\rx: 1\rx: 2\r", "a: \"\u2028\"\nx: 1\nx: 2\n",
	} {
		r := New()
		r.readYAML("f.yaml", []byte(text))
		want := strings.LastIndex(text, "x:")
		line := 1 + strings.Count(text[:want], "\n")
		column := want - strings.LastIndex(text[:want], "\n")
		found := false
		for _, f := range r.log.Report("").Findings {
			if f.Code == figs.YAMLKeyDuplicate {
				found = true
				if f.Line != line || f.Column != column || f.Offset != int64(want) || f.EndColumn != column+1 {
					t.Errorf("%.40q: %d:%d–%d at %d, want %d:%d–%d at %d", text, f.Line, f.Column, f.EndColumn, f.Offset, line, column, column+1, want)
				}
			}
		}
		if !found {
			t.Errorf("%.40q: the second key is not found", text)
		}
	}
}

// TestHostileYAML holds texts that are made to harm to a finding or to silence, and to no more memory than their size
// allows. That it ends is the test.
func TestHostileYAML(t *testing.T) {
	const size = 200 << 10
	of := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for about, text := range map[string]string{
		"brackets": of("["), "braces": of("{"), "dashes": of("- "), "questions": of("? "), "keys": of("a:\n"), "one line": "{" + of("é: 1, ") + "}",
		"comments": of("#\n"), "directives": of("%TAG !a! b\n"), "documents": of("---\n"), "anchors": of("- &a b\n"), "aliases": "- &a b\n" + of("- *a\n"),
		"itself": "a: &a [*a, *a]\nb: *a\n", "steps": "steps:\n" + of("- id: a\n"), "inputs": "steps:\n- input:\n" + of("  - a\n"), "names": "name: " + of("a"),
		"spaces": of(" "), "quotes": "a: \"" + of("\n"), "deep": "a: " + strings.Repeat("[", 9_990) + strings.Repeat("]", 9_990),
	} {
		r := New()
		r.See("workflows/w/workflow.yaml")
		r.Give("workflows/w/workflow.yaml", []byte(text))
		if report := r.Finish(""); report.Errors == 0 {
			t.Errorf("%s: no finding", about)
		}
		if n := len(r.State().Workflows[0].Steps); n > mostSteps {
			t.Errorf("%s: %d steps are kept", about, n)
		}
	}
}

// TestManyWorkflows holds a project to the YAML that is parsed in all.
func TestManyWorkflows(t *testing.T) {
	text := []byte("name: w\n" + strings.Repeat("# a comment that goes on and on and on and on\n", mostYAML/48))
	r := New()
	for i := range 2 * mostYAMLs / len(text) {
		file := fmt.Sprintf("workflows/w%d/workflow.yaml", i)
		r.See(file)
		r.Give(file, text)
	}
	refused := 0
	for _, f := range r.Finish("").Findings {
		if f.Code == figs.YAMLTooLarge {
			refused++
		}
	}
	if read := len(r.State().Workflows) - refused; read != mostYAMLs/len(text) {
		t.Errorf("%d workflows of %d bytes were parsed, want %d", read, len(text), mostYAMLs/len(text))
	}
}

// TestManyFiles holds a project to what it keeps in mind, and to saying so; what is read is not crowded out.
func TestManyFiles(t *testing.T) {
	r := New()
	for i := range mostSeen + 5 {
		r.See(fmt.Sprintf("artifacts/w/2026-02-23T10-41-22/%06d.md", i))
	}
	if !r.See("artifacts/w/2026-02-23T10-41-22/manifest.json") || !r.See("workflows/w/workflow.yaml") {
		t.Error("what is to be read was not wanted after many other files")
	}
	report := r.Finish("")
	if got := len(r.State().Files); got != mostSeen+2 {
		t.Errorf("%d files are kept, want %d", got, mostSeen+2)
	}
	found := false
	for _, f := range report.Findings {
		found = found || f.Code == figs.ProjectTooManyFiles && f.File == "artifacts"
	}
	if !found {
		t.Error("nothing says that files were left out")
	}
}

// TestManyRuns reads as many runs as a project may have, each with a step that its workflow does not know.
func TestManyRuns(t *testing.T) {
	r := New()
	manifest := func(i int) string {
		return fmt.Sprintf("artifacts/w/%04d-02-03T10-41-22/manifest.json", i)
	}
	const n = 5000
	for i := range n {
		r.See(manifest(i))
	}
	r.See("workflows/w/workflow.yaml")
	r.Give("workflows/w/workflow.yaml", []byte("name: w\nsteps:\n- id: a\n- id: b\n"))
	for i := range n {
		r.Give(manifest(i), []byte(`{"workflow": "w", "steps": [{"id": "a", "status": "awaiting_approval"}, {"id": "x"}]}`))
	}
	report := r.Finish("")
	if len(r.State().Runs) != n || len(r.State().Waiting()) != n || len(report.More) == 0 {
		t.Errorf("%d runs, %d waiting, %d rules with more findings than are listed", len(r.State().Runs), len(r.State().Waiting()), len(report.More))
	}
	if first := r.State().Waiting()[0].Run; first.Path != fmt.Sprintf("artifacts/w/%04d-02-03T10-41-22", n-1) {
		t.Errorf("the first that waits is %s, want the newest run", first.Path)
	}
}

// TestLongLists holds a manifest to the entries that are kept.
func TestLongLists(t *testing.T) {
	const file = "artifacts/w/2026-02-23T10-41-22/manifest.json"
	for _, item := range []string{`1`, `{}`, `{"id": "a"}`, `{"path": "../x"}`} {
		list := "[" + strings.Repeat(item+",", kind.MaxContent/8/(len(item)+1)) + "0]"
		r := New()
		r.See(file)
		r.Give(file, []byte(`{"run_id": "x", "steps": `+list+`, "files": `+list+`, "errors": `+list+`}`))
		report := r.Finish("")
		u := r.State().Runs[0]
		if len(u.Steps) > mostEntries || len(u.Files) > mostEntries || len(u.Errors) > mostEntries || len(report.Findings) > 100*figs.PerRule {
			t.Errorf("%s: %d steps, %d files, %d errors and %d findings are kept", item, len(u.Steps), len(u.Files), len(u.Errors), len(report.Findings))
		}
	}
}

// seeds are the files of the vectors by the last part of their names.
func seeds(f *testing.F, name string) {
	for v := range figstest.KindVectors() {
		for path, content := range v.Tree {
			if strings.HasSuffix(path, name) && len(content) < 16<<10 {
				f.Add(content)
			}
		}
	}
}

// inside holds the findings of a file to places that are in it.
func inside(t *testing.T, r *figs.Report, file string, content []byte) {
	t.Helper()
	rows := bytes.Split(content, []byte("\n"))
	for _, f := range r.Findings {
		if f.Message == "" || strings.Contains(f.Message, "“%”") && !bytes.Contains(content, []byte("%")) {
			t.Errorf("%v has no sentence: %q", f.Code, f.Message)
		}
		if f.File != file || f.Line == 0 {
			continue
		}
		if f.Line > len(rows) || f.Column > len(rows[f.Line-1])+1 || f.EndColumn > len(rows[f.Line-1])+1 || f.EndColumn != 0 && f.EndColumn < f.Column {
			t.Errorf("%v at %d:%d–%d is not in the file", f.Code, f.Line, f.Column, f.EndColumn)
			continue
		}
		start := len(bytes.Join(rows[:f.Line-1], []byte("\n")))
		if f.Line > 1 {
			start++
		}
		if f.Offset != int64(start+max(f.Column-1, 0)) {
			t.Errorf("%v at %d:%d has the offset %d, want %d", f.Code, f.Line, f.Column, f.Offset, start+max(f.Column-1, 0))
		}
	}
}
