package folder

import (
	"context"
	"fmt"
	"io"

	"github.com/figs-web/figs-web/figs"
)

// Fold writes the folded records of a ledger, one JSON object a line, the same bytes as
// figs.Folder.AppendFold. When f keeps no bytes, lines are read again from the file, which
// must then have random access.
func (c *Contents) Fold(ctx context.Context, f *figs.Folder, ledger figs.File, w io.Writer) error {
	lines := func(ref figs.LineRef) ([]byte, error) { return f.Bytes(ledger, ref), nil }
	if f.Records(ledger) > 0 && f.Bytes(ledger, f.Trail(ledger, 0)[0]) == nil {
		file, err := c.reopen(ledger)
		if err != nil {
			return err
		}
		defer file.Close()
		lines = func(ref figs.LineRef) ([]byte, error) {
			b := make([]byte, ref.Len)
			_, err := file.ReadAt(b, ref.Offset)
			return b, err
		}
	}
	var out []byte
	for _, rec := range f.FoldOrder(ledger) {
		trail := f.Trail(ledger, rec)
		if ledger == figs.Messages {
			trail = trail[:1] // events are immutable: the first of an id counts (§4.5)
		}
		raw := make([][]byte, len(trail))
		for i, ref := range trail {
			var err error
			if raw[i], err = lines(ref); err != nil {
				return fmt.Errorf("read %s again: %w", ledger, err)
			}
		}
		out = append(figs.AppendObject(out[:0], figs.Fold(raw)), '\n')
		if _, err := w.Write(out); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// RandomAccess reports whether the folder's files can be read again in any place, which those
// of a zip cannot.
func (c *Contents) RandomAccess() bool {
	for _, f := range c.Files {
		file, err := c.fsys.Open(f.Path)
		if err != nil {
			continue
		}
		_, ok := file.(io.ReaderAt)
		file.Close()
		if !ok {
			return false
		}
	}
	return true
}

type randomFile interface {
	io.ReaderAt
	io.Closer
}

func (c *Contents) reopen(kind figs.File) (randomFile, error) {
	for _, f := range c.Files {
		if f.Kind != kind {
			continue
		}
		file, err := c.fsys.Open(f.Path)
		if err != nil {
			return nil, err
		}
		if r, ok := file.(randomFile); ok {
			return r, nil
		}
		file.Close()
	}
	return nil, fmt.Errorf("%s cannot be read again line by line", kind)
}
