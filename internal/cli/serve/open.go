package serve

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/local"
)

type OpenCommand struct {
	Dir          string `arg:"" optional:"" default:"." name:"DIR|ZIP|FILE" help:"A .figs folder, a folder that has some below it, or artifact channels, finding registries, Agentfile workflows; a zip of these, or one file of a .figs folder. Default: here."`
	Addr         string `default:"127.0.0.1:0" placeholder:"HOST:PORT" help:"Where to listen, on this machine only; port 0 lets the system choose. Default: 127.0.0.1:0."`
	ViewerAddr   string `placeholder:"HOST:PORT" help:"Serve what is attached from an origin of its own, which listens here. Its addresses are signed and hold for a minute. Default: beside the pages."`
	ViewerOrigin string `placeholder:"URL" help:"The origin of --viewer-addr as the browser sees it, where something stands in between, as in https://viewer.example."`
}

// Help is what `open --help` adds.
func (OpenCommand) Help() string {
	return `Shows a folder in your browser: what was done, what is asked, and what is attached, made safe. Artifact channels, finding registries and Agentfile workflows in it are shown, too. The first line that is printed is the address; its key works once, in one browser. Only this machine can reach it.

You can reply to what is asked right there. A reply is one line at the end of that folder's messages.jsonl, where the agent's next figs inbox finds it; nothing else is ever written, and nothing is changed or removed. Nothing proves who typed it, so everybody reads it as transcribed. A zip or a single file takes no replies; a page offers the command that gives the same reply.

Open pages follow what the agent writes. Agents whose folders come later appear behind the others, within seconds, or minutes where looking through the folder takes long.

Examples:

  figs-web open
  figs-web open path/to/repository
  figs-web open export.zip --addr 127.0.0.1:9090
  figs-web open . --viewer-addr 127.0.0.1:0

^C stops it; requests that are under way are finished first.
`
}

// Run shows the folder until the program is told to stop, which is no failure.
func (c OpenCommand) Run(a *cmd.App) error {
	if c.ViewerOrigin != "" && c.ViewerAddr == "" {
		return cmd.Fail(cmd.Usage, "--viewer-origin needs --viewer-addr.", "Say where the viewer listens, as in --viewer-addr 127.0.0.1:9091.")
	}
	pages, err := listenHere(c.Addr, "figs-web open --addr")
	if err != nil {
		return err
	}
	defer pages.Close()
	var viewer net.Listener
	if c.ViewerAddr != "" {
		if viewer, err = listenHere(c.ViewerAddr, "figs-web open --viewer-addr"); err != nil {
			return err
		}
		defer viewer.Close()
	}
	s, err := input.OpenAny(a, c.Dir)
	if err != nil {
		return err
	}
	defer s.Close()
	folders, err := input.Local(a, s)
	if err != nil {
		return err
	}
	events := &eventLog{app: a}
	opening := handlers.Opening{Folder: folders, Replies: folders, Kinds: folders, Shares: shares{folders}, Workspace: local.Workspace, Listen: pages.Addr().String(), ViewerOrigin: c.ViewerOrigin,
		Now: a.Now, Stopping: a.Ctx, Log: events.request}
	if viewer != nil {
		opening.ViewerListen = viewer.Addr().String()
	}
	opened, err := handlers.Open(opening)
	if errors.Is(err, handlers.ErrOrigin) {
		return cmd.Fail(cmd.Usage, cmd.Quote(c.ViewerOrigin)+" is no origin.", "Write http:// or https:// and a host, and nothing after it, as in https://viewer.example.")
	}
	if err != nil {
		return err
	}
	if err := announceFolder(a, s, opened.Address); err != nil {
		return err
	}
	if err := serveBoth(a.Ctx, nil, pages, opened.Pages, viewer, opened.Viewer); err != nil {
		return err
	}
	return events.stopped()
}

// announceFolder prints the address, alone on the first line.
func announceFolder(a *cmd.App, s *input.Source, address string) error {
	if a.Agent {
		return cmd.WriteJSON(a.Stdout, struct {
			Address string `json:"address"`
			Folders int    `json:"folders"`
		}{address, len(s.Agents) + len(s.Places)})
	}
	for _, note := range s.Notes {
		fmt.Fprintln(a.Stderr, "note: "+cmd.Clean(note))
	}
	_, err := fmt.Fprintf(a.Stdout, "%s\nOpen this address in your browser to see %s. It works once; ^C stops it.\n", address, cmd.Plural(len(s.Agents)+len(s.Places), "folder"))
	return err
}

// serveBoth serves on two listeners, until the context ends or one of them fails; the second may be nil. errs is told of
// connections that failed before there was a request; nil is the standard log.
func serveBoth(ctx context.Context, errs *log.Logger, first net.Listener, h http.Handler, second net.Listener, h2 http.Handler) error {
	if second == nil {
		return handlers.ServeLogged(ctx, first, h, errs)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() {
		defer stop()
		ended <- handlers.ServeLogged(ctx, second, h2, errs)
	}()
	err := handlers.ServeLogged(ctx, first, h, errs)
	stop()
	return errors.Join(err, <-ended)
}
