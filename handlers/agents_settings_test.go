package handlers

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// agentRows are the routes of what becomes of agents and of what they wrote.
func agentRows() map[string]hostedRow {
	agent, page := "/w/acme/agents/"+acmeAgent, hostedKinds["page"]
	owners := answers{303, 404, 403, 403, 403, 200, 303, 303, 303}
	return map[string]hostedRow{
		"GET /w/:workspace/settings/agents":        {"/w/acme/settings/agents", "", page, inside},
		"POST /w/:workspace/agents/:agent/archive": {agent + "/archive", "archived=1", page, run},
		"POST /w/:workspace/agents/:agent/rename":  {agent + "/rename", "name=", page, run},
		"GET /w/:workspace/agents/:agent/move":     {agent + "/move", "", page, running},
		"POST /w/:workspace/agents/:agent/move":    {agent + "/move", "to=other", page, answers{303, 404, 403, 403, 422, 422, 303, 303, 303}},
		"GET /w/:workspace/agents/:agent/erase":    {agent + "/erase?kind=run&key=close", "", page, owners},
		"POST /w/:workspace/agents/:agent/erase":   {agent + "/erase?kind=run&key=close", "why=x", page, removers},
	}
}

// pushAs pushes what the town's agent has under a name, with more of its fields.
func (w *town) pushAs(x store.Workspace, name, result string) error {
	w.t.Helper()
	body, err := figs.ReadPush([]byte(`{"workspaceId":"` + x.ID + `","agent":{"id":"` + acmeAgent + `","name":"` + name + `"},"runs":[{"id":"close","ts":"2026-11-20T10:00:00Z","state":"settled","status":"ok","result":"` + result + `","attachments":["report.html"]}]}`))
	w.ok(err)
	_, err = w.s.Push(context.Background(), store.Push{Workspace: x.ID, Act: store.Act{By: w.people["owner"].ID, At: hostedNow.UnixMicro() + 1}, Body: body})
	return err
}

// get asks for a page as somebody.
func (w *town) get(address, who string) answer {
	w.t.Helper()
	return answerOf(w.t, w.ask(http.MethodGet, address, who, ""))
}

// post sends a form as somebody.
func (w *town) post(address, who, form string) answer {
	w.t.Helper()
	return answerOf(w.t, w.ask(http.MethodPost, address, who, form))
}

// never asks for a page that must not hold some words, whatever they stand in.
func (w *town) never(address, who string, words ...string) answer {
	w.t.Helper()
	a := w.get(address, who)
	for _, word := range words {
		if strings.Contains(a.body, word) {
			w.t.Errorf("GET %s as %q shows %q", address, who, word)
		}
	}
	return a
}

// sends posts a form and returns where that leads.
func (w *town) sends(address, who, form string) string {
	w.t.Helper()
	r := w.ask(http.MethodPost, address, who, form)
	if r.StatusCode != http.StatusSeeOther {
		w.t.Errorf("POST %s as %q = %d\n%s", address, who, r.StatusCode, text(w.t.(*testing.T), r))
	}
	return r.Header.Get("Location")
}

func TestArchive(t *testing.T) {
	w := newTown(t)
	const agent, archive = "/w/acme/agents/" + acmeAgent, "a[href=/w/acme?as=archived]"
	w.get("/w/acme/inbox?everybody=1", "viewer").shows(t, "Send it?")
	const restore = "form[action=" + agent + "/archive] input[name=archived][value=0]"
	to := w.sends(agent+"/archive", "admin", "archived=1")
	w.get(to, "admin").says(t, 200, "agent-archived").has(t, restore)
	w.get(to, "viewer").shows(t, "Closer").lacks(t, restore)
	w.never("/w/acme/inbox?everybody=1", "owner", "Send it?")
	w.never("/w/acme", "viewer", agent).has(t, archive)
	w.get("/w/acme?as=archived", "viewer").has(t, "a[href="+agent+"]")
	w.never("/w/acme/search?q=done", "viewer", agent+"/jobs")
	w.ok(w.pushAs(w.acme, "Closer", "done twice"))
	w.get(agent, "viewer").part(t, ".agent-notice", "agent-archived-notice")
	w.get(agent+"/asks/send", "viewer").shows(t, "Send it?").part(t, ".agent-notice", "agent-archived-notice")
	w.sends(agent+"/archive", "admin", "archived=0")
	w.get("/w/acme", "viewer").has(t, "a[href="+agent+"]").lacks(t, archive)
	w.get(agent, "viewer").lacks(t, ".agent-notice")
}

func TestGrantName(t *testing.T) {
	w := newStaffedTown(t)
	const agent = "/w/acme/agents/" + acmeAgent
	const rename = "form[action=" + agent + "/rename] input[name=name]"
	if err := w.pushAs(w.acme, "Opener", "done"); err == nil {
		t.Fatal("another name passed")
	}
	w.get(agent, "viewer").part(t, ".agent-notice", "agent-renamed-notice")
	w.get("/w/acme/settings/agents", "builder").has(t, rename+"[value=Opener]")
	w.get("/w/acme/settings/agents", "member").shows(t, "Opener").lacks(t, rename)
	if r := w.ask(http.MethodPost, agent+"/rename", "manager", "name=Other"); r.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a name under which it did not come = %d, want 422", r.StatusCode)
	}
	w.get(w.sends(agent+"/rename", "manager", "name=Opener"), "manager").says(t, 200, "agent-rename-granted").has(t, rename+"[value=]")
	w.sends(agent+"/rename", "manager", "name=")
	if err := w.pushAs(w.acme, "Opener", "done"); err == nil {
		t.Fatal("a name that was taken back passed")
	}
	w.sends(agent+"/rename", "manager", "name=Opener")
	w.ok(w.pushAs(w.acme, "Opener", "done"))
	w.get("/w/acme/settings/agents", "owner").shows(t, "Opener").lacks(t, ".asked-name")
}

func TestMove(t *testing.T) {
	w := newTown(t)
	ctx, act := context.Background(), store.Act{At: hostedNow.UnixMicro()}
	third := store.Workspace{ID: store.NewID(), Slug: "third", Name: "Third", Created: act.At}
	w.ok(w.s.AddWorkspace(ctx, act, third, w.people["owner"].ID))
	w.ok(w.s.SetMember(ctx, act, third.ID, w.people["viewer"].ID, store.Viewer))
	w.ok(w.s.SetMember(ctx, act, third.ID, w.people["admin"].ID, store.Member))
	const agent = "/agents/" + acmeAgent
	w.get("/w/acme"+agent+"/move", "admin").part(t, ".nothing", "agent-move-nowhere").lacks(t, "select[name=to]")
	if r := w.ask(http.MethodPost, "/w/acme"+agent+"/move", "admin", "to=third"); r.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("to a workspace that one does not run = %d, want 422", r.StatusCode)
	}
	if to := w.sends("/w/acme"+agent+"/move", "owner", "to=third"); to != "/w/third/settings/agents?notice=agent-moved" {
		t.Errorf("it leads to %s", to)
	}
	for who, want := range map[string]int{"viewer": http.StatusSeeOther, "member": http.StatusNotFound, "foreign": http.StatusNotFound} {
		r := w.ask(http.MethodGet, "/w/acme"+agent+"/jobs/close?x=1", who, "")
		if to := r.Header.Get("Location"); r.StatusCode != want || want == http.StatusSeeOther && to != "/w/third"+agent+"/jobs/close?x=1" {
			t.Errorf("its old address as %q = %d to %q, want %d", who, r.StatusCode, to, want)
		}
	}
	w.get("/w/third"+agent, "viewer").shows(t, "Closer")
	push := `{"workspaceId":"` + w.acme.ID + `","agent":{"id":"` + acmeAgent + `","name":"Closer"},"runs":[]}`
	for who, sees := range map[string]bool{"token-owner": true, "token-member": false} {
		r := w.ask(http.MethodPost, "/api/ingest", who, push)
		body := text(t, r)
		if r.StatusCode != http.StatusConflict || !strings.Contains(body, "agent_moved") || strings.Contains(body, third.ID) != sees || strings.Contains(body, "Third") {
			t.Errorf("a push to where it was, as %q = %d %s", who, r.StatusCode, body)
		}
	}
}

func TestErase(t *testing.T) {
	w := newTown(t)
	const agent, word = "/w/acme/agents/" + acmeAgent, "zanzibar"
	w.ok(w.pushAs(w.acme, "Closer", word))
	at := agent + "/erase?kind=run&key=close"
	w.get(agent+"/jobs/close", "owner").shows(t, word).has(t, ".erase-offer")
	w.get(agent+"/jobs/close", "admin").lacks(t, ".erase-offer")
	w.get(at, "owner").says(t, 200, "erase-job").has(t, "input[name=why]")
	for form, name := range map[string]string{"why=": "erase-no-reason", "why=" + strings.Repeat("é", 301): "erase-long-reason"} {
		w.post(at, "owner", form).says(t, 422, name).has(t, "input[name=why][aria-invalid=true]")
	}
	w.never(w.sends(at, "owner", "why=a+name"), "owner", word).says(t, 200, "erased-job").shows(t, "a name", "The owner")
	for _, page := range []string{"/jobs/close", "/jobs", "", "/search?q=" + word, "/findings"} {
		w.never(agent+page, "viewer", word+"<", "title>"+word)
	}
	w.never(agent+"/jobs/close", "viewer", word).part(t, ".tombstone", "tombstone-job")
	w.ok(w.pushAs(w.acme, "Closer", word))
	w.never("/api/v1/workspaces/acme/agents/"+acmeAgent+"/jobs/close", "viewer", word).shows(t, `"outcome":"ok"`)

	file := agent + "/erase?kind=attachment&key=report.html"
	if r := w.ask(http.MethodGet, "/v/acme/"+w.hash+".html", "viewer", ""); r.StatusCode != http.StatusOK {
		t.Fatalf("the frame = %d", r.StatusCode)
	}
	w.sends(file, "owner", "why=a+secret")
	w.get(agent+"/files/report.html", "viewer").part(t, ".tombstone", "tombstone-file").shows(t, w.hash)
	for _, gone := range []string{"/v/acme/" + w.hash + ".html", "/a/acme/" + w.hash + "/report.html"} {
		if r := w.ask(http.MethodGet, gone, "viewer", ""); r.StatusCode != http.StatusNotFound {
			t.Errorf("GET %s = %d, want 404", gone, r.StatusCode)
		}
	}
	if _, _, err := w.h.Blobs.Open(context.Background(), w.hash); err != blob.ErrNotFound {
		t.Errorf("its bytes: %v, want ErrNotFound", err)
	}
	if n := len(w.h.Viewer.Renders.All()); n > 0 {
		t.Errorf("%d renders of it are kept", n)
	}
	for _, content := range []string{"PHA+cmVwb3J0", "b3RoZXI="} {
		r := w.ask(http.MethodPost, "/api/artifacts/upload", "token-owner", `{"workspaceId":"`+w.acme.ID+`","agentId":"`+acmeAgent+`","name":"report.html","content":"`+content+`"}`)
		if body := text(t, r); r.StatusCode != http.StatusOK || !strings.Contains(body, `"unchanged":true`) {
			t.Errorf("it comes again = %d %s", r.StatusCode, body)
		}
	}
	if _, _, err := w.h.Blobs.Open(context.Background(), w.hash); err != blob.ErrNotFound {
		t.Errorf("its bytes came back: %v", err)
	}
	w.get(agent+"/files/report.html", "viewer").part(t, ".tombstone", "tombstone-file-sent-again")
	for _, odd := range []string{"kind=run&key=none", "kind=x&key=close", "kind=attachment&key=none", "", "kind=reply&key=%00"} {
		if r := w.ask(http.MethodGet, agent+"/erase?"+odd, "owner", ""); r.StatusCode != http.StatusNotFound {
			t.Errorf("GET erase?%s = %d, want 404", odd, r.StatusCode)
		}
	}
}

// slowToRemove is a place of attachments that removes nothing while it is down.
type slowToRemove struct {
	blob.Store
	down bool
}

func (u *slowToRemove) Remove(ctx context.Context, sha256 string) error {
	if u.down {
		return blob.ErrUnavailable
	}
	return u.Store.Remove(ctx, sha256)
}

// While the bytes of an erased attachment are still in storage, its tombstone, the workspace's settings and the
// operator's page say so.
func TestErasedBytesWait(t *testing.T) {
	w := newTown(t)
	w.ok(w.s.SetOperator(context.Background(), store.Act{At: hostedNow.UnixMicro()}, w.people["owner"].ID, true))
	blobs := &slowToRemove{w.h.Blobs, true}
	w.h.Blobs = blobs
	const file = "/w/acme/agents/" + acmeAgent + "/erase?kind=attachment&key=report.html"
	w.get("/w/acme/settings/data", "owner").says(t, 200, "data").lacks(t, "#kept .notice")
	w.get(w.sends(file, "owner", "why=a+secret"), "owner").says(t, 200, "erased-bytes-wait").shows(t, w.hash)
	w.get("/w/acme/settings/data", "owner").part(t, "#kept .notice", "data-bytes-wait")
	w.get("/admin", "owner").part(t, "#health li", "operator-bytes-wait")
	blobs.down = false
	dropped, err := w.s.RemoveBlob(context.Background(), w.hash, func() error { return blobs.Remove(context.Background(), w.hash) })
	if w.ok(err); !dropped {
		t.Error("the bytes were not removed")
	}
	w.get(file, "owner").lacks(t, ".notice")
	w.get("/w/acme/settings/data", "owner").says(t, 200, "data").lacks(t, "#kept .notice")
	w.get("/admin", "owner").part(t, "#health li", "operator-no-backup")
}

// A list says of an erased file that it is gone, not that it may still come.
func TestErasedFileListed(t *testing.T) {
	w := newTown(t)
	const agent = "/w/acme/agents/" + acmeAgent
	w.get(agent+"/files", "viewer").shows(t, "report.html").part(t, "main li.row", "files-listed")
	w.sends(agent+"/erase?kind=attachment&key=report.html", "owner", "why=x")
	w.get(agent+"/files", "viewer").shows(t, "report.html").part(t, "main li.row", "files-erased")
}

// An ask of which a receipt was made has none any more, and says why; its reply is erased by itself.
func TestEraseDecided(t *testing.T) {
	w := newTown(t)
	settledDecision(t, w.s, w.acme.ID, acmeAgent, w.people["owner"], hostedNow.UnixMicro())
	const agent = "/w/acme/agents/" + acmeAgent
	made, err := w.s.Decision(context.Background(), acmeAgent, receiptOf)
	w.ok(err)
	w.sends(agent+"/erase?kind=reply&key="+url.QueryEscape(receiptOf), "owner", "why=x")
	w.get(agent+"/receipts/"+receiptOf, "owner").says(t, 404, "receipt-erased")
	w.get(agent+"/asks/"+made.Ask, "owner").part(t, ".tombstone-line", "tombstone-reply")
	w.sends(agent+"/erase?kind=ask&key="+made.Ask, "owner", "why=x")
	w.get(agent+"/asks/"+made.Ask, "viewer").part(t, ".tombstone", "tombstone-ask")
	chain, err := w.s.VerifyAudit(context.Background(), w.acme.ID)
	if err != nil || chain.Broken != 0 {
		t.Errorf("the audit: %+v, %v", chain, err)
	}
}
