package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// MismatchError is the error of a copy that differs from the store it was made from.
type MismatchError struct{ What, Want, Got string }

func (e *MismatchError) Error() string {
	return fmt.Sprintf("backup: the %s is %s in the backup and %s in the copy", e.What, e.Want, e.Got)
}

// Copy copies every row of one store into an empty one, which becomes usable once both give the same state hash and
// audits. After an error the same call continues. It returns *MismatchError and the errors of store.Copier.
func Copy(ctx context.Context, from, to store.Store, o store.CopyOptions) error {
	target, ok := to.(store.Copier)
	if !ok {
		return fmt.Errorf("backup: a %T cannot take a copy", to)
	}
	if _, err := target.CopyFrom(ctx, from, o); err != nil {
		return err
	}
	want, err := from.StateHash(ctx)
	if err != nil {
		return err
	}
	got, err := to.StateHash(ctx)
	if err != nil {
		return err
	}
	if got != want {
		return &MismatchError{"state hash", want, got}
	}
	audit, err := chains(ctx, from)
	if err != nil {
		return err
	}
	copied, err := chains(ctx, to)
	if err != nil {
		return err
	}
	if !slices.Equal(audit, copied) {
		return &MismatchError{"audit", fmt.Sprint(audit), fmt.Sprint(copied)}
	}
	return target.FinishCopy(ctx)
}

// putTries is how often an attachment is written to storage that returns other bytes than it was given.
const putTries = 3

// putBlob stores an attachment and reads it back. Wrong bytes under its hash are replaced.
func putBlob(ctx context.Context, to blob.Store, hash string, content []byte) error {
	for try := 1; ; try++ {
		if _, _, err := to.Put(ctx, bytes.NewReader(content), mostBlob); err != nil {
			return err
		}
		err := readBack(ctx, to, hash)
		var damaged *blob.DamagedError
		if err == nil || try == putTries || !errors.As(err, &damaged) {
			return err
		}
		if err := to.Remove(ctx, hash); err != nil {
			return err
		}
	}
}

// readBack returns *blob.DamagedError if a store doesn't hold the bytes with that hash.
func readBack(ctx context.Context, from blob.Store, hash string) error {
	r, _, err := from.Open(ctx, hash)
	if errors.Is(err, blob.ErrNotFound) {
		return &blob.DamagedError{SHA256: hash}
	}
	if err != nil {
		return err
	}
	defer r.Close()
	sum, _, err := hashed(nil, &reader{ctx, r, nil})
	if err == nil && sum != hash {
		err = &blob.DamagedError{SHA256: hash}
	}
	return err
}
