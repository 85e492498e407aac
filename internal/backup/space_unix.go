//go:build linux || darwin

package backup

import "syscall"

// free is how many bytes the disk of a folder takes still; -1 when nobody knows.
func free(dir string) int64 {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
