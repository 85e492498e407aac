package handlers

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
)

// visitors are who asks every route: people by their session, clients by their token.
var visitors = []string{"", "foreign", "viewer", "member", "admin", "owner", "token-owner", "token-foreign", "token-viewer"}

// answers are the statuses that visitors get, in their order.
type answers [9]int

var (
	everybody = answers{200, 200, 200, 200, 200, 200, 200, 200, 200}
	inside    = answers{303, 404, 200, 200, 200, 200, 303, 303, 303} // a page of a workspace
	running   = answers{303, 404, 403, 403, 200, 200, 303, 303, 303} // of those who run it
	run       = answers{303, 404, 403, 403, 303, 303, 303, 303, 303} // what they send
	once      = answers{303, 404, 403, 403, 303, 422, 303, 303, 303} // what they send and cannot send twice
	own       = answers{303, 200, 200, 200, 200, 200, 303, 303, 303} // a page of whoever is signed in
	owned     = answers{303, 303, 303, 303, 303, 303, 303, 303, 303} // what they send
	attached  = answers{404, 404, 200, 200, 200, 200, 404, 404, 404} // bytes of a workspace
	readable  = answers{401, 404, 200, 200, 200, 200, 200, 404, 200} // the read API
	clients   = answers{401, 401, 401, 401, 401, 401, 200, 200, 200} // calls of clients, by token alone
	deciders  = answers{303, 404, 403, 403, 303, 303, 303, 303, 303} // what they send who may reply: the owner a second time
	pushers   = answers{401, 401, 401, 401, 401, 401, 200, 403, 403} // what writes to a workspace
)

// hostedRow is one route of the hosted reader: an address of it, what is sent, who gets what.
type hostedRow struct {
	address, body string
	kind          kind
	want          answers
}

func hostedRows(w *town) map[string]hostedRow {
	agent, jobs := "/w/acme/agents/"+acmeAgent, "/jobs/close"
	frame, push := "/v/acme/"+w.hash+".html", fmt.Sprintf(`{"workspaceId":%q,"agent":{"id":%q,"name":"Closer"},"runs":[{"id":"next","ts":"2026-11-20T11:00:00Z","state":"in-flight"}]}`, w.acme.ID, acmeAgent)
	upload := fmt.Sprintf(`{"workspaceId":%q,"agentId":%q,"name":"new.txt","content":"bmV3"}`, w.acme.ID, acmeAgent)
	guest := w.people["guest"].ID
	page := hostedKinds["page"]
	keysPage := page.with("Permissions-Policy", hosted.KeyFeatures)
	rows := map[string]hostedRow{
		"GET /":                                             {"/", "", page, answers{200, 303, 303, 303, 303, 303, 200, 200, 200}},
		"GET /inspect":                                      {"/inspect", "", inspectorKind, everybody},
		"GET /rules":                                        {"/rules", "", rulesKind, everybody},
		"GET /rules/:code":                                  {"/rules/line_torn", "", rulesKind, everybody},
		"GET /static/:hash/*":                               {w.h.Assets.Address(web.Stylesheet), "", assetKind, everybody},
		"GET /healthz":                                      {"/healthz", "", nil, everybody},
		"GET /readyz":                                       {"/readyz", "", nil, everybody},
		"GET /manifest.webmanifest":                         {"/manifest.webmanifest", "", kind{"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Cache-Control": "no-cache", "Content-Type": "application/manifest+json"}, everybody},
		"GET /llms.txt":                                     {"/llms.txt", "", nil, everybody},
		"GET /sign-in":                                      {"/sign-in", "", keysPage, answers{200, 303, 303, 303, 303, 303, 200, 200, 200}},
		"POST /sign-in":                                     {"/sign-in", "email=x@example.org&password=wrong-password", page, answers{401, 401, 401, 401, 401, 401, 401, 401, 401}},
		"POST /sign-out":                                    {"/sign-out", "x=1", page, owned},
		"GET /setup":                                        {"/setup?key=wrong", "", page, answers{404, 404, 404, 404, 404, 404, 404, 404, 404}},
		"POST /setup":                                       {"/setup", "key=wrong&email=x@example.org&name=X&password=long-enough-1&workspace=X", page, answers{404, 404, 404, 404, 404, 404, 404, 404, 404}},
		"GET /device":                                       {"/device", "", page, own},
		"POST /device":                                      {"/device", "code=BCDF-GHJK&decision=approve", page, answers{303, 404, 404, 404, 404, 404, 303, 303, 303}},
		"GET /confirm":                                      {"/confirm?next=/settings", "", page, owned},
		"POST /confirm":                                     {"/confirm", "next=/settings", page, owned},
		"GET /settings":                                     {"/settings", "", page, own},
		"POST /settings/name":                               {"/settings/name", "name=New", page, owned},
		"POST /settings/language":                           {"/settings/language", "language=de", page, owned},
		"POST /settings/password":                           {"/settings/password", "old=x&password=short", keysPage, answers{303, 422, 422, 422, 422, 422, 303, 303, 303}},
		"POST /settings/password/first":                     {"/settings/password/first", "password=short", keysPage, answers{303, 422, 422, 422, 422, 422, 303, 303, 303}},
		"POST /settings/sessions/end":                       {"/settings/sessions/end", "session=x", page, owned},
		"GET /settings/signing-in":                          {"/settings/signing-in", "", keysPage, own},
		"POST /settings/recovery":                           {"/settings/recovery", "x=1", page, own},
		"POST /settings/passkeys":                           {"/settings/passkeys", "key=x", page, answers{303, 404, 404, 404, 404, 404, 303, 303, 303}}, // under an address of numbers
		"POST /settings/passkeys/begin":                     {"/settings/passkeys/begin", "x=1", page, answers{303, 404, 404, 404, 404, 404, 303, 303, 303}},
		"POST /settings/passkeys/remove":                    {"/settings/passkeys/remove", "id=x", page, owned},
		"POST /confirm/begin":                               {"/confirm/begin", "x=1", page, answers{303, 404, 404, 404, 404, 404, 303, 303, 303}},
		"POST /sign-in/passkey":                             {"/sign-in/passkey", "answer=x", page, answers{404, 404, 404, 404, 404, 404, 404, 404, 404}},
		"POST /sign-in/passkey/begin":                       {"/sign-in/passkey/begin", "x=1", page, answers{404, 404, 404, 404, 404, 404, 404, 404, 404}},
		"GET /sign-in/recovery":                             {"/sign-in/recovery", "", page, everybody},
		"POST /sign-in/recovery":                            {"/sign-in/recovery", "email=x@example.org&code=wrong", page, answers{401, 401, 401, 401, 401, 401, 401, 401, 401}},
		"GET /reset":                                        {"/reset?key=wrong", "", page, answers{404, 404, 404, 404, 404, 404, 404, 404, 404}},
		"POST /reset":                                       {"/reset", "key=wrong&password=long-enough-1", page, answers{404, 404, 404, 404, 404, 404, 404, 404, 404}},
		"GET /admin":                                        {"/admin", "", page, answers{303, 404, 404, 404, 404, 404, 303, 303, 303}},
		"POST /settings/workspaces":                         {"/settings/workspaces", "workspace=Two&slug=two", page, answers{303, 404, 404, 404, 404, 404, 303, 303, 303}},
		"GET /settings/tokens":                              {"/settings/tokens", "", page, own},
		"POST /settings/tokens":                             {"/settings/tokens", "token=laptop&scope=read&lasts=90", page, own},
		"POST /settings/tokens/revoke":                      {"/settings/tokens/revoke", "id=x", page, owned},
		"GET /w/:workspace":                                 {"/w/acme", "", page, inside},
		"GET /w/:workspace/:page":                           {"/w/acme/inbox", "", page, inside},
		"GET /w/:workspace/events":                          {"/w/acme/events", "", nil, inside},
		"GET /w/:workspace/go":                              {"/w/acme/go", "", page, inside},
		"GET /w/:workspace/settings":                        {"/w/acme/settings", "", page, inside},
		"GET /w/:workspace/settings/policy":                 {"/w/acme/settings/policy", "", page, inside},
		"GET /w/:workspace/settings/audit":                  {"/w/acme/settings/audit", "", page, answers{303, 404, 403, 403, 200, 200, 303, 303, 303}},
		"POST /w/:workspace/views":                          {"/w/acme/views", "list=members&name=admins&query=q%3Drole%253Aadmin", nil, answers{303, 404, 303, 303, 303, 303, 303, 303, 303}},
		"POST /w/:workspace/views/remove":                   {"/w/acme/views/remove", "list=members&id=x", nil, answers{303, 404, 303, 303, 303, 303, 303, 303, 303}},
		"POST /w/:workspace/settings/policy":                {"/w/acme/settings/policy", "all=1", page, run},
		"POST /w/:workspace/settings/policy/name":           {"/w/acme/settings/policy/name", "name=New", page, run},
		"POST /w/:workspace/settings/add":                   {"/w/acme/settings/add", "email=foreign@example.org&role=viewer", page, once},
		"POST /w/:workspace/settings/role":                  {"/w/acme/settings/role", "user=" + guest + "&role=viewer", page, run},
		"GET /w/:workspace/settings/remove":                 {"/w/acme/settings/remove?user=" + guest, "", page, running},
		"POST /w/:workspace/settings/remove":                {"/w/acme/settings/remove", "user=" + guest, page, once},
		"POST /w/:workspace/demo":                           {"/w/acme/demo", "x=1", page, answers{303, 404, 403, 403, 409, 409, 303, 303, 303}},
		"GET /w/:workspace/agents/:agent":                   {agent, "", page, inside},
		"GET /w/:workspace/agents/:agent/:section":          {agent + "/jobs", "", page, inside},
		"GET /w/:workspace/agents/:agent/assign":            {agent + "/assign", "", page, running},
		"POST /w/:workspace/agents/:agent/assign":           {agent + "/assign", "manager=" + w.people["admin"].ID + "&builder=", page, run},
		"GET /w/:workspace/agents/:agent/:section/:key":     {agent + jobs, "", page, inside},
		"GET /w/:workspace/agents/:agent/:section/:key/:of": {agent + jobs + "/why", "", page, inside},
		"GET /v/:workspace/:file":                           {frame, "", frameKind, attached},
		"GET /v/:workspace/:file/:other":                    {frame + "/" + w.hash + ".html", "", frameKind, attached},
		"GET /a/:workspace/:sha256/:name":                   {"/a/acme/" + w.hash + "/report.html", "", nil, attached},
		"GET /api/version":                                  {"/api/version", "", nil, everybody},
		"POST /api/device/start":                            {"/api/device/start", "{}", nil, everybody},
		"POST /api/device/poll":                             {"/api/device/poll", `{"device_code":"x"}`, nil, everybody},
		"GET /api/workspaces":                               {"/api/workspaces", "", nil, clients},
		"POST /api/validate":                                {"/api/validate", push, nil, pushers},
		"POST /api/ingest":                                  {"/api/ingest", push, nil, pushers},
		"POST /api/artifacts/upload":                        {"/api/artifacts/upload", upload, nil, pushers},
		"GET /api/messages":                                 {"/api/messages?agent=" + acmeAgent, "", nil, answers{401, 401, 401, 401, 401, 401, 200, 404, 200}},
		"GET /api/v1/openapi.json":                          {"/api/v1/openapi.json", "", nil, everybody},
		"GET /api/v1/workspaces":                            {"/api/v1/workspaces", "", nil, answers{401, 200, 200, 200, 200, 200, 200, 200, 200}},
	}
	maps.Copy(rows, receiptRows(w))
	maps.Copy(rows, dataRows(w))
	maps.Copy(rows, notifyRows(w))
	maps.Copy(rows, inviteRows(w))
	ask := agent + "/asks/send"
	for path, form := range map[string]string{
		"remark": w.reply("remark-file=/request&remark-comment=x"), "claim": "for=on", "snooze": "until=1h",
	} {
		rows["POST /w/:workspace/agents/:agent/asks/:ask/"+path] = hostedRow{ask + "/" + path, form, page, deciders}
	}
	// Nobody's page shows this ask as the form says, so that nothing counts as viewed.
	rows["POST /w/:workspace/agents/:agent/asks/:ask/viewed"] = hostedRow{ask + "/viewed", "revision=1", page, answers{303, 404, 403, 403, 409, 409, 303, 303, 303}}
	// Whoever is not signed in gets the words back that they typed.
	rows["POST /w/:workspace/agents/:agent/asks/:ask/draft"] = hostedRow{ask + "/draft", w.reply("text=So"), page, answers{401, 404, 403, 403, 303, 303, 401, 401, 401}}
	// The first who may reply does, and the second is told so.
	rows["POST /w/:workspace/agents/:agent/asks/:ask/decide"] = hostedRow{ask + "/decide", w.reply("chosen=Yes"), page, answers{401, 404, 403, 403, 303, 409, 401, 401, 401}}
	rows["POST /w/:workspace/agents/:agent/asks/:ask/undo"] = hostedRow{ask + "/undo", "id=nothing", page, answers{303, 404, 404, 404, 404, 404, 303, 303, 303}}
	for path, end := range map[string]string{"": "", "/inbox": "", "/activity": "", "/events": "", "/search": "?q=done", "/agents": ""} {
		rows["GET /api/v1/workspaces/:workspace"+path] = hostedRow{"/api/v1/workspaces/acme" + path + end, "", nil, readable}
	}
	for path, key := range map[string]string{"": "", "/jobs": "", "/asks": "", "/files": "", "/findings": "", "/messages": "", "/refusals": "", "/jobs/:id": "close", "/asks/:id": "send", "/files/:id": "report.html"} {
		rows["GET /api/v1/workspaces/:workspace/agents/:agent"+path] = hostedRow{"/api/v1/workspaces/acme/agents/" + acmeAgent + strings.Replace(path, ":id", key, 1), "", nil, readable}
	}
	maps.Copy(rows, toolRows(w))
	maps.Copy(rows, agentRows())
	maps.Copy(rows, teamRows(w))
	return rows
}

// hostedKinds are what answers carry beside what all carry.
var hostedKinds = map[string]kind{
	"page": {
		"Content-Security-Policy": hosted.Policy(hostedAt), "Referrer-Policy": "same-origin", "X-DNS-Prefetch-Control": "off",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Permissions-Policy": web.AppFeatures, "Cache-Control": "private, no-store",
	},
}

// TestEveryHostedRoute asks every route as everybody. What a route gives whom stands in its row;
// whoever is turned away has changed nothing; another workspace's agents and files do not exist.
func TestEveryHostedRoute(t *testing.T) {
	w := newTown(t)
	rows, walked := hostedRows(w), map[string]bool{}
	for _, route := range w.routes.Routes() {
		if strings.HasPrefix(route.Method, "echo_") {
			continue // what answers where there is no route
		}
		name := route.Method + " " + route.Path
		method, path := route.Method, route.Path
		if method == http.MethodHead {
			method = http.MethodGet
		}
		row, ok := rows[method+" "+path]
		if !ok {
			t.Errorf("%s has no row: say what it answers, to whom", name)
			continue
		}
		t.Run(name, func(t *testing.T) { walkHosted(t, route.Method, row) })
		walked[name] = true
	}
	for name := range rows {
		if !walked[name] {
			t.Errorf("the row of %s has no route", name)
		}
	}
}

func walkHosted(t *testing.T, method string, row hostedRow) {
	w := newTown(t)
	if fresh := hostedRows(w); row.body != "" { // ids differ from town to town
		for name, other := range fresh {
			if strings.HasPrefix(name, method+" ") && other.address == row.address {
				row = other
			}
		}
	}
	before, drafts := w.fingerprint(), w.drafts()
	for i, who := range visitors {
		r := w.ask(method, row.address, who, row.body)
		if r.StatusCode != row.want[i] {
			t.Errorf("%s %s as %q = %d, want %d\n%s", method, row.address, who, r.StatusCode, row.want[i], text(t, r))
		}
		refused := r.StatusCode >= 400 || r.StatusCode == http.StatusSeeOther && strings.HasPrefix(r.Header.Get("Location"), "/sign-in")
		after, written := w.fingerprint(), w.drafts()
		// Whose reply comes too late keeps its words.
		if refused && (after != before || r.StatusCode != http.StatusConflict && written != drafts) {
			t.Errorf("%s %s as %q was turned away and has changed something", method, row.address, who)
		}
		before, drafts = after, written
		if h := r.Header; h.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s %s as %q carries %v", method, row.address, who, h)
		}
		if r.StatusCode == http.StatusOK {
			carries(t, row.address, r, row.kind)
		}
		if body := text(t, r); strings.Contains(body, "Hidden Hand") || strings.Contains(body, "Secret Society") {
			if who != "foreign" && who != "token-foreign" {
				t.Errorf("%s %s as %q tells of another workspace", method, row.address, who)
			}
		}
	}
	foreign := strings.NewReplacer("/acme", "/other", acmeAgent, otherAgent).Replace(row.address)
	crossed := strings.ReplaceAll(row.address, acmeAgent, otherAgent)
	for _, address := range []string{foreign, crossed} {
		if address == row.address || row.body != "" && row.body[0] == '{' {
			continue
		}
		for _, who := range []string{"owner", "token-owner"} {
			r := w.ask(method, address, who, row.body)
			shut := who == "owner" && row.want[5] == http.StatusForbidden && r.StatusCode == http.StatusForbidden // as at the owner's own
			if turned := shut || r.StatusCode == 404 || r.StatusCode == http.StatusSeeOther && strings.HasPrefix(r.Header.Get("Location"), "/sign-in") || r.StatusCode == 401; !turned {
				t.Errorf("%s %s as %q = %d: another workspace's", method, address, who, r.StatusCode)
			}
			if w.fingerprint() != before || w.drafts() != drafts {
				t.Errorf("%s %s as %q has changed something of another workspace", method, address, who)
			}
		}
	}
}

// The address that clients print after a push names the workspace by its id.
func TestWorkspaceByID(t *testing.T) {
	w := newTown(t)
	for asked, want := range map[string]string{
		"": "", "/inbox?tab=closed&everybody=1": "/inbox?tab=closed&everybody=1", "/agents/" + acmeAgent + "/jobs/close": "/agents/" + acmeAgent + "/jobs/close",
	} {
		r := w.ask(http.MethodGet, "/w/"+w.acme.ID+asked, "viewer", "")
		if got := r.Header.Get("Location"); r.StatusCode != http.StatusSeeOther || got != "/w/acme"+want {
			t.Errorf("GET /w/{id}%s = %d to %q, want the same below /w/acme", asked, r.StatusCode, got)
		}
		if r := w.ask(http.MethodGet, "/w/"+w.other.ID+asked, "viewer", ""); r.StatusCode != http.StatusNotFound {
			t.Errorf("GET of another workspace by its id = %d, want 404", r.StatusCode)
		}
	}
}
