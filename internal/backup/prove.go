package backup

import (
	"context"
	"errors"
	"fmt"

	"github.com/figs-web/figs-web/internal/store"
)

// prove opens what was brought out and holds it against the manifest.
func (r *restoring) prove(ctx context.Context, m *Manifest) error {
	s, err := r.Open(ctx, r.dir)
	if err != nil {
		return err
	}
	err = r.proveStore(ctx, s, m)
	return errors.Join(err, s.Close())
}

func (r *restoring) proveStore(ctx context.Context, s store.Store, m *Manifest) (err error) {
	if r.proof.Schema, err = s.Schema(ctx); err != nil {
		return err
	}
	state, err := s.StateHash(ctx)
	if err != nil {
		return err
	}
	if state != m.State {
		return &Problem{m.Database, "has the state hash " + state + ", and the manifest says " + m.State, "A row of the database was changed after the backup, or the manifest was. Take another copy, or an older one."}
	}
	if err := r.proveChains(ctx, s, m); err != nil {
		return err
	}
	if err := r.proveBlobs(ctx, s, m); err != nil {
		return err
	}
	return r.proveHeads(ctx, s)
}

// proveChains goes through every audit. One that was broken before the backup is so afterwards.
func (r *restoring) proveChains(ctx context.Context, s store.Store, m *Manifest) error {
	now, err := chains(ctx, s)
	if err != nil {
		return err
	}
	said := map[string]Chain{}
	for _, c := range m.Audit {
		said[c.Workspace] = c
	}
	for _, c := range now {
		was, ok := said[c.Workspace]
		if !ok || c.Rows != was.Rows || c.Head != was.Head || c.Broken != was.Broken {
			return &Problem{m.Database, fmt.Sprintf("has an audit of workspace %q that differs from the one that was backed up: %d rows, head %s", c.Workspace, c.Rows, c.Head), "Audit rows were changed after the backup. Use another copy, or an older one."}
		}
		delete(said, c.Workspace)
	}
	for id := range said {
		return &Problem{m.Database, fmt.Sprintf("has lost the audit of workspace %q", id), "Use another copy, or an older backup."}
	}
	return nil
}

// proveBlobs looks for every attachment that the database names.
func (r *restoring) proveBlobs(ctx context.Context, s store.Store, m *Manifest) error {
	there := map[string]bool{}
	for _, f := range m.Files {
		there[f.SHA256] = true
	}
	for _, list := range [][]string{m.Erased, m.Missing} {
		for _, hash := range list {
			there[hash] = true
			r.proof.MissingAttachments++
		}
	}
	return s.EachBlob(ctx, func(hash string, _ int64) error {
		if !there[hash] {
			return &Problem{blobName(hash), "is referenced by the database but isn't in the backup", "Use another copy, or an older backup."}
		}
		return nil
	})
}

// proveHeads looks for hashes that somebody kept elsewhere: they alone show that no whole chain
// was written anew.
func (r *restoring) proveHeads(ctx context.Context, s store.Store) error {
	for name, hash := range r.Heads {
		id := ""
		if name != "" {
			w, err := s.Workspace(ctx, name)
			if errors.Is(err, store.ErrNotFound) {
				return &Problem{r.proof.Database, fmt.Sprintf("has no workspace %q", name), "Check the spelling. The backup may be older than the workspace."}
			}
			if err != nil {
				return err
			}
			id = w.ID
		}
		held := false
		if err := s.EachAudit(ctx, id, func(row store.AuditEntry) error { held = held || row.Hash == hash; return nil }); err != nil {
			return err
		}
		if !held {
			return &Problem{r.proof.Database, fmt.Sprintf("has no row in the audit of %q with the hash %s", name, hash), "The backup is older than that row, or the audit was rewritten. Compare with another backup."}
		}
		r.proof.AuditHashFoundIn = append(r.proof.AuditHashFoundIn, name)
	}
	return nil
}
