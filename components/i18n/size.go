package i18n

import (
	"context"
	"strconv"
	"strings"
)

// ByteSize is a size as people say it: bytes below 1,000, then KB, MB, GB.
func ByteSize(ctx context.Context, n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	value, unit := float64(n)/1000, 0
	for value >= 999.5 && unit < 3 {
		value, unit = value/1000, unit+1
	}
	digits := 0
	if value < 99.5 {
		digits = 1
	}
	text := strings.TrimSuffix(strconv.FormatFloat(value, 'f', digits, 64), ".0")
	if point := languageOf(ctx).Point; point != "." {
		text = strings.Replace(text, ".", point, 1)
	}
	return text + [...]string{" KB", " MB", " GB", " TB"}[unit]
}
