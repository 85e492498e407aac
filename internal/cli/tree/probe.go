package tree

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
)

type ProbeCommand struct {
	URL     string        `arg:"" optional:"" name:"URL" default:"http://127.0.0.1:8080/readyz" help:"The URL to request. Default: http://127.0.0.1:8080/readyz."`
	Name    string        `placeholder:"HOST" help:"The name that the server's certificate must be for, if the URL has an IP address."`
	Timeout time.Duration `default:"5s" help:"How long to wait for an answer. Default: 5s."`
}

func init() {
	cmd.MachinePages["probe"] = cmd.MachinePage{
		Usage: "figs-web --agent probe [URL] [--name HOST] [--timeout DURATION]",
		Patterns: []string{
			"figs-web --agent probe",
			"figs-web --agent probe http://127.0.0.1:8080/healthz",
			"figs-web --agent probe https://127.0.0.1/readyz --name figs.example.com",
		},
		Codes: []cmd.Kind{cmd.General, cmd.Usage, cmd.TimedOut, cmd.Network},
	}
}

// Help is what `probe --help` adds.
func (ProbeCommand) Help() string {
	return `Asks a server whether it is ready and prints its answer, for containers and timers that have no other HTTP client. It follows no redirect, uses no proxy and sends no credentials.

Examples:

  figs-web probe
  figs-web probe http://127.0.0.1:9090/healthz --timeout 2s
  figs-web probe https://127.0.0.1/readyz --name figs.example.com

Exit codes: 0 ready, 1 not ready or no answer, 2 invalid usage, 103 no answer in time.
`
}

// maxAnswer is more than any answer to a probe has, in bytes.
const maxAnswer = 4 << 10

// Run asks once.
func (c ProbeCommand) Run(a *cmd.App) error {
	at, err := url.Parse(c.URL)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || at.User != nil {
		return cmd.Fail(cmd.Usage, cmd.Quote(c.URL)+" is not a URL.", "Use http://127.0.0.1:8080/readyz, for example.")
	}
	if c.Timeout <= 0 {
		return cmd.Fail(cmd.Usage, "--timeout must be more than 0.", "Use a duration, as in 2s or 500ms.")
	}
	ctx, cancel := context.WithTimeout(a.Ctx, c.Timeout)
	defer cancel()
	status, said, err := c.ask(ctx, at)
	switch {
	case a.Ctx.Err() != nil:
		return a.Ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return cmd.Fail(cmd.TimedOut, cmd.Quote(at.String())+" did not answer in "+c.Timeout.String()+".", "Check the URL, or use --timeout to wait longer.")
	case err != nil:
		return cmd.Fail(cmd.Network, cmd.Quote(at.String())+" can't be reached: "+cmd.Clean(cmd.Cause(err))+".", unreached(err))
	case status != http.StatusOK:
		f := cmd.Fail(cmd.Network, fmt.Sprintf("%s answered %d: %s", cmd.Quote(at.String()), status, cleanLines(said, "; ")), "Check the server's log.")
		f.Context = map[string]any{"status": status}
		return f
	}
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, struct {
			URL    string `json:"url"`
			Status int    `json:"status"`
			Answer string `json:"answer"`
		}{at.String(), status, said})
	}
	_, err = fmt.Fprintln(a.Stdout, cleanLines(said, "\n"))
	return err
}

// ask sends one request over a connection of its own.
func (c ProbeCommand) ask(ctx context.Context, at *url.URL) (status int, said string, err error) {
	client := http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{ServerName: c.Name, MinVersion: tls.VersionTLS12}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return 0, "", err
	}
	r.Host = c.Name // "": what the URL says
	answer, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	return answer.StatusCode, strings.TrimSpace(string(body)), err
}

// cleanLines is an answer of several lines, each without what a terminal would obey.
func cleanLines(said, between string) string {
	lines := strings.FieldsFunc(said, func(r rune) bool { return r == '\n' || r == '\r' })
	for i := range lines {
		lines[i] = cmd.Clean(lines[i])
	}
	return strings.Join(lines, between)
}

// unreached is the hint behind a failure to reach a server: one that shows a certificate runs.
func unreached(err error) string {
	var cert *tls.CertificateVerificationError
	if errors.As(err, &cert) {
		return "The server is running, but its certificate is not valid for this name. Use --name for another name, or SSL_CERT_FILE for the root certificate that issued it."
	}
	return "Check that the server is running and listens there. figs-web serve prints the URL."
}
