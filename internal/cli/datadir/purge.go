package datadir

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/store"
)

// BringBack is for how long a deleted workspace is kept to be brought back.
const BringBack = 30 * 24 * time.Hour

// PurgeDeleted removes every workspace whose time to be brought back is over, now and every hour.
func PurgeDeleted(ctx context.Context, data *cmd.Data, now func() time.Time, log *slog.Logger) {
	hour := time.NewTicker(time.Hour)
	defer hour.Stop()
	for {
		PurgeDue(ctx, data, now(), log)
		select {
		case <-hour.C:
		case <-ctx.Done():
			return
		}
	}
}

// PurgeDue removes them once.
func PurgeDue(ctx context.Context, data *cmd.Data, now time.Time, log *slog.Logger) {
	all, err := data.Store.ListWorkspaces(ctx)
	for i := range all {
		w := &all[i]
		if w.Deleted == 0 || w.Purged() || now.Before(time.UnixMicro(w.Deleted).Add(BringBack)) {
			continue
		}
		failed := data.Store.PurgeWorkspace(ctx, store.Act{At: now.UnixMicro()}, w.ID)
		if errors.Is(failed, store.ErrNotFound) {
			continue // another server has just done it
		}
		if err = errors.Join(err, failed); failed == nil {
			log.Info("a workspace that was deleted 30 days ago was permanently removed", "workspace", w.ID)
		}
	}
	if err != nil && ctx.Err() == nil {
		log.Error("deleted workspaces could not be removed", "error", err)
	}
}
