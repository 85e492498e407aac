package pushapi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

func TestIngest(t *testing.T) {
	w := newWorld(t)
	a := w.ingest("bo", push{runs: []string{aRun}, asks: []string{anAsk, aQuestion}, messages: []string{anAnswer}, charter: `,"x-own":{"y":1}`})
	w.is(a, 200, "")
	for k, want := range map[string]any{"ok": true, "registered": true, "runs": 1.0, "asks": 2.0, "messages": 1.0, "agentId": anAgent, "url": w.server.URL + "/w/" + w.acme.ID, "unchanged": nil} {
		if a.json[k] != want {
			t.Errorf("%s is %v, want %v", k, a.json[k], want)
		}
	}
	if list, ok := a.json["refused"].([]any); !ok || len(list) > 0 {
		t.Errorf("refused: %s", a.text)
	}
	agent, err := w.s.Agent(ctx, anAgent)
	w.ok(err)
	if bo := w.people["bo"].ID; agent.Builder != bo || agent.PushedBy != bo || !strings.Contains(string(agent.Charter), `"x-own":{"y":1}`) {
		t.Errorf("agent %+v", agent)
	}
	if len(w.changed) != 1 || w.changed[0] != w.acme.ID {
		t.Errorf("told of %v", w.changed)
	}
}

// What is there already writes nothing and tells nobody, known by its digest or not.
func TestIngestAgain(t *testing.T) {
	w := newWorld(t)
	p := push{runs: []string{aRun}, asks: []string{anAsk}, messages: []string{anAnswer}}
	w.is(w.ingest("bo", p), 200, "")
	before, err := w.s.Agent(ctx, anAgent)
	w.ok(err)
	w.later(time.Hour)
	for name, body := range map[string]string{"the same bytes": w.body(p), "other bytes": strings.ReplaceAll(w.body(p), `,"`, ` , "`), "a byte order mark": "\ufeff" + w.body(p), "pretty": strings.ReplaceAll(w.body(p), `,"`, ",\n  \"")} {
		a := w.post("/api/ingest", "ana", body)
		w.is(a, 200, "")
		after, err := w.s.Agent(ctx, anAgent)
		w.ok(err)
		if a.json["unchanged"] != true || before.Seq != after.Seq || before.Pushed != after.Pushed || before.PushedBy != after.PushedBy {
			t.Errorf("%s: %s, %+v", name, a.text, after)
		}
	}
	if len(w.changed) != 1 {
		t.Errorf("told of %v", w.changed)
	}
	w.is(w.post("/api/ingest", "zoe", w.body(p)), 403, "not_a_member")
	w.is(w.post("/api/ingest", "vi", w.body(p)), 403, "role_too_low", "viewer", "owner or admin")
}

func TestIngestMoved(t *testing.T) {
	w := newWorld(t)
	w.ok(w.s.SetMember(ctx, store.Act{At: w.at()}, w.secret.ID, w.people["ana"].ID, store.Member))
	w.is(w.ingest("zoe", push{workspace: w.secret.ID, runs: []string{aRun}}), 200, "")
	a := w.ingest("ana", push{runs: []string{aRun}})
	w.is(a, 409, "agent_moved", "figs link --workspace "+w.secret.ID, "figs init")
	if a.json["workspaceId"] != w.secret.ID {
		t.Errorf("who sees both: %s", a.text)
	}
	a = w.ingest("bo", push{runs: []string{aRun}})
	w.is(a, 409, "agent_moved", "another workspace", "figs init")
	if strings.Contains(a.text, w.secret.ID) || strings.Contains(a.text, "workspaceId") || strings.Contains(a.text, "Secret") {
		t.Errorf("a stranger learns where it is: %s", a.text)
	}
}

// A body that was stored names the workspace where its agent was: once the agent has moved, the same body is answered
// with the move, not as unchanged.
func TestIngestAfterMove(t *testing.T) {
	w := newWorld(t)
	w.ok(w.s.SetMember(ctx, store.Act{At: w.at()}, w.secret.ID, w.people["ana"].ID, store.Member))
	old := w.body(push{runs: []string{aRun}})
	w.is(w.post("/api/ingest", "ana", old), 200, "")
	w.ok(w.s.MoveAgent(ctx, store.Act{By: w.people["zoe"].ID, At: w.at()}, anAgent, w.secret.ID))
	w.is(w.post("/api/ingest", "ana", old), 409, "agent_moved", "figs link --workspace "+w.secret.ID)
	for range 2 { // and where it is now the same ledger is unchanged
		if a := w.ingest("ana", push{workspace: w.secret.ID, runs: []string{aRun}}); a.StatusCode != 200 || a.json["unchanged"] != true {
			t.Errorf("%d %s", a.StatusCode, a.text)
		}
	}
}

// An agent's name that is no text is refused, by the name of the field.
func TestIngestNameNotText(t *testing.T) {
	w := newWorld(t)
	for name, kind := range map[string]string{`7`: "a number", `{"en":"Closer"}`: "an object", `["Closer"]`: "a list", `true`: "true", `false`: "false"} {
		body := strings.Replace(w.body(push{runs: []string{aRun}}), `"name":"Reconciliation"`, `"name":`+name, 1)
		w.is(w.post("/api/ingest", "bo", body), 400, "push_unreadable", "agent.name must be text, and this one is "+kind, ".figs/agent.json", "nothing was stored")
		if a := w.post("/api/validate", "bo", body); a.json["ok"] != false || !strings.Contains(a.text, "agent.name") {
			t.Errorf("validate: %d %s", a.StatusCode, a.text)
		}
	}
	if _, err := w.s.Agent(ctx, anAgent); err == nil {
		t.Error("something was stored")
	}
}

func TestIngestRenamed(t *testing.T) {
	w := newWorld(t)
	w.is(w.ingest("bo", push{runs: []string{aRun}}), 200, "")
	w.is(w.ingest("bo", push{name: "Copy", runs: []string{aRun}}), 409, "agent_renamed", "figs push --rename", "/w/"+w.acme.ID+"/settings/agents and push again", `"Reconciliation"`, `"Copy"`, "figs init")
	w.is(w.ingest("bo", push{name: "Copy", runs: []string{aRun}, more: `,"confirmRename":true`}), 200, "")
	agent, err := w.s.Agent(ctx, anAgent)
	w.ok(err)
	if agent.Name != "Copy" {
		t.Errorf("named %q", agent.Name)
	}
}

// Unknown workspaces, those of others and deleted ones are answered without telling them apart.
func TestIngestForbidden(t *testing.T) {
	w := newWorld(t)
	unknown := w.ingest("bo", push{workspace: store.NewID()})
	foreign := w.ingest("bo", push{workspace: w.secret.ID})
	odd := w.ingest("bo", push{workspace: "../../acme"})
	w.is(unknown, 403, "not_a_member", "bo@example.org", "figs link")
	if foreign.text != unknown.text || odd.text != unknown.text {
		t.Errorf("told apart: %s %s", foreign.text, odd.text)
	}
	w.ok(w.s.DeleteWorkspace(ctx, store.Act{At: w.at()}, w.acme.ID))
	w.is(w.ingest("bo", push{}), 403, "workspace_deleted", "figs link")
	if a := w.ingest("zoe", push{}); strings.ReplaceAll(a.text, "zoe@", "bo@") != unknown.text {
		t.Errorf("a stranger learns of a deleted workspace: %s", a.text)
	}
}

// What client 1.2 itself would not send is refused whole; what is only stricter is kept.
func TestIngestInvalid(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		push
		path string
	}{
		"retired type":       {push{asks: []string{`{"id":"old","type":"fyi","title":"T"}`}}, "asks[old].type"},
		"unknown status":     {push{runs: []string{aRun, `{"id":"z","ts":"2026-11-20T10:00:00Z","status":"perhaps"}`}}, "runs[z].status"},
		"no ts":              {push{runs: []string{`{"id":"z"}`}}, "runs[z]"},
		"no id":              {push{runs: []string{aRun, `{"ts":"2026-11-20T10:00:00Z"}`}}, "runs"},
		"no object":          {push{asks: []string{`42`}}, "asks"},
		"a verdict without":  {push{messages: []string{`{"id":"m","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T10:00:00Z"}`}}, "messages[m]"},
		"an unknown source":  {push{messages: []string{strings.Replace(anAnswer, `"app"`, `"mail"`, 1)}}, "messages[m].source"},
		"options no list":    {push{asks: []string{`{"id":"a b\u202e","type":"question","title":"T","options":"x"}`}}, `asks["a b\u202e"].options`},
		"a placeholder left": {push{charter: `,"mandate":"<one line>"`}, "agent.mandate"},
	} {
		t.Run(name, func(t *testing.T) {
			a := w.ingest("bo", c.push)
			w.is(a, 400, "push_invalid", c.path+": ", "nothing was stored", "figs doctor")
			issues, _ := a.json["issues"].([]any)
			if len(issues) != 1 || issues[0].(map[string]any)["path"] != c.path {
				t.Errorf("issues %s", a.text)
			}
			v := w.post("/api/validate", "bo", w.body(c.push))
			w.is(v, 200, "")
			if v.json["ok"] != false || !strings.Contains(v.text, issues[0].(map[string]any)["path"].(string)[:4]) {
				t.Errorf("validate says %s", v.text)
			}
		})
	}
	if _, err := w.s.Agent(ctx, anAgent); err == nil {
		t.Error("something of them was stored")
	}
	a := w.ingest("bo", push{runs: []string{`{"id":"r","ts":"yesterday","attachments":["../agent.json","x.exe"]}`}})
	w.is(a, 200, "")
	if a.json["errors"].(float64) < 3 {
		t.Errorf("findings: %s", a.text)
	}
	report, err := w.s.Findings(ctx, anAgent)
	w.ok(err)
	for _, code := range []string{"ts_malformed", "attachment_name_invalid", "attachment_type_unsupported"} {
		if !strings.Contains(string(report), code) {
			t.Errorf("the agent's page lacks %s: %s", code, report)
		}
	}
}

func TestValidate(t *testing.T) {
	w := newWorld(t)
	a := w.post("/api/validate", "bo", w.body(push{runs: []string{aRun}, asks: []string{`{"id":"a","type":"sign-off","title":"T","status":"done"}`}}))
	w.is(a, 200, "")
	issues, _ := a.json["issues"].([]any)
	if a.json["ok"] != false || len(issues) != 1 {
		t.Fatalf("%s", a.text)
	}
	if i := issues[0].(map[string]any); i["path"] != "asks[a].status" || i["message"] == "" || !strings.Contains(fmt.Sprint(i["expected"]), "resolved") {
		t.Errorf("issue %v", i)
	}
	a = w.post("/api/validate", "bo", w.body(push{asks: []string{`{"id":"a","type":"sign-off","title":"T"}`}}))
	if a.json["ok"] != true || len(a.json["issues"].([]any)) != 0 || len(a.json["warnings"].([]any)) == 0 {
		t.Errorf("warnings alone: %s", a.text)
	}
	a = w.post("/api/validate", "bo", w.body(push{runs: []string{`{"id":"deep","ts":"2026-11-20T10:00:00Z","x":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`}}))
	if a.json["ok"] != true || !strings.Contains(a.text, `"record_too_deep"`) {
		t.Errorf("too deep: %s", a.text)
	}
	for name, body := range map[string]string{"no JSON": `{"workspaceId":`, "no object": `[]`, "nothing": ``, "no agent": `{"workspaceId":"x"}`, "an array of agents": `{"workspaceId":"x","agent":[]}`} {
		a := w.post("/api/validate", "bo", body)
		list, _ := a.json["issues"].([]any)
		if a.StatusCode != 200 || a.json["ok"] != false || len(list) != 1 {
			t.Errorf("%s: %d %s", name, a.StatusCode, a.text)
		}
	}
	w.is(w.post("/api/validate", "zoe", w.body(push{})), 403, "not_a_member")
	w.is(w.post("/api/validate", "", w.body(push{})), 401, "token_missing")
	if _, err := w.s.Agent(ctx, anAgent); err == nil {
		t.Error("validate stored something")
	}
}

// A push never walks a record backwards; the rest of it applies, and the answer says so each time.
func TestIngestBackwards(t *testing.T) {
	w := newWorld(t)
	closed := strings.Replace(aQuestion, `"options"`, `"status":"resolved","resolution":{"ts":"2026-11-20T11:00:00Z"},"options"`, 1)
	w.is(w.ingest("bo", push{asks: []string{closed}}), 200, "")
	for range 2 {
		a := w.ingest("bo", push{runs: []string{aRun}, asks: []string{aQuestion}})
		w.is(a, 200, "")
		list, _ := a.json["refused"].([]any)
		if len(list) != 1 {
			t.Fatalf("refused: %s", a.text)
		}
		if r := list[0].(map[string]any); r["kind"] != "ask" || r["id"] != "q" || r["reason"] != "record_older" || len(r["message"].(string)) < 40 {
			t.Errorf("refused %v", r)
		}
	}
	if _, err := w.s.Record(ctx, anAgent, figs.Runs, "r"); err != nil {
		t.Errorf("the rest did not apply: %v", err)
	}
	ask, err := w.s.Record(ctx, anAgent, figs.Asks, "q")
	w.ok(err)
	if !strings.Contains(string(ask.Fold), `"resolved"`) {
		t.Errorf("the ask is %s", ask.Fold)
	}
	// A newer version reopens it, and still carries its old resolution.
	w.is(w.ingest("bo", push{asks: []string{strings.Replace(strings.Replace(closed, `"resolved"`, `"open"`, 1), "T10:30", "T11:30", 1)}}), 200, "")
	ask, err = w.s.Record(ctx, anAgent, figs.Asks, "q")
	w.ok(err)
	if ask.State.Phase != figs.NeedsYou {
		t.Errorf("reopened: %v", ask.State)
	}
}

func TestMessages(t *testing.T) {
	w := newWorld(t)
	get := func(who, agent string, more ...string) answer {
		t.Helper()
		return w.send("GET", "/api/messages?agent="+agent, who, nil, more...)
	}
	w.is(w.ingest("bo", push{asks: []string{aQuestion}, messages: []string{
		`{"id":"later","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T12:00:00+02:00","source":"app","text":"second","x-own":[1]}`,
		`{"id":"odd","kind":"answer","ask":"q","by":{"name":"Ana"},"ts":"2026-11-20T09:00:00Z","text":"not for clients"}`,
		`{"id":"first","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T09:30:00Z","text":"first"}`}}), 200, "")
	a := get("vi", strings.ToUpper(anAgent))
	w.is(a, 200, "")
	var ids []string
	for _, m := range a.json["messages"].([]any) {
		m := m.(map[string]any)
		ids = append(ids, m["id"].(string))
		if m["source"] != "chat" {
			t.Errorf("transcribed, and its source is %v", m["source"])
		}
	}
	if fmt.Sprint(ids) != "[first later]" || a.json["truncated"] != false || !strings.Contains(a.text, `"x-own":[1]`) {
		t.Errorf("%s", a.text)
	}
	tag := a.Header.Get("ETag")
	for _, known := range []string{tag, "W/" + tag, `"other", ` + tag} {
		if b := get("vi", anAgent, "If-None-Match", known); b.StatusCode != 304 || b.text != "" {
			t.Errorf("If-None-Match %s: %d %s", known, b.StatusCode, b.text)
		}
	}
	w.is(w.ingest("bo", push{asks: []string{aQuestion}, messages: []string{anAnswer}}), 200, "")
	if b := get("vi", anAgent, "If-None-Match", tag); b.StatusCode != 200 || !strings.Contains(b.text, `"m"`) {
		t.Errorf("after a new reply: %d %s", b.StatusCode, b.text)
	}
	unknown := get("bo", store.NewID())
	w.is(unknown, 404, "agent_unknown", "figs push")
	if foreign := get("zoe", anAgent); foreign.StatusCode != 404 || foreign.text != unknown.text {
		t.Errorf("told apart: %s", foreign.text)
	}
	if foreign := get("zoe", anAgent, "If-None-Match", tag); foreign.StatusCode != 404 {
		t.Errorf("a tag opens: %d", foreign.StatusCode)
	}
	newest := get("vi", anAgent).Header.Get("ETag")
	w.later(10 * time.Minute)
	if b := get("vi", anAgent, "If-None-Match", newest); b.StatusCode != 304 {
		t.Errorf("later: %d", b.StatusCode)
	}
	tokens, err := w.s.ListTokens(ctx, w.people["vi"].ID)
	w.ok(err)
	if tokens[0].Used != w.at() {
		t.Error("the use of the token was not noted")
	}
	w.ok(w.s.RevokeToken(ctx, store.Act{At: w.at()}, w.people["vi"].ID, tokens[0].ID))
	w.is(get("vi", anAgent, "If-None-Match", newest), 401, "token_unknown")
	for _, odd := range []string{"", "%00", "..%2F", "x%27%20OR%201", strings.Repeat("a", 9000)} {
		w.is(get("bo", odd), 404, "agent_unknown")
	}
}
