package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

// fake is a machine on which apt-get and npm bring exactly what they are asked for.
type fake struct {
	has      map[string]bool
	offline  bool
	commands []string
}

func (f *fake) part(name, debian string) testenv.Part {
	part := testenv.Part{Name: name, Tests: name + " tests", Get: "install " + name}
	if debian != "" {
		part.Debian = []string{debian}
	}
	part.Find = func() (string, error) {
		if !f.has[name] {
			return "", errors.New("not there")
		}
		return name, nil
	}
	return part
}

func (f *fake) machine(out *strings.Builder, apt bool) machine {
	npm := f.part(testenv.NPM, "npm")
	npm.Tests = ""
	return machine{
		out:   out,
		apt:   apt,
		parts: []testenv.Part{f.part("Chromium", "chromium"), f.part("Node", "nodejs"), npm, f.part(testenv.Modules, "")},
		npm: func() error {
			f.commands = append(f.commands, "npm ci")
			if f.offline {
				return errors.New("npm ci: no network")
			}
			f.has[testenv.Modules] = true
			return nil
		},
		run: func(_, name string, args ...string) error {
			f.commands = append(f.commands, name+" "+strings.Join(args, " "))
			if f.offline {
				return errors.New(name + ": no network")
			}
			if args[0] == "install" {
				for pkg, part := range map[string]string{"chromium": "Chromium", "nodejs": "Node", "npm": testenv.NPM} {
					for _, arg := range args {
						f.has[part] = f.has[part] || arg == pkg
					}
				}
			}
			return nil
		},
	}
}

func TestPrepare(t *testing.T) {
	const install = "apt-get update -q|apt-get install -q -y --no-install-recommends "
	tests := []struct {
		name     string
		has      string
		apt      bool
		offline  bool
		commands string
		complete bool
		lastLine string
	}{
		{name: "all_there_nothing_runs", has: "Chromium;Node;npm;" + testenv.Modules, apt: true, complete: true},
		{name: "only_go_on_debian_as_root", apt: true, commands: install + "chromium nodejs npm|npm ci", complete: true},
		{name: "only_what_is_missing", has: "Node;npm", apt: true, commands: install + "chromium|npm ci", complete: true},
		{name: "npm_needs_no_root", has: "Chromium;Node;npm", commands: "npm ci", complete: true},
		{name: "elsewhere_one_line", has: "Node",
			lastLine: "setup: Chromium tests not tested: install Chromium; puppeteer-core, axe-core, oidc-provider and typescript tests not tested: install puppeteer-core, axe-core, oidc-provider and typescript. Then run make test again."},
		{name: "offline_says_what_is_left_out", has: "Node;npm;" + testenv.Modules, apt: true, offline: true, commands: install + "chromium",
			lastLine: "setup: Chromium tests not tested: install Chromium. Then run make test again."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := &fake{has: map[string]bool{}, offline: test.offline}
			for _, name := range strings.Split(test.has, ";") {
				f.has[name] = true
			}
			var out strings.Builder
			complete := f.machine(&out, test.apt).prepare()
			if complete != test.complete {
				t.Errorf("prepare() = %v, want %v; it printed\n%s", complete, test.complete, out.String())
			}
			if got := strings.Join(f.commands, "|"); got != test.commands {
				t.Errorf("ran %q, want %q", got, test.commands)
			}
			lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			if got := lines[len(lines)-1]; test.lastLine != "" && got != test.lastLine {
				t.Errorf("last line %q, want %q", got, test.lastLine)
			}
			if !test.complete && !test.offline && len(lines) != 1 {
				t.Errorf("printed %d lines, want one:\n%s", len(lines), out.String())
			}
		})
	}
}
