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

// LoadedAgent is an agent read as the folder that its export is. It is not safe for concurrent use.
type LoadedAgent struct {
	Folder   *figs.Folder // with its bytes and history
	engine   *bridge.Engine
	messages map[string]store.Message // by id; what is stored about replies besides their lines
}

// FolderCache caches loaded agents.
type FolderCache interface {
	// Use calls do with the agent as it is now, which it loads if necessary. No one else uses the agent until do returns.
	// The error is a *journal.Missing if the agent is too large.
	Use(ctx context.Context, a *store.Agent, do func(*LoadedAgent) error) error
}

// WithFolderCache returns a journal that loads agents through f.
func (j *Journal) WithFolderCache(f FolderCache) *Journal {
	with := *j
	with.folders = f
	return &with
}

// LoadAgent reads an agent from a store; now is the current time.
func LoadAgent(ctx context.Context, s LoadSource, a *store.Agent, now time.Time) (*LoadedAgent, error) {
	stamp := now.UTC().Format(time.RFC3339)
	f, err := export.Read(ctx, s, a.Workspace, a.ID, figs.Options{Keep: true, History: true, Now: stamp})
	if err != nil {
		return nil, err
	}
	messages, err := s.Messages(ctx, a.ID)
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

// LoadSource is the part of a store that LoadAgent needs.
type LoadSource interface {
	store.Exports
	Messages(ctx context.Context, agent string) ([]store.Message, error)
}

// withLoadedAgent calls do with a loaded agent. The error is a *journal.Missing if the agent is too large; it returns ErrNotFound if the source can't load agents.
func (j *Journal) withLoadedAgent(ctx context.Context, a *store.Agent, do func(*LoadedAgent) error) error {
	if IsLong(a) {
		return NewTooLargeError()
	}
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
