package local

import (
	"errors"
	"os"
	"syscall"
)

const openAtOnce = 0

func writeOnce(f *os.File, b []byte) (int, error) { return f.Write(b) }

// What Windows says of a full disk.
const (
	errHandleFull = syscall.Errno(39)
	errDiskFull   = syscall.Errno(112)
)

func isFull(err error) bool { return errors.Is(err, errHandleFull) || errors.Is(err, errDiskFull) }
