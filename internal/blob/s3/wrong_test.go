package s3

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/blob/blobtest"
	"github.com/figs-web/figs-web/internal/blob/s3/s3test"
)

// Bytes that were changed on the way, or in the bucket, never are the whole of what is read.
func TestReadOfWrongBytes(t *testing.T) {
	s := start(t)
	p := s.Proxy(t)
	address := s.Address(t)
	b := open(t, p.Of(address))
	for _, n := range []int{1, 5000, 200_000, 3 << 20} {
		content := blobtest.Content(n)
		hash := blobtest.Put(t, b, content)
		p.Set(s3test.Faults{FlipAnswer: true})
		damaged(t, b, hash, n)
		p.Heal()
		blobtest.Holds(t, b, content)
		other := blobtest.Content(n)
		other[n-1] ^= 0x80
		write(t, s, address, b.key(hash), other)
		damaged(t, b, hash, n)
	}
}

func damaged(t *testing.T, b *Bucket, hash string, n int) {
	t.Helper()
	r, size, err := b.Open(t.Context(), hash)
	if err != nil || size != int64(n) {
		t.Fatalf("Open = %d, %v", size, err)
	}
	defer r.Close()
	for round := range 2 { // as ReadAll does, and as those who know the size
		got := make([]byte, n)
		if round == 0 {
			got, err = io.ReadAll(r)
		} else {
			var read int
			read, err = io.ReadFull(r, got)
			got = got[:read]
		}
		var d *blob.DamagedError
		if !errors.As(err, &d) || d.SHA256 != hash || len(got) >= n {
			t.Errorf("round %d: %d of %d bytes, %v, want *Damaged before the last", round, len(got), n, err)
		}
		if n, err := r.Read(make([]byte, 1)); n > 0 || !errors.As(err, &d) {
			t.Errorf("after that Read = %d, %v", n, err)
		}
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
	}
}

// A content that cannot be put into its temporary file is not the bucket's fault, which isn't asked again.
func TestReadWithoutTemporaryFiles(t *testing.T) {
	s := start(t)
	p := s.Proxy(t)
	b := open(t, p.Of(s.Address(t)))
	hash := blobtest.Put(t, b, blobtest.Content(2<<20))
	b.temp = b.temp + "/missing"
	r, _, err := b.Open(t.Context(), hash)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	before := p.Requests()
	if got, err := io.ReadAll(r); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, blob.ErrUnavailable) || len(got) > 0 || p.Requests() != before+1 {
		t.Errorf("%d bytes, %v, after %d requests", len(got), err, p.Requests()-before)
	}
}

// What goes wrong every time is told after a few attempts, and leaves nothing under the hash.
func TestFaultsThatStay(t *testing.T) {
	s := start(t)
	p := s.Proxy(t)
	address := s.Address(t)
	b := open(t, p.Of(address))
	b.limits.retries = 3
	kept := blobtest.Put(t, b, blobtest.Content(100_000))
	number := 0
	for name, c := range map[string]struct {
		faults    s3test.Faults
		put, read bool // which of the two must fail
	}{
		"fails":               {s3test.Faults{Every: 1, Answer: 500}, true, true},
		"refuses":             {s3test.Faults{Every: 1, Answer: 503}, true, true},
		"resets":              {s3test.Faults{Every: 1, Answer: s3test.Reset}, true, true},
		"answers late":        {s3test.Faults{Pause: time.Hour}, true, true},
		"cuts answers":        {s3test.Faults{CutAnswer: 10, Only: "GET"}, false, true},
		"cuts uploads":        {s3test.Faults{CutUpload: 1000}, true, false},
		"changes uploads":     {s3test.Faults{FlipUpload: true}, true, false},
		"does not let upload": {s3test.Faults{Every: 1, Answer: 500, Only: "PUT"}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			number++
			p.Heal()
			b.limits.answer = 20 * time.Second
			r, _, err := b.Open(t.Context(), kept)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if c.faults.Pause > 0 {
				b.limits.answer = 50 * time.Millisecond
			}
			p.Set(c.faults)
			content := blobtest.Content(50_000 + number)
			_, _, err = b.Put(t.Context(), bytes.NewReader(content), 1<<20)
			if unavailable := errors.Is(err, blob.ErrUnavailable); c.put != (err != nil) || c.put && !unavailable && !c.faults.FlipUpload {
				t.Errorf("Put = %v, fails: %v", err, c.put)
			}
			if got, err := io.ReadAll(r); c.read != errors.Is(err, blob.ErrUnavailable) || c.read == (len(got) == 100_000) {
				t.Errorf("%d bytes, %v, fails: %v", len(got), err, c.read)
			}
			if p.Hurt() > 20 {
				t.Errorf("%d attempts", p.Hurt())
			}
			p.Heal()
			b.limits.answer = 20 * time.Second
			if c.put {
				blobtest.Lacks(t, b, blobtest.Hash(content))
			}
			blobtest.Put(t, b, content)
			blobtest.Holds(t, b, content)
		})
	}
	for key, size := range s.Objects(t, address) {
		if len(key) != 67 || size < 50_000 {
			t.Errorf("the bucket holds %s of %d bytes", key, size)
		}
	}
}
