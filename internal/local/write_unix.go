//go:build !windows

package local

import (
	"os"
	"syscall"
)

// openAtOnce opens what has become a pipe meanwhile without waiting for somebody to read it.
const openAtOnce = syscall.O_NONBLOCK

// names is under how many names a file stands on its disk.
func names(info os.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}
