package main

import (
	"os"
	"syscall"
)

var setConsoleMode = syscall.NewLazyDLL("kernel32.dll").NewProc("SetConsoleMode")

// virtualTerminal has a console obey escape sequences. Windows Terminal starts programs with it, the older console without.
const virtualTerminal = 0x0004

// hasEscapes reports whether a console obeys escape sequences, and turns them on if it can.
func hasEscapes(f *os.File) bool {
	handle, mode := syscall.Handle(f.Fd()), uint32(0)
	if syscall.GetConsoleMode(handle, &mode) != nil {
		return false
	}
	if mode&virtualTerminal != 0 {
		return true
	}
	ok, _, _ := setConsoleMode.Call(uintptr(handle), uintptr(mode|virtualTerminal))
	return ok != 0
}
