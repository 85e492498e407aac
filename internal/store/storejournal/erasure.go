package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// erasureKey identifies an erasure of an agent.
type erasureKey struct {
	kind store.ErasureKind
	id   string
}

// erasures are the tombstones of an agent.
type erasures map[erasureKey]*journal.Erasure

// erasures reads the tombstones of an agent; most agents have none.
func (j *Journal) erasures(ctx context.Context, a *store.Agent) (erasures, error) {
	if a.Erased == 0 {
		return nil, nil
	}
	list, err := j.s.Erasures(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	var ids []string
	for i := range list {
		ids = append(ids, list[i].Person)
	}
	who, err := j.userNames(ctx, ids...)
	all := make(erasures, len(list))
	for i := range list {
		all[erasureKey{list[i].Kind, list[i].ID}] = erasureOf(&list[i], who)
	}
	return all, err
}

func erasureOf(e *store.Erasure, who userNames) *journal.Erasure {
	return &journal.Erasure{By: who.person(e.Person), At: e.At, Why: e.Why, SHA256: e.SHA256, PushedAgain: e.PushedAgain}
}

// addErasures adds tombstones to replies.
func addErasures(list []journal.Message, erased erasures) {
	for i := range list {
		list[i].Erased = erased[erasureKey{store.EraseReply, list[i].Message.ID}]
	}
}
