package export

import (
	"io"

	"github.com/figs-web/figs-web/figs"
)

// Only leaves out the attachments that keep refuses, so that not all bytes of an agent are read where one ask is wanted.
func (e *Export) Only(keep func(name string) bool) {
	for _, a := range e.agents {
		kept := a.files[:0]
		for _, f := range a.files {
			if keep(f.Name) {
				kept = append(kept, f)
			}
		}
		a.files = kept
	}
}

// Lines is a ledger of the only agent of an export, as its folder has it.
func (e *Export) Lines(file figs.File) io.Reader {
	s := e.agents[0].ledgers[file]
	return io.NewSectionReader(e.spool, s.from, s.size)
}

// FileBytes is how large the attachments are together.
func (e *Export) FileBytes() (sum int64) {
	for _, a := range e.agents {
		for _, f := range a.files {
			sum += f.Size
		}
	}
	return sum
}
