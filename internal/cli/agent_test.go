package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// conformance is how each command is put through the checklist of the standard: a call that
// succeeds and one that fails, with its exit code.
var conformance = map[string]struct {
	good, bad []string
	code      int
}{
	"doctor":                   {[]string{"doctor", sample, "--now", "2026-11-20T18:00:00Z"}, []string{"doctor", faulty}, 102},
	"watch":                    {[]string{"watch", sample}, []string{"watch", "nowhere"}, 100},
	"tail":                     {[]string{"tail", sample}, []string{"tail", "nowhere"}, 100},
	"skill":                    {[]string{"skill"}, []string{"skill", "extra"}, 2},
	"fold":                     {[]string{"fold", sample, "--ledger", "asks"}, []string{"fold", "nowhere"}, 100},
	"hidden-text":              {[]string{"hidden-text", sample}, []string{"hidden-text", "nowhere"}, 100},
	"completion":               {[]string{"completion", "bash"}, []string{"completion", "tcsh"}, 2},
	"share":                    {[]string{"share", sample}, []string{"share", "nowhere"}, 100},
	"compare":                  {[]string{"compare", sample, sample}, []string{"compare", sample, "nowhere"}, 100},
	"schema":                   {[]string{"schema", "agent"}, []string{"schema", "agnet"}, 2},
	"search":                   {[]string{"search", "bridge", sample}, []string{"search", "bridge", "nowhere"}, 100},
	"why":                      {[]string{"why", "acme-send", sample}, []string{"why", "nobody", sample}, 100},
	"open":                     {[]string{"open", sample}, []string{"open", "nowhere"}, 100},
	"serve":                    {[]string{"serve", "--addr", "127.0.0.1:0"}, []string{"serve", "--addr", "nonsense"}, 2},
	"config check":             {[]string{"config", "check"}, []string{"config", "check", "--config", "nowhere"}, 100},
	"config show":              {[]string{"config", "show", "--example"}, []string{"config", "show", "--config", "nowhere"}, 100},
	"probe":                    {nil, []string{"probe", "http://127.0.0.1:1/readyz"}, 104},                             // the good call is in probe_test.go
	"reindex":                  {nil, []string{"reindex", "--data", "nowhere"}, 100},                                   // the good call is in reindex_test.go
	"backup":                   {nil, []string{"backup", "--data", "nowhere", "backup.tar"}, 100},                      // the good calls are in testdata/script/backup.txtar
	"export":                   {nil, []string{"export", "--data", "nowhere", "--workspace", "acme", "acme.zip"}, 100}, // the good calls are in testdata/script/export.txtar
	"restore":                  {nil, []string{"restore", "nowhere", "--verify"}, 100},
	"migrate":                  {nil, []string{"migrate", "--from", "figs-data"}, 2},                                                      // it only says what to type instead
	"inspector":                {nil, []string{"inspector", "--check", "agent_test.go"}, 102},                                             // writing needs the built modules
	"admin workspace create":   {nil, []string{"admin", "--data", "nowhere", "workspace", "create", "--name", "Acme", "--slug", "No"}, 2}, // the good calls are in admin_test.go
	"admin workspace list":     {nil, []string{"admin", "--data", "nowhere", "workspace", "list"}, 100},
	"admin workspace delete":   {nil, []string{"admin", "--data", "nowhere", "workspace", "delete", "acme"}, 100}, // the good calls are in testdata/script/workspace.txtar
	"admin workspace restore":  {nil, []string{"admin", "--data", "nowhere", "workspace", "restore", "acme"}, 100},
	"admin workspace purge":    {nil, []string{"admin", "--data", "nowhere", "workspace", "purge", "acme"}, 100},
	"admin user create":        {nil, []string{"admin", "--data", "nowhere", "user", "create", "--email", "ada@acme.example", "--name", "Ada"}, 2},
	"admin user password":      {nil, []string{"admin", "--data", "nowhere", "user", "password", "--email", "ada@acme.example"}, 2},
	"admin user reset":         {nil, []string{"admin", "--data", "nowhere", "user", "reset", "--email", "ada@acme.example"}, 100},
	"admin user operator":      {nil, []string{"admin", "--data", "nowhere", "user", "operator", "--email", "ada@acme.example"}, 100},
	"admin invite create":      {nil, []string{"admin", "--data", "nowhere", "invite", "create", "--workspace", "acme", "--role", "none"}, 2},
	"admin invite list":        {nil, []string{"admin", "--data", "nowhere", "invite", "list"}, 100},
	"admin invite revoke":      {nil, []string{"admin", "--data", "nowhere", "invite", "revoke", "--workspace", "acme", "--id", "none"}, 100},
	"admin user list":          {nil, []string{"admin", "--data", "nowhere", "user", "list"}, 100},
	"admin member add":         {nil, []string{"admin", "--data", "nowhere", "member", "add", "--workspace", "acme", "--email", "ada@acme.example", "--role", "boss"}, 2},
	"admin member list":        {nil, []string{"admin", "--data", "nowhere", "member", "list"}, 100},
	"admin token create":       {nil, []string{"admin", "--data", "nowhere", "token", "create", "--email", "ada@acme.example", "--name", "ci"}, 100},
	"admin token list":         {nil, []string{"admin", "--data", "nowhere", "token", "list"}, 100},
	"admin agent assign":       {nil, []string{"admin", "--data", "nowhere", "agent", "assign", "--workspace", "acme", "--agent-id", "x", "--manager", ""}, 100},
	"admin agent archive":      {nil, []string{"admin", "--data", "nowhere", "agent", "archive", "--workspace", "acme", "--agent-id", "x"}, 100},
	"admin agent restore":      {nil, []string{"admin", "--data", "nowhere", "agent", "restore", "--workspace", "acme", "--agent-id", "x"}, 100},
	"admin agent move":         {nil, []string{"admin", "--data", "nowhere", "agent", "move", "--workspace", "acme", "--agent-id", "x", "--to", "other"}, 100},
	"admin agent rename-grant": {nil, []string{"admin", "--data", "nowhere", "agent", "rename-grant", "--workspace", "acme", "--agent-id", "x", "--name", "X"}, 100},
	"admin agent erase":        {nil, []string{"admin", "--data", "nowhere", "agent", "erase", "--workspace", "acme", "--agent-id", "x", "--kind", "run", "--id", "r", "--reason", "x"}, 100},
	"admin agent list":         {nil, []string{"admin", "--data", "nowhere", "agent", "list"}, 100},
	"admin audit verify":       {nil, []string{"admin", "--data", "nowhere", "audit", "verify"}, 100}, // the good calls are in admin_audit_test.go
	"admin mail test":          {nil, []string{"admin", "mail", "test", "--to", "ada@acme.example", "--mail-url", "nonsense", "--mail-from", "figs@acme.example"}, 2},
	"admin oidc test":          {nil, []string{"admin", "oidc", "test"}, 2}, // the good calls are in admin_oidc_test.go
	"admin audit export":       {nil, []string{"admin", "--data", "nowhere", "audit", "export"}, 100},
	"receipt":                  {nil, []string{"receipt", "nowhere"}, 100},               // the good calls are in receipt_test.go
	"ls":                       {[]string{"ls", sample}, []string{"ls", "nowhere"}, 100}, // more of these is in testdata/script
	"cat":                      {[]string{"cat", sample + "/agents/1/asks"}, []string{"cat", sample + "/agents/1/asks/none"}, 100},
	"stat":                     {[]string{"stat", sample + "/agents/1/asks/acme-send"}, []string{"stat", sample + "/agents/none"}, 100},
	"cp":                       {nil, []string{"cp", "cli_test.go", sample + "/agents/1/asks/acme-send"}, 101},
	"rm":                       {nil, []string{"rm", sample + "/agents/1/asks/acme-send"}, 101},
	"sync":                     {nil, []string{"sync", "--from", "nowhere", "--to", "."}, 100},
	"wait":                     {[]string{"wait", sample + "/agents/1/asks/acme-bridge"}, []string{"wait", "none", "--in", sample}, 100},
	"feedback":                 {nil, []string{"feedback", ""}, 2},
	"remote add":               {nil, []string{"remote", "add", "x", "https://figs.example"}, 2},
	"remote list":              {nil, []string{"remote", "list", "extra"}, 2},
	"remote remove":            {nil, []string{"remote", "remove", "acme"}, 100},
	"upgrade":                  {nil, []string{"upgrade", "--check", "--feed", "nowhere", "--key", "nowhere"}, 100}, // the good calls are in upgrade_test.go
	"version":                  {[]string{"version"}, []string{"version", "extra"}, 2},
}

func commands(t *testing.T) []string {
	t.Helper()
	parser, err := kong.New(&grammar{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, node := range parser.Model.Leaves(false) {
		name, _, _ := strings.Cut(strings.TrimPrefix(node.Path(), parser.Model.Path()), " <")
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// servers are the commands that end only when they are told to.
var servers = []string{"open", "serve", "watch"}

// machine runs in machine mode, where nobody may look at the terminal; servers are told to stop
// as soon as they have begun.
func machine(t *testing.T, args ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	said := func() {}
	if slices.ContainsFunc(servers, func(server string) bool { return slices.Contains(args, server) }) {
		said = cancel
	}
	return runIn(t, ctx, said, func() (bool, bool) {
		t.Errorf("%q looks at the terminal", args)
		return true, true
	}, args...)
}

func TestEveryCommandHasMachineMode(t *testing.T) {
	for _, command := range commands(t) {
		row, ok := conformance[command]
		if !ok {
			t.Errorf("%s has no row in the conformance table: add one, and its machine page", command)
			continue
		}
		t.Run(command, func(t *testing.T) {
			checkMachineHelp(t, command)
			if row.good != nil {
				checkMachineOutput(t, row.good)
			}
			checkMachineError(t, row.bad, row.code)
		})
	}
	t.Run("program", func(t *testing.T) { checkMachineHelp(t, "") })
}

// checkMachineHelp: USAGE, COMMON PATTERNS (3 to 5 that the program understands), ERROR CODES,
// nothing else.
func checkMachineHelp(t *testing.T, command string) {
	t.Helper()
	args := strings.Fields("--agent " + command + " --help")
	got := machine(t, args...)
	shape := regexp.MustCompile(`^USAGE:\n  figs-web --agent .+\n\nCOMMON PATTERNS:\n((?:  figs-web --agent .+\n){3,5})\nERROR CODES:\n  0   Success\n(?:  \d+ +\S.*\n)+$`)
	parts := shape.FindStringSubmatch(got.stdout)
	if got.code != 0 || got.stderr != "" || parts == nil {
		t.Fatalf("%q = %d\n%s%s\nwant the three parts and nothing else", args, got.code, got.stdout, got.stderr)
	}
	for line := range strings.Lines(parts[1]) {
		words := shellWords(line)[2:] // figs-web --agent
		parser, err := kong.New(&grammar{}, kong.Exit(func(int) {}), kong.Writers(&bytes.Buffer{}, &bytes.Buffer{}))
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(words, "--help") || slices.Contains(words, "--version") {
			continue
		}
		if _, err := parser.Parse(words); err != nil {
			t.Errorf("the pattern %q is not understood: %v", strings.TrimSpace(line), err)
		}
	}
}

// shellWords are the words of a command line as a shell takes them: what stands in single quotes is one.
func shellWords(line string) []string {
	words := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1)
	for i, word := range words {
		words[i] = strings.Trim(word, "'")
	}
	return words
}

// checkMachineOutput: JSON objects a line, nothing on stderr, the same wherever --agent stands
// and however often it is asked.
func checkMachineOutput(t *testing.T, args []string) {
	t.Helper()
	first := machine(t, append([]string{"--agent"}, args...)...)
	if first.code != 0 || first.stderr != "" || first.stdout == "" {
		t.Fatalf("--agent %q = %d %q %q, want output and nothing on stderr", args, first.code, first.stdout, first.stderr)
	}
	for line := range strings.Lines(first.stdout) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Errorf("--agent %q prints %q, want one JSON object a line: %v", args, line, err)
		}
	}
	if strings.Contains(first.stdout, "\x1b") || strings.Contains(first.stdout, "\r") {
		t.Errorf("--agent %q prints decorations", args)
	}
	if slices.Contains(servers, args[0]) {
		return // its address differs from call to call
	}
	for at := range len(args) + 1 {
		moved := slices.Insert(slices.Clone(args), at, "--agent")
		if got := machine(t, moved...); got != first {
			t.Errorf("%q = %+v, want %+v as with --agent in front", moved, got, first)
		}
	}
}

// checkMachineError: one JSON object on stderr whose code is the exit code.
func checkMachineError(t *testing.T, args []string, code int) {
	t.Helper()
	got := machine(t, append(slices.Clone(args), "--agent")...)
	var object struct {
		Error, Message, Suggestion string
		Code                       int
	}
	if err := json.Unmarshal([]byte(got.stderr), &object); err != nil || strings.Count(got.stderr, "\n") != 1 {
		t.Fatalf("%q says %q on stderr, want one JSON object on one line", args, got.stderr)
	}
	if !regexp.MustCompile(`^[A-Z]+(_[A-Z]+)*$`).MatchString(object.Error) || object.Message == "" || object.Code != code || got.code != code {
		t.Errorf("%q = %d %+v, want exit code %d in both and an UPPER_SNAKE error", args, got.code, object, code)
	}
	if listed := fmt.Sprintf("\n  %-3d ", code); !strings.Contains(cmd.AgentHelp(args), listed) {
		t.Errorf("%q exits %d, which its help does not list", args, code)
	}
}

// Everything after "--" is a name, also --agent.
func TestAgentAfterDashes(t *testing.T) {
	got := run(t, "doctor", "--", "--agent")
	if got.code != 2 || !strings.HasPrefix(got.stderr, `There is no "--agent".`) {
		t.Errorf("doctor -- --agent = %d %q, want it taken for a path", got.code, got.stderr)
	}
}

// No command is machine mode's own usage error, people get help.
func TestNoCommand(t *testing.T) {
	if got := machine(t, "--agent"); got.code != 2 || got.stdout != "" {
		t.Errorf("--agent alone = %d %q, want 2", got.code, got.stdout)
	}
	if got := run(t); got.code != 0 || !strings.Contains(got.stdout, "Usage:") {
		t.Errorf("figs-web alone = %d %q, want the help", got.code, got.stdout)
	}
}

func TestExplainForMachines(t *testing.T) {
	var lesson struct {
		Code, Severity, Title, Why, Section string
		Bad, Good                           []struct{ File string }
	}
	got := machine(t, "--agent", "doctor", "--explain", "ask_type_unknown")
	if err := json.Unmarshal([]byte(got.stdout), &lesson); err != nil {
		t.Fatal(err)
	}
	if lesson.Code != "ask_type_unknown" || lesson.Severity != "error" || lesson.Why == "" || len(lesson.Bad) == 0 || len(lesson.Good) == 0 {
		t.Errorf("--explain = %+v", lesson)
	}
}

// A ledger that cannot be read is a failure of fold, not an empty answer.
func TestFoldUnreadable(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".figs", "runs.jsonl"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := machine(t, "--agent", "fold", dir); got.code == 0 || got.stdout != "" {
		t.Errorf("fold = %d %q, want a failure", got.code, got.stdout)
	}
}
