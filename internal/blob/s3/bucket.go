// Package s3 keeps the bytes of attachments in a bucket of any storage that speaks S3: the same bytes
// under the same names as in a folder, PREFIX/4f/4f53…, so that every node of a reader sees them.
//
// Nothing is acknowledged before the server has said that it has all of it, under the hash that it
// checked itself. What fails in passing is asked again, a few times and within limits of time; what a
// person must mend is a *Problem.
package s3

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/figs-web/figs-web/internal/blob"
)

// Bucket is a bucket, or the part of one below a prefix.
type Bucket struct {
	place
	core      *minio.Core
	transport *http.Transport
	temp      string
	limits    limits
}

var _ blob.Store = (*Bucket)(nil)

// Options are what an address does not say.
type Options struct {
	Temp    string // folder for bodies that are being read; "" is the system's
	Retries int    // how often at most a request that failed in passing is made again; 0 is 6
}

// limits bound how long anything lasts.
type limits struct {
	retries int
	first   time.Duration // the wait before the first retry; each next is twice as long
	longest time.Duration // of the waits
	answer  time.Duration // for an answer to begin; added to the time that a transfer's size allows
	pace    int64         // the slowest transfer, in bytes a second
}

// transfer returns how long moving size bytes may take.
func (l limits) transfer(size int64) time.Duration {
	return l.answer + time.Duration(size/l.pace)*time.Second
}

var usual = limits{retries: 6, first: 100 * time.Millisecond, longest: 3 * time.Second, answer: 30 * time.Second, pace: 64 << 10}

// Open opens s3://BUCKET[/PREFIX]?endpoint=https://HOST[:PORT]&region=REGION&path-style=true. Without
// endpoint it is Amazon's. The keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and
// AWS_SESSION_TOKEN), else from the shared credentials file, else from the role of the machine. It asks
// the bucket once, so that a mistake is told at the start: as a *Problem.
func Open(ctx context.Context, address string, o Options) (*Bucket, error) {
	at, err := parse(address)
	if err != nil {
		return nil, err
	}
	b := &Bucket{place: *at, temp: o.Temp, limits: usual}
	if o.Retries > 0 {
		b.limits.retries = o.Retries
	}
	keys := credentials.New(newKeys())
	if _, err := keys.GetWithContext(&credentials.CredContext{Context: ctx}); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, noKeys()
	}
	b.transport = &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		MaxIdleConnsPerHost: 32,
		IdleConnTimeout:     time.Minute,
		DisableCompression:  true, // a body is what was hashed, whatever encoding somebody gave it
	}
	b.core, err = minio.NewCore(at.host, &minio.Options{
		Creds: keys, Secure: at.secure, Transport: watching{b.transport}, Region: at.region, BucketLookup: at.lookup,
		MaxRetries: 1, // ours know of limits and of whom they serve
	})
	if err != nil {
		return nil, badAddress("its endpoint cannot be used: " + err.Error())
	}
	if err := b.Ready(ctx); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// Close lets go of the connections.
func (b *Bucket) Close() error {
	b.transport.CloseIdleConnections()
	return nil
}

// Ready asks for nothing but an answer of the bucket, and returns why there is none.
func (b *Bucket) Ready(ctx context.Context) error {
	short := *b
	short.limits.retries, short.limits.answer = min(b.limits.retries, 2), min(b.limits.answer, 10*time.Second)
	return short.try(ctx, reading, short.limits.answer, short.list)
}

// list lists one key at most. Of all requests that a reader may make it is the one whose refusal says why.
func (b *Bucket) list(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for o := range b.core.ListObjectsIter(ctx, b.bucket, minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true, MaxKeys: 1}) {
		return o.Err
	}
	return ctx.Err() // which may be why nothing came
}

func (b *Bucket) key(hash string) string { return b.prefix + hash[:2] + "/" + hash }

// stat is the size of what is kept under a hash; blob.ErrNotFound when there is nothing.
func (b *Bucket) stat(ctx context.Context, hash string) (size int64, err error) {
	err = b.try(ctx, reading, b.limits.answer, func(ctx context.Context) error {
		o, err := b.core.StatObject(ctx, b.bucket, b.key(hash), minio.StatObjectOptions{})
		size = o.Size
		return err
	})
	return size, err
}
