package pages_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/wasm/bridge"
	"github.com/figs-web/figs-web/wasm/reader/pages"
)

const (
	atNoon   = "2026-11-20T12:00:00Z"
	question = `{"id":"q","type":"question","status":"open","ts":"2026-11-20T10:00:00Z","title":"Which?","options":["One","Two \"2\""]}`
	signOff  = `{"id":"s","type":"sign-off","status":"open","ts":"2026-11-20T10:00:00Z","title":"Send?","attachments":["brief.md","late.md"],"onApprove":["Note it","Email it (irreversible)"]}`
	bare     = `{"id":"s","type":"sign-off","status":"open","ts":"2026-11-20T10:00:00Z","title":"Send?"}`
)

// counter is a folder in an engine, asked about its first ask.
type counter struct {
	t *testing.T
	e *bridge.Engine
}

func folder(t *testing.T, asks, messages string, files ...[2]any) *counter {
	t.Helper()
	c := &counter{t, bridge.New()}
	c.call(map[string]any{"op": "open", "keep": true, "now": atNoon, "agents": []string{".figs"}})
	for file, content := range map[figs.File]string{figs.Asks: asks + "\n", figs.Messages: messages} {
		copy(c.e.Buffer(len(content)), content)
		c.e.Feed(0, int(file), len(content))
	}
	c.call(map[string]any{"op": "attach", "agent": 0, "files": files})
	c.call(map[string]any{"op": "finish"})
	return c
}

func (c *counter) call(request map[string]any) {
	line, _ := json.Marshal(request)
	var answer struct{ Error string }
	if got := c.e.Call(line); json.Unmarshal(got, &answer) != nil || answer.Error != "" {
		c.t.Fatalf("Call(%s) = %s", line, got)
	}
}

// ask puts a request about the ask to the reader, with what the engine selects for its page.
func (c *counter) ask(request map[string]any) (head map[string]json.RawMessage, body string) {
	c.t.Helper()
	request["path"] = "/1/asks/1"
	if request["now"] == nil {
		request["now"] = atNoon
	}
	plan, _ := asked(c.t, map[string]any{"op": "plan", "path": "/1/asks/1"}, nil)
	head, html := asked(c.t, request, c.e.Call(plan["request"]))
	return head, string(html)
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([a-z]+)" value="([^"]*)"`)

// form is what the page's form carries before anything is typed.
func (c *counter) form(opened map[string]string) url.Values {
	c.t.Helper()
	_, page := c.ask(map[string]any{"op": "page", "id": "page", "opened": opened, "by": "Ada"})
	if !strings.Contains(page, "data-compose") {
		c.t.Fatalf("the page has no form:\n%s", page)
	}
	v := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(page, -1) {
		v.Add(m[1], m[2])
	}
	v.Set("by", "Ada")
	return v
}

// reply sends a form, with more fields in it.
func (c *counter) reply(v url.Values, opened map[string]string, more ...string) (head map[string]json.RawMessage, body string) {
	c.t.Helper()
	for i := 0; i < len(more); i += 2 {
		v.Add(more[i], more[i+1])
	}
	return c.ask(map[string]any{"op": "reply", "form": v.Encode(), "id": "reply-1", "opened": opened, "parts": map[string]int{"1/late.md": 62}})
}

var copied = regexp.MustCompile(`data-copy="([^"]*)"`)

// line is the event in an answer, which must stand in it whole.
func line(t *testing.T, body string) string {
	t.Helper()
	m := copied.FindStringSubmatch(body)
	if m == nil {
		t.Fatalf("there is no line in\n%s", body)
	}
	text := strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&amp;", "&", "&lt;", "<", "&gt;", ">").Replace(m[1])
	if !json.Valid([]byte(text)) || strings.Contains(text, "\n") {
		t.Fatalf("%q is no line", text)
	}
	return text
}

func TestReply(t *testing.T) {
	c := folder(t, question, "")
	head, body := c.reply(c.form(nil), nil, "verdict", "answer", "chosen", `Two "2"`, "text", "  Because.\r\nSo. ")
	want := `{"id":"reply-1","kind":"answer","ask":"q","by":"Ada","ts":"2026-11-20T12:00:00Z","source":"chat","chosen":"Two \"2\"","text":"  Because.\nSo. "}`
	if got := line(t, body); got != want || string(head["status"]) != "200" {
		t.Errorf("the line is\n%s, want\n%s", got, want)
	}
	if head["note"] != nil || string(head["ask"]) != `"q"` {
		t.Errorf("the head is %s %s", head["note"], head["ask"])
	}
	if state := c.after(line(t, body)); state.Phase != figs.Replied || !state.Reported {
		t.Errorf("with the line the ask stands at %+v, want a reported reply", state)
	}
}

// after is where the ask stands when the line is in the ledger.
func (c *counter) after(lines ...string) figs.AskState {
	f := figs.New(figs.Options{Keep: true, Now: atNoon})
	f.Feed(figs.Asks, []byte(question+"\n"))
	for _, line := range lines {
		f.Feed(figs.Messages, []byte("\n"+line+"\n"))
	}
	f.Finish()
	return f.State(0)
}

// told is what an answer to a form tells.
func told(t *testing.T, body string) []string {
	t.Helper()
	return pagetest.Lines(pagetest.All(pagetest.Parse(t, body), "[role=alert]")...)
}

// TestRefusedReply holds that what is no reply becomes no line, with the reason.
func TestRefusedReply(t *testing.T) {
	for name, test := range map[string]struct {
		asks   string
		fields []string
	}{
		"no option":           {question, []string{"verdict", "answer", "chosen", "Three"}},
		"verdict on question": {question, []string{"verdict", "approved"}},
		"answer to sign-off":  {bare, []string{"verdict", "answer", "text", "Yes"}},
		"no such verdict":     {bare, []string{"verdict", "maybe"}},
		"empty answer":        {question, []string{"verdict", "answer"}},
		"no note":             {bare, []string{"verdict", "changes-requested", "text", " \u200b "}},
		"bidi":                {question, []string{"verdict", "answer", "text", "a\u202eb"}},
		"control":             {question, []string{"verdict", "answer", "text", "a\x1bb"}},
		"1 MB":                {question, []string{"verdict", "answer", "text", strings.Repeat("a", 1<<20)}},
		"10 MB":               {question, []string{"verdict", "answer", "text", strings.Repeat("a", 10<<20)}},
	} {
		c := folder(t, test.asks, "")
		head, body := c.reply(c.form(nil), nil, test.fields...)
		if string(head["status"]) != "422" || copied.MatchString(body) {
			t.Errorf("%s: status %s, want 422 and no line in\n%.2000s", name, head["status"], body)
		}
		messages.Check(t, "reply: "+name, told(t, body))
	}
	c := folder(t, question, "")
	v := c.form(nil)
	v.Set("by", " ")
	_, body := c.reply(v, nil, "chosen", "One")
	messages.Check(t, "reply: without a name", told(t, body))
	v = c.form(nil)
	v.Set("revision", strings.Replace(v.Get("revision"), "1.", "2.", 1))
	if _, body = c.reply(v, nil, "chosen", "One"); copied.MatchString(body) {
		t.Errorf("a reply to another revision: %s", body)
	}
	messages.Check(t, "reply: to another revision", told(t, body))
	for _, path := range []string{"/1/asks/2", "/2/asks/1", "/1/jobs/1", "", "/1/asks"} {
		first, _, _ := bytes.Cut(pages.Answer([]byte(`{"op":"reply","path":"`+path+`"}`+"\n")), []byte{'\n'})
		if !bytes.Contains(first, []byte("no ask at this address")) {
			t.Errorf("a reply at %q is answered with %s", path, first)
		}
	}
}

// TestBarred holds that an ask which takes no reply says why, on its page and to a form that is sent all the same.
func TestBarred(t *testing.T) {
	for name, test := range map[string]struct{ asks, messages string }{
		"closed":     {question + "\n" + `{"id":"q","status":"resolved","resolution":{"via":"human","ts":"2026-11-20T11:00:00Z"}}`, ""},
		"withdrawn":  {question + "\n" + `{"id":"q","status":"withdrawn"}`, ""},
		"misspelled": {strings.Replace(signOff, "sign-off", "signoff", 1), ""},
		"unknown":    {strings.Replace(signOff, "sign-off", "release", 1), ""},
		"declined":   {bare, `{"id":"m","kind":"verdict","ask":"s","by":"Bo","ts":"2026-11-20T11:00:00Z","source":"chat","verdict":"rejected","text":"No."}` + "\n"},
	} {
		c := folder(t, test.asks, test.messages)
		_, page := c.ask(map[string]any{"op": "page"})
		if strings.Contains(page, "data-compose") {
			t.Errorf("%s: the page has a form", name)
		}
		messages.Check(t, "barred: "+name+", the page", pagetest.Told(t, page))
		head, body := c.reply(url.Values{"by": {"Ada"}, "text": {"Kept"}}, nil)
		if string(head["status"]) != "422" {
			t.Errorf("%s: a form is answered with %s\n%s", name, head["status"], body)
		}
		messages.Check(t, "barred: "+name+", a form", told(t, body))
	}
}

// TestGate holds that nothing is approved that was neither opened nor waived, and that an attachment which is not in this
// copy cannot be let pass.
func TestGate(t *testing.T) {
	sum := strings.Repeat("ab", 32)
	c := folder(t, signOff, "", [2]any{"brief.md", 10}, [2]any{"late.md", 20})
	v := c.form(nil)
	if got := len(v["file"]); got != 2 {
		t.Fatalf("the form carries %d files", got)
	}
	head, body := c.reply(v, nil, "verdict", "approved")
	if string(head["status"]) != "422" {
		t.Errorf("an approval of nothing seen: %s\n%s", head["status"], body)
	}
	messages.Check(t, "reply: nothing seen", told(t, body))
	opened := map[string]string{"1/brief.md": sum}
	head, body = c.reply(c.form(nil), opened, "verdict", "approved", "waive", "2", "reason", "Late.", "step", "2") // opened after the form was written
	if string(head["status"]) != "200" {
		t.Fatalf("the approval is answered with %s\n%s", head["status"], body)
	}
	if got, want := line(t, body), `"},"reviewed":[{"name":"brief.md","sha256":"`+sum+`","opened":true,"how":"screen"},{"name":"late.md","part":62,"waived":true,"reason":"Late."}]}`; !strings.HasSuffix(got, want) || !strings.Contains(got, `"verdict":"approved","asked":{"round":1,"sha256":"`) {
		t.Errorf("the line is %s, want …%s", got, want)
	}
	c = folder(t, signOff, "", [2]any{"brief.md", 10})
	head, body = c.reply(c.form(nil), opened, "verdict", "approved", "waive", "2", "reason", "Late.", "step", "2")
	if string(head["status"]) != "422" || !strings.Contains(body, "late.md") {
		t.Errorf("an attachment that is not there is let pass: %s\n%s", head["status"], body)
	}
	if head, _ = c.reply(c.form(nil), nil, "verdict", "rejected", "text", "No."); string(head["status"]) != "200" {
		t.Error("declining waits for attachments")
	}
}

// TestRound holds that a reply belongs to what was read, whatever the clocks say.
func TestRound(t *testing.T) {
	requested := `{"id":"m","kind":"verdict","ask":"s","by":"Bo","ts":"2026-11-20T12:00:00Z","source":"chat","verdict":"changes-requested","text":"More."}` + "\n"
	again := `{"id":"s","type":"sign-off","status":"open","ts":"%","title":"Send it?"}`
	for name, test := range map[string]struct {
		raised, messages, want string
		note                   bool
	}{
		"now":    {"2026-11-20T11:00:00Z", "", "2026-11-20T12:00:00Z", false},
		"tie":    {"2026-11-20T12:00:00Z", requested, "2026-11-20T12:00:01Z", false},
		"part":   {"2026-11-20T12:00:00.5Z", requested, "2026-11-20T12:00:02Z", false},
		"ahead":  {"2027-01-01T00:00:00+01:00", requested, "2026-12-31T23:00:01Z", true},
		"spoken": {"2026-11-20T11:00:00Z", strings.Replace(requested, "12:00:00", "13:00:00", 1), "2026-11-20T13:00:00Z", true},
	} {
		asks := bare + "\n" + strings.Replace(again, "%", test.raised, 1)
		c := folder(t, asks, test.messages)
		head, body := c.reply(c.form(nil), nil, "verdict", "approved")
		text := line(t, body)
		if !strings.Contains(text, `"ts":"`+test.want+`"`) || (head["note"] != nil) != test.note {
			t.Errorf("%s: the line is %s with the note %s, want %s", name, text, head["note"], test.want)
		}
		f := figs.New(figs.Options{Keep: true, Now: atNoon})
		f.Feed(figs.Asks, []byte(asks+"\n"))
		f.Feed(figs.Messages, []byte(test.messages+"\n"+text+"\n"))
		f.Finish()
		if state := f.State(0); state.Phase != figs.Replied {
			t.Errorf("%s: with the line the ask is %s", name, state.Phase)
		}
	}
}
