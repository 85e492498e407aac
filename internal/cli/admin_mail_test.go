package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// What is tried is the mail server that the server's own settings name, unless a flag names another.
func TestMailTestSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figs-web.conf")
	if err := os.WriteFile(file, []byte("mail-url = of-the-file\nmail-from = figs@example.com\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"nowhere":   nil,
		"the file":  {"--config", file},
		"a flag":    {"--config", file, "--mail-url", "smtp://127.0.0.1:1?tls=none", "--mail-from", "nobody"},
		"lost file": {"--config", file + "x"},
	} {
		run(t, append([]string{"admin", "mail", "test", "--to", "you@example.com"}, args...)...).says(t, 2, "admin mail test: "+name, file, "FILE")
	}
}
