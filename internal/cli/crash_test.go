//go:build linux || darwin

package cli

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/inspector"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// writing is a command that writes files, as TestCrashWriters stops it.
type writing struct {
	name string
	args []string               // OUT is the folder to write to
	put  func(out string)       // what is there before; nil is nothing
	bad  func(out string) error // what is there and should not be, at any point
	done func(out string) error // whether all of it is there
	env  func(out string) []string
}

// TestCrashWriters stops every command that writes files, by SIGKILL and by a full disk, at random points: no file is
// there by half, nothing that was there is lost, and the next run brings it to its end. FIGS_LONG=1 takes 30 points of
// each instead of 3.
func TestCrashWriters(t *testing.T) {
	t.Parallel()
	points := 3
	if os.Getenv("FIGS_LONG") != "" {
		points = 30
	}
	for _, w := range writings(t) {
		t.Run(w.name, func(t *testing.T) {
			took, largest := w.undisturbed(t)
			var stopped, full int
			for i := range points {
				out := w.fresh(t)
				if w.kill(t, out, took, i%2 == 0) {
					stopped++
				}
				w.check(t, out, "killed")
			}
			for range points {
				out := w.fresh(t)
				limit := rand.Int64N(largest)
				if got := w.run(out, fileLimit+"="+fmt.Sprint(limit)); got.code != 0 {
					full++
					// SQLite writes for export and backup, and calls a file that must not grow an I/O error.
					if !strings.Contains(got.stderr, "full") && !strings.HasPrefix(w.name, "export") && !strings.HasPrefix(w.name, "backup") {
						t.Errorf("a disk that is full after %d bytes: %+v", limit, got)
					}
				}
				if left := leftovers(out); len(left) > 0 {
					t.Errorf("a disk that is full after %d bytes: %q are left", limit, left)
				}
				w.check(t, out, fmt.Sprintf("full after %d bytes", limit))
			}
			t.Logf("%d points of SIGKILL (%d before the end), %d of a full disk (%d too full)", points, stopped, points, full)
		})
	}
}

func (w writing) fresh(t *testing.T) string {
	out := t.TempDir()
	if w.put != nil {
		w.put(out)
	}
	return out
}

// command is the program as it writes to a folder.
func (w writing) command(out string, env ...string) *exec.Cmd {
	args := make([]string, len(w.args))
	for i, arg := range w.args {
		args[i] = strings.ReplaceAll(arg, "OUT", out)
	}
	cmd := exec.Command("figs-web", args...)
	cmd.Dir = out
	cmd.Env = append(append(os.Environ(), "XDG_CONFIG_HOME="+filepath.Join(out, "config"), "HOME="+out), env...)
	if w.env != nil {
		cmd.Env = append(cmd.Env, w.env(out)...)
	}
	return cmd
}

func (w writing) run(out string, env ...string) outcome {
	var stdout, stderr bytes.Buffer
	cmd := w.command(out, env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run()
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// undisturbed runs the command to its end: how long it takes, and how large the largest file is that it writes.
func (w writing) undisturbed(t *testing.T) (took time.Duration, largest int64) {
	out := w.fresh(t)
	start := time.Now()
	if got := w.run(out); got.code != 0 {
		t.Fatalf("undisturbed: %+v", got)
	}
	took = time.Since(start)
	if err := errors.Join(w.bad(out), w.done(out)); err != nil {
		t.Fatalf("undisturbed: %v", err)
	}
	filepath.WalkDir(out, func(name string, d fs.DirEntry, err error) error {
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().After(start.Add(-time.Second)) {
			largest = max(largest, info.Size())
		}
		return nil
	})
	return took, max(largest, 1)
}

// kill starts the command and kills it: somewhere in its time, or somewhere after its first temporary file is there. Some
// of these files are there for less than a millisecond, so it looks more often than testenv.Poll.
func (w writing) kill(t *testing.T, out string, took time.Duration, early bool) (stopped bool) {
	cmd := w.command(out)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var ended atomic.Bool
	exited := make(chan struct{})
	go func() { cmd.Wait(); ended.Store(true); close(exited) }()
	if early {
		time.Sleep(took/5 + rand.N(took))
	} else {
		for end := time.Now().Add(10 * took); len(leftovers(out)) == 0 && !ended.Load() && time.Now().Before(end); {
			time.Sleep(50 * time.Microsecond)
		}
		time.Sleep(rand.N(took/10 + time.Millisecond))
	}
	cmd.Process.Kill()
	<-exited
	return cmd.ProcessState.ExitCode() < 0
}

// check holds what is there, and runs the command once more.
func (w writing) check(t *testing.T, out, what string) {
	t.Helper()
	if err := w.bad(out); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	got := w.run(out)
	whole := w.done(out)
	if got.code != 0 && !(whole == nil && strings.Contains(got.stderr, "already exists")) && !(whole == nil && strings.Contains(got.stderr, "already")) {
		t.Errorf("%s: the next run ends with %+v", what, got)
	}
	if err := errors.Join(w.bad(out), whole); err != nil {
		t.Errorf("%s: after the next run: %v", what, err)
	}
	if left := leftovers(out); len(left) > 0 && got.code == 0 {
		t.Errorf("%s: after the next run %q are left", what, left)
	}
}

// leftovers are temporary files and locks.
func leftovers(out string) (left []string) {
	filepath.WalkDir(out, func(name string, d fs.DirEntry, err error) error {
		if err == nil && (wholefile.IsTemporary(d.Name()) || d.Name() == filepath.Base(findings.LockFile)) {
			left = append(left, name)
		}
		return nil
	})
	return left
}

// oneOf holds a file to what it may be; "" is that it is not there.
func oneOf(name string, contents ...string) func(out string) error {
	return func(out string) error {
		got, err := os.ReadFile(filepath.Join(out, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, want := range contents {
			if string(got) == want && (err == nil) == (want != "") {
				return nil
			}
		}
		return fmt.Errorf("%s has %d bytes, and is none of what it may be", name, len(got))
	}
}

func filler(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "0123456789abcdef\n"[rand.IntN(17)]
	}
	return string(b)
}

func writings(t *testing.T) (all []writing) {
	// A folder with attachments and many replies.
	dir := filepath.Join(t.TempDir(), ".figs")
	files, mentions := map[string]string{}, []string{}
	for i := range 8 {
		name := fmt.Sprintf("f%d.txt", i)
		files[name] = filler(1 + i*i*40_000)
		put(t, filepath.Join(dir, "artifacts", name), files[name])
		mentions = append(mentions, fmt.Sprintf(`{"name":%q}`, name))
	}
	put(t, filepath.Join(dir, "agent.json"), `{"name":"A","mandate":"M"}`)
	put(t, filepath.Join(dir, "asks.jsonl"), `{"id":"a","type":"question","title":"T","ts":"2026-11-20T10:00:00Z","status":"open","attachments":[`+strings.Join(mentions, ",")+"]}\n")
	var replies []string
	for i := range 8000 {
		replies = append(replies, answerLine(i))
	}
	put(t, filepath.Join(dir, "messages.jsonl"), strings.Join(replies, "\n")+"\n")
	first := `{"id":"old","kind":"answer","ask":"x","by":"B","ts":"2026-11-01T10:00:00Z","source":"chat","text":"kept"}` + "\n"

	each := func(check func(name string) func(string) error) func(string) error {
		return func(out string) (err error) {
			for name := range files {
				err = errors.Join(err, check(name)(filepath.Join(out, "to")))
			}
			return err
		}
	}
	all = append(all, writing{name: "sync files", args: []string{"sync", "--from", dir + "/agents/1/files", "--to", "OUT/to"},
		bad:  each(func(name string) func(string) error { return oneOf(name, "", files[name]) }),
		done: each(func(name string) func(string) error { return oneOf(name, files[name]) })})

	lines := func(out string) []string {
		text, _ := os.ReadFile(filepath.Join(out, "messages.jsonl"))
		return strings.SplitAfter(string(text), "\n")
	}
	known := map[string]bool{first: true, "": true}
	for _, r := range replies {
		known[r+"\n"] = true
	}
	// A kill in the middle of the call that appends can leave the beginning of a line; the next sync goes on in it.
	good := func(out string) error {
		got := lines(out)
		for i, line := range got {
			begun := i == len(got)-1 && strings.HasPrefix(line, `{"id":"m`)
			if !known[line] && !begun {
				return fmt.Errorf("line %d of messages.jsonl is %q", i+1, line)
			}
		}
		return nil
	}
	complete := func(n int) func(string) error {
		return func(out string) error {
			once := map[string]bool{}
			for _, line := range lines(out) {
				once[line] = true
			}
			if got := len(lines(out)); got != n+1 || len(once) != n+1 {
				return fmt.Errorf("messages.jsonl has %d lines, %d of them different, want %d", got-1, len(once)-1, n)
			}
			return nil
		}
	}
	all = append(all,
		writing{name: "sync messages, new", args: []string{"sync", "--from", dir + "/agents/1/messages", "--to", "OUT"}, bad: func(out string) error {
			if got := lines(out); len(got) > 1 {
				return complete(len(replies))(out)
			}
			return nil
		}, done: complete(len(replies))},
		writing{name: "sync messages, more", args: []string{"sync", "--from", dir + "/agents/1/messages", "--to", "OUT"}, bad: good,
			put: func(out string) { put(t, filepath.Join(out, "messages.jsonl"), first) }, done: complete(len(replies) + 1)},
		writing{name: "cp", args: []string{"cp", dir + "/agents/1/files/f7.txt", "OUT/x.txt"}, bad: oneOf("x.txt", "", files["f7.txt"]), done: oneOf("x.txt", files["f7.txt"])},
		writing{name: "cp --force", args: []string{"cp", dir + "/agents/1/files/f7.txt", "OUT/x.txt", "--force"}, bad: oneOf("x.txt", "old", files["f7.txt"]),
			put: func(out string) { put(t, filepath.Join(out, "x.txt"), "old") }, done: oneOf("x.txt", files["f7.txt"])},
	)

	small := filepath.Join(t.TempDir(), ".figs")
	put(t, filepath.Join(small, "agent.json"), `{"name":"A","mandate":"M"}`)
	for i := range 3 {
		put(t, filepath.Join(small, "artifacts", fmt.Sprintf("f%d.txt", i)), filler(30_000))
	}
	put(t, filepath.Join(small, "asks.jsonl"), `{"id":"a","type":"question","title":"T","ts":"2026-11-20T10:00:00Z","status":"open","attachments":[{"name":"f0.txt"},{"name":"f1.txt"},{"name":"f2.txt"}]}`+"\n")
	all = append(all,
		writing{name: "share -o", args: []string{"share", small, "-o", "OUT/copy.zip"}, bad: zipOrNothing("copy.zip"), done: wholeZip("copy.zip")},
		writing{name: "cp to a folder here", args: []string{"cp", filepath.Join(dir, "artifacts", "f6.txt"), "OUT/.figs/agents/1/files/new.txt"}, bad: oneOf(".figs/artifacts/new.txt", "", files["f6.txt"]),
			put: func(out string) { put(t, filepath.Join(out, ".figs", "agent.json"), `{"name":"A","mandate":"M"}`) }, done: oneOf(".figs/artifacts/new.txt", files["f6.txt"])},
	)

	x := exporting(t)
	x.rounds()
	export := []string{"export", "--data", x.dir, "--workspace", "acme"}
	all = append(all,
		writing{name: "export, a zip", args: append(export[:len(export):len(export)], "OUT/e.zip"), bad: zipOrNothing("e.zip"), done: wholeZip("e.zip")},
		writing{name: "export, a folder", args: append(export[:len(export):len(export)], "OUT/e"), bad: func(out string) error {
			if _, err := os.Stat(filepath.Join(out, "e")); errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return exportedFolder(out)
		}, done: exportedFolder},
	)
	all = append(all, backupWritings(t, x.dir)...)
	if whole, err := inspector.File(); err == nil {
		all = append(all, writing{name: "inspector -o", args: []string{"inspector", "-o", "OUT/i.html"}, bad: oneOf("i.html", "old", string(whole)),
			put: func(out string) { put(t, filepath.Join(out, "i.html"), "old") }, done: oneOf("i.html", string(whole))})
	}
	return append(all, registryWritings(t)...)
}

// backupWritings back up and restore the server whose data folder is given.
func backupWritings(t *testing.T, data string) []writing {
	succeeds := func(args ...string) error {
		if out, err := exec.Command("figs-web", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%q: %w: %s", args, err, out)
		}
		return nil
	}
	verified := func(name string) func(string) error {
		return func(out string) error { return succeeds("restore", "--verify", filepath.Join(out, name)) }
	}
	restored := func(out string) error {
		return succeeds("export", "--data", filepath.Join(out, "data"), "--workspace", "acme", filepath.Join(t.TempDir(), "e"))
	}
	// unless holds what is there, if it is.
	unless := func(pattern string, check func(string) error) func(string) error {
		return func(out string) error {
			if found, _ := filepath.Glob(filepath.Join(out, pattern)); len(found) == 0 {
				return nil
			}
			return check(out)
		}
	}
	source := filepath.Join(t.TempDir(), "source.tar")
	if err := succeeds("backup", "--data", data, source); err != nil {
		t.Fatal(err)
	}
	return []writing{
		{name: "backup, a file", args: []string{"backup", "--data", data, "OUT/b.tar"}, bad: unless("b.tar", verified("b.tar")), done: verified("b.tar")},
		{name: "backup, a folder", args: []string{"backup", "--data", data, "OUT/b"}, bad: unless("b/manifest.json", verified("b")), done: verified("b")},
		{name: "restore", args: []string{"restore", source, "--data", "OUT/data"}, bad: unless("data/figs.db", restored), done: restored},
	}
}

func exportedFolder(out string) error {
	found, err := filepath.Glob(filepath.Join(out, "e", "*", ".figs", "asks.jsonl"))
	if err != nil || len(found) == 0 {
		return fmt.Errorf("the export has no ledger of asks, %v", err)
	}
	return nil
}

func wholeZip(name string) func(out string) error {
	return func(out string) error {
		z, err := zip.OpenReader(filepath.Join(out, name))
		if err != nil {
			return err
		}
		defer z.Close()
		for _, f := range z.File {
			r, err := f.Open()
			if err == nil {
				_, err = io.Copy(io.Discard, r)
			}
			if err != nil {
				return fmt.Errorf("%s in %s: %w", f.Name, name, err)
			}
		}
		return nil
	}
}

func zipOrNothing(name string) func(out string) error {
	return func(out string) error {
		if err := wholeZip(name)(out); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
}
