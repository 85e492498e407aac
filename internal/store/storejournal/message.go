package storejournal

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// Messages implements journal.Journal.
func (j *Journal) Messages(ctx context.Context, key string, q journal.Query) (*journal.Page[journal.Message], error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	total := a.Counts.Messages
	page := &journal.Page[journal.Message]{From: q.From, Total: total}
	to := total - q.From // the store lists the oldest first, so the page is read from the end
	from := max(0, to-q.Size())
	if to <= 0 {
		return page, nil
	}
	list, _, err := j.s.Messages(ctx, a.ID, from, to-from)
	if err != nil {
		return nil, notFound(err)
	}
	var ids, pushers []string
	for i := range list {
		ids, pushers = append(ids, list[i].Ask), append(pushers, list[i].PushedBy)
	}
	asks, err := j.s.FullRecords(ctx, a.ID, figs.Asks, ids)
	if err != nil {
		return nil, err
	}
	who, err := j.userNames(ctx, pushers...)
	byID := make(map[string]*store.Record, len(asks))
	for i := range asks {
		byID[asks[i].ID] = &asks[i]
	}
	for i := len(list) - 1; i >= 0; i-- {
		ask := byID[list[i].Ask]
		page.Items = append(page.Items, messageOf(inThread(&list[i], ask), ask, who))
	}
	erased, e := j.erasures(ctx, a)
	addErasures(page.Items, erased)
	return page, errors.Join(err, e)
}

// inThread returns a reply as its ask's thread has it, with its round.
func inThread(m *store.Message, ask *store.Record) *store.Message {
	if ask != nil {
		for i := range ask.Thread {
			if ask.Thread[i].ID == m.ID {
				return &ask.Thread[i]
			}
		}
	}
	return m
}

func messageOf(m *store.Message, ask *store.Record, who userNames) journal.Message {
	x := journal.Message{Key: journal.Segment(m.ID), Message: figs.ReadMessage(object(m.Line)), Position: positionOf(figs.Messages, m.Line),
		At: m.At, Verified: m.Verified, Round: m.Round, Earlier: m.Earlier, No: m.No, Received: m.Received, Raw: m.Line}
	if !m.Verified {
		x.PushedBy = who.person(m.PushedBy)
	}
	if ask != nil {
		x.AskKey, x.AskTitle = journal.Segment(ask.ID), titleOf(ask)
	}
	return x
}
