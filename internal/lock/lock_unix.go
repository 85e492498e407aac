//go:build !windows

package lock

import (
	"errors"
	"io/fs"
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

func folder(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	switch {
	case errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EMLINK): // as FreeBSD says of a link
		return nil, ErrShared
	case err != nil:
		return nil, err
	}
	if err := alone(file, name); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// alone locks an open folder of this user's, which must be the one that has the name still.
func alone(file *os.File, name string) error {
	is, err := file.Stat()
	if err != nil {
		return err
	}
	if by, known := is.Sys().(*syscall.Stat_t); !known || int(by.Uid) != os.Geteuid() || is.Mode().Perm()&0o022 != 0 {
		return ErrShared
	}
	if err := try(file); err != nil {
		return err
	}
	if named, err := os.Lstat(name); err != nil || !os.SameFile(is, named) {
		return fs.ErrNotExist
	}
	return nil
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
