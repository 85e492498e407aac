package handlers

import (
	"os"
	"testing"

	"github.com/figs-web/figs-web/internal/accounts"
)

// TestMain makes passwords cheap: what a hash costs is package accounts's, and tested there.
func TestMain(m *testing.M) {
	accounts.UseCheapHashesForTests()
	os.Exit(m.Run())
}
