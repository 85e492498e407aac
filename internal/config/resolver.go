package config

import "github.com/alecthomas/kong"

// Resolver gives the flags of one command what the world says of them, where the command line
// says nothing.
type Resolver struct {
	Command string // "serve"
	World   World

	loaded *Loaded
}

var _ kong.Resolver = (*Resolver)(nil)

// Validate implements kong.Resolver.
func (*Resolver) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver. The first problem of the configuration is its error.
func (r *Resolver) Resolve(ctx *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
	if parent.Command == nil || parent.Command.Name != r.Command {
		return nil, nil
	}
	if r.loaded == nil {
		file := ""
		for _, f := range parent.Command.Flags {
			if f.Name == "config" {
				file, _ = ctx.FlagValue(f).(string)
			}
		}
		r.loaded = Load(parent.Command.Flags, file, r.World)
	}
	if len(r.loaded.Problems) > 0 {
		return nil, r.loaded.Problems[0]
	}
	if s := r.loaded.Setting(flag.Name); s != nil && s.Source.Kind != Default {
		return s.Value, nil
	}
	return nil, nil
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
