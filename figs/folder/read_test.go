package folder_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/google/go-cmp/cmp"
)

const now = "2026-11-20T12:00:00Z"

// problems lists the findings that reading itself causes.
func problems(r *figs.Report) []string {
	var got []string
	for _, f := range r.Findings {
		if f.Code == figs.FileUnreadable || f.Code == figs.FileChanged {
			got = append(got, f.Code.String()+" "+f.File)
		}
	}
	return got
}

func read(t *testing.T, fsys fs.FS, dir string) (*figs.Folder, *figs.Report) {
	t.Helper()
	f, report, err := folder.Read(context.Background(), fsys, dir, figs.Options{Keep: true, Now: now}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f, report
}

func TestReadFeedsEveryFile(t *testing.T) {
	long := strings.Repeat(`{"id":"a","ts":"2026-11-20T10:00:00Z","result":"ok"}`+"\n", 50_000) // several chunks
	m := fstest.MapFS{
		".figs/runs.jsonl":       {Data: []byte(long)},
		".figs/messages.jsonl":   {},
		".figs/agent.json":       {Data: []byte(`{"name":"Ada"}`)},
		".figs/artifacts/a.md":   {Data: []byte("# A")},
		".figs/artifacts/d/b.md": {Data: []byte("# B")},
		".figs/other.txt":        {Data: []byte("ignored")},
	}
	contents := folder.List(m, ".figs")
	var last, calls int64
	f, report, err := contents.Read(context.Background(), figs.Options{Keep: true, Now: now}, func(done, total int64) {
		if done <= last || total != contents.Bytes {
			t.Errorf("progress(%d, %d) after %d, want it to rise to %d", done, total, last, contents.Bytes)
		}
		last = done
		calls++
	})
	if err != nil || last != contents.Bytes || calls < 4 {
		t.Errorf("Read() = %v after %d of %d bytes in %d steps", err, last, contents.Bytes, calls)
	}
	if got := f.Lines(figs.Runs); got != 50_000 {
		t.Errorf("Lines(Runs) = %d, want 50000", got)
	}
	if !f.Fed(figs.Messages) || f.Fed(figs.Asks) {
		t.Error("an empty file is there, a missing one is not: want both told apart")
	}
	if got := problems(report); got != nil {
		t.Errorf("problems = %q, want none", got)
	}
	if want := "artifacts/d is a folder"; len(contents.Notes) != 1 || !strings.HasPrefix(contents.Notes[0], want) {
		t.Errorf("Notes = %q, want one that begins with %q", contents.Notes, want)
	}
}

func TestReadCancels(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := fstest.MapFS{"runs.jsonl": {Data: make([]byte, 10<<20)}}
	_, report, err := folder.Read(ctx, m, ".", figs.Options{}, func(done, _ int64) {
		if cancel(); done > 1<<20 {
			t.Errorf("still reading at byte %d, after the cancel", done)
		}
	})
	if !errors.Is(err, context.Canceled) || report != nil {
		t.Errorf("Read() = %v, %v; want no report and context.Canceled", report, err)
	}
}

func TestReadUnreadable(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "secret"), "{}\n")
	write(t, filepath.Join(dir, "agent.json"), `{"name":"Ada"}`)
	write(t, filepath.Join(dir, "messages.jsonl", "x"), "")
	link(t, filepath.Join(outside, "secret"), filepath.Join(dir, "runs.jsonl"))
	link(t, "nowhere", filepath.Join(dir, "asks.jsonl"))
	link(t, "../agent.json", filepath.Join(dir, "artifacts", "fine.json"))
	link(t, filepath.Join(outside, "secret"), filepath.Join(dir, "artifacts", "away.txt"))

	_, report := read(t, rootFS(t, dir), ".")
	want := []string{"file_unreadable artifacts/away.txt", "file_unreadable asks.jsonl", "file_unreadable messages.jsonl", "file_unreadable runs.jsonl"}
	if got := problems(report); !cmp.Equal(got, want) {
		t.Errorf("problems = %q, want %q", got, want)
	}
	for _, f := range report.Findings {
		if f.File == "runs.jsonl" && f.Code == figs.FileUnreadable && !strings.Contains(f.Message+f.Hint, "symbolic link") {
			t.Errorf("the finding on a link out of the folder says %q %q", f.Message, f.Hint)
		}
	}
}

func TestReadPermission(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "runs.jsonl"), "{}\n")
	os.Chmod(filepath.Join(dir, "runs.jsonl"), 0)
	_, report := read(t, os.DirFS(dir), ".")
	if got, want := problems(report), []string{"file_unreadable runs.jsonl"}; !cmp.Equal(got, want) {
		t.Errorf("problems = %q, want %q", got, want)
	}
}

// changing is a file system whose runs.jsonl is another one once the file at was opened.
type changing struct {
	fstest.MapFS
	at    string
	after *fstest.MapFile
}

func (c changing) Open(name string) (fs.File, error) {
	f, err := c.MapFS.Open(name)
	if name == c.at {
		c.MapFS["runs.jsonl"] = c.after
	}
	return f, err
}

// Stat is what List asks, without opening.
func (c changing) Stat(name string) (fs.FileInfo, error) { return c.MapFS.Stat(name) }

func TestReadFileChanged(t *testing.T) {
	line := []byte(`{"id":"a","ts":"2026-11-20T10:00:00Z"}` + "\n")
	changed := []string{"file_changed runs.jsonl"}
	for _, test := range []struct {
		name, at string
		after    *fstest.MapFile
		want     []string
	}{
		{"unchanged", "", nil, nil},
		{"grew", "runs.jsonl", &fstest.MapFile{Data: bytes.Repeat(line, 2)}, changed},
		{"shrank", "runs.jsonl", &fstest.MapFile{}, changed},
		{"written_again", "runs.jsonl", &fstest.MapFile{Data: line, ModTime: time.Unix(99, 0)}, changed},
		{"grew_while_another_was_read", "asks.jsonl", &fstest.MapFile{Data: bytes.Repeat(line, 2)}, changed},
	} {
		t.Run(test.name, func(t *testing.T) {
			fsys := changing{fstest.MapFS{"runs.jsonl": {Data: line}, "asks.jsonl": {}}, test.at, test.after}
			f, report := read(t, fsys, ".")
			if got := problems(report); !cmp.Equal(got, test.want) {
				t.Errorf("problems = %q, want %q", got, test.want)
			}
			if got := f.Lines(figs.Runs); got != 1 {
				t.Errorf("Lines() = %d, want what was there when it was opened", got)
			}
		})
	}
}

func TestLookFile(t *testing.T) {
	for name, want := range map[string]figs.File{
		"runs.jsonl": figs.Runs, "asks (1).jsonl": figs.Asks, "messages-old.jsonl": figs.Messages, "agent.json": figs.AgentJSON,
	} {
		contents, ok := folder.ListFile(fstest.MapFS{name: {Data: []byte("{}")}}, name)
		if !ok || len(contents.Files) != 1 || contents.Files[0].Kind != want || !contents.Alone {
			t.Errorf("LookFile(%q) = %+v, %v; want it alone, as %v", name, contents, ok, want)
		}
	}
	for _, name := range []string{"notes.txt", "runs.json", "x.jsonl", "run.jsonl"} {
		if _, ok := folder.ListFile(fstest.MapFS{name: {}}, name); ok {
			t.Errorf("LookFile(%q) = ok, want it refused", name)
		}
	}
}

// A file alone is judged by what stands in it, not by what was not given with it.
func TestReadFileAlone(t *testing.T) {
	asks := `{"id":"q","ts":"2026-11-20T10:00:00Z","type":"signoff","title":"Which?","run":"elsewhere","attachments":["a.md"]}` + "\n"
	contents, ok := folder.ListFile(fstest.MapFS{"asks.jsonl": {Data: []byte(asks)}}, "asks.jsonl")
	if !ok {
		t.Fatal("LookFile() refused asks.jsonl")
	}
	_, report, err := contents.Read(context.Background(), figs.Options{Now: now}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Findings) != 1 || report.Findings[0].Code != figs.AskTypeUnknown || report.Errors != 1 || report.Warnings != 0 {
		t.Errorf("Read() = %d errors, %d warnings, %+v; want only the unknown type", report.Errors, report.Warnings, report.Findings)
	}
	_, whole := read(t, fstest.MapFS{"asks.jsonl": {Data: []byte(asks)}}, ".")
	if whole.Errors < 2 || whole.Warnings < 2 {
		t.Errorf("the same in a folder: %d errors, %d warnings; want what is missing reported too", whole.Errors, whole.Warnings)
	}
}

// A folder with very many attachments is read as far as the bound, and says so.
func TestLookIsBounded(t *testing.T) {
	contents := folder.List(crowd{}, ".")
	if len(contents.Artifacts) != folder.MaxEntries || len(contents.Notes) != 1 {
		t.Errorf("Look() = %d artifacts, notes %q; want %d and one note", len(contents.Artifacts), contents.Notes, folder.MaxEntries)
	}
}

// crowd is a file system whose artifacts folder never ends.
type crowd struct{}

func (crowd) Open(name string) (fs.File, error) {
	if name != "artifacts" {
		return nil, fs.ErrNotExist
	}
	return crowdDir{}, nil
}

type crowdDir struct{ fs.File }

func (crowdDir) Close() error { return nil }
func (crowdDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		return nil, errors.New("asked for all of an endless folder")
	}
	info, _ := fstest.MapFS{"a.md": {}}.Stat("a.md")
	entries := make([]fs.DirEntry, n)
	for i := range entries {
		entries[i] = fs.FileInfoToDirEntry(info)
	}
	return entries, nil
}
