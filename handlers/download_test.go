package handlers

import (
	"io"
	"mime"
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestDownload(t *testing.T) {
	f := full()
	o := openFolder(t, f, false)
	hash := sum(f.files["report.html"])
	r := o.ask("/a/local/"+hash+"/report.html", "Range: bytes=0-2")
	carries(t, "a download", r, downloadKind)
	if b, err := io.ReadAll(r.Body); err != nil || r.StatusCode != 200 || string(b) != "<p>report" || r.Header.Get("Content-Length") != "9" {
		t.Errorf("the download = %d %q of %s bytes, want the whole file", r.StatusCode, b, r.Header.Get("Content-Length"))
	}
	for _, address := range []string{
		"/a/local/" + hash + "/same.html", "/a/local/" + hash + "/brief.md", "/a/local/" + sum(nil) + "/report.html", "/a/other/" + hash + "/report.html",
		"/a/local/" + hash + "/..%2freport.html", "/a/local/" + hash + "/~cmVwb3J0Lmh0bWw", "/a/local/" + hash + "/~", "/a/local/" + hash + "/", "/a/local/" + hash,
		"/a/local/x/report.html",
	} {
		expect(t, address, o.ask(address), 404, "<h1>")
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
		if got := fileName(name); got != want {
			t.Errorf("fileName(%q) = %q, want %q", name, got, want)
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
		header := disposition(name)
		for i := range len(header) {
			if header[i] < ' ' || header[i] > '~' {
				t.Fatalf("disposition(%q) = %q, want printable ASCII", name, header)
			}
		}
		plain, full, ok := strings.Cut(strings.TrimPrefix(header, `attachment; filename="`), `"; filename*=UTF-8''`)
		if !ok || !strings.HasPrefix(header, "attachment; ") || strings.ContainsAny(plain, "\"\\%/") || strings.ContainsAny(full, "\"\\/;,' ") {
			t.Fatalf("disposition(%q) = %q, want two plain parts", name, header)
		}
		clean, err := url.PathUnescape(full)
		if err != nil || clean != fileName(name) || utf8.RuneCountInString(plain) != utf8.RuneCountInString(clean) {
			t.Fatalf("disposition(%q) = %q: %q and %q, want the same name twice", name, header, plain, clean)
		}
		kind, parameters, err := mime.ParseMediaType(header)
		if err != nil || kind != "attachment" || parameters["filename"] != clean {
			t.Fatalf("disposition(%q) reads as %q %q, %v; want the name %q", name, kind, parameters, err, clean)
		}
		checkFileName(t, name, clean)
	})
}

func checkFileName(t *testing.T, name, clean string) {
	t.Helper()
	if clean == "" || len(clean) > maxFileName+1 || !utf8.ValidString(clean) || clean[0] == '.' || strings.TrimRight(clean, " .") != clean || strings.ContainsAny(clean, `/\:`) || reserved(clean) {
		t.Fatalf("fileName(%q) = %q, which is no name to write to a disk", name, clean)
	}
	for _, r := range clean {
		if !unicode.IsGraphic(r) && !unicode.Is(unicode.Cn, r) && unicode.In(r, unicode.C) {
			t.Fatalf("fileName(%q) = %q, which holds the hidden %U", name, clean, r)
		}
	}
	if again := fileName(clean); again != clean {
		t.Fatalf("fileName twice: %q, then %q", clean, again)
	}
	if ext := extension(name); ext != "" && extension(clean) != ext {
		t.Fatalf("fileName(%q) = %q: the type has changed", name, clean)
	}
}

func FuzzSegment(f *testing.F) {
	for _, name := range []string{"report.html", "", "..", ".", "a/b", "~", "~cmVwb3J0Lmh0bWw", "März.md", "\xff", strings.Repeat("a", 101), "-x", "a b"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		s := segment(name)
		if got, ok := named(s); !ok || got != name {
			t.Fatalf("segment(%q) = %q, which reads as %q, %v", name, s, got, ok)
		}
		if u, err := url.Parse("/a/" + s); err != nil || u.Path != "/a/"+s || u.RawPath != "" || u.JoinPath().Path != "/a/"+s {
			t.Fatalf("segment(%q) = %q, which does not travel in an address", name, s)
		}
		if got, ok := named(name); ok && segment(got) != name {
			t.Fatalf("named(%q) = %q, whose segment is %q", name, got, segment(got))
		}
	})
}
