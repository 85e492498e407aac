package tree

import (
	"context"
	"encoding/base64"
	"slices"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/recordjson"
	"github.com/figs-web/figs-web/internal/remote"
)

// content implements tree.
func (t *remoteTree) content(ctx context.Context, parts []string) (*content, error) {
	if len(parts) != 4 || parts[0] != "agents" || parts[2] != "files" {
		return nil, never("There is no file to copy at "+t.path(parts...)+".", "cp copies attachments, from /agents/ID/files/NAME; cat prints records.", parts)
	}
	c, err := t.client.Open(ctx, t.address(parts)+"/content")
	if err != nil {
		if n, findErr := t.Find(ctx, parts); findErr != nil {
			return nil, findErr
		} else if n.State == "missing" {
			return nil, cmd.Fail(cmd.NotFound, "The file "+cmd.Quote(parts[3])+" is attached, but it has not been uploaded.", "The agent's next push uploads it.")
		}
		return nil, err
	}
	if c.SHA256 == "" {
		c.Close()
		return nil, cmd.Fail(cmd.BadFormat, "The server gave no SHA-256 for the file, so it was not copied.", "Check that the server is not older than this program.")
	}
	return &content{c, parts[3], c.SHA256}, nil
}

// attach implements tree: an upload, as clients send them.
func (t *remoteTree) attach(ctx context.Context, agent, name string, bytes []byte) (*Node, error) {
	parts := []string{"agents", agent, "files", name}
	if _, err := t.findAgent(ctx, parts[:2]); err != nil {
		return nil, err
	}
	var got struct{ Unchanged bool }
	err := t.client.Post(ctx, "/api/artifacts/upload", map[string]string{
		"workspaceId": t.workspace.ID, "agentId": agent, "name": name, "content": base64.StdEncoding.EncodeToString(bytes)}, &got)
	if err != nil {
		return nil, err
	}
	return &Node{ID: name, Path: t.path(parts...), Type: "file", Size: int64(len(bytes))}, nil
}

// draft implements tree.
func (t *remoteTree) draft(ctx context.Context, parts []string, d draftObject) (*Node, error) {
	var made struct{ ID string }
	if err := t.client.Post(ctx, t.address(parts), d, &made); err != nil {
		return nil, t.missed(ctx, err, parts[:4])
	}
	return &Node{ID: made.ID, Path: t.path(append(slices.Clone(parts), made.ID)...), Type: "draft"}, nil
}

// remove implements tree.
func (t *remoteTree) remove(ctx context.Context, parts []string) error {
	var address string
	switch {
	case len(parts) == 2 && parts[0] == "tokens":
		address = EncodePath(parts...)
	case len(parts) == 6 && isDrafts(parts):
		address = t.address(parts)
	default:
		return neverDeleted(parts)
	}
	err := t.client.Delete(ctx, address)
	if is(err, remote.ErrorNotFound) {
		if parts[0] == "tokens" {
			_, err = t.findListed(ctx, parts)
			return err
		}
		return t.missed(ctx, err, parts)
	}
	return err
}

// standing implements tree. look is the tag of the answer before.
func (t *remoteTree) standing(ctx context.Context, parts []string, look string) (*standing, string, bool, error) {
	var ask recordjson.AskDetail
	tag, changed, err := t.client.GetTagged(ctx, t.address(parts), look, &ask)
	if err != nil {
		return nil, "", false, t.missed(ctx, err, parts)
	}
	if !changed {
		return nil, tag, false, nil
	}
	s := &standing{phase: ask.State.Phase}
	s.record, err = compact(ask.Record)
	if reply := decisive(&ask); err == nil && reply != nil {
		s.reply, err = compact(reply)
	}
	if err != nil {
		return nil, "", false, t.badAnswer()
	}
	return s, tag, true, nil
}
