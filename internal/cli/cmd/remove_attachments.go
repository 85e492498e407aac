package cmd

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/figs-web/figs-web/internal/blob"
)

// Drop removes the bytes of an attachment, unless another attachment has the same bytes.
func (d *Data) Drop(ctx context.Context, sha256 string) (dropped bool, err error) {
	return d.Store.RemoveBlob(ctx, sha256, func() error { return d.Blobs.Remove(ctx, sha256) })
}

// RemoveBytes removes the bytes that are still to be removed for a workspace, or with an empty id for
// all. What fails stays to be removed; err is the first failure. It stops early while attachments cannot
// be reached at all.
func (d *Data) RemoveBytes(ctx context.Context, workspace string) (removed, waiting int, err error) {
	all, err := d.Store.BlobRemovals(ctx, workspace)
	if err != nil || len(all) == 0 {
		return 0, 0, err
	}
	if d.Reach != nil {
		if err := d.Reach(ctx); err != nil {
			return 0, len(all), err
		}
	}
	for i, r := range all {
		dropped, failed := d.Drop(ctx, r.SHA256)
		if dropped {
			removed++
		}
		if failed != nil {
			waiting++
			if err == nil {
				err = failed
			}
			if ctx.Err() != nil || errors.Is(failed, blob.ErrUnavailable) {
				return removed, waiting + len(all) - i - 1, err
			}
		}
	}
	return removed, waiting, err
}

// removeEvery is how often a server tries again to remove bytes.
const removeEvery = time.Minute

// KeepRemoving removes what erasures and purges have left to be removed, now and every minute.
func (d *Data) KeepRemoving(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(removeEvery)
	defer tick.Stop()
	for {
		removed, waiting, err := d.RemoveBytes(ctx, "")
		if removed > 0 {
			log.Info("attachments were permanently removed", "removed", removed)
		}
		if err != nil && ctx.Err() == nil {
			log.Error("attachments could not be removed yet; the server tries again in a minute", "waiting", waiting, "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
