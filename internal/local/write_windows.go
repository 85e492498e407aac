package local

import "os"

const openAtOnce = 0

// names is under how many names a file stands on its disk; here nobody says so without opening it again.
func names(os.FileInfo) uint64 { return 1 }
