package static

import (
	"io/fs"
	"testing"
)

// TestBaseFirst holds the sheet that orders the layers before all others: they are joined in the order of their
// names, and the first that names a layer gives it its place.
func TestBaseFirst(t *testing.T) {
	sheets, err := fs.Glob(Files, "css/*.css")
	if err != nil || len(sheets) < 20 {
		t.Fatalf("%d sheets: %v", len(sheets), err)
	}
	if sheets[0] != "css/base.css" {
		t.Errorf("%s is read before base.css, which orders the layers: give it another name", sheets[0])
	}
}
