package handlers

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// FuzzHostedAddress asks for any address with any query, by every method that pages know, as an
// owner: whatever comes back is no fault of the server's and leads nowhere else.
func FuzzHostedAddress(f *testing.F) {
	w := newTown(f)
	for _, row := range hostedRows(w) {
		path, query, _ := strings.Cut(row.address, "?")
		f.Add(path, query, row.body)
	}
	for _, path := range []string{"/w/acme/~", "/w/acme/agents/~AA", "/w/acme/agents/~_w", "/w/acme/agents/%2e%2e/jobs", "/w/%00/inbox", "/w/acme//agents", "/w/~YWNtZQ", "/v/acme/x", "/a/acme/x/~", "//w/acme", "/w/acme/agents/" + acmeAgent + "/jobs/~AAD_"} {
		f.Add(path, "q=%00&from=9223372036854775807&n=-1&tab=~&agent=%ff&age=99999999999&days=0&to=%0a", "user=%00&role=%ff&name=%80&id=%00&session=%ff&code=%00&decision=approve&manager=%00")
	}
	f.Fuzz(func(t *testing.T, path, query, form string) {
		address, err := url.Parse(hostedAt + "/" + strings.TrimPrefix(path, "/"))
		if err != nil || address.Host != "127.0.0.1:4100" || address.Path == "/w/acme/events" || address.Path == "/w/"+w.acme.ID+"/events" {
			return
		}
		address.RawQuery, address.Fragment = query, ""
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if method == http.MethodPost && (strings.HasPrefix(address.Path, "/sign-") || strings.HasSuffix(address.Path, "/remove") || strings.HasSuffix(address.Path, "/end")) {
				continue // which would end what this test lives on
			}
			r := httptest.NewRequest(method, "/", strings.NewReader(form))
			r.URL, r.Host, r.RequestURI = address, address.Host, address.RequestURI()
			if method == http.MethodPost {
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			}
			r.Header.Set("Cookie", w.h.Auth.Cookie+"=session-owner")
			answer := httptest.NewRecorder()
			w.routes.ServeHTTP(answer, r)
			if answer.Code >= 500 {
				t.Errorf("%s %s with %q = %d %s", method, address, form, answer.Code, answer.Body)
			}
			if to := answer.Header().Get("Location"); to != "" && (to[0] != '/' || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n")) {
				t.Errorf("%s %s leads to %q", method, address, to)
			}
		}
	})
}
