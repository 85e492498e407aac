package demo

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/figs-web/figs-web/static"
)

// TestFolder holds the folders to the samples: one file is another, all others are their bytes.
func TestFolder(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range samples {
		for _, workspace := range []string{"w1", "w2"} {
			folder, err := Folder(name, workspace)
			if err != nil {
				t.Fatal(err)
			}
			var c struct{ AgentID string }
			b, err := fs.ReadFile(folder, config)
			if err != nil || json.Unmarshal(b, &c) != nil || len(c.AgentID) != 36 || seen[c.AgentID] {
				t.Errorf("%s of %s has the id %q, %v", name, workspace, c.AgentID, err)
			}
			seen[c.AgentID] = true
			again, _ := Folder(name, workspace)
			if other, _ := fs.ReadFile(again, config); string(other) != string(b) {
				t.Errorf("%s of %s is once %s and once %s", name, workspace, b, other)
			}
			err = fs.WalkDir(folder, ".", func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || path == config {
					return err
				}
				got, err := fs.ReadFile(folder, path)
				want, _ := static.Files.ReadFile("samples/" + name + "/.figs/" + path)
				if err != nil || string(got) != string(want) {
					t.Errorf("%s/%s is not what it was: %v", name, path, err)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
	folder, _ := Folder("payables", "w")
	f, err := folder.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	stat, err := f.Stat()
	b, _ := io.ReadAll(f)
	if err != nil || stat.Size() != int64(len(b)) || stat.Name() != config {
		t.Errorf("config.json says %v of itself and holds %d bytes", stat, len(b))
	}
	if _, err := folder.Open("nowhere"); err == nil {
		t.Error("there is a file that is not there")
	}
	if err := fstest.TestFS(renamed{fstest.MapFS{config: {Data: []byte("12"), Mode: 0o444}}, []byte("34")}, config); err != nil {
		t.Error(err)
	}
}

// TestFill lets a server of the test's own take the pushes.
func TestFill(t *testing.T) {
	var asked []string
	agents := map[string]bool{}
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "figs.example" || r.RemoteAddr == "" || r.Method == "POST" && r.Header.Get("Authorization") != "Bearer t" {
			t.Errorf("%s %s for %q from %q as %q", r.Method, r.URL, r.Host, r.RemoteAddr, r.Header.Get("Authorization"))
		}
		if !slices.Contains(asked, r.URL.Path) {
			asked = append(asked, r.URL.Path)
		}
		var body struct {
			WorkspaceID string
			Agent       struct{ ID string }
		}
		text, _ := io.ReadAll(r.Body)
		if r.Method == "POST" && (json.Unmarshal(text, &body) != nil || body.WorkspaceID != "w") {
			t.Errorf("%s of workspace %q", r.URL.Path, body.WorkspaceID)
		}
		if body.Agent.ID != "" {
			agents[body.Agent.ID] = true
		}
		io.WriteString(w, `{"ok":true}`)
	})
	door := Target{Handler: server, Public: "https://figs.example", Token: "t", Workspace: "w"}
	if err := Fill(context.Background(), door); err != nil {
		t.Fatal(err)
	}
	if len(agents) != len(samples) || !slices.Contains(asked, "/api/ingest") || !slices.Contains(asked, "/api/artifacts/upload") {
		t.Errorf("%d agents came, by %v", len(agents), asked)
	}
	door.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Error(w, `{"error":"No."}`, http.StatusForbidden) })
	if err := Fill(context.Background(), door); err == nil || !strings.Contains(err.Error(), "reconciliation: No.") {
		t.Errorf("a server that refuses: %v", err)
	}
}
