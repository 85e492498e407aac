//go:build linux || darwin

package cli

import "syscall"

// freeIn is how many bytes the disk of a folder still takes from this program.
func freeIn(dir string) func() (int64, error) {
	return func() (int64, error) {
		var s syscall.Statfs_t
		if err := syscall.Statfs(dir, &s); err != nil {
			return 0, err
		}
		return int64(s.Bavail) * int64(s.Bsize), nil
	}
}
