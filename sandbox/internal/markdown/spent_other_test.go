//go:build !unix

package markdown

import (
	"testing"
	"time"
)

var began = time.Now()

// spent is the time since the tests began, where processor time cannot be had.
func spent(*testing.T) time.Duration { return time.Since(began) }
