package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/attack/corpus"
	"github.com/figs-web/figs-web/internal/journal"
)

// workspace is the name of the corpus in the product's addresses.
const workspace = "attack"

// earlier is what every vector is compared with.
var earlier = []byte("{\"Totals\": 1}\n")

// A shelf is a folder as figs-web opens one, in memory: every vector is a file of an agent of its own, whose key is the
// vector's number, beside an earlier file of the same type.
type shelf struct {
	files map[string]*held // by the agent's key
	holds map[string][]int // the vectors with these bytes, by hash
}

// held is the file of one vector.
type held struct {
	vector  *corpus.Vector
	content []byte
	sha256  string
}

func fillShelf(vectors []corpus.Vector) (*shelf, error) {
	s := &shelf{files: make(map[string]*held), holds: make(map[string][]int)}
	for i := range vectors {
		v := &vectors[i]
		content, err := v.Fill(port)
		if err != nil {
			return nil, err
		}
		sum := hash(content)
		s.files[strconv.Itoa(v.Number)] = &held{v, content, sum}
		s.holds[sum] = append(s.holds[sum], v.Number)
	}
	return s, nil
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// before is the name of the earlier file.
func (h *held) before() string { return "earlier" + path.Ext(h.vector.File) }

// Digest names a file by its bytes.
func (s *shelf) Digest(_ context.Context, agent, name string) (string, error) {
	switch h := s.files[agent]; {
	case h != nil && name == h.vector.File:
		return h.sha256, nil
	case h != nil && name == h.before():
		return hash(earlier), nil
	}
	return "", journal.ErrNotFound
}

// Attachment finds the bytes with a hash.
func (s *shelf) Attachment(_ context.Context, in, sha256 string) (*journal.Attachment, error) {
	var names []string
	content := earlier
	if sha256 == hash(earlier) {
		for _, h := range s.files {
			names = append(names, h.before())
		}
	}
	for _, number := range s.holds[sha256] {
		h := s.files[strconv.Itoa(number)]
		content, names = h.content, append(names, h.vector.File)
	}
	if in != workspace || len(names) == 0 {
		return nil, journal.ErrNotFound
	}
	return &journal.Attachment{Names: names, Size: int64(len(content)), Open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}}, nil
}

// Journal answers every page.
func (s *shelf) Journal(context.Context, string) (journal.Journal, error) {
	return ledger{shelf: s}, nil
}

// A ledger is the journal of a shelf. It answers what the pages with a viewer ask; nobody opens others.
type ledger struct {
	journal.Journal
	shelf *shelf
}

// Agents lists none, so that the first page of all stays short.
func (ledger) Agents(context.Context) ([]journal.Agent, error) { return nil, nil }

// Agent is the one who attached a vector.
func (l ledger) Agent(_ context.Context, agent string) (*journal.Agent, error) {
	h := l.shelf.files[agent]
	if h == nil {
		return nil, journal.ErrNotFound
	}
	a := &journal.Agent{Key: agent, Counts: journal.Counts{Files: 2}}
	a.Charter.Name = h.vector.Family + "/" + h.vector.Name
	return a, nil
}

// Files lists a vector and the earlier file.
func (l ledger) Files(_ context.Context, agent string, _ journal.Query) (*journal.Page[journal.File], error) {
	h := l.shelf.files[agent]
	if h == nil {
		return nil, journal.ErrNotFound
	}
	class := figs.ClassOf(h.vector.File)
	return &journal.Page[journal.File]{Total: 2, Items: []journal.File{
		{Key: "1", Name: h.before(), Size: int64(len(earlier)), Class: class},
		{Key: "2", Name: h.vector.File, Size: int64(len(h.content)), Class: class},
	}}, nil
}

// File is one of the two.
func (l ledger) File(ctx context.Context, agent, key string) (*journal.File, error) {
	page, err := l.Files(ctx, agent, journal.Query{})
	if err != nil {
		return nil, err
	}
	for i := range page.Items {
		if page.Items[i].Key == key {
			return &page.Items[i], nil
		}
	}
	return nil, journal.ErrNotFound
}
