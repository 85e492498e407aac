package cli

import (
	"errors"
	"io/fs"
	"strconv"

	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/remote"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// kind is why a command could not do, or did not find good, what it was asked.
type kind int

const (
	general kind = iota
	usage
	notFound
	denied
	badFormat
	addressInUse
	interrupted
	taken
	timedOut
	network
	changesWanted
	declined
	withdrawn
	notCompared
	found // the folder breaks rules: a result, already printed
)

// kinds gives each kind its name for machines, its exit code with --agent (PAS), its exit
// code for people, and its line in the help for machines.
var kinds = [...]struct {
	name          string
	agent, people int
	about         string
}{
	general:       {"GENERAL_ERROR", 1, 1, "General error"},
	usage:         {"INVALID_USAGE", 2, 2, "Invalid usage (unknown command, flag or argument)"},
	notFound:      {"NOT_FOUND", 100, 2, "Not found (no such path, no .figs folder, no such rule)"},
	denied:        {"PERMISSION_DENIED", 101, 2, "Permission denied"},
	badFormat:     {"INVALID_FORMAT", 102, 2, "Invalid format (the zip or file cannot be read)"},
	addressInUse:  {"ADDRESS_IN_USE", 105, 1, "The address to listen on is taken"},
	interrupted:   {"INTERRUPTED", 106, 130, "Interrupted"},
	taken:         {"ALREADY_EXISTS", 107, 1, "Already exists (the name, the address, the file or the draft is taken)"},
	timedOut:      {"TIMEOUT", 103, 103, "Timeout (no decision yet, or no answer in time)"},
	network:       {"NETWORK_ERROR", 104, 1, "Network error (the reader cannot be reached, or it failed)"},
	notCompared:   {"NOT_COMPARED", 108, 3, "The folder could not be compared with the receipt; the report is on stdout"},
	changesWanted: {"CHANGES_REQUESTED", 110, 110, "Changes were requested; the reply is on stdout"},
	declined:      {"DECLINED", 111, 111, "The ask was declined; the reply is on stdout"},
	withdrawn:     {"WITHDRAWN", 112, 112, "The ask was withdrawn; its record is on stdout"},
	found:         {"INVALID_FORMAT", 102, 1, "Invalid format (the folder has errors; findings are on stdout)"},
}

// failure is an error as a person or an agent is told it: a sentence, then a hint that
// teaches what to do.
type failure struct {
	kind    kind
	message string
	hint    string
	context map[string]any // more facts, for --agent
}

func (f *failure) Error() string { return f.message }

func fail(k kind, message, hint string) *failure {
	return &failure{kind: k, message: message, hint: hint}
}

// failureOf chooses what is said about any error.
func failureOf(err error, name string) *failure {
	var f *failure
	var z *folder.ZipError
	var r *remote.Error
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &r):
		return remoteFailure(r)
	case errors.As(err, &z):
		return fail(badFormat, quote(name)+" cannot be read. "+z.Message, z.Hint)
	case wholefile.IsFull(err):
		return fail(general, "The disk is full, so "+quote(name)+" was not written.", "Nothing is left by half. Make room, then run the command again.")
	case errors.Is(err, fs.ErrNotExist):
		return fail(notFound, "There is no "+quote(name)+".", "Check the spelling, and the folder you are in.")
	case errors.Is(err, fs.ErrPermission):
		return fail(denied, "You may not open "+quote(name)+".", "Ask its owner for the right to, or run as a user who has it.")
	}
	return fail(general, "That did not work: "+clean(err.Error())+".", "")
}

// remoteFailure tells what a hosted reader, or the way to it, said. Its words are another's.
func remoteFailure(e *remote.Error) *failure {
	kinds := [...]kind{remote.Network: network, remote.Timeout: timedOut, remote.NotFound: notFound, remote.Denied: denied, remote.Invalid: badFormat, remote.Exists: taken}
	f := fail(kinds[e.Kind], clean(e.Sentence), clean(e.Hint))
	if e.Status != 0 {
		f.context = map[string]any{"status": e.Status}
		if e.Code != "" {
			f.context["reason"] = e.Code
		}
		for _, key := range []string{"path", "workspaces"} {
			if value, ok := e.Fields[key]; ok {
				f.context[key] = value
			}
		}
	}
	return f
}

// quote marks where a name begins and ends, and makes what a terminal would obey visible.
func quote(name string) string { return strconv.Quote(name) }
