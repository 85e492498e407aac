package cmd

import (
	"fmt"
	"runtime"
)

// pasLevel is the level of the POSIX Agent Standard that TestPAS derives.
const pasLevel = 4

type VersionCommand struct{}

// Run prints the version.
func (VersionCommand) Run(a *App) error { return a.printVersion() }

// versionLine is what --version prints.
func (a *App) versionLine() string {
	return fmt.Sprintf("figs-web %s (PAS Level %d Compliant)", a.Version, pasLevel)
}

// PrintVersionLine prints what --version prints.
func (a *App) PrintVersionLine() error {
	if a.PrintsJSON() {
		return a.printVersion()
	}
	_, err := fmt.Fprintln(a.Stdout, a.versionLine())
	return err
}

func (a *App) printVersion() error {
	if a.PrintsJSON() {
		return WriteJSON(a.Stdout, struct {
			Name     string `json:"name"`
			Version  string `json:"version"`
			PAS      int    `json:"pas_level"`
			Spec     string `json:"spec"`
			Go       string `json:"go"`
			Platform string `json:"platform"`
		}{"figs-web", a.Version, pasLevel, "figs-spec v2", runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH})
	}
	_, err := fmt.Fprintf(a.Stdout, "%s\nfigs-spec v2, built with %s for %s/%s\n", a.versionLine(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
