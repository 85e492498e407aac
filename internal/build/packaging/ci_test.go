package packaging

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/joshdk/go-junit"
	"github.com/rhysd/actionlint"
	"go.yaml.in/yaml/v3"

	"github.com/figs-web/figs-web/internal/cli"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/testenv"
)

// asProgram is a variable with which the test binary is figs-web.
const asProgram = "FIGS_WEB_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	os.Exit(cli.Main(context.Background(), cmd.Env{
		Args: os.Args[1:], Stdout: os.Stdout, Stderr: os.Stderr, Terminals: func() (bool, bool) { return false, false }, Version: "v1.2.3", Getenv: os.Getenv,
		Now: func() time.Time { return time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC) },
	}))
}

// strictly decodes YAML in which every name is known.
func strictly(t *testing.T, text string, into any) {
	t.Helper()
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		t.Fatal(err)
	}
}

// action is packaging/action/action.yml.
type action struct {
	Name, Description, Author string
	Branding                  struct{ Icon, Color string }
	Inputs                    map[string]struct{ Description, Default string }
	Outputs                   map[string]struct{ Description, Value string }
	Runs                      struct {
		Using string
		Steps []struct {
			ID, Shell, Run string
			Env            map[string]string
		}
	}
}

// job is a checkout in which the scripts of CI run.
type job struct {
	t       *testing.T
	dir     string
	program string // a folder for PATH
}

// newJob makes a repository with one agent, and a program figs-web.
func newJob(t *testing.T) *job {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripts are for a POSIX shell")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	j := &job{t: t, dir: t.TempDir(), program: t.TempDir()}
	write(t, filepath.Join(j.program, "figs-web"), "#!/bin/sh\n"+asProgram+"=1 exec '"+self+"' \"$@\"\n", 0o755)
	j.git("init", "-q", "-b", "main")
	for _, name := range []string{"close", "send"} {
		j.write("agents/"+name+"/.figs/agent.json", `{"name":"`+name+`"}`)
		j.write("agents/"+name+"/.figs/config.json", `{"agentId":"0f6f2a52-5d0c-4d2e-9a39-0c1b7e6d1a1`+map[string]string{"close": "1", "send": "2"}[name]+`"}`)
		j.write("agents/"+name+"/.figs/asks.jsonl", line("a-1", "question"))
	}
	j.commit()
	return j
}

func line(id, kind string) string {
	return `{"id":"` + id + `","ts":"2026-11-20T10:00:00Z","type":"` + kind + `","title":"Which?"}` + "\n"
}

func write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), mode)); err != nil {
		t.Fatal(err)
	}
}

func (j *job) write(name, text string) { write(j.t, filepath.Join(j.dir, name), text, 0o644) }

func (j *job) read(name string) string {
	j.t.Helper()
	b, err := os.ReadFile(filepath.Join(j.dir, name))
	if err != nil {
		j.t.Fatal(err)
	}
	return string(b)
}

func (j *job) git(args ...string) string {
	j.t.Helper()
	c := exec.Command("git", append([]string{"-C", j.dir, "-c", "user.name=n", "-c", "user.email=n@example.com"}, args...)...)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := c.CombinedOutput()
	if err != nil {
		j.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (j *job) commit() string {
	j.t.Helper()
	j.git("add", "-A")
	j.git("commit", "-qm", "A commit")
	return j.git("rev-parse", "HEAD")
}

// run runs a program in the checkout.
func (j *job) run(env []string, words ...string) (out string, code int) {
	j.t.Helper()
	c := exec.Command(words[0], words[1:]...)
	c.Dir, c.Env = j.dir, append([]string{"PATH=" + j.program + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + j.program}, env...)
	b, err := c.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		j.t.Fatal(err)
	}
	return string(b), c.ProcessState.ExitCode()
}

var expression = regexp.MustCompile(`\$\{\{ ([a-z_.-]+) \}\}`)

// evaluate puts values for the expressions of a text; a value that isn't there is empty, as on GitHub.
func evaluate(text string, context map[string]any) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		var value any = context
		for key := range strings.SplitSeq(expression.FindStringSubmatch(e)[1], ".") {
			object, _ := value.(map[string]any)
			value = object[key]
		}
		s, _ := value.(string)
		return s
	})
}

// result is what a step of the action did.
type result struct {
	code         int
	log, summary string
	outputs      map[string]string
}

// act runs the steps of the action for an event, as GitHub does.
func (j *job) act(name, event string, with map[string]string) (r result) {
	j.t.Helper()
	var a action
	strictly(j.t, read(j.t, "packaging/action/action.yml"), &a)
	var payload map[string]any
	if err := json.Unmarshal([]byte(event), &payload); err != nil {
		j.t.Fatal(err)
	}
	inputs := map[string]any{}
	for key, input := range a.Inputs {
		inputs[key] = input.Default
	}
	for key, value := range with {
		if _, is := inputs[key]; !is {
			j.t.Fatalf("the action has no input %q", key)
		}
		inputs[key] = value
	}
	context := map[string]any{"inputs": inputs, "github": map[string]any{"event_name": name, "repository": "acme/agents", "event": payload}, "steps": map[string]any{}}
	temporary := j.t.TempDir()
	outputs, summary := filepath.Join(temporary, "output"), filepath.Join(temporary, "summary")
	r.outputs = map[string]string{}
	for _, step := range a.Runs.Steps {
		env := []string{"GITHUB_ACTION_PATH=" + filepath.Join(testenv.Root(j.t), "packaging", "action"), "GITHUB_OUTPUT=" + outputs, "GITHUB_STEP_SUMMARY=" + summary, "RUNNER_TEMP=" + temporary}
		for key, value := range step.Env {
			env = append(env, key+"="+evaluate(value, context))
		}
		if strings.Contains(step.Run, "${{") {
			j.t.Fatalf("%q puts a value into a command", step.Run)
		}
		r.log, r.code = j.run(env, step.Shell, "-e", "-c", step.Run)
		said := map[string]any{}
		text, _ := os.ReadFile(outputs)
		for _, set := range strings.Fields(string(text)) {
			key, value, _ := strings.Cut(set, "=")
			said[key] = value
		}
		context["steps"].(map[string]any)[step.ID] = map[string]any{"outputs": said}
	}
	for key, output := range a.Outputs {
		r.outputs[key] = evaluate(output.Value, context)
	}
	text, _ := os.ReadFile(summary)
	r.summary = string(text)
	return r
}

// event is a payload with commits.
func event(text string, commits ...string) string {
	for i, commit := range commits {
		text = strings.ReplaceAll(text, "$"+string(rune('1'+i)), commit)
	}
	return text
}

const (
	push = `{"before":"$1","after":"$2"}`
	pull = `{"pull_request":{"base":{"sha":"$1"},"head":{"sha":"$2","repo":{"full_name":"acme/agents"}}}}`
	fork = `{"pull_request":{"base":{"sha":"$1"},"head":{"sha":"$2","repo":{"full_name":"mallory/agents"}}}}`
	none = "0000000000000000000000000000000000000000"
)

// TestAction runs the steps of the action against events.
func TestAction(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	first := j.git("rev-parse", "HEAD")
	j.write("agents/close/.figs/asks.jsonl", line("a-1", "question")+line("a-2", "signoff"))
	second := j.commit()
	const annotation = "::error file=agents/close/.figs/asks.jsonl,line=2,title=ask_type_unknown::"

	r := j.act("push", event(push, first, second), nil)
	if r.code != 1 || !strings.HasPrefix(r.log, annotation) || strings.Count(r.log, "\n") != 1 || r.outputs["base"] != first || r.outputs["can-upload"] != "true" {
		t.Errorf("a push: %+v", r)
	}
	for _, part := range []string{"## figs-web: not valid, 1 error", "<code>agents/close/.figs</code>", "### Needs you", "### Changes since <code>" + first[:11] + "…</code>", "| new | ask | <code>a-2</code>"} {
		if !strings.Contains(r.summary, part) || strings.Contains(r.summary, "agents/send") {
			t.Errorf("the summary lacks %q, or names what didn't change:\n%s", part, r.summary)
		}
	}
	if log, err := os.ReadFile(r.outputs["sarif"]); err != nil || !json.Valid(log) || !strings.Contains(string(log), `"uri":"agents/close/.figs/asks.jsonl"`) {
		t.Errorf("SARIF: %v %s", err, log)
	}
	for failOn, code := range map[string]int{"never": 0, "warning": 1} {
		if r := j.act("push", event(push, first, second), map[string]string{"fail-on": failOn}); r.code != code || !strings.HasPrefix(r.log, annotation) {
			t.Errorf("fail on %s: %+v", failOn, r)
		}
	}
	if r := j.act("push", event(push, second, second), nil); r.code != 0 || r.log != "" || !strings.HasPrefix(r.summary, "## figs-web: no agent folder changed\n") {
		t.Errorf("a push that changes nothing: %+v", r)
	}
	if r := j.act("push", event(push, second, second), map[string]string{"changed-only": "false", "path": "agents/send"}); r.code != 0 || !strings.HasPrefix(r.summary, "## figs-web: no findings\n") {
		t.Errorf("one folder: %+v", r)
	}
	if r := j.act("push", event(push, second, second), map[string]string{"base": first}); r.code != 1 || r.outputs["base"] != first {
		t.Errorf("a base of one's own: %+v", r)
	}
	if r := j.act("merge_group", event(`{"merge_group":{"base_sha":"$1"}}`, first), nil); r.code != 1 || r.outputs["base"] != first {
		t.Errorf("a merge queue: %+v", r)
	}
	if r := j.act("schedule", `{}`, nil); r.code != 1 || strings.Contains(r.log, "base") || !strings.Contains(r.summary, "agents/send") {
		t.Errorf("a schedule: %+v", r)
	}
	if r := j.act("push", event(push, none, second), nil); r.code != 1 || !strings.Contains(r.log, "\n::notice title=figs-web doctor::There is no base commit, as for a new branch,") || !strings.HasPrefix(r.log, annotation) || !strings.Contains(r.summary, "> There is no base commit") {
		t.Errorf("a new branch: %+v", r)
	}
	if r := j.act("push", event(push, strings.Repeat("1", 40), second), nil); r.code != 1 || !strings.Contains(r.log, "This clone doesn't have 111111111111, as after a force push") || !strings.HasPrefix(r.log, annotation) {
		t.Errorf("a force push: %+v", r)
	}
	if r := j.act("push", event(push, first, second), map[string]string{"program": "no-such-program"}); r.code != 1 || !strings.HasPrefix(r.log, "::error title=figs-web::figs-web is not installed.") {
		t.Errorf("without the program: %+v", r)
	}
}

// TestActionPullRequest: a branch counts from where it left, a fork can't upload, and a rewritten history fails.
func TestActionPullRequest(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	first := j.git("rev-parse", "HEAD")
	j.git("checkout", "-qb", "branch")
	j.write("agents/send/.figs/asks.jsonl", strings.Replace(line("a-1", "question"), "Which?", "What?", 1))
	j.write("$(touch owned);::error::owned `touch owned`/.figs/asks.jsonl", line("a-1", "question"))
	head := j.commit()
	j.git("checkout", "-q", "main")
	j.write("agents/close/.figs/asks.jsonl", line("a-1", "question")+line("a-2", "question"))
	base := j.commit()
	j.git("checkout", "-q", "branch")
	r := j.act("pull_request", event(fork, base, head), nil)
	if r.code != 1 || r.outputs["base"] != first || r.outputs["can-upload"] != "false" || !strings.Contains(r.log, "::notice title=figs-web::This pull request comes from a fork,") ||
		!strings.Contains(r.log, "::error file=agents/send/.figs/asks.jsonl,line=1,title=history_rewritten::") || !strings.Contains(r.summary, "### Rewritten history") || strings.Contains(r.summary, "agents/close") {
		t.Errorf("a pull request from a fork: %+v", r)
	}
	for line := range strings.Lines(r.log) {
		if !regexp.MustCompile(`^::(error|warning|notice) [^:]*::`).MatchString(line) || strings.HasPrefix(line, "::error::") {
			t.Errorf("the log has the line %q", line)
		}
	}
	if _, err := os.Stat(filepath.Join(j.dir, "owned")); err == nil {
		t.Error("a name of a folder was run")
	}
	if r := j.act("pull_request", event(pull, base, head), nil); r.outputs["can-upload"] != "true" {
		t.Errorf("a pull request: %+v", r)
	}
}

// TestActionIsLinted: actionlint knows every field of the action, and every input and output that the workflow in the docs
// uses.
func TestActionIsLinted(t *testing.T) {
	t.Parallel()
	root := testenv.Root(t)
	lint := func(workflow string) (said []string) {
		linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		project, err := actionlint.NewProject(root)
		if err != nil {
			t.Fatal(err)
		}
		wrong, err := linter.Lint("workflow.yml", []byte(workflow), project)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range wrong {
			said = append(said, e.Error())
		}
		return said
	}
	workflow := block(t, "yaml", "runs-on:")
	local := strings.ReplaceAll(workflow, "figs-web/figs-web/packaging/action@v0.1.0", "./packaging/action")
	if local == workflow {
		t.Fatal("the workflow of the docs doesn't use the action")
	}
	if said := lint(local); len(said) > 0 {
		t.Errorf("%q", said)
	}
	for old, new := range map[string]string{"fail-on:": "fail-under:", "outputs.sarif }}": "outputs.log }}"} {
		if len(lint(strings.Replace(local, old, new, 1))) == 0 {
			t.Errorf("%s is not noticed", new)
		}
	}
	if script := read(t, "packaging/action/check.sh"); !strings.HasPrefix(script, "#!/bin/sh\n") || strings.Contains(script, "[[") || strings.Contains(script, "eval") {
		t.Error("the script is not for a POSIX shell")
	}
}

// block is the block of docs/ci.md, in a language, that has a text.
func block(t *testing.T, language, text string) string {
	t.Helper()
	for _, part := range strings.Split(read(t, "docs/ci.md"), "```"+language+"\n")[1:] {
		if part, _, _ = strings.Cut(part, "```"); strings.Contains(part, text) {
			return part
		}
	}
	t.Fatalf("docs/ci.md has no block with %q", text)
	return ""
}

// pipeline is packaging/gitlab/figs-web.gitlab-ci.yml.
type pipeline struct {
	Job struct {
		Stage, Image string
		Variables    map[string]string
		Rules        []struct{ If, When string }
		Script       []string
		Artifacts    struct {
			When    string
			Paths   []string
			Reports struct{ CodeQuality, JUnit string }
		}
	} `yaml:"figs-web"`
	Include []struct{ Local string }
}

// TestGitLab runs the script of the template for a merge request and for a new branch.
func TestGitLab(t *testing.T) {
	t.Parallel()
	var p, docs pipeline
	strictly(t, read(t, "packaging/gitlab/figs-web.gitlab-ci.yml"), &p)
	strictly(t, block(t, "yaml", "local:"), &docs)
	for name := range docs.Job.Variables {
		if _, is := p.Job.Variables[name]; !is {
			t.Errorf("the docs set %s, which the template doesn't know", name)
		}
	}
	j := newJob(t)
	first := j.git("rev-parse", "HEAD")
	j.write("agents/close/.figs/asks.jsonl", line("a-1", "question")+line("a-2", "signoff"))
	j.commit()
	script := strings.Join(p.Job.Script, "\n")
	run := func(env ...string) (string, int) {
		for name, value := range p.Job.Variables {
			env = append([]string{name + "=" + value}, env...)
		}
		return j.run(env, "sh", "-e", "-c", script)
	}
	out, code := run("CI_MERGE_REQUEST_DIFF_BASE_SHA="+first, "CI_COMMIT_BEFORE_SHA="+none)
	if code != 1 || out != "doctor found problems. See the tests of this pipeline, or figs-web.md.\n" {
		t.Errorf("a merge request: %d %q", code, out)
	}
	var issues []struct{ Location struct{ Path string } }
	if err := json.Unmarshal([]byte(j.read(p.Job.Artifacts.Reports.CodeQuality)), &issues); err != nil || len(issues) != 1 || issues[0].Location.Path != "agents/close/.figs/asks.jsonl" {
		t.Errorf("Code Quality: %+v, %v", issues, err)
	}
	suites, err := junit.Ingest([]byte(j.read(p.Job.Artifacts.Reports.JUnit)))
	if err != nil || len(suites) != 1 || suites[0].Totals.Failed != 1 {
		t.Errorf("JUnit: %+v, %v", suites, err)
	}
	if summary := j.read(p.Job.Artifacts.Paths[0]); !strings.HasPrefix(summary, "## figs-web: not valid, 1 error\n") || strings.Contains(summary, "agents/send") {
		t.Errorf("the summary is %s", summary)
	}
	if out, code := run("CI_MERGE_REQUEST_DIFF_BASE_SHA="+first, "FIGS_FAIL_ON=never"); code != 0 || out != "" {
		t.Errorf("with never: %d %q", code, out)
	}
	if _, code := run("CI_COMMIT_BEFORE_SHA=" + none); code != 1 || !strings.Contains(j.read("figs-web.md"), "> There is no base commit") {
		t.Errorf("a new branch: %d", code)
	}
}

// TestPreCommitHook runs the hook's command in a repository.
func TestPreCommitHook(t *testing.T) {
	t.Parallel()
	var hooks []struct {
		ID, Name, Description, Entry, Language string
		AlwaysRun                              bool `yaml:"always_run"`
		PassFilenames                          bool `yaml:"pass_filenames"`
	}
	strictly(t, read(t, ".pre-commit-hooks.yaml"), &hooks)
	var docs struct {
		Repos []struct {
			Repo, Rev string
			Hooks     []struct{ ID string }
		}
	}
	strictly(t, block(t, "yaml", "repos:"), &docs)
	if len(hooks) != 1 || docs.Repos[0].Hooks[0].ID != hooks[0].ID || hooks[0].PassFilenames || !hooks[0].AlwaysRun {
		t.Fatalf("the hooks are %+v, the docs use %+v", hooks, docs)
	}
	words := strings.Fields(hooks[0].Entry)
	if err := cli.Understands(words[1:]); err != nil {
		t.Error(err)
	}
	j := newJob(t)
	commits := func(code int, part string) {
		t.Helper()
		j.git("add", "-A")
		if out, got := j.run(nil, append([]string{"env"}, words...)...); got != code || !strings.Contains(out, part) {
			t.Errorf("the hook ends with %d, want %d and %q:\n%s", got, code, part, out)
		}
	}
	commits(0, "There is no agent folder to check.")
	j.write("agents/close/.figs/asks.jsonl", line("a-1", "question")+line("a-2", "question"))
	commits(0, "new         ask a-2")
	j.write("agents/close/.figs/asks.jsonl", line("a-2", "question"))
	commits(1, "Not valid: 1 error.")
	j.git("rm", "-qrf", "agents/close")
	commits(1, "Not valid: 1 error.")
}

// TestDocsOfCI: the tables of inputs and formats in the docs are those of the action and of doctor.
func TestDocsOfCI(t *testing.T) {
	t.Parallel()
	var a action
	strictly(t, read(t, "packaging/action/action.yml"), &a)
	page := read(t, "docs/ci.md")
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| [^|]*\\| [^|]*\\|$").FindAllStringSubmatch(page, -1) {
		rows = append(rows, m[1])
	}
	var inputs []string
	for name := range a.Inputs {
		inputs = append(inputs, name)
	}
	slices.Sort(rows)
	slices.Sort(inputs)
	if !slices.Equal(rows, inputs) {
		t.Errorf("docs/ci.md has the inputs %q, the action %q", rows, inputs)
	}
}
