//go:build !unix

package effort

import (
	"testing"
	"time"
)

var began = time.Now()

// Spent is the time since the tests began, where processor time cannot be had.
func Spent(testing.TB) time.Duration { return time.Since(began) }
