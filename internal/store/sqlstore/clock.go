package sqlstore

import (
	"context"
	"time"
)

// Time implements store.Clock.
func (s *Store) Time(ctx context.Context) (now int64, err error) {
	if s.config == nil {
		return time.Now().UnixMicro(), nil
	}
	return now, s.row(ctx, `SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)`).Scan(&now)
}
