package handlers

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// The headers of a document are the design's, to the letter.
var frameHeaders = map[string]string{
	"Content-Security-Policy":      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox",
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"X-DNS-Prefetch-Control":       "off",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Permissions-Policy":           viewer.Features,
	"Cache-Control":                "private, no-store",
	"Accept-Ranges":                "none",
}

var framed = []string{"Sec-Fetch-Dest: iframe", "Sec-Fetch-Site: same-origin"}

func carries(t *testing.T, what string, r *http.Response, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if got := r.Header.Values(name); len(got) != 1 || got[0] != value {
			t.Errorf("%s: %s = %q, want %q", what, name, got, value)
		}
	}
}

func TestFrame(t *testing.T) {
	f := full()
	o := openFolder(t, f, false)
	address := "/v/local/" + sum(f.files["report.html"]) + ".html"
	for query, want := range map[string]string{
		"": "document of attachment.html as rendered: <p>report", "?view=rendered": "as rendered", "?view=source": "as source", "?view=text": "as text",
	} {
		r := o.ask(address+query, framed...)
		carries(t, address+query, r, frameHeaders)
		if got := r.Header.Get("Content-Type"); got != "text/html; charset=utf-8" {
			t.Errorf("%s: type %q", query, got)
		}
		expect(t, query, r, 200, want)
	}
	expect(t, "the same bytes as text", o.ask(strings.TrimSuffix(address, "html")+"txt", framed...), 200, "document of attachment.txt")
	compared := address + "/" + sum(f.files["brief.md"]) + ".md"
	r := o.ask(compared, framed...)
	carries(t, "a comparison", r, frameHeaders)
	expect(t, "a comparison", r, 200, "from <p>report to # Brief")
}

func TestFrameNotFound(t *testing.T) {
	f := full()
	o := openFolder(t, f, false)
	html, csv := sum(f.files["report.html"]), sum(f.files["data.csv"])
	for _, address := range []string{
		"/v/local/" + html + ".md", "/v/local/" + html + ".svg", "/v/local/" + html, "/v/local/" + html + ".HTML", "/v/other/" + html + ".html",
		"/v/local/" + strings.ToUpper(html) + ".html", "/v/local/" + sum(nil) + ".html", "/v/local/" + html + ".html?view=raw", "/v/local/" + html + ".html?view=compare",
		"/v/local/report.html", "/v/local/..%2f" + html + ".html", "/v/local/" + csv + ".csv", "/v/local/" + csv + ".csv?view=source", "/v/local/" + html + ".html%00",
		"/v/local/" + html + ".html/" + html + ".md", "/v/local/" + html + ".html/" + html + ".html?view=source", "/v/local/" + html + ".html/x",
	} {
		r := o.ask(address, framed...)
		carries(t, address, r, frameHeaders)
		expect(t, address, r, 404, "<strong>")
	}
}

// A document is for frames of our own pages; a browser that tells nothing is believed.
func TestFrameOnlyForFrames(t *testing.T) {
	f := full()
	o := openFolder(t, f, false)
	address := "/v/local/" + sum(f.files["report.html"]) + ".html"
	for _, dest := range []string{"", "iframe", "document", "empty", "object", "embed", "frame", "image", "script", "style", "worker", "IFRAME"} {
		for _, site := range []string{"", "same-origin", "same-site", "cross-site", "none"} {
			var headers []string
			if dest != "" {
				headers = append(headers, "Sec-Fetch-Dest: "+dest)
			}
			if site != "" {
				headers = append(headers, "Sec-Fetch-Site: "+site)
			}
			want := 403
			if dest == "iframe" && site == "same-origin" || dest == "" && site == "" {
				want = 200
			}
			r := o.ask(address, headers...)
			carries(t, dest+" "+site, r, map[string]string{"X-Content-Type-Options": "nosniff", "Content-Security-Policy": frameHeaders["Content-Security-Policy"]})
			if body := text(t, r); r.StatusCode != want || want == 403 && strings.Contains(body, "document of") {
				t.Errorf("Sec-Fetch-Dest %q, Sec-Fetch-Site %q: %d, want %d", dest, site, r.StatusCode, want)
			}
		}
	}
}

func TestSignedFrame(t *testing.T) {
	f := full()
	o := openFolder(t, f, true)
	attached := &web.Shown{Viewer: o.s.Viewer, Digests: f, Workspace: "local"}
	v, err := attached.View(context.Background(), "1", &journal.File{Name: "report.html"}, report.Source)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(v.Frame)
	if err != nil || "http://"+u.Host != "http://"+viewerListens {
		t.Fatalf("the frame is at %q, want the viewer's origin", v.Frame)
	}
	get := func(address string, headers ...string) *http.Response {
		return request(o.Viewer, "GET", viewerListens, address, headers...)
	}
	frame := "Sec-Fetch-Dest: iframe"
	r := get(u.RequestURI(), frame, "Sec-Fetch-Site: same-site")
	want := map[string]string{}
	for name, value := range frameHeaders {
		want[name] = strings.Replace(value, "frame-ancestors 'self'", "frame-ancestors http://"+listens+" http://localhost:4000", 1)
	}
	carries(t, "signed", r, want)
	expect(t, "signed", r, 200, "as source")
	answerOf(t, get(u.RequestURI(), "Sec-Fetch-Dest: document", "Sec-Fetch-Site: none")).says(t, 403, "viewer-no-frame")
	for what, change := range map[string][2]string{
		"another view": {"view=source", "view=rendered"}, "another type": {".html", ".txt"}, "another time": {"until=1", "until=2"}, "no signature": {"signature=", "x="}, "one view more": {"?", "?view=text&"},
		"another workspace": {"/local/", "/other/"},
	} {
		changed := strings.Replace(u.RequestURI(), change[0], change[1], 1)
		if changed == u.RequestURI() {
			t.Fatalf("%s changes nothing in %s", what, changed)
		}
		answerOf(t, get(changed, frame, "Sec-Fetch-Site: same-site")).says(t, 403, "viewer-not-signed")
	}
	for host, status := range map[string]int{viewerListens: 200, "localhost:4001": 200, listens: 403, "evil.example": 403} {
		expect(t, host, get(u.RequestURI(), "Host: "+host), status, "")
	}
	o.now = o.now.Add(60 * time.Second)
	expect(t, "after 60 seconds", get(u.RequestURI(), frame, "Sec-Fetch-Site: cross-site"), 200, "as source")
	o.now = o.now.Add(time.Second)
	answerOf(t, get(u.RequestURI(), frame, "Sec-Fetch-Site: cross-site")).says(t, 403, "viewer-expired")
	expect(t, "beside the pages", o.ask(u.RequestURI(), framed...), 404, "")
	other := openFolder(t, f, true)
	answerOf(t, request(other.Viewer, "GET", viewerListens, u.RequestURI(), frame, "Sec-Fetch-Site: same-site")).says(t, 403, "viewer-not-signed")
}

func TestShown(t *testing.T) {
	f := full()
	o := openFolder(t, f, false)
	attached := &web.Shown{Viewer: o.s.Viewer, Digests: f, Workspace: "local"}
	v, err := attached.View(context.Background(), "1", &journal.File{Name: "report.html"}, report.Text)
	if err != nil {
		t.Fatal(err)
	}
	hash := sum(f.files["report.html"])
	if v.Frame != "/v/local/"+hash+".html?view=text" || v.Download != "/a/local/"+hash+"/report.html" || v.Result.Name != "report.html" || v.Result.SHA256 != hash || v.Result.Size != 9 {
		t.Errorf("View() = %q, %q, %+v", v.Frame, v.Download, v.Result)
	}
	v, err = attached.View(context.Background(), "1", &journal.File{Name: "data.csv"}, report.Source)
	if err != nil || v.Frame != "" || v.Download == "" {
		t.Errorf("a file that is never shown: frame %q, download %q, %v", v.Frame, v.Download, err)
	}
	c, err := attached.Compare(context.Background(), "1", &journal.File{Name: "report.html"}, &journal.File{Name: "brief.md"})
	if err != nil || c.Frame != "/v/local/"+hash+".html/"+sum(f.files["brief.md"])+".md" || c.Comparison.Before.Name != "report.html" || c.Comparison.After.SHA256 != sum(f.files["brief.md"]) {
		t.Errorf("Compare() = %+v, %v", c, err)
	}
	if _, err := attached.View(context.Background(), "1", &journal.File{Name: "nowhere.txt"}, report.Text); err == nil || attached.Fault != nil {
		t.Errorf("a file that is not there: %v, and for the operator %v", err, attached.Fault)
	}
}

// The name of a file is the asker's, also when its document was made for another name.
func TestNamesAreNotCached(t *testing.T) {
	f := &shelf{files: map[string][]byte{"a.txt": []byte("x"), "b.txt": []byte("x")}}
	o := openFolder(t, f, false)
	for _, name := range []string{"a.txt", "b.txt", "a.txt"} {
		attached := &web.Shown{Viewer: o.s.Viewer, Digests: f, Workspace: "local"}
		v, err := attached.View(context.Background(), "1", &journal.File{Name: name}, report.Rendered)
		if err != nil || v.Result.Name != name {
			t.Errorf("View(%s) names %q, %v", name, v.Result.Name, err)
		}
	}
}

// lying gives other bytes than it was asked for, as a file does that is exchanged in between.
type lying struct {
	*shelf
	size int
}

func (l lying) Attachment(ctx context.Context, workspace, sha256 string) (*journal.Attachment, error) {
	a, err := l.shelf.Attachment(ctx, workspace, sha256)
	if err == nil {
		a.Open = func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(strings.Repeat("other", l.size))), nil
		}
	}
	return a, err
}

func TestExchangedFileIsNotShown(t *testing.T) {
	f := full()
	hash := sum(f.files["report.html"])
	o := openFolder(t, lying{f, 1}, false)
	answerOf(t, o.ask("/v/local/"+hash+".html", framed...)).says(t, 404, "viewer-changed")
	short := o.ask("/a/local/" + hash + "/report.html")
	if kept := short.Header.Get("Content-Disposition"); kept != "" {
		t.Errorf("what is said of the file is to be kept as %s", kept)
	}
	answerOf(t, short).says(t, 404, "download-changed")
	o = openFolder(t, lying{f, 100_000}, false) // of which some is sent before the end is known
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("the download ends with %v, want the connection cut", p)
		}
		if e := o.events[len(o.events)-1]; e.Err == nil || !strings.Contains(e.Err.Error(), "cut off") {
			t.Errorf("event %+v, want why", e)
		}
	}()
	o.ask("/a/local/" + hash + "/report.html")
	t.Error("other bytes were sent as the whole file")
}

// Too large a file is read no further than the limits and one byte; its hash and size are whole.
func TestLargeFile(t *testing.T) {
	big := []byte(strings.Repeat("x", 1000))
	longer := append(big[:1000:1000], 'y')
	o := openFolder(t, &shelf{files: map[string][]byte{"big.txt": big, "longer.txt": longer}}, false)
	o.s.Viewer.Compare = sandbox.Compare
	o.s.Viewer.Limits.Input = 100
	var got int
	o.s.Viewer.Render = func(_ string, content []byte, _ report.View, _ report.Limits) *report.Result {
		got = len(content)
		return &report.Result{Document: []byte("cut"), Size: int64(len(content)), Facts: []report.Fact{{Name: "lines", Value: "1"}}}
	}
	r, err := o.s.Viewer.Result(context.Background(), "local", viewer.Document{SHA256: sum(big), Ext: "txt", View: report.Rendered})
	if err != nil || got != 101 || r.Size != 1000 || r.SHA256 != sum(big) || r.Facts != nil {
		t.Errorf("the sandbox got %d bytes, and says %+v, %v; want 101 bytes, the whole file's size and hash, and no facts of a part", got, r, err)
	}
	if c, err := o.s.Viewer.Comparison(context.Background(), "local", viewer.Document{SHA256: sum(big), Ext: "txt"}, viewer.Document{SHA256: sum(longer), Ext: "txt"}); err != nil || c.Same || c.After.Size != 1001 || c.Before.Facts != nil || c.After.Facts != nil {
		t.Errorf("two large files that begin alike: %+v, %v; want them to differ", c, err)
	}
}
