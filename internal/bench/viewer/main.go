// Command viewer measures the sandbox: what the costliest attachments take natively and in the browser's module, and
// whether both give the same bytes. Each native file is rendered in a process of its own, so that its memory is known.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/sandbox/report"
)

// The goals: any file natively and offline, its memory, its document.
const (
	nativeLimit  = 2 * time.Second
	offlineLimit = 10 * time.Second
	memoryLimit  = 512 << 20
	outputLimit  = 16 << 20
)

func main() {
	one := flag.String("one", "", "render one file and print what it took, for the program itself")
	view := flag.String("view", string(report.Rendered), "the view to render, with -one")
	flag.Parse()
	if *one != "" {
		if err := renderOne(*one, report.View(*view)); err != nil {
			fmt.Fprintln(os.Stderr, "viewer:", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "viewer:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	root, err := testenv.FindRoot()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "figs-viewer-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	files := hostile()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FILE\tVIEW\tNATIVE\tMEMORY\tPARSER ALONE\tDOCUMENT\tOFFLINE\tSHOWN\tWHAT MAKES IT COSTLY")
	var worst worst
	modules, err := startModule(ctx, root, dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "viewer: the offline column is left out:", err)
	} else {
		defer modules.stop()
	}
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, f.content, 0o600); err != nil {
			return err
		}
		for _, view := range []report.View{report.Rendered, report.Source, report.Text} {
			n, err := measure(ctx, path, view)
			if err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			offline := "–"
			if modules != nil {
				o, err := modules.render(f, view)
				if err != nil {
					offline = "stopped: " + err.Error()
					worst.stopped++
				} else {
					offline = o.took.Round(time.Millisecond).String()
					worst.offline = max(worst.offline, o.took)
				}
			}
			worst.native, worst.memory, worst.output = max(worst.native, n.took), max(worst.memory, n.memory), max(worst.output, n.output)
			fmt.Fprintf(w, "%s\t%s\t%v\t%d MB\t%s\t%.1f MB\t%s\t%s\t%s\n", f.name, view, n.took.Round(time.Millisecond), n.memory>>20, n.peer, float64(n.output)/(1<<20), offline, n.shown, f.what)
		}
		os.Remove(path)
	}
	w.Flush()
	fmt.Println()
	fmt.Printf("slowest natively    %8v  of %v\n", worst.native.Round(time.Millisecond), nativeLimit)
	fmt.Printf("most memory         %8d  MB of %d\n", worst.memory>>20, memoryLimit>>20)
	fmt.Printf("largest document    %8.1f  MB of %d\n", float64(worst.output)/(1<<20), outputLimit>>20)
	if modules == nil {
		return nil
	}
	fmt.Printf("slowest offline     %8v  of %v; %d had to be stopped and fell back to plain text\n", worst.offline.Round(time.Millisecond), offlineLimit, worst.stopped)
	same, all, err := modules.sameBytes()
	if err != nil {
		return err
	}
	fmt.Printf("native and module   %8d  of %d documents and reports are byte-equal\n", same, all)
	if same != all {
		return errors.New("the module and the native sandbox disagree")
	}
	return nil
}

type worst struct {
	native, offline time.Duration
	memory, output  int64
	stopped         int
}
