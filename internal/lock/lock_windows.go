package lock

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"
)

// What Windows says of a file that another program has for itself, and of a part of a file.
const (
	errSharing = syscall.Errno(32)
	errLock    = syscall.Errno(33)
)

func create(name string) (*os.File, error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, errSharing) {
		return nil, ErrHeld
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(handle), name), nil
}

// inUse is locked for a folder, which cannot be locked itself there. While it is open nobody can remove it.
const inUse = "in-use.lock"

func folder(name string) (*os.File, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, ErrShared
	}
	return create(filepath.Join(name, inUse))
}

var lockFile = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

// Locks of Windows keep everybody from the bytes that they cover: this one covers a byte that no
// file has.
const (
	exclusively = 2
	atOnce      = 1
	farOut      = 1 << 30 // of 4 GiB each
)

func try(f *os.File) error {
	connection, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var held error
	err = connection.Control(func(handle uintptr) {
		at := syscall.Overlapped{OffsetHigh: farOut}
		if ok, _, said := lockFile.Call(handle, exclusively|atOnce, 0, 1, 0, uintptr(unsafe.Pointer(&at))); ok == 0 {
			held = said
		}
	})
	switch {
	case err != nil:
		return err
	case errors.Is(held, errLock), errors.Is(held, syscall.ERROR_IO_PENDING):
		return ErrHeld
	}
	return held
}
