package sqlstore

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/internal/store"
)

const attachmentColumns = `agent, name, sha256, size, uploaded_at, pushed_by`

func scanAttachment(r scanner, a *store.Attachment) error {
	return r.Scan(&a.Agent, &a.Name, &a.SHA256, &a.Size, &a.Uploaded, &a.PushedBy)
}

// Attach implements store.Ingest.
func (s *Store) Attach(ctx context.Context, act store.Act, a store.Attachment, text string) (unchanged bool, err error) {
	// Every file comes again with every push: what is known writes nothing and waits for nobody.
	if unchanged, err = attached(ctx, s, a); unchanged || err != nil {
		return unchanged, err
	}
	err = s.change(ctx, func(c *change) error {
		agent, err := c.lockAgent(ctx, a.Agent)
		if err != nil {
			return err
		}
		if unchanged, err = attached(ctx, c, a); unchanged || err != nil {
			return err
		}
		numbers, err := s.numbers(ctx, c.Tx, 1)
		if err != nil {
			return err
		}
		words := clean(cut(text, longestDoc))
		if _, err := c.do(ctx, `INSERT INTO attachments (no, agent, workspace, name, sha256, size, words, uploaded_at, pushed_by, seq)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			numbers[0], a.Agent, agent.workspace, clean(a.Name), a.SHA256, a.Size, words, act.At, act.By, agent.seq); err != nil {
			return err
		}
		if _, err := c.do(ctx, `UPDATE agents SET files = files + 1 WHERE id = $1`, a.Agent); err != nil {
			return err
		}
		return c.addDocs(ctx, []doc{{numbers[0], agent.workspace, a.Agent, clean(a.Name) + " " + words}})
	})
	return unchanged, err
}

// attached reports whether the name has these bytes already.
func attached(ctx context.Context, q asker, a store.Attachment) (bool, error) {
	var sha256 string
	err := q.row(ctx, `SELECT sha256 FROM attachments WHERE agent = $1 AND name = $2`, clean(a.Agent), clean(a.Name)).Scan(&sha256)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return false, nil
	case err == nil && sha256 != a.SHA256:
		return false, &store.OtherBytes{Name: a.Name, SHA256: sha256}
	}
	return err == nil, err
}

// Attachments implements store.Reader.
func (s *Store) Attachments(ctx context.Context, agent string) ([]store.Attachment, error) {
	rows, err := s.rows(ctx, `SELECT `+attachmentColumns+` FROM attachments WHERE agent = $1 ORDER BY no`, clean(agent))
	return collect(rows, err, scanAttachment)
}

// AttachmentsBySHA implements store.Reader.
func (s *Store) AttachmentsBySHA(ctx context.Context, workspace, sha256 string) ([]store.Attachment, error) {
	rows, err := s.rows(ctx, `SELECT `+attachmentColumns+` FROM attachments WHERE workspace = $1 AND sha256 = $2 ORDER BY no`, clean(workspace), clean(sha256))
	return collect(rows, err, scanAttachment)
}
