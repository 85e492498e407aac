package tree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// content implements tree.
func (t *LocalTree) content(_ context.Context, parts []string) (*content, error) {
	if len(parts) != 4 || parts[0] != "agents" || parts[2] != "files" {
		return nil, never("There is no file to copy at "+EncodePath(parts...)+".", "cp copies attachments, from /agents/ID/files/NAME; cat prints records.", parts)
	}
	g, err := t.agent(parts)
	if err != nil {
		return nil, err
	}
	l, err := t.section(g, parts)
	if err != nil {
		return nil, err
	}
	return l.open(parts[3])
}

// attach implements tree: a new file in the folder artifacts of the agent. What is there stays.
func (t *LocalTree) attach(_ context.Context, agent, name string, bytes []byte) (*Node, error) {
	parts := []string{"agents", agent, "files", name}
	g, err := t.agent(parts)
	if err != nil {
		return nil, err
	}
	root, ok := t.Source.Closer.(*os.Root)
	if !ok || g.Contents.Alone {
		return nil, never("Attachments can't be added to a zip or a single file.", "Use the .figs folder itself.", parts)
	}
	dir := path.Join(g.Contents.Dir, "artifacts")
	if err := root.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, cmd.FailureOf(err, dir)
	}
	if info, err := root.Lstat(dir); err != nil || !info.IsDir() {
		return nil, never("The artifacts folder is a link, so nothing was written there.", "Use a real folder for attachments.", parts)
	}
	at := path.Join(dir, name)
	if err := wholefile.Write(root, at, wholefile.Options{}, wholefile.Bytes(bytes)); errors.Is(err, fs.ErrExist) {
		f := cmd.Fail(cmd.AlreadyExists, "The agent already has a file "+cmd.Quote(name)+" already.", "Attachments never change. Use another name.")
		f.Context = map[string]any{"path": EncodePath("agents", g.id, "files", name)}
		return nil, f
	} else if err != nil {
		return nil, cmd.FailureOf(err, name)
	}
	return &Node{ID: name, Path: EncodePath("agents", g.id, "files", name), Type: "file", Size: int64(len(bytes))}, nil
}

// draft implements tree.
func (t *LocalTree) draft(_ context.Context, parts []string, _ draftObject) (*Node, error) {
	return nil, never("Drafts can't be stored in a folder.", "Upload drafts to the server where the person decides. Start the path with it, as in https://figs.example.com"+EncodePath(parts...)+".", parts)
}

// remove implements tree.
func (t *LocalTree) remove(_ context.Context, parts []string) error {
	return neverDeleted(parts)
}

// neverDeleted is the error for deleting a record.
func neverDeleted(parts []string) error {
	what := EncodePath(parts...)
	hint := "Ledgers are append-only: the agent closes or withdraws with a new line. Only drafts and tokens on a server can be deleted."
	return never(what+" is never deleted.", hint, parts)
}

// standing implements tree. look is the state of the two ledgers that say it.
func (t *LocalTree) standing(ctx context.Context, parts []string, look string) (*standing, string, bool, error) {
	g, err := t.agent(parts)
	if err != nil {
		return nil, "", false, err
	}
	now := t.look(g)
	if now == look {
		return nil, now, false, nil
	}
	g.Contents, g.Folder = t.lookAgain(g), nil
	l, err := t.section(g, parts)
	if err != nil {
		return nil, "", false, err
	}
	i := l.index(parts[3])
	if i < 0 {
		return nil, "", false, missing(parts, l.ids(mostNear))
	}
	record, err := g.fold(t.Source.FS, figs.Asks, i)
	if err != nil {
		return nil, "", false, cmd.FailureOf(err, figs.Asks.String())
	}
	state := g.Folder.State(i)
	s := &standing{phase: state.Phase.Word(), record: record}
	if thread := g.Folder.Thread(i); state.Reply >= 0 && state.Reply < len(thread) {
		if s.reply, err = g.fold(t.Source.FS, figs.Messages, thread[state.Reply].Message); err != nil {
			return nil, "", false, cmd.FailureOf(err, figs.Messages.String())
		}
	}
	return s, now, true, ctx.Err()
}
