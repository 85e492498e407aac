//go:build unix

// Command load drives the program that is shipped, as many agents and people at once, and prints what that costs beside
// what it is compared with in the same run. Like make bench it never fails because a machine is slow: it says "SHORT".
//
// It starts bin/figs-web, which make build makes, and a PostgreSQL server of its own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/figs-web/figs-web/internal/bench/table"
	"github.com/figs-web/figs-web/internal/load/postgres"
	"github.com/figs-web/figs-web/internal/load/seed"
	"github.com/figs-web/figs-web/internal/testenv"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == peerName {
		servePeer()
		return
	}
	l := &load{}
	only := flag.String("only", "", "measure only these parts, by name, with commas: "+strings.Join(partNames(), ", ")+"; large, scale and soak run only when they are named")
	flag.StringVar(&l.program, "program", "", "the program; default: bin/figs-web")
	flag.IntVar(&l.size.Agents, "agents", seed.Full.Agents, "how many agents there are in the part scale and with -seed, and with 1,000 jobs each in the part agents")
	flag.IntVar(&l.size.Asks, "asks", seed.Full.Asks, "how many asks there are in the part scale and with -seed")
	flag.IntVar(&l.size.Jobs, "jobs", seed.Full.Jobs, "how many jobs")
	flag.IntVar(&l.size.People, "people", seed.Full.People, "how many people")
	flag.IntVar(&l.size.Departments, "departments", seed.Full.Departments, "in how many departments the agents are; 0: in none")
	flag.BoolVar(&l.alone, "alone", false, "the part scale asks for every page alone, and not under load")
	flag.StringVar(&l.data, "data", "", "a folder that -seed made, of the same size, for the part scale on SQLite to work in")
	folder := flag.String("seed", "", "measure nothing, but make this folder for figs-web serve --data, with so many agents")
	flag.DurationVar(&l.soak, "for", 2*time.Hour, "how long the soak lasts")
	flag.StringVar(&l.engine, "database", "postgres", "what the soak's reader keeps records in: postgres or sqlite")
	flag.StringVar(&l.engines, "databases", "sqlite,postgres", "what the readers of the parts large and scale keep records in")
	flag.StringVar(&l.report, "report", "", "the Markdown file that the part scale writes; default: standard output")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	l.agents = l.size.Agents
	run := func() error { return l.run(ctx, *only) }
	if *folder != "" {
		run = func() error { return l.seedFolder(ctx, *folder) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// A part measures some rows of the table.
type part struct {
	name    string
	measure func(*load, context.Context) error
	asked   bool // it runs only when it is named
}

var parts = []part{
	{name: "pushes", measure: (*load).measurePushes},
	{name: "nodes", measure: (*load).measureNodes},
	{name: "streams", measure: (*load).measureStreams},
	{name: "agents", measure: (*load).measureAgents},
	{name: "large", measure: (*load).measureLarge, asked: true},
	{name: "scale", measure: (*load).measureScale, asked: true},
	{name: "soak", measure: (*load).measureSoak, asked: true},
}

func partNames() (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// load is one run.
type load struct {
	program string    // the path of figs-web
	agents  int       // of the part agents
	size    seed.Size // of the part scale
	soak    time.Duration
	engine  string // of the soak
	engines string // of large pushes and of the part scale, with commas
	alone   bool
	data    string
	report  string // the file that the part scale writes; "": standard output
	dir     string // a temporary folder
	folders int
	server  *postgres.Server // nil until a part needs it
	table   table.Table
}

func (l *load) run(ctx context.Context, only string) error {
	root, err := testenv.FindRoot()
	if err != nil {
		return errors.New("run it inside the repository, as make load does")
	}
	if l.program == "" {
		l.program = filepath.Join(root, "bin", "figs-web")
	}
	if _, err := os.Stat(l.program); err != nil {
		return fmt.Errorf("there is no %s: run make build", l.program)
	}
	if l.engine != "postgres" && l.engine != "sqlite" {
		return fmt.Errorf("-database is %q: it can be postgres or sqlite", l.engine)
	}
	if l.dir, err = os.MkdirTemp("", "figs-load-"); err != nil {
		return err
	}
	defer os.RemoveAll(l.dir)
	defer func() {
		if l.server != nil {
			l.server.Stop()
		}
	}()
	named := strings.Split(only, ",")
	for _, name := range named {
		if only != "" && !slices.Contains(partNames(), name) {
			return fmt.Errorf("there is no part %q: there are %s", name, strings.Join(partNames(), ", "))
		}
	}
	for _, p := range parts {
		if only == "" && p.asked || only != "" && !slices.Contains(named, p.name) {
			continue
		}
		say("measuring: " + p.name)
		if err := p.measure(l, ctx); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			l.table.LeaveOut(p.name, err)
		}
	}
	l.table.Note("Every figure but those of memory shares the cores with what asks: compare within a row, not between machines.")
	return l.table.Print(os.Stdout)
}

// say tells what is going on, away from the table.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "load: "+format+"\n", args...) }

// folder makes an empty folder.
func (l *load) folder() (string, error) {
	l.folders++
	dir := filepath.Join(l.dir, fmt.Sprintf("data%d", l.folders))
	return dir, os.Mkdir(dir, 0o700)
}

// database makes an empty database of PostgreSQL.
func (l *load) database(ctx context.Context) (address string, err error) {
	if l.server == nil {
		if l.server, err = postgres.Start(ctx); err != nil {
			return "", err
		}
	}
	return l.server.Database(ctx)
}
