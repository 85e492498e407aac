package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/internal/remote"
	"github.com/figs-web/figs-web/internal/wholefile"
)

type remoteCommand struct {
	Add    remoteAddCommand    `cmd:"" help:"Give a hosted reader a name."`
	List   remoteListCommand   `cmd:"" help:"List the names, and where they lead. Never a token."`
	Remove remoteRemoveCommand `cmd:"" help:"Forget a name, and the token that was kept with it."`
}

func init() {
	machinePages["remote"] = machinePage{
		"figs-web --agent remote <add NAME URL [--token-stdin] | list | remove NAME>",
		[]string{
			"figs-web --agent remote add acme https://figs.example.com --token-stdin",
			"figs-web --agent remote list",
			"figs-web --agent remote remove acme",
		},
		[]kind{general, usage, notFound, denied, badFormat, taken, interrupted},
	}
}

// Help is what `remote --help` adds.
func (remoteCommand) Help() string {
	return `A named reader is the beginning of paths: acme:/agents. Its address and token are kept in a file of your own that nobody else may read. A token is read from standard input, and never an argument, because others on the machine see those.

Examples:

  figs-web remote add acme https://figs.example.com --token-stdin < token
  figs-web ls acme:/agents
  figs-web remote remove acme
`
}

type remoteAddCommand struct {
	Name       string `arg:"" name:"NAME" help:"Two to 32 lower-case letters, digits and dashes."`
	URL        string `arg:"" name:"URL" help:"As in https://figs.example.com, or https://figs.example.com/w/acme for one workspace."`
	TokenStdin bool   `help:"Read a token from standard input, and keep it with the name."`
}

// remoteJSON is a configured reader for programs.
type remoteJSON struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	Path  string `json:"path"` // what paths begin with
	URL   string `json:"url"`
	Token bool   `json:"token"` // one is kept
}

// Run keeps the address, and the token.
func (c remoteAddCommand) Run(a *app) error {
	if !remoteName.MatchString(c.Name) {
		return fail(usage, quote(c.Name)+" cannot name a reader.", "A name has 2 to 32 lower-case letters, digits and dashes, as in acme.")
	}
	origin, path, err := remote.Origin(c.URL)
	if err != nil {
		f := failureOf(err, c.URL)
		f.kind = usage
		return f
	}
	if !remote.Private(origin) {
		return fail(usage, "Whatever is sent to "+quote(origin.Host)+" could be read on the way.", "Write https:// instead of http://.")
	}
	if err := (&place{}).read(path, c.URL); err != nil {
		return err
	}
	kept := remoteFile{URL: origin.String() + strings.TrimRight(path, "/")}
	if c.TokenStdin {
		if kept.Token, err = a.readToken(); err != nil {
			return err
		}
	}
	if err := a.keepRemote(c.Name, kept); err != nil {
		return err
	}
	if a.agent {
		return writeJSON(a.Stdout, struct {
			ID     string `json:"id"`
			Path   string `json:"path"`
			Status string `json:"status"`
			URL    string `json:"url"`
			Token  bool   `json:"token"`
		}{c.Name, c.Name + ":/", "created", kept.URL, kept.Token != ""})
	}
	_, err = fmt.Fprintf(a.Stdout, "%s:/ leads to %s.\n", c.Name, clean(kept.URL))
	return err
}

// readToken reads one word from standard input.
func (a *app) readToken() (string, error) {
	var text []byte
	var err error
	if a.Stdin != nil {
		text, err = io.ReadAll(io.LimitReader(a.Stdin, 4097))
	}
	token := strings.TrimSpace(string(text))
	if err != nil || token == "" || len(text) > 4096 || strings.ContainsAny(token, " \t\r\n") {
		return "", fail(usage, "Standard input holds no token.", "Give one word, as in: figs-web remote add NAME URL --token-stdin < token")
	}
	return token, nil
}

// keepRemote writes the settings of a name that is not taken.
func (a *app) keepRemote(name string, r remoteFile) error {
	dir, err := a.remotesDir()
	if err != nil {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return failureOf(err, dir)
	}
	file := filepath.Join(dir, name+remoteSuffix)
	err = wholefile.WritePath(file, wholefile.Options{Mode: 0o600}, wholefile.Bytes(append(text, '\n')))
	if errors.Is(err, fs.ErrExist) {
		f := fail(taken, "A reader is called "+quote(name)+" already.", "figs-web remote remove "+name+" forgets it; then add it again.")
		f.context = map[string]any{"name": name}
		return f
	}
	if err != nil {
		return failureOf(err, file)
	}
	return nil
}

type remoteListCommand struct{}

// Run lists the names.
func (remoteListCommand) Run(a *app) error {
	names, err := a.remoteNames()
	if err != nil {
		return err
	}
	rows := [][]string{{"NAME", "ADDRESS", "TOKEN"}}
	for _, name := range names {
		r, err := a.remoteNamed(name)
		if err != nil {
			return err
		}
		if a.agent {
			if err := writeJSON(a.Stdout, remoteJSON{name, "remote", name + ":/", r.URL, r.Token != ""}); err != nil {
				return err
			}
			continue
		}
		token := "from " + tokenVariable
		if r.Token != "" {
			token = "kept"
		}
		rows = append(rows, []string{name, clean(r.URL), token})
	}
	switch {
	case a.agent:
		return nil
	case len(names) == 0:
		_, err = fmt.Fprintln(a.Stdout, "No reader has a name yet. figs-web remote add NAME URL gives one.")
	default:
		_, err = io.WriteString(a.Stdout, table(rows))
	}
	return err
}

type remoteRemoveCommand struct {
	Name string `arg:"" name:"NAME" help:"The name."`
}

// Run forgets a name.
func (c remoteRemoveCommand) Run(a *app) error {
	dir, err := a.remotesDir()
	if err != nil {
		return err
	}
	err = fs.ErrNotExist
	if remoteName.MatchString(c.Name) {
		err = os.Remove(filepath.Join(dir, c.Name+remoteSuffix))
	}
	if errors.Is(err, fs.ErrNotExist) {
		names, _ := a.remoteNames()
		f := missing([]string{"remotes", c.Name}, names)
		f.message, f.context = "No reader is called "+quote(c.Name)+".", map[string]any{"name": c.Name}
		f.hint = strings.Replace(f.hint, "figs-web ls shows what is there.", "figs-web remote list shows the names.", 1)
		return f
	}
	if err != nil {
		return failureOf(err, c.Name)
	}
	return a.deleted(c.Name + ":/")
}

// deleted says that what stood at a path is gone.
func (a *app) deleted(path string) error {
	if a.agent {
		return writeJSON(a.Stdout, struct {
			Path   string `json:"path"`
			Status string `json:"status"`
		}{path, "deleted"})
	}
	_, err := fmt.Fprintf(a.Stdout, "Deleted %s.\n", clean(path))
	return err
}
