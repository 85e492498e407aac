package handlers

import (
	"os"
	"testing"

	"github.com/figs-web/figs-web/internal/people"
)

// TestMain makes passwords cheap: what a hash costs is package people's, and tested there.
func TestMain(m *testing.M) {
	people.CheapForTests()
	os.Exit(m.Run())
}
