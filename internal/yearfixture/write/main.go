// Command write puts the generated year of five agents into a directory, up to a day: something with a
// history to open, search, compare and share.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/figs-web/figs-web/internal/yearfixture"
)

func main() {
	day := yearfixture.Last
	switch len(os.Args) {
	case 2:
	case 3:
		var err error
		if day, err = time.Parse(time.DateOnly, os.Args[2]); err != nil {
			fail("The day is written as 2026-05-31.")
		}
	default:
		fail("usage: go run ./internal/yearfixture/write DIRECTORY [DAY]")
	}
	if err := yearfixture.Write(os.Args[1], day); err != nil {
		fail(err.Error())
	}
}

func fail(sentence string) {
	fmt.Fprintln(os.Stderr, sentence)
	os.Exit(1)
}
