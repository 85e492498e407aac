package s3

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/figs-web/figs-web/internal/blob"
)

// Open implements blob.Store. It asks for the size alone; the bytes are asked for when they are read.
func (b *Bucket) Open(ctx context.Context, hash string) (io.ReadSeekCloser, int64, error) {
	if !blob.Valid(hash) {
		return nil, 0, blob.ErrNotFound
	}
	size, err := b.stat(ctx, hash)
	if err != nil {
		return nil, 0, err
	}
	return &object{b: b, ctx: ctx, name: hash, size: size, sum: sha256.New()}, size, nil
}

// object reads what is kept under a hash. An answer that breaks off is asked for again from where it
// broke. Whoever reads from the beginning to the end never gets the last bytes of a content that has
// another hash, but *blob.Damaged.
type object struct {
	b      *Bucket
	ctx    context.Context
	name   string
	size   int64
	at     int64 // of the next byte
	body   io.ReadCloser
	cancel context.CancelCauseFunc // of the request that body answers
	asked  context.Context         // its context
	came   int64                   // bytes of body
	failed int                     // attempts without as much as worth between them
	sum    hash.Hash
	summed int64 // how many bytes from the beginning on are in sum; -1 when some were left out
	err    error // damage, until the beginning is sought again
	closed bool
}

// worth is how many bytes an answer brings so that a failure after them counts as the first one.
const worth = 64 << 10

// Read implements io.Reader.
func (o *object) Read(p []byte) (int, error) {
	switch {
	case o.closed:
		return 0, fs.ErrClosed
	case o.err != nil:
		return 0, o.err
	case o.at >= o.size:
		return 0, io.EOF
	case len(p) == 0:
		return 0, nil
	}
	p = p[:min(int64(len(p)), o.size-o.at)]
	for {
		n, err := o.read(p)
		if n > 0 {
			return o.give(p[:n])
		}
		if err == nil {
			continue
		}
		if o.came >= worth {
			o.failed = 0
		}
		o.drop()
		if err := o.b.pause(o.ctx, o.failed, err); err != nil {
			return 0, o.b.told(o.ctx, reading, err)
		}
		o.failed++
	}
}

// read reads once, within the limit of time; it asks first where nothing is being answered.
func (o *object) read(p []byte) (n int, err error) {
	if err := o.ctx.Err(); err != nil {
		return 0, err
	}
	if o.body == nil {
		o.asked, o.cancel = context.WithCancelCause(o.ctx)
	}
	cancel := o.cancel
	late := time.AfterFunc(o.b.limits.answer, func() { cancel(errLate) })
	defer late.Stop()
	if o.body == nil {
		err = o.ask()
	}
	if err == nil {
		n, err = o.body.Read(p)
		o.came += int64(n)
	}
	switch {
	case err == nil:
	case context.Cause(o.asked) == errLate:
		err = errLate
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = errCut
	}
	return n, err
}

// ask begins an answer at the next byte.
func (o *object) ask() error {
	var options minio.GetObjectOptions
	if o.at > 0 {
		if err := options.SetRange(o.at, 0); err != nil {
			return err
		}
	}
	body, info, header, err := o.b.core.GetObject(o.asked, o.b.bucket, o.b.key(o.name), options)
	if err != nil {
		return err
	}
	o.body, o.came = body, 0
	if !o.fits(info.Size, header) {
		return errPart
	}
	return nil
}

// fits reports whether an answer is the rest of the object from the next byte on.
func (o *object) fits(length int64, header http.Header) bool {
	part := header.Get("Content-Range")
	if o.at == 0 && part == "" {
		return length < 0 || length == o.size
	}
	return strings.EqualFold(part, fmt.Sprintf("bytes %d-%d/%d", o.at, o.size-1, o.size))
}

// give counts what was read, and looks at the whole when it was the last of it.
func (o *object) give(p []byte) (int, error) {
	if o.at == o.summed {
		o.sum.Write(p)
		o.summed += int64(len(p))
		if o.summed == o.size && hex.EncodeToString(o.sum.Sum(nil)) != o.name {
			o.drop()
			o.err = &blob.Damaged{SHA256: o.name}
			return 0, o.err
		}
	}
	o.at += int64(len(p))
	return len(p), nil
}

// Seek implements io.Seeker. From the beginning on, the bytes are held against the hash anew.
func (o *object) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += o.at
	case io.SeekEnd:
		offset += o.size
	default:
		return 0, fmt.Errorf("s3: seeking from %d: %w", whence, fs.ErrInvalid)
	}
	switch {
	case o.closed:
		return 0, fs.ErrClosed
	case offset < 0:
		return 0, fmt.Errorf("s3: seeking before the beginning: %w", fs.ErrInvalid)
	case offset != o.at:
		o.drop()
		o.at, o.summed = offset, -1
	}
	if offset == 0 {
		o.sum.Reset()
		o.summed, o.err = 0, nil
	}
	return offset, nil
}

// drop ends the request that is being answered.
func (o *object) drop() {
	if o.cancel != nil {
		o.cancel(nil)
	}
	if o.body != nil {
		o.body.Close()
	}
	o.body, o.cancel = nil, nil
}

// Close implements io.Closer.
func (o *object) Close() error {
	if o.closed {
		return fs.ErrClosed
	}
	o.closed = true
	o.drop()
	return nil
}
