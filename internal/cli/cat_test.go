package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/recordjson/recordjsontest"
)

// TestCatEveryField holds that cat prints a record of a folder with every field of the protocol.
func TestCatEveryField(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".figs")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{figs.ConfigJSON.String(): []byte(`{"agentId":"a"}`), figs.AgentJSON.String(): []byte(`{"name":"A"}`)}
	sections := map[figs.File]string{figs.Runs: "jobs", figs.Asks: "asks", figs.Messages: "messages"}
	for file := range sections {
		files[file.String()] = append(recordjsontest.Line(file), '\n')
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for file, section := range sections {
		got := machine(t, "--agent", "cat", dir+"/agents/a/"+section+"/every-field")
		if got.code != 0 {
			t.Errorf("cat of %s exits %d: %s", section, got.code, got.stderr)
			continue
		}
		for _, missing := range recordjsontest.Missing("cat of "+section, file, []byte(got.stdout)) {
			t.Error(missing)
		}
	}
}
