package config

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Resolver gives the flags of one command what the world says of them, where the command line
// says nothing.
type Resolver struct {
	Command string // "serve"
	World   System
	// Borrowers are other commands, which have the flags Lent as well. They take them from the world all
	// together or, where the command line gives one of them, none: a folder that is named there must
	// not be joined with a database that is named elsewhere.
	Borrowers, Lent []string

	loaded *Loaded
}

var _ kong.Resolver = (*Resolver)(nil)

// Validate implements kong.Resolver.
func (*Resolver) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver. The first problem of the configuration is its error.
func (r *Resolver) Resolve(ctx *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
	switch {
	case parent.Command == nil || parent.Command.Parent != ctx.Model.Node:
		return nil, nil
	case parent.Command.Name == r.Command:
		if r.loaded == nil {
			r.loaded = Load(parent.Command.Flags, configOf(ctx, parent.Command.Flags), r.World)
		}
		if len(r.loaded.Problems) > 0 {
			return nil, r.loaded.Problems[0]
		}
		return r.loaded.value(flag.Name), nil
	case slices.Contains(r.Borrowers, parent.Command.Name) && slices.Contains(r.Lent, flag.Name):
		return r.lend(ctx, parent.Command.Flags, flag.Name)
	}
	return nil, nil
}

// configOf is the file that --config names.
func configOf(ctx *kong.Context, flags []*kong.Flag) (file string) {
	for _, f := range flags {
		if f.Name == "config" {
			file, _ = ctx.FlagValue(f).(string)
		}
	}
	return file
}

// value is what the world says of a flag; nil is nothing.
func (l *Loaded) value(name string) any {
	if s := l.Setting(name); s != nil && s.Source.Kind != Default {
		return s.Value
	}
	return nil
}

// lend is what the world says of a flag of the command, for another that has it too. What is wrong with
// other settings is no business of that one.
func (r *Resolver) lend(ctx *kong.Context, flags []*kong.Flag, name string) (any, error) {
	for _, p := range ctx.Path {
		if p.Flag != nil && !p.Resolved && slices.Contains(r.Lent, p.Flag.Name) {
			return nil, nil
		}
	}
	if r.loaded == nil {
		for _, node := range ctx.Model.Children {
			if node.Name == r.Command {
				r.loaded = Load(node.Flags, configOf(ctx, flags), r.World)
			}
		}
	}
	for _, p := range r.loaded.Problems {
		if setting := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(p.Name, prefix), "_", "-")); p.Cause != nil && p.Line == 0 && p.File == r.loaded.Path || slices.Contains(r.Lent, strings.TrimSuffix(setting, "-file")) {
			return nil, p
		}
	}
	return r.loaded.value(name), nil
}

// Effective is what holds once the command line was read: the settings of the command that ctx
// runs, with the values that they have and where those come from.
func (r *Resolver) Effective(ctx *kong.Context) []Setting {
	if r.loaded == nil {
		return nil
	}
	all := make([]Setting, len(r.loaded.Settings))
	for i, s := range r.loaded.Settings {
		for _, p := range ctx.Path {
			if p.Flag == s.flag && !p.Resolved {
				s.Value, s.Source = text(ctx.FlagValue(s.flag)), Source{Kind: Flag}
			}
		}
		all[i] = s
	}
	return all
}
