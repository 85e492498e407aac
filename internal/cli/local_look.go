package cli

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
)

// look is what tells from outside whether an agent's asks and replies have changed.
func (t *localTree) look(g *localAgent) string {
	var b strings.Builder
	for _, kind := range []figs.File{figs.ConfigJSON, figs.Asks, figs.Messages} {
		name := g.contents.PathOf(kind.String())
		if info, err := fs.Stat(t.source.fsys, name); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

// lookAgain lists the files of an agent anew: a ledger may have come since.
func (t *localTree) lookAgain(g *localAgent) *folder.Contents {
	if g.contents.Alone {
		return g.contents
	}
	return folder.Look(t.source.fsys, g.contents.Dir)
}
