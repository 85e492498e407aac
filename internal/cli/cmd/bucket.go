package cmd

import (
	"errors"

	"github.com/figs-web/figs-web/internal/blob/s3"
)

// checkBucket refuses an address of a bucket that cannot be one. It never repeats what stands in it.
func checkBucket(address string) error {
	if err := s3.Check(address); err != nil {
		return BucketFailure(err)
	}
	return nil
}

// BucketFailure tells why a bucket was not opened; nil is another failure.
func BucketFailure(err error) *Failure {
	var told *s3.Problem
	if !errors.As(err, &told) {
		return nil
	}
	var address *s3.AddressError
	var keys *s3.NoKeysError
	var refused *s3.DeniedError
	var bucket *s3.NoBucketError
	k := Network
	switch {
	case errors.As(err, &address):
		k = Usage
	case errors.As(err, &keys), errors.As(err, &refused):
		k = Denied
	case errors.As(err, &bucket):
		k = NotFound
	}
	return Fail(k, Clean(told.Sentence), Clean(told.Hint))
}
