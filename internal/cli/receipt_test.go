package cli

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/check"
	"github.com/figs-web/figs-web/internal/receipt"
)

const (
	receiptAgent = "0d4f2a3c-1111-4222-8333-000000000001"
	receiptAsk   = `{"id":"pay","ts":"2026-11-20T10:00:00Z","type":"sign-off","title":"Pay \u202eall?","onApprove":["Pay"],"attachments":["list.csv"]}`
	receiptReply = `{"id":"m-1","kind":"verdict","ask":"pay","by":"Ada","ts":"2026-11-20T12:30:00Z","source":"app","verdict":"approved"}`
)

// decidedFolder is a folder in which something was decided, and the receipt of it.
func decidedFolder(t *testing.T) (dir, file string, key receipt.Key) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		".figs/config.json": `{"agentId":"` + receiptAgent + `"}`, ".figs/agent.json": `{"name":"Payer"}`, ".figs/asks.jsonl": receiptAsk + "\n" + `{"id":"pay","status":"resolved"}` + "\n",
		".figs/messages.jsonl": receiptReply + "\n", ".figs/artifacts/list.csv": "a,b\n",
		"other/.figs/config.json": `{"agentId":"0d4f2a3c-1111-4222-8333-000000000002"}`, "other/.figs/asks.jsonl": "",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	seed := bytes.Repeat([]byte{3}, 32)
	fold := figs.Fold([][]byte{[]byte(receiptAsk)})
	r, err := receipt.Build(receipt.Facts{Server: "https://figs.example", Workspace: "w", Agent: receiptAgent, Fold: figs.AppendObject(nil, fold), Round: 1, Revision: "1.1.0." + receipt.HashOf(fold),
		Files: []receipt.SeenFile{{Name: "list.csv", SHA256: "5be08c9684a1d25efcee09318204824278b08bbfb4aef973ffefd0b9d7478313"}}, Line: []byte(receiptReply), By: "u", Made: 1, Effective: 2, Audit: "00"})
	if err == nil {
		err = r.Sign(seed)
	}
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "receipt.json")
	if err := os.WriteFile(file, r.JSON(), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, file, receipt.KeyOf(seed)
}

// longTrail is the folder with another ask under the id, behind more lines than a check goes through.
func longTrail(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), ".figs")
	if err := os.CopyFS(to, os.DirFS(filepath.Join(dir, ".figs"))); err != nil {
		t.Fatal(err)
	}
	line := `{"id":"pay","x":"` + strings.Repeat("x", 1<<20) + `"}` + "\n"
	if err := os.WriteFile(filepath.Join(to, "asks.jsonl"), []byte(strings.Repeat(line, 36)+strings.Replace(receiptAsk, "Pay", "Pay twice", 1)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// verdict is what stands above the facts of a receipt.
func (o outcome) verdict() []string {
	verdict, _, _ := strings.Cut(o.stdout, "\n\n")
	return strings.Split(verdict, "\n")
}

func TestReceipt(t *testing.T) {
	dir, file, key := decidedFolder(t)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, b []byte) string {
		name = filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	tampered := write("receipt.json", bytes.Replace(content, []byte(`\"approved\"`), []byte(`\"rejected\"`), 1))
	jwk := write("key.json", key.JWK())
	stranger := string(receipt.KeyOf(bytes.Repeat([]byte{4}, 32)))
	for _, test := range []struct {
		lesson        string
		args          []string
		people, agent int
		verdict       string
	}{
		{"accepted", []string{file, dir, "--key", string(key)}, 0, 0, "signed"},
		{"accepted by a file", []string{file, dir, "--key", stranger, "--key", jwk}, 0, 0, "signed"},
		{"unknown", []string{file, dir}, 0, 0, "consistent"},
		{"of another key", []string{file, dir, "--key", stranger}, 1, 102, "consistent"},
		{"alone", []string{file, "--key", jwk}, 0, 0, "signed"},
		{"tampered", []string{tampered, dir, "--key", jwk}, 1, 102, "refused"},
		{"another folder", []string{file, filepath.Join(dir, "other"), "--key", jwk}, 3, 108, "not compared"},
		{"another folder, unknown", []string{file, filepath.Join(dir, "other")}, 3, 108, "not compared"},
		{"another folder, of another key", []string{file, filepath.Join(dir, "other"), "--key", stranger}, 1, 102, "not compared"},
		{"another folder, tampered", []string{tampered, filepath.Join(dir, "other"), "--key", jwk}, 1, 102, "refused"},
		{"long trail", []string{file, longTrail(t, dir), "--key", jwk}, 3, 108, "not compared"},
		{"no receipt", []string{filepath.Join(dir, ".figs/agent.json")}, 2, 102, ""},
		{"nowhere", []string{filepath.Join(dir, "nowhere")}, 2, 100, ""},
		{"no key", []string{file, "--key", filepath.Join(dir, ".figs/agent.json")}, 2, 2, ""},
	} {
		t.Run(test.lesson, func(t *testing.T) {
			got := run(t, append([]string{"receipt"}, test.args...)...)
			if got.code != test.people || strings.Contains(got.stdout, "\u202e") {
				t.Errorf("receipt = %d %s %s", got.code, got.stdout, got.stderr)
			}
			if test.verdict != "" {
				messages.Check(t, "receipt: "+test.lesson, got.verdict())
			}
			machine := run(t, append([]string{"--agent", "receipt"}, test.args...)...)
			if machine.code != test.agent {
				t.Errorf("--agent receipt = %d %s", machine.code, machine.stderr)
			}
			var object check.ReceiptJSON
			if test.verdict != "" && (json.Unmarshal([]byte(machine.stdout), &object) != nil || object.Verdict != test.verdict) {
				t.Errorf("--agent receipt prints %s, want the verdict %s", machine.stdout, test.verdict)
			}
		})
	}
	if err := os.WriteFile(filepath.Join(dir, ".figs/artifacts/list.csv"), []byte("a;b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := run(t, "receipt", file, dir, "--key", string(key))
	if got.code != 1 {
		t.Errorf("another file: %+v", got)
	}
	messages.Check(t, "receipt: other bytes", got.verdict())
}

// TestZipWithANameTwice: every command that reads a zip refuses one with two files of a name, and names it.
func TestZipWithANameTwice(t *testing.T) {
	dir, file, key := decidedFolder(t)
	name := filepath.Join(t.TempDir(), "dup.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := zip.NewWriter(f)
	for _, entry := range [][2]string{{"config.json", `{"agentId":"` + receiptAgent + `"}`}, {"agent.json", `{"name":"Payer"}`}, {"asks.jsonl", receiptAsk + "\n"}, {"messages.jsonl", receiptReply + "\n"}, {"asks.jsonl", strings.Replace(receiptAsk, "Pay", "Pay twice", 1) + "\n"}} {
		to, err := w.Create(".figs/" + entry[0])
		if err == nil {
			_, err = to.Write([]byte(entry[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"receipt", file, name, "--key", string(key)}, {"doctor", name}, {"fold", name}, {"open", name}, {"mcp", name}, {"compare", dir, name}, {"compare", name, dir},
		{"share", name}, {"lens", name}, {"search", "pay", name}, {"why", "pay", name},
	} {
		if got := run(t, args...); got.code != 2 || !strings.Contains(got.stderr, `two files named ".figs/asks.jsonl"`) {
			t.Errorf("%s ends with %d: %s%s", args[0], got.code, got.stdout, got.stderr)
		}
	}
}
