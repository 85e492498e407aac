package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/serve"
	"github.com/figs-web/figs-web/internal/config"
)

var update = flag.Bool("update", false, "write the table of docs/configuration.md and testdata/messages.golden again")

// The table of the documents is that of the flags.
func TestConfigurationTable(t *testing.T) {
	const file, begin, end = "../../docs/configuration.md", "<!-- table: go test ./internal/cli -run ConfigurationTable -update -->\n", "<!-- end of table -->\n"
	flags, err := serve.ServeFlags()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := config.WriteTable(&b, config.Of(flags)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	table, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table between %q and %q", file, begin, end)
	}
	if table == b.String() {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the flags are; run go test ./internal/cli -run ConfigurationTable -update. It should say\n%s", file, &b)
	}
	if err := os.WriteFile(file, []byte(head+begin+b.String()+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A flag that holds a secret says so, and every flag says what it is.
func TestFlagsOfServe(t *testing.T) {
	flags, err := serve.ServeFlags()
	if err != nil {
		t.Fatal(err)
	}
	secret := regexp.MustCompile(`(^|-)(password|secret|token|private)$`)
	for _, s := range config.Of(flags) {
		if secret.MatchString(s.Name) && !s.Secret {
			t.Errorf("--%s holds a secret: give it the tag secret:\"\"", s.Name)
		}
		if s.Help == "" {
			t.Errorf("--%s has no help", s.Name)
		}
	}
}

// What is checked is what serve would be told: by flags before the environment, by that before the file.
func TestConfigCheck(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "figs-web.conf")
	if err := os.WriteFile(file, []byte("log = json\nmax-ingest = 1MiB\naddr = 127.0.0.1:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	said := map[string]string{"FIGS_WEB_MAX_INGEST": "2MiB", "FIGS_WEB_ADDR": "127.0.0.1:2"}
	run := func(args []string) outcome {
		var stdout, stderr bytes.Buffer
		code := Main(t.Context(), cmd.Env{Args: append([]string{"config", "check"}, args...), Stdout: &stdout, Stderr: &stderr, Version: "v1.2.3", Now: time.Now,
			Terminals: func() (bool, bool) { return false, false }, Getenv: func(name string) string { return said[name] }})
		return outcome{code, stdout.String(), stderr.String()}
	}
	secret := "a-secret-of-three-words"
	for _, args := range [][]string{
		{"--config", file, "--json", "--", "--addr", "127.0.0.1:3", "--mail-url=smtp://u@mail.example.com", "--mail-from", "figs@example.com", "--mail-password", secret},
		{"--config", file, "--json", "--addr", "127.0.0.1:3", "--mail-url=smtp://u@mail.example.com", "--mail-from", "figs@example.com", "--mail-password", secret},
		{"--addr=127.0.0.1:3", "--config", file, "--mail-url=smtp://u@mail.example.com", "--mail-from", "figs@example.com", "--mail-password", secret, "--json"},
		{"--json", "--", "--config=" + file, "--addr=127.0.0.1:3", "--mail-url=smtp://u@mail.example.com", "--mail-from", "figs@example.com", "--mail-password", secret},
	} {
		got := run(args)
		var v serve.Verdict
		if err := json.Unmarshal([]byte(got.stdout), &v); err != nil || got.code != 0 || v.File != file || len(v.Problems) > 0 {
			t.Fatalf("%v = %d, %v, %s%s", args, got.code, err, got.stdout, got.stderr)
		}
		is := map[string]string{}
		for _, s := range v.Settings {
			is[s.Name] = s.Source + " " + s.Value
		}
		for name, want := range map[string]string{"log": "file json", "max-ingest": "environment 2MiB", "addr": "flag 127.0.0.1:3", "mail-from": "flag figs@example.com", "tls-cert": "default "} {
			if is[name] != want {
				t.Errorf("%s is %q, want %q", name, is[name], want)
			}
		}
		if strings.Contains(got.stdout, secret) {
			t.Error("the secret is shown")
		}
	}
	for says, flags := range map[string][]string{"--adr": {"--adr", "x"}, "not a size": {"--max-ingest", "much"}, "nonsense": {"--addr", "nonsense", "--data", dir}, "another": {"another"}} {
		for _, before := range [][]string{{"--config", file, "--"}, {"--config", file}} {
			got := run(append(before, flags...))
			if got.code == 0 || !strings.Contains(got.stdout, "problem: ") || !strings.Contains(got.stdout, says) {
				t.Errorf("%v = %d\n%s%s", flags, got.code, got.stdout, got.stderr)
			}
		}
	}
}

// TestUsageErrors holds that a usage error is one sentence, and its hint says what was meant.
func TestUsageErrors(t *testing.T) {
	for line, want := range map[string]string{
		"serve --dta x":       "Unknown flag --dta.\nhint: Did you mean --data? figs-web serve --help shows its arguments and flags.\n",
		"doctor --data figs":  "Unknown flag --data.\nhint: doctor checks folders. To check a server's data, run figs-web admin --data DIR audit verify, or figs-web restore --verify on a backup.\n",
		"config chek":         "Unexpected argument chek.\nhint: Did you mean check? figs-web config --help shows its arguments and flags.\n",
		"doctor --nothing-so": "Unknown flag --nothing-so.\nhint: figs-web doctor --help shows its arguments and flags.\n",
	} {
		if got := run(t, strings.Fields(line)...); got.code != 2 || got.stderr != want {
			t.Errorf("%s = %d %q, want %q", line, got.code, got.stderr, want)
		}
	}
}
