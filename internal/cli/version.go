package cli

import (
	"fmt"
	"runtime"
)

// pasLevel is the level of the POSIX Agent Standard that TestPAS derives.
const pasLevel = 4

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(a *app) error { return a.printVersion() }

// versionLine is what --version prints.
func (a *app) versionLine() string {
	return fmt.Sprintf("figs-web %s (PAS Level %d Compliant)", a.Version, pasLevel)
}

func (a *app) printVersionLine() error {
	if a.agent {
		return a.printVersion()
	}
	_, err := fmt.Fprintln(a.Stdout, a.versionLine())
	return err
}

func (a *app) printVersion() error {
	if a.agent {
		return writeJSON(a.Stdout, struct {
			Name     string `json:"name"`
			Version  string `json:"version"`
			PAS      int    `json:"pas_level"`
			Spec     string `json:"spec"`
			Go       string `json:"go"`
			Platform string `json:"platform"`
		}{"figs-web", a.Version, pasLevel, "figs-spec v2", runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH})
	}
	_, err := fmt.Fprintf(a.Stdout, "%s\nreads figs-spec v2; built with %s for %s/%s\n", a.versionLine(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
