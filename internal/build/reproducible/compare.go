package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
)

// compare reports whether two files hold the same bytes, and says their hash, or where they first differ.
func compare(a, b string) (same bool, said string, err error) {
	first, err := os.ReadFile(a)
	if err != nil {
		return false, "", err
	}
	second, err := os.ReadFile(b)
	if err != nil {
		return false, "", err
	}
	if bytes.Equal(first, second) {
		return true, fmt.Sprintf("the same: %d bytes, SHA-256 %x", len(first), sha256.Sum256(first)), nil
	}
	at := 0
	for at < len(first) && at < len(second) && first[at] == second[at] {
		at++
	}
	return false, fmt.Sprintf("differs: %d and %d bytes, from byte %d on: %q and %q", len(first), len(second), at, around(first, at), around(second, at)), nil
}

// around is what stands at a byte, with enough of its surroundings to recognise it.
func around(b []byte, at int) []byte {
	const before, after = 40, 60
	return b[max(0, at-before):min(len(b), at+after)]
}
