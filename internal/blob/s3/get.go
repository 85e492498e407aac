package s3

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/minio/minio-go/v7"

	"github.com/figs-web/figs-web/internal/blob"
)

// Open implements blob.Store. It asks only for the size. The first Read fetches all of the bytes, and returns
// *blob.DamagedError instead of any of them if they have another hash.
func (b *Bucket) Open(ctx context.Context, hash string) (io.ReadSeekCloser, int64, error) {
	if !blob.Valid(hash) {
		return nil, 0, blob.ErrNotFound
	}
	size, err := b.stat(ctx, hash)
	if err != nil {
		return nil, 0, err
	}
	c := &content{b: b, ctx: ctx, hash: hash, size: size}
	return object{io.NewSectionReader(c, 0, size), c}, size, nil
}

// object reads the content that is stored under a hash.
type object struct {
	*io.SectionReader
	content *content
}

// Close implements io.Closer.
func (o object) Close() error { return o.content.Close() }

// content is what is stored under a hash, fetched when it is first read.
type content struct {
	b      *Bucket
	ctx    context.Context
	hash   string
	size   int64
	body   *body
	err    error // *blob.DamagedError
	closed bool
}

// ReadAt implements io.ReaderAt.
func (c *content) ReadAt(p []byte, offset int64) (int, error) {
	switch {
	case c.closed:
		return 0, fs.ErrClosed
	case c.err != nil:
		return 0, c.err
	case c.body == nil:
		if err := c.fetch(); err != nil {
			return 0, err
		}
	}
	return c.body.readerAt().ReadAt(p, offset)
}

// fetch gets the content from the bucket. An answer that breaks off is asked for again.
func (c *content) fetch() error {
	var local error // of the temporary file: asking the bucket again won't help
	err := c.b.try(c.ctx, reading, c.b.limits.transfer(c.size), func(ctx context.Context) error {
		answer, _, _, err := c.b.core.GetObject(ctx, c.b.bucket, c.b.key(c.hash), minio.GetObjectOptions{})
		if err != nil {
			return err
		}
		defer answer.Close()
		got := &body{}
		err = got.read(io.LimitReader(answer, c.size+1), c.b.temp)
		var file *fs.PathError
		switch {
		case errors.As(err, &file):
			local, err = err, nil
		case errors.Is(err, io.ErrUnexpectedEOF), err == nil && got.size != c.size:
			err = errCut
		case err == nil:
			c.body = got
			return nil
		}
		got.Close()
		return err
	})
	if err = errors.Join(err, local); err != nil {
		return err
	}
	if c.body.hash != c.hash {
		c.body.Close()
		c.body, c.err = nil, &blob.DamagedError{SHA256: c.hash}
	}
	return c.err
}

// Close implements io.Closer.
func (c *content) Close() error {
	if c.closed {
		return fs.ErrClosed
	}
	c.closed = true
	if c.body != nil {
		c.body.Close()
	}
	return nil
}
