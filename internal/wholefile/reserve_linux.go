package wholefile

import (
	"os"
	"syscall"
)

// keepSize reserves room beyond the end of a file, whose length stays.
const keepSize = 1

// reserve makes sure that so many bytes can be appended, so that a full disk is noticed before a
// part of a line is written. Where the file system cannot say, the write itself will.
func reserve(f *os.File, n int64) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	connection, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = connection.Control(func(fd uintptr) { failed = syscall.Fallocate(int(fd), keepSize, info.Size(), n) })
	if err != nil {
		return err
	}
	return failed
}
