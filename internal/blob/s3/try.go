package s3

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"
)

// What goes wrong in passing.
var (
	errLate    = errors.New("it did not answer in time")
	errCut     = errors.New("the answer was cut")
	errNotKept = errors.New("it took the bytes and does not have them")
)

// try makes a request until it succeeds, at most so often, each time within a limit. Its errors are
// those of ctx, blob.ErrNotFound, or ones that tell a person what to do.
func (b *Bucket) try(ctx context.Context, doing doing, limit time.Duration, request func(context.Context) error) error {
	for n := 0; ; n++ {
		err := attempt(ctx, limit, request)
		if err == nil {
			return nil
		}
		if n < b.limits.retries && passes(err) {
			err = b.pause(ctx, n)
		}
		if err != nil {
			return b.told(ctx, doing, b.why(ctx, err))
		}
	}
}

// why asks what a refusal without words means: HEAD has no body to say that a clock is wrong, or a key.
func (b *Bucket) why(ctx context.Context, err error) error {
	if r := minio.ToErrorResponse(err); r.StatusCode == http.StatusForbidden || r.StatusCode == http.StatusMovedPermanently {
		if said := attempt(ctx, b.limits.answer, b.list); minio.ToErrorResponse(said).StatusCode != 0 {
			return said
		}
	}
	return err
}

// attempt makes a request once.
func attempt(ctx context.Context, limit time.Duration, request func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := request(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return errLate // the words of a deadline are for those who set one
	}
	return err
}

// pause waits before a request is made for the n+1st time again: each time about twice as long, and never all at
// the same moment. It returns the error of ctx.
func (b *Bucket) pause(ctx context.Context, n int) error {
	wait := min(b.limits.first<<min(n, 20), b.limits.longest)
	wait = wait/2 + rand.N(wait/2+1)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// passing are codes of S3 that another attempt may not meet; statuses say it of most others.
var passing = map[string]bool{
	"RequestTimeout": true, "SlowDown": true, "Throttling": true, "ThrottlingException": true, "RequestLimitExceeded": true,
	"RequestThrottled": true, "OperationAborted": true, "IncompleteBody": true, "XAmzContentSHA256Mismatch": true, "BadDigest": true,
}

// passes reports whether the same request may succeed later.
func passes(err error) bool {
	r := minio.ToErrorResponse(err)
	switch {
	case r.StatusCode == http.StatusNotImplemented, r.StatusCode == http.StatusInsufficientStorage:
		return false
	case r.StatusCode >= 500, r.StatusCode == http.StatusRequestTimeout, r.StatusCode == http.StatusTooManyRequests, r.StatusCode == 499:
		return true
	case r.StatusCode != 0:
		return passing[r.Code]
	}
	return !secrecy(err) && !foreign(err) // else it is of the network
}
