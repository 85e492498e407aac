package seed

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

var tiny = Size{Agents: 11, Asks: 300, Jobs: 900, People: 20, Departments: 40}

// TestFill fills two stores, which are the same then, with as many records as were asked for and asks in every state.
func TestFill(t *testing.T) {
	var hashes [2]string
	for i := range hashes {
		dir := t.TempDir()
		s, err := sqlstore.OpenSQLite(t.Context(), filepath.Join(dir, "figs.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		blobs, err := blob.OpenFolder(filepath.Join(dir, "blobs"))
		if err != nil {
			t.Fatal(err)
		}
		defer blobs.Close()
		w, err := Fill(t.Context(), s, blobs, tiny, time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC), "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if hashes[i], err = s.StateHash(t.Context()); err != nil {
			t.Fatal(err)
		}
		in, err := s.Inbox(t.Context(), store.InboxQuery{Workspace: w.Workspace.ID, Slice: store.Slice{N: 50}})
		if err != nil || in.Total < 20 || in.Reported < 1 {
			t.Errorf("the inbox is %+v, %v", in, err)
		}
		jobs, asks := 0, 0
		for n := range tiny.Agents {
			for file, sum := range map[figs.File]*int{figs.Runs: &jobs, figs.Asks: &asks} {
				page, err := s.Records(t.Context(), store.RecordQuery{Agent: AgentID(n), File: file, Slice: store.Slice{N: 1}})
				if err != nil {
					t.Fatal(err)
				}
				*sum += page.Total
			}
		}
		if jobs != tiny.Jobs || asks != tiny.Asks {
			t.Errorf("there are %d jobs and %d asks", jobs, asks)
		}
	}
	if hashes[0] != hashes[1] {
		t.Error("the same size and time gave other records")
	}
}

// TestRecords holds what is generated to the protocol: a push with findings would measure something else.
func TestRecords(t *testing.T) {
	w := &World{size: tiny, now: time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC), Workspace: store.Workspace{ID: store.NewID()}}
	for i := range tiny.People {
		w.People = append(w.People, store.User{Name: personName(i)})
	}
	l := ledger{world: w, agent: 5, jobs: 40, asks: 60}
	l.body(0, 40)
	push, err := figs.ReadPush(l.buffer.Bytes())
	if err != nil || len(push.Refused) > 0 || len(push.Records) != 100 {
		t.Fatalf("%d records, %d refused, %v", len(push.Records), len(push.Refused), err)
	}
	var folder [figs.Ledgers][]byte
	for _, r := range push.Records {
		for _, line := range r.Lines {
			folder[r.File] = append(append(folder[r.File], line...), '\n')
		}
	}
	for _, m := range push.Messages {
		folder[figs.Messages] = append(append(folder[figs.Messages], m.Raw...), '\n')
	}
	f := figs.New(figs.Options{Now: stamp(w.now), Loose: true})
	for file, text := range folder {
		f.Feed(figs.File(file), text)
	}
	for _, finding := range f.Finish().Findings {
		t.Errorf("%s: %s", finding.Code, finding.Message)
	}
}
