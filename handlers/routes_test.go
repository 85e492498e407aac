package handlers

import (
	"net/http"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
)

// kind is what an answer's headers must say.
type kind map[string]string

var (
	plainKind = kind{"Content-Security-Policy": web.PagePolicy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
	frameKind = kind(frameHeaders)
	pageKind  = kind{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src http://" + listens + "/v/; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types figs",
		"X-Content-Type-Options":  "nosniff", "Referrer-Policy": "same-origin", "X-DNS-Prefetch-Control": "off", "Cross-Origin-Resource-Policy": "same-origin",
		"Cross-Origin-Opener-Policy": "same-origin", "Permissions-Policy": web.AppFeatures, "Cache-Control": "private, no-store",
	}
	apartKind     = pageKind.with("Content-Security-Policy", strings.Replace(pageKind["Content-Security-Policy"], listens+"/v/", viewerListens+"/v/", 1))
	downloadKind  = pageKind.with("Referrer-Policy", "no-referrer").with("Permissions-Policy", viewer.Features).with("Content-Security-Policy", "default-src 'none'; sandbox").with("Content-Type", "application/octet-stream").with("Accept-Ranges", "none").with("Content-Disposition", `attachment; filename="report.html"; filename*=UTF-8''report.html`)
	assetKind     = plainKind.with("Cache-Control", "public, max-age=31536000, immutable")
	openAssetKind = pageKind.with("Cache-Control", "public, max-age=31536000, immutable")
	inspectorKind = plainKind.with("Content-Security-Policy", "default-src 'none'").with("Cache-Control", "no-cache")
	rulesKind     = plainKind.with("Cache-Control", "no-cache")
	signedKind    = frameKind.with("Content-Security-Policy", viewer.FramePolicy("http://"+listens+" http://localhost:4000"))
)

func (k kind) with(name, value string) kind {
	other := kind{name: value}
	for n, v := range k {
		if n != name {
			other[n] = v
		}
	}
	return other
}

// row is one route: an address of it that exists, what the answer is, and who gets it.
type row struct {
	address string
	status  int
	kind    kind
	guarded bool   // by the session
	foreign string // the same in another workspace: must not be found
	proof   string // header without which nothing is done; "" needs none
}

type carried struct{}

func (carried) File() ([]byte, error)   { return []byte("<!DOCTYPE html>"), nil }
func (carried) Brotli() ([]byte, error) { return []byte("brotli"), nil }
func (carried) Policy() (string, error) { return "default-src 'none'", nil }

// TestEveryRoute walks the routers: a route that has no row fails, and each row is held to its
// headers, to its door, and to its own workspace.
func TestEveryRoute(t *testing.T) {
	f := full()
	hash := sum(f.files["report.html"])
	framePath, comparePath := "/v/local/"+hash+".html", "/v/local/"+hash+".html/"+hash+".txt"
	assets, err := web.LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	style := assets.Address(web.Stylesheet)
	t.Run("serve", func(t *testing.T) {
		s := &web.Server{Assets: assets, Page: web.ReadPage(carried{})}
		e := inspectorRoutes(s)
		walk(t, e, "", map[string]row{
			"GET /": {"/", 200, inspectorKind, false, "", ""}, "HEAD /": {"/", 200, inspectorKind, false, "", ""},
			"GET /inspect": {"/inspect", 200, inspectorKind, false, "", ""}, "HEAD /inspect": {"/inspect", 200, inspectorKind, false, "", ""},
			"GET /rules": {"/rules", 200, rulesKind, false, "", ""}, "GET /rules/:code": {"/rules/line_torn", 200, rulesKind, false, "", ""},
			"GET /static/:hash/*": {style, 200, assetKind, false, "", ""},
		})
	})
	rows := func(page kind) map[string]row {
		all := map[string]row{
			"GET /open":                       {"/open?key=x", 303, page, false, "", ""},
			"GET /static/:hash/*":             {style, 200, openAssetKind.with("Content-Security-Policy", page["Content-Security-Policy"]), false, "", ""},
			"GET /":                           {"/", 303, page, true, "", ""},
			"GET /rules":                      {"/rules", 200, page, true, "", ""},
			"GET /rules/:code":                {"/rules/line_torn", 200, page, true, "", ""},
			"GET /w/:workspace":               {"/w/local", 200, page, true, "/w/other", ""},
			"GET /w/:workspace/agents/:agent": {"/w/local/agents/1", 404, page, true, "/w/other/agents/1", ""},
			"GET /w/:workspace/agents/:agent/:section":          {"/w/local/agents/1/jobs", 404, page, true, "/w/other/agents/1/jobs", ""},
			"GET /w/:workspace/agents/:agent/:section/:key":     {"/w/local/agents/1/jobs/1", 404, page, true, "/w/other/agents/1/jobs/1", ""},
			"GET /w/:workspace/agents/:agent/:section/:key/:of": {"/w/local/agents/1/jobs/1/why", 404, page, true, "/w/other/agents/1/jobs/1/why", ""},
			"GET /a/:workspace/:sha256/:name":                   {"/a/local/" + hash + "/report.html", 200, downloadKind, true, "/a/other/" + hash + "/report.html", ""},
		}
		for _, word := range []string{"channels", "registry", "workflows"} {
			for route, address := range map[string]string{"/:root": "/1", "/:root/:section": "/1/list", "/:root/:section/:key": "/1/list/1"} {
				all["GET /w/:workspace/"+word+route] = row{"/w/local/" + word + address, 404, page, true, "/w/other/" + word + address, ""}
			}
		}
		return all
	}
	const proof = "Sec-Fetch-Site: same-origin"
	form := func(word string, page kind) row {
		return row{"/w/local/agents/1/asks/2/" + word, 404, page, true, "/w/other/agents/1/asks/2/" + word, proof}
	}
	t.Run("open", func(t *testing.T) {
		o := openFolder(t, f, false)
		all := rows(pageKind)
		all["GET /v/:workspace/:file"] = row{framePath, 200, frameKind, true, "/v/other/" + hash + ".html", ""}
		all["GET /v/:workspace/:file/:other"] = row{comparePath, 200, frameKind, true, "/v/other/" + hash + ".html/" + hash + ".txt", ""}
		walk(t, o.Pages.(*echo.Echo), o.cookie, all)
	})
	t.Run("open to reply", func(t *testing.T) {
		o := openFolder(t, &answering{shelf: f}, false)
		all := rows(pageKind)
		all["GET /v/:workspace/:file"] = row{framePath, 200, frameKind, true, "/v/other/" + hash + ".html", ""}
		all["GET /v/:workspace/:file/:other"] = row{comparePath, 200, frameKind, true, "/v/other/" + hash + ".html/" + hash + ".txt", ""}
		all["GET /w/:workspace/events"] = row{"/w/local/events", 200, pageKind.with("Content-Type", "text/event-stream"), true, "/w/other/events", ""}
		for _, word := range []string{"decide", "draft", "remark", "command", "viewed"} {
			all["POST /w/:workspace/agents/:agent/asks/:ask/"+word] = form(word, pageKind)
		}
		walk(t, o.Pages.(*echo.Echo), o.cookie, all)
	})
	t.Run("open apart", func(t *testing.T) {
		o := openFolder(t, f, true)
		walk(t, o.Pages.(*echo.Echo), o.cookie, rows(apartKind))
		signed := func(path string) string { return o.s.Viewer.Signer.Sign(path, map[string][]string{}) }
		walk(t, o.Viewer.(*echo.Echo), "", map[string]row{
			"GET /v/:workspace/:file":        {signed(framePath), 200, signedKind, false, signed("/v/other/" + hash + ".html"), ""},
			"GET /v/:workspace/:file/:other": {signed(comparePath), 200, signedKind, false, signed("/v/other/" + hash + ".html/" + hash + ".txt"), ""},
		})
	})
}

func walk(t *testing.T, e *echo.Echo, cookie string, rows map[string]row) {
	t.Helper()
	for _, route := range e.Routes() {
		name := route.Method + " " + route.Path
		row, ok := rows[name]
		if !ok {
			t.Errorf("%s has no row: say what it answers, to whom", name)
			continue
		}
		delete(rows, name)
		check(t, e, route.Method, cookie, row)
	}
	for name := range rows {
		t.Errorf("the row of %s has no route", name)
	}
}

func check(t *testing.T, e *echo.Echo, method, cookie string, row row) {
	t.Helper()
	host := listens
	if row.kind["Content-Security-Policy"] == signedKind["Content-Security-Policy"] {
		host = viewerListens
	}
	ask := func(address string, headers ...string) *http.Response {
		if row.proof != "" {
			headers = append(headers, row.proof)
		}
		return request(e, method, host, address, headers...)
	}
	r := ask(row.address, "Cookie: "+strings.TrimPrefix(cookie, "Cookie: "))
	carries(t, row.address, r, row.kind)
	if r.StatusCode != row.status {
		t.Errorf("%s %s = %d, want %d", method, row.address, r.StatusCode, row.status)
	}
	if row.guarded {
		r := ask(row.address)
		if body := text(t, r); r.StatusCode != 403 || strings.Contains(body, "report") {
			t.Errorf("%s %s without a session = %d %q, want 403 and nothing of the folder", method, row.address, r.StatusCode, body)
		}
	}
	if row.foreign != "" {
		if r := ask(row.foreign, cookie); r.StatusCode != 404 {
			t.Errorf("%s %s = %d, want 404", method, row.foreign, r.StatusCode)
		}
	}
	others := []string{"POST", "PUT", "DELETE", "PATCH"}
	if method == "POST" {
		others = []string{"GET", "HEAD", "PUT", "DELETE", "PATCH"}
		answerOf(t, request(e, method, host, row.address, cookie)).says(t, 403, "post-without-proof")
	}
	for _, other := range others {
		if r := request(e, other, host, row.address, cookie); r.StatusCode != 405 {
			t.Errorf("%s %s = %d, want 405: nothing is changed here", other, row.address, r.StatusCode)
		}
	}
}
