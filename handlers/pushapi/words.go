package pushapi

import (
	"io"

	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/attachtext"
)

// words is what search finds in a file: the text of those that are text.
func words(name string, content *spool) (string, error) {
	if !find.HasText(name) {
		return "", nil
	}
	b, err := io.ReadAll(io.LimitReader(content.Reader(), attachtext.MaxBytes))
	if err != nil {
		return "", err
	}
	return attachtext.Extract(name, b), nil
}
