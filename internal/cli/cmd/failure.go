package cmd

import (
	"errors"
	"io/fs"
	"strconv"

	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/remote"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// Kind is why a command could not do, or did not find good, what it was asked.
type Kind int

const (
	General Kind = iota
	Usage
	NotFound
	Denied
	BadFormat
	AddressInUse
	Interrupted
	AlreadyExists
	TimedOut
	Network
	ChangesWanted
	Declined
	Withdrawn
	NotCompared
	Found // the folder breaks rules: a result, already printed
)

// Kinds gives each kind its name for machines, its exit code with --agent (PAS), its exit
// code for people, and its line in the help for machines.
var Kinds = [...]struct {
	Name          string
	Agent, People int
	about         string
}{
	General:       {"GENERAL_ERROR", 1, 1, "General error"},
	Usage:         {"INVALID_USAGE", 2, 2, "Invalid usage (unknown command, flag or argument)"},
	NotFound:      {"NOT_FOUND", 100, 2, "Not found (no such path, no .figs folder, no such rule)"},
	Denied:        {"PERMISSION_DENIED", 101, 2, "Permission denied"},
	BadFormat:     {"INVALID_FORMAT", 102, 2, "Invalid format (the zip or file can't be read)"},
	AddressInUse:  {"ADDRESS_IN_USE", 105, 1, "The address to listen on is in use"},
	Interrupted:   {"INTERRUPTED", 106, 130, "Interrupted"},
	AlreadyExists: {"ALREADY_EXISTS", 107, 1, "Already exists (the name, the address, the file or the draft is taken)"},
	TimedOut:      {"TIMEOUT", 103, 103, "Timeout (no decision yet, or no answer in time)"},
	Network:       {"NETWORK_ERROR", 104, 1, "Network error (the server can't be reached, or it failed)"},
	NotCompared:   {"NOT_COMPARED", 108, 3, "The folder could not be compared with the receipt; the report is on stdout"},
	ChangesWanted: {"CHANGES_REQUESTED", 110, 110, "Changes were requested; the reply is on stdout"},
	Declined:      {"DECLINED", 111, 111, "The ask was declined; the reply is on stdout"},
	Withdrawn:     {"WITHDRAWN", 112, 112, "The ask was withdrawn; its record is on stdout"},
	Found:         {"INVALID_FORMAT", 102, 1, "Invalid format (the folder has errors; findings are on stdout)"},
}

// Failure is an error as a person or an agent is told it: a sentence, then a hint that
// teaches what to do.
type Failure struct {
	Kind    Kind
	Message string
	Hint    string
	Context map[string]any // more facts, for --agent
}

func (f *Failure) Error() string { return f.Message }

// Fail is a failure of a kind, with a sentence and a hint that teaches what to do next; hint may be "".
func Fail(k Kind, message, hint string) *Failure {
	return &Failure{Kind: k, Message: message, Hint: hint}
}

// FailureOf chooses what is said about any error.
func FailureOf(err error, name string) *Failure {
	var f *Failure
	var z *folder.ZipError
	var r *remote.Error
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &r):
		return remoteFailure(r)
	case errors.As(err, &z):
		return Fail(BadFormat, Quote(name)+" can't be read. "+z.Message, z.Hint)
	case wholefile.IsFull(err):
		return Fail(General, "The disk is full, so "+Quote(name)+" was not written.", "No partial file is left. Free some space, then run the command again.")
	case errors.Is(err, fs.ErrNotExist):
		return Fail(NotFound, "There is no "+Quote(name)+".", "Check the spelling and the current folder.")
	case errors.Is(err, fs.ErrPermission):
		return Fail(Denied, "No permission to open "+Quote(name)+".", "Ask its owner for access, or run as a user who has it.")
	}
	return Fail(General, "The command failed: "+Clean(err.Error())+".", "")
}

// remoteFailure tells what a hosted reader, or the way to it, said. Its words are another's.
func remoteFailure(e *remote.Error) *Failure {
	kinds := [...]Kind{remote.ErrorNetwork: Network, remote.ErrorTimeout: TimedOut, remote.ErrorNotFound: NotFound, remote.ErrorDenied: Denied, remote.ErrorInvalid: BadFormat, remote.ErrorExists: AlreadyExists}
	f := Fail(kinds[e.Kind], Clean(e.Sentence), Clean(e.Hint))
	if e.Status != 0 {
		f.Context = map[string]any{"status": e.Status}
		if e.Code != "" {
			f.Context["reason"] = e.Code
		}
		for _, key := range []string{"path", "workspaces"} {
			if value, ok := e.Fields[key]; ok {
				f.Context[key] = value
			}
		}
	}
	return f
}

// Quote marks where a name begins and ends, and makes what a terminal would obey visible.
func Quote(name string) string { return strconv.Quote(name) }
