package sqldb

import (
	"context"
	"time"
)

// Time implements store.Clock.
func (db *DB) Time(ctx context.Context) (now int64, err error) {
	if db.Config == nil {
		return time.Now().UnixMicro(), nil
	}
	return now, db.Row(ctx, `SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)`).Scan(&now)
}
