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

	"github.com/mattn/go-isatty"

	"github.com/figs-web/figs-web/internal/cli"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	release "github.com/figs-web/figs-web/internal/version"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second ^C ends the program at once
	width, _ := strconv.Atoi(os.Getenv("COLUMNS"))
	return cli.Main(ctx, cmd.Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Terminals: terminals, Width: width, Now: now, Version: version(), OpenData: openData, OpenStore: openStore, OpenBlobs: openBlobs,
		Getenv: os.Getenv, Environ: os.Environ, ConfigDir: os.UserConfigDir,
	})
}

// terminals tells whether colour and progress are welcome (no-color.org).
func terminals() (colour, progress bool) {
	dumb := os.Getenv("TERM") == "dumb"
	colour = isatty.IsTerminal(os.Stdout.Fd()) && os.Getenv("NO_COLOR") == "" && !dumb
	progress = isatty.IsTerminal(os.Stderr.Fd()) && !dumb
	return colour, progress
}

// version is the module's version where `go install` knows it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return release.Version
}
