//go:build linux || darwin

package cmd

import (
	"syscall"
)

// FreeIn is how many bytes the disk of a folder still takes from this program.
func FreeIn(dir string) func() (int64, error) {
	return func() (int64, error) {
		var s syscall.Statfs_t
		if err := syscall.Statfs(dir, &s); err != nil {
			return 0, err
		}
		return int64(s.Bavail) * int64(s.Bsize), nil
	}
}
