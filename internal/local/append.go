package local

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"syscall"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/wholefile"
)

const folderHint = "Nothing was written; your text is kept. "

func refuse(sentence, hint string, cause error) *reply.RefusedError {
	return &reply.RefusedError{Sentence: sentence, Hint: hint, Cause: cause}
}

// refusal puts what the system said into words.
func refusal(err error) *reply.RefusedError {
	var known *reply.RefusedError
	switch {
	case errors.As(err, &known):
		return known
	case isGone(err):
		return refuse("The folder is no longer there, or it has no asks now.", folderHint+"If the folder was moved, run figs-web open in its new location.", err)
	case errors.Is(err, syscall.EROFS):
		return refuse("The folder is on a read-only disk.", folderHint+"Make the disk writable, or give the reply to the agent as a command.", err)
	case errors.Is(err, fs.ErrPermission):
		return refuse("You don't have permission to write to this folder's messages.jsonl.", folderHint+"Check the permissions of the folder and its messages.jsonl: figs-web writes as the user who started it.", err)
	case wholefile.IsFull(err):
		return refuse("The disk is full.", folderHint+"Free up space, then send the reply again.", err)
	}
	return refuse("The reply couldn't be written to messages.jsonl.", folderHint+"Try again; if that doesn't help, give the reply to the agent as a command.", err)
}

// append writes newline, line, newline at the end of the ledger by one write, so that no other
// writer gets between, and waits until the disk has it. When it fails, nothing of the line stays. The first newline ends a line that another
// program left unfinished; readers skip blank lines (§4).
func (l *Folders) append(dir string, line []byte) error {
	f, created, err := l.openLedger(dir)
	if err != nil {
		return refusal(err)
	}
	defer f.Close()
	b := make([]byte, 0, len(line)+2)
	b = append(append(append(b, '\n'), line...), '\n')
	n, err := wholefile.Appender{Write: l.write}.Append(f, b)
	switch {
	case n == len(b):
		return l.confirmed(err, dir, created)
	case errors.Is(err, wholefile.ErrPartialLine):
		sentence := "Only part of the reply was written because the disk failed."
		if wholefile.IsFull(err) {
			sentence = "Only part of the reply was written because the disk is full."
		}
		return refuse(sentence, "Programs ignore the unfinished line, and no other line is lost. Your text is kept: free up space, then send the reply again.", err)
	}
	return refusal(err)
}

// confirmed takes what flushing the file gave, and waits until the disk has the folder's entry of it when it is new.
func (l *Folders) confirmed(err error, dir string, created bool) error {
	if err == nil && created {
		err = wholefile.FlushFolder(l.options.Root, dir)
	}
	if err != nil {
		return refuse("The reply was written, but the disk did not confirm that it was saved.", "Check the disk, then send the reply again. It won't be written twice.", err)
	}
	return nil
}

// keep waits until the disk has what was appended before.
func (l *Folders) keep(dir string) error {
	f, _, err := l.openLedger(dir)
	if err != nil {
		return refusal(err)
	}
	defer f.Close()
	return l.confirmed(f.Sync(), dir, true)
}

// openLedger opens messages.jsonl for appending, and makes it when it is not there. It follows no
// link, because that could lead to another agent's ledger or out of the folder.
func (l *Folders) openLedger(dir string) (f *os.File, created bool, err error) {
	root, name := l.options.Root, path.Join(dir, figs.Messages.String())
	before, err := root.Lstat(name)
	if isGone(err) {
		f, err = root.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, l.ledgerMode(dir))
		if !errors.Is(err, fs.ErrExist) {
			return f, true, err
		}
		before, err = root.Lstat(name) // somebody else has made it at this moment
	}
	if err != nil {
		return nil, false, err
	}
	if !before.Mode().IsRegular() {
		return nil, false, noLedger(before.Mode())
	}
	f, err = root.OpenFile(name, os.O_WRONLY|os.O_APPEND|openAtOnce, 0)
	if err != nil {
		return nil, false, err
	}
	after, err := f.Stat()
	switch {
	case err != nil || !after.Mode().IsRegular() || !os.SameFile(before, after):
		err = refuse("messages.jsonl was replaced while it was being opened.", folderHint+"Send the reply again.", err)
	case names(after) > 1: // it may be another agent's ledger, or any file of this person's
		err = refuse("messages.jsonl is hard-linked to another file.", folderHint+"Replace it with a copy of itself, then send the reply again.", nil)
	default:
		return f, false, nil
	}
	f.Close()
	return nil, false, err
}

func noLedger(mode fs.FileMode) *reply.RefusedError {
	sentence := "messages.jsonl is something other than a file."
	switch {
	case mode&fs.ModeSymlink != 0:
		sentence = "messages.jsonl is a link, and figs-web writes through no link."
	case mode.IsDir():
		sentence = "messages.jsonl is a folder."
	case mode&fs.ModeNamedPipe != 0:
		sentence = "messages.jsonl is a pipe."
	}
	return refuse(sentence, folderHint+"It must be a regular file in the agent's own folder.", nil)
}

// ledgerMode gives a new ledger the rights that asks.jsonl has.
func (l *Folders) ledgerMode(dir string) fs.FileMode {
	info, err := l.options.Root.Stat(path.Join(dir, figs.Asks.String()))
	if err != nil {
		return 0o600
	}
	return info.Mode().Perm()&0o666 | 0o600
}
