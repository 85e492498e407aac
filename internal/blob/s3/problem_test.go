package s3

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/blob/blobtest"
)

func TestParse(t *testing.T) {
	t.Setenv("AWS_REGION", "eu-north-1")
	for address, want := range map[string]place{
		"s3://acme":                         {"acme", "", amazon, true, "eu-north-1", minio.BucketLookupAuto},
		"s3://acme/?region=us-west-2":       {"acme", "", amazon, true, "us-west-2", minio.BucketLookupAuto},
		"s3://acme/a/b/?path-style=false":   {"acme", "a/b/", amazon, true, "eu-north-1", minio.BucketLookupDNS},
		"s3://a.b-c?endpoint=https://s3.ex": {"a.b-c", "", "s3.ex", true, "us-east-1", minio.BucketLookupAuto},
		"s3://acme?endpoint=https://s3.ex:9000/&region=x&path-style=true": {"acme", "", "s3.ex:9000", true, "x", minio.BucketLookupPath},
		"s3://acme?endpoint=http://127.0.0.1:9000":                        {"acme", "", "127.0.0.1:9000", false, "us-east-1", minio.BucketLookupAuto},
		"s3://acme?endpoint=http://localhost":                             {"acme", "", "localhost", false, "us-east-1", minio.BucketLookupAuto},
		"s3://acme?endpoint=http://[::1]:1":                               {"acme", "", "[::1]:1", false, "us-east-1", minio.BucketLookupAuto},
		"s3://acme?endpoint=http://minio:9000&insecure=true":              {"acme", "", "minio:9000", false, "us-east-1", minio.BucketLookupAuto},
	} {
		if got, err := parse(address); err != nil || *got != want {
			t.Errorf("parse(%q) = %+v, %v, want %+v", address, got, err, want)
		}
	}
	for address, want := range map[string]string{
		"":                                  "cannot be read",
		"acme":                              "cannot be read",
		"s3:acme":                           "cannot be read",
		"https://acme":                      "cannot be read",
		"s3://%zz":                          "cannot be read",
		"s3://acme#x":                       "cannot be read",
		"s3://":                             "names no bucket",
		"s3://A_B":                          "must be followed by the name of a bucket",
		"s3://localhost:9000/acme":          "must be followed by the name of a bucket",
		"s3://KEY:hunter2@acme":             "contains credentials",
		"s3://acme/a/../b":                  "isn't a prefix",
		"s3://acme/a//b":                    "isn't a prefix",
		"s3://acme/%00":                     "isn't a prefix",
		"s3://acme?secret=hunter2":          "and nothing else",
		"s3://acme?region=":                 "and nothing else",
		"s3://acme?region=a&region=b":       "region twice",
		"s3://acme?path-style=yes":          "true or false",
		"s3://acme?insecure=1":              "true or false",
		"s3://acme?endpoint=localhost:9000": "begin with https://",
		"s3://acme?endpoint=ftp://s3.ex":    "begin with https://",
		"s3://acme?endpoint=https://hunter2@s3.x": "must be https:// and a host only",
		"s3://acme?endpoint=https://s3.ex/acme":   "must be https:// and a host only",
		"s3://acme?endpoint=http://s3.ex":         "isn't encrypted",
		"s3://acme?endpoint=http://127.0.0.1.ex":  "isn't encrypted",
	} {
		err := Check(address)
		var kind *AddressError
		if problem := told(err); !errors.As(err, &kind) || !strings.Contains(problem.Sentence, want) || problem.Hint == "" || strings.Contains(err.Error()+problem.Hint, "hunter2") {
			t.Errorf("Check(%q) = %v, want *AddressError: … %s …", address, err, want)
		}
	}
}

// told is the Problem in an error, or an empty one.
func told(err error) *Problem {
	p := &Problem{}
	errors.As(err, &p)
	return p
}

// someone is a server that answers everything so.
func someone(t *testing.T, status int, body string) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			fmt.Fprint(w, body)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func TestOpenTellsWhatIsWrong(t *testing.T) {
	s := start(t)
	secret := strings.TrimPrefix(s.Env()[1], "AWS_SECRET_ACCESS_KEY=")
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = nil
	defer secure.Close()
	gone := someone(t, 200, "")
	gone.Close()
	at := func(endpoint string) string { return "s3://acme?endpoint=" + endpoint }
	xml := func(code string) string {
		return "<Error><Code>" + code + "</Code><Message>…</Message><Region>eu-west-3</Region></Error>"
	}
	for name, c := range map[string]struct {
		address string
		env     []string
		want    error
		says    string
	}{
		"no_bucket":     {at("http://" + s.Host()), nil, &NoBucketError{}, "The bucket acme doesn't exist at http://" + s.Host()},
		"other_key":     {s.Address(t), []string{"AWS_ACCESS_KEY_ID", "other"}, &DeniedError{}, "does not take the keys"},
		"other_secret":  {s.Address(t), []string{"AWS_SECRET_ACCESS_KEY", "other"}, &DeniedError{}, "does not take the keys (SignatureDoesNotMatch)"},
		"may_not":       {at(someone(t, 403, xml("AccessDenied")).URL), nil, &DeniedError{}, "don't allow this on the bucket acme (AccessDenied)"},
		"clock":         {at(someone(t, 403, xml("RequestTimeTooSkewed")).URL), nil, &ClockError{}, "clocks"},
		"region":        {at(someone(t, 400, xml("AuthorizationHeaderMalformed")).URL), nil, &RegionError{}, "another region"},
		"redirected":    {at(someone(t, 301, xml("PermanentRedirect")).URL), nil, &RegionError{}, "another region"},
		"no_s3":         {at(someone(t, 200, "<!doctype html><p>Welcome").URL), nil, &ServerError{}, "doesn't respond like a bucket"},
		"no_s3_either":  {at(someone(t, 418, "teapot").URL), nil, &ServerError{}, "doesn't respond like a bucket: 418"},
		"fails":         {at(someone(t, 500, xml("InternalError")).URL), nil, &ServerError{}, "failed: 500, InternalError"},
		"nobody":        {at(gone.URL), nil, &UnreachableError{}, "can't be reached at " + gone.URL},
		"unknown_ca":    {at(secure.URL), nil, &TLSError{}, "does not prove to be 127.0.0.1"},
		"plain_for_tls": {at("https://" + s.Host()), nil, &TLSError{}, "does not prove to be 127.0.0.1"},
		"no_address":    {"s3://", nil, &AddressError{}, "names no bucket"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.env != nil {
				t.Setenv(c.env[0], c.env[1])
			}
			b, err := Open(t.Context(), c.address, Options{Retries: 1})
			problem := told(err)
			if b != nil || reflect.TypeOf(err) != reflect.TypeOf(c.want) || !strings.Contains(problem.Sentence, c.says) || problem.Hint == "" {
				t.Errorf("Open = %T %v, want %T: … %s …", err, err, c.want, c.says)
			}
			if strings.Contains(err.Error()+problem.Hint, secret) || strings.Contains(err.Error(), "\n") {
				t.Errorf("it tells the key, or is more than a line: %v", err)
			}
		})
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(cancelled, s.Address(t), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Open = %v, want the end of its context", err)
	}
}

// What a HEAD is refused without a word is asked again for its reason.
func TestRefusalsWithoutWords(t *testing.T) {
	s := start(t)
	b := open(t, s.Address(t))
	clock := someone(t, 403, "<Error><Code>RequestTimeTooSkewed</Code></Error>")
	other := *b
	other.core, _ = minio.NewCore(strings.TrimPrefix(clock.URL, "http://"), &minio.Options{Creds: credentials.NewStaticV4("figs", "figs", ""), Region: "us-east-1", MaxRetries: 1})
	_, _, err := other.Open(t.Context(), blobtest.Hash(nil))
	var kind *ClockError
	if !errors.As(err, &kind) {
		t.Errorf("Open = %v, want *ClockError", err)
	}
	if err := b.Ready(t.Context()); err != nil {
		t.Errorf("Ready = %v", err)
	}
	if err := s.Client().RemoveBucket(t.Context(), b.bucket); err != nil {
		t.Fatal(err)
	}
	var none *NoBucketError
	if err := b.Ready(t.Context()); !errors.As(err, &none) {
		t.Errorf("without a bucket Ready = %v", err)
	}
	if _, _, err := b.Put(t.Context(), strings.NewReader("x"), 1); !errors.As(err, &none) {
		t.Errorf("without a bucket Put = %v", err)
	}
}

// The keys of a machine's role are taken where there are no others; without any nothing is sent.
func TestKeysOfARole(t *testing.T) {
	s := start(t)
	address := s.Address(t)
	keys := map[string]string{}
	for _, pair := range s.Env() {
		name, value, _ := strings.Cut(pair, "=")
		keys[name] = value
		t.Setenv(name, "")
	}
	none := t.TempDir() + "/none"
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", none)
	t.Setenv("AWS_CONFIG_FILE", none)
	served := false
	role := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !served {
			http.NotFound(w, nil)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"AccessKeyId": keys["AWS_ACCESS_KEY_ID"], "SecretAccessKey": keys["AWS_SECRET_ACCESS_KEY"], "Expiration": time.Now().Add(time.Hour)})
	}))
	defer role.Close()
	t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", role.URL)
	p := s.Proxy(t)
	var kind *NoKeysError
	if _, err := Open(t.Context(), p.Of(address), Options{}); !errors.As(err, &kind) || p.Requests() > 0 {
		t.Errorf("without keys Open = %v after %d requests", err, p.Requests())
	}
	served = true
	blobtest.Put(t, open(t, p.Of(address)), []byte("by a role"))
}

// Whoever keeps versions and may not remove them is told so: what was to be erased is there still.
func TestRemoveThatMayNot(t *testing.T) {
	marked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodDelete:
			w.Header().Set("X-Amz-Delete-Marker", "true")
			w.WriteHeader(http.StatusNoContent)
		case r.URL.Query().Has("versions"):
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, "<Error><Code>AccessDenied</Code></Error>")
		default:
			fmt.Fprint(w, "<ListBucketResult></ListBucketResult>")
		}
	}))
	defer marked.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", "figs")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "figs")
	err := open(t, "s3://acme?endpoint="+marked.URL).Remove(t.Context(), blobtest.Hash(nil))
	var kind *VersionsError
	if !errors.As(err, &kind) || errors.Is(err, blob.ErrUnavailable) {
		t.Errorf("Remove = %v, want *VersionsError", err)
	}
}
