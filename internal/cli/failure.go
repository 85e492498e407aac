package cli

import (
	"errors"
	"io/fs"
	"strconv"

	"github.com/figs-web/figs-web/figs/folder"
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
	found // the folder breaks rules: a result, already printed
)

// kinds gives each kind its name for machines, its exit code with --agent (PAS), its exit
// code for people, and its line in the help for machines.
var kinds = [...]struct {
	name          string
	agent, people int
	about         string
}{
	general:      {"GENERAL_ERROR", 1, 1, "General error"},
	usage:        {"INVALID_USAGE", 2, 2, "Invalid usage (unknown command, flag or argument)"},
	notFound:     {"NOT_FOUND", 100, 2, "Not found (no such path, no .figs folder, no such rule)"},
	denied:       {"PERMISSION_DENIED", 101, 2, "Permission denied"},
	badFormat:    {"INVALID_FORMAT", 102, 2, "Invalid format (the zip or file cannot be read)"},
	addressInUse: {"ADDRESS_IN_USE", 105, 1, "The address to listen on is taken"},
	interrupted:  {"INTERRUPTED", 106, 130, "Interrupted"},
	taken:        {"ALREADY_EXISTS", 107, 1, "Already exists (the e-mail address or the workspace's address is taken)"},
	found:        {"INVALID_FORMAT", 102, 1, "Invalid format (the folder has errors; findings are on stdout)"},
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
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &z):
		return fail(badFormat, quote(name)+" cannot be read. "+z.Message, z.Hint)
	case errors.Is(err, fs.ErrNotExist):
		return fail(notFound, "There is no "+quote(name)+".", "Check the spelling, and the folder you are in.")
	case errors.Is(err, fs.ErrPermission):
		return fail(denied, "You may not open "+quote(name)+".", "Ask its owner for the right to, or run as a user who has it.")
	}
	return fail(general, "That did not work: "+clean(err.Error())+".", "")
}

// quote marks where a name begins and ends, and makes what a terminal would obey visible.
func quote(name string) string { return strconv.Quote(name) }
