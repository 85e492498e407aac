package flue

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// Reader reads one Channels; it is a kind.Reader.
type Reader struct{ state Channels }

var _ kind.Reader = (*Reader)(nil)

// New begins to read.
func New() *Reader { return &Reader{} }

// State is what was read, after Finish.
func (r *Reader) State() *Channels { return &r.state }

func (r *Reader) See(path string) (wanted bool)                      { return false }
func (r *Reader) Give(path string, content []byte)                   {}
func (r *Reader) Problem(path string, code figs.Code, detail string) {}
func (r *Reader) Targets() []string                                  { return nil }
func (r *Reader) Look(path string, t kind.Target)                    {}
func (r *Reader) Finish(now string) *figs.Report                     { return &figs.Report{Now: now} }

// States says in a line each where the records stand.
func (s *Channels) States() []string { return nil }
