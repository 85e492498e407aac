//go:build !windows

package main

import "os"

// hasEscapes reports whether a terminal obeys escape sequences.
func hasEscapes(*os.File) bool { return true }
