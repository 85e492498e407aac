package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/tree"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// reader answers for one attachment with the bytes and the hash given; name is what lists call it.
func reader(t *testing.T, name, body, sum string) string {
	return serveJSON(t, func(w http.ResponseWriter, r *http.Request) {
		quoted, _ := json.Marshal(name)
		file := fmt.Sprintf(`{"key":%q,"name":%s,"size":3,"sha256":%q,"mentions":[]}`, journal.Segment(name), quoted, sum)
		switch path := strings.TrimPrefix(r.URL.Path, "/api/v1/workspaces"); {
		case path == "":
			io.WriteString(w, `{"items":[{"id":"w1","slug":"acme","name":"Acme","role":"owner"}],"total":1,"next":null}`)
		case path == "/w1/agents/a1":
			io.WriteString(w, `{"key":"a1","id":"a1","name":"A","charter":{}}`)
		case strings.HasSuffix(path, "/files"):
			io.WriteString(w, `{"items":[`+file+`],"total":1,"next":null}`)
		case strings.HasSuffix(path, "/content"):
			if sum != "" {
				w.Header().Set("X-Content-SHA256", sum)
			}
			io.WriteString(w, body)
		case strings.Contains(path, "/files/"):
			io.WriteString(w, file)
		default:
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, `{"error":"None."}`)
		}
	})
}

// remotely runs a command in machine mode with a token.
func remotely(t *testing.T, args ...string) outcome {
	t.Helper()
	return (&checklist{t: t, dir: t.TempDir()}).machine(agentic(args)...)
}

func sumText(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }

// What does not hold what it must is never seen under the name that was asked for.
func TestDownloadIsVerified(t *testing.T) {
	for name, test := range map[string]struct {
		body, sum string
		code      int
	}{
		"good":    {"one", sumText("one"), 0},
		"other":   {"two", sumText("one"), 102},
		"cut":     {"on", sumText("one"), 102},
		"unnamed": {"one", "", 102},
	} {
		for _, force := range []bool{false, true} {
			dir := t.TempDir()
			to := filepath.Join(dir, "x")
			args := []string{"cp", reader(t, "a.txt", test.body, test.sum) + "/agents/a1/files/a.txt", to}
			before := "before"
			if force {
				args = append(args, "--force")
				os.WriteFile(to, []byte(before), 0o600)
			}
			if got := remotely(t, args...); got.code != test.code {
				t.Errorf("%s: %q = %d %s", name, args, got.code, got.stderr)
			}
			content, err := os.ReadFile(to)
			switch {
			case test.code == 0 && string(content) != "one":
				t.Errorf("%s: the copy is %q", name, content)
			case test.code != 0 && force && string(content) != before:
				t.Errorf("%s: what stood there is %q", name, content)
			case test.code != 0 && !force && err == nil:
				t.Errorf("%s: something stands there: %q", name, content)
			}
			if rest, _ := filepath.Glob(filepath.Join(dir, ".figs-web-*")); len(rest) > 0 {
				t.Errorf("%s: %v is left", name, rest)
			}
		}
	}
}

// No name of an agent's leads out of the folder that was named, or to a file that is no plain one.
func TestDownloadStaysInFolder(t *testing.T) {
	for _, name := range []string{"../x", "/etc/x", `..\x`, "a/b", "..", ".", "a\x00b", "nul", "x\u202egpj.exe", "C:x"} {
		up := t.TempDir()
		dir := filepath.Join(up, "in")
		os.Mkdir(dir, 0o755)
		address := reader(t, name, "one", sumText("one"))
		if got := remotely(t, "cp", address+"/agents/a1/files/"+journal.Segment(name), dir); got.code != 2 {
			t.Errorf("cp of %q = %d %s", name, got.code, got.stderr)
		}
		if got := remotely(t, "sync", "--from", address+"/agents/a1/files", "--to", dir); got.code != 1 || !strings.Contains(got.stdout, `"errors":1`) {
			t.Errorf("sync of %q = %d %s%s", name, got.code, got.stdout, got.stderr)
		}
		for _, folder := range []string{up, dir} {
			if left, _ := os.ReadDir(folder); len(left) > 1 || folder == dir && len(left) > 0 {
				t.Errorf("%q wrote %v", name, left)
			}
		}
	}
}

// Nothing is written through a link.
func TestDownloadFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	os.WriteFile(victim, []byte("mine"), 0o600)
	link := filepath.Join(dir, "a.txt")
	if err := os.Symlink(victim, link); err != nil {
		t.Skip(err)
	}
	address := reader(t, "a.txt", "one", sumText("one")) + "/agents/a1/files/a.txt"
	if got := remotely(t, "cp", address, dir); got.code != 107 {
		t.Errorf("cp onto a link = %d %s", got.code, got.stderr)
	}
	if got := remotely(t, "cp", address, link, "--force"); got.code != 0 {
		t.Errorf("cp --force onto a link = %d %s", got.code, got.stderr)
	}
	if content, _ := os.ReadFile(victim); string(content) != "mine" {
		t.Errorf("the file behind the link is %q", content)
	}
	ledger := filepath.Join(dir, figs.Messages.String())
	os.Symlink(victim, ledger)
	if err := tree.AppendTo(t.Context(), ledger, wholefile.Options{}, func([]byte) ([]byte, error) { return []byte("x\n"), nil }); err == nil || cmd.FailureOf(err, "").Kind != cmd.Denied {
		t.Errorf("appending to a link = %v", err)
	}
}

// FuzzAppendReplies appends to any ledger: what stood there stays byte for byte, each reply is there
// once afterwards, and a second time changes nothing.
func FuzzAppendReplies(f *testing.F) {
	for _, ledger := range []string{"", "\n", `{"id":"m1"}`, `{"id":"m1","kind":"answer","as`, "{\"id\":\"m1\"}\n", "{\"id\":\"m", "\xff\n\n", "[]\r\n"} {
		f.Add([]byte(ledger), "m1", "m2")
	}
	f.Fuzz(func(t *testing.T, ledger []byte, one, two string) {
		name := filepath.Join(t.TempDir(), "messages.jsonl")
		if err := os.WriteFile(name, ledger, 0o600); err != nil {
			t.Fatal(err)
		}
		var nodes []*tree.Node
		for _, id := range []string{one, two} {
			record := append(figs.AppendString([]byte(`{"id":`), id), `,"kind":"answer","ask":"a","by":"B","ts":"2026-11-20T10:00:00Z","source":"chat","text":"x"}`...)
			nodes = append(nodes, &tree.Node{ID: tree.IDIn(record), Raw: tree.BytesOf(record)})
		}
		var first, again tree.Synced
		if err := tree.AppendReplies(t.Context(), nodes, name, &first); err != nil {
			t.Fatal(err)
		}
		grown, _ := os.ReadFile(name)
		if !bytes.HasPrefix(grown, ledger) {
			t.Fatalf("%q became %q", ledger, grown)
		}
		if first.Synced+first.Skipped+first.Refused != 2 || first.Errors != 0 {
			t.Errorf("= %+v", first)
		}
		if err := tree.AppendReplies(t.Context(), nodes, name, &again); err != nil || again.Synced != 0 {
			t.Errorf("again = %+v, %v", again, err)
		}
		if same, _ := os.ReadFile(name); !bytes.Equal(same, grown) {
			t.Errorf("again it became %q", same)
		}
	})
}
