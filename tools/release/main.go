// Command release reads a configuration with GoReleaser's own types, which refuse every name that GoReleaser does not
// know. GoReleaser itself, with its `goreleaser check`, takes hundreds of modules and some minutes to build.
//
//	go -C tools/release run . ../../.goreleaser.yaml
package main

import (
	"fmt"
	"os"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: release FILE")
		os.Exit(2)
	}
	project, err := config.Load(os.Args[1])
	if err == nil && project.Version != 2 {
		err = fmt.Errorf("it is written for version %d of GoReleaser, want 2", project.Version)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}
