package s3

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/minio/minio-go/v7"

	"github.com/figs-web/figs-web/internal/blob"
)

// inMemory is how many bytes of one body stay in memory; the rest goes into a temporary file.
const inMemory = 1 << 20

// Put implements blob.Store. The bytes are read whole before the first is sent: their hash is their name,
// and the server compares it with what arrived. It is one request, which stores all of it or nothing,
// and leaves no parts behind; after it the server is asked what it has.
func (b *Bucket) Put(ctx context.Context, r io.Reader, most int64) (string, int64, error) {
	body, err := b.take(ctx, r, most)
	if err != nil {
		return "", 0, err
	}
	defer body.Close()
	if size, err := b.stat(ctx, body.hash); err == nil && size == body.size {
		return body.hash, body.size, nil
	} else if err != nil && err != blob.ErrNotFound {
		return "", 0, err
	}
	err = b.try(ctx, writing, b.limits.transfer(body.size), func(ctx context.Context) error { return b.put(ctx, body) })
	if err != nil {
		return "", 0, err
	}
	return body.hash, body.size, nil
}

// put sends a body once.
func (b *Bucket) put(ctx context.Context, body *body) error {
	_, err := b.core.PutObject(ctx, b.bucket, b.key(body.hash), body.reader(), body.size, "", body.hash, minio.PutObjectOptions{
		ContentType:          "application/octet-stream",
		DisableContentSha256: true, // of each piece: that of the whole is signed
	})
	if err != nil {
		return err
	}
	o, err := b.core.StatObject(ctx, b.bucket, b.key(body.hash), minio.StatObjectOptions{})
	if err == nil && o.Size != body.size || minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return errNotKept
	}
	return err
}

// body is what was read: in memory, or in a temporary file when it is large.
type body struct {
	hash   string
	size   int64
	memory []byte
	file   *os.File
}

// take reads everything, at most so many bytes, and hashes it on the way.
func (b *Bucket) take(ctx context.Context, r io.Reader, most int64) (*body, error) {
	taken := &body{}
	if err := taken.read(io.LimitReader(reader{ctx, r}, max(most, most+1)), b.temp); err != nil {
		taken.Close()
		return nil, fmt.Errorf("s3: %w", err)
	}
	if taken.size > most {
		taken.Close()
		return nil, blob.ErrTooLarge
	}
	return taken, nil
}

func (t *body) read(r io.Reader, temp string) error {
	sum := sha256.New()
	r = io.TeeReader(r, sum)
	var held bytes.Buffer
	size, err := io.Copy(&held, io.LimitReader(r, inMemory))
	if err == nil && size == inMemory {
		if t.file, err = os.CreateTemp(temp, "figs-blob-*"); err != nil {
			return err
		}
		os.Remove(t.file.Name()) // where a file that is open may go, nothing is left after a crash
		if _, err = held.WriteTo(t.file); err != nil {
			return err
		}
		var more int64
		more, err = io.Copy(t.file, r)
		size += more
	}
	if err != nil {
		return err
	}
	t.size, t.hash = size, hex.EncodeToString(sum.Sum(nil))
	if t.file == nil {
		t.memory = held.Bytes()
	}
	return nil
}

// reader reads the body from its beginning.
func (t *body) reader() io.Reader { return io.NewSectionReader(t.readerAt(), 0, t.size) }

func (t *body) readerAt() io.ReaderAt {
	if t.file != nil {
		return t.file
	}
	return bytes.NewReader(t.memory)
}

// Close takes the temporary file away, where it is still there.
func (t *body) Close() {
	if t.file != nil {
		t.file.Close()
		os.Remove(t.file.Name())
	}
}

// reader ends with its context.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
