package parcel

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/inspector"
	"github.com/figs-web/figs-web/internal/inspector/artifact"
	"github.com/figs-web/figs-web/internal/share"
	"github.com/figs-web/figs-web/static"
)

var now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

const secret = "AKIAIOSFODNN7EXAMPLE"

// planted is a folder with a secret in records, in a name, and in attachments.
func planted() fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return fstest.MapFS{
		".figs/config.json": file(`{"agentId":"0d4f2a3c-1111-4222-8333-000000000001"}`),
		".figs/agent.json":  file(`{"name":"Clerk ` + secret + `"}`),
		".figs/CONTRACT.md": file("Ask anna@example.com.\n"),
		".figs/runs.jsonl": file(`{"id":"r1","ts":"2026-11-01T10:00:00Z","title":"One ` + secret + `","attachments":["report.md"]}
{"id":"r2","ts":"2026-11-02T10:00:00Z","title":"Two +43 664 1234567","attachments":["scan.pdf"]}
`),
		".figs/asks.jsonl": file(`{"id":"a1","ts":"2026-11-03T10:00:00Z","type":"question","title":"First?","run":"r1","options":["use anna@example.com","no"]}
{"id":"a2","ts":"2026-11-03T10:00:00Z","type":"question","title":"Second?","run":"r2"}
{"id":"a1","resolution":{"note":"done","run":"r1"},"status":"resolved"}
`),
		".figs/messages.jsonl": file(`{"id":"m1","kind":"answer","ask":"a1","ts":"2026-11-04T10:00:00Z","by":"Anna Berger","source":"chat","chosen":"use anna@example.com"}
{"id":"m2","kind":"answer","ask":"a2","ts":"2026-11-04T10:00:00Z","by":"Anna Berger","source":"chat","text":"Thanks, Anna"}
`),
		".figs/artifacts/report.md": file("Key: `" + secret + "`\n"),
		".figs/artifacts/scan.pdf":  file("%PDF-1.4 " + secret),
	}
}

func packed(t testing.TB, fsys fs.FS, ask string, c *share.Options) (*share.Copy, map[string]string) {
	t.Helper()
	f := FromContents(fsys, folder.List(fsys, ".figs"))
	s, err := Open(context.Background(), f, ask, c)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Zip(context.Background(), &b, s, c, now); err != nil {
		t.Fatal(err)
	}
	return s, unzipped(t, b.Bytes())
}

func unzipped(t testing.TB, b []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, entry := range z.File {
		r, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all[entry.Name] = string(content)
	}
	return all
}

func codes(t testing.TB, fsys fs.FS) []string {
	t.Helper()
	_, report, err := folder.List(fsys, ".figs").Read(context.Background(), figs.Options{Now: "2026-11-22T12:00:00Z", Keep: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range report.Findings {
		all = append(all, f.File+" "+f.Code.String())
	}
	slices.Sort(all)
	return all
}

// asFS is a zip as a file system.
func asFS(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestFolder(t *testing.T) {
	c := share.ParseOptions(nil)
	s, files := packed(t, planted(), "", c)
	for name, text := range files {
		if strings.Contains(name+text, secret) || strings.Contains(text, "anna@example.com") || strings.Contains(text, "1234567") {
			t.Errorf("%s holds an original: %s", name, text)
		}
	}
	if _, there := files[".figs/artifacts/scan.pdf"]; there {
		t.Error("a file that nothing can look through is in the copy")
	}
	list := files[share.ListName]
	for _, want := range []string{"[aws-key-1]", "[email-1]", "[phone-1]", "scan.pdf", "because they are not text", "Not replaced, by choice: Name of a person who replied", "2026-11-22T12:00:00Z"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list lacks %q:\n%s", want, list)
		}
	}
	if !strings.Contains(files[".figs/messages.jsonl"], `"chosen":"use [email-1]"`) || !strings.Contains(files[".figs/asks.jsonl"], `"use [email-1]"`) {
		t.Error("an option and what was chosen of it are not the same any more")
	}
	if got := s.FileName(); got != "clerk-aws-key-1" {
		t.Errorf("FileName() = %q", got)
	}
	found := s.Preview(c)
	if found.Changed == 0 || found.Names != 3 || len(found.Files) != 2 || found.Stale {
		t.Errorf("Found() = %+v", found)
	}
	before, after := codes(t, planted()), codes(t, asFS(files))
	after = slices.DeleteFunc(after, func(s string) bool { return strings.HasSuffix(s, figs.AttachmentMissing.String()) })
	before = slices.DeleteFunc(before, func(s string) bool { return strings.HasSuffix(s, figs.AttachmentMissing.String()) })
	if !slices.Equal(before, after) {
		t.Errorf("findings before %v and after %v", before, after)
	}
}

func TestChoice(t *testing.T) {
	c := share.ParseOptions(map[string][]string{"leave": {"email", "nonsense"}, "names": {"1"}, "keep": {"1", "x"}, "with": {"2"}})
	_, files := packed(t, planted(), "", c)
	if !strings.Contains(files[".figs/messages.jsonl"], "anna@example.com") {
		t.Error("a rule that was left out replaces")
	}
	if strings.Contains(files[".figs/messages.jsonl"], "Anna") {
		t.Errorf("a name is left: %s", files[".figs/messages.jsonl"])
	}
	if files[".figs/artifacts/scan.pdf"] != "%PDF-1.4 "+secret {
		t.Error("a chosen file is not as it was")
	}
	if again := share.ParseOptions(c.Form()); len(again.Leave) != 1 || !again.Names || !again.Keep[1] || !again.With[2] {
		t.Errorf("a choice is not its own form: %v", c.Form())
	}
	c = share.ParseOptions(nil)
	c.Seen = "another"
	if s, _ := packed(t, planted(), "", c); !s.Preview(c).Stale {
		t.Error("nobody is told that something else was found")
	}
}

func TestOneAsk(t *testing.T) {
	_, files := packed(t, planted(), "a1", share.ParseOptions(nil))
	for _, not := range []string{"r2", "a2", "m2"} {
		for name, text := range files {
			if strings.Contains(text, `"`+not+`"`) {
				t.Errorf("%s holds %s", name, not)
			}
		}
	}
	if n := strings.Count(files[".figs/asks.jsonl"], "\n"); n != 2 || files[".figs/artifacts/report.md"] == "" || files[".figs/CONTRACT.md"] != "" {
		t.Errorf("the ask comes with %v", files)
	}
	if got := codes(t, asFS(files)); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "unknown") }) {
		t.Errorf("a reference leads nowhere: %v", got)
	}
	fsys := planted()
	if _, err := Open(context.Background(), FromContents(fsys, folder.List(fsys, ".figs")), "a3", share.ParseOptions(nil)); !errors.Is(err, ErrNoAsk) {
		t.Errorf("Take of an ask that is not there: %v", err)
	}
}

// TestPage needs the inspector, which make wasm writes.
func TestPage(t *testing.T) {
	file, err := inspector.File()
	if errors.Is(err, inspector.ErrMissing) {
		t.Skip(err)
	}
	fsys := planted()
	f, c := FromContents(fsys, folder.List(fsys, ".figs")), share.ParseOptions(nil)
	s, err := Open(context.Background(), f, "", c)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Page(context.Background(), &b, s, c, now); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(b.Bytes(), []byte(secret)) {
		t.Error("the page holds the secret")
	}
	r, err := inspector.Check(b.Bytes())
	if err != nil || len(r.Problems) > 0 || !r.Shared || r.Carried || !artifact.SameBut(file, b.Bytes()) {
		t.Errorf("Check of a shared page = %+v, %v", r, err)
	}
	if plain, err := artifact.Unshared(b.Bytes()); err != nil || !bytes.Equal(plain, file) {
		t.Errorf("taking the folder out again gives another file (%v)", err)
	}
}

// TestSamples passes what agents write through, and finds it as valid as it was.
func TestSamples(t *testing.T) {
	for _, name := range []string{"reconciliation", "payables", "onboarding", "mistakes"} {
		fsys, err := fs.Sub(static.Files, "samples/"+name)
		if err != nil {
			t.Fatal(err)
		}
		_, files := packed(t, fsys, "", share.ParseOptions(map[string][]string{"names": {"1"}, "with": {"1", "2", "3", "4", "5", "6", "7", "8", "9"}}))
		if before, after := codes(t, fsys), codes(t, asFS(files)); !slices.Equal(before, after) {
			t.Errorf("%s: findings before\n%s\nand after\n%s", name, strings.Join(before, "\n"), strings.Join(after, "\n"))
		}
	}
}
