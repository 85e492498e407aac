package cli

import (
	"errors"
	"io/fs"
	"os"

	"github.com/figs-web/figs-web/internal/wholefile"
)

// createWhole makes a new file, with the usual rights of one. It gets its name only when fill has written all of it. When the name is taken, it fails and changes nothing.
func createWhole(to string, fill func(*os.File) error) error {
	err := wholefile.WritePath(to, wholefile.Options{}, fill)
	if errors.Is(err, fs.ErrExist) {
		return fail(taken, quote(to)+" is there already.", "Name a file that is not, so that nothing is replaced.")
	}
	return err
}
