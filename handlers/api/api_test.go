package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/api"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// desk is a server with two workspaces. Acme has the samples and an odd agent, Ana as its owner
// and Val as its viewer; Fay owns the other.
type desk struct {
	t          testing.TB
	s          *sqlstore.Store
	blobs      string // the folder of attachments' bytes
	e          *echo.Echo
	now        time.Time
	acme       store.Workspace
	other      store.Workspace
	ana        store.User
	recon, odd string // agents of acme
	foreign    string // agent of the other
}

const public = "https://figs.example"

func newDesk(t testing.TB) *desk {
	t.Helper()
	s, err := sqlstore.OpenSQLite(context.Background(), filepath.Join(t.TempDir(), "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	d := &desk{t: t, s: s, blobs: filepath.Join(t.TempDir(), "blobs"), now: time.Date(2026, 11, 20, 19, 0, 0, 0, time.UTC), odd: "0d4f2a3c-1111-4222-8333-000000000001", foreign: "0d4f2a3c-1111-4222-8333-000000000002"}
	d.serve()
	at := d.now.UnixMicro()
	d.acme = store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme", Created: at}
	d.other = store.Workspace{ID: store.NewID(), Slug: "other", Name: "Secret Society", Created: at}
	d.ok(s.AddWorkspace(context.Background(), store.Act{At: at}, d.acme, ""))
	d.ok(s.AddWorkspace(context.Background(), store.Act{At: at}, d.other, ""))
	d.ana = d.person("ana", d.acme, store.Owner)
	d.person("val", d.acme, store.Viewer)
	d.person("fay", d.other, store.Owner)
	for _, sample := range []string{"payables", "onboarding", "mistakes"} {
		d.sample(sample)
	}
	d.recon = d.sample("reconciliation")
	d.push(d.acme, d.odd, `,"manager":"<b>"`, oddRuns, oddAsks, oddMessages)
	d.push(d.acme, d.odd, `,"manager":"<b>"`, []string{`{"id":"plain","ts":"2026-11-18T10:00:00Z","status":"ok"}`}, nil, nil) // older than what it settled as: refused
	d.ok(s.SaveDraft(context.Background(), store.Draft{Person: d.ana.ID, Workspace: d.acme.ID, Agent: d.odd, Ask: "a/b", Chosen: "x", Text: "as I typed it", At: at}))
	d.push(d.other, d.foreign, "", []string{`{"id":"close","ts":"2026-11-20T10:00:00Z"}`}, nil, nil)
	return d
}

func (d *desk) serve() {
	address, _ := url.Parse(public)
	blobs, err := blob.OpenFolder(d.blobs)
	d.ok(err)
	d.t.Cleanup(func() { blobs.Close() })
	a := api.New(api.Config{Public: address, Store: d.s, Blobs: blobs, Auth: &auth.Authenticator{Source: d.s, Cookie: "__Host-figs", Now: func() time.Time { return d.now }},
		Journal: func(workspace string) journal.Workspace {
			return storejournal.New(d.s, workspace, d.now.UnixMicro())
		}})
	d.e = echo.New()
	d.e.HTTPErrorHandler = func(err error, c echo.Context) {
		p := httperr.Of(err)
		sentence := p.Sentence()
		if p.Status >= 500 {
			sentence = p.Error() // for whoever reads the test's output
		}
		if p.Retry > 0 {
			c.Response().Header().Set("Retry-After", strconv.Itoa(p.Retry))
		}
		body := map[string]any{"error": sentence, "code": p.Code}
		maps.Copy(body, p.Fields)
		c.JSON(p.Status, body)
	}
	a.Routes(d.e)
}

func (d *desk) ok(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// person joins a workspace, with a session and a token named after them.
func (d *desk) person(name string, w store.Workspace, role store.Role) store.User {
	d.t.Helper()
	ctx, at := context.Background(), d.now.UnixMicro()
	u := store.User{ID: store.NewID(), Email: name + "@example.org", Name: name, Created: at}
	d.ok(d.s.AddUser(ctx, store.Act{At: at}, u))
	d.ok(d.s.SetMember(ctx, store.Act{At: at}, w.ID, u.ID, role))
	d.ok(d.s.AddToken(ctx, store.Act{By: u.ID, At: at}, store.Token{ID: name, User: u.ID, Name: "t", Hash: store.Hash("token-" + name), Created: at}))
	d.ok(d.s.SaveSession(ctx, store.Session{Hash: store.Hash("session-" + name), User: u.ID, Created: at, Used: at, Expires: at + time.Hour.Microseconds()}))
	return u
}

// The odd agent: ids that no address can carry, values of any type, fields of nobody.
var (
	oddRuns = []string{
		`{"id":"../agent.json","ts":"2026-11-20T10:00:00Z","title":["not","a","title"],"result":"<script>&amp;","status":"fine","weight":1.50e3,"x":{"y":[null,true,"\u00e9\ud83d\ude00"]}}`,
		`{"id":"日本 🫒","ts":"yesterday","state":"in-flight","attachments":["nowhere.md"]}`,
		`{"id":"plain","ts":"2026-11-19T10:00:00Z","status":"fail"}`,
	}
	oddAsks = []string{
		`{"id":"a/b","type":"question","title":"Which one?","ts":"2026-11-20T09:00:00Z","options":["x","y"],"run":"../agent.json","to":"manager","urgency":9007199254740993}`,
		`{"id":"?","ts":"2026-11-20T09:30:00Z","type":"sign-off","title":"Go?","onApprove":["go"]}`,
	}
	oddMessages = []string{`{"id":"m 1","kind":"answer","ask":"a/b","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"chat","chosen":"x","mood":"fine"}`}
)

// push sends records of an agent as they are.
func (d *desk) push(w store.Workspace, agent, charter string, runs, asks, messages []string) {
	d.t.Helper()
	join := func(l []string) string { return "[" + strings.Join(l, ",") + "]" }
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"Odd one"%s},"runs":%s,"asks":%s,"messages":%s}`, w.ID, agent, charter, join(runs), join(asks), join(messages)))
	d.ok(err)
	_, err = d.s.Push(context.Background(), store.Push{Workspace: w.ID, Act: store.Act{By: d.ana.ID, At: d.now.UnixMicro()}, Body: body})
	d.ok(err)
}

// sample pushes one of the sample folders with its findings, line by line, and names its files.
func (d *desk) sample(name string) (agent string) {
	d.t.Helper()
	dir := filepath.Join("..", "..", "static", "samples", name, ".figs")
	read := func(file string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			d.t.Fatal(err)
		}
		return bytes.TrimSpace(b)
	}
	ledger := func(file string) string {
		var lines []string
		for line := range strings.SplitSeq(string(read(file)), "\n") {
			if json.Valid([]byte(line)) {
				lines = append(lines, line)
			}
		}
		return "[" + strings.Join(lines, ",") + "]"
	}
	var config struct{ AgentID string }
	d.ok(json.Unmarshal(read("config.json"), &config))
	charter := strings.Replace(string(read("agent.json")), "{", fmt.Sprintf(`{"id":%q,`, config.AgentID), 1)
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":%s,"runs":%s,"asks":%s,"messages":%s}`, d.acme.ID, charter, ledger("runs.jsonl"), ledger("asks.jsonl"), ledger("messages.jsonl")))
	d.ok(err)
	report := func() *figs.Report {
		f := figs.New(figs.Options{Now: d.now.Format(time.RFC3339)})
		for _, file := range []figs.File{figs.ConfigJSON, figs.AgentJSON, figs.Runs, figs.Asks, figs.Messages} {
			f.Feed(file, append(read(file.String()), '\n'))
		}
		return f.Finish()
	}
	ctx := context.Background()
	_, err = d.s.Push(ctx, store.Push{Workspace: d.acme.ID, Act: store.Act{By: d.ana.ID, At: d.now.UnixMicro()}, Body: body, Report: report})
	d.ok(err)
	files, _ := os.ReadDir(filepath.Join(dir, "artifacts"))
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(dir, "artifacts", f.Name()))
		d.ok(err)
		d.attach(body.Agent, f.Name(), string(content))
	}
	return body.Agent
}

// attach brings the bytes of an attachment and returns their hash.
func (d *desk) attach(agent, name, content string) string {
	d.t.Helper()
	ctx := context.Background()
	blobs, err := blob.OpenFolder(d.blobs)
	d.ok(err)
	defer blobs.Close()
	hash, size, err := blobs.Put(ctx, strings.NewReader(content), 64<<20)
	d.ok(err)
	_, err = d.s.Attach(ctx, store.Act{By: d.ana.ID, At: d.now.UnixMicro()}, store.Attachment{Agent: agent, Name: name, SHA256: hash, Size: size}, "")
	d.ok(err)
	return hash
}

// ask sends a request with the token of somebody; further headers come in pairs.
func (d *desk) ask(method, address, who string, headers ...string) *http.Response {
	return d.send(method, address, who, "", headers...)
}

// send is ask with a body, which is JSON unless the headers say something else.
func (d *desk) send(method, address, who, content string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, public+address, strings.NewReader(content))
	if content != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if who != "" {
		r.Header.Set("Authorization", "Bearer token-"+who)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	d.e.ServeHTTP(w, r)
	return w.Result()
}

func body(t testing.TB, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// get reads an answer that must be there.
func (d *desk) get(address string) map[string]any {
	d.t.Helper()
	r := d.ask("GET", address, "ana")
	text := body(d.t, r)
	if r.StatusCode != 200 {
		d.t.Fatalf("GET %s = %d %s", address, r.StatusCode, text)
	}
	return parse(d.t, text)
}

// parse keeps numbers as they are written.
func parse(t testing.TB, text string) map[string]any {
	t.Helper()
	var out map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

const acme = api.Base + "/workspaces/acme"

func (d *desk) agent(id string) string { return acme + "/agents/" + id }

// TestWhoMayAsk holds the door: a token or a session of a member, and for everybody else the
// same answer, whether the thing exists or not.
func TestWhoMayAsk(t *testing.T) {
	d := newDesk(t)
	for _, test := range []struct {
		lesson, address, name, value string
		status                       int
		code                         string
	}{
		{"nobody", acme, "", "", 401, "token_missing"},
		{"bearer", acme, "Authorization", "Bearer token-ana", 200, ""},
		{"any_case", acme, "Authorization", "bearer  token-ana", 200, ""},
		{"older_header", acme, "X-Figs-Token", "token-val", 200, ""},
		{"session", acme, "Cookie", "__Host-figs=session-ana", 200, ""},
		{"other_cookie", acme, "Cookie", "figs=session-ana", 401, "token_missing"},
		{"ended_session", acme, "Cookie", "__Host-figs=session-old", 401, "token_missing"},
		{"option_as_token", acme, "Authorization", "Bearer --force", 401, "token_unknown"},
		{"basic", acme, "Authorization", "Basic token-ana", 401, "token_missing"},
		{"by_id", api.Base + "/workspaces/" + d.acme.ID, "Authorization", "Bearer token-ana", 200, ""},
		{"stranger", acme, "Authorization", "Bearer token-fay", 404, "not_found"},
		{"nowhere", api.Base + "/workspaces/nowhere", "Authorization", "Bearer token-fay", 404, "not_found"},
		{"list_nobody", api.Base + "/workspaces", "", "", 401, "token_missing"},
		{"foreign_agent", d.agent(d.foreign), "Authorization", "Bearer token-ana", 404, "not_found"},
		{"unknown_agent", d.agent("0d4f2a3c-1111-4222-8333-00000000dead"), "Authorization", "Bearer token-ana", 404, "not_found"},
		{"no_segment", acme + "/agents/~", "Authorization", "Bearer token-ana", 404, "not_found"},
	} {
		var headers []string
		if test.name != "" {
			headers = []string{test.name, test.value}
		}
		r := d.ask("GET", test.address, "", headers...)
		text := body(t, r)
		if code, _ := parse(t, text)["code"].(string); r.StatusCode != test.status || code != test.code {
			t.Errorf("%s: %d %s, want %d %s", test.lesson, r.StatusCode, text, test.status, test.code)
		}
		if r.StatusCode == 401 && r.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: no WWW-Authenticate", test.lesson)
		}
	}
	d.ok(d.s.RevokeToken(context.Background(), store.Act{By: d.ana.ID, At: d.now.UnixMicro()}, d.ana.ID, "ana"))
	if r := d.ask("GET", acme, "ana", "Cookie", "__Host-figs=session-ana"); r.StatusCode != 401 {
		t.Errorf("a revoked token beside a session = %d, want 401: the token was brought", r.StatusCode)
	}
	for _, address := range []string{"", "/inbox", "/activity", "/search?q=x", "/agents", "/agents/" + d.recon, "/agents/" + d.recon + "/jobs"} {
		foreign, unknown := d.ask("GET", acme+address, "fay"), d.ask("GET", api.Base+"/workspaces/nowhere"+address, "fay")
		if a, b := body(t, foreign), body(t, unknown); foreign.StatusCode != 404 || a != b {
			t.Errorf("%s of a foreign workspace = %d %s, of none %d %s: they tell which exists", address, foreign.StatusCode, a, unknown.StatusCode, b)
		}
	}
}

// TestRecordsAreAsWritten holds that a record comes back as the agent wrote it, to the digit.
func TestRecordsAreAsWritten(t *testing.T) {
	d := newDesk(t)
	for _, test := range []struct {
		section string
		written []string
	}{{"jobs", oddRuns}, {"asks", oddAsks}, {"messages", oddMessages}} {
		found := map[string]json.RawMessage{}
		var page struct {
			Items []struct {
				ID     string
				Key    string
				Record json.RawMessage
			}
		}
		d.ok(json.Unmarshal([]byte(body(t, d.ask("GET", d.agent(d.odd)+"/"+test.section, "ana"))), &page))
		for _, item := range page.Items {
			found[item.ID] = item.Record
			if test.section == "messages" {
				continue
			}
			if item.Key != journal.Segment(item.ID) {
				t.Errorf("%s %q has the key %q", test.section, item.ID, item.Key)
			}
			var alone struct{ Record json.RawMessage }
			d.ok(json.Unmarshal([]byte(body(t, d.ask("GET", d.agent(d.odd)+"/"+test.section+"/"+item.Key, "ana"))), &alone))
			if string(alone.Record) != string(item.Record) {
				t.Errorf("%s %s is %s alone and %s in the list", test.section, item.ID, alone.Record, item.Record)
			}
		}
		for _, line := range test.written {
			id := parse(t, line)["id"].(string)
			if string(found[id]) != line {
				t.Errorf("%s %q = %s, want %s", test.section, id, found[id], line)
			}
		}
	}
	if charter := d.get(d.agent(d.odd))["charter"].(map[string]any); charter["manager"] != "<b>" {
		t.Errorf("the charter is %v", charter)
	}
}

// TestTags holds that an answer has a tag of its own, which a conditional request finds again
// until something changes.
func TestTags(t *testing.T) {
	d := newDesk(t)
	seen := map[string]string{}
	for _, address := range []string{api.Base + "/openapi.json", api.Base + "/workspaces", acme, acme + "/agents", acme + "/inbox", acme + "/inbox?everybody=1", d.agent(d.recon) + "/jobs", d.agent(d.recon) + "/jobs?n=1", d.agent(d.odd) + "/jobs"} {
		r := d.ask("GET", address, "ana")
		tag := r.Header.Get("ETag")
		if !strings.HasPrefix(tag, `W/"`) || seen[tag] != "" {
			t.Errorf("the tag of %s is %s, as of %s", address, tag, seen[tag])
		}
		seen[tag] = address
		for _, held := range []string{tag, `"x", ` + tag, strings.TrimPrefix(tag, "W/"), "*"} {
			r := d.ask("GET", address, "ana", "If-None-Match", held)
			if text := body(t, r); r.StatusCode != 304 || text != "" || r.Header.Get("ETag") != tag {
				t.Errorf("%s with %s = %d %q %s, want 304 with the tag", address, held, r.StatusCode, text, r.Header.Get("ETag"))
			}
		}
		if r := d.ask("GET", address, "ana", "If-None-Match", `W/"x"`); r.StatusCode != 200 {
			t.Errorf("%s with another tag = %d", address, r.StatusCode)
		}
	}
	address := d.agent(d.recon) + "/asks"
	tag := d.ask("GET", address, "ana").Header.Get("ETag")
	if d.ask("GET", address, "val").Header.Get("ETag") == tag {
		t.Error("two people have one tag")
	}
	if r := d.ask("GET", address, "fay", "If-None-Match", tag); r.StatusCode != 404 {
		t.Errorf("a stranger who holds a tag gets %d, want 404", r.StatusCode)
	}
	d.push(d.acme, d.odd, "", []string{`{"id":"plain","ts":"2026-11-20T18:00:00Z","status":"ok"}`}, nil, nil)
	if r := d.ask("GET", address, "ana", "If-None-Match", tag); r.StatusCode != 200 {
		t.Errorf("after a push %d, want 200", r.StatusCode)
	}
	tag = d.ask("GET", acme+"/activity", "ana").Header.Get("ETag")
	d.now = d.now.Add(24 * time.Hour)
	d.ok(d.s.SaveSession(context.Background(), store.Session{Hash: "unused", User: d.ana.ID, Expires: d.now.UnixMicro()}))
	if r := d.ask("GET", acme+"/activity", "ana", "If-None-Match", tag); r.StatusCode != 200 {
		t.Errorf("on the next day %d, want 200", r.StatusCode)
	}
}

// TestQueriesAreHeld refuses what an address does not take, with the way out.
func TestQueriesAreHeld(t *testing.T) {
	d := newDesk(t)
	for query, want := range map[string]string{
		"/inbox?tba=needs": "parameter_unknown", "/inbox?tab=all": "parameter_invalid", "/inbox?age=-1": "parameter_invalid", "/inbox?from=1&from=2": "parameter_repeated",
		"/inbox?n=201": "parameter_invalid", "/inbox?n=x": "parameter_invalid", "/inbox?to=%zz": "query_malformed", "/search?q=%ff": "parameter_invalid", "/search?q=a%00b": "parameter_invalid", "/search": "parameter_missing", "/search?q=+": "parameter_missing",
		"/activity?days=29": "parameter_invalid", "/agents?q=x": "parameter_unknown", "/agents/" + d.recon + "/jobs?state=done": "parameter_invalid", "?x": "parameter_unknown",
	} {
		r := d.ask("GET", acme+query, "ana")
		text := body(t, r)
		answer := parse(t, text)
		if sentence, _ := answer["error"].(string); r.StatusCode != 400 || answer["code"] != want || len(sentence) < 20 {
			t.Errorf("%s = %d %s, want 400 %s", query, r.StatusCode, text, want)
		}
	}
}

// TestPagesJoin holds that following next gives every item once.
func TestPagesJoin(t *testing.T) {
	d := newDesk(t)
	var runs []string
	for i := range 23 {
		runs = append(runs, fmt.Sprintf(`{"id":"r%d","ts":"2026-11-%02dT10:00:00Z"}`, i, i%20+1))
	}
	d.push(d.acme, d.odd, "", runs, nil, nil)
	seen := map[string]bool{}
	for address, n := d.agent(d.odd)+"/jobs?n=7&state=ok", 0; address != ""; n++ {
		page := d.get(address)
		for _, item := range page["items"].([]any) {
			id := item.(map[string]any)["id"].(string)
			if seen[id] {
				t.Errorf("%s comes twice", id)
			}
			seen[id] = true
		}
		address, _ = page["next"].(string)
		if page["total"].(json.Number) != "23" || n > 3 {
			t.Fatalf("page %d of %v jobs goes on at %q", n, page["total"], address)
		}
	}
	if len(seen) != 23 {
		t.Errorf("%d jobs came, want 23", len(seen))
	}
}
