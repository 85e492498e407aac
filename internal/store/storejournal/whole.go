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

// LoadedAgent is an agent read as the folder that its export is. It is one goroutine's at a time.
type LoadedAgent struct {
	Folder   *figs.Folder // with its bytes and its history
	engine   *bridge.Engine
	messages map[string]store.Message // what is known of its replies beside their lines, by id
}

// FolderCache keeps agents that were read whole.
type FolderCache interface {
	// Use reads an agent as it stands now, unless that has been done, and gives it to do, and to nobody else meanwhile. The
	// error is a *journal.Missing where the agent is too large.
	Use(ctx context.Context, a *store.Agent, do func(*LoadedAgent) error) error
}

// WithFolderCache is the journal that reads agents whole through folders, which may know them already.
func (j *Journal) WithFolderCache(f FolderCache) *Journal {
	with := *j
	with.folders = f
	return &with
}

// LoadAgent reads an agent from a store, as of now.
func LoadAgent(ctx context.Context, s LoadSource, a *store.Agent, now time.Time) (*LoadedAgent, error) {
	stamp := now.UTC().Format(time.RFC3339)
	f, err := export.Read(ctx, s, a.Workspace, a.ID, figs.Options{Keep: true, History: true, Now: stamp})
	if err != nil {
		return nil, err
	}
	messages, _, err := s.Messages(ctx, a.ID, 0, 0)
	if err != nil {
		return nil, err
	}
	w := &LoadedAgent{Folder: f, messages: make(map[string]store.Message, len(messages))}
	for _, m := range messages {
		w.messages[m.ID] = store.Message{Verified: m.Verified, No: m.No, Received: m.Received, PushedBy: m.PushedBy}
	}
	w.engine = bridge.NewWithFolders(true, bridge.ReadFolder{Folder: f, Report: f.Finish()})
	return w, nil
}

// LoadSource is what an agent is read whole from.
type LoadSource interface {
	store.Exports
	Messages(ctx context.Context, agent string, from, n int) (list []store.Message, total int, err error)
}

// use gives an agent, read whole. A source that cannot give one has no such pages.
func (j *Journal) withLoadedAgent(ctx context.Context, a *store.Agent, do func(*LoadedAgent) error) error {
	if j.folders != nil {
		return notFound(j.folders.Use(ctx, a, do))
	}
	s, ok := j.s.(LoadSource)
	if !ok {
		return journal.ErrNotFound
	}
	w, err := LoadAgent(ctx, s, a, time.UnixMicro(j.now))
	if err != nil {
		return notFound(err)
	}
	return do(w)
}
