// Command figs-web reads the .figs folders of agents: it checks them, folds them, and serves
// or writes the inspector that shows them.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"syscall"

	"golang.org/x/term"

	"github.com/figs-web/figs-web/internal/cli"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	release "github.com/figs-web/figs-web/internal/version"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second ^C ends the program at once
	return cli.Main(ctx, cmd.Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Terminals: terminals, Width: width(), Now: now, Version: version(), OpenData: openData, OpenStore: openStore, OpenBlobs: openBlobs,
		Getenv: os.Getenv, Environ: os.Environ, ConfigDir: os.UserConfigDir,
	})
}

// terminals tells whether colour and progress are welcome (no-color.org).
func terminals() (colour, progress bool) {
	dumb := os.Getenv("TERM") == "dumb"
	colour = term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("NO_COLOR") == "" && !dumb && hasEscapes(os.Stdout)
	progress = term.IsTerminal(int(os.Stderr.Fd())) && !dumb && hasEscapes(os.Stderr)
	return colour, progress
}

// width is how many columns stdout has: as COLUMNS says, else as the terminal does; 0 where there is no terminal.
func width() int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	n, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 0
	}
	return n
}

// version is the module's version where `go install` knows it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return release.Version
}
