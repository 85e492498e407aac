//go:build linux || darwin

package cli

import (
	"os"
	"os/signal"
	"strconv"
	"syscall"
)

// fileLimit is the variable that gives the program a full disk: no file may become larger than so many bytes.
const fileLimit = "FIGS_FILE_LIMIT"

func limitFiles() {
	n, err := strconv.ParseUint(os.Getenv(fileLimit), 10, 64)
	if err != nil {
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
		panic(err)
	}
}
