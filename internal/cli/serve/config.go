package serve

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/config"
	"github.com/figs-web/figs-web/internal/safedial"
)

// ConfigCommand tells what `figs-web serve` would be told, and runs nothing.
type ConfigCommand struct {
	Check configCheckCommand `cmd:"" help:"Print every setting with its value and source, and problems."`
	Show  configShowCommand  `cmd:"" help:"Print the settings as a file for --config."`
}

// Help is what `config --help` adds.
func (ConfigCommand) Help() string {
	return `Settings come from flags, the environment (FIGS_WEB_PUBLIC_URL for --public-url), a configuration file, or their defaults, in this order. Secrets are never printed.

Examples:

  figs-web config check
  figs-web config check --config /etc/figs-web/figs-web.conf --json
  figs-web config check --public-url https://figs.example.com
  figs-web config show --example > figs-web.conf
`
}

type configCheckCommand struct {
	Config string   `placeholder:"FILE" predictor:"file" help:"The configuration file. Default: the file that FIGS_WEB_CONFIG names."`
	Flags  []string `arg:"" optional:"" passthrough:"" name:"FLAG" help:"Flags of figs-web serve to check, as in --data DIR."`
}

type configShowCommand struct {
	Config  string `placeholder:"FILE" predictor:"file" help:"The configuration file. Default: the file that FIGS_WEB_CONFIG names."`
	Example bool   `help:"Print a file that explains every setting in a comment."`
}

// world is where settings come from.
func world(a *cmd.App) config.System {
	return config.System{Getenv: a.Getenv, Environ: a.Environ}
}

// Resolver gives flags what the environment and the file of settings say. Commands that open a hosted
// reader learn there which.
func Resolver(a *cmd.App) *config.Resolver {
	return &config.Resolver{Command: "serve", World: world(a), Borrowers: []string{"admin", "backup", "export", "reindex"},
		Lent: []string{"data", "database", "database-tables-only", "database-connections", "blobs"}}
}

// serving is the part of the command line that settings are read for.
type serving struct {
	Serve ServeCommand `cmd:""`
}

// ServeFlags are the flags of `figs-web serve`.
func ServeFlags() ([]*kong.Flag, error) {
	parser, err := kong.New(&serving{})
	if err != nil {
		return nil, err
	}
	for _, node := range parser.Model.Children {
		if node.Name == "serve" {
			return node.Flags, nil
		}
	}
	return nil, errors.New("there is no command serve")
}

// LoadConfig finds what the environment and a file say. A file that cannot be read is a failure.
func LoadConfig(a *cmd.App, file string) (*config.Loaded, error) {
	flags, err := ServeFlags()
	if err != nil {
		return nil, err
	}
	l := config.Load(flags, file, world(a))
	for _, p := range l.Problems {
		if p.Cause != nil && p.File == l.Path && p.Line == 0 {
			return nil, ProblemFailure(p)
		}
	}
	return l, nil
}

// ProblemFailure tells of a setting that must be mended before anything can run.
func ProblemFailure(p *config.Problem) *cmd.Failure {
	k := cmd.BadFormat
	switch {
	case errors.Is(p.Cause, fs.ErrNotExist):
		k = cmd.NotFound
	case errors.Is(p.Cause, fs.ErrPermission):
		k = cmd.Denied
	case p.File == "":
		k = cmd.Usage
	}
	f := cmd.Fail(k, cmd.Clean(p.Error()), p.Hint)
	if p.Line > 0 {
		f.Context = map[string]any{"file": p.File, "line": p.Line, "column": p.Column}
	}
	return f
}

// checkedSetting is a setting as programs read it.
type checkedSetting struct {
	Name   string `json:"name"`
	Value  string `json:"value,omitempty"`
	Source string `json:"source"`
	From   string `json:"from,omitempty"`
	Line   int    `json:"line,omitempty"`
	Secret bool   `json:"secret,omitempty"`
}

// checkedProblem is a problem as programs read it.
type checkedProblem struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Name    string `json:"name,omitempty"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// Verdict is what config check found.
type Verdict struct {
	File     string           `json:"file,omitempty"`
	Settings []checkedSetting `json:"settings"`
	Problems []checkedProblem `json:"problems"`
	Warnings []string         `json:"warnings"`
}

// Run prints the settings; problems make it fail.
func (c configCheckCommand) Run(a *cmd.App) error {
	if len(c.Flags) > 0 && c.Flags[0] == "--" {
		c.Flags = c.Flags[1:]
	} else if i := slices.Index(c.Flags, "--json"); i >= 0 { // an own flag behind those of serve
		a.JSON, c.Flags = true, slices.Delete(c.Flags, i, i+1)
	}
	l, err := LoadConfig(a, cmp.Or(c.Config, configIn(c.Flags)))
	if err != nil {
		return err
	}
	v := Verdict{File: l.Path, Settings: []checkedSetting{}, Problems: []checkedProblem{}, Warnings: l.Warnings}
	for _, p := range l.Problems {
		v.Problems = append(v.Problems, checkedProblem{p.File, p.Line, p.Column, config.MaskSecrets(p.Name), config.MaskSecrets(p.Sentence), config.MaskSecrets(p.Hint)})
	}
	set := l.Settings
	if len(l.Problems) == 0 {
		set = try(a, l, c.Flags, &v)
	}
	for i := range set {
		v.Settings = append(v.Settings, checked1(&set[i]))
	}
	if v.Warnings == nil {
		v.Warnings = []string{}
	}
	if a.PrintsJSON() {
		err = cmd.WriteJSON(a.Stdout, v)
	} else {
		err = printVerdict(a, &v)
	}
	if err == nil && len(v.Problems) > 0 {
		return cmd.Fail(cmd.Found, cmd.Plural(len(v.Problems), "problem")+" in the configuration.", "")
	}
	return err
}

func checked1(s *config.Setting) checkedSetting {
	return checkedSetting{s.Name, s.Shown(), string(s.Source.Kind), s.Source.Name, s.Source.Line, s.Secret}
}

// configIn is the file that flags of serve name; "" when they name none.
func configIn(flags []string) string {
	for i, f := range flags {
		name, file, joined := strings.Cut(f, "=")
		switch {
		case name == "--config" && joined:
			return file
		case f == "--config" && i+1 < len(flags):
			return flags[i+1]
		}
	}
	return ""
}

// try reads the settings as serve would with these flags, without opening anything that it keeps, and
// returns what holds.
func try(a *cmd.App, l *config.Loaded, flags []string, v *Verdict) []config.Setting {
	wrong := func(f *cmd.Failure) []config.Setting {
		v.Problems = append(v.Problems, checkedProblem{Message: config.MaskSecrets(f.Message), Hint: config.MaskSecrets(f.Hint)})
		return l.Settings
	}
	var g serving
	resolver := Resolver(a)
	parser, err := kong.New(&g, kong.Resolvers(resolver), kong.NoDefaultHelp())
	if err != nil {
		return wrong(cmd.FailureOf(err, ""))
	}
	args := append([]string{"serve"}, flags...)
	if l.Path != "" {
		args = append(args, "--config", l.Path)
	}
	ctx, err := parser.Parse(args)
	if err != nil {
		return wrong(a.UsageFailure(err, args))
	}
	set := resolver.Effective(ctx)
	s, err := g.Serve.settings(a)
	if err != nil {
		wrong(cmd.FailureOf(err, ""))
		return set
	}
	v.Warnings = append(v.Warnings, s.warnings(set)...)
	return set
}

// warnings are what an operator should know before the server starts, in sentences.
func (s *settings) warnings(set []config.Setting) []string {
	var all []string
	if s.where == (cmd.Where{}) {
		all = append(all, "data is not set: without a folder or a database, serve shows only the inspector.")
	}
	for i := range set {
		if x := &set[i]; x.Address && x.Source.Kind == config.Flag && x.Shown() != x.Value {
			all = append(all, "The password in --"+x.Name+" can be read by everyone on this machine. Put the URL in a file: "+x.Variable+"_FILE.")
		}
	}
	if s.where.Postgres() && s.public == nil {
		all = append(all, "public-url is not set: each server on the same database writes links to itself.")
	}
	if s.public == nil {
		return all
	}
	if s.public.Scheme == "http" && !safedial.IsLoopback(s.public.Hostname()) {
		all = append(all, "The public URL is http: anyone on the network in between can read passwords and pages.")
	}
	if s.public.Scheme == "https" && s.tls == nil && len(s.proxies) == 0 {
		all = append(all, "The public URL is https and trust-proxy is not set: all visitors appear to come from the proxy's IP address and share the sign-in limits.")
	}
	return all
}

func printVerdict(a *cmd.App, v *Verdict) error {
	var b strings.Builder
	var rows [][]string
	for _, s := range v.Settings {
		value, from := cmd.Clean(s.Value), s.Source
		if value == "" {
			value = "-"
		}
		if s.From != "" {
			from = cmd.Clean(s.From)
		}
		if s.Line > 0 {
			from += fmt.Sprintf(":%d", s.Line)
		}
		rows = append(rows, []string{s.Name, value, from})
	}
	b.WriteString(a.List([]string{"SETTING", "VALUE", "FROM"}, rows))
	for _, p := range v.Problems {
		at := ""
		if p.Line > 0 {
			at = fmt.Sprintf("%s:%d:%d: ", p.File, p.Line, p.Column)
		}
		fmt.Fprintf(&b, "\nproblem: %s\n  %s\n", cmd.Clean(at+p.Message), cmd.Clean(p.Hint))
	}
	for _, warning := range v.Warnings {
		fmt.Fprintf(&b, "\nwarning: %s\n", cmd.Clean(warning))
	}
	if len(v.Problems) == 0 {
		b.WriteString("\nThe configuration is valid.\n")
	}
	_, err := a.Stdout.Write([]byte(b.String()))
	return err
}

// Run prints the settings as a file.
func (c configShowCommand) Run(a *cmd.App) error {
	var b strings.Builder
	if c.Example {
		flags, err := ServeFlags()
		if err != nil {
			return err
		}
		if err := config.WriteExample(&b, config.Of(flags)); err != nil {
			return err
		}
	} else {
		l, err := LoadConfig(a, c.Config)
		if err != nil {
			return err
		}
		if len(l.Problems) > 0 {
			return ProblemFailure(l.Problems[0])
		}
		config.WriteSet(&b, l.Settings)
	}
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, struct {
			File string `json:"file"`
		}{b.String()})
	}
	_, err := a.Stdout.Write([]byte(b.String()))
	return err
}
