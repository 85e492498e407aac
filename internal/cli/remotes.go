package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/remote"
)

// remoteFile is what is kept of a configured reader, in a file that nobody else may read.
type remoteFile struct {
	URL   string `json:"url"`
	Token string `json:"token,omitempty"`
}

// tokenVariable holds the token for readers that have none of their own.
const tokenVariable = "FIGS_WEB_TOKEN"

func (a *app) getenv(name string) string {
	if a.Getenv == nil {
		return ""
	}
	return a.Getenv(name)
}

// configDir is where this person's settings of figs-web are kept.
func (a *app) configDir() (string, error) {
	if a.ConfigDir == nil {
		return "", fail(general, "This system names no folder for settings.", "Set XDG_CONFIG_HOME or HOME.")
	}
	dir, err := a.ConfigDir()
	if err != nil {
		return "", fail(general, "This system names no folder for settings.", "Set XDG_CONFIG_HOME or HOME.")
	}
	return filepath.Join(dir, "figs-web"), nil
}

func (a *app) remotesDir() (string, error) {
	dir, err := a.configDir()
	return filepath.Join(dir, "remotes"), err
}

const remoteSuffix = ".json"

// remoteNamed reads a configured reader; fs.ErrNotExist when no reader has that name.
func (a *app) remoteNamed(name string) (*remoteFile, error) {
	if !remoteName.MatchString(name) {
		return nil, fs.ErrNotExist
	}
	dir, err := a.remotesDir()
	if err != nil {
		return nil, fs.ErrNotExist
	}
	file := filepath.Join(dir, name+remoteSuffix)
	text, err := readUpTo(file, 64<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, failureOf(err, file)
	}
	var r remoteFile
	if json.Unmarshal(text, &r) != nil || r.URL == "" {
		return nil, fail(badFormat, "The settings of the reader "+quote(name)+" cannot be read.", "figs-web remote remove "+name+", then add it again.")
	}
	return &r, nil
}

// remoteNames lists the configured readers.
func (a *app) remoteNames() ([]string, error) {
	dir, err := a.remotesDir()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failureOf(err, dir)
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), remoteSuffix); ok && remoteName.MatchString(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// openRemote makes the client of a place. A reader that has a token of its own gets that one: the
// variable's may belong to another.
func (a *app) openRemote(p *place) (*remoteTree, error) {
	token := strings.TrimSpace(a.getenv(tokenVariable))
	if p.name != "" {
		r, err := a.remoteNamed(p.name)
		if err != nil {
			return nil, err
		}
		if r.Token != "" {
			token = r.Token
		}
	}
	if strings.ContainsAny(token, " \t\r\n") || len(token) > 4096 {
		return nil, fail(usage, "What "+tokenVariable+" holds is no token.", "A token is one word, as the settings of a reader show it once.")
	}
	if token == "" {
		f := fail(denied, "A reader answers its members only, and there is no token.", "Make one in its settings, then set "+tokenVariable+", or keep it: figs-web remote add NAME "+p.origin.String()+" --token-stdin.")
		f.context = map[string]any{"remote": p.origin.String()}
		return nil, f
	}
	if !remote.Private(p.origin) {
		return nil, fail(denied, "The token would travel to "+quote(p.origin.Host)+" for everybody to read.", "Write https:// instead of http://.")
	}
	return &remoteTree{app: a, client: remote.New(remote.Options{Origin: p.origin, Token: token})}, nil
}
