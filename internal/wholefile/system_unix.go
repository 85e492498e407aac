//go:build !windows

package wholefile

import (
	"errors"
	"io/fs"
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

// IsFull reports whether a disk, or the share of it that a user may take, is full.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// unsupported reports whether a file system says that it does not flush folders.
func unsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL)
}

// chown gives a file the owner of its model. Where this user may not, it stays this user's.
func chown(f *os.File, model fs.FileInfo) {
	of, ok := model.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	if os.Geteuid() == 0 {
		f.Chown(int(of.Uid), int(of.Gid))
	} else if model.Mode().IsRegular() {
		f.Chown(-1, int(of.Gid))
	}
}
