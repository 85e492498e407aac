//go:build !windows

package local

import (
	"errors"
	"os"
	"syscall"
)

// openAtOnce opens what has become a pipe meanwhile without waiting for somebody to read it.
const openAtOnce = syscall.O_NONBLOCK

// writeOnce writes by one call of the system: the standard library would go on after a short
// write, behind whatever another program wrote in between.
func writeOnce(f *os.File, b []byte) (n int, err error) {
	connection, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	err = connection.Control(func(fd uintptr) {
		for {
			if n, failed = syscall.Write(int(fd), b); failed != syscall.EINTR {
				return
			}
		}
	})
	return max(0, n), errors.Join(err, failed)
}

// names is under how many names a file stands on its disk.
func names(info os.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}

// isFull reports whether a disk, or the share of it that a user may take, is full.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
