package storejournal

import (
	"context"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/export"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// Whole is an agent read as the folder that its export is. It is one goroutine's at a time.
type Whole struct {
	Folder *figs.Folder // with its bytes and its history
	engine *bridge.Engine
	said   map[string]store.Message // what is known of its replies beside their lines, by id
}

// Folders keeps agents that were read whole.
type Folders interface {
	// Use reads an agent as it stands now, unless that has been done, and gives it to do, and to nobody else meanwhile. The
	// error is a *journal.Missing where the agent is too large.
	Use(ctx context.Context, a *store.Agent, do func(*Whole) error) error
}

// Reading is the journal that reads agents whole through folders, which may know them already.
func (j *Journal) Reading(f Folders) *Journal {
	with := *j
	with.folders = f
	return &with
}

// ReadWhole reads an agent from a store, as of now.
func ReadWhole(ctx context.Context, s WholeSource, a *store.Agent, now time.Time) (*Whole, error) {
	stamp := now.UTC().Format(time.RFC3339)
	f, err := export.Read(ctx, s, a.Workspace, a.ID, figs.Options{Keep: true, History: true, Now: stamp})
	if err != nil {
		return nil, err
	}
	messages, _, err := s.Messages(ctx, a.ID, 0, 0)
	if err != nil {
		return nil, err
	}
	w := &Whole{Folder: f, said: make(map[string]store.Message, len(messages))}
	for _, m := range messages {
		w.said[m.ID] = store.Message{Verified: m.Verified, No: m.No, Received: m.Received, PushedBy: m.PushedBy}
	}
	w.engine = bridge.Of(true, bridge.Read{Folder: f, Report: f.Finish()})
	return w, nil
}

// WholeSource is what an agent is read whole from.
type WholeSource interface {
	store.Exports
	Messages(ctx context.Context, agent string, from, n int) (list []store.Message, total int, err error)
}

// use gives an agent, read whole. A source that cannot give one has no such pages.
func (j *Journal) use(ctx context.Context, a *store.Agent, do func(*Whole) error) error {
	if j.folders != nil {
		return missing(j.folders.Use(ctx, a, do))
	}
	s, ok := j.s.(WholeSource)
	if !ok {
		return journal.ErrNotFound
	}
	w, err := ReadWhole(ctx, s, a, time.UnixMicro(j.now))
	if err != nil {
		return missing(err)
	}
	return do(w)
}
