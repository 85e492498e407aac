package figstest

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/figs-web/figs-web/figs"
)

// Feeding says how bytes reach the core; nothing of it may change what the core says.
type Feeding struct {
	Keep    bool // the core keeps the bytes
	Chunk   int  // most bytes of a piece; 0: whole files
	Reverse bool // files in reverse order of their names
}

// Read puts a vector's folder into the core and finishes it.
func Read(v Vector, how Feeding) (*figs.Folder, error) {
	f := figs.New(figs.Options{Keep: how.Keep, Now: v.Now})
	names := slices.Sorted(maps.Keys(v.Files))
	if how.Reverse {
		slices.Reverse(names)
	}
	for _, name := range names {
		file := figs.ParseFile(name)
		if file == figs.NoFile {
			continue // readers ignore what the protocol does not name (§1)
		}
		for piece := range pieces(v.Files[name], how.Chunk) {
			f.Feed(file, piece)
			if !how.Keep { // then it is the caller's again, who may read the next piece into it
				for i := range piece {
					piece[i] = '#'
				}
			}
		}
	}
	for _, a := range v.Artifacts {
		f.Attach(a.Name, a.Size)
	}
	for _, p := range v.Problems {
		code, ok := figs.ParseCode(p.Code)
		if !ok {
			return nil, fmt.Errorf("no rule is called %q", p.Code)
		}
		f.Problem(p.File, code, "")
	}
	f.Finish()
	return f, nil
}

// pieces cuts b; an empty file is one empty piece, which says that it exists.
func pieces(b []byte, chunk int) func(yield func([]byte) bool) {
	if chunk <= 0 || len(b) == 0 {
		return func(yield func([]byte) bool) { yield(slices.Clone(b)) }
	}
	return slices.Chunk(slices.Clone(b), chunk)
}

// Core is the door of the core itself, kept whole in memory.
func Core(v Vector) (Result, error) { return read(v, Feeding{Keep: true}) }

// CoreReversed is the same door with the files in another order.
func CoreReversed(v Vector) (Result, error) { return read(v, Feeding{Keep: true, Reverse: true}) }

func read(v Vector, how Feeding) (Result, error) {
	f, err := Read(v, how)
	if err != nil {
		return Result{}, err
	}
	result := Result{FindingsJSON: figs.AppendFindings(nil, f.Finish()), Fold: map[string][]byte{}, States: States(f)}
	for ledger, file := range map[string]figs.File{"runs": figs.Runs, "asks": figs.Asks, "messages": figs.Messages} {
		result.Fold[ledger] = f.AppendFold(nil, file)
	}
	return result, nil
}

// CoreInPieces is a door of the core that keeps no bytes and is fed a little at a time, as a
// large ledger is read. It has no folds.
func CoreInPieces(chunk int) func(Vector) (Result, error) {
	return func(v Vector) (Result, error) {
		size := 0
		for _, b := range v.Files {
			size += len(b)
		}
		if size/chunk > 1<<20 {
			return Result{}, fmt.Errorf("%w: more than a million pieces", errors.ErrUnsupported)
		}
		f, err := Read(v, Feeding{Chunk: chunk})
		if err != nil {
			return Result{}, err
		}
		return Result{FindingsJSON: figs.AppendFindings(nil, f.Finish()), States: States(f)}, nil
	}
}

// States writes where each ask of a finished folder stands, as vectors have it.
func States(f *figs.Folder) []string {
	states := make([]string, f.Records(figs.Asks))
	for i := range states {
		states[i] = StateLine(f.ID(figs.Asks, i), f.State(i))
	}
	return states
}

// StateLine writes one ask's state: "id: phase round N", and "reported" where the reply that
// decides is only transcribed (§6). An odd id is quoted, a missing one is "".
func StateLine(id string, s figs.AskState) string {
	line := fmt.Sprintf("%s: %s round %d", quoteOdd(id), s.Phase, s.Round)
	if s.Reported {
		line += " reported"
	}
	return line
}
