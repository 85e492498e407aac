package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/api"
	"github.com/figs-web/figs-web/internal/store"
)

const tokens = api.Base + "/tokens"

// TestTokens: one's own are listed and end, those of others do not exist, and no answer holds what
// only a holder knows.
func TestTokens(t *testing.T) {
	d := newDesk(t)
	ctx := context.Background()
	d.ok(d.s.AddToken(ctx, store.Act{By: d.ana.ID}, store.Token{ID: "spare", User: d.ana.ID, Name: "<b>ci\u202e", Hash: store.Hash("token-spare"), Created: d.now.UnixMicro() + 1}))
	text := body(t, d.ask("GET", tokens, "ana"))
	all := parse(t, text)["items"].([]any)
	if len(all) != 2 || strings.Contains(text, "token-") || strings.Contains(text, store.Hash("token-ana")) || strings.Contains(text, "val") {
		t.Errorf("Ana's are %s", text)
	}
	first, second := all[0].(map[string]any), all[1].(map[string]any)
	if first["id"] != "spare" || first["current"] != false || first["used"] != nil || first["expires"] != nil || second["id"] != "ana" || second["current"] != true || second["used"] == nil {
		t.Errorf("they are %v and %v", first, second)
	}
	d.answered("DELETE", tokens+"/val", "ana", "", 404, "not_found")
	d.answered("DELETE", tokens+"/none", "ana", "", 404, "not_found")
	d.answered("DELETE", tokens+"/~", "ana", "", 404, "not_found")
	d.answered("DELETE", tokens+"/spare", "", "", 403, "token_required", "Cookie", "__Host-figs=session-ana")
	d.answered("DELETE", tokens+"/spare", "", "", 401, "token_missing")
	for id, want := range map[string]int{"spare": 200, "val": 404, "none": 404} {
		if got := d.ask("GET", tokens+"/"+id, "ana").StatusCode; got != want {
			t.Errorf("GET of %s = %d, want %d", id, got, want)
		}
	}
	d.answered("DELETE", tokens+"/spare", "ana", "", 204, "")
	d.answered("DELETE", tokens+"/spare", "ana", "", 404, "not_found")
	if r := d.ask("GET", tokens, "spare"); r.StatusCode != 401 {
		t.Errorf("its holder gets %d", r.StatusCode)
	}
	if left := d.get(tokens); left["total"] != json.Number("1") {
		t.Errorf("left are %v", left)
	}
	d.answered("DELETE", tokens+"/ana", "ana", "", 204, "")
	d.answered("DELETE", tokens+"/ana", "ana", "", 401, "token_unknown")
	audit, err := d.s.Audit(ctx, "", store.AuditQuery{N: 2})
	d.ok(err)
	if audit[0].Action != "token.revoke" || audit[0].By != d.ana.ID || audit[1].Action != "token.revoke" {
		t.Errorf("the audit says %+v", audit)
	}
}

// TestContent holds the bytes of an attachment to what came, and to nothing that a browser shows.
func TestContent(t *testing.T) {
	d := newDesk(t)
	content := "<script>alert(1)</script>" + strings.Repeat("\x00\xff", 70_000)
	hash := d.attach(d.odd, "a \"b\".html", content)
	var page struct {
		Items []struct{ Key, Name, SHA256 string }
	}
	d.ok(json.Unmarshal([]byte(body(t, d.ask("GET", d.agent(d.odd)+"/files", "ana"))), &page))
	keys := map[string]string{}
	for _, f := range page.Items {
		keys[f.Name] = f.Key
		if f.Name == "a \"b\".html" && f.SHA256 != hash {
			t.Errorf("the file says the hash %s, want %s", f.SHA256, hash)
		}
	}
	at := d.agent(d.odd) + "/files/" + keys["a \"b\".html"] + "/content"
	r := d.ask("GET", at, "ana", "Range", "bytes=0-2")
	if got := body(t, r); r.StatusCode != 200 || got != content {
		t.Errorf("GET = %d with %d bytes, want all %d", r.StatusCode, len(got), len(content))
	}
	for name, want := range map[string]string{"Content-Type": "application/octet-stream", "Content-Length": fmt.Sprint(len(content)), "ETag": `"` + hash + `"`, "X-Content-Sha256": hash, "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Content-Disposition": `attachment; filename="a _b_.html"; filename*=UTF-8''a%20_b_.html`, "Accept-Ranges": "none", "Cross-Origin-Resource-Policy": "same-origin"} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	head := d.ask("HEAD", at, "ana")
	if got := body(t, head); head.StatusCode != 200 || got != "" || head.Header.Get("Content-Length") != fmt.Sprint(len(content)) || head.Header.Get("ETag") != `"`+hash+`"` {
		t.Errorf("HEAD = %d %q %v", head.StatusCode, got, head.Header)
	}
	if r := d.ask("GET", at, "ana", "If-None-Match", `"x", "`+hash+`"`); r.StatusCode != 304 || body(t, r) != "" {
		t.Errorf("with its tag = %d", r.StatusCode)
	}
	d.answered("GET", d.agent(d.odd)+"/files/"+keys["nowhere.md"]+"/content", "ana", "", 404, "file_not_arrived")
	d.answered("GET", d.agent(d.odd)+"/files/none/content", "ana", "", 404, "not_found")
	d.answered("GET", at, "fay", "", 404, "not_found")
	d.answered("GET", at, "fay", "", 404, "not_found", "If-None-Match", `"`+hash+`"`)
	d.answered("GET", at, "", "", 401, "token_missing")
	opened, err := d.s.AttachmentViews(context.Background(), d.acme.ID, d.ana.ID, []string{hash})
	if err != nil || len(opened) != 0 {
		t.Errorf("that a program has it counts as opened: %v, %v", opened, err)
	}

	file := ""
	d.ok(filepath.WalkDir(d.blobs, func(path string, e os.DirEntry, err error) error {
		if err == nil && strings.Contains(strings.ReplaceAll(path, string(filepath.Separator), ""), hash[2:]) && !e.IsDir() {
			file = path
		}
		return err
	}))
	d.ok(os.Chmod(file, 0o600))
	d.ok(os.WriteFile(file, []byte("y"+content[1:]), 0o600))
	func() {
		defer func() {
			if err, _ := recover().(error); !errors.Is(err, http.ErrAbortHandler) {
				t.Errorf("other bytes under its name: %v, want the connection cut", err)
			}
		}()
		d.ask("GET", at, "ana")
	}()
	d.ok(os.Remove(file))
	r = d.ask("GET", at, "ana")
	if r.StatusCode != 404 || r.Header.Get("ETag") != "" || r.Header.Get("Content-Disposition") != "" || !json.Valid([]byte(body(t, r))) {
		t.Errorf("lost bytes = %d %v", r.StatusCode, r.Header)
	}
}

const feedback = api.Base + "/feedback"

// TestFeedback goes from a tool to those who run the workspace, and nowhere else.
func TestFeedback(t *testing.T) {
	d := newDesk(t)
	ctx, same := context.Background(), d.untouched()
	r := d.send("POST", feedback, "val", `{"text":"It broke.","tool":"figs-web","version":"1.2","context":"ls /agents"}`)
	got := parse(t, body(t, r))
	if r.StatusCode != 201 || got["status"] != "created" || got["path"] != "/w/acme/settings/feedback" || r.Header.Get("Location") != got["path"] {
		t.Fatalf("POST = %d %v", r.StatusCode, got)
	}
	list, err := d.s.ListFeedback(ctx, d.acme.ID)
	d.ok(err)
	if len(list) != 1 || list[0].ID != got["id"] || list[0].Text != "It broke." || list[0].Tool != "figs-web" || list[0].Version != "1.2" || list[0].Context != "ls /agents" || list[0].Token != "val" || list[0].At != d.now.UnixMicro() {
		t.Errorf("kept is %+v", list)
	}
	d.answered("POST", feedback, "val", `{"text":"by id","workspace":"`+d.acme.ID+`"}`, 201, "")
	d.answered("POST", feedback, "val", `{"text":"x","workspace":"other"}`, 404, "not_found")
	d.answered("POST", feedback, "val", `{"text":"x","workspace":"nowhere"}`, 404, "not_found")
	d.answered("POST", feedback, "val", `{"tool":"t"}`, 400, "field_missing")
	d.answered("POST", feedback, "val", `{"text":" \n"}`, 400, "field_missing")
	d.answered("POST", feedback, "val", `{"text":"`+strings.Repeat("é", 4<<10)+`x"}`, 413, "field_too_long")
	d.answered("POST", feedback, "val", `{"text":"x","tool":"`+strings.Repeat("x", 201)+`"}`, 413, "field_too_long")
	d.answered("POST", feedback, "val", `{"text":"x","phone":"home"}`, 400, "field_unknown")
	d.answered("POST", feedback, "", `{"text":"x"}`, 403, "token_required", "Cookie", "__Host-figs=session-ana")
	d.answered("POST", feedback, "", `{"text":"x"}`, 401, "token_missing")
	d.ok(d.s.SetMember(ctx, store.Act{}, d.other.ID, d.ana.ID, store.Viewer))
	unclear := d.answered("POST", feedback, "ana", `{"text":"x"}`, 400, "workspace_unclear")
	if fmt.Sprint(unclear["workspaces"]) != "[acme other]" {
		t.Errorf("hers are %v", unclear["workspaces"])
	}
	d.answered("POST", feedback, "ana", `{"text":"x","workspace":"other"}`, 201, "")
	if total, _ := d.s.CountFeedback(ctx, d.acme.ID); total != 2 {
		t.Errorf("acme has %d", total)
	}
	same()

	for n := 2; n < 20; n++ {
		d.answered("POST", feedback, "val", `{"text":"again"}`, 201, "")
	}
	r = d.send("POST", feedback, "val", `{"text":"too much"}`)
	if code := parse(t, body(t, r))["code"]; r.StatusCode != 429 || code != "feedback_too_often" || r.Header.Get("Retry-After") != "86400" {
		t.Errorf("the twenty-first = %d %v, Retry-After %s", r.StatusCode, code, r.Header.Get("Retry-After"))
	}
	d.now = d.now.Add(24 * time.Hour)
	d.answered("POST", feedback, "val", `{"text":"tomorrow"}`, 201, "")
	for err = nil; err == nil; {
		err = d.s.AddFeedback(ctx, store.Feedback{ID: store.NewID(), Workspace: d.acme.ID, Person: d.ana.ID, Text: "x"})
	}
	if !errors.Is(err, store.ErrLimitReached) {
		t.Fatal(err)
	}
	d.answered("POST", feedback, "val", `{"text":"into a full box"}`, 409, "feedback_full")
}

// TestFeedbackOfAPerson is bounded also with many tokens.
func TestFeedbackOfAPerson(t *testing.T) {
	d := newDesk(t)
	sent := 0
	for i := range 4 {
		name := fmt.Sprint("t", i)
		d.ok(d.s.AddToken(context.Background(), store.Act{}, store.Token{ID: name, User: d.ana.ID, Name: "t", Hash: store.Hash("token-" + name), Created: 1}))
		for range 20 {
			if r := d.send("POST", feedback, name, `{"text":"x"}`); r.StatusCode == 201 {
				sent++
			}
		}
	}
	if sent != 50 {
		t.Errorf("%d were kept in a day, want 50", sent)
	}
}
