package cli

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/cli/admin"
)

// An export holds every row; any byte of it that is another one is found, offline.
func TestAuditExport(t *testing.T) {
	o := newOffice(t)
	got := o.run("", "audit", "export")
	if got.code != 0 || strings.Count(got.stdout, "\n") != 3 || got.stderr != "" {
		t.Fatalf("export = %+v", got)
	}
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	verify := func(text string, args ...string) outcome {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return run(t, append([]string{"admin", "audit", "verify", "--file", file}, args...)...)
	}
	if got := verify(got.stdout); got.code != 0 || strings.Count(got.stdout, "unbroken") != 2 || strings.Contains(got.stdout, "verified") {
		t.Errorf("verify = %+v", got)
	}
	lines := strings.SplitAfter(got.stdout, "\n")
	var last admin.AuditJSON
	if err := json.Unmarshal([]byte(lines[len(lines)-2]), &last); err != nil {
		t.Fatal(err)
	}
	if got := verify(got.stdout, "--holds", last.Hash); got.code != 0 {
		t.Errorf("verify --holds = %+v", got)
	}
	if got := verify(strings.Join(lines[:len(lines)-2], ""), "--holds", last.Hash); got.code != 1 || !strings.Contains(got.stderr, last.Hash) {
		t.Errorf("verify --holds of a log cut short = %+v", got)
	}
	if got := verify(strings.Join(append(lines[:1:1], lines[2:]...), "")); got.code != 1 || !strings.Contains(got.stderr, "broken at row 1") {
		t.Errorf("verify without a row = %+v", got)
	}
	text := []byte(got.stdout)
	for i := range text {
		text[i] ^= 1
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		var w admin.AuditWalk // what the command does, without reading a thousand command lines
		if err := w.File(file); err == nil && w.Verdict() == nil {
			t.Errorf("byte %d as %q is not noticed", i, text[i])
		}
		text[i] ^= 1
	}
}

func TestAuditVerify(t *testing.T) {
	o := newOffice(t)
	if got := o.run("", "audit", "verify"); got.code != 0 || !strings.Contains(got.stdout, "acme") || strings.Count(got.stdout, "unbroken") != 2 {
		t.Errorf("verify = %+v", got)
	}
	object := o.object("", "audit", "verify", "acme")
	chains := object["chains"].([]any)
	if len(chains) != 1 || chains[0].(map[string]any)["unbroken"] != true || chains[0].(map[string]any)["head"] == "" {
		t.Errorf("verify acme = %v", object)
	}
	o.run("", "audit", "verify", "nowhere").says(t, 2, "admin audit verify: no such workspace")
	if got := o.run("", "audit", "verify", "acme", "--file", "x"); got.code != 2 {
		t.Errorf("verify acme --file = %+v", got)
	}
	if got := run(t, "admin", "audit", "verify", "--file", filepath.Join(t.TempDir(), "x")); got.code != 2 {
		t.Errorf("verify --file nowhere = %+v", got)
	}
}

// Whoever changes a row in the database breaks the chain there.
func TestAuditTampered(t *testing.T) {
	o := newOffice(t)
	tamper(t, o.dir, `UPDATE audit SET subject = subject || 'x' WHERE workspace <> '' AND n = (SELECT max(n) FROM audit WHERE workspace <> '')`)
	got := o.run("", "audit", "verify", "acme")
	if got.code != 1 || !strings.Contains(got.stdout, "broken at row 2") || !strings.Contains(got.stderr, "broken at row 2") {
		t.Errorf("verify = %+v", got)
	}
}

// A row that is taken away at the end is missed, too.
func TestAuditCutShort(t *testing.T) {
	o := newOffice(t)
	tamper(t, o.dir, `DELETE FROM audit WHERE workspace <> '' AND n = 2`)
	if got := o.run("", "audit", "verify", "acme", "--json"); got.code != 1 || !strings.Contains(got.stdout, `"broken":2`) {
		t.Errorf("verify = %+v", got)
	}
}

// tamper changes the database behind the program's back.
func tamper(t *testing.T, dir, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	result, err := db.Exec(query)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := result.RowsAffected(); n != 1 || err != nil {
		t.Fatalf("%d rows were changed, %v", n, err)
	}
}
