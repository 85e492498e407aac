package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

func TestMain(m *testing.M) {
	if set := flag.Lookup("test.parallel"); set != nil {
		set.Value.Set("4") // some wait for what does not answer; a flag of the command line comes later and counts
	}
	testscript.Main(withMessages{m}, map[string]func(){"figs-web": scriptMain})
}

// messages are what pages tell people, by case.
var messages = pagetest.OpenMessages("testdata/messages.golden", update)

// withMessages are the tests, and the file of messages once they have run.
type withMessages struct{ *testing.M }

func (m withMessages) Run() int {
	code := m.M.Run()
	if err := messages.Close(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// scriptMain is the program as scripts run it. NOW stops its clock, STOP=1 ends a server as soon as it
// has said something, TERMINAL=1 gives it a terminal; in machine mode nobody may look at one.
func scriptMain() {
	limitFiles()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	out := io.Writer(os.Stdout)
	if os.Getenv("STOP") == "1" {
		out = heard{os.Stdout, stop}
	}
	now := time.Now
	if at, err := time.Parse(time.RFC3339, os.Getenv("NOW")); err == nil {
		now = func() time.Time { return at }
	}
	terminals := func() (bool, bool) {
		if slices.Contains(os.Args, "--agent") {
			fmt.Fprintln(os.Stderr, "machine mode looks at the terminal")
			os.Exit(99)
		}
		terminal := os.Getenv("TERMINAL") == "1"
		return terminal, terminal
	}
	os.Exit(Main(ctx, cmd.Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: out, Stderr: os.Stderr, Terminals: terminals,
		Now: now, Version: "v1.2.3", OpenData: openAnywhere, Getenv: os.Getenv, ConfigDir: os.UserConfigDir,
	}))
}

// TestScripts runs the program as people and agents do. To accept what it prints now:
// UPDATE_SCRIPTS=1 go test -run TestScripts ./internal/cli
func TestScripts(t *testing.T) {
	t.Parallel()
	directory, err := filepath.Abs(samples)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SAMPLES", directory)
			env.Setenv("NOW", "2026-11-20T18:00:00Z")
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, ".config"))
			env.Values[hostedKey{}] = &hosted{}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"jsonl": scriptJSONL, "json": scriptJSON, "exitcode": scriptExit, "server": scriptServer, "decide": scriptDecide, "admit": scriptAdmit,
			"append": scriptAppend, "undo": scriptUndo, "keep": scriptKeep,
		},
	})
}

// scriptJSON is "json FILE [PATH VALUE]...": FILE (also stdout, stderr) is exactly one JSON object
// on one line. A PATH as in a.b names a member, VALUE is its text, or its JSON where it is none;
// VALUE - means that there is no such member.
func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args)%2 != 1 {
		ts.Fatalf("usage: json FILE [PATH VALUE]...")
	}
	objects := objectsOf(ts, args[0])
	if len(objects) != 1 {
		ts.Fatalf("%s has %d objects, want one", args[0], len(objects))
	}
	for i := 1; i < len(args); i += 2 {
		if got := memberOf(objects[0], args[i]); got != args[i+1] {
			ts.Fatalf("%s of %s is %s, want %s", args[i], args[0], got, args[i+1])
		}
	}
}

// scriptJSONL is "jsonl FILE [N [KEY...]]": every line of FILE is one JSON object, at least one or
// just N of them, and each has the keys.
func scriptJSONL(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: jsonl FILE [N [KEY...]]")
	}
	objects := objectsOf(ts, args[0])
	if len(args) == 1 && len(objects) == 0 {
		ts.Fatalf("%s is empty, want JSON Lines", args[0])
	}
	if len(args) > 1 && args[1] != strconv.Itoa(len(objects)) {
		ts.Fatalf("%s has %d objects, want %s", args[0], len(objects), args[1])
	}
	for i, object := range objects {
		for _, key := range args[min(2, len(args)):] {
			if _, ok := object[key]; !ok {
				ts.Fatalf("line %d of %s has no %s", i+1, args[0], key)
			}
		}
	}
}

// objectsOf reads a file as JSON Lines, and fails where a line is anything but one object.
func objectsOf(ts *testscript.TestScript, file string) (objects []map[string]any) {
	text := ts.ReadFile(file)
	if text != "" && !strings.HasSuffix(text, "\n") {
		ts.Fatalf("%s does not end with a line feed", file)
	}
	for line := range strings.Lines(text) {
		if strings.ContainsAny(line, "\x1b\r") {
			ts.Fatalf("%s has decorations: %q", file, line)
		}
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil || object == nil {
			ts.Fatalf("%s has the line %q, want one JSON object: %v", file, line, err)
		}
		objects = append(objects, object)
	}
	return objects
}

// memberOf is the member of an object that a path leads to, as text.
func memberOf(object any, path string) string {
	for key := range strings.SplitSeq(path, ".") {
		switch in := object.(type) {
		case map[string]any:
			member, ok := in[key]
			if !ok {
				return "-"
			}
			object = member
		case []any:
			n, err := strconv.Atoi(key)
			if err != nil || n >= len(in) {
				return "-"
			}
			object = in[n]
		default:
			return "-"
		}
	}
	if text, ok := object.(string); ok {
		return text
	}
	b, _ := json.Marshal(object)
	return string(b)
}

// scriptExit is "exitcode N COMMAND [ARG...]": the command ends with N.
func scriptExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended):
		got = ended.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("%s ends with %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}
