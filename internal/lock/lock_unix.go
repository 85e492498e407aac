//go:build !windows

package lock

import (
	"errors"
	"os"
	"syscall"
)

func create(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := try(file); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func try(f *os.File) error {
	connection, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var held error
	err = connection.Control(func(fd uintptr) {
		for held = syscall.EINTR; held == syscall.EINTR; {
			held = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB)
		}
	})
	switch {
	case err != nil:
		return err
	case errors.Is(held, syscall.EWOULDBLOCK):
		return ErrHeld
	case errors.Is(held, syscall.ENOTSUP), errors.Is(held, syscall.ENOSYS), errors.Is(held, syscall.ENOLCK), errors.Is(held, syscall.EBADF):
		return errors.Join(ErrUnable, held)
	}
	return held
}
