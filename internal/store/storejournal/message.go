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
	found, err := j.s.MessagePage(ctx, a.ID, sliceOf(q))
	if err != nil {
		return nil, notFound(err)
	}
	list := found.Items
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
	page := pageOf(found, func(m *store.Message) journal.Message {
		ask := byID[m.Ask]
		return messageOf(inThread(m, ask), ask, who)
	})
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
