package viewer

import (
	"github.com/figs-web/figs-web/internal/journal"
)

func FileKind(f *journal.File) string {
	if f.Present() {
		return "file"
	}
	return "missing"
}
