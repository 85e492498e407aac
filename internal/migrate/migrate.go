// Package migrate moves all that a hosted reader keeps from one database to another, and its
// attachments from one place to another, and proves that it has arrived. What was broken off goes
// on where it was; until everything is proven, the target is marked, so that no server starts on it.
package migrate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// Options say what is moved, and where to.
type Options struct {
	From      store.Store
	To        store.Store // a store.Copier; nil: the database stays where it is
	FromBlobs blob.Store
	ToBlobs   blob.Store // nil: attachments stay where they are
	// Again removes first what a copy that was broken off has brought.
	Again bool
	// Running takes a source to which a server writes meanwhile: what comes after the beginning is not
	// in the copy. Otherwise that is an error.
	Running  bool
	Progress func(stage Stage, done, total int64) // nil
}

// Stage is what is being done.
type Stage int

// Rows are counted in rows, Attachments in bytes, and of Proof nothing is counted.
const (
	Rows Stage = iota
	Attachments
	Proof
)

// Moved is what was moved, and proven.
type Moved struct {
	Tables  []store.CopiedTable
	Went    int64 // rows that this call has written
	State   string
	Audit   []Chain
	Blobs   int   // attachments that are there and have been read back
	New     int   // of these, how many this call has written
	Bytes   int64 // of all of them
	Missing []string
	// Unremoved are attachments that were to be removed for good and that the place they moved from still holds: it is only read.
	Unremoved []string
	Followed  bool // with Running: the source has more than was copied
}

// Chain is where the audit of a workspace ends.
type Chain struct {
	Workspace string `json:"workspace"` // id; "" is what belongs to none
	Slug      string `json:"slug,omitempty"`
	Rows      int64  `json:"rows"`
	Head      string `json:"head"`
	Broken    int64  `json:"broken,omitempty"` // number of the first row that is not what it was
}

// ErrChanged says that somebody has written to the source while it was copied.
var ErrChanged = errors.New("migrate: the source was written to while it was copied")

// Unlike says that the copy does not answer as the source does.
type Unlike struct{ What, From, To string }

func (e *Unlike) Error() string {
	return fmt.Sprintf("migrate: the %s is %s in the source and %s in the copy", e.What, e.From, e.To)
}

// Run moves. After an error the same call goes on. It returns what store.Copier does, ErrChanged,
// *Unlike, *Spoilt and what the places of attachments return.
func Run(ctx context.Context, o Options) (*Moved, error) {
	m := &Moved{}
	listed := o.From
	var copied *store.Copied
	var to store.Copier
	if o.To != nil {
		var ok bool
		if to, ok = o.To.(store.Copier); !ok {
			return nil, fmt.Errorf("migrate: copying into a %T is not known", o.To)
		}
		var err error
		if copied, err = to.CopyFrom(ctx, o.From, store.CopyOptions{Again: o.Again, Progress: o.stage(Rows)}); err != nil {
			return nil, err
		}
		m.Tables, m.Went, listed = copied.Tables, copied.Went, o.To
	}
	if o.ToBlobs != nil {
		if err := m.attachments(ctx, o, listed); err != nil {
			return nil, err
		}
	}
	if to == nil {
		return m, nil
	}
	o.tell(Proof, 0, 0)
	if err := m.prove(ctx, o, copied); err != nil {
		return nil, err
	}
	return m, to.FinishCopy(ctx)
}

func (o *Options) tell(s Stage, done, total int64) {
	if o.Progress != nil {
		o.Progress(s, done, total)
	}
}

func (o *Options) stage(s Stage) func(done, total int64) {
	return func(done, total int64) { o.tell(s, done, total) }
}

// prove asks both stores the same. That every value has arrived was proven while it was copied; this
// goes through the doors by which a server reads.
func (m *Moved) prove(ctx context.Context, o Options, copied *store.Copied) (err error) {
	if m.State, err = o.To.StateHash(ctx); err != nil {
		return err
	}
	if m.Audit, err = chains(ctx, o.To); err != nil {
		return err
	}
	from, ok := o.From.(store.Copier)
	if !ok {
		return fmt.Errorf("migrate: copying out of a %T is not known", o.From)
	}
	// As long as the source stands where it stood, its answers can be held against those of the copy.
	state, err := o.From.StateHash(ctx)
	if err != nil {
		return err
	}
	audit, err := chains(ctx, o.From)
	if err != nil {
		return err
	}
	standing, err := from.Standing(ctx)
	if err != nil {
		return err
	}
	if m.Followed = standing != copied.Standing; m.Followed {
		if !o.Running {
			return ErrChanged
		}
		return nil
	}
	changed := ""
	if !o.Running {
		if changed, err = from.Changed(ctx, copied.Tables); err != nil {
			return err
		}
	}
	if changed != "" {
		return ErrChanged
	}
	if state != m.State {
		return &Unlike{"state hash", state, m.State}
	}
	if !slices.Equal(audit, m.Audit) {
		return &Unlike{"audit", fmt.Sprint(audit), fmt.Sprint(m.Audit)}
	}
	return nil
}

// chains goes through every audit.
func chains(ctx context.Context, s store.Store) ([]Chain, error) {
	all, err := s.ListWorkspaces(ctx)
	if err != nil {
		return nil, err
	}
	list := []Chain{{}}
	for _, w := range all {
		list = append(list, Chain{Workspace: w.ID, Slug: w.Slug})
	}
	for i := range list {
		c, err := s.VerifyAudit(ctx, list[i].Workspace)
		if err != nil {
			return nil, err
		}
		list[i].Rows, list[i].Head, list[i].Broken = c.Rows, c.Head, c.Broken
	}
	return list, nil
}
