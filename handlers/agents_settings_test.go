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

// shows fails unless a page shows all of some words, and none of others.
func (w *town) shows(address, who string, words, without []string) {
	w.t.Helper()
	r := w.ask(http.MethodGet, address, who, "")
	body := text(w.t.(*testing.T), r)
	for _, word := range words {
		if !strings.Contains(body, word) {
			w.t.Errorf("GET %s as %q = %d without %q", address, who, r.StatusCode, word)
		}
	}
	for _, word := range without {
		if strings.Contains(body, word) {
			w.t.Errorf("GET %s as %q shows %q", address, who, word)
		}
	}
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
	const agent = "/w/acme/agents/" + acmeAgent
	w.shows("/w/acme/inbox?everybody=1", "viewer", []string{"Send it?"}, nil)
	to := w.sends(agent+"/archive", "admin", "archived=1")
	w.shows(to, "admin", []string{"Archived. Its pages stay", "Bring back"}, nil)
	w.shows(to, "viewer", []string{"Closer"}, []string{"Bring back"})
	w.shows("/w/acme/inbox?everybody=1", "owner", nil, []string{"Send it?"})
	w.shows("/w/acme", "viewer", []string{"?as=archived"}, []string{agent})
	w.shows("/w/acme?as=archived", "viewer", []string{agent, "archived"}, nil)
	w.shows("/w/acme/search?q=done", "viewer", nil, []string{agent + "/jobs"})
	w.ok(w.pushAs(w.acme, "Closer", "done twice"))
	w.shows(agent, "viewer", []string{"This agent was archived", "It pushed while archived"}, nil)
	w.shows(agent+"/asks/send", "viewer", []string{"Send it?", "This agent was archived"}, nil)
	w.sends(agent+"/archive", "admin", "archived=0")
	w.shows("/w/acme", "viewer", []string{agent}, []string{"?as=archived"})
	w.shows(agent, "viewer", nil, []string{"This agent was archived"})
}

func TestGrantName(t *testing.T) {
	w := newStaffedTown(t)
	const agent = "/w/acme/agents/" + acmeAgent
	if err := w.pushAs(w.acme, "Opener", "done"); err == nil {
		t.Fatal("another name passed")
	}
	w.shows(agent, "viewer", []string{"It came as ", "Opener", "or a copied folder?"}, nil)
	w.shows("/w/acme/settings/agents", "builder", []string{"It is this agent, renamed"}, nil)
	w.shows("/w/acme/settings/agents", "member", []string{"Opener"}, []string{"It is this agent, renamed"})
	if r := w.ask(http.MethodPost, agent+"/rename", "manager", "name=Other"); r.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a name under which it did not come = %d, want 422", r.StatusCode)
	}
	w.shows(w.sends(agent+"/rename", "manager", "name=Opener"), "manager", []string{"Take that back", "makes it its name"}, nil)
	w.sends(agent+"/rename", "manager", "name=")
	if err := w.pushAs(w.acme, "Opener", "done"); err == nil {
		t.Fatal("a name that was taken back passed")
	}
	w.sends(agent+"/rename", "manager", "name=Opener")
	w.ok(w.pushAs(w.acme, "Opener", "done"))
	w.shows("/w/acme/settings/agents", "owner", []string{"Opener"}, []string{"It came as "})
}

func TestMove(t *testing.T) {
	w := newTown(t)
	ctx, act := context.Background(), store.Act{At: hostedNow.UnixMicro()}
	third := store.Workspace{ID: store.NewID(), Slug: "third", Name: "Third", Created: act.At}
	w.ok(w.s.AddWorkspace(ctx, act, third, w.people["owner"].ID))
	w.ok(w.s.SetMember(ctx, act, third.ID, w.people["viewer"].ID, store.Viewer))
	w.ok(w.s.SetMember(ctx, act, third.ID, w.people["admin"].ID, store.Member))
	const agent = "/agents/" + acmeAgent
	w.shows("/w/acme"+agent+"/move", "admin", []string{"There is no workspace that it could go to"}, []string{"Third</option>"})
	if r := w.ask(http.MethodPost, "/w/acme"+agent+"/move", "admin", "to=third"); r.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("to a workspace that one does not run = %d, want 422", r.StatusCode)
	}
	if to := w.sends("/w/acme"+agent+"/move", "owner", "to=third"); to != "/w/third/settings/agents?done=moved" {
		t.Errorf("it leads to %s", to)
	}
	for who, want := range map[string]int{"viewer": http.StatusSeeOther, "member": http.StatusNotFound, "foreign": http.StatusNotFound} {
		r := w.ask(http.MethodGet, "/w/acme"+agent+"/jobs/close?x=1", who, "")
		if to := r.Header.Get("Location"); r.StatusCode != want || want == http.StatusSeeOther && to != "/w/third"+agent+"/jobs/close?x=1" {
			t.Errorf("its old address as %q = %d to %q, want %d", who, r.StatusCode, to, want)
		}
	}
	w.shows("/w/third"+agent, "viewer", []string{"Closer"}, nil)
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
	w.shows(agent+"/jobs/close", "owner", []string{word, "Erase…"}, nil)
	w.shows(agent+"/jobs/close", "admin", nil, []string{"Erase…"})
	w.shows(at, "owner", []string{"Erase the text of this job?", "What stays"}, nil)
	for form, said := range map[string]string{"why=": "Say why", "why=" + strings.Repeat("é", 301): "301 characters"} {
		r := w.ask(http.MethodPost, at, "owner", form)
		if body := text(t, r); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, said) {
			t.Errorf("%.20s… = %d, want 422 with %q", form, r.StatusCode, said)
		}
	}
	w.shows(w.sends(at, "owner", "why=a+name"), "owner", []string{"Erased.", "a name", "The owner"}, []string{word})
	for _, page := range []string{"/jobs/close", "/jobs", "", "/search?q=" + word, "/findings"} {
		w.shows(agent+page, "viewer", nil, []string{word + "<", "title>" + word})
	}
	w.shows(agent+"/jobs/close", "viewer", []string{"The text of this job was erased", "a name"}, []string{word})
	w.ok(w.pushAs(w.acme, "Closer", word))
	w.shows("/api/v1/workspaces/acme/agents/"+acmeAgent+"/jobs/close", "viewer", []string{`"outcome":"ok"`}, []string{word})

	file := agent + "/erase?kind=attachment&key=report.html"
	if r := w.ask(http.MethodGet, "/v/acme/"+w.hash+".html", "viewer", ""); r.StatusCode != http.StatusOK {
		t.Fatalf("the frame = %d", r.StatusCode)
	}
	w.sends(file, "owner", "why=a+secret")
	w.shows(agent+"/files/report.html", "viewer", []string{"The bytes of this file were erased", w.hash}, nil)
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
	w.shows(agent+"/files/report.html", "viewer", []string{"sent it again"}, nil)
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
	const still = "erased attachment is still being removed from storage"
	w.shows("/w/acme/settings/data", "owner", nil, []string{still})
	w.shows(w.sends(file, "owner", "why=a+secret"), "owner", []string{"still being removed from storage", w.hash}, []string{"Erased."})
	w.shows("/w/acme/settings/data", "owner", []string{"1 " + still}, nil)
	w.shows("/admin", "owner", []string{"1 " + still}, nil)
	blobs.down = false
	dropped, err := w.s.RemoveBlob(context.Background(), w.hash, func() error { return blobs.Remove(context.Background(), w.hash) })
	if w.ok(err); !dropped {
		t.Error("the bytes were not removed")
	}
	for _, page := range []string{file, "/w/acme/settings/data", "/admin"} {
		w.shows(page, "owner", nil, []string{"still being removed"})
	}
}

// A list says of an erased file that it is gone, not that it may still come.
func TestErasedFileListed(t *testing.T) {
	w := newTown(t)
	const agent = "/w/acme/agents/" + acmeAgent
	w.shows(agent+"/files", "viewer", []string{"report.html"}, []string{"erased"})
	w.sends(agent+"/erase?kind=attachment&key=report.html", "owner", "why=x")
	w.shows(agent+"/files", "viewer", []string{"report.html", "erased"}, []string{"not uploaded yet"})
}

// An ask of which a receipt was made has none any more, and says why; its reply is erased by itself.
func TestEraseDecided(t *testing.T) {
	w := newTown(t)
	settledDecision(t, w.s, w.acme.ID, acmeAgent, w.people["owner"], hostedNow.UnixMicro())
	const agent = "/w/acme/agents/" + acmeAgent
	made, err := w.s.Decision(context.Background(), acmeAgent, receiptOf)
	w.ok(err)
	w.sends(agent+"/erase?kind=reply&key="+url.QueryEscape(receiptOf), "owner", "why=x")
	w.shows(agent+"/receipts/"+receiptOf, "owner", []string{"were erased"}, nil)
	w.shows(agent+"/asks/"+made.Ask, "owner", []string{"The text of this reply was erased"}, nil)
	w.sends(agent+"/erase?kind=ask&key="+made.Ask, "owner", "why=x")
	w.shows(agent+"/asks/"+made.Ask, "viewer", []string{"The text of this ask was erased"}, nil)
	chain, err := w.s.VerifyAudit(context.Background(), w.acme.ID)
	if err != nil || chain.Broken != 0 {
		t.Errorf("the audit: %+v, %v", chain, err)
	}
}
