package pages_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/wasm/reader/pages"
)

// asked puts a request to the reader and divides its answer.
func asked(t *testing.T, request map[string]any, payload []byte) (head map[string]json.RawMessage, body []byte) {
	t.Helper()
	line, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	first, body, _ := bytes.Cut(pages.Answer(append(append(line, '\n'), payload...)), []byte{'\n'})
	if err := json.Unmarshal(first, &head); err != nil {
		t.Fatalf("%s: %v in %s", request["op"], err, first)
	}
	return head, body
}

// TestAttachment goes the way of the page: a document and a report from the worker that may hang, what
// surrounds the frame from the other one.
func TestAttachment(t *testing.T) {
	content := []byte(`<h1>October</h1><script>fetch("https://example.com/beacon")</script><a href="https://evil.example/">bank</a>`)
	for view, want := range map[string]string{"rendered": `<h1 id="u-figs-h1">October</h1>`, "source": "&lt;h1&gt;October", "text": "October"} {
		made, document := asked(t, map[string]any{"op": "sanitize", "name": "report.html", "view": view}, content)
		if !bytes.Contains(document, []byte(want)) || bytes.Contains(document, []byte("<script")) {
			t.Errorf("%s: the document is %s", view, document)
		}
		_, stage := asked(t, map[string]any{"op": "viewer", "agent": "1", "shown": map[string]any{"report": made["report"], "document": true}}, nil)
		for _, part := range []string{"evil.example", `sandbox=""`, "data-document", "report.html", `data-agent="1"`} {
			if !bytes.Contains(stage, []byte(part)) {
				t.Errorf("%s: the stage lacks %s:\n%s", view, part, stage)
			}
		}
		messages.Check(t, "script left out, "+view, pagetest.Lines(pagetest.All(pagetest.Parse(t, string(stage)), "div.strip")...))
		if bytes.Contains(stage, []byte("October")) {
			t.Errorf("%s: the stage says the attachment's words", view)
		}
	}
}

// TestCompare goes the way of the page with two versions of a report.
func TestCompare(t *testing.T) {
	before, after := "<p>31 keys</p>", "<p>32 keys</p><p>more</p>"
	request := map[string]any{"op": "compare", "before": pages.File{Name: "report.html", Size: len(before)}, "after": pages.File{Name: "report-v2.html", Size: len(after)}}
	made, document := asked(t, request, []byte(before+after))
	if !bytes.Contains(document, []byte("32")) {
		t.Errorf("the difference is %s", document)
	}
	one, _ := asked(t, map[string]any{"op": "sanitize", "name": "report.html", "view": "rendered"}, []byte(before))
	shown := map[string]any{"report": one["report"], "document": true}
	_, stage := asked(t, map[string]any{"op": "viewer", "agent": "1", "comparison": made["comparison"], "document": true, "beside": []any{shown, shown}}, nil)
	if n := bytes.Count(stage, []byte("<iframe")); n != 3 {
		t.Errorf("the stage has %d frames, want the difference and both files", n)
	}
	for _, want := range []string{"report-v2.html", "SHA-256"} {
		if !bytes.Contains(stage, []byte(want)) {
			t.Errorf("the stage lacks %q", want)
		}
	}
	messages.Check(t, "compared", pagetest.Lines(pagetest.Parse(t, string(stage))))
	request["before"] = pages.File{Name: "report.html", Size: 1000}
	if head, _ := asked(t, request, []byte(before+after)); head["error"] == nil {
		t.Error("two files larger than the payload are compared")
	}
}

// TestStopped shows what is left when the sandbox had to be ended: the beginning of a text, or nothing.
func TestStopped(t *testing.T) {
	long := strings.Repeat("ä", 1<<20)
	for _, test := range []struct {
		lesson, content string
		want            []string
		never           string
	}{
		{"text", "# Title\n<script>", []string{"# Title\n&lt;script&gt;", "SHA-256"}, "\uFFFD"},
		{"long", long, []string{"ääää"}, "\uFFFD"},
		{"binary", "a\x00b", []string{`data-download="x.md"`}, "<pre"},
		{"no_utf8", "abcdef\xff\xfeabcdef", nil, "<pre"},
		{"hidden", "a\u202eb", []string{"U+202E"}, "\u202e"},
	} {
		_, stage := asked(t, map[string]any{"op": "stopped", "agent": "1", "name": "x.md", "view": "rendered"}, []byte(test.content))
		for _, want := range test.want {
			if !bytes.Contains(stage, []byte(want)) {
				t.Errorf("%s: the stage lacks %q", test.lesson, want)
			}
		}
		if bytes.Contains(stage, []byte(test.never)) || bytes.Contains(stage, []byte("<iframe")) {
			t.Errorf("%s: the stage holds %q, or a frame", test.lesson, test.never)
		}
		messages.Check(t, "stopped: "+test.lesson, pagetest.Lines(pagetest.All(pagetest.Parse(t, string(stage)), "div.notice")...))
	}
}

// TestLarge says why a file beyond the protocol's limit is not read, and offers it.
func TestLarge(t *testing.T) {
	_, stage := asked(t, map[string]any{"op": "large", "agent": "1", "name": "x.md", "view": "rendered", "size": 11 << 20}, nil)
	for _, want := range []string{"11.5 MB", `data-download="x.md"`} {
		if !bytes.Contains(stage, []byte(want)) {
			t.Errorf("the stage lacks %q", want)
		}
	}
	messages.Check(t, "too large", pagetest.Lines(pagetest.Parse(t, string(stage))))
	if bytes.Contains(stage, []byte("SHA-256")) {
		t.Error("the stage names a hash that nobody computed")
	}
}

// TestBadRequests are answered with a sentence.
func TestBadRequests(t *testing.T) {
	for _, line := range []string{"", "{", "[]", `{"op":"viewer"}`, `{"op":"attachment"}`, `{"op":"viewer","shown":7}`} {
		first, _, _ := bytes.Cut(pages.Answer([]byte(line+"\n")), []byte{'\n'})
		var head struct{ Error string }
		if err := json.Unmarshal(first, &head); err != nil || head.Error == "" {
			t.Errorf("%s is answered with %s", line, first)
		}
	}
}
