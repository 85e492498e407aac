// Package cmd is what every command of figs-web works with: one call of the program, the sentences and codes of its
// failures, the help for machines, colours, tables and progress, and where a hosted reader keeps its data.
package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/config"
	"github.com/figs-web/figs-web/internal/store"
)

// Env is all that a command may know of the world around it.
type Env struct {
	Args   []string  // without the program's name
	Stdin  io.Reader // only commands that say so read it; may be nil
	Stdout io.Writer
	Stderr io.Writer
	// Terminals tells whether stdout is one on which colours are welcome, and whether stderr is
	// one on which progress may be drawn. Machine mode never asks.
	Terminals func() (colour, progress bool)
	Width     int // columns that lines of the ledgers are cut to; 0: 100
	Now       func() time.Time
	Version   string // "v1.2.3"
	// Getenv reads a variable of the environment, and ConfigDir says where this person's settings are
	// kept. Either may be nil: nothing is set, nothing is kept.
	Getenv    func(name string) string
	Environ   func() []string // all of it, "NAME=value", so that misspelled names are found; may be nil
	ConfigDir func() (string, error)
	// OpenData opens what a hosted reader keeps, and makes what is missing of it. OpenStore and
	// OpenBlobs open its database and its attachments alone, for a restore.
	OpenData  func(ctx context.Context, where Where) (*Data, error)
	OpenStore func(ctx context.Context, where Where) (store.Store, error)
	OpenBlobs func(ctx context.Context, where Where) (blobs blob.Store, end func() error, err error)
}

// App is one call of the program.
type App struct {
	Env
	Ctx   context.Context
	Agent bool             // --agent
	JSON  bool             // --json
	Quiet bool             // --quiet: no progress and no notes
	Paint paint            // colours on stdout
	Bar   bool             // progress on stderr
	Set   []config.Setting // of figs-web serve, with where each comes from
}

// PrintsJSON reports whether stdout is for a program: with --json, and in machine mode.
func (a *App) PrintsJSON() bool { return a.Agent || a.JSON }

// Note prints a remark on stderr that changes nothing about the result; not with --quiet, nor in machine mode.
func (a *App) Note(sentence string) {
	if !a.Agent && !a.Quiet {
		fmt.Fprintln(a.Stderr, "note: "+Clean(sentence))
	}
}

// Variable is a variable of the environment; "" where there is none.
func (a *App) Variable(name string) string {
	if a.Getenv == nil {
		return ""
	}
	return a.Getenv(name)
}

// UsageFailure makes kong's error a sentence with a hint.
func (a *App) UsageFailure(err error, args []string) *Failure {
	message, guess, _ := strings.Cut(strings.TrimSpace(err.Error()), ", did you mean ")
	if quoted := strings.Split(guess, `"`); len(quoted) > 1 {
		guess = quoted[1] // the nearest one; kong lists them all
	}
	unexpected, isUnexpected := strings.CutPrefix(message, "unexpected argument ")
	missing, isMissing := strings.CutPrefix(message, `expected "<`)
	switch {
	case isMissing:
		message = strings.TrimRight(missing, `>."`) + " is missing"
	case isUnexpected && commandIn(args) == "":
		message = "there is no command " + Quote(unexpected)
	}
	words := []string{"figs-web"}
	if a.Agent {
		words = append(words, "--agent")
	}
	shows := "lists the commands."
	if command := commandIn(args); command != "" {
		words, shows = append(words, command), "shows its arguments and flags."
	}
	hint := strings.Join(append(words, "--help"), " ") + " " + shows
	switch meant := meantIn(args); {
	case len(args) > 0 && args[0] == "doctor" && message == "unknown flag --data":
		hint = "doctor checks folders. To check a server's data, run figs-web admin --data DIR audit verify, or figs-web restore --verify on a backup."
	case meant != "":
		hint = "Did you mean " + meant + "? " + hint
	case guess != "" && figs.Suggest(strings.Trim(unknownIn(message), `"`), []string{guess}) != "":
		hint = "Did you mean " + guess + "? " + hint
	}
	return Fail(Usage, sentence(Clean(message)), hint)
}

// unknownIn is the word that kong does not know, which is the last of its message.
func unknownIn(message string) string {
	return message[strings.LastIndex(message, " ")+1:]
}

// sentence begins text with a capital letter and ends it with exactly one full stop.
func sentence(text string) string {
	text = strings.TrimRight(text, ".?!:; ")
	if text == "" {
		return "Invalid usage."
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// meantIn is the command that the first word of the arguments is a misspelling of; "" if none is close.
func meantIn(args []string) string {
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		if names := commandNames(); !slices.Contains(names, arg) {
			return figs.Suggest(arg, names)
		}
		return ""
	}
	return ""
}

// WriteJSON writes one object and a line feed, with <, > and & as they are.
func WriteJSON(w io.Writer, object any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(object)
}
