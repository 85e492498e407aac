package tree

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/mcp"
	"github.com/figs-web/figs-web/internal/remote"
)

// mcpPath is where clients reach the server that mcp --listen starts.
const mcpPath = "/mcp"

// tokenVariable may have the token that clients of mcp --listen must send.
const tokenVariable = "FIGS_WEB_MCP_TOKEN"

// listenMCP serves clients over HTTP until the program is told to stop.
func (c MCPCommand) listenMCP(a *cmd.App, f mcp.Folder) error {
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil || !remote.IsPrivate(&url.URL{Scheme: "http", Host: c.Listen}) {
		return cmd.Fail(cmd.Usage, "--listen takes a host and port of this machine only.", "Use 127.0.0.1:0, for example. A server for others is figs-web serve --data, at /mcp/WORKSPACE.")
	}
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return cmd.Fail(cmd.AddressInUse, "Listening on "+cmd.Quote(c.Listen)+" failed: "+cmd.Clean(cmd.Cause(err))+".", "Choose another port, as in figs-web mcp --listen 127.0.0.1:0.")
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	token := a.Variable(tokenVariable)
	if token == "" {
		token = rand.Text()
	}
	hosts := map[string]bool{}
	for _, name := range []string{host, "127.0.0.1", "localhost", "::1"} {
		hosts[net.JoinHostPort(name, port)] = true
	}
	server := mcp.New(f, mcp.Options{Version: a.Version, Log: faults(a)})
	inner := mcp.NewHTTP(func(*http.Request) *mcp.Server { return server }, func(origin string) bool {
		host, ok := strings.CutPrefix(origin, "http://")
		return ok && hosts[host]
	})
	s := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch {
		case !hosts[r.Host]: // a name that someone else controls
			http.Error(w, "This host is unknown.", http.StatusMisdirectedRequest)
		case subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1:
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "Send the token that figs-web printed as Authorization: Bearer TOKEN.", http.StatusUnauthorized)
		case r.URL.Path != mcpPath:
			http.NotFound(w, r)
		default:
			inner.ServeHTTP(w, r)
		}
	})}
	address := "http://" + l.Addr().String() + mcpPath
	if err := announceMCP(a, address, token); err != nil {
		l.Close()
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-a.Ctx.Done():
		s.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	}
}

func announceMCP(a *cmd.App, address, token string) error {
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, map[string]string{"url": address, "token": token})
	}
	_, err := fmt.Fprintf(a.Stdout, "%s\nToken: %s\nClients send it as Authorization: Bearer TOKEN. Press Ctrl+C to stop.\n", address, token)
	return err
}
