package pages_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/internal/remark"
)

const plan = "# Plan\n\nSend it on Monday.\n\nPay the difference by Friday.\n"

// ledgerLine is a reply to the first round of signOff, which asks for changes.
const ledgerLine = `{"id":"m","kind":"verdict","ask":"s","by":"Bo","ts":"2026-11-20T10:30:00Z","source":"chat","verdict":"changes-requested","text":%s}` + "\n"

// attached is an attachment as the page's script sends it, after the worker of the sandbox has read it.
func attached(t *testing.T, key, name, content string) (file map[string]any, pieces [2]string) {
	t.Helper()
	head, plain := asked(t, map[string]any{"op": "read", "name": name}, []byte(content))
	if err := json.Unmarshal(head["read"], &file); err != nil {
		t.Fatalf("%s: %v in %s", name, err, head)
	}
	file["key"] = key
	if file["text"] == true {
		pieces[0] = content
	}
	pieces[1] = string(plain)
	return file, pieces
}

// remarks changes the remarks of a form, as the page does: where the reader needs attachments, it asks once more with them.
func (c *counter) remarks(v url.Values, do string, files map[string]string) (head map[string]json.RawMessage, body string) {
	c.t.Helper()
	plan, _ := asked(c.t, map[string]any{"op": "plan", "path": "/1/asks/1"}, nil)
	selection := c.e.Call(plan["request"])
	request := map[string]any{"op": "remarks", "path": "/1/asks/1", "now": atNoon, "form": v.Encode(), "do": do}
	payload := packed(string(selection))
	for range 3 {
		head, html := asked(c.t, request, payload)
		if head["needs"] == nil {
			return head, string(html)
		}
		var needs []struct{ Key, Name string }
		if err := json.Unmarshal(head["needs"], &needs); err != nil || len(html) > 0 {
			c.t.Fatalf("%v: %s and %s", err, head["needs"], html)
		}
		given, _ := request["attached"].([]map[string]any)
		for _, need := range needs {
			content, ok := files[need.Name]
			if !ok {
				given = append(given, map[string]any{"key": need.Key, "problem": "missing"})
				payload = append(payload, packed("", "")...)
				continue
			}
			file, pieces := attached(c.t, need.Key, need.Name, content)
			given = append(given, file)
			payload = append(payload, packed(pieces[0], pieces[1])...)
		}
		request["attached"] = given
	}
	c.t.Fatal("the reader needs ever more attachments")
	return nil, ""
}

var (
	remarkPlace = regexp.MustCompile(`(?s)<input type="hidden" form="decide" name="remark" value="([^"]*)"`)
	remarkText  = regexp.MustCompile(`(?s)<textarea id="remark-text-\d+"[^>]*>([^<]*)</textarea>`)
)

// fields are those with which a panel carries its remarks.
func fields(panel string) url.Values {
	v := url.Values{}
	text := strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&amp;", "&", "&lt;", "<", "&gt;", ">", "&#xA;", "\n")
	for _, m := range remarkPlace.FindAllStringSubmatch(panel, -1) {
		v.Add("remark", text.Replace(m[1]))
	}
	for _, m := range remarkText.FindAllStringSubmatch(panel, -1) {
		v.Add("remark-text", text.Replace(m[1]))
	}
	return v
}

// with is a form with other fields in it.
func with(v url.Values, more ...string) url.Values {
	all := url.Values{}
	for name, values := range v {
		all[name] = append([]string(nil), values...)
	}
	for i := 0; i < len(more); i += 2 {
		all.Add(more[i], more[i+1])
	}
	return all
}

func TestRemarksAdded(t *testing.T) {
	c := folder(t, signOff, "", [2]any{"brief.md", len(plan)}, [2]any{"late.md", 20})
	form, files := c.form(nil), map[string]string{"brief.md": plan}
	_, panel := c.remarks(with(form, "remark-file", "brief.md", "remark-quote", "by Friday", "remark-comment", "By <Thursday>."), "add", files)
	kept := fields(panel)
	head, panel := c.remarks(with(form, "remark", kept.Get("remark"), "remark-text", kept.Get("remark-text"), "remark-file", "/step/2", "remark-comment", "Not this one."), "add", files)
	kept = fields(panel)
	if string(head["status"]) != "200" || string(head["at"]) != "2" || len(kept["remark"]) != 2 || kept["remark-text"][0] != "By <Thursday>." {
		t.Fatalf("two remarks were added: %s, %v", head, kept)
	}
	if strings.Contains(panel, "Begun") || !strings.Contains(panel, `data-to-send="2 comments to send"`) {
		t.Errorf("the panel is %s", panel)
	}
	// The page that is shown next is written with them, and the reply is made of them.
	_, page := c.ask(map[string]any{"op": "page", "form": kept.Encode()})
	if again := fields(page); again.Encode() != kept.Encode() {
		t.Errorf("the page has %v, want %v", again, kept)
	}
	sent := with(form, "verdict", "changes-requested")
	sent["remark"], sent["remark-text"] = kept["remark"], kept["remark-text"]
	_, body := c.reply(sent, nil)
	var event struct{ Text string }
	if err := json.Unmarshal([]byte(line(t, body)), &event); err != nil {
		t.Fatal(err)
	}
	n := remark.Parse(event.Text)
	if len(n.Remarks) != 2 || n.Remarks[0].Quote != "by Friday" || n.Remarks[0].Line != 5 || n.Remarks[0].SHA256 == "" || n.Remarks[1].Step != 2 {
		t.Errorf("the reply is %q: %+v", event.Text, n)
	}
	head, panel = c.remarks(sent, "remove 1", files)
	if kept = fields(panel); string(head["at"]) != "1" || len(kept["remark"]) != 1 || kept.Get("remark-text") != "Not this one." {
		t.Errorf("after the first was removed there is %v", kept)
	}
	head, body = c.reply(with(form, "verdict", "rejected", "text", "No.", "remark-comment", "Begun"), nil)
	if string(head["status"]) != "422" {
		t.Errorf("a remark that was begun goes unsaid: %s", body)
	}
	messages.Check(t, "reply: remark not added", told(t, body))
}

// TestRemarksRefused holds that what is no remark leaves the form as it is, and says why in the panel.
func TestRemarksRefused(t *testing.T) {
	large := strings.Repeat("All work and no play. ", 50_000)
	files := map[string]string{"brief.md": plan, "pixel.png": "\x89PNG\r\n\x1a\n"}
	for name, test := range map[string]struct {
		do     string
		fields []string
	}{
		"nothing said":     {"add", []string{"remark-file", "brief.md"}},
		"no place":         {"add", []string{"remark-comment", "Kept"}},
		"no such file":     {"add", []string{"remark-file", "9", "remark-comment", "Kept"}},
		"not in folder":    {"add", []string{"remark-file", "gone.md", "remark-comment", "Kept"}},
		"cannot be read":   {"add", []string{"remark-file", "late.md", "remark-comment", "Kept"}},
		"no such line":     {"add", []string{"remark-file", "brief.md", "remark-from", "99", "remark-comment", "Kept"}},
		"no line":          {"add", []string{"remark-file", "brief.md", "remark-from", "x", "remark-comment", "Kept"}},
		"no such passage":  {"add", []string{"remark-file", "brief.md", "remark-quote", "<b>never</b> \u202esaid\u200b", "remark-comment", "Kept"}},
		"no such step":     {"add", []string{"remark-file", "/step/3", "remark-comment", "Kept"}},
		"long passage":     {"add", []string{"remark-file", "brief.md", "remark-quote", large, "remark-comment", "Kept"}},
		"area of text":     {"add", []string{"remark-file", "brief.md", "remark-area", "0,0,1,1", "remark-comment", "Kept"}},
		"no such remark":   {"remove 2", []string{"remark-comment", "Kept"}},
		"none before":      {"repeat 1", []string{"remark-comment", "Kept"}},
		"another revision": {"add", []string{"remark-file", "brief.md", "remark-comment", "Kept"}},
	} {
		c := folder(t, strings.Replace(signOff, `"late.md"`, `"late.md","gone.md"`, 1), "", [2]any{"brief.md", len(plan)}, [2]any{"late.md", 20})
		v := c.form(nil)
		if name == "another revision" {
			v.Set("revision", "2"+v.Get("revision"))
		}
		head, panel := c.remarks(with(v, test.fields...), test.do, files)
		if string(head["status"]) != "422" || strings.Contains(panel, `name="remark" `) {
			t.Errorf("%s: status %s\n%.2000s", name, head["status"], panel)
		}
		if name != "nothing said" && !strings.Contains(panel, ">Kept</textarea>") {
			t.Errorf("%s: what was written is gone", name)
		}
		messages.Check(t, "remark: "+name, pagetest.Lines(pagetest.All(pagetest.Parse(t, panel), ".fault")...))
	}
}

// TestRemarksHostile gives the reader more than a person types.
func TestRemarksHostile(t *testing.T) {
	c := folder(t, signOff, "", [2]any{"brief.md", len(plan)})
	files := map[string]string{"brief.md": plan}
	many := c.form(nil)
	for i := range 10_000 {
		many.Add("remark", "### Remark 1: the request\n\n")
		many.Add("remark-text", fmt.Sprintf("Remark %d", i))
	}
	if head, panel := c.remarks(with(many, "remark-file", "/request", "remark-comment", "One more"), "add", files); string(head["status"]) == "200" && strings.Count(panel, `name="remark"`) > remark.MaxRemarks {
		t.Errorf("of 10,000 remarks the panel has %d, with status %s", strings.Count(panel, `name="remark"`), head["status"])
	}
	head, panel := c.remarks(with(c.form(nil), "remark-file", "brief.md", "remark-comment", strings.Repeat("a", 1<<20)), "add", files)
	if string(head["status"]) != "200" || !strings.Contains(panel, `role="alert"`) {
		t.Errorf("a remark of 1 MB is answered with %s and no word on its length", head["status"])
	}
	messages.Check(t, "remark: 1 MB", pagetest.Lines(pagetest.All(pagetest.Parse(t, panel), "[role=alert]")...))
	const words = "<script>alert(1)</script>\n### Remark 9: step 1\n```suggestion\n\u202eevil\u200b</textarea><b>"
	_, panel = c.remarks(with(c.form(nil), "remark-file", "brief.md", "remark-from", "3", "remark-comment", words), "add", files)
	if kept := fields(panel); len(kept["remark"]) != 1 || kept.Get("remark-text") != words || strings.Contains(panel, "<script") || strings.Contains(panel, "<b>") {
		t.Errorf("markup in a remark became %q in\n%s", kept, panel)
	}
	for name, request := range map[string]map[string]any{
		"no ask":     {"op": "remarks", "path": "/1/jobs/1"},
		"10 MB":      {"op": "remarks", "path": "/1/asks/1", "form": strings.Repeat("a", 10<<20)},
		"no pieces":  {"op": "remarks", "path": "/1/asks/1", "attached": []map[string]any{{"key": "1"}}},
		"not a form": {"op": "remarks", "path": "/1/asks/1", "form": "a=%zz"},
	} {
		plan, _ := asked(t, map[string]any{"op": "plan", "path": "/1/asks/1"}, nil)
		if head, body := asked(t, request, packed(string(c.e.Call(plan["request"])))); head["error"] == nil || len(body) > 0 {
			t.Errorf("%s: answered with %s", name, head)
		}
	}
	if head, _ := asked(t, map[string]any{"op": "remarks", "path": "/1/asks/1"}, []byte("\xff\xff\xff\xffx")); head["error"] == nil {
		t.Error("pieces that are none were taken apart")
	}
	closed := folder(t, signOff+"\n"+`{"id":"s","status":"withdrawn"}`, "")
	plan, _ := asked(t, map[string]any{"op": "plan", "path": "/1/asks/1"}, nil)
	if head, _ := asked(t, map[string]any{"op": "remarks", "path": "/1/asks/1", "do": "add"}, packed(string(closed.e.Call(plan["request"])))); head["error"] == nil {
		t.Error("a closed ask takes a remark")
	}
	for name, kind := range map[string]string{"setup.exe": "null", "pixel.png": "null", "broken.json": "true", "page.html": "true"} {
		head, plain := asked(t, map[string]any{"op": "read", "name": name}, []byte("{<p>a &lt; b\u202e</p>"))
		var facts map[string]json.RawMessage
		if err := json.Unmarshal(head["read"], &facts); err != nil || len(facts["sha256"]) != 66 || string(facts["text"]) != kind && facts["text"] != nil {
			t.Errorf("%s is read as %s", name, head["read"])
		}
		if name == "page.html" && !strings.Contains(string(plain), "a < b") {
			t.Errorf("the text of a page is %q", plain)
		}
	}
}

// TestRemarksOfTheRoundBefore says what became of each place: at once of steps, of attachments once they are given.
func TestRemarksOfTheRoundBefore(t *testing.T) {
	first := folder(t, signOff, "", [2]any{"brief.md", len(plan)}, [2]any{"late.md", 20})
	v := first.form(nil)
	for _, place := range [][]string{
		{"remark-file", "brief.md", "remark-quote", "Pay the difference by Friday.", "remark-comment", "Thursday."},
		{"remark-file", "brief.md", "remark-quote", "Send it on Monday.", "remark-comment", "Tuesday."},
		{"remark-file", "/step/1", "remark-comment", "Where?"},
	} {
		_, panel := first.remarks(with(v, place...), "add", map[string]string{"brief.md": plan})
		kept := fields(panel)
		v["remark"], v["remark-text"] = kept["remark"], kept["remark-text"]
	}
	_, body := first.reply(with(v, "verdict", "changes-requested"), nil)
	var event struct{ Text json.RawMessage }
	if err := json.Unmarshal([]byte(line(t, body)), &event); err != nil {
		t.Fatal(err)
	}
	again := strings.NewReplacer("10:00:00Z", "11:00:00Z", "Note it", "Note it in the log").Replace(signOff)
	c := folder(t, signOff+"\n"+again, fmt.Sprintf(ledgerLine, event.Text), [2]any{"brief.md", len(plan)}, [2]any{"late.md", 20})
	form := c.form(nil)
	_, page := c.ask(map[string]any{"op": "page"})
	if n := strings.Count(page, "data-outcome="); n != 1 || !strings.Contains(page, "data-unread") {
		t.Errorf("the page judges %d places without the attachment", n)
	}
	next := map[string]string{"brief.md": strings.Replace(plan, "Friday", "Thursday", 1)}
	_, panel := c.remarks(form, "", next)
	outcomes := regexp.MustCompile(`data-outcome="([a-z]+)"`).FindAllStringSubmatch(panel, -1)
	if got := fmt.Sprint(outcomes); got != `[[data-outcome="changed" changed] [data-outcome="unchanged" unchanged] [data-outcome="changed" changed]]` || strings.Contains(panel, "data-unread") {
		t.Errorf("the places are %s", got)
	}
	if _, panel = c.remarks(form, "", nil); strings.Count(panel, "data-outcome=") != 1 {
		t.Error("an attachment that can't be read is judged")
	}
	head, panel := c.remarks(form, "repeat 1", next)
	if kept := fields(panel); string(head["status"]) != "200" || len(kept["remark"]) != 1 || !strings.Contains(kept.Get("remark"), "Thursday") || kept.Get("remark-text") != "Thursday." {
		t.Errorf("repeated: %s, %v", head, kept)
	}
	// An approval says once that two are unresolved.
	sums := map[string]string{"1/brief.md": strings.Repeat("ab", 32), "1/late.md": strings.Repeat("cd", 32)}
	approval := []string{"verdict", "approved", "step", "2", "resolved", "1"}
	head, body = c.reply(with(c.form(sums), approval...), sums)
	if string(head["status"]) != "422" || string(head["told"]) != "true" {
		t.Errorf("the approval is answered with %s\n%s", head["status"], body)
	}
	messages.Check(t, "reply: unresolved remarks", told(t, body))
	if head, body = c.reply(with(c.form(sums), append(approval, "unresolved", "1")...), sums); string(head["status"]) != "200" {
		t.Errorf("the second approval is answered with %s\n%s", head["status"], body)
	}
}
