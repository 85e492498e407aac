package handlers

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

// dataRows are the pages on a workspace's data.
func dataRows(*town) map[string]hostedRow {
	page := hostedKinds["page"]
	owners, admins := answers{303, 404, 403, 403, 403, 200, 303, 303, 303}, answers{303, 404, 403, 403, 200, 200, 303, 303, 303}
	return map[string]hostedRow{
		"GET /w/:workspace/settings/data":         {"/w/acme/settings/data", "", page, inside},
		"GET /w/:workspace/settings/data/export":  {"/w/acme/settings/data/export", "", page, owners},
		"POST /w/:workspace/settings/data/export": {"/w/acme/settings/data/export", "x=1", nil, owners},
		"POST /w/:workspace/settings/data/delete": {"/w/acme/settings/data/delete", "slug=acm", page, answers{303, 404, 403, 403, 403, 422, 303, 303, 303}},
		"GET /w/:workspace/agents/:agent/export":  {"/w/acme/agents/" + acmeAgent + "/export", "", page, admins},
		"POST /w/:workspace/agents/:agent/export": {"/w/acme/agents/" + acmeAgent + "/export", "x=1", nil, admins},

		"GET /w/:workspace/agents/:agent/share/:key":  {"/w/acme/agents/" + acmeAgent + "/share/send", "", page, admins},
		"POST /w/:workspace/agents/:agent/share/:key": {"/w/acme/agents/" + acmeAgent + "/share/send", "as=", page, answers{303, 404, 403, 403, 303, 303, 303, 303, 303}},
	}
}

func textOf(t *testing.T, answer *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A workspace comes out as a zip, and the audit says who took it.
func TestExportDownload(t *testing.T) {
	w := newTown(t)
	for _, export := range [][2]string{{"/w/acme/settings/data/export", "workspace.export"}, {"/w/acme/agents/" + acmeAgent + "/export", "agent.export"}} {
		address, action := export[0], export[1]
		w.get(address, "owner").has(t, "form[method=post][action="+address+"]").part(t, "dl.pairs dd", "data-size")
		answer := w.ask("POST", address, "owner", "x=1")
		body := textOf(t, answer)
		if got := answer.Header.Get("Content-Disposition"); !strings.HasPrefix(got, `attachment; filename="`) || !strings.Contains(got, ".zip") {
			t.Errorf("%s is sent as %q", address, got)
		}
		z, err := zip.NewReader(bytes.NewReader([]byte(body)), int64(len(body)))
		if err != nil {
			t.Fatal(err)
		}
		names := ""
		for _, f := range z.File {
			names += f.Name + " "
		}
		if !strings.Contains(names, "closer-0d4f2a3c/.figs/runs.jsonl ") || !strings.Contains(names, "/.figs/artifacts/report.html ") {
			t.Errorf("%s holds %s", address, names)
		}
		rows, err := w.s.Audit(context.Background(), w.acme.ID, store.AuditQuery{N: 1})
		w.ok(err)
		if rows[0].Action != action || rows[0].By != w.people["owner"].ID {
			t.Errorf("%s: the audit ends with %+v", address, rows[0])
		}
	}
	w.get("/w/acme/settings/audit", "owner").part(t, "#audit tbody th", "audit-exported")
}

// A workspace that is deleted is gone from every page, and who belonged to it alone is told so.
func TestDeleteWorkspace(t *testing.T) {
	w := newTown(t)
	w.ok(w.s.SetFact(context.Background(), store.FactBackup, "{}", hostedNow.UnixMicro()))
	const gone = "form[action=/w/acme/settings/data/delete]"
	w.get("/w/acme/settings/data", "owner").has(t, gone, "a[href=/w/acme/settings/data/export]").part(t, "#kept p.small", "data-backed-up")
	w.never("/w/acme/settings/data", "member", "/export").lacks(t, gone) // which only owners may do
	answer := w.ask("POST", "/w/acme/settings/data/delete", "owner", "slug=%3Cb%3Eacme")
	if body := textOf(t, answer); answer.StatusCode != 422 || !strings.Contains(body, "&lt;b&gt;acme") {
		t.Errorf("another word = %d", answer.StatusCode)
	}
	if answer := w.ask("POST", "/w/acme/settings/data/delete", "owner", "slug=acme"); answer.StatusCode != 303 || answer.Header.Get("Location") != "/" {
		t.Fatalf("deleting it = %d %s", answer.StatusCode, answer.Header.Get("Location"))
	}
	for _, address := range []string{"/w/acme", "/w/acme/settings/data", "/w/acme/agents/" + acmeAgent, "/a/acme/" + w.hash + "/report.html"} {
		if got := w.ask("GET", address, "owner", "").StatusCode; got != 404 {
			t.Errorf("%s = %d, want 404", address, got)
		}
	}
	answer = w.ask("GET", "/", "owner", "")
	if body := textOf(t, answer) + answer.Header.Get("Location"); strings.Contains(body, "acme") || strings.Contains(body, "Acme") {
		t.Errorf("/ still shows it: %d %.300s", answer.StatusCode, body)
	}
	if answer := w.ask("GET", "/api/messages?agent="+acmeAgent, "token-owner", ""); answer.StatusCode == 200 {
		t.Error("its agent still syncs")
	}
	push := `{"workspaceId":"` + w.acme.ID + `","agent":{"id":"` + acmeAgent + `","name":"Closer"}}`
	if answer := w.ask("POST", "/api/ingest", "token-owner", push); answer.StatusCode != 403 || !strings.Contains(textOf(t, answer), "workspace_deleted") {
		t.Errorf("a push = %d, want workspace_deleted", answer.StatusCode)
	}
	// Whoever runs the server brings it back.
	w.ok(w.s.RestoreWorkspace(context.Background(), store.Act{At: 1}, w.acme.ID))
	if got := w.ask("GET", "/w/acme", "viewer", "").StatusCode; got != 200 {
		t.Errorf("brought back: %d", got)
	}
}
