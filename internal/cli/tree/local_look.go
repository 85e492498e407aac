package tree

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
)

// look is what tells from outside whether an agent's asks and replies have changed.
func (t *LocalTree) look(g *localAgent) string {
	var b strings.Builder
	for _, kind := range []figs.File{figs.ConfigJSON, figs.Asks, figs.Messages} {
		name := g.Contents.PathOf(kind.String())
		if info, err := fs.Stat(t.Source.FS, name); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

// lookAgain lists the files of an agent again: a ledger may have been added since.
func (t *LocalTree) lookAgain(g *localAgent) *folder.Contents {
	if g.Contents.Alone {
		return g.Contents
	}
	return folder.List(t.Source.FS, g.Contents.Dir)
}
