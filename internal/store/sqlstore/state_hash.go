package sqlstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// StateHash implements store.Maintenance.
func (s *Store) StateHash(ctx context.Context) (string, error) {
	h := sha256.New()
	rows, err := s.Rows(ctx, `SELECT id, charter FROM agents ORDER BY id`)
	type agent struct {
		id      string
		charter []byte
	}
	agents, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, a *agent) error { return r.Scan(&a.id, &a.charter) })
	if err != nil {
		return "", err
	}
	for _, a := range agents {
		fmt.Fprintf(h, "agent %s %s\n", a.id, figs.AppendCanonical(nil, object(a.charter)))
		if err := s.hashAgent(ctx, h, a.id); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func (s *Store) hashAgent(ctx context.Context, h hash.Hash, agent string) error {
	for _, query := range []string{
		`SELECT CASE kind WHEN 0 THEN 'run' ELSE 'ask' END, id, fold FROM records WHERE agent = $1 ORDER BY kind, id`,
		`SELECT CASE verified WHEN 0 THEN 'transcribed' ELSE 'verified' END, id, line FROM messages WHERE agent = $1 ORDER BY id`,
	} {
		rows, err := s.Rows(ctx, query, agent)
		if err != nil {
			return err
		}
		for rows.Next() {
			var kind, id string
			var line []byte
			if err := rows.Scan(&kind, &id, &line); err != nil {
				rows.Close()
				return err
			}
			fmt.Fprintf(h, "%s %s %s\n", kind, id, figs.AppendCanonical(nil, object(line)))
		}
		if err := rows.Err(); err != nil {
			return err
		}
	}
	files, err := s.Attachments(ctx, agent)
	if err != nil {
		return err
	}
	lines := make(map[string]string, len(files))
	for _, f := range files {
		lines[f.Name] = f.SHA256
	}
	for _, name := range sqldb.SortedNames(lines) {
		fmt.Fprintf(h, "attachment %q %s\n", name, lines[name])
	}
	return nil
}
