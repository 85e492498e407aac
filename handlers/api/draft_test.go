package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/api"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// draftsOf is where the drafts on an ask of the odd agent are.
func (d *desk) draftsOf(ask string) string {
	return d.agent(d.odd) + "/asks/" + journal.Segment(ask) + "/drafts"
}

// answered sends a body and holds the answer to its status, its code, and the schema of its route.
func (d *desk) answered(method, address, who, content string, status int, code string, headers ...string) map[string]any {
	d.t.Helper()
	r := d.send(method, address, who, content, headers...)
	text := body(d.t, r)
	if r.StatusCode != status {
		d.t.Fatalf("%s %s as %q = %d %s, want %d %s", method, address, who, r.StatusCode, text, status, code)
	}
	if status == http.StatusNoContent {
		return nil
	}
	answer := parse(d.t, text)
	if got, _ := answer["code"].(string); got != code {
		d.t.Errorf("%s %s as %q says %s, want %s", method, address, who, text, code)
	}
	schema := "Error"
	if code == "" {
		schema = "Created"
	} else if sentence, _ := answer["error"].(string); len(sentence) < 20 || !strings.HasSuffix(sentence, ".") || strings.Contains(sentence, "..") {
		d.t.Errorf("%s %s as %q says %q", method, address, who, sentence)
	}
	for _, wrong := range d.document().judge(map[string]any{"$ref": "#/components/schemas/" + schema}, "", asAny(answer)) {
		d.t.Errorf("%s %s: %s", method, address, wrong)
	}
	return answer
}

// untouched holds that nothing is decided, and that no agent and no page is told of anything.
func (d *desk) untouched() func() {
	d.t.Helper()
	look := func() string {
		ctx := context.Background()
		hash, err := d.s.StateHash(ctx)
		d.ok(err)
		seq, err := d.s.Seq(ctx, d.acme.ID)
		d.ok(err)
		pending, err := d.s.PendingIn(ctx, d.acme.ID)
		d.ok(err)
		audit, err := d.s.Audit(ctx, d.acme.ID, store.AuditQuery{N: 200})
		d.ok(err)
		return fmt.Sprint(hash, seq, len(pending), len(audit))
	}
	before := look()
	return func() {
		d.t.Helper()
		if after := look(); after != before {
			d.t.Errorf("it has changed more than a draft: %s, was %s", after, before)
		}
	}
}

// TestDraft goes through the life of a draft that a program keeps for its person.
func TestDraft(t *testing.T) {
	d := newDesk(t)
	same, at := d.untouched(), d.draftsOf("?")
	before := d.ask("GET", at, "ana").Header.Get("ETag")
	r := d.send("POST", at, "ana", `{"verdict":"approved","text":"looks\n\u00e9 fine"}`)
	first := parse(t, body(t, r))
	path := first["path"].(string)
	if r.StatusCode != 201 || first["status"] != "created" || path != at+"/"+first["id"].(string) || r.Header.Get("Location") != path || r.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("POST = %d %v %v", r.StatusCode, first, r.Header)
	}
	if r := d.ask("GET", at, "ana", "If-None-Match", before); r.StatusCode != 200 {
		t.Errorf("the list has its old tag: %d", r.StatusCode)
	}
	shown := d.get(path)
	record := shown["record"].(map[string]any)
	if shown["id"] != first["id"] || shown["stale"] != false || shown["token"] != true || shown["created"] != "2026-11-20T19:00:00Z" || shown["by"].(map[string]any)["name"] != "ana" ||
		record["verdict"] != "approved" || record["text"] != "looks\né fine" || record["chosen"] != nil {
		t.Errorf("the draft is %v", shown)
	}
	if shown["page"] != public+"/w/acme/agents/"+d.odd+"/asks/"+journal.Segment("?") {
		t.Errorf("people read of it at %v", shown["page"])
	}
	if other := d.get(at)["items"].([]any); len(other) != 1 || other[0].(map[string]any)["key"] != first["id"] {
		t.Errorf("the list is %v", other)
	}
	if val := parse(t, body(t, d.ask("GET", at, "val"))); val["total"] != json.Number("0") {
		t.Errorf("another sees %v", val)
	}
	taken := d.answered("POST", at, "ana", `{"text":"other"}`, 409, "draft_exists")
	if taken["path"] != path {
		t.Errorf("the draft in the way is at %v, want %s", taken["path"], path)
	}
	typed, err := d.s.Draft(context.Background(), d.ana.ID, d.odd, "?")
	d.ok(err)
	typed.Text, typed.Token = "what Ana typed over it", ""
	d.ok(d.s.SaveDraft(context.Background(), typed))
	d.answered("DELETE", path, "ana", "", 404, "not_found")
	if r := d.ask("GET", path, "ana"); r.StatusCode != 404 {
		t.Errorf("the former draft = %d", r.StatusCode)
	}
	now := d.get(at)["items"].([]any)[0].(map[string]any)
	if now["token"] != false || now["id"] == first["id"] {
		t.Errorf("what she typed is %v", now)
	}
	d.answered("DELETE", at+"/"+now["key"].(string), "ana", "", 204, "")
	d.answered("DELETE", at+"/"+now["key"].(string), "ana", "", 404, "not_found")
	if all := d.get(at); all["total"] != json.Number("0") {
		t.Errorf("left is %v", all)
	}
	same()
	d.answered("POST", at, "ana", `{"text":"bound to what was there"}`, 201, "")
	d.push(d.acme, d.odd, "", nil, []string{strings.Replace(oddAsks[1], "Go?", "Go there?", 1)}, nil)
	if stale := d.get(at)["items"].([]any)[0].(map[string]any)["stale"]; stale != true {
		t.Errorf("the ask has changed, and the draft says %v", stale)
	}
}

// TestDraftIsRefused: who may not reply keeps no draft, nor who brings what is none, and each is told
// the way out.
func TestDraftIsRefused(t *testing.T) {
	d := newDesk(t)
	d.person("mem", d.acme, store.Member)
	d.push(d.acme, d.odd, "", nil, []string{`{"id":"over","ts":"2026-11-18T10:00:00Z","type":"question","title":"?","resolution":{"ts":"2026-11-19T10:00:00Z","outcome":"withdrawn"},"status":"withdrawn"}`,
		`{"id":"open","ts":"2026-11-20T10:00:00Z","type":"question","title":"?","options":["x"]}`}, nil)
	same := d.untouched()
	session := []string{"Cookie", "__Host-figs=session-ana"}
	big := func(n int) string { return `{"text":"` + strings.Repeat("x", n) + `"}` }
	for lesson, test := range map[string]struct {
		who, ask, body string
		status         int
		code           string
		headers        []string
	}{
		"viewer":       {"val", "?", `{"text":"x"}`, 403, "not_yours_to_decide", nil},
		"member":       {"mem", "?", `{"text":"x"}`, 403, "not_yours_to_decide", nil},
		"stranger":     {"fay", "?", `{"text":"x"}`, 404, "not_found", nil},
		"nobody":       {"", "?", `{"text":"x"}`, 401, "token_missing", nil},
		"bad_token":    {"eve", "?", `{"text":"x"}`, 401, "token_unknown", nil},
		"session":      {"", "?", `{"text":"x"}`, 403, "token_required", session},
		"other_origin": {"", "?", `{"text":"x"}`, 403, "token_required", append([]string{"Origin", "https://evil.example"}, session...)},
		"no_such_ask":  {"ana", "none", `{"text":"x"}`, 404, "not_found", nil},
		"closed":       {"ana", "over", `{"text":"x"}`, 409, "ask_closed", nil},
		"empty":        {"ana", "?", `{}`, 422, "draft_empty", nil},
		"empty_texts":  {"ana", "?", `{"text":"","verdict":""}`, 422, "draft_empty", nil},
		"answered_so":  {"ana", "open", `{"verdict":"approved"}`, 422, "reply_verdict_unasked", nil},
		"no_verdict":   {"ana", "?", `{"verdict":"Approved"}`, 422, "reply_verdict_unknown", nil},
		"no_option":    {"ana", "open", `{"chosen":"y"}`, 422, "reply_chosen_unknown", nil},
		"hidden":       {"ana", "?", `{"text":"a\u202eb"}`, 422, "reply_hidden_characters", nil},
		"large":        {"ana", "?", big(64<<10 + 1), 413, "draft_too_large", nil},
		"larger":       {"ana", "?", big(512 << 10), 413, "body_too_large", nil},
		"typo":         {"ana", "?", `{"txt":"x"}`, 400, "field_unknown", nil},
		"other_case":   {"ana", "?", `{"Text":"x"}`, 400, "field_unknown", nil},
		"twice":        {"ana", "?", `{"text":"x","text":"y"}`, 400, "field_repeated", nil},
		"number":       {"ana", "?", `{"text":1}`, 400, "field_invalid", nil},
		"null":         {"ana", "?", `{"text":null}`, 400, "field_invalid", nil},
		"nul":          {"ana", "?", `{"text":"a\u0000"}`, 400, "field_invalid", nil},
		"half":         {"ana", "?", `{"text":"a\ud800"}`, 400, "field_invalid", nil},
		"list":         {"ana", "?", `[{"text":"x"}]`, 400, "body_unreadable", nil},
		"cut":          {"ana", "?", `{"text":"x"`, 400, "body_unreadable", nil},
		"more":         {"ana", "?", `{"text":"x"}{}`, 400, "body_unreadable", nil},
		"no_utf8":      {"ana", "?", "{\"text\":\"\xff\"}", 400, "body_unreadable", nil},
		"nothing":      {"ana", "?", "", 415, "not_json", nil},
		"form":         {"ana", "?", "text=x", 415, "not_json", []string{"Content-Type", "application/x-www-form-urlencoded"}},
		"text":         {"ana", "?", `{"text":"x"}`, 415, "not_json", []string{"Content-Type", "text/plain"}},
		"gzip":         {"ana", "?", `{"text":"x"}`, 415, "encoding_unknown", []string{"Content-Encoding", "gzip"}},
	} {
		t.Run(lesson, func(t *testing.T) {
			d.answered("POST", d.draftsOf(test.ask), test.who, test.body, test.status, test.code, test.headers...)
		})
	}
	d.answered("POST", d.draftsOf("?")+"?now=1", "ana", `{"text":"x"}`, 400, "parameter_unknown")
	for _, ask := range []string{"?", "open", "over"} {
		if all := d.get(d.draftsOf(ask)); all["total"] != json.Number("0") {
			t.Errorf("on %q there is %v", ask, all)
		}
	}
	kept := d.get(d.draftsOf("a/b"))["items"].([]any)[0].(map[string]any)
	for who, headers := range map[string][]string{"val": nil, "mem": nil, "fay": nil, "": session} {
		r := d.send("DELETE", d.draftsOf("a/b")+"/"+kept["key"].(string), who, "", headers...)
		if r.StatusCode != 404 && (who != "" || r.StatusCode != 403) {
			t.Errorf("DELETE of her draft as %q = %d", who, r.StatusCode)
		}
	}
	d.answered("DELETE", d.draftsOf("a/b")+"/"+kept["key"].(string), "ana", "{}", 400, "body_unasked")
	if again := d.get(d.draftsOf("a/b"))["items"].([]any)[0].(map[string]any); again["id"] != kept["id"] {
		t.Errorf("her draft is %v, was %v", again, kept)
	}
	same()
	d.answered("POST", d.draftsOf("?"), "ana", big(64<<10), 201, "")
}

// TestWait holds what a program sees that waits for a decision: nothing of it before it counts, then
// the reply as the agent gets it; and that asking again costs no answer.
func TestWait(t *testing.T) {
	d := newDesk(t)
	ctx, address := context.Background(), d.agent(d.odd)+"/asks/"+journal.Segment("?")
	ask := func() (answer map[string]any, tag string) {
		t.Helper()
		r := d.ask("GET", address, "ana")
		return parse(t, body(t, r)), r.Header.Get("ETag")
	}
	first, tag := ask()
	if first["reply"] != nil || first["state"].(map[string]any)["phase"] != "needs_you" {
		t.Fatalf("before: %v", first)
	}
	rec, err := d.s.Record(ctx, d.odd, figs.Asks, "?")
	d.ok(err)
	line, wrong := figs.Verdict(figs.Fold([][]byte{rec.Fold}), figs.ReplyInput{ID: store.NewID(), By: "Ana", TS: "2026-11-20T19:00:00Z", Verdict: "approved", Text: "<go> & \u2028 on"})
	if wrong != figs.ReplyOK {
		t.Fatal(wrong)
	}
	made, err := d.s.Decide(ctx, store.Act{By: d.ana.ID, At: d.now.UnixMicro()}, store.DecisionInput{Workspace: d.acme.ID, Agent: d.odd, Ask: "?", Line: line, Key: "k", Saw: store.View{Revision: store.RevisionOf(rec)}})
	d.ok(err)
	if pending, _ := ask(); pending["reply"] != nil || pending["state"].(map[string]any)["phase"] != "needs_you" || len(pending["thread"].([]any)) != 0 {
		t.Errorf("while it can be taken back: %v", pending)
	}
	r := d.send("POST", d.draftsOf("?"), "ana", `{"text":"x"}`)
	if code := parse(t, body(t, r))["code"]; r.StatusCode != 409 || code != "decision_pending" || r.Header.Get("Retry-After") != "11" {
		t.Errorf("a draft meanwhile = %d %v %s", r.StatusCode, code, r.Header.Get("Retry-After"))
	}
	d.now = d.now.Add(11 * time.Second)
	_, err = d.s.Settle(ctx, made.Effective)
	d.ok(err)
	if r := d.ask("GET", address, "ana", "If-None-Match", tag); r.StatusCode != 200 {
		t.Errorf("who waits is told %d", r.StatusCode)
	}
	var raw struct {
		State struct{ Phase string }
		Reply struct {
			ID       string
			Verified bool
			Record   json.RawMessage
		}
	}
	r = d.ask("GET", address, "ana")
	d.ok(json.Unmarshal([]byte(body(t, r)), &raw))
	if raw.State.Phase != "replied" || raw.Reply.ID != made.ID || !raw.Reply.Verified || string(raw.Reply.Record) != string(line) {
		t.Errorf("after: %+v, want the line %s", raw, line)
	}
	if again := d.ask("GET", address, "ana", "If-None-Match", r.Header.Get("ETag")); again.StatusCode != 304 {
		t.Errorf("asked again = %d", again.StatusCode)
	}
	reported := d.get(d.agent(d.odd) + "/asks/" + journal.Segment("a/b"))
	if reply := reported["reply"].(map[string]any); reported["state"].(map[string]any)["reported"] != true || reply["verified"] != false || reply["id"] != "m 1" {
		t.Errorf("what is only reported: %v", reply)
	}
}

// FuzzDraft sends any body in the place of a draft. Whatever is kept says what was sent.
func FuzzDraft(f *testing.F) {
	d := newDesk(f)
	for _, seed := range []string{`{"text":"x"}`, `{"verdict":"approved"}`, `{"text":"\ud83d\ude00","chosen":""}`, `{}`, `[]`, `{"a":{"b":[]}}`, `{"text":"x"} `, `{"text":"\ud800"}`, ``, `null`, "{\"text\":\"\xff\"}", `{"text":"\r\n\t"}`} {
		f.Add(seed)
	}
	at := d.draftsOf("?")
	f.Fuzz(func(t *testing.T, content string) {
		r := d.send("POST", at, "ana", content, "Content-Type", "application/json; charset=utf-8")
		answer := body(t, r)
		if !json.Valid([]byte(answer)) || r.StatusCode >= 500 || r.StatusCode == 409 {
			t.Fatalf("%q = %d %s", content, r.StatusCode, answer)
		}
		if r.StatusCode != 201 {
			return
		}
		path := parse(t, answer)["path"].(string)
		var sent, kept map[string]string
		if err := json.Unmarshal([]byte(content), &sent); err != nil {
			t.Fatalf("%q was kept: %v", content, err)
		}
		var shown struct{ Record json.RawMessage }
		if err := json.Unmarshal([]byte(body(t, d.ask("GET", path, "ana"))), &shown); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(shown.Record, &kept); err != nil {
			t.Fatal(err)
		}
		for name, text := range sent {
			if kept[name] != text {
				t.Fatalf("%q was kept as %s", content, shown.Record)
			}
		}
		if r := d.send("DELETE", path, "ana", ""); r.StatusCode != 204 {
			t.Fatalf("%q stays: %d", content, r.StatusCode)
		}
	})
}

// TestBodiesAreAsDescribed holds what the tests send to what the description says of bodies.
func TestBodiesAreAsDescribed(t *testing.T) {
	doc := newDesk(t).document()
	for path, bodies := range map[string][2]string{
		"/workspaces/{workspace}/agents/{agent}/asks/{id}/drafts": {`{"text":"x","verdict":"approved","chosen":"y"}`, `{"txt":"x"}`},
		"/feedback": {`{"text":"x","tool":"t","version":"1","context":"c","workspace":"acme"}`, `{"tool":"t"}`},
	} {
		schema := doc.Paths[path]["post"].RequestBody.Content["application/json"].Schema
		if wrong := doc.judge(schema, "", asAny(parse(t, bodies[0]))); len(wrong) > 0 {
			t.Errorf("%s: %v", path, wrong)
		}
		if wrong := doc.judge(schema, "", asAny(parse(t, bodies[1]))); len(wrong) == 0 {
			t.Errorf("%s takes %s", path, bodies[1])
		}
	}
	if doc.Paths["/feedback"]["post"].Responses["429"].Content == nil || api.MostDraft != 65_536 {
		t.Error("what is refused is not described")
	}
}
