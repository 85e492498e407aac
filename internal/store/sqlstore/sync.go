package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// SyncSeq implements store.Syncs.
func (s *Store) SyncSeq(ctx context.Context, tokenHash, agent string, at int64) (seq, used int64, err error) {
	return seq, used, s.Row(ctx, `SELECT a.messages_seq, t.used_at FROM tokens t JOIN agents a ON a.id = $2
		JOIN members m ON m.workspace = a.workspace AND m.person = t.person JOIN workspaces w ON w.id = a.workspace
		WHERE t.hash = $1 AND t.revoked_at = 0 AND (t.expires_at = 0 OR t.expires_at > $3) AND w.deleted_at = 0`, sqldb.CleanText(tokenHash), sqldb.CleanText(agent), at).Scan(&seq, &used)
}
