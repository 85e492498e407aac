package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// takeFile takes what the file says.
func (l *Loaded) takeFile(world System) {
	if l.Path == "" {
		return
	}
	text, err := world.read(l.Path)
	switch {
	case err != nil:
		l.problem(unreadable("The configuration", l.Path, err))
		return
	case len(text) > most:
		l.problem(&Problem{File: l.Path, Sentence: "The configuration " + shown(l.Path) + " is larger than 1 MiB.", Hint: "A configuration has one line per setting. Check that this is the right file."})
		return
	}
	entries, wrong := parse(l.Path, text)
	l.Problems = append(l.Problems, wrong...)
	lines := map[string]int{}
	for _, e := range entries {
		l.takeEntry(world, e, lines)
	}
	l.warnReadable(world)
}

// takeEntry takes one line; lines says where each setting was met first.
func (l *Loaded) takeEntry(world System, e entry, lines map[string]int) {
	at := Problem{File: l.Path, Line: e.line, Column: e.column, Name: called(e.name)}
	s, inFile := l.named(e.name)
	if s == nil {
		at.Sentence, at.Hint = "There is no setting "+shown(called(e.name))+".", l.hintFor(e.name)
		l.problem(&at)
		return
	}
	if first := lines[s.Name]; first != 0 && !s.List {
		at.Sentence, at.Hint = fmt.Sprintf("%s is already set in line %d.", s.Name, first), "Keep one of the two lines."
		l.problem(&at)
		return
	}
	repeated := lines[s.Name] != 0
	if !repeated {
		lines[s.Name] = e.line
	}
	at.Column = e.at
	value, p := s.read(world, e.value, e.quoted, inFile)
	if p != nil {
		at.Sentence, at.Hint, at.Cause = p.Sentence, p.Hint, p.Cause
		l.problem(&at)
		return
	}
	if repeated {
		value = s.Value + "," + value
	}
	s.Value, s.Source = value, Source{File, l.Path, lines[s.Name]}
}

// hintFor teaches what to write in place of a name that is none.
func (l *Loaded) hintFor(name string) string {
	if slices.Contains(aside, name) {
		return "It is only a command-line flag."
	}
	if meant := l.meant(name); meant != "" {
		return "Did you mean " + meant + "? Settings have the names of the flags, without leading dashes."
	}
	return "Settings have the names of the figs-web serve flags; figs-web config show --example prints them all."
}

// takeEnvironment takes what variables say.
func (l *Loaded) takeEnvironment(world System) {
	for i := range l.Settings {
		s := &l.Settings[i]
		for _, inFile := range []bool{false, true} {
			variable := s.Variable
			if inFile {
				variable += "_FILE"
				if !s.Secret || l.Setting(s.Name+"-file") != nil {
					continue
				}
			}
			text := world.getenv(variable)
			if text == "" {
				continue
			}
			at := &Problem{Name: variable}
			if s.Source.Kind == Environment {
				at.Sentence, at.Hint = s.Variable+" and "+variable+" are both set.", "Keep one of the two."
				l.problem(at)
				continue
			}
			value, p := s.read(world, text, false, inFile)
			if p != nil {
				at.Sentence, at.Hint, at.Cause = variable+": "+p.Sentence, p.Hint, p.Cause
				l.problem(at)
				continue
			}
			s.Value, s.Source = value, Source{Kind: Environment, Name: variable}
		}
	}
}

// named finds the setting of a line; inFile says that the line names the file which holds it.
func (l *Loaded) named(name string) (s *Setting, inFile bool) {
	if s := l.Setting(name); s != nil {
		return s, false
	}
	secret, is := strings.CutSuffix(name, "-file")
	if s := l.Setting(secret); is && s != nil && s.Secret {
		return s, true
	}
	return nil, false
}

// read makes a flag's value of a text, and checks that the flag takes it.
func (s *Setting) read(world System, text string, quoted, inFile bool) (string, *Problem) {
	if inFile {
		held, err := world.read(text)
		if err != nil {
			return "", unreadable("The file of "+s.Name, text, err)
		}
		name := text
		text, quoted = strings.TrimRight(string(held), "\r\n"), true
		if text == "" || len(text) > most {
			return "", &Problem{Sentence: "The file " + shown(name) + " doesn't contain a secret.", Hint: "It must contain the secret and nothing else."}
		}
	}
	if s.List {
		text = s.list(text, quoted)
	}
	return text, s.check(text)
}

// list writes the values of a list as flags take them.
func (s *Setting) list(text string, quoted bool) string {
	sep := s.flag.Tag.Sep
	if sep == -1 {
		return text
	}
	words := []string{text}
	if !quoted {
		words = strings.Split(text, ",")
		for i := range words {
			words[i] = strings.TrimSpace(words[i])
		}
		words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	}
	return kong.JoinEscaped(words, sep)
}

// check reports what is wrong with a value. It never repeats a secret.
func (s *Setting) check(text string) *Problem {
	f := s.flag
	said := shown(text)
	if s.Secret {
		said = "The value of " + s.Name
	}
	target := reflect.New(f.Target.Type()).Elem()
	err := f.Mapper.Decode(&kong.DecodeContext{Value: f.Value, Scan: kong.Scan().PushTyped(text, kong.FlagValueToken)}, target)
	switch {
	case err != nil && f.IsBool():
		return &Problem{Sentence: said + " is neither true nor false.", Hint: "Write " + s.Name + " = true, or remove it."}
	case err != nil:
		return &Problem{Sentence: said + " isn't a valid value for " + s.Name + ".", Hint: "It takes " + s.Holder + ". " + s.Help}
	case f.Enum != "" && !s.List && !slices.Contains(f.EnumSlice(), text):
		return &Problem{Sentence: said + " isn't a valid value for " + s.Name + ".", Hint: "Choose one of " + strings.Join(f.EnumSlice(), ", ") + "."}
	}
	return nil
}

func unreadable(what, name string, err error) *Problem {
	p := &Problem{File: name, Cause: err, Sentence: what + " can't be read: " + shown(name) + ".", Hint: "Check that it is a file, not a folder."}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.Sentence, p.Hint = what+" doesn't exist: "+shown(name)+".", "Check the spelling and the current folder."
	case errors.Is(err, fs.ErrPermission):
		p.Sentence, p.Hint = what+" can't be read, permission denied: "+shown(name)+".", "Give the server's user permission to read it."
	}
	return p
}

// warnUnknown names variables that look like settings and are none.
func (l *Loaded) warnUnknown(world System) {
	if world.Environ == nil {
		return
	}
	all := world.Environ()
	slices.Sort(all)
	for _, one := range all {
		name, _, _ := strings.Cut(one, "=")
		setting := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, prefix), "_", "-"))
		if s, _ := l.named(setting); s != nil && Variable(setting) == name || slices.Contains(others, name) || !strings.HasPrefix(strings.ToUpper(name), prefix) {
			continue
		}
		said := "The variable " + shown(name) + " isn't a setting."
		if meant := l.meant(setting); meant != "" {
			said += " Did you mean " + Variable(meant) + "?"
		}
		l.Warnings = append(l.Warnings, said)
	}
}

// warnReadable says when everybody on the machine can read the secrets of the file.
func (l *Loaded) warnReadable(world System) {
	stat := world.Stat
	if stat == nil {
		stat = os.Stat
	}
	holds := slices.ContainsFunc(l.Settings, func(s Setting) bool { return s.Secret && s.Source.Kind == File })
	info, err := stat(l.Path)
	if holds && err == nil && info.Mode().Perm()&0o044 != 0 {
		l.Warnings = append(l.Warnings, "Other users of this machine can read the secrets in "+shown(l.Path)+". Restrict it with chmod 600.")
	}
}
