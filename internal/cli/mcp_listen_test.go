package cli

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// withHeaders adds headers to requests.
type withHeaders map[string]string

func (h withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range h {
		if r.Header.Set(name, value); name == "Host" {
			r.Host = value
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestMCPListen connects with the client of the official kit over streamable HTTP.
func TestMCPListen(t *testing.T) {
	t.Parallel()
	line, lines, stop := started(t, "mcp", "--listen", "127.0.0.1:0", "--agent", sample)
	drain(lines)
	var first struct{ URL, Token string }
	if err := json.Unmarshal([]byte(line), &first); err != nil || !strings.HasSuffix(first.URL, "/mcp") || len(first.Token) < 26 {
		t.Fatalf("mcp --listen begins with %q, want the URL and the token", line)
	}
	connect := func(h withHeaders) (*mcp.ClientSession, error) {
		return mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil).Connect(context.Background(), &mcp.StreamableClientTransport{
			Endpoint: first.URL, HTTPClient: &http.Client{Transport: h}, MaxRetries: -1}, nil)
	}
	right := "Bearer " + first.Token
	for _, refused := range []withHeaders{
		{}, {"Authorization": "Bearer wrong"}, {"Authorization": right, "Origin": "https://evil.example"}, {"Authorization": right, "Host": "evil.example"}, {"Authorization": right, "Origin": "null"},
	} {
		if s, err := connect(refused); err == nil {
			s.Close()
			t.Errorf("with %v: connected", refused)
		}
	}
	s, err := connect(withHeaders{"Authorization": right, "Origin": strings.TrimSuffix(first.URL, "/mcp")})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: "read_ask", Arguments: map[string]any{"ask": "acme-send"}})
	if err != nil || r.IsError || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, `"phase":"needs_you"`) {
		t.Errorf("read_ask = %+v, %v", r, err)
	}
	s.Close()
	if code := stop(); code != 0 {
		t.Errorf("a stopped mcp --listen exits %d, want 0", code)
	}
	for _, addr := range []string{"0.0.0.0:0", ":8080", "nonsense", "192.0.2.1:80"} {
		if got := run(t, "mcp", "--listen", addr, sample); got.code != 2 || !strings.Contains(got.stderr, "hint: ") {
			t.Errorf("mcp --listen %s = %+v, want a usage error with a hint", addr, got)
		}
	}
}
