// Package config finds the settings of a command beside its flags: in the environment and in a
// file. It works over whatever flags the command has, so that a new flag can be set in every way
// by being one.
//
// A flag on the command line counts first, then the variable FIGS_WEB_ and the flag's name in
// capitals with underscores, then the line "name = value" of the file that --config or
// FIGS_WEB_CONFIG names, then the default. An empty variable is none. Secrets (flags with the tag
// secret) may also be named by the file that holds them, as FIGS_WEB_…_FILE or "…-file = PATH"; of
// those with the tag secret:"address" everything is shown but the password.
package config

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/figs-web/figs-web/figs"
)

// prefix begins the name of every variable.
const prefix = "FIGS_WEB_"

// others are variables of that prefix which belong to no flag of a server.
var others = []string{prefix + "CONFIG", prefix + "TOKEN", prefix + "UPGRADE_FEED", prefix + "UPGRADE_KEY"}

// aside are flags that mean the one call, not the server.
var aside = []string{"help", "config", "agent", "version"}

// System gives access to the variables and files that settings come from. A nil function provides nothing.
type System struct {
	Getenv   func(name string) string
	Environ  func() []string                        // "NAME=value"; it finds misspelled names
	ReadFile func(name string) ([]byte, error)      // os.ReadFile, unless a test says otherwise
	Stat     func(name string) (os.FileInfo, error) // os.Stat
}

func (w System) getenv(name string) string {
	if w.Getenv == nil {
		return ""
	}
	return w.Getenv(name)
}

func (w System) read(name string) ([]byte, error) {
	if w.ReadFile == nil {
		return os.ReadFile(name)
	}
	return w.ReadFile(name)
}

// Kind is the sort of place that a value comes from.
type Kind string

// The kinds, from the one that counts first.
const (
	Flag        Kind = "flag"
	Environment Kind = "environment"
	File        Kind = "file"
	Default     Kind = "default"
)

// Source is where a value comes from.
type Source struct {
	Kind Kind
	Name string // of the variable or the file; "" for the others
	Line int    // of the file, from 1; 0 elsewhere
}

// String is the source in words: "FIGS_WEB_ADDR", "figs.conf:3", "default".
func (s Source) String() string {
	switch s.Kind {
	case Environment:
		return s.Name
	case File:
		return fmt.Sprintf("%s:%d", s.Name, s.Line)
	}
	return string(s.Kind)
}

// Setting is one flag with the value that it has.
type Setting struct {
	Name     string
	Variable string // of the environment
	Value    string // as it is; never show it, show Shown. A list is joined by commas
	Source   Source
	Secret   bool
	Address  bool // a secret of which only a part is one: an address with a password in it
	List     bool
	Holder   string // the placeholder of the help: "HOST:PORT"; "" for a switch
	Default  string // in words: "127.0.0.1:8080"; "" is none
	Help     string // without the default

	flag *kong.Flag
}

// Shown is the value as anybody may see it: secrets and passwords in addresses are masked.
func (s *Setting) Shown() string {
	switch {
	case s.Value == "":
		return ""
	case s.Address:
		return Redact(s.Value)
	case s.Secret:
		return Mask
	}
	words := strings.Split(s.Value, ",")
	for i, word := range words {
		if u, err := url.Parse(strings.TrimSpace(word)); err == nil && u.User != nil {
			words[i] = u.Redacted()
		} else if strings.Contains(word, "://") && strings.Contains(word, "@") {
			return Mask // an address with somebody's name in it that cannot be read
		}
	}
	said := strings.Join(words, ",")
	if MaskSecrets(said) != said {
		return Mask // an address in the wrong place
	}
	return said
}

// Problem is something in the configuration that must be mended before the command can run.
type Problem struct {
	File           string // "" when it is in the environment
	Line, Column   int    // from 1; 0 is unknown
	Name           string // of the setting or the variable; may be ""
	Sentence, Hint string
	Cause          error // of a file that cannot be read
}

func (p *Problem) Error() string {
	switch {
	case p.File == "" || p.Line == 0:
		return p.Sentence
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Sentence)
}

func (p *Problem) Unwrap() error { return p.Cause }

// Loaded is what the world says of a command's flags.
type Loaded struct {
	Path     string // of the file; "" is none
	Settings []Setting
	Problems []*Problem
	Warnings []string // sentences
}

// Setting finds one by its name; nil when there is no such flag.
func (l *Loaded) Setting(name string) *Setting {
	for i := range l.Settings {
		if l.Settings[i].Name == name {
			return &l.Settings[i]
		}
	}
	return nil
}

// Of lists the flags of a command as settings that nobody has set.
func Of(flags []*kong.Flag) []Setting {
	var all []Setting
	for _, f := range flags {
		if f.Hidden || slices.Contains(aside, f.Name) {
			continue
		}
		s := Setting{Name: f.Name, Variable: Variable(f.Name), Secret: f.Tag.Has("secret"), Address: f.Tag.Get("secret") == "address", List: f.IsSlice(), Source: Source{Kind: Default}, Value: f.Default, flag: f}
		s.Help, s.Default = divide(f.Help)
		if f.HasDefault && f.Default != "" {
			s.Default = f.Default
		}
		if !f.IsBool() {
			s.Holder = f.FormatPlaceHolder()
		} else if s.Default == "" {
			s.Default = "false"
		}
		all = append(all, s)
	}
	return all
}

// divide takes "Default: …" off the end of a help.
func divide(help string) (says, byDefault string) {
	says, byDefault, _ = strings.Cut(help, "Default: ")
	return strings.TrimSpace(says), strings.TrimSuffix(strings.TrimSpace(byDefault), ".")
}

// Variable is the name of a flag in the environment.
func Variable(flag string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// Load finds what the world says of flags. file is what --config said; "" asks FIGS_WEB_CONFIG.
func Load(flags []*kong.Flag, file string, world System) *Loaded {
	l := &Loaded{Path: file, Settings: Of(flags)}
	if l.Path == "" {
		l.Path = world.getenv(prefix + "CONFIG")
	}
	l.takeFile(world)
	l.takeEnvironment(world)
	l.warnUnknown(world)
	return l
}

func (l *Loaded) problem(p *Problem) { l.Problems = append(l.Problems, p) }

// meant finds the setting that a name is a misspelling of; "" when that is not certain.
func (l *Loaded) meant(name string) string {
	names := make([]string, len(l.Settings))
	for i := range l.Settings {
		names[i] = l.Settings[i].Name
	}
	name = strings.TrimPrefix(strings.ToLower(strings.ReplaceAll(name, "_", "-")), "figs-web-")
	return figs.Suggest(strings.TrimLeft(name, "-"), names)
}
