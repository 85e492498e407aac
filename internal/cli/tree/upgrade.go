package tree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/upgrade"
)

// Variables that name a release feed and its key.
const (
	FeedVariable    = "FIGS_WEB_UPGRADE_FEED"
	FeedKeyVariable = "FIGS_WEB_UPGRADE_KEY"
)

type UpgradeCommand struct {
	Check   bool          `help:"Tell whether a newer release exists. Installs nothing."`
	Feed    string        `placeholder:"URL|DIR" predictor:"file" help:"Where the files of the newest release are. Default: FIGS_WEB_UPGRADE_FEED."`
	Key     string        `placeholder:"FILE" predictor:"file" help:"The OpenSSH public key (ed25519) that releases are signed with. Default: FIGS_WEB_UPGRADE_KEY."`
	Timeout time.Duration `default:"15s" help:"How long to wait for the feed. Default: 15s."`
}

func init() {
	cmd.MachinePages["upgrade"] = cmd.MachinePage{
		Usage: "figs-web --agent upgrade --check [--feed URL|DIR] [--key FILE]",
		Patterns: []string{
			"figs-web --agent upgrade --check --feed https://example.com --key my.pub",
			"figs-web --agent upgrade --check --feed dist --key release.pub",
			"figs-web --agent upgrade --check",
		},
		Codes: []cmd.Kind{cmd.General, cmd.Usage, cmd.NotFound, cmd.BadFormat, cmd.TimedOut, cmd.Network},
	}
}

// Help is what `upgrade --help` adds.
func (UpgradeCommand) Help() string {
	return `Reads SHA256SUMS and SHA256SUMS.sig of a release, verifies the signature with the key you name, and compares the release's version with this program's. It sends nothing but the two requests, and no feed is built in.

Examples:

  figs-web upgrade --check --feed https://releases.example.com --key my.pub
  figs-web upgrade --check --feed dist --key release.pub --json

Exit codes: 0 the feed was read, whether or not it has a newer release; 1 it can't be read; 2 invalid usage, or a wrong signature.
`
}

// Run compares the versions.
func (c UpgradeCommand) Run(a *cmd.App) error {
	if !c.Check {
		return cmd.Fail(cmd.Usage, "figs-web doesn't replace itself.", "Use figs-web upgrade --check, then install the release the way you installed this one.")
	}
	for _, setting := range []struct {
		value          *string
		flag, variable string
	}{{&c.Feed, "--feed", FeedVariable}, {&c.Key, "--key", FeedKeyVariable}} {
		if *setting.value == "" {
			*setting.value = a.Variable(setting.variable)
		}
		if *setting.value == "" {
			return cmd.Fail(cmd.Usage, setting.flag+" is missing.", "Name it with "+setting.flag+" or in "+setting.variable+". docs/releasing.md explains both.")
		}
	}
	key, err := readAtMost(c.Key)
	if err != nil {
		return cmd.FailureOf(err, c.Key)
	}
	ctx, cancel := context.WithTimeout(a.Ctx, c.Timeout)
	defer cancel()
	sums, err := c.get(ctx, upgrade.SumsName)
	var signature []byte
	if err == nil {
		signature, err = c.get(ctx, upgrade.SignatureName)
	}
	if err != nil {
		return err
	}
	r, err := upgrade.Read(sums, signature, key)
	if err != nil {
		f := cmd.Fail(cmd.BadFormat, "The release isn't trusted: "+cmd.Clean(err.Error())+".", "Don't install it. Check the feed and the key.")
		if errors.Is(err, upgrade.ErrKey) {
			f.Message, f.Hint = cmd.Quote(c.Key)+" isn't an OpenSSH public key of type ed25519.", "Use the .pub file of the key that releases are signed with."
		}
		return f
	}
	return c.print(a, r)
}

func (c UpgradeCommand) print(a *cmd.App, r *upgrade.Release) error {
	newer := upgrade.Compare(a.Version, r.Version) < 0
	archive := r.Archive(runtime.GOOS, runtime.GOARCH)
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, struct {
			Version string `json:"version"`
			Newest  string `json:"newest"`
			Newer   bool   `json:"newer"`
			Archive string `json:"archive,omitempty"`
			SHA256  string `json:"sha256,omitempty"`
		}{a.Version, r.Version, newer, archive, r.Sums[archive]})
	}
	if !newer {
		_, err := fmt.Fprintf(a.Stdout, "figs-web %s is up to date. The feed has %s.\n", a.Version, r.Version)
		return err
	}
	text := fmt.Sprintf("figs-web %s is available. This is %s. Its checksums are signed with your key.\n\n", r.Version, a.Version)
	text += "1. Read its section of CHANGELOG.md.\n2. Back up: figs-web backup --data DIR BACKUP\n"
	if sum := r.Sums[archive]; sum != "" {
		text += fmt.Sprintf("3. Download %s from the feed, and compare its SHA-256:\n   %s\n", archive, sum)
	} else {
		text += fmt.Sprintf("3. The release has no archive for %s/%s: build it from the source.\n", runtime.GOOS, runtime.GOARCH)
	}
	text += "4. Install it and restart the server (docs/operations.md, Upgrade).\n"
	_, err := io.WriteString(a.Stdout, text)
	return err
}

// get reads a file of the feed, which is a folder or a URL.
func (c UpgradeCommand) get(ctx context.Context, name string) ([]byte, error) {
	if !strings.Contains(c.Feed, "://") {
		b, err := readAtMost(filepath.Join(c.Feed, name))
		if err != nil {
			return nil, cmd.FailureOf(err, filepath.Join(c.Feed, name))
		}
		return b, nil
	}
	at, err := url.Parse(c.Feed)
	if err != nil || !safeFeed(at) || at.User != nil {
		return nil, cmd.Fail(cmd.Usage, cmd.Quote(c.Feed)+" can't be a feed.", "Use an https:// URL without a password, or a folder.")
	}
	at = at.JoinPath(name)
	client := http.Client{CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) > 5 || !safeFeed(r.URL) {
			return errors.New("it redirects to a URL without TLS, or too often")
		}
		return nil
	}}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	answer, err := client.Do(r)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, cmd.Fail(cmd.TimedOut, cmd.Quote(at.String())+" did not answer in "+c.Timeout.String()+".", "Check the URL, or use --timeout to wait longer.")
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		return nil, cmd.Fail(cmd.Network, cmd.Quote(at.String())+" can't be reached: "+cmd.Clean(cmd.Cause(err))+".", "Check the URL and the network.")
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, cmd.Fail(cmd.Network, fmt.Sprintf("%s answered %d.", cmd.Quote(at.String()), answer.StatusCode), "The feed must contain SHA256SUMS and SHA256SUMS.sig.")
	}
	return limited(answer.Body, at.String())
}

// safeFeed reports whether a URL has TLS, or is this machine's.
func safeFeed(at *url.URL) bool {
	ip := net.ParseIP(at.Hostname())
	local := at.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	return at.Host != "" && (at.Scheme == "https" || at.Scheme == "http" && local)
}

func readAtMost(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return limited(f, name)
}

func limited(r io.Reader, name string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, upgrade.MaxSize+1))
	if err == nil && len(b) > upgrade.MaxSize {
		return nil, cmd.Fail(cmd.BadFormat, cmd.Quote(name)+" is larger than 1 MiB.", "Check the feed.")
	}
	return b, err
}
