package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"
)

// pushed is a git repository with agents, in which a test is.
type pushed struct{ t *testing.T }

func newPushed(t *testing.T) pushed {
	t.Helper()
	t.Chdir(t.TempDir())
	p := pushed{t}
	p.git("init", "-q", "-b", "main")
	p.write("README.md", "Agents.\n")
	for _, name := range []string{"close", "send"} {
		p.write("agents/"+name+"/.figs/agent.json", `{"name":"`+name+`"}`)
		p.write("agents/"+name+"/.figs/config.json", `{"agentId":"0f6f2a52-5d0c-4d2e-9a39-0c1b7e6d1a1`+map[string]string{"close": "1", "send": "2"}[name]+`"}`)
		p.write("agents/"+name+"/.figs/asks.jsonl", question("a-1")+question("a-2"))
		p.write("agents/"+name+"/.figs/artifacts/page.html", "<p>One</p>")
	}
	p.commit()
	return p
}

// question is a line that breaks no rule and attaches a file.
func question(id string) string {
	return `{"id":"` + id + `","ts":"2026-11-20T10:00:00Z","type":"question","title":"Which?","attachments":["page.html"]}` + "\n"
}

func (p pushed) git(args ...string) string {
	p.t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "protocol.file.allow=always"}, args...)...)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := c.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (p pushed) write(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p pushed) commit() string {
	p.t.Helper()
	p.git("add", "-A")
	p.git("commit", "-qm", "A commit")
	return p.git("rev-parse", "HEAD")
}

// annotations runs doctor for GitHub and returns its lines.
func (p pushed) annotations(code int, args ...string) string {
	p.t.Helper()
	got := run(p.t, append([]string{"doctor", ".", "--format=github"}, args...)...)
	if got.code != code || got.stderr != "" {
		p.t.Errorf("doctor %q = %d, want %d:\n%s%s", args, got.code, code, got.stdout, got.stderr)
	}
	return got.stdout
}

// TestDoctorBase: what a push added, what it rewrote, and which folders it changed.
func TestDoctorBase(t *testing.T) {
	p := newPushed(t)
	const asks = "agents/close/.figs/asks.jsonl"
	if got := p.annotations(0, "--base=HEAD", "--changed"); got != "" {
		t.Errorf("nothing changed, and it says %q", got)
	}
	if got := run(t, "doctor", ".", "--base=HEAD", "--changed", "-q"); got.code != 0 || !strings.HasPrefix(got.stdout, "There is no agent folder to check.\n") {
		t.Errorf("nothing changed: %+v", got)
	}
	p.write(asks, question("a-1")+question("a-2")+question("a-3"))
	if got := p.annotations(0, "--base=HEAD", "--changed"); got != "" {
		t.Errorf("a ledger grew, and it says %q", got)
	}
	summary := run(t, "doctor", ".", "--base=HEAD", "--changed", "--format=markdown").stdout
	for _, part := range []string{"## figs-web: no findings", "| <code>close</code> | <code>agents/close/.figs</code> | 0 runs, 3 asks, 0 messages |", "| new | ask | <code>a-3</code> | needs you |", "### Needs you"} {
		if !strings.Contains(summary, part) {
			t.Errorf("the summary lacks %q:\n%s", part, summary)
		}
	}
	if strings.Contains(summary, "send") {
		t.Errorf("the summary names a folder that didn't change:\n%s", summary)
	}

	p.write(asks, strings.Replace(question("a-1"), "Which?", "What?", 1)+question("a-3"))
	p.write("agents/close/.figs/artifacts/page.html", "<p>Two</p>")
	got := p.annotations(1, "--base=HEAD")
	for _, part := range []string{
		"::error file=" + asks + ",line=1,title=history_rewritten::This line was edited. Restore it.",
		"::error file=agents/close/.figs/artifacts/page.html,title=history_rewritten::The bytes of this attachment were replaced.",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("it lacks %q:\n%s", part, got)
		}
	}
	p.annotations(0, "--base=HEAD", "--fail-on=never")
	if got := run(t, "--agent", "doctor", ".", "--base=HEAD", "--changed"); got.code != 102 || !strings.Contains(got.stdout, `"changes":{"rewritten":true,`) || !strings.Contains(got.stderr, "error") {
		t.Errorf("--agent: %+v", got)
	}
	var object struct {
		Valid bool
		Base  struct {
			Revision, Commit, Note string
			Changes                struct{ Rewritten bool }
		}
	}
	if err := json.Unmarshal([]byte(run(t, "doctor", ".", "--base=HEAD", "--json", "-q").stdout), &object); err != nil || object.Valid || object.Base.Revision != "HEAD" || len(object.Base.Commit) != 40 || object.Base.Note != "" || !object.Base.Changes.Rewritten {
		t.Errorf("--json: %+v, %v", object, err)
	}
	if text := run(t, "doctor", ".", "--base=HEAD", "-q"); text.code != 1 || !strings.Contains(text.stdout, "Changes since HEAD\n") || !strings.Contains(text.stdout, "edited asks.jsonl:1") ||
		!strings.Contains(text.stdout, "error  history_rewritten  artifacts/page.html\n  The bytes of this attachment were replaced.\n  hint: ") || !strings.Contains(text.stdout, "\nNot valid: 3 errors.\n") {
		t.Errorf("for people: %+v", text)
	}
	if got := run(t, "doctor", "--explain=history_rewritten"); got.code != 0 || !strings.HasPrefix(got.stdout, "error  history_rewritten\nHistory was rewritten\n") {
		t.Errorf("--explain: %+v", got)
	}
	if got := run(t, "--agent", "doctor", "--explain=history_rewritten"); got.code != 0 || !json.Valid([]byte(got.stdout)) {
		t.Errorf("--agent --explain: %+v", got)
	}
	if log := run(t, "doctor", ".", "--base=HEAD", "--sarif", "-q").stdout; strings.Count(log, `"ruleId":"history_rewritten"`) < 2 || !strings.Contains(log, `"uri":"`+asks+`"`) {
		t.Errorf("SARIF: %s", log)
	}
	if suites, err := junit.Ingest([]byte(run(t, "doctor", ".", "--base=HEAD", "--format=junit", "-q").stdout)); err != nil || len(suites) != 2 || suites[0].Totals.Failed < 2 || suites[1].Totals.Passed != 1 {
		t.Errorf("JUnit: %+v, %v", suites, err)
	}

	p.git("checkout", "-q", ".")
	p.git("rm", "-qr", "agents/send")
	if got := p.annotations(1, "--base=HEAD", "--changed"); got != "::error file=agents/send/.figs,title=history_rewritten::The folder was deleted, with its history. Restore it. If the agent is retired, say so in agent.json.\n" {
		t.Errorf("a folder is gone, and it says %q", got)
	}
	p.git("reset", "-q", "--hard")
	p.git("mv", "agents/send", "agents/post")
	if got := p.annotations(0, "--base=HEAD", "--changed"); got != "" {
		t.Errorf("a folder was renamed, and it says %q", got)
	}
	t.Chdir("agents/post/.figs")
	if got := run(t, "doctor", "--base=HEAD", "--format=github"); got.code != 0 || got.stdout != "" {
		t.Errorf("in a new .figs folder: %+v", got)
	}
}

// TestDoctorBaseMerge: two branches that both append make one ledger of all lines, which rewrites nothing.
func TestDoctorBaseMerge(t *testing.T) {
	p := newPushed(t)
	const asks = "agents/close/.figs/asks.jsonl"
	p.write(asks, question("a-1")+question("a-2")+question("ours"))
	p.commit()
	p.write(asks, question("a-1")+question("a-2")+question("theirs")+question("ours"))
	if got := p.annotations(0, "--base=HEAD"); !strings.HasPrefix(got, "::warning file="+asks+",line=3,title=history_rewritten::This line was inserted before older lines.") || strings.Count(got, "\n") != 1 {
		t.Errorf("after a merge it says %q", got)
	}
	p.annotations(1, "--base=HEAD", "--fail-on=warning")
}

// TestDoctorBaseUnreadable: whatever keeps a revision from being read is one sentence, and everything else is checked.
func TestDoctorBaseUnreadable(t *testing.T) {
	p := newPushed(t)
	old := p.git("rev-parse", "HEAD")
	p.write("agents/close/.figs/asks.jsonl", question("a-1")+question("a-2")+`{"id":"a-3","ts":"2026-11-20T10:00:00Z","type":"signoff","title":"T"}`+"\n")
	p.commit()
	origin, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	const finding = "::error file=agents/close/.figs/asks.jsonl,line=3,title=ask_type_unknown::"
	says := func(base, sentence string) {
		t.Helper()
		got := p.annotations(1, "--base="+base, "--changed")
		if note := "::notice title=figs-web doctor::" + sentence + "\n"; !strings.Contains(got, note) || !strings.Contains(got, finding) || strings.Count(got, "\n") != 2 {
			t.Errorf("with base %q it says\n%swant\n%s", base, got, note)
		}
	}
	const unseen = "1234567890123456789012345678901234567890"
	says("", "There is no base commit, as for a new branch, so nothing was compared. All folders were checked.")
	says(strings.Repeat("0", 40), "There is no base commit, as for a new branch, so nothing was compared. All folders were checked.")
	says(unseen, "This clone doesn't have 123456789012, as after a force push, so nothing was compared. All folders were checked.")
	says("no such::error::branch\x1b", `This clone doesn't have no such::error::branch\u001b, as after a force push, so nothing was compared. All folders were checked.`)

	t.Chdir(t.TempDir())
	p.git("clone", "-q", "--depth=1", "file://"+filepath.ToSlash(origin), ".")
	says(old, "This clone is shallow and doesn't have "+old[:12]+", so nothing was compared. Fetch more history: fetch-depth: 0 on GitHub, GIT_DEPTH: 0 on GitLab.")
	if err := os.RemoveAll(".git"); err != nil {
		t.Fatal(err)
	}
	says("HEAD", `"." is not in a git repository, so nothing was compared with HEAD.`)
	t.Setenv("PATH", t.TempDir())
	says("HEAD", "git is not installed, so nothing was compared with HEAD.")
}

// TestDoctorBaseForcePush: the old commit is still here, and is no ancestor any more.
func TestDoctorBaseForcePush(t *testing.T) {
	p := newPushed(t)
	p.write("agents/close/.figs/asks.jsonl", question("a-1")+question("a-2")+question("a-3"))
	old := p.commit()
	p.git("reset", "-q", "--hard", "HEAD~1")
	p.write("README.md", "Other.\n")
	p.commit()
	got := p.annotations(1, "--base="+old)
	for _, part := range []string{
		"::notice title=figs-web doctor::" + old[:12] + " is not an ancestor of the current commit, as after a force push. Lines that only " + old[:12] + " has are reported as removed.\n",
		"::error file=agents/close/.figs/asks.jsonl,title=history_rewritten::Line 3 was removed.",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("it lacks %q:\n%s", part, got)
		}
	}
}

// TestDoctorBaseStoredBytes: neither attributes nor Git LFS make two equal copies differ, and no link is followed.
func TestDoctorBaseStoredBytes(t *testing.T) {
	p := newPushed(t)
	const page = "agents/close/.figs/artifacts/page.html"
	p.write(".gitattributes", "agents/close/.figs/** export-ignore\nagents/send/.figs/*.jsonl export-subst\n")
	p.write(page, "version https://git-lfs.github.com/spec/v1\noid sha256:"+sumText("<p>Large</p>")+"\nsize 12\n")
	p.write("agents/send/.figs/asks.jsonl", question("a-1")+strings.Replace(question("a-2"), "Which?", "$Format:%H$", 1))
	if err := os.Symlink(filepath.Join("..", "..", "send", ".figs", "asks.jsonl"), "agents/close/.figs/runs.jsonl"); err != nil {
		t.Skip("no symbolic links here")
	}
	p.commit()
	p.write(page, "<p>Large</p>") // as a checkout with Git LFS has it
	if got := run(t, "doctor", ".", "--base=HEAD", "--format=github", "-q").stdout; strings.Contains(got, "history_rewritten") {
		t.Errorf("it says %q", got)
	}
	p.write(page, "<p>Other</p>")
	if got := run(t, "doctor", ".", "--base=HEAD", "--format=github", "-q").stdout; !strings.Contains(got, "history_rewritten::The bytes of this attachment were replaced.") {
		t.Errorf("it says %q", got)
	}
}

// TestDoctorFormats: flags that contradict each other are refused, and formats other than JSON in machine mode.
func TestDoctorFormats(t *testing.T) {
	for _, args := range [][]string{
		{"--format=json", "--sarif"}, {"--json", "--format=junit"}, {"--agent", "--format=github"}, {"--agent", "--format=markdown"}, {"--agent", "--format=junit"}, {"--strict", "--fail-on=never"},
		{"--changed"}, {"--base=HEAD", "--at=1"}, {"--base=-x"}, {"--format=xml"}, {"--fail-on=info"},
	} {
		if got := run(t, append([]string{"doctor", faulty}, args...)...); got.code != 2 || got.stdout != "" {
			t.Errorf("%q = %+v, want a refusal", args, got)
		}
	}
	if got := run(t, "doctor", sample+"/.figs/asks.jsonl", "--base=HEAD"); got.code != 2 {
		t.Errorf("--base of a file = %+v", got)
	}
	for _, same := range [][2][]string{{{"--json"}, {"--format=json"}}, {{"--sarif"}, {"--format=sarif"}}, {{"--strict"}, {"--fail-on=warning"}}, {nil, {"--format=text"}}} {
		a, b := run(t, append([]string{"doctor", faulty}, same[0]...)...), run(t, append([]string{"doctor", faulty}, same[1]...)...)
		if a != b {
			t.Errorf("%q and %q differ", same[0], same[1])
		}
	}
	if got := run(t, "--agent", "doctor", faulty, "--format=gitlab"); got.code != 102 || !json.Valid([]byte(got.stdout)) || !bytes.HasPrefix([]byte(got.stdout), []byte("[{")) {
		t.Errorf("--agent --format=gitlab = %+v", got)
	}
}

// TestSchema: one line for programs, and a suggestion for a name that is misspelled.
func TestSchema(t *testing.T) {
	if got := run(t, "schema"); got.code != 0 || strings.Count(got.stdout, "\n") != 6 {
		t.Errorf("schema = %+v", got)
	}
	if got := run(t, "schema", "asks", "--json"); got.code != 0 || strings.Count(got.stdout, "\n") != 1 || !strings.HasPrefix(got.stdout, `{"$id":"urn:figs-spec:2:asks"`) {
		t.Errorf("schema asks --json = %+v", got)
	}
	lax, strict := run(t, "schema", "agent"), run(t, "schema", "agent", "--strict")
	if lax.code != 0 || strict.code != 0 || lax == strict || !strings.HasPrefix(strict.stdout, "{\n") {
		t.Errorf("schema agent = %+v, and strict %+v", lax, strict)
	}
	if got := run(t, "schema", "agnet"); got.code != 2 || got.stderr != "There is no schema of \"agnet\".\nhint: Did you mean agent?\n" {
		t.Errorf("schema agnet = %+v", got)
	}
}
