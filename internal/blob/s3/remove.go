package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/minio/minio-go/v7"

	"github.com/figs-web/figs-web/internal/blob"
)

// Remove implements blob.Store. A bucket that keeps versions hides what is removed and keeps it: there
// every version goes, one by one, since what somebody erases must be gone.
func (b *Bucket) Remove(ctx context.Context, hash string) error {
	if !blob.Valid(hash) {
		return nil
	}
	var hidden atomic.Bool
	err := b.try(context.WithValue(ctx, hiddenKey{}, &hidden), removing, b.limits.answer, func(ctx context.Context) error {
		err := b.core.RemoveObject(ctx, b.bucket, b.key(hash), minio.RemoveObjectOptions{})
		if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
			return nil
		}
		return err
	})
	if err != nil || !hidden.Load() {
		return err
	}
	err = b.try(ctx, removing, b.limits.answer, func(ctx context.Context) error { return b.removeVersions(ctx, b.key(hash)) })
	var denied *DeniedError
	if errors.As(err, &denied) {
		return &VersionsError{Problem{Sentence: fmt.Sprintf("The bucket %s keeps versions, and these credentials don't allow deleting old versions.", b.bucket),
			Hint: fmt.Sprintf("Allow the credentials %s and remove locks from the bucket, then erase again.", removing)}}
	}
	return err
}

type hiddenKey struct{}

// watching sees what the library tells nobody: that a bucket has put a marker over what was removed.
type watching struct{ http.RoundTripper }

func (w watching) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := w.RoundTripper.RoundTrip(r)
	if err == nil && answer.Header.Get("X-Amz-Delete-Marker") == "true" {
		if hidden, ok := r.Context().Value(hiddenKey{}).(*atomic.Bool); ok {
			hidden.Store(true)
		}
	}
	return answer, err
}

// removeVersions removes what a marker hides, and then the marker. A version above it is of somebody who
// has put the same bytes again, and stays.
func (b *Bucket) removeVersions(ctx context.Context, key string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var markers, below []string
	for o := range b.core.ListObjectsIter(ctx, b.bucket, minio.ListObjectsOptions{Prefix: key, Recursive: true, WithVersions: true}) {
		switch {
		case o.Err != nil:
			return o.Err
		case o.Key != key:
		case o.IsDeleteMarker:
			markers = append(markers, o.VersionID)
		case len(markers) > 0:
			below = append(below, o.VersionID)
		}
	}
	if ctx.Err() != nil { // which may be why no more came
		return ctx.Err()
	}
	for _, version := range append(below, markers...) {
		err := b.core.RemoveObject(ctx, b.bucket, key, minio.RemoveObjectOptions{VersionID: version})
		if code := minio.ToErrorResponse(err).Code; err != nil && code != minio.NoSuchKey && code != "NoSuchVersion" {
			return err
		}
	}
	return nil
}
