package parcel

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"mime"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"

	"github.com/figs-web/figs-web/handlers/httperr"
)

// TestPass holds that nobody gets the whole of other bytes.
func TestPass(t *testing.T) {
	for _, size := range []int{0, 1, 64 << 10, 64<<10 + 1, 200_000} {
		content := bytes.Repeat([]byte("x"), size)
		sum := sha256.Sum256(content)
		var got bytes.Buffer
		if err := Pass(&got, iotest.HalfReader(bytes.NewReader(content)), hex.EncodeToString(sum[:])); err != nil || !bytes.Equal(got.Bytes(), content) {
			t.Errorf("%d bytes: %d came, %v", size, got.Len(), err)
		}
		got.Reset()
		if err := Pass(&got, bytes.NewReader(append(content, 'y')), hex.EncodeToString(sum[:])); !errors.Is(err, httperr.ErrChanged) || got.Len() > size {
			t.Errorf("%d bytes and another: %d came, %v", size, got.Len(), err)
		}
	}
	if err := Pass(&bytes.Buffer{}, iotest.ErrReader(errors.New("disk")), ""); err == nil || err.Error() != "disk" {
		t.Errorf("a reader that fails: %v", err)
	}
}

func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"report.html": "report.html", "Bericht März.md": "Bericht März.md", "数据.csv": "数据.csv", "🧾.txt": "🧾.txt",
		"../../etc/passwd": "_.._.._etc_passwd", `C:\boot.ini`: "C__boot.ini", "": "_", "...": "_", " . ": "_", "a.": "a", ".hidden": "_.hidden", ".html": "_.html",
		"con": "_con", "CON.txt": "_CON.txt", "com1.html": "_com1.html", "COM¹": "_COM¹", "lpt0": "_lpt0", "com10.txt": "com10.txt", "company": "company", "nul .txt": "_nul .txt",
		"invoice\u202Efdp.exe": "invoice_fdp.exe", "zero\u200Bwidth.txt": "zero_width.txt", "tag\U000E0041.txt": "tag_.txt", "new\nline.txt": "new_line.txt", "nul\x00.txt": "nul_.txt",
		"bad\xff.txt": "bad_.txt", `quote".txt`: "quote_.txt", "a*b?c<d>e|f": "a_b_c_d_e_f",
		strings.Repeat("ä", 150) + ".html": strings.Repeat("ä", 97) + ".html",
		strings.Repeat("x", 300):           strings.Repeat("x", 200),
	} {
		if got := FileName(name); got != want {
			t.Errorf("FileName(%q) = %q, want %q", name, got, want)
		}
	}
}

// FuzzDownloadName holds the header of a download to what any client may do with it: it is one
// line of ASCII, every reader of it finds the same harmless name, and that name is all of it.
func FuzzDownloadName(f *testing.F) {
	for _, name := range []string{
		"report.html", "", "..", "a/b", `a\b`, "a\"b.txt", "a\r\nSet-Cookie: x=y", "\u202Etxt.exe", "März.md", "数据.csv", "%2e%2e%2f", "a%00b", "a;b=c", "'", "=?utf-8?q?x?=",
		"CON", "\xff\xfe", strings.Repeat("é", 300), "a. ", "\u00a0", "a\u0338", "~x", "filename*=UTF-8''x",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		header := Disposition(name)
		for i := range len(header) {
			if header[i] < ' ' || header[i] > '~' {
				t.Fatalf("Disposition(%q) = %q, want printable ASCII", name, header)
			}
		}
		plain, full, ok := strings.Cut(strings.TrimPrefix(header, `attachment; filename="`), `"; filename*=UTF-8''`)
		if !ok || !strings.HasPrefix(header, "attachment; ") || strings.ContainsAny(plain, "\"\\%/") || strings.ContainsAny(full, "\"\\/;,' ") {
			t.Fatalf("Disposition(%q) = %q, want two plain parts", name, header)
		}
		clean, err := url.PathUnescape(full)
		if err != nil || clean != FileName(name) || utf8.RuneCountInString(plain) != utf8.RuneCountInString(clean) {
			t.Fatalf("Disposition(%q) = %q: %q and %q, want the same name twice", name, header, plain, clean)
		}
		kind, parameters, err := mime.ParseMediaType(header)
		if err != nil || kind != "attachment" || parameters["filename"] != clean {
			t.Fatalf("Disposition(%q) reads as %q %q, %v; want the name %q", name, kind, parameters, err, clean)
		}
		checkFileName(t, name, clean)
	})
}

// extension is what a name says of its type.
var extension = regexp.MustCompile(`\.[A-Za-z0-9]{1,16}$`)

func checkFileName(t *testing.T, name, clean string) {
	t.Helper()
	if clean == "" || len(clean) > maxFileName+1 || !utf8.ValidString(clean) || clean[0] == '.' || strings.TrimRight(clean, " .") != clean || strings.ContainsAny(clean, `/\:`) || reserved(clean) {
		t.Fatalf("FileName(%q) = %q, which is no name to write to a disk", name, clean)
	}
	for _, r := range clean {
		if !unicode.IsGraphic(r) && !unicode.Is(unicode.Cn, r) && unicode.In(r, unicode.C) {
			t.Fatalf("FileName(%q) = %q, which holds the hidden %U", name, clean, r)
		}
	}
	if again := FileName(clean); again != clean {
		t.Fatalf("fileName twice: %q, then %q", clean, again)
	}
	if ext := extension.FindString(name); ext != "" && utf8.ValidString(name) && extension.FindString(clean) != ext {
		t.Fatalf("FileName(%q) = %q: the type has changed", name, clean)
	}
}
