package handlers

import (
	"github.com/figs-web/figs-web/internal/journal"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/handlers/viewer"
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

func FuzzSegment(f *testing.F) {
	for _, name := range []string{"report.html", "", "..", ".", "a/b", "~", "~cmVwb3J0Lmh0bWw", "März.md", "\xff", strings.Repeat("a", 101), "-x", "a b"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		s := viewer.Segment(name)
		if got, ok := journal.ParseSegment(s); !ok || got != name {
			t.Fatalf("segment(%q) = %q, which reads as %q, %v", name, s, got, ok)
		}
		if u, err := url.Parse("/a/" + s); err != nil || u.Path != "/a/"+s || u.RawPath != "" || u.JoinPath().Path != "/a/"+s {
			t.Fatalf("segment(%q) = %q, which does not travel in an address", name, s)
		}
		if got, ok := journal.ParseSegment(name); ok && viewer.Segment(got) != name {
			t.Fatalf("named(%q) = %q, whose segment is %q", name, got, viewer.Segment(got))
		}
	})
}
