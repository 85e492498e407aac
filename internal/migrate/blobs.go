package migrate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

const (
	atOnce   = 4        // attachments that are under way
	mostBlob = 64 << 20 // is more than an attachment may have
)

// Spoilt says that the target gives other bytes than it was just given.
type Spoilt struct{ SHA256 string }

func (e *Spoilt) Error() string {
	return "migrate: the attachment " + e.SHA256 + " cannot be read back as it was written"
}

// carrier brings attachments from one place to another.
type carrier struct {
	from, to blob.Store
	progress func(done, total int64)

	mutex       sync.Mutex // of what follows
	moved       *Moved
	done, total int64
	err         error
}

// piece is one attachment.
type piece struct {
	hash string
	size int64
}

// attachments brings every one that a store names. One that is there and whole is only read.
func (m *Moved) attachments(ctx context.Context, o Options, listed store.Store) error {
	var all []piece
	c := &carrier{from: o.FromBlobs, to: o.ToBlobs, progress: o.stage(Attachments), moved: m}
	if err := listed.EachBlob(ctx, func(hash string, size int64) error {
		all = append(all, piece{hash, size})
		c.total += size
		return nil
	}); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	work := make(chan piece)
	var wait sync.WaitGroup
	for range atOnce {
		wait.Go(func() {
			for p := range work {
				if err := c.bring(ctx, p); err != nil {
					c.fail(err)
					stop()
				}
			}
		})
	}
	for _, p := range all {
		select {
		case work <- p:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(work)
	wait.Wait()
	slices.Sort(m.Missing)
	if c.err != nil {
		return c.err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return m.findUnremoved(ctx, o.FromBlobs, listed, all)
}

// findUnremoved lists the bytes to be removed for good that the source still holds. They aren't named by any attachment,
// so they don't move, and the servers of the target look for them in the target only.
func (m *Moved) findUnremoved(ctx context.Context, from blob.Store, listed store.Store, moved []piece) error {
	removals, err := listed.Removals(ctx, "")
	if err != nil {
		return err
	}
	for _, r := range removals {
		if slices.ContainsFunc(moved, func(p piece) bool { return p.hash == r.SHA256 }) {
			continue // another attachment has the same bytes
		}
		var damaged *blob.Damaged
		content, _, err := from.Open(ctx, r.SHA256)
		switch {
		case errors.Is(err, blob.ErrNotFound):
			continue
		case err == nil:
			content.Close()
		case !errors.As(err, &damaged):
			return fmt.Errorf("looking for the attachment %s, which is to be removed: %w", r.SHA256, err)
		}
		m.Unremoved = append(m.Unremoved, r.SHA256)
	}
	return nil
}

// fail keeps the first error, which may have been the end of the others.
func (c *carrier) fail(err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.err == nil {
		c.err = err
	}
}

// bring brings one attachment, and reads it back.
func (c *carrier) bring(ctx context.Context, p piece) error {
	content, wrong, err := whole(ctx, c.to, p.hash)
	if err != nil || content != nil {
		return c.count(p, int64(len(content)), false, err)
	}
	if content, _, err = whole(ctx, c.from, p.hash); err != nil {
		return err
	}
	if content == nil {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.moved.Missing = append(c.moved.Missing, p.hash)
		return nil
	}
	if wrong {
		if err := c.to.Remove(ctx, p.hash); err != nil {
			return err
		}
	}
	if _, _, err := c.to.Put(ctx, bytes.NewReader(content), mostBlob); err != nil {
		return err
	}
	for try := 1; ; try++ { // what was spoilt on its way here comes whole the next time
		back, _, err := whole(ctx, c.to, p.hash)
		if err == nil && back == nil {
			err = &Spoilt{p.hash}
		}
		if err == nil {
			break
		} else if try == 3 {
			return err
		}
	}
	return c.count(p, int64(len(content)), true, nil)
}

func (c *carrier) count(p piece, size int64, wrote bool, err error) error {
	if err != nil {
		return err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.moved.Blobs++
	c.moved.Bytes += size
	if wrote {
		c.moved.New++
	}
	c.done += p.size
	c.progress(c.done, c.total)
	return nil
}

// whole reads an attachment; nil when it is not there, or is there with other bytes than its name says.
func whole(ctx context.Context, from blob.Store, hash string) (content []byte, wrong bool, err error) {
	r, _, err := from.Open(ctx, hash)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, false, nil
	}
	var damaged *blob.Damaged
	if err == nil {
		defer r.Close()
		content, err = io.ReadAll(io.LimitReader(reader{ctx, r}, mostBlob+1))
	}
	switch {
	case errors.As(err, &damaged):
		return nil, true, nil
	case err != nil:
		return nil, false, fmt.Errorf("reading the attachment %s: %w", hash, err)
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != hash {
		return nil, true, nil
	}
	return content, false, nil // ReadAll gives a list also of nothing
}

// reader ends with its context.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}
