package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// tomb names something that was erased.
type tomb struct {
	kind store.Erasable
	id   string
}

// tombs are the tombstones of an agent.
type tombs map[tomb]*journal.Erased

// tombs reads those of an agent's records and replies; of most agents there are none.
func (j *Journal) tombs(ctx context.Context, a *store.Agent) (tombs, error) {
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
	who, err := j.people(ctx, ids...)
	all := make(tombs, len(list))
	for i := range list {
		all[tomb{list[i].Kind, list[i].ID}] = erasedOf(&list[i], who)
	}
	return all, err
}

func erasedOf(e *store.Erasure, who people) *journal.Erased {
	return &journal.Erased{By: who.person(e.Person), At: e.At, Why: e.Why, SHA256: e.SHA256, Came: e.Came}
}

// buried adds their tombstones to replies.
func buried(list []journal.Message, erased tombs) {
	for i := range list {
		list[i].Erased = erased[tomb{store.ErasedReply, list[i].Message.ID}]
	}
}
