package wholefile

import (
	"errors"
	"io/fs"
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

// IsFull reports whether a disk is full.
func IsFull(err error) bool { return errors.Is(err, errHandleFull) || errors.Is(err, errDiskFull) }

func unsupported(error) bool { return false }

func chown(*os.File, fs.FileInfo) {}
