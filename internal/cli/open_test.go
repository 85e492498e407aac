package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
)

// visitor is a browser as far as cookies and redirects go.
func visitor(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar}
}

func get(t *testing.T, c *http.Client, address string, headers ...string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequest("GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	answer, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(b)
}

func addressIn(t *testing.T, line string) string {
	t.Helper()
	var first struct{ Address string }
	if err := json.Unmarshal([]byte(line), &first); err != nil || !strings.HasPrefix(first.Address, "http://127.0.0.1:") {
		t.Fatalf("open begins with %q, want the address", line)
	}
	return first.Address
}

// drain reads events so that the program is not held up by them.
func drain(lines interface{ Scan() bool }) {
	go func() {
		for lines.Scan() {
		}
	}()
}

func TestOpen(t *testing.T) {
	line, lines, stop := started(t, "open", "--agent", sample)
	drain(lines)
	address := addressIn(t, line)
	one, other := visitor(t), visitor(t)
	origin := address[:strings.Index(address, "/open")]
	if status, _, _ := get(t, one, origin+"/w/local"); status != 403 {
		t.Errorf("without a session: %d, want 403", status)
	}
	if status, _, page := get(t, one, origin+"/open?key=guess"); status != 403 {
		t.Errorf("a wrong key: %d %s, want 403", status, page)
	} else {
		messages.Check(t, "open: wrong key", pagetest.Told(t, page))
	}
	if status, _, page := get(t, one, address); status != 200 || !strings.Contains(page, "Send the October statement to Acme") {
		t.Errorf("the address: %d, want the first view", status)
	}
	if status, _, page := get(t, other, address); status != 403 {
		t.Errorf("the address again: %d %s, want 403", status, page)
	} else {
		messages.Check(t, "open: used key", pagetest.Told(t, page))
	}
	if status, _, page := get(t, one, origin+"/w/local/agents/1/asks/acme-send"); status != 200 || !strings.Contains(page, "acme-2026-10-v2.html") {
		t.Errorf("an ask: %d, want its page with its attachments", status)
	}
	if code := stop(); code != 0 {
		t.Errorf("a stopped open exits %d, want 0", code)
	}
}

var frame = regexp.MustCompile(`<iframe[^>]* src="([^"]+)"`)

// With an origin of its own the viewer needs no session, but a signed address.
func TestOpenViewerApart(t *testing.T) {
	line, lines, _ := started(t, "open", "--agent", sample, "--viewer-addr", "127.0.0.1:0")
	drain(lines)
	address := addressIn(t, line)
	person := visitor(t)
	get(t, person, address)
	origin := address[:strings.Index(address, "/open")]
	_, header, page := get(t, person, origin+"/w/local/agents/1/files/acme-wip.csv")
	m := frame.FindStringSubmatch(page)
	if m == nil {
		_, header, page = get(t, person, origin+"/w/local/agents/1/asks/acme-send")
		m = frame.FindStringSubmatch(page)
	}
	if m == nil {
		t.Fatal("no page of an attachment frames it")
	}
	document := strings.ReplaceAll(m[1], "&amp;", "&")
	u, err := url.Parse(document)
	if err != nil || u.Host == "" || "http://"+u.Host == origin {
		t.Fatalf("the frame leads to %q, want another origin than %s", document, origin)
	}
	if want := "frame-src http://" + u.Host + "/v/;"; !strings.Contains(header.Get("Content-Security-Policy"), want) {
		t.Errorf("policy %q, want %q in it", header.Get("Content-Security-Policy"), want)
	}
	status, header, _ := get(t, http.DefaultClient, document, "Sec-Fetch-Dest: iframe", "Sec-Fetch-Site: same-site")
	if status != 200 || !strings.Contains(header.Get("Content-Security-Policy"), "frame-ancestors "+origin+" ") {
		t.Errorf("the document: %d %q, want it for frames of %s", status, header.Get("Content-Security-Policy"), origin)
	}
	if status, _, _ := get(t, http.DefaultClient, strings.Replace(document, "view=rendered", "view=source", 1)); status != 403 {
		t.Errorf("a changed address: %d, want 403", status)
	}
	if status, _, _ := get(t, person, origin+u.RequestURI()); status != 404 {
		t.Errorf("the document beside the pages: %d, want 404", status)
	}
}

func TestOpenSays(t *testing.T) {
	line, lines, stop := started(t, "open", sample)
	if !regexp.MustCompile(`^http://127\.0\.0\.1:\d+/open\?key=[A-Z2-7]{26}$`).MatchString(line) {
		t.Errorf("open begins with %q, want the address alone", line)
	}
	if lines.Scan(); !strings.Contains(lines.Text(), "It works once") {
		t.Errorf("then it says %q", lines.Text())
	}
	drain(lines)
	if code := stop(); code != 0 {
		t.Errorf("a stopped open exits %d, want 0", code)
	}
}

// A file that changes while it is open gets another address, and the old one says so.
func TestOpenChanges(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sample)); err != nil {
		t.Fatal(err)
	}
	line, lines, _ := started(t, "open", "--agent", dir)
	drain(lines)
	address := addressIn(t, line)
	person := visitor(t)
	get(t, person, address)
	origin := address[:strings.Index(address, "/open")]
	document := func() string {
		t.Helper()
		_, _, page := get(t, person, origin+"/w/local/agents/1/asks/acme-send")
		m := frame.FindStringSubmatch(page)
		if m == nil {
			t.Fatal("the ask frames nothing")
		}
		return m[1]
	}
	before := document()
	file := filepath.Join(dir, ".figs", "artifacts", "acme-2026-10-v2.html")
	if err := os.WriteFile(file, []byte("<p>changed meanwhile"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, body := get(t, person, origin+before); status != 404 {
		t.Errorf("the old address: %d %q, want 404", status, body)
	} else {
		messages.Check(t, "open: file changed", pagetest.Told(t, body))
	}
	after := document()
	if status, _, body := get(t, person, origin+after); status != 200 || after == before || !strings.Contains(body, "changed meanwhile") {
		t.Errorf("the new address %s: %d %q, want the new bytes", after, status, body)
	}
}

// A link among the attachments is listed, and not followed; its page says why.
func TestOpenFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sample)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../agent.json", filepath.Join(dir, ".figs", "artifacts", "link.json")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	line, lines, _ := started(t, "open", "--agent", dir)
	drain(lines)
	address := addressIn(t, line)
	person := visitor(t)
	get(t, person, address)
	status, _, page := get(t, person, address[:strings.Index(address, "/open")]+"/w/local/agents/1/files/link.json")
	if status != 200 || !strings.Contains(page, "link.json") || strings.Contains(page, "<iframe") {
		t.Errorf("the page of a link: %d, want a page that shows nothing of it", status)
	}
	messages.Check(t, "open: link", pagetest.Lines(pagetest.All(pagetest.Parse(t, page), ".stage")...))
}
