package cli

import (
	"archive/zip"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/testenv"
)

var updateDocs = flag.Bool("update-docs", false, "write testdata/docs again")

// notRun are the examples that need what a test has not, with what that is. What they say to figs-web is parsed all the same.
var notRun = []struct {
	example *regexp.Regexp
	needs   string
}{
	{regexp.MustCompile(`^(export |sudo (apt|install|systemctl|journalctl)|tar |docker |npm |sha256sum |make |git |cd |curl |goreleaser |kubectl |ssh-keygen |echo "release)`), "another program, or its settings"},
	{regexp.MustCompile(`^(FIGS_ENDPOINT=\S+ )?figs `), "the client figs"},
	{regexp.MustCompile(`figs-web (serve|open|mcp|probe|wait|watch|tail -f)`), "a server, or someone who answers"},
	{regexp.MustCompile(`figs-web (ls|cat) (https://|acme:)`), "a hosted reader"},
	{regexp.MustCompile(`postgres://|s3://`), "a database or a bucket"},
	{regexp.MustCompile(`admin mail test`), "a server of mail"},
	{regexp.MustCompile(`admin .*oidc test`), "a provider"},
	{regexp.MustCompile(`upgrade --check --feed`), "a release"},
}

// docSettings are what the examples of a page find: preparations, as lines of a shell, and what stands for words that
// the page leaves to its readers.
var docSettings = map[string]struct {
	before, words []string
	first         map[string]string // what runs before an example that begins so
}{
	"artifacts.md": {before: []string{"mkdir out", "echo design > out/design.md"}},
	"findings.md":  {words: []string{" ID", " f-1", " OTHER", " f-2"}},
	"backup.md": {before: []string{"figs-web admin --data /var/lib/figs-web workspace create --name Acme --slug acme"}, first: map[string]string{
		"figs-web restore /mnt/backup/figs --data": "rm -r /var/lib/figs-web",
	}},
	"sign-in.md": {before: []string{"echo correct horse battery staple | figs-web admin --data /var/lib/figs-web user create --email ada@example.com --name Ada --password-stdin"}},
	"migrate.md": {before: []string{"figs-web admin --data /var/lib/figs-web workspace create --name Acme --slug acme"}},
	"operations.md": {before: []string{"figs-web admin --data /var/lib/figs-web workspace create --name Other --slug other", "cp ../packaging.conf /etc/figs-web/figs-web.conf"}, first: map[string]string{
		"sudo -u figs-web figs-web restore --verify": "figs-web backup --data /var/lib/figs-web /var/lib/figs-web-backup",
		"sudo -u figs-web figs-web backup":           "rm -r /var/lib/figs-web-backup", // the clock stands still: the next one would have the same name
	}},
}

// docExamples are the commands in a page's blocks of shell, each on one line.
func docExamples(page string) (all []string) {
	inside := false
	page = strings.ReplaceAll(page, "\\\n", "")
	for line := range strings.SplitSeq(page, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = !inside && line == "```sh"
		case inside && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			line, _, _ = strings.Cut(line, "  # ")
			all = append(all, strings.TrimSpace(line))
		}
	}
	return all
}

// TestDocExamples runs the examples of every page in docs, and of the README, as they can be pasted, and holds what they
// print. To accept what they print now: go test ./internal/cli -run TestDocExamples -update-docs
func TestDocExamples(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("they are examples for a shell")
	}
	t.Parallel()
	root := testenv.Root(t)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	guides, wrong := filepath.Glob(filepath.Join(root, "docs", "sign-in", "*.md"))
	if err = errors.Join(err, wrong); err != nil || len(pages) < 20 || len(guides) < 6 {
		t.Fatal(len(pages), len(guides), err)
	}
	pages = append(pages, guides...)
	run, parsed := 0, 0
	for _, file := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		examples := docExamples(string(text))
		if len(examples) == 0 {
			continue
		}
		page := filepath.Base(file)
		if filepath.Base(filepath.Dir(file)) == "sign-in" {
			page = "sign-in/" + page
		}
		box := newDocBox(t, page)
		var told bytes.Buffer
		for _, example := range examples {
			if needs := needsOf(example); needs != "" {
				fmt.Fprintf(&told, "$ %s\n(not run: it needs %s)\n\n", example, needs)
				parsed += parseExample(t, page, example)
				continue
			}
			run++
			for begin, line := range docSettings[page].first {
				if strings.HasPrefix(example, begin) {
					box.prepare(line)
				}
			}
			out, code := box.paste(example)
			if code == 2 {
				t.Errorf("%s: %s\n%s", page, example, out)
			}
			fmt.Fprintf(&told, "$ %s\n%s", example, out)
			if code != 0 {
				fmt.Fprintf(&told, "(exit %d)\n", code)
			}
			told.WriteByte('\n')
		}
		held(t, filepath.Join("testdata", "docs", strings.TrimSuffix(page, ".md")+".txt"), told.Bytes())
	}
	t.Logf("%d examples were run, %d commands of others parsed", run, parsed)
}

func needsOf(example string) string {
	example = strings.TrimPrefix(example, "sudo -u figs-web ")
	for _, n := range notRun {
		if n.example.MatchString(example) {
			return n.needs
		}
	}
	return ""
}

// toFigsWeb is what stands before the arguments of figs-web.
var toFigsWeb = regexp.MustCompile(`^\s*(sudo -u figs-web |[A-Z_]+=\S+ )*figs-web `)

// parseExample checks what an example that is not run says to figs-web.
func parseExample(t *testing.T, page, example string) (commands int) {
	const script = `figs_web() { printf '%s\0' "$@"; printf '\n'; }` + "\nfigs_web "
	for part := range strings.SplitSeq(example, "&&") {
		found := toFigsWeb.FindStringIndex(part)
		if found == nil {
			continue
		}
		part = part[found[1]:]
		part, _, _ = strings.Cut(part, " < ")
		out, err := exec.Command("sh", "-c", script+part).Output()
		if err != nil {
			t.Errorf("%s: %s: %v", page, part, err)
			continue
		}
		commands++
		words := strings.Split(strings.TrimSuffix(string(out), "\x00\n"), "\x00")
		words = slices.DeleteFunc(words, func(w string) bool { return w == "--config" || strings.HasSuffix(w, "figs-web.conf") })
		if err := Understands(words); err != nil {
			t.Errorf("%s: figs-web %q: %v", page, words, err)
		}
	}
	return commands
}

// held compares a text with a file.
func held(t *testing.T, name string, got []byte) {
	t.Helper()
	if *updateDocs {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, got, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the examples print now (-update-docs writes it again):\n%s", name, got)
	}
}

// docBox is a folder in which a page's examples run.
type docBox struct {
	t          *testing.T
	dir, words string
	replace    []string
}

func newDocBox(t *testing.T, page string) *docBox {
	b := &docBox{t: t, dir: t.TempDir()}
	b.replace = append([]string{"/var/lib", filepath.Join(b.dir, "var"), "/mnt/backup", filepath.Join(b.dir, "mnt"), "/etc/figs-web/", filepath.Join(b.dir, "etc") + "/", "sudo -u figs-web ", "", `systemd-ask-password "Password of Ada:"`, "echo correct horse battery staple"}, docSettings[page].words...)
	here := filepath.Join(b.dir, "here")
	write := func(name, text string) {
		name = filepath.Join(here, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	agent := `{"name":"Closer","mandate":"Closes the month."}`
	run := `{"id":"job-1","title":"Close April","ts":"2026-05-03T10:00:00Z","status":"done","result":"Closed."}` + "\n"
	ask := `{"id":"send-statement","type":"sign-off","title":"Send the statement?","ts":"2026-05-04T10:00:00Z","status":"open","by":"closer","run":"job-1","attachments":[{"name":"statement.md"}]}` + "\n"
	for _, folder := range []string{"repo", "../monday"} {
		write(folder+"/.figs/agent.json", agent)
		write(folder+"/.figs/runs.jsonl", run)
	}
	write("repo/.figs/asks.jsonl", ask)
	write("repo/.figs/artifacts/statement.md", "# Statement\n\nWrite to ana@example.org.\n")
	write("token", "figs_0123456789abcdef\n")
	write(findings.File, docFinding("f-1", "One")+docFinding("f-2", "Two"))
	write("../other/"+findings.File, docFinding("x-1", "Three"))
	for _, dir := range []string{"var", "mnt", "etc"} {
		if err := os.Mkdir(filepath.Join(b.dir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	packaged, err := os.ReadFile(filepath.Join(testenv.Root(t), "packaging", "figs-web.conf"))
	if err != nil {
		t.Fatal(err)
	}
	write("../packaging.conf", string(packaged))
	b.zip()
	for _, line := range docSettings[page].before {
		b.prepare(line)
	}
	return b
}

func (b *docBox) prepare(line string) {
	b.t.Helper()
	if out, code := b.paste(line); code != 0 {
		b.t.Fatalf("%s = %d %s", line, code, out)
	}
}

func docFinding(id, pattern string) string {
	return fmt.Sprintf(`{"id": %q, "version": 1, "tier": "local", "source": {"repo": "r", "session": "s", "file": "a.md", "skill": "k"}, "date": "2026-11-01", "severity": "high", "category": "c", "pattern": %q, "detection_question": "Q?", "checklist_item": "C.", "applicable_languages": [], "applicable_when": ["plan-shape"], "status": "active", "superseded_by": null, "dedup_key": "c|%s|plan-shape", "hit_count": 0, "last_cited": null, "ttl_days": 10, "confidence": "high"}`, id, pattern, strings.ToLower(pattern)) + "\n"
}

// zip makes monday.zip of the folder as it was before.
func (b *docBox) zip() {
	name := filepath.Join(b.dir, "here", "monday.zip")
	f, err := os.Create(name)
	if err != nil {
		b.t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	if err := errors.Join(z.AddFS(os.DirFS(filepath.Join(b.dir, "monday"))), z.Close()); err != nil {
		b.t.Fatal(err)
	}
}

var (
	artifactID = regexp.MustCompile(`art_[0-9a-z]{26}`)
	changing   = []struct {
		what *regexp.Regexp
		word string
	}{
		{artifactID, "art_01k…"},
		{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "UUID"},
		{regexp.MustCompile(`\b[0-9a-f]{40,64}\b`), "HEX"},
		{regexp.MustCompile(`key=\w+`), "key=SECRET"},
		{regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:?\d\d:?\d\d(\.\d+)?Z`), "TIME"},
		{regexp.MustCompile(`20\d\d-\d\d-\d\d \d\d:\d\d(:\d\d)?`), "TIME"},
		{regexp.MustCompile(`\b[0-9.]+ (KiB|MiB|bytes|byte)\b`), "N $1"},
		{regexp.MustCompile(`([^\n ])  +`), "$1  "}, // the width of columns
		{regexp.MustCompile(` +\n`), "\n"},
	}
)

// paste runs a line in a shell. Its output is without what changes from run to run.
func (b *docBox) paste(line string) (out string, code int) {
	line = strings.NewReplacer(append(b.replace, "art_01k…", b.words)...).Replace(line)
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = filepath.Join(b.dir, "here")
	cmd.Env = append(os.Environ(), "HOME="+b.dir, "XDG_CONFIG_HOME="+filepath.Join(b.dir, "config"), "NOW=2026-11-20T18:00:00Z", "NO_COLOR=1")
	text, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		b.t.Fatal(err)
	}
	if id := artifactID.Find(text); id != nil && b.words == "" {
		b.words = string(id)
	}
	out = strings.ReplaceAll(string(text), b.dir, "DIR")
	for _, c := range changing {
		out = c.what.ReplaceAllString(out, c.word)
	}
	return out, cmd.ProcessState.ExitCode()
}
