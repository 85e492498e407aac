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
	Dir          string `arg:"" optional:"" default:"." name:"DIR|ZIP|FILE" predictor:"file" help:"A .figs folder, a folder that contains some, or artifact channels, finding registries or Agentfile workflows; a zip of these, or one file of a .figs folder. Default: the current folder."`
	Addr         string `default:"127.0.0.1:0" placeholder:"HOST:PORT" help:"Where to listen, on this machine only. Port 0 lets the system choose. Default: 127.0.0.1:0."`
	ViewerAddr   string `placeholder:"HOST:PORT" help:"Serve attachments from a separate origin that listens here. Its URLs are signed and valid for one minute. Default: the same origin as the pages."`
	ViewerOrigin string `placeholder:"URL" help:"The origin of --viewer-addr as the browser sees it, if it is behind a proxy, as in https://viewer.example."`
}

// Help is what `open --help` adds.
func (OpenCommand) Help() string {
	return `Shows a folder in your browser: what agents did, what they ask, and their attachments, made safe to view. Artifact channels, finding registries and Agentfile workflows in the folder are shown too. The first line of output is the URL. It works once, in one browser, and only on this machine.

You can reply to asks on the pages. A reply is one line at the end of the folder's messages.jsonl, where the agent's next figs inbox finds it. Nothing else is written, changed or removed. No one can prove who typed the reply, so everyone sees it as reported and not verified. For a zip or a single file, the page shows a command that gives the same reply.

Open pages follow what the agent writes. New agents in the folder appear within seconds, or minutes if the folder is large.

Examples:

  figs-web open
  figs-web open path/to/repository
  figs-web open export.zip --addr 127.0.0.1:9090
  figs-web open . --viewer-addr 127.0.0.1:0

Press Ctrl+C to stop. Requests in progress are finished first.
`
}

// Run shows the folder until the program is told to stop, which is no failure.
func (c OpenCommand) Run(a *cmd.App) error {
	if c.ViewerOrigin != "" && c.ViewerAddr == "" {
		return cmd.Fail(cmd.Usage, "--viewer-origin needs --viewer-addr.", "Add --viewer-addr 127.0.0.1:9091, for example.")
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
		return cmd.Fail(cmd.Usage, cmd.Quote(c.ViewerOrigin)+" is not an origin.", "Use http:// or https:// and a host, and nothing after it, as in https://viewer.example.")
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
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, struct {
			Address string `json:"address"`
			Folders int    `json:"folders"`
		}{address, len(s.Agents) + len(s.Places)})
	}
	for _, note := range s.Notes {
		a.Note(note)
	}
	_, err := fmt.Fprintf(a.Stdout, "%s\nOpen this URL in your browser to see %s. It works once. Press Ctrl+C to stop.\n", address, cmd.Plural(len(s.Agents)+len(s.Places), "folder"))
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
