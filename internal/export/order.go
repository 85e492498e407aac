package export

import (
	"cmp"
	"slices"

	"github.com/figs-web/figs-web/figs"
)

// order puts the lines of one push into the order in which they were written, as far as their times tell: a reader keeps of
// a push what each record got, and which came first of all is not known any more. Lines of one record never change places,
// and one without a time stays behind the line before it. Without this, the second line of a record that was closed late
// would date everything behind it.
type order struct {
	file  figs.File
	at    int64
	lines []placed
	last  map[string]int64 // by record: when its newest line so far was written
}

// placed is a line with when it was written, microseconds since 1970.
type placed struct {
	id string
	v  figs.Version
	at int64
}

// add takes a line, and writes those of the push before, where this one is of another.
func (o *order) add(file figs.File, id string, v figs.Version, write func(figs.File, string, figs.Version) error) error {
	if file == figs.Messages { // which came in this order
		if err := o.flush(write); err != nil {
			return err
		}
		return write(file, id, v)
	}
	if file != o.file || v.At != o.at {
		if err := o.flush(write); err != nil {
			return err
		}
		o.file, o.at = file, v.At
	}
	at, known := writtenAt(v.Line)
	if before, ok := o.last[id]; ok {
		at, known = max(at, before), true
	}
	if n := len(o.lines); !known && n > 0 {
		at = o.lines[n-1].at
	}
	if o.last == nil {
		o.last = map[string]int64{}
	}
	o.last[id] = at
	o.lines = append(o.lines, placed{id, v, at})
	return nil
}

// flush writes what has been taken.
func (o *order) flush(write func(figs.File, string, figs.Version) error) error {
	lines, file := o.lines, o.file
	*o = order{}
	slices.SortStableFunc(lines, func(x, y placed) int { return cmp.Compare(x.at, y.at) })
	for _, l := range lines {
		if err := write(file, l.id, l.v); err != nil {
			return err
		}
	}
	return nil
}

// writtenAt is when a line was written, by what it says: a close often has no time but that of its resolution.
func writtenAt(line []byte) (int64, bool) {
	o := figs.Fold([][]byte{line})
	if at, ok := figs.ParseTime(o.Get("ts").Text()); ok {
		return at, true
	}
	if r := figs.ReadAsk(o).Resolution; r != nil {
		if at, ok := figs.ParseTime(r.TS); ok {
			return at, true
		}
	}
	return figs.NoTime, false
}
