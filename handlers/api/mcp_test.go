package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// bearer adds a token to requests.
type bearer struct{ token, origin string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	if b.origin != "" {
		r.Header.Set("Origin", b.origin)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestMCP reads a workspace with the official client, and finds there what the API gives.
func TestMCP(t *testing.T) {
	d := newDesk(t)
	server := httptest.NewServer(d.e)
	defer server.Close()
	ctx := context.Background()
	connect := func(b bearer, workspace string) (*sdk.ClientSession, error) {
		return sdk.NewClient(&sdk.Implementation{Name: "test", Version: "v1"}, nil).Connect(ctx, &sdk.StreamableClientTransport{
			Endpoint: server.URL + "/mcp/" + workspace, HTTPClient: &http.Client{Transport: b}, MaxRetries: -1}, nil)
	}
	for name, refused := range map[string]struct {
		b         bearer
		workspace string
	}{
		"a token that is none": {bearer{token: "wrong"}, "acme"}, "another workspace": {bearer{token: "token-ana"}, "other"},
		"a page elsewhere": {bearer{"token-ana", "https://evil.example"}, "acme"},
	} {
		if s, err := connect(refused.b, refused.workspace); err == nil {
			s.Close()
			t.Errorf("%s: connected", name)
		}
	}
	s, err := connect(bearer{"token-val", public}, "acme")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tools, err := s.ListTools(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s doesn't say that it only reads", tool.Name)
		}
	}
	slices.Sort(names)
	if want := "explain_rule list_agents list_asks list_findings list_jobs list_messages read_agent read_ask read_job validate"; strings.Join(names, " ") != want {
		t.Errorf("the tools are %v, want %s", names, want)
	}
	call := func(name string, args map[string]any) map[string]any {
		t.Helper()
		r, err := s.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: args})
		if err != nil || r.IsError || len(r.Content) != 1 {
			t.Fatalf("%s %v = %+v, %v", name, args, r, err)
		}
		var out map[string]any
		if err := json.Unmarshal([]byte(r.Content[0].(*sdk.TextContent).Text), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	before, err := d.s.StateHash(ctx)
	d.ok(err)
	agents := call("list_agents", nil)["items"].([]any)
	if len(agents) != 5 {
		t.Errorf("%d agents, want the five of the workspace", len(agents))
	}
	for _, item := range agents {
		agent := item.(map[string]any)["key"].(string)
		call("read_agent", map[string]any{"agent": agent})
		for _, list := range []struct{ list, read, name, section string }{{"list_jobs", "read_job", "job", "jobs"}, {"list_asks", "read_ask", "ask", "asks"}} {
			of := map[string]any{"agent": agent}
			items := call(list.list, of)["items"].([]any)
			if given := d.get("/api/v1/workspaces/acme/agents/" + agent + "/" + list.section)["items"].([]any); len(given) != len(items) {
				t.Errorf("%s of %s gives %d, the API %d", list.list, agent, len(items), len(given))
			}
			for _, item := range items {
				record := item.(map[string]any)
				one := call(list.read, map[string]any{"agent": agent, list.name: record["key"]})
				if one["key"] != record["key"] {
					t.Errorf("%s %v gives %v", list.read, record["key"], one["key"])
				}
			}
		}
		call("list_messages", map[string]any{"agent": agent})
		call("list_findings", map[string]any{"path": item.(map[string]any)["path"]})
	}
	call("validate", nil)
	call("explain_rule", map[string]any{"code": "line_torn"})
	if after, err := d.s.StateHash(ctx); err != nil || after != before {
		t.Errorf("the state is %s after reading, want %s (%v)", after, before, err)
	}
	big := httptest.NewRecorder()
	r := httptest.NewRequest("POST", public+"/mcp/acme", strings.NewReader(`{"x":"`+strings.Repeat("y", 2<<20)+`"}`))
	r.Header.Set("Authorization", "Bearer token-ana")
	r.Header.Set("Content-Type", "application/json")
	if d.e.ServeHTTP(big, r); big.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a body of 2 MiB: %d, want 413", big.Code)
	}
}
