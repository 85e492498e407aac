package tree

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/remote"
	"github.com/figs-web/figs-web/internal/wholefile"
)

type RemoteCommand struct {
	Add    remoteAddCommand    `cmd:"" help:"Give a server a name."`
	List   remoteListCommand   `cmd:"" help:"List names and their URLs, without tokens."`
	Remove remoteRemoveCommand `cmd:"" help:"Remove a name and its stored token."`
}

func init() {
	cmd.MachinePages["remote"] = cmd.MachinePage{
		Usage: "figs-web --agent remote <add NAME URL [--token-stdin] | list | remove NAME>",
		Patterns: []string{
			"figs-web --agent remote add acme https://figs.example.com --token-stdin",
			"figs-web --agent remote list",
			"figs-web --agent remote remove acme",
		},
		Codes: []cmd.Kind{cmd.General, cmd.Usage, cmd.NotFound, cmd.Denied, cmd.BadFormat, cmd.AlreadyExists, cmd.Interrupted},
	}
}

// Help is what `remote --help` adds.
func (RemoteCommand) Help() string {
	return `Gives a server a short name that paths can start with, as in acme:/agents. Its URL and token are stored in a file that only you can read. The token is read from standard input, because other users of the machine can see arguments.

Examples:

  figs-web remote add acme https://figs.example.com --token-stdin < token
  figs-web ls acme:/agents
  figs-web remote remove acme
`
}

type remoteAddCommand struct {
	Name       string `arg:"" name:"NAME" help:"2 to 32 lower-case letters, digits and dashes."`
	URL        string `arg:"" name:"URL" help:"The server's URL, as in https://figs.example.com, or https://figs.example.com/w/acme for one workspace."`
	TokenStdin bool   `help:"Read a token from standard input and store it with the name."`
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
func (c remoteAddCommand) Run(a *cmd.App) error {
	if !remoteName.MatchString(c.Name) {
		return cmd.Fail(cmd.Usage, cmd.Quote(c.Name)+" can't be the name of a server.", "Use 2 to 32 lower-case letters, digits and dashes, as in acme.")
	}
	origin, path, err := remote.Origin(c.URL)
	if err != nil {
		f := cmd.FailureOf(err, c.URL)
		f.Kind = cmd.Usage
		return f
	}
	if !remote.IsPrivate(origin) {
		return cmd.Fail(cmd.Usage, "Data sent to "+cmd.Quote(origin.Host)+" could be read on the way.", "Use https:// instead of http://.")
	}
	if err := (&Place{}).Read(path, c.URL); err != nil {
		return err
	}
	kept := remoteFile{URL: origin.String() + strings.TrimRight(path, "/")}
	if c.TokenStdin {
		if kept.Token, err = readToken(a); err != nil {
			return err
		}
	}
	if err := keepRemote(a, c.Name, kept); err != nil {
		return err
	}
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, struct {
			ID     string `json:"id"`
			Path   string `json:"path"`
			Status string `json:"status"`
			URL    string `json:"url"`
			Token  bool   `json:"token"`
		}{c.Name, c.Name + ":/", "created", kept.URL, kept.Token != ""})
	}
	_, err = fmt.Fprintf(a.Stdout, "Added %s:/ for %s.\n", c.Name, cmd.Clean(kept.URL))
	return err
}

// readToken reads one word from standard input.
func readToken(a *cmd.App) (string, error) {
	var text []byte
	var err error
	if a.Stdin != nil {
		text, err = io.ReadAll(io.LimitReader(a.Stdin, 4097))
	}
	token := strings.TrimSpace(string(text))
	if err != nil || token == "" || len(text) > 4096 || strings.ContainsAny(token, " \t\r\n") {
		return "", cmd.Fail(cmd.Usage, "Standard input contains no token.", "Pass one word, as in: figs-web remote add NAME URL --token-stdin < token")
	}
	return token, nil
}

// keepRemote writes the settings of a name that is not taken.
func keepRemote(a *cmd.App, name string, r remoteFile) error {
	dir, err := remotesDir(a)
	if err != nil {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return cmd.FailureOf(err, dir)
	}
	file := filepath.Join(dir, name+RemoteSuffix)
	err = wholefile.WritePath(file, wholefile.Options{Mode: 0o600}, wholefile.Bytes(append(text, '\n')))
	if errors.Is(err, fs.ErrExist) {
		f := cmd.Fail(cmd.AlreadyExists, "There is a remote named "+cmd.Quote(name)+" already.", "figs-web remote remove "+name+" removes it; then add it again.")
		f.Context = map[string]any{"name": name}
		return f
	}
	if err != nil {
		return cmd.FailureOf(err, file)
	}
	return nil
}

type remoteListCommand struct{}

// Run lists the names.
func (remoteListCommand) Run(a *cmd.App) error {
	names, err := remoteNames(a)
	if err != nil {
		return err
	}
	rows := [][]string{{"NAME", "URL", "TOKEN"}}
	for _, name := range names {
		r, err := remoteNamed(a, name)
		if err != nil {
			return err
		}
		if a.PrintsJSON() {
			if err := cmd.WriteJSON(a.Stdout, remoteJSON{name, "remote", name + ":/", r.URL, r.Token != ""}); err != nil {
				return err
			}
			continue
		}
		token := "from " + TokenVariable
		if r.Token != "" {
			token = "stored"
		}
		rows = append(rows, []string{name, cmd.Clean(r.URL), token})
	}
	switch {
	case a.PrintsJSON():
		return nil
	case len(names) == 0:
		_, err = fmt.Fprintln(a.Stdout, "No servers have names yet. figs-web remote add NAME URL adds one.")
	default:
		_, err = io.WriteString(a.Stdout, a.List(rows[0], rows[1:]))
	}
	return err
}

type remoteRemoveCommand struct {
	Name string `arg:"" name:"NAME" predictor:"remotename" help:"The name."`
}

// Run forgets a name.
func (c remoteRemoveCommand) Run(a *cmd.App) error {
	dir, err := remotesDir(a)
	if err != nil {
		return err
	}
	err = fs.ErrNotExist
	if remoteName.MatchString(c.Name) {
		err = os.Remove(filepath.Join(dir, c.Name+RemoteSuffix))
	}
	if errors.Is(err, fs.ErrNotExist) {
		names, _ := remoteNames(a)
		f := missing([]string{"remotes", c.Name}, names)
		f.Message, f.Context = "There is no remote named "+cmd.Quote(c.Name)+".", map[string]any{"name": c.Name}
		f.Hint = strings.Replace(f.Hint, "figs-web ls shows what exists.", "figs-web remote list shows the names.", 1)
		return f
	}
	if err != nil {
		return cmd.FailureOf(err, c.Name)
	}
	return deleted(a, c.Name+":/")
}

// deleted says that what stood at a path is gone.
func deleted(a *cmd.App, path string) error {
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, struct {
			Path   string `json:"path"`
			Status string `json:"status"`
		}{path, "deleted"})
	}
	_, err := fmt.Fprintf(a.Stdout, "Deleted %s.\n", cmd.Clean(path))
	return err
}
