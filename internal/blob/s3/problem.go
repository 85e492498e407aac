package s3

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/minio/minio-go/v7"

	"github.com/figs-web/figs-web/internal/blob"
)

// Problem is an error that people can do something about: what is wrong, and what to do. Neither holds a
// secret. Each of the types below is found by errors.As as itself and as a *Problem.
type Problem struct {
	Sentence, Hint string
	passing        bool // blob.ErrUnavailable
}

func (p *Problem) Error() string { return "s3: " + p.Sentence }

// As finds the Problem in each of its kinds.
func (p *Problem) As(target any) bool {
	found, ok := target.(**Problem)
	if ok {
		*found = p
	}
	return ok
}

// Is says of those problems that may pass that they are blob.ErrUnavailable.
func (p *Problem) Is(target error) bool { return target == blob.ErrUnavailable && p.passing }

// Kinds of problems.
type (
	AddressError     struct{ Problem } // the address is none
	NoKeysError      struct{ Problem } // there are no keys
	NoBucketError    struct{ Problem } // there is no such bucket
	RegionError      struct{ Problem } // the bucket is in another region
	DeniedError      struct{ Problem } // the keys are wrong, or may not do it
	ClockError       struct{ Problem } // the clocks differ too much
	TLSError         struct{ Problem } // whoever answers does not prove to be the endpoint
	UnreachableError struct{ Problem } // nothing answers, or not in time
	ServerError      struct{ Problem } // it answers that it failed, or what S3 does not say
	VersionsError    struct{ Problem } // what was to be removed is hidden, and not gone
)

func badAddress(why string) error {
	return &AddressError{Problem{Sentence: "This isn't a bucket URL: " + why + ".", Hint: "Use the form s3://BUCKET?region=eu-central-1, or s3://BUCKET/PREFIX?endpoint=https://s3.example.com."}}
}

func noKeys() error {
	return &NoKeysError{Problem{Sentence: "No credentials for the bucket were found.", Hint: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, set AWS_SHARED_CREDENTIALS_FILE to a credentials file, or give the machine a role.", passing: true}}
}

// doing is what the keys must be allowed to, in the words of policies.
type doing string

const (
	reading  doing = "s3:GetObject and s3:ListBucket"
	writing  doing = "s3:PutObject and s3:GetObject"
	removing doing = "s3:DeleteObject, s3:ListBucketVersions and s3:DeleteObjectVersion"
)

// told gives an error the words that help whoever reads it.
func (b *Bucket) told(ctx context.Context, doing doing, err error) error {
	r := minio.ToErrorResponse(err)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("s3: %w", ctx.Err())
	case errors.Is(err, errNoKeys):
		return noKeys()
	case secrecy(err):
		return &TLSError{Problem{Sentence: fmt.Sprintf("%s does not prove to be %s: %s.", b.endpoint(), hostname(b.host), cause(err)),
			Hint: "Check the endpoint. If its certificate is from a private CA, set SSL_CERT_FILE to that CA's certificate."}}
	case foreign(err):
		return b.strange(cause(err))
	case r.StatusCode == 0:
		return &UnreachableError{Problem{Sentence: fmt.Sprintf("The bucket %s can't be reached at %s: %s.", b.bucket, b.endpoint(), cause(err)),
			Hint: "Check that the storage is running, that this machine can connect to it, and the endpoint in the bucket URL.", passing: true}}
	case r.Code == minio.NoSuchKey:
		return blob.ErrNotFound
	}
	return b.refused(r, doing)
}

// refused words what the server says.
func (b *Bucket) refused(r minio.ErrorResponse, doing doing) error {
	switch r.Code {
	case minio.NoSuchBucket:
		return &NoBucketError{Problem{Sentence: fmt.Sprintf("The bucket %s doesn't exist at %s.", b.bucket, b.endpoint()), Hint: "Check the spelling and the endpoint, or create the bucket first."}}
	case "RequestTimeTooSkewed":
		return &ClockError{Problem{Sentence: "The clocks of this machine and of " + b.endpoint() + " differ by more than signatures allow.", Hint: "Set this machine's clock, and synchronize it with a time server."}}
	case "PermanentRedirect", "AuthorizationHeaderMalformed", "InvalidRegion", "IllegalLocationConstraintException", "TemporaryRedirect":
		return b.elsewhere(r.Region)
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "XAdminUserNotFound":
		return &DeniedError{Problem{Sentence: fmt.Sprintf("%s does not take the keys (%s).", b.endpoint(), r.Code), Hint: "Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: whether both are of one pair, of this storage, and still valid."}}
	}
	switch {
	case r.StatusCode == http.StatusMovedPermanently:
		return b.elsewhere(r.Region)
	case r.StatusCode == http.StatusForbidden || r.StatusCode == http.StatusUnauthorized:
		return &DeniedError{Problem{Sentence: fmt.Sprintf("The credentials don't allow this on the bucket %s (%s).", b.bucket, r.Code), Hint: fmt.Sprintf("Allow them %s on the bucket and its objects.", doing)}}
	case r.StatusCode >= 500:
		return &ServerError{Problem{Sentence: fmt.Sprintf("%s failed: %s.", b.endpoint(), words(r)), Hint: "Check the storage server.", passing: true}}
	}
	return b.strange(words(r))
}

func (b *Bucket) strange(said string) error {
	return &ServerError{Problem{Sentence: fmt.Sprintf("%s doesn't respond like a bucket: %s.", b.endpoint(), said), Hint: "Check that the endpoint is an S3 storage."}}
}

func (b *Bucket) elsewhere(region string) error {
	hint := "Add region= with the bucket's region to its URL."
	if region != "" {
		hint = "Write region=" + region + " in its address."
	}
	return &RegionError{Problem{Sentence: fmt.Sprintf("The bucket %s is in another region.", b.bucket), Hint: hint}}
}

// words are the server's own, on one line and short.
func words(r minio.ErrorResponse) string {
	text := strings.Join(strings.Fields(r.Error()), " ")
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	text = strings.TrimSuffix(text, ".")
	if r.Code == "" || strings.Contains(text, r.Code) {
		return fmt.Sprintf("%d, %s", r.StatusCode, text)
	}
	return fmt.Sprintf("%d, %s, %s", r.StatusCode, r.Code, text)
}

// secrecy reports whether TLS could not be had.
func secrecy(err error) bool {
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var authority x509.UnknownAuthorityError
	return errors.As(err, &verification) || errors.As(err, &record) || errors.As(err, &alert) || errors.As(err, &authority) ||
		err != nil && strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// foreign reports whether what answers is no S3.
func foreign(err error) bool {
	var syntax *xml.SyntaxError
	var other xml.UnmarshalError
	return errors.As(err, &syntax) || errors.As(err, &other)
}

// cause is the innermost error, without the address of the request, in front of which it stands.
func cause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return strings.TrimSuffix(err.Error(), ".")
		}
		err = inner
	}
}
