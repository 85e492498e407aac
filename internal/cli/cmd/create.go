package cmd

import (
	"errors"
	"io/fs"
	"os"

	"github.com/figs-web/figs-web/internal/wholefile"
)

// CreateWhole makes a new file, with the usual rights of one. It gets its name only when fill has written all of it. When the name is taken, it fails and changes nothing.
func CreateWhole(to string, fill func(*os.File) error) error {
	err := wholefile.WritePath(to, wholefile.Options{}, fill)
	if errors.Is(err, fs.ErrExist) {
		return Fail(AlreadyExists, Quote(to)+" already exists.", "Choose a name that doesn't exist. Nothing is replaced.")
	}
	return err
}
