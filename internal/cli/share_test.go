package cli

import (
	"archive/zip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/cli/check"
)

// sharedProject is the first sample with a key in it.
func sharedProject(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	if err := os.CopyFS(dir, os.DirFS("../../static/samples/reconciliation")); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, ".figs", "runs.jsonl"), os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(`{"id":"close-2026-10","ts":"2026-11-04T10:00:00Z","result":"with AKIAIOSFODNN7EXAMPLE, told anna@example.com"}` + "\n"); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestSharePreviews(t *testing.T) {
	dir := sharedProject(t)
	code, out, _ := called(t, "share", dir)
	if code != 0 || !strings.Contains(out, "aws-key") || !strings.Contains(out, "[email-1]") || !strings.Contains(out, "statement.pdf") || !strings.Contains(out, "Nothing was written") {
		t.Errorf("share = %d\n%s", code, out)
	}
	code, out, _ = called(t, "--agent", "share", dir)
	var object struct {
		Changed int
		Found   []check.SharedItem
		Left    []string `json:"left_out"`
	}
	if err := json.Unmarshal([]byte(out), &object); err != nil || code != 0 || object.Changed != 4 || len(object.Left) == 0 {
		t.Errorf("--agent share = %d %v\n%s", code, err, out)
	}
	if strings.Contains(out, "AKIA") || strings.Contains(out, "anna@") {
		t.Errorf("machines are told what is secret: %s", out)
	}
}

func TestShareWrites(t *testing.T) {
	dir := sharedProject(t)
	name := filepath.Join(t.TempDir(), "copy.figs.zip")
	if code, out, said := called(t, "share", dir, "-o", name, "--keep", "email-1", "--include", "statement.pdf"); code != 0 || !strings.Contains(out, "3 places were replaced") {
		t.Fatalf("share -o = %d\n%s%s", code, out, said)
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	names := ""
	for _, f := range z.File {
		names += f.Name + "\n"
	}
	for _, want := range []string{".figs/runs.jsonl", ".figs/artifacts/statement.pdf", "REDACTED.txt"} {
		if !strings.Contains(names, want) {
			t.Errorf("the copy lacks %s:\n%s", want, names)
		}
	}
	run(t, "share", dir, "-o", name).says(t, 1, "share: over a file", name, "FILE")
	if code, out, said := called(t, "doctor", name); code != 0 {
		t.Errorf("doctor of the copy = %d\n%s%s", code, out, said)
	}
}

func TestShareRefuses(t *testing.T) {
	dir := sharedProject(t)
	for _, args := range [][]string{{"-o", "copy.pdf"}, {"--leave", "nothing"}, {"--keep", "email-9"}, {"--with", "absent.pdf"}, {"--ask", "absent"}} {
		run(t, append([]string{"share", dir}, args...)...).says(t, 2, "refused: share "+strings.Join(args, " "), dir, "DIR")
	}
}

// called is what a call printed, with its exit code.
func called(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	o := run(t, args...)
	return o.code, o.stdout, o.stderr
}

// TestShareReceipts takes a receipt along that lies beside the folder, also when the folder itself is named, and one that
// lies elsewhere; says why one stays at home; and tells machines nothing of what it shows.
func TestShareReceipts(t *testing.T) {
	dir, file, _ := decidedFolder(t)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "x.json")
	if err := os.Rename(file, elsewhere); err != nil {
		t.Fatal(err)
	}
	holds := func(args ...string) bool {
		t.Helper()
		name := filepath.Join(t.TempDir(), "copy.figs.zip")
		if code, out, said := called(t, append([]string{"share", "-o", name}, args...)...); code != 0 {
			t.Fatalf("share %v = %d\n%s%s", args, code, out, said)
		}
		z, err := zip.OpenReader(name)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		_, err = z.Open("receipt.json")
		return err == nil
	}
	figsDir := dir
	if filepath.Base(dir) != ".figs" {
		figsDir = filepath.Join(dir, ".figs")
	}
	if holds(figsDir) {
		t.Error("a receipt goes along that is not there")
	}
	if !holds(figsDir, "--receipt", elsewhere) {
		t.Error("a receipt that was named does not go along")
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(figsDir), "receipt.json"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	if !holds(figsDir) || !holds(filepath.Dir(figsDir)) {
		t.Error("the receipt beside the folder does not go along")
	}
	if holds(figsDir, "--no-receipts") || holds(figsDir, "--names") {
		t.Error("a receipt goes along that was to stay, or that shows a name which is replaced")
	}
	if !holds(figsDir, "--names", "--show-receipts") {
		t.Error("--show-receipts does not take it along")
	}
	run(t, "share", figsDir, "--names").says(t, 0, "share: a receipt that stays", figsDir, "DIR")
	_, out, _ := called(t, "--agent", "share", figsDir, "--names")
	var object struct{ Receipts []check.SharedReceipt }
	if err := json.Unmarshal([]byte(out), &object); err != nil || len(object.Receipts) != 1 || object.Receipts[0].Along || object.Receipts[0].Shows == 0 {
		t.Errorf("machines are told %s", out)
	}
	run(t, "share", figsDir, "--receipt", filepath.Join(figsDir, "config.json")).says(t, 2, "share: another file as a receipt", figsDir, "DIR")
}
