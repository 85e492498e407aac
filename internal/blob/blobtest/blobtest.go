// Package blobtest is the suite that every blob.Store passes, wherever it keeps the bytes.
package blobtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/figs-web/figs-web/internal/blob"
)

// Run tests a store. Each call of open gives one that is empty and ends with its test.
func Run(t *testing.T, open func(t *testing.T) blob.Store) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, blob.Store)
	}{
		{"keeps_what_it_is_given", keeps},
		{"keeps_every_size", sizes},
		{"reads_from_anywhere", seeks},
		{"knows_no_other_names", names},
		{"keeps_nothing_of_what_fails", fails},
		{"many_at_once", atOnce},
		{"removes_for_good", removes},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

// Hash is the name of bytes.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Content is so many bytes, the same for the same n, in which no piece is like another.
func Content(n int) []byte {
	content := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}).Read(content)
	return content
}

// Put keeps content and returns its name.
func Put(t testing.TB, s blob.Store, content []byte) string {
	t.Helper()
	hash, size, err := s.Put(t.Context(), bytes.NewReader(content), int64(len(content)))
	if err != nil || hash != Hash(content) || size != int64(len(content)) {
		t.Fatalf("Put = %s, %d, %v, want %s, %d", hash, size, err, Hash(content), len(content))
	}
	return hash
}

// Holds fails the test unless the store gives back exactly that content.
func Holds(t testing.TB, s blob.Store, content []byte) {
	t.Helper()
	r, size, err := s.Open(t.Context(), Hash(content))
	if err != nil || size != int64(len(content)) {
		t.Fatalf("Open = %d bytes, %v, want %d", size, err, len(content))
	}
	defer r.Close()
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, content) {
		t.Fatalf("%d of %d bytes, or others, %v", len(got), len(content), err)
	}
}

// Lacks fails the test unless nothing is kept under a name.
func Lacks(t testing.TB, s blob.Store, hash string) {
	t.Helper()
	if r, _, err := s.Open(t.Context(), hash); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Open(%q) = %v, want ErrNotFound", hash, err)
		if err == nil {
			r.Close()
		}
	}
}

func keeps(t *testing.T, s blob.Store) {
	content := bytes.Repeat([]byte("statement "), 5000)
	for range 2 {
		Put(t, s, content)
	}
	Holds(t, s, content)
	if _, _, err := s.Put(t.Context(), strings.NewReader("without a limit"), math.MaxInt64); err != nil {
		t.Error(err)
	}
	Holds(t, s, []byte("without a limit"))
}

func sizes(t *testing.T, s blob.Store) {
	for _, n := range []int{0, 1, 1<<20 - 1, 1 << 20, 1<<20 + 1, 3<<20 + 7} {
		Put(t, s, Content(n))
		Holds(t, s, Content(n))
	}
}

func seeks(t *testing.T, s blob.Store) {
	content := Content(300_000)
	r, _, err := s.Open(t.Context(), Put(t, s, content))
	if err != nil {
		t.Fatal(err)
	}
	piece := make([]byte, 1000)
	for _, step := range []struct {
		offset int64
		whence int
		at     int64
	}{
		{150_000, io.SeekStart, 150_000}, {-500, io.SeekCurrent, 150_500}, {0, io.SeekCurrent, 151_500}, {-1000, io.SeekEnd, 299_000}, {10, io.SeekStart, 10},
	} {
		at, err := r.Seek(step.offset, step.whence)
		if err != nil || at != step.at {
			t.Fatalf("Seek(%d, %d) = %d, %v, want %d", step.offset, step.whence, at, err, step.at)
		}
		if _, err := io.ReadFull(r, piece); err != nil || !bytes.Equal(piece, content[at:at+1000]) {
			t.Fatalf("other bytes at %d, %v", at, err)
		}
	}
	if at, err := r.Seek(-1, io.SeekStart); err == nil {
		t.Errorf("Seek(-1) = %d, want an error", at)
	}
	if _, err := r.Seek(5, io.SeekEnd); err != nil {
		t.Error(err)
	}
	if n, err := r.Read(piece); n != 0 || err != io.EOF {
		t.Errorf("beyond the end Read = %d, %v, want EOF", n, err)
	}
	for range 2 {
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(iotest.HalfReader(r)); err != nil || !bytes.Equal(got, content) {
			t.Fatalf("%d of %d bytes, or others, %v", len(got), len(content), err)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := r.Read(piece); err == nil {
		t.Error("a reader that is closed still reads")
	}
}

// wrong are no names of bytes.
func wrong(of string) []string {
	return []string{"", "..", "../../etc/passwd", "../serve.lock", strings.ToUpper(of), of[:63], of[:63] + "/", strings.Repeat("z", 64)}
}

func names(t *testing.T, s blob.Store) {
	hash := Put(t, s, []byte("abc"))
	Lacks(t, s, Hash(nil))
	for _, name := range wrong(hash) {
		Lacks(t, s, name)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

func fails(t *testing.T, s blob.Store) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		r    io.Reader
		want error
	}{
		"too large":  {t.Context(), strings.NewReader("12345"), blob.ErrTooLarge},
		"torn":       {t.Context(), io.MultiReader(strings.NewReader("12"), iotest.ErrReader(io.ErrUnexpectedEOF)), io.ErrUnexpectedEOF},
		"given up":   {cancelled, strings.NewReader("12"), context.Canceled},
		"never ends": {t.Context(), endless{}, blob.ErrTooLarge},
	} {
		if _, _, err := s.Put(c.ctx, c.r, 4); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	for _, part := range []string{"", "12", "1234", "12345", "\x00\x00\x00\x00"} {
		Lacks(t, s, Hash([]byte(part)))
	}
}

func atOnce(t *testing.T, s blob.Store) {
	const kinds, each = 4, 8
	var wait sync.WaitGroup
	for i := range kinds * each {
		content := Content(200_000 + i%kinds)
		wait.Go(func() {
			hash, _, err := s.Put(t.Context(), bytes.NewReader(content), int64(len(content)))
			if err != nil || hash != Hash(content) {
				t.Errorf("Put = %s, %v", hash, err)
				return
			}
			r, _, err := s.Open(t.Context(), hash)
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Close()
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, content) {
				t.Errorf("%d of %d bytes, or others, %v", len(got), len(content), err)
			}
		})
	}
	wait.Wait()
}

// What is removed is gone, and only that; names that are no hashes lead nowhere; it may come again.
func removes(t *testing.T, s blob.Store) {
	one, other := []byte("one"), []byte("other")
	Put(t, s, one)
	Put(t, s, other)
	for _, hash := range append(wrong(Hash(other)), Hash(one), Hash(one), Hash(nil)) {
		if err := s.Remove(t.Context(), hash); err != nil {
			t.Errorf("Remove(%q) = %v", hash, err)
		}
	}
	Lacks(t, s, Hash(one))
	Holds(t, s, other)
	Put(t, s, one)
	Holds(t, s, one)
}
