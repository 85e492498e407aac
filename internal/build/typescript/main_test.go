package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

// TestTypesAreCurrent compares the committed types with those that the Go types give.
func TestTypesAreCurrent(t *testing.T) {
	got, err := os.ReadFile(filepath.Join(testenv.Root(t), target))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, generate()) {
		t.Errorf("%s is not what the Go types say: run make generate, and commit it", target)
	}
}
