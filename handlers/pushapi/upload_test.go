package pushapi

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// registered is a world in which the agent is.
func registered(t testing.TB, change ...func(*Config)) *world {
	w := newWorld(t, change...)
	w.is(w.ingest("bo", push{runs: []string{aRun}}), 200, "")
	return w
}

func TestUpload(t *testing.T) {
	w := registered(t)
	a := w.upload("bo", strings.ToUpper(anAgent), "report.html", "<p>Invoice <b>4711</b><script>hidden()</script>")
	w.is(a, 200, "")
	digest := store.Hash("<p>Invoice <b>4711</b><script>hidden()</script>")
	if a.json["ok"] != true || a.json["sha256"] != digest || a.json["unchanged"] != nil {
		t.Errorf("%s", a.text)
	}
	r, size, err := w.wire.Blobs.Open(ctx, digest)
	w.ok(err)
	text, err := io.ReadAll(r)
	r.Close()
	if err != nil || int64(len(text)) != size || store.Hash(string(text)) != digest {
		t.Errorf("kept %q, %v", text, err)
	}
	told := len(w.changed)
	if a := w.upload("ana", anAgent, "report.html", string(text)); a.json["unchanged"] != true || a.json["sha256"] != digest || len(w.changed) != told {
		t.Errorf("again: %s", a.text)
	}
	w.is(w.upload("bo", anAgent, "report.html", "other"), 409, "attachment_name_taken", "new name", "Retrying will not help")
	w.is(w.upload("vi", anAgent, "other.html", "x"), 403, "role_too_low")
	w.is(w.upload("zoe", anAgent, "other.html", "x"), 403, "not_a_member")
	w.is(w.upload("", anAgent, "other.html", "x"), 401, "token_missing")
	for words, want := range map[string]int{"4711": 1, "hidden": 0} {
		found, err := w.s.Search(ctx, store.SearchQuery{Workspace: w.acme.ID, Text: words})
		w.ok(err)
		if len(found.Hits) != want {
			t.Errorf("search %s: %v", words, found.Hits)
		}
	}
	if f, err := w.s.File(ctx, anAgent, "report.html"); err != nil || f.PushedBy != w.people["bo"].ID || len(f.Mentions) == 0 {
		t.Errorf("%+v %v", f, err)
	}
}

// What the disk lost is written again, although the store knows its name.
func TestUploadMends(t *testing.T) {
	var dir string
	w := registered(t, func(c *Config) { dir = c.Temp })
	w.is(w.upload("bo", anAgent, "a.txt", "kept"), 200, "")
	digest := store.Hash("kept")
	w.ok(os.Truncate(dir+"/blobs/"+digest[:2]+"/"+digest, 1))
	w.is(w.upload("bo", anAgent, "a.txt", "kept"), 200, "")
	if b, err := os.ReadFile(dir + "/blobs/" + digest[:2] + "/" + digest); string(b) != "kept" {
		t.Errorf("%q %v", b, err)
	}
}

func TestUploadAgents(t *testing.T) {
	w := registered(t)
	w.is(w.ingest("zoe", push{workspace: w.secret.ID, agent: secondAgent}), 200, "")
	unknown := w.upload("bo", store.NewID(), "a.txt", "x")
	w.is(unknown, 404, "agent_unknown")
	if foreign := w.upload("bo", secondAgent, "a.txt", "x"); foreign.StatusCode != 404 || foreign.text != unknown.text {
		t.Errorf("told apart: %s", foreign.text)
	}
	w.ok(w.s.SetMember(ctx, store.Act{At: w.at()}, w.secret.ID, w.people["bo"].ID, store.Viewer))
	w.is(w.upload("bo", secondAgent, "a.txt", "x"), 409, "agent_moved", w.secret.ID)
}

func TestUploadNames(t *testing.T) {
	w := registered(t)
	for _, name := range []string{"../agent.json", "/etc/passwd.txt", `a\b.txt`, "CON.md", "nul.txt", "a\u202etxt.md", "a\u200bb.txt", "\U000E0041.txt", "a\x00.txt", "a\n.txt", "", ".", "..", "a.txt ", "a.txt.", "c:a.txt",
		strings.Repeat("n", 10_000) + ".txt", strings.Repeat("n", 197) + ".txt"} {
		w.is(w.upload("bo", anAgent, name, "x"), 400, "attachment_name_invalid", "CON.md")
	}
	for _, name := range []string{"a.exe", "a", ".html", "a.html.js", "a.htm"} {
		w.is(w.upload("bo", anAgent, name, "x"), 400, "attachment_type_unsupported", ".pdf")
	}
	for _, name := range []string{strings.Repeat("n", 196) + ".txt", "agent.json", "Report.HTML", "日本 語.md", "🍇.png", "a%2Fb.txt", "résumé.pdf", "re\u0301sume\u0301.pdf", "RÉSUMÉ.pdf", "a'b\"c<d>.csv"} {
		w.is(w.upload("bo", anAgent, name, "x"), 200, "")
	}
}

// Names that differ in case or in how accents are stored are kept apart, and warned of.
func TestSpellings(t *testing.T) {
	for names, want := range map[string]int{
		`"a.txt","b.txt"`: 0, `"Report.html","report.html"`: 1, `"r\u00e9sum\u00e9.pdf","re\u0301sume\u0301.PDF","RESUME.pdf"`: 1, `"日本.md","中国.md"`: 0, `"é.md","ü.md","x.md"`: 0,
	} {
		w := newWorld(t)
		w.is(w.ingest("bo", push{runs: []string{`{"id":"r","ts":"2026-11-20T10:00:00Z","attachments":[` + names + `]}`}}), 200, "")
		report, err := w.s.Findings(ctx, anAgent)
		w.ok(err)
		if got := strings.Count(string(report), `"code":"attachment_case_differs"`); got != want || strings.Contains(string(report), "attachment_missing") {
			t.Errorf("%s: %d warnings, want %d: %s", names, got, want, report)
		}
		var list []string
		w.ok(json.Unmarshal([]byte("["+names+"]"), &list))
		for i, name := range list {
			w.is(w.upload("bo", anAgent, name, fmt.Sprint(i)), 200, "")
		}
	}
}

func TestUploadSizes(t *testing.T) {
	w := registered(t)
	most := strings.Repeat("\x00\xffa", figs.MaxAttachment/3+1)[:figs.MaxAttachment]
	a := w.upload("bo", anAgent, "most.pdf", most)
	w.is(a, 200, "")
	if a.json["sha256"] != store.Hash(most) {
		t.Error("other bytes")
	}
	w.is(w.upload("bo", anAgent, "more.pdf", most+"x"), 413, "file_too_large", "10 MiB (10485760 bytes)", "Retrying will not help")
	w.is(w.upload("bo", anAgent, "much.pdf", most+most), 413, "file_too_large")
	w.is(w.post("/api/artifacts/upload", "bo", `{"x":"`+strings.Repeat("y", 20<<20)+`"}`), 413, "file_too_large")
	if a := w.upload("bo", anAgent, "empty.txt", ""); a.StatusCode != 200 || a.json["sha256"] != store.Hash("") {
		t.Errorf("empty: %s", a.text)
	}
	if left := w.wire.memory.left.Load(); left != bodiesInMemory {
		t.Errorf("%d bytes of memory were not given back", bodiesInMemory-left)
	}
	files, _ := os.ReadDir(w.wire.Temp)
	for _, f := range files {
		if strings.HasPrefix(f.Name(), "figs-body") {
			t.Errorf("left behind: %s", f.Name())
		}
	}
}

// The body of an upload is read as any JSON may be written.
func TestUploadBodies(t *testing.T) {
	w := registered(t)
	content := base64.StdEncoding.EncodeToString([]byte("~~~???>>>"))
	escaped := strings.NewReplacer("/", `\/`, "f", `\u0066`).Replace(content)
	head := fmt.Sprintf(`"workspaceId":%q,"agentId":%q`, w.acme.ID, anAgent)
	digest := store.Hash("~~~???>>>")
	for i, body := range []string{
		`{` + head + `,"name":"N","content":"` + content + `"}`,
		"\r\n{\t\"content\" : \"" + content + `" , "name":"N",` + head + "}\n ",
		`{` + head + `,"name":"N","content":"` + escaped + `"}`,
		`{` + head + `,"name":"N","content":"` + content[:6] + `\r\n` + content[6:] + `"}`,
		`{"content":"eA==",` + head + `,"name":"x","content":"` + content + `","name":"N"}`,
		`{"content":7,"more":{"deep":[1,{"x":"}"}],"n":null},"f":-1.5e3,` + head + `,"name":"N","content":"` + content + `"}`,
		`{` + head + `,"name":"N","content":"` + content + `","sha256":"` + strings.ToUpper(digest) + `"}`,
		`{"\u0063ontent":"` + content + `",` + head + `,"name":"N"}`,
	} {
		a := w.post("/api/artifacts/upload", "bo", strings.Replace(body, `"N"`, fmt.Sprintf(`"n%d.txt"`, i), 1))
		if a.StatusCode != 200 || a.json["sha256"] != digest {
			t.Errorf("%s: %d %s", body, a.StatusCode, a.text)
		}
	}
	named := head + `,"name":"odd.txt"`
	for body, code := range map[string]string{
		``: "body_cut", `{`: "body_cut", `[]`: "upload_unreadable", `7`: "upload_unreadable", `{}`: "content_missing", `{` + named + `}`: "content_missing",
		`{` + named + `,"content":null}`:                                             "content_missing",
		`{` + named + `,"content":"eA=="} x`:                                         "upload_unreadable",
		`{` + named + `,"content":"eA=="}{}`:                                         "upload_unreadable",
		`{` + named + `,"content":"eA==",}`:                                          "upload_unreadable",
		`{` + named + `,,"content":"eA=="}`:                                          "upload_unreadable",
		`{` + named + ` "content":"eA=="}`:                                           "upload_unreadable",
		`{` + named + `,"content":"eA==`:                                             "body_cut",
		`{` + named + `,"content":"eA=`:                                              "body_cut",
		`{` + named + `,"content":"eA="}`:                                            "content_unreadable",
		`{` + named + `,"content":"e*=="}`:                                           "content_unreadable",
		`{` + named + `,"content":"eA==eA=="}`:                                       "content_unreadable",
		`{` + named + `,"content":"é"}`:                                              "upload_unreadable",
		`{` + named + `,"content":"\ud800"}`:                                         "upload_unreadable",
		`{` + named + `,"content":"eA==","x":tru}`:                                   "upload_unreadable",
		`{` + named + `,"content":"eA==","x":` + strings.Repeat("[", 10_000) + `}`:   "upload_unreadable",
		`{` + named + `,"content":"eA==","x":"` + strings.Repeat("x", 70_000) + `"}`: "upload_unreadable",
		`{` + named + `,"content":"eA==","sha256":"` + digest + `"}`:                 "sha256_differs",
		`{` + head + `,"name":7,"content":"eA=="}`:                                   "attachment_name_invalid",
	} {
		a := w.post("/api/artifacts/upload", "bo", body)
		if a.StatusCode != 400 || a.json["code"] != code {
			t.Errorf("%.80s: %d %s, want %s", body, a.StatusCode, a.text, code)
		}
	}
	if _, err := w.s.File(ctx, anAgent, "odd.txt"); err == nil {
		t.Error("one of the odd ones was stored")
	}
}

// FuzzMembers holds the streaming reader to encoding/json: what that refuses it refuses, and of
// what both take, they read the same content.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{`{"content":"eA=="}`, ` {"a" : [1,{"b":"]"}] , "content":"\u0065A=="} `, `{"content":"","content":"eA=="}`, `{}`, `{"content":7}`, `{"content":"eA==`, `[1]`, `{"a":1e5,"b":true}`} {
		f.Add([]byte(seed))
	}
	w := &Wire{memory: newBudget(bodiesInMemory)}
	f.Fuzz(func(t *testing.T, body []byte) {
		u, err := w.readUpload(strings.NewReader(string(body)))
		if err != nil {
			return
		}
		defer u.content.Close()
		var all map[string]json.RawMessage
		if err := json.Unmarshal(body, &all); err != nil {
			t.Fatalf("took %q, which is %v", body, err)
		}
		var content string
		if err := json.Unmarshal(all["content"], &content); err != nil {
			t.Fatalf("took %q as content", all["content"])
		}
		want, err := base64.StdEncoding.DecodeString(content)
		if err != nil || store.Hash(string(want)) != u.content.digest {
			t.Fatalf("%q: other content, %v", body, err)
		}
	})
}
