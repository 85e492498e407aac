package figstest_test

import (
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
)

// TestCore holds the core to every vector, however its bytes arrive.
func TestCore(t *testing.T) {
	t.Run("whole", func(t *testing.T) { figstest.Run(t, figstest.Core) })
	t.Run("reversed", func(t *testing.T) { figstest.Run(t, figstest.CoreReversed) })
	if !testing.Short() { // as in a browser's engine, which is many times slower
		t.Run("pieces of 1", func(t *testing.T) { figstest.Run(t, figstest.CoreInPieces(1)) })
	}
	t.Run("pieces of 7", func(t *testing.T) { figstest.Run(t, figstest.CoreInPieces(7)) })
	t.Run("pieces of 1 MiB", func(t *testing.T) { figstest.Run(t, figstest.CoreInPieces(1<<20)) })
}

// TestVectorsCoverTheCatalogue wants each rule broken by a vector, unless only a host, or a
// file too large for a vector, can break it.
func TestVectorsCoverTheCatalogue(t *testing.T) {
	broken := map[string]bool{"ledger_too_large": true, "project_too_many_files": true}
	n, legacy := 0, 0
	for v := range figstest.Vectors() {
		n++
		if strings.HasPrefix(v.Name, "legacy_") {
			legacy++
		}
		for _, f := range v.Findings {
			broken[f.Code] = true
			if code, ok := figs.ParseCode(f.Code); !ok || code.Severity().String() != f.Severity {
				t.Errorf("%s: the catalogue has no rule %s of severity %s", v.Name, f.Code, f.Severity)
			}
		}
		if v.About == "" || !strings.HasSuffix(v.About, ".") && !strings.HasSuffix(v.About, "”") {
			t.Errorf("%s: want a sentence that says the lesson, got %q", v.Name, v.About)
		}
	}
	kinds := 0
	for v := range figstest.KindVectors() {
		kinds++
		for _, f := range v.Findings {
			broken[f.Code] = true
			if code, ok := figs.ParseCode(f.Code); !ok || !code.OfKind() || code.Severity().String() != f.Severity {
				t.Errorf("%s: the catalogue of the other kinds has no rule %s of severity %s", v.Name, f.Code, f.Severity)
			}
		}
	}
	for c := range figs.Codes() {
		if !broken[c.String()] {
			t.Errorf("no vector breaks %v", c)
		}
	}
	if kinds < 120 {
		t.Errorf("there are %d vectors about other kinds of folders; want at least 120", kinds)
	}
	if n < 150 || legacy < 10 {
		t.Errorf("there are %d vectors, %d of them v1 folders; want at least 150 and 10", n, legacy)
	}
}

// TestFindingReadsBack holds the written form of a finding to its parser.
func TestFindingReadsBack(t *testing.T) {
	for _, f := range []figstest.Finding{
		{Severity: "error", Code: "line_broken", File: "runs.jsonl", Line: 3, Column: 9},
		{Severity: "error", Code: "folder_unrecognised"},
		{Severity: "warning", Code: "attachment_unnamed", File: "artifacts/a b: “c”.md"},
		{Severity: "error", Code: "run_status_unknown", File: "runs.jsonl", Line: 1, Column: 2, Record: `recon "Acme" é` + "\n"},
	} {
		v, err := figstest.Parse("x", []byte("Lesson.\n\nnow: \n-- expect/findings --\n"+f.String()+"\n"))
		if err != nil || len(v.Findings) != 1 || v.Findings[0] != f {
			t.Errorf("%s: reads back as %v, %v", f, v.Findings, err)
		}
	}
}

// TestUnquote holds the notation of quoted sections to its description.
func TestUnquote(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`"a\n" "b"`, "a\nb"},
		{"\"ab\" * 3\n\"c\"", "abababc"},
		{"\"\\xff\"\n`\\`", "\xff\\"},
		{`"" * 5`, ""},
	} {
		if got, err := figstest.Unquote([]byte(c.in)); err != nil || string(got) != c.want {
			t.Errorf("Unquote(%q) = %q, %v, want %q", c.in, got, err, c.want)
		}
	}
	for _, bad := range []string{"a", `"a" *`, `"a" * b`, `"a" "b`, `"\q"`} {
		if got, err := figstest.Unquote([]byte(bad)); err == nil {
			t.Errorf("Unquote(%q) = %q, want an error", bad, got)
		}
	}
}
