package folder_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/figs-web/figs-web/figs/folder"
	"github.com/google/go-cmp/cmp"
)

// pack writes a zip with the entries in order.
func pack(t testing.TB, entries ...zip.FileHeader) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range entries {
		text := entries[i].Comment
		entries[i].Comment = ""
		f, err := w.CreateHeader(&entries[i])
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(entries[i].Name, "/") {
			io.WriteString(f, text)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// entry is a deflated file; its text travels in the comment until pack writes it.
func entry(name, text string) zip.FileHeader {
	return zip.FileHeader{Name: name, Comment: text, Method: zip.Deflate}
}

func open(t testing.TB, data []byte) (fs.FS, []folder.SkippedFile, error) {
	return folder.OpenZip(bytes.NewReader(data), int64(len(data)))
}

func TestOpenZipIsAFileSystem(t *testing.T) {
	data := pack(t, entry("repo/.figs/runs.jsonl", "{}\n"), entry("repo/.figs/artifacts/", ""), entry("repo/.figs/artifacts/", ""), entry("repo/.figs/artifacts/a.md", "# A"), entry(`repo\win\b.md`, "b"))
	fsys, aside, err := open(t, data)
	if err != nil || len(aside) > 0 {
		t.Fatalf("OpenZip() = aside %v, error %v; want none", aside, err)
	}
	if err := fstest.TestFS(fsys, "repo/.figs/runs.jsonl", "repo/.figs/artifacts/a.md", "repo/win/b.md"); err != nil {
		t.Error(err)
	}
	found, _ := folder.Find(fsys)
	if got, want := dirs(found), []string{"repo/.figs"}; !cmp.Equal(got, want) {
		t.Errorf("Find() = %q, want %q", got, want)
	}
}

func TestOpenZipSetsAside(t *testing.T) {
	secret, linked := entry("secret", "x"), entry("link", "/etc/passwd")
	secret.Flags |= 1
	linked.SetMode(fs.ModeSymlink | 0o777)
	for _, test := range []struct {
		name  string
		entry zip.FileHeader
		why   string
	}{
		{"dot_dot", entry("../runs.jsonl", "x"), "leads out"},
		{"dot_dot_inside", entry("a/../../runs.jsonl", "x"), "leads out"},
		{"dot_dot_windows", entry(`..\runs.jsonl`, "x"), "leads out"},
		{"absolute", entry("/etc/passwd", "x"), "absolute"},
		{"absolute_windows", entry(`C:\runs.jsonl`, "x"), "absolute"},
		{"nul", entry("a\x00b", "x"), "NUL"},
		{"empty", entry("./", ""), "not a valid path"},
		{"invalid_utf8", entry("\xff\xfe", "x"), "not a valid path"},
		{"long", entry(strings.Repeat("a", 5000), "x"), "longer"},
		{"file_as_folder", entry("keep/runs.jsonl/x", "x"), "folder where another entry is a file"},
		{"folder_as_file", entry("keep", "x"), "folder of the same name"},
		{"encrypted", secret, "encrypted"},
		{"link", linked, "symbolic link"},
		{"bomb", entry("bomb", strings.Repeat("0", 20<<20)), "zip bombs"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fsys, aside, err := open(t, pack(t, entry("keep/runs.jsonl", "first"), test.entry))
			if err != nil {
				t.Fatal(err)
			}
			if len(aside) != 1 || !strings.Contains(aside[0].Why, test.why) {
				t.Fatalf("OpenZip() = %v, want one entry set aside because %q", aside, test.why)
			}
			if got, err := fs.ReadFile(fsys, "keep/runs.jsonl"); err != nil || string(got) != "first" {
				t.Errorf("the good entry = %q, %v; want it read as ever", got, err)
			}
		})
	}
}

// A ledger that is not unpacked is a finding, not a ledger that is missing.
func TestOpenZipRefusedLedgerIsReported(t *testing.T) {
	fsys, _, err := open(t, pack(t, entry(".figs/runs.jsonl", "{}"), entry(".figs/asks.jsonl", strings.Repeat("0", 20<<20))))
	if err != nil {
		t.Fatal(err)
	}
	_, report := read(t, fsys, ".figs")
	if got, want := problems(report), []string{"file_unreadable asks.jsonl"}; !cmp.Equal(got, want) {
		t.Errorf("problems = %q, want %q", got, want)
	}
}

func TestOpenZipRefuses(t *testing.T) {
	good := pack(t, entry("runs.jsonl", strings.Repeat("x", 100)))
	linked := entry("link", "/etc/passwd")
	linked.SetMode(fs.ModeSymlink | 0o777)
	many := make([]zip.FileHeader, folder.MaxEntries+1)
	for i := range many {
		many[i] = zip.FileHeader{Name: fmt.Sprint(i)}
	}
	long := make([]zip.FileHeader, 1100)
	for i := range long {
		long[i] = zip.FileHeader{Name: strings.Repeat("n", 65000)}
	}
	for _, test := range []struct {
		name string
		data []byte
		why  string
	}{
		{"empty", nil, "not a zip"},
		{"text", []byte("{\"id\":1}\n"), "not a zip"},
		{"cut", good[:len(good)-10], "not a zip"},
		{"too_many", pack(t, many...), "200001 entries"},
		{"list_too_long", pack(t, long...), "list of entries"},
		{"overlap", overlap(t), "overlap"},
		{"too_much", declare(t), "more than 4 GiB"},
		{"twice", pack(t, entry(".figs/asks.jsonl", "genuine"), entry("x", ""), entry(".figs/asks.jsonl", "forged")), `two files named ".figs/asks.jsonl"`},
		{"twice_the_same", pack(t, entry("a", "x"), entry("a", "x")), `two files named "a"`},
		{"twice_empty", pack(t, entry("a", ""), entry("a", "")), `two files named "a"`},
		{"twice_backslash", pack(t, entry(".figs/artifacts/plan.md", "x"), entry(`.figs\artifacts\plan.md`, "y")), `two files named ".figs/artifacts/plan.md"`},
		{"twice_dots", pack(t, entry("a/b", "x"), entry("./a//./b", "y")), `two files named "a/b"`},
		{"twice_link", pack(t, entry("link", "x"), linked), `two files named "link"`},
		{"twice_bomb", pack(t, entry("bomb", "x"), entry("bomb", strings.Repeat("0", 20<<20))), `two files named "bomb"`},
		{"twice_hostile", pack(t, entry("a\x1b\u202e", "x"), entry("a\x1b\u202e", "y")), `two files named "a\x1b\u202e"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := open(t, test.data)
			var refused *folder.ZipError
			if !errors.As(err, &refused) || !strings.Contains(refused.Message, test.why) || refused.Hint == "" {
				t.Errorf("OpenZip() = %v, want a refusal that says %q, with a hint", err, test.why)
			}
		})
	}
}

// overlap writes two entries that claim the same packed bytes.
func overlap(t *testing.T) []byte {
	data := pack(t, zip.FileHeader{Name: "a", Comment: strings.Repeat("x", 5000)}, zip.FileHeader{Name: "b", Comment: "y"})
	patch(data, 1, 20, 5000)
	return data
}

// declare writes ten entries that each claim to unpack to 1 GiB from plausible packed sizes.
func declare(t *testing.T) []byte {
	var headers []zip.FileHeader
	for i := range 10 {
		headers = append(headers, zip.FileHeader{Name: fmt.Sprint(i), Method: zip.Store, Comment: strings.Repeat("x", 6<<20)})
	}
	data := pack(t, headers...)
	for i := range headers {
		patch(data, i, 24, 1<<30)
	}
	return data
}

// patch sets the four bytes at offset of the n-th record of the central directory.
func patch(data []byte, n, offset int, value uint32) {
	at := bytes.LastIndex(data, []byte("PK\x05\x06"))
	at = int(binary.LittleEndian.Uint32(data[at+16:]))
	for ; n > 0; n-- {
		at += 46 + int(binary.LittleEndian.Uint16(data[at+28:])) + int(binary.LittleEndian.Uint16(data[at+30:])) + int(binary.LittleEndian.Uint16(data[at+32:]))
	}
	binary.LittleEndian.PutUint32(data[at+offset:], value)
}

// An entry that unpacks to more than it declares stops with an error, not with more bytes.
func TestZipEntryLies(t *testing.T) {
	data := pack(t, entry("runs.jsonl", strings.Repeat("x", 1<<20)))
	patch(data, 0, 24, 10)
	fsys, _, err := open(t, data)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := fs.ReadFile(fsys, "runs.jsonl"); err == nil || len(got) > 10 {
		t.Errorf("ReadFile() = %d bytes, %v; want at most 10 and an error", len(got), err)
	}
}

func FuzzOpenZip(f *testing.F) {
	f.Add(pack(f, entry(".figs/runs.jsonl", "{\"id\":\"a\"}\n"), entry("../x", "y")))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, data []byte) {
		fsys, _, err := open(t, data)
		if err != nil {
			return
		}
		fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
			if !fs.ValidPath(name) || err != nil {
				t.Errorf("walk meets %q, %v", name, err)
			}
			return nil
		})
	})
}
