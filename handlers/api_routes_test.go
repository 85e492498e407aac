package handlers

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/handlers/api"
	"github.com/figs-web/figs-web/internal/store"
)

// TestReadAPI holds that the API answers where the host puts it: to sessions of this host's
// cookie and to tokens, in JSON for faults too, and to nobody else.
func TestReadAPI(t *testing.T) {
	c := newClub(t)
	u := c.person("ana")
	c.workspace("acme", u)
	ctx := t.Context()
	c.must(c.store.SaveSession(ctx, store.Session{Hash: store.Hash("session"), User: u.ID, Created: c.at(), Used: c.at(), Expires: c.at() + 1_000_000}))
	c.must(c.store.AddToken(ctx, store.Act{At: c.at()}, store.Token{ID: store.NewID(), User: u.ID, Name: "t", Hash: store.Hash("token"), Created: c.at()}))
	for _, test := range []struct {
		lesson, method, path, header, value string
		status                              int
		code                                string
	}{
		{"description", "GET", "/openapi.json", "", "", 200, ""},
		{"session", "GET", "/workspaces/acme/inbox", "Cookie", c.h.Auth.Cookie + "=session", 200, ""},
		{"token", "GET", "/workspaces/acme/activity", "Authorization", "Bearer token", 200, ""},
		{"older_token", "GET", "/workspaces/acme/agents", "X-Figs-Token", "token", 200, ""},
		{"nobody", "GET", "/workspaces/acme", "", "", 401, "token_missing"},
		{"nowhere", "GET", "/workspaces/none", "Authorization", "Bearer token", 404, "not_found"},
		{"no_such_address", "GET", "/nothing", "Authorization", "Bearer token", 404, "not_found"},
	} {
		r := httptest.NewRequest(test.method, clubAt+api.Base+test.path, nil)
		if test.header != "" {
			r.Header.Set(test.header, test.value)
		}
		answer := httptest.NewRecorder()
		c.routes.ServeHTTP(answer, r)
		var body map[string]any
		if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
			t.Errorf("%s: no JSON: %v", test.lesson, err)
		}
		if code, _ := body["code"].(string); answer.Code != test.status || code != test.code {
			t.Errorf("%s: %d %v, want %d %s", test.lesson, answer.Code, body, test.status, test.code)
		}
		if got := answer.Header().Get("Content-Type"); !strings.HasPrefix(got, "application/json") {
			t.Errorf("%s: Content-Type %s", test.lesson, got)
		}
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		r, answer := httptest.NewRequest(method, clubAt+api.Base+"/workspaces/acme", nil), httptest.NewRecorder()
		r.Header.Set("Authorization", "Bearer token")
		if c.routes.ServeHTTP(answer, r); answer.Code != 405 {
			t.Errorf("%s = %d: a workspace is only read here", method, answer.Code)
		}
	}
}
