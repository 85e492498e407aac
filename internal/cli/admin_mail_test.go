package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is tried is the mail server that the server's own settings name, unless a flag names another.
func TestMailTestSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figs-web.conf")
	if err := os.WriteFile(file, []byte("mail-url = of-the-file\nmail-from = figs@example.com\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"nowhere":   {nil, "Say which mail server"},
		"the file":  {[]string{"--config", file}, "address of the mail server cannot be read"},
		"a flag":    {[]string{"--config", file, "--mail-url", "smtp://127.0.0.1:1?tls=none", "--mail-from", "nobody"}, "sender"},
		"lost file": {[]string{"--config", file + "x"}, "is not there"},
	} {
		got := run(t, append([]string{"admin", "mail", "test", "--to", "you@example.com"}, test.args...)...)
		if got.code == 0 || !strings.Contains(got.stderr, test.want) {
			t.Errorf("%s: mail test = %d %q, want %q", name, got.code, got.stderr, test.want)
		}
	}
}
