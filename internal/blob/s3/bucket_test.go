package s3

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/blob/blobtest"
	"github.com/figs-web/figs-web/internal/blob/s3/s3test"
	"github.com/figs-web/figs-web/internal/testenv"
)

// quick are limits for tests: short waits, and so many attempts that of many requests at once, of which each third fails, none is out of luck.
var quick = limits{retries: 24, first: 2 * time.Millisecond, longest: 20 * time.Millisecond, answer: 20 * time.Second, pace: 64 << 10}

// The library waits a little of its own after a failure, which only adds to what a test takes.
func init() { minio.DefaultRetryUnit = time.Millisecond }

func open(t testing.TB, address string) *Bucket {
	t.Helper()
	b, err := Open(t.Context(), address, Options{Temp: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	b.limits = quick
	t.Cleanup(func() { b.Close() })
	return b
}

func start(t testing.TB) *s3test.Server {
	t.Helper()
	s := s3test.Start(t)
	s.Setenv(t)
	return s
}

func TestBucket(t *testing.T) {
	s := start(t)
	blobtest.Run(t, func(t *testing.T) blob.Store { return open(t, s.Address(t)) })
}

func TestBucketThroughFaults(t *testing.T) {
	s := start(t)
	for name, f := range map[string]s3test.Faults{
		"all_is_slow":           {Pause: 5 * time.Millisecond, Rate: 20_000_000},
		"each_third_fails":      {Every: 3, Answer: 500},
		"each_third_is_refused": {Every: 3, Answer: 503},
		"each_third_is_reset":   {Every: 3, Answer: s3test.Reset},
		"each_third_is_lost":    {Every: 3, Answer: s3test.Reset, After: true},
		"answers_are_cut":       {CutAnswer: 150_000, Times: 5},
		"uploads_are_cut":       {CutUpload: 100_000, Times: 5},
		"uploads_are_changed":   {FlipUpload: true, Times: 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // they wait most of their time
			p := s.Proxy(t)
			blobtest.Run(t, func(t *testing.T) blob.Store {
				p.Heal()
				b := open(t, p.Of(s.Address(t)))
				p.Set(f)
				return b
			})
		})
	}
}

// One object for the same bytes below the prefix, which another program finds; sizes tell a torn one.
func TestPutKeepsEachOnce(t *testing.T) {
	s := start(t)
	address := s.Address(t)
	prefixed := strings.Replace(address, "?", "/of/acme?", 1)
	content := blobtest.Content(5000)
	for range 2 {
		blobtest.Put(t, open(t, prefixed), content)
	}
	blobtest.Lacks(t, open(t, address), blobtest.Hash(content))
	hash := blobtest.Hash(content)
	key := "of/acme/" + hash[:2] + "/" + hash
	if got := s.Objects(t, address); len(got) != 1 || got[key] != 5000 {
		t.Errorf("objects %v, want only %s", got, key)
	}
	blobtest.Holds(t, open(t, prefixed), content)
	write(t, s, address, key, content[:2000])
	blobtest.Put(t, open(t, prefixed), content)
	blobtest.Holds(t, open(t, prefixed), content)
}

// write puts bytes under a key past the store.
func write(t *testing.T, s *s3test.Server, address, key string, content []byte) {
	t.Helper()
	if _, err := s.Client().Client.PutObject(t.Context(), s3test.Name(address), key, bytes.NewReader(content), int64(len(content)), minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
}

func TestPutOfTheSameAtOnce(t *testing.T) {
	s := start(t)
	address := s.Address(t)
	content := blobtest.Content(300_000)
	var wait sync.WaitGroup
	for range 4 {
		b := open(t, address)
		for range 10 {
			wait.Go(func() {
				if hash, _, err := b.Put(t.Context(), bytes.NewReader(content), 1<<20); err != nil || hash != blobtest.Hash(content) {
					t.Errorf("Put = %s, %v", hash, err)
				}
			})
		}
	}
	wait.Wait()
	if got := s.Objects(t, address); len(got) != 1 {
		t.Errorf("%d objects, want one", len(got))
	}
	blobtest.Holds(t, open(t, address), content)
}

// A body of 64 MiB goes there and back with little of it in memory: what was read and is not yet sent is
// in a file, and there is one buffer of what is in memory.
func TestPutLarge(t *testing.T) {
	s := start(t)
	b := open(t, s.Address(t))
	const size = 64 << 20
	sum := sha256.New()
	hash, n, err := b.Put(t.Context(), io.TeeReader(io.LimitReader(&counting{}, size), sum), size)
	if err != nil || n != size {
		t.Fatalf("Put = %s, %d, %v", hash, n, err)
	}
	r, _, err := b.Open(t.Context(), hash)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	back := sha256.New()
	if n, err := io.Copy(back, r); n != size || err != nil || !bytes.Equal(back.Sum(nil), sum.Sum(nil)) {
		t.Errorf("%d bytes, or others, %v", n, err)
	}
	body, err := b.take(t.Context(), io.LimitReader(&counting{}, size), size)
	if err != nil {
		t.Fatal(err)
	}
	if body.file == nil || body.memory != nil || body.hash != hash {
		t.Errorf("a large body is in memory (%d bytes), or another: %s", len(body.memory), body.hash)
	}
	body.Close()
	if left, err := os.ReadDir(b.temp); len(left) > 0 || err != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// counting reads numbers without end.
type counting struct{ n uint64 }

func (c *counting) Read(p []byte) (int, error) {
	for i := range p {
		c.n++
		p[i] = byte(c.n * 0x9e3779b97f4a7c15 >> 56)
	}
	return len(p), nil
}

func TestRemoveOfVersions(t *testing.T) {
	s := start(t)
	address := s.Address(t)
	if err := s.Client().EnableVersioning(t.Context(), s3test.Name(address)); err != nil {
		t.Fatal(err)
	}
	b := open(t, address)
	hash := blobtest.Put(t, b, []byte("erase me"))
	key := b.key(hash)
	write(t, s, address, key, []byte("torn"))
	blobtest.Put(t, b, []byte("erase me"))
	blobtest.Put(t, b, []byte("keep me"))
	versions := func() (n int) {
		for o := range s.Client().Client.ListObjects(t.Context(), s3test.Name(address), minio.ListObjectsOptions{Recursive: true, WithVersions: true}) {
			if o.Err != nil {
				t.Fatal(o.Err)
			}
			n++
		}
		return n
	}
	if n := versions(); n != 4 {
		t.Fatalf("%d versions, want 4", n)
	}
	for range 2 {
		if err := b.Remove(t.Context(), hash); err != nil {
			t.Fatal(err)
		}
	}
	if n := versions(); n != 1 {
		t.Errorf("%d versions and markers are left, want the other's one", n)
	}
	blobtest.Lacks(t, b, hash)
	blobtest.Holds(t, b, []byte("keep me"))
}

func TestContextEndsEverything(t *testing.T) {
	s := start(t)
	p := s.Proxy(t)
	b := open(t, p.Of(s.Address(t)))
	b.limits.first, b.limits.longest = time.Hour, time.Hour
	hash := blobtest.Put(t, b, blobtest.Content(200_000))
	for name, f := range map[string]s3test.Faults{
		"while_it_waits_for_an_answer": {Pause: time.Hour},
		"between_attempts":             {Every: 1, Answer: 503},
		"in_a_body":                    {Rate: 20, Only: "GET"},
	} {
		t.Run(name, func(t *testing.T) {
			p.Heal()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r, _, err := b.Open(ctx, hash)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			p.Set(f)
			read := make(chan error, 1)
			put := make(chan error, 1)
			go func() { _, err := io.ReadAll(r); read <- err }()
			go func() { _, _, err := b.Put(ctx, strings.NewReader("new "+name), 100); put <- err }()
			testenv.Eventually(t, time.Minute, "a request to meet the fault", func() bool { return p.Hurt() > 0 })
			cancel()
			if err := <-read; !errors.Is(err, context.Canceled) {
				t.Errorf("Read = %v, want the end of its context", err)
			}
			if err := <-put; !errors.Is(err, context.Canceled) && f.Only == "" {
				t.Errorf("Put = %v, want the end of its context", err)
			}
		})
	}
}
