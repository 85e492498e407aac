package agentfile

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// Reader reads one Workflows; it is a kind.Reader.
type Reader struct{ state Workflows }

var _ kind.Reader = (*Reader)(nil)

// New begins to read.
func New() *Reader { return &Reader{} }

// State is what was read, after Finish.
func (r *Reader) State() *Workflows { return &r.state }

func (r *Reader) See(path string) (wanted bool)                      { return false }
func (r *Reader) Give(path string, content []byte)                   {}
func (r *Reader) Problem(path string, code figs.Code, detail string) {}
func (r *Reader) Targets() []string                                  { return nil }
func (r *Reader) Look(path string, t kind.Target)                    {}
func (r *Reader) Finish(now string) *figs.Report                     { return &figs.Report{Now: now} }

// Files lists every file that was seen in the project's folders.
func (r *Reader) Files() []string { return nil }

// States says in a line each where the records stand.
func (s *Workflows) States() []string { return nil }
