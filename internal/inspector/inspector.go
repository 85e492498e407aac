// Package inspector is the inspector as this program carries it: one HTML file, ready to be
// served, written to disk, or compared with a copy that somebody else kept.
package inspector

import (
	"bytes"
	"errors"

	"github.com/figs-web/figs-web/internal/inspector/artifact"
	"github.com/figs-web/figs-web/static"
)

// ErrMissing says that this program was built without the WebAssembly modules.
var ErrMissing = errors.New("this figs-web was built without its inspector; run make build")

// File returns the inspector, or ErrMissing. The bytes must not be changed.
func File() ([]byte, error) { return carried("inspector.html") }

// Brotli returns the same file compressed with brotli, or ErrMissing.
func Brotli() ([]byte, error) { return carried("inspector.html.br") }

// Policy returns the Content-Security-Policy to send with File, or ErrMissing.
func Policy() (string, error) {
	file, err := File()
	if err != nil {
		return "", err
	}
	slots, err := artifact.Slots(file)
	if err != nil {
		return "", err
	}
	return slots["policy"], nil
}

// Report is what Check found out about a file.
type Report struct {
	artifact.Report
	// Carried says that the file is, byte for byte, the one that this program carries.
	Carried bool
}

// Check verifies a copy of the inspector. The error is artifact.ErrForeign when the file is
// something else; a file that was changed gives a report with problems instead.
func Check(file []byte) (*Report, error) {
	found, err := artifact.Check(file)
	if err != nil {
		return nil, err
	}
	own, err := File()
	return &Report{Report: *found, Carried: err == nil && bytes.Equal(own, file)}, nil
}

// carried returns one embedded file of static/wasm.
func carried(name string) ([]byte, error) {
	b, err := static.Files.ReadFile("wasm/" + name)
	if err != nil {
		return nil, ErrMissing
	}
	return b, nil
}
