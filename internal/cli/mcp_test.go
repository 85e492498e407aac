package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func init() {
	row := conformance["version"]
	row.good, row.bad, row.code = nil, []string{"mcp", "nowhere"}, 100 // the good calls are below
	conformance["mcp"] = row
}

// TestMCP asks the real program over its pipes, with the client of the official kit.
func TestMCP(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range [][]string{nil, {"--agent"}} {
		var stderr bytes.Buffer
		// Scripts run this test's own program as figs-web, by its name.
		command := &exec.Cmd{Path: program, Args: append([]string{"figs-web", "mcp", sample}, mode...), Env: append(os.Environ(), "NOW=2026-11-20T18:00:00Z"), Stderr: &stderr}
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
		s, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: command}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: "read_ask", Arguments: map[string]any{"ask": "acme-send"}})
		if err != nil || r.IsError || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, `"phase":"needs_you"`) {
			t.Errorf("%v: read_ask = %+v, %v", mode, r, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%v: the program does not end well when its client goes: %v", mode, err)
		}
		if said := strings.Count(stderr.String(), "\n"); said != 1-len(mode) {
			t.Errorf("%v: stderr = %q", mode, stderr.String())
		}
	}
}
