package tree

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/remote"
)

// remoteFile is what is kept of a configured reader, in a file that only its owner may read.
type remoteFile struct {
	URL   string `json:"url"`
	Token string `json:"token,omitempty"`
}

// TokenVariable holds the token for readers that have none of their own.
const TokenVariable = "FIGS_WEB_TOKEN"

// configDir is where this person's settings of figs-web are kept.
func configDir(a *cmd.App) (string, error) {
	if a.ConfigDir == nil {
		return "", cmd.Fail(cmd.General, "No settings folder is defined.", "Set XDG_CONFIG_HOME or HOME.")
	}
	dir, err := a.ConfigDir()
	if err != nil {
		return "", cmd.Fail(cmd.General, "No settings folder is defined.", "Set XDG_CONFIG_HOME or HOME.")
	}
	return filepath.Join(dir, "figs-web"), nil
}

func remotesDir(a *cmd.App) (string, error) {
	dir, err := configDir(a)
	return filepath.Join(dir, "remotes"), err
}

const RemoteSuffix = ".json"

// remoteNamed reads a configured reader; fs.ErrNotExist when no reader has that name.
func remoteNamed(a *cmd.App, name string) (*remoteFile, error) {
	if !remoteName.MatchString(name) {
		return nil, fs.ErrNotExist
	}
	dir, err := remotesDir(a)
	if err != nil {
		return nil, fs.ErrNotExist
	}
	file := filepath.Join(dir, name+RemoteSuffix)
	text, err := input.ReadUpTo(file, 64<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, cmd.FailureOf(err, file)
	}
	var r remoteFile
	if json.Unmarshal(text, &r) != nil || r.URL == "" {
		return nil, cmd.Fail(cmd.BadFormat, "The settings of the remote "+cmd.Quote(name)+" cannot be read.", "figs-web remote remove "+name+", then add it again.")
	}
	return &r, nil
}

// remoteNames lists the configured readers.
func remoteNames(a *cmd.App) ([]string, error) {
	dir, err := remotesDir(a)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cmd.FailureOf(err, dir)
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), RemoteSuffix); ok && remoteName.MatchString(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// openRemote makes the client of a place. A reader that has a token of its own gets that one: the
// variable's may belong to another.
func openRemote(a *cmd.App, p *Place) (*remoteTree, error) {
	token := strings.TrimSpace(a.Variable(TokenVariable))
	if p.name != "" {
		r, err := remoteNamed(a, p.name)
		if err != nil {
			return nil, err
		}
		if r.Token != "" {
			token = r.Token
		}
	}
	if strings.ContainsAny(token, " \t\r\n") || len(token) > 4096 {
		return nil, cmd.Fail(cmd.Usage, "What "+TokenVariable+" contains is not a token.", "A token is one word. A server's settings page shows it once.")
	}
	if token == "" {
		f := cmd.Fail(cmd.Denied, "The server needs a token, and there is none.", "Create one in the server's settings, then set "+TokenVariable+", or store it: figs-web remote add NAME "+p.origin.String()+" --token-stdin.")
		f.Context = map[string]any{"remote": p.origin.String()}
		return nil, f
	}
	if !remote.IsPrivate(p.origin) {
		return nil, cmd.Fail(cmd.Denied, "The token would be sent to "+cmd.Quote(p.origin.Host)+" unencrypted.", "Use https:// instead of http://.")
	}
	return &remoteTree{app: a, client: remote.New(remote.Options{Origin: p.origin, Token: token})}, nil
}
