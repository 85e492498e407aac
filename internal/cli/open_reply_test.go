package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/internal/testenv"
)

// person replies in a browser to a folder that is open.
type person struct {
	t      *testing.T
	c      *http.Client
	origin string
	dir    string // the .figs folder
}

// openToReply opens a copy of the sample.
func openToReply(t *testing.T, change func(dir string), args ...string) *person {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sample)); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(dir)
	}
	return openPath(t, dir, args...)
}

func openPath(t *testing.T, path string, args ...string) *person {
	t.Helper()
	line, lines, _ := started(t, append([]string{"open", "--agent", path}, args...)...)
	drain(lines)
	address := addressIn(t, line)
	p := &person{t: t, c: visitor(t), origin: address[:strings.Index(address, "/open")], dir: filepath.Join(path, ".figs")}
	get(t, p.c, address)
	p.c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return p
}

const signOffAt = "/w/local/agents/1/asks/acme-send"

func (p *person) page(path string) string {
	p.t.Helper()
	status, _, page := get(p.t, p.c, p.origin+path)
	if status != 200 {
		p.t.Fatalf("%s = %d", path, status)
	}
	return page
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)

// form is what the page of an ask carries, with what is typed: "name=value".
func (p *person) form(at string, typed ...string) url.Values {
	p.t.Helper()
	v := url.Values{}
	for _, m := range hiddenField.FindAllStringSubmatch(p.page(at), -1) {
		v.Add(m[1], html.UnescapeString(m[2]))
	}
	if v.Get("revision") == "" {
		p.t.Fatalf("%s has no form", at)
	}
	for _, field := range typed {
		name, value, _ := strings.Cut(field, "=")
		v.Add(name, value)
	}
	return v
}

// send sends a form as a browser does.
func (p *person) send(to string, v url.Values, headers ...string) (int, http.Header, string) {
	p.t.Helper()
	r, err := http.NewRequest("POST", p.origin+to, strings.NewReader(v.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if len(headers) == 0 {
		headers = []string{"Sec-Fetch-Site: same-origin"}
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	answer, err := p.c.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(b)
}

func (p *person) ledger() string {
	p.t.Helper()
	b, err := os.ReadFile(filepath.Join(p.dir, "messages.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		p.t.Fatal(err)
	}
	return string(b)
}

// newest is the last line of the ledger.
func (p *person) newest() (m map[string]any) {
	p.t.Helper()
	lines := strings.Split(strings.TrimSpace(p.ledger()), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &m); err != nil {
		p.t.Fatal(err)
	}
	return m
}

// wordsOf is what a person reads of a page.
func wordsOf(page string) string {
	return strings.Join(strings.Fields(html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " "))), " ")
}

var viewNote = regexp.MustCompile(`data-view-note="([^"]*)"`)

// views says of the attachment that a page shows that it was read to its end, as the page's script does: too early
// is refused, and sent again.
func (p *person) views(at string) {
	p.t.Helper()
	page := p.page(at)
	report := url.Values{"revision": {p.form(at).Get("revision")}, "file": {html.UnescapeString(viewNote.FindStringSubmatch(page)[1])}}
	var status int
	var answer string
	if !testenv.Poll(10*time.Second, func() bool {
		status, _, answer = p.send(signOffAt+"/viewed", report)
		return status == 204
	}) {
		p.t.Fatalf("%s does not count as viewed: %d %s", at, status, wordsOf(answer))
	}
}

var change = []string{"by=Ada O'Hara", "verdict=changes-requested", "text=Shorter,\r\nplease."}

func TestOpenReply(t *testing.T) {
	p := openToReply(t, nil)
	before := p.ledger()
	form := p.form(signOffAt, change...)
	status, header, _ := p.send(signOffAt+"/decide", form)
	if status != 303 || !strings.HasPrefix(header.Get("Location"), signOffAt+"?notice=reply-saved") {
		t.Fatalf("decide = %d to %q", status, header.Get("Location"))
	}
	m := p.newest()
	if !strings.HasPrefix(p.ledger(), before+"\n{") || m["by"] != "Ada O'Hara" || m["source"] != "chat" || m["text"] != "Shorter,\nplease." || m["verdict"] != "changes-requested" || m["id"] != form.Get("key") {
		t.Errorf("the ledger has %v at its end", m)
	}
	page := p.page(header.Get("Location"))
	messages.Check(t, "open-reply: given", pagetest.Told(t, page))
	if len(pagetest.All(pagetest.Parse(t, page), "ol.thread li.is-revise .chip.is-transcribed")) == 0 {
		t.Errorf("the reply is not listed as transcribed: %s", wordsOf(page))
	}
	if !strings.Contains(page, `value="Ada O&#39;Hara"`) {
		t.Error("the name is asked again")
	}
	after := p.ledger()
	if status, header, _ := p.send(signOffAt+"/decide", form); status != 303 || !strings.Contains(header.Get("Location"), "notice=reply-already-saved") || p.ledger() != after {
		t.Errorf("sent twice = %d to %q, want that it stands there already", status, header.Get("Location"))
	}
}

// An approval waits for what was not opened and for steps that cannot be undone; it is never
// called more than reported.
func TestOpenApproves(t *testing.T) {
	for name, args := range map[string][]string{"beside": nil, "apart": {"--viewer-addr", "127.0.0.1:0"}} {
		p := openToReply(t, nil, args...)
		status, _, page := p.send(signOffAt+"/decide", p.form(signOffAt, "by=Ada", "verdict=approved", "text=Fine by me"))
		if status != 422 || !strings.Contains(page, "Fine by me") {
			t.Errorf("%s: an approval of what was not opened = %d", name, status)
		}
		messages.Check(t, "open-reply: nothing viewed", pagetest.Told(t, page))
		for _, m := range regexp.MustCompile(`name="remark-file">(.*?)</select>`).FindAllStringSubmatch(p.page(signOffAt), 1) {
			for _, key := range regexp.MustCompile(`value="([^"/]+)"`).FindAllStringSubmatch(m[1], -1) {
				document := html.UnescapeString(frame.FindStringSubmatch(p.page(signOffAt + "?show=" + key[1]))[1])
				if !strings.HasPrefix(document, "http") {
					document = p.origin + document
				}
				if status, _, _ := get(t, p.c, document, "Sec-Fetch-Dest: iframe", "Sec-Fetch-Site: same-origin"); status != 200 {
					t.Errorf("%s: a frame = %d", name, status)
				}
				if status, _, _ := p.send(signOffAt+"/decide", p.form(signOffAt, "by=Ada", "verdict=approved", "step=1")); status != 422 {
					t.Fatalf("%s: an approval of what was only sent to the page = %d", name, status)
				}
				p.views(signOffAt + "?show=" + key[1])
			}
		}
		status, header, page := p.send(signOffAt+"/decide", p.form(signOffAt, "by=Ada", "verdict=approved", "step=1"))
		if status != 303 {
			t.Fatalf("%s: an approval of what was opened = %d: %s", name, status, wordsOf(page))
		}
		page = p.page(header.Get("Location"))
		reported := pagetest.All(pagetest.Parse(t, page), "ol.thread li.is-reply .chip.is-transcribed")
		if m := p.newest(); m["verdict"] != "approved" || len(reported) != 1 || len(pagetest.All(pagetest.Parse(t, page), ".chip.is-verified")) > 0 {
			t.Errorf("%s: %v, and the page says %q", name, m, wordsOf(page))
		}
	}
}

// Whatever is wrong is said, the words stay, and the ledger is as it was.
func TestOpenReplyRefused(t *testing.T) {
	const words = "Words that must stay <b>&"
	p := openToReply(t, nil)
	before := p.ledger()
	for name, c := range map[string]struct {
		typed  []string
		status int
	}{
		"no name":                   {[]string{"verdict=rejected"}, 422},
		"a turned name":             {[]string{"by=A\u202eB", "verdict=rejected"}, 422},
		"a long name":               {[]string{"by=" + strings.Repeat("é", 101), "verdict=rejected"}, 422},
		"an answer to a sign-off":   {[]string{"by=Ada", "verdict=answer"}, 422},
		"no verdict of ours":        {[]string{"by=Ada", "verdict=yes"}, 422},
		"an option that is none":    {[]string{"by=Ada", "verdict=rejected", "chosen=Other"}, 422},
		"characters that hide":      {[]string{"by=Ada", "verdict=rejected", "text=a\u200bb"}, 422},
		"no UTF-8":                  {[]string{"by=Ada", "verdict=rejected", "text=\xff"}, 422},
		"a forged revision":         {[]string{"by=Ada", "verdict=rejected", "revision=9.9.9.x"}, 409},
		"no files":                  {[]string{"by=Ada", "verdict=rejected", "file="}, 409},
		"other bytes":               {[]string{"by=Ada", "verdict=rejected", "file=" + strings.Repeat("0", 64) + " brief.md"}, 409},
		"a megabyte":                {[]string{"by=Ada", "verdict=rejected", "text=" + strings.Repeat("a ", 1<<19)}, 422},
		"nothing but the verdict":   {[]string{"by=Ada", "verdict=rejected", "text= "}, 422},
		"more than a form may hold": {[]string{"by=Ada", "verdict=rejected", "text=" + strings.Repeat("a", 5<<20)}, 413},
	} {
		form := p.form(signOffAt)
		form.Set("text", words)
		for _, field := range c.typed {
			key, value, _ := strings.Cut(field, "=")
			form[key] = []string{value}
		}
		status, _, page := p.send(signOffAt+"/decide", form)
		if status != c.status || p.ledger() != before {
			t.Errorf("%s = %d %.300q, want %d and nothing written", name, status, wordsOf(page), c.status)
		}
		messages.Check(t, "open-reply: "+name, pagetest.Told(t, page))
		if form.Get("text") == words && !strings.Contains(page, html.EscapeString(words)) {
			t.Errorf("%s: the words are lost", name)
		}
	}
	for _, headers := range [][]string{{"Sec-Fetch-Site: cross-site"}, {"Sec-Fetch-Site: same-site"}, {"Sec-Fetch-Site: none"}, {"Origin: null"}, {"Origin: https://evil.example"}, {"X-Nothing: 1"}, {"Sec-Fetch-Site: same-origin", "Cookie: x=y", "Sec-Purpose: prefetch"}} {
		if status, _, _ := p.send(signOffAt+"/decide", p.form(signOffAt, change...), headers...); status != 403 || p.ledger() != before {
			t.Errorf("%q = %d, want 403 and nothing written", headers, status)
		}
	}
	if status, _, _ := p.send(signOffAt+"/decide", p.form(signOffAt, change...), "Origin: "+p.origin); status != 303 {
		t.Errorf("an older browser, which names its origin = %d, want 303", status)
	}
}

// Something newer than what was seen: 409 with what it is, and the words.
func TestOpenReplyStale(t *testing.T) {
	p := openToReply(t, nil)
	form := p.form(signOffAt, change...)
	f, err := os.OpenFile(filepath.Join(p.dir, "asks.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, `{"id":"acme-send","ts":"`+time.Now().UTC().Format(time.RFC3339)+`","type":"sign-off","title":"Send it to Acme and to Globex","onApprove":["Email both"]}`+"\n")
	f.Close()
	before := p.ledger()
	status, _, page := p.send(signOffAt+"/decide", form)
	if words := wordsOf(page); status != 409 || p.ledger() != before || !strings.Contains(words, "Globex") || !strings.Contains(page, "Shorter,") {
		t.Errorf("decide = %d %q, want 409 with what is new and the words", status, wordsOf(page))
	}
	f, err = os.OpenFile(filepath.Join(p.dir, "asks.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, `{"id":"acme-send","status":"withdrawn","resolution":{}}`+"\n")
	f.Close()
	status, _, page = p.send(signOffAt+"/decide", form)
	if status != 409 || p.ledger() != before {
		t.Errorf("of a closed ask = %d %q", status, wordsOf(page))
	}
	messages.Check(t, "open-reply: ask closed", pagetest.Told(t, page))
	os.RemoveAll(p.dir)
	gone := func() bool { // which it notices when it looks again
		status, _, page = p.send(signOffAt+"/decide", form)
		return status == 404
	}
	if !testenv.Poll(10*time.Second, gone) || !strings.Contains(page, "Shorter,") {
		t.Errorf("of a folder that is gone = %d %q, want 404 with the words", status, wordsOf(page))
	}
	messages.Check(t, "open-reply: folder gone", pagetest.Told(t, page))
}

func TestOpenDraftRemarkCommand(t *testing.T) {
	p := openToReply(t, nil)
	before := p.ledger()
	if status, _, _ := p.send(signOffAt+"/draft", p.form(signOffAt, "by=Ada", "text=half a thou"), "Sec-Fetch-Site: same-origin", "Accept: application/json"); status != 204 {
		t.Errorf("a script's draft = %d, want 204", status)
	}
	page := p.page(signOffAt)
	if !strings.Contains(page, "half a thou</textarea>") || !strings.Contains(page, `value="Ada"`) {
		t.Error("the draft or the name was not kept")
	}
	key := regexp.MustCompile(`<option value="([^"]+)"[^>]*>[^<]*brief.md`).FindStringSubmatch(page)
	if key == nil {
		t.Fatal("nothing can be said of brief.md")
	}
	status, header, _ := p.send(signOffAt+"/remark", p.form(signOffAt, "text=half a thought", "remark-file="+key[1], "remark-from=1", "remark-view=source", "remark-comment=Which month?"))
	if status != 303 || !strings.Contains(header.Get("Location"), "view=source") || !strings.HasSuffix(header.Get("Location"), "#remark-1") {
		t.Errorf("a comment = %d to %q", status, header.Get("Location"))
	}
	if page := p.page(header.Get("Location")); !strings.Contains(page, "half a thought</textarea>") || !strings.Contains(html.UnescapeString(page), "### Comment 1: `brief.md`, line 1 (sha256 32961cf5…)") {
		t.Error("the comment does not stand in the form")
	}
	for _, wrong := range []string{"remark-from=99999", "remark-quote=not in there", "remark-file=x"} {
		fields := []string{wrong, "text=stays", "remark-comment=x"}
		if !strings.HasPrefix(wrong, "remark-file") {
			fields = append(fields, "remark-file="+key[1])
		}
		if status, _, page := p.send(signOffAt+"/remark", p.form(signOffAt, fields...)); status != 422 || !strings.Contains(page, "stays</textarea>") {
			t.Errorf("%s = %d, want 422 with the words", wrong, status)
		}
	}
	status, _, page = p.send(signOffAt+"/command", p.form(signOffAt, "by=Ada O'Hara", "verdict=rejected", "text=$(id)"))
	if want := `figs answer 'acme-send' --by='Ada O'\''Hara' --reject --text='$(id)'`; status != 200 || !strings.Contains(html.UnescapeString(page), want) {
		t.Errorf("the command = %d, want %s in %q", status, want, wordsOf(page))
	}
	if p.ledger() != before {
		t.Error("a draft, a comment or a command was written")
	}
}

// A file alone takes no reply and says why.
func TestOpenFileAlone(t *testing.T) {
	p := openPath(t, filepath.Join(sample, ".figs", "asks.jsonl"))
	before, _ := os.ReadFile(filepath.Join(sample, ".figs", "messages.jsonl"))
	messages.Check(t, "open-reply: file alone", pagetest.Told(t, p.page(signOffAt)))
	form := p.form(signOffAt, "by=Ada", "verdict=rejected", "text=These words stay.")
	if status, _, page := p.send(signOffAt+"/command", form); status != 200 || !strings.Contains(html.UnescapeString(page), "figs answer 'acme-send' --by='Ada' --reject") {
		t.Errorf("the command = %d %q", status, wordsOf(page))
	}
	status, _, page := p.send(signOffAt+"/decide", form)
	after, _ := os.ReadFile(filepath.Join(sample, ".figs", "messages.jsonl"))
	if status != 409 || string(after) != string(before) {
		t.Errorf("decide = %d %q", status, wordsOf(page))
	}
	messages.Check(t, "open-reply: to a file alone", pagetest.Told(t, page))
}

// Several agents in one tree: each reply goes to its own folder, and one that comes later appears.
func TestOpenTree(t *testing.T) {
	tree := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.CopyFS(filepath.Join(tree, name), os.DirFS(sample)); err != nil {
			t.Fatal(err)
		}
	}
	p := openPath(t, tree)
	p.dir = filepath.Join(tree, "b", ".figs")
	at := "/w/local/agents/2/asks/acme-send"
	if status, _, page := p.send(at+"/decide", p.form(at, change...)); status != 303 {
		t.Fatalf("decide = %d %q", status, wordsOf(page))
	}
	one, _ := os.ReadFile(filepath.Join(tree, "a", ".figs", "messages.jsonl"))
	if p.newest()["by"] != "Ada O'Hara" || strings.Contains(string(one), "Ada O'Hara") {
		t.Error("the reply went to another folder")
	}
	r, err := http.NewRequest("GET", p.origin+"/w/local/events?seen=0", nil)
	if err != nil {
		t.Fatal(err)
	}
	events, err := p.c.Do(r)
	if err != nil || events.StatusCode != 200 {
		t.Fatal(events, err)
	}
	defer events.Body.Close()
	news := bufio.NewScanner(events.Body)
	changed := func() string {
		for news.Scan() {
			if n, ok := strings.CutPrefix(news.Text(), "id: "); ok {
				return n
			}
		}
		return ""
	}
	first := changed()
	if err := os.CopyFS(filepath.Join(tree, "0"), os.DirFS(sample)); err != nil {
		t.Fatal(err)
	}
	if second := changed(); first == "" || second == "" || second == first {
		t.Errorf("told %q, then %q; want that a new folder is news", first, second)
	}
	if page := p.page("/w/local/agents/3/asks/acme-send"); !strings.Contains(page, "acme-2026-10-v2.html") {
		t.Error("the agent that came later is not number 3")
	}
	if page := wordsOf(p.page(at)); !strings.Contains(page, "not verified") {
		t.Errorf("agent 2 is another one now: %q", page)
	}
}

// TestOpenMisspelledType opens an ask whose type is misspelled: its page has no form, and an answer or an approval that is sent by
// hand is refused.
func TestOpenMisspelledType(t *testing.T) {
	p := openToReply(t, func(dir string) {
		name := filepath.Join(dir, ".figs", "asks.jsonl")
		b, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, bytes.ReplaceAll(b, []byte(`"sign-off"`), []byte(`"signoff"`)), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	before := p.ledger()
	page := p.page(signOffAt)
	if strings.Contains(page, `name="verdict"`) || strings.Contains(page, "reply-text") {
		t.Errorf("the page has a form: %q", wordsOf(page))
	}
	messages.Check(t, "open-reply: type misspelled", pagetest.Told(t, page))
	for _, verdict := range []string{"answer", "approved", "rejected"} {
		for _, to := range []string{"/decide", "/command"} {
			status, _, page := p.send(signOffAt+to, url.Values{"key": {"00000000-0000-4000-8000-000000000000"}, "by": {"Ada"}, "verdict": {verdict}, "text": {"yes"}, "revision": {"2.2.1.x"}})
			if status != 409 || p.ledger() != before {
				t.Errorf("%s to %s = %d %q, want 409 and nothing written", verdict, to, status, wordsOf(page))
			}
		}
	}
}
