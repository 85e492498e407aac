package mcp

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/recordjson"
)

type asksOf struct {
	ofAgent
	part
	State string `json:"state,omitempty" jsonschema:"only asks in this state: needs (a person), waiting (for the agent) or closed"`
	Text  string `json:"text,omitempty" jsonschema:"only those whose text contains all of these words"`
}

func (s *server) listAsks(ctx context.Context, in *asksOf) (*list[recordjson.Ask], error) {
	q, err := filtered(in.part, in.State, in.Text, standings)
	if err != nil {
		return nil, err
	}
	j, agent, err := s.in(ctx, in.Agent, "asks", q)
	if err != nil {
		return nil, err
	}
	page, err := j.Asks(ctx, agent, q)
	if err != nil {
		return nil, err
	}
	return listOf(briefly(), page, convert.Ask), nil
}

type oneAsk struct {
	ofAgent
	Ask string `json:"ask" jsonschema:"its id, or its key from list_asks"`
}

// askAnswer is an ask with what belongs to it.
type askAnswer struct {
	recordjson.AskDetail
	LeftOut int `json:"left_out,omitempty" jsonschema:"number of elements of these lists that did not fit into the result"`
}

func (s *server) readAsk(ctx context.Context, in *oneAsk) (*askAnswer, error) {
	j, agent, key, err := s.record(ctx, in.Agent, "asks", figs.Asks, in.Ask)
	if err != nil {
		return nil, err
	}
	a, err := j.Ask(ctx, agent, key)
	if err != nil {
		return nil, err
	}
	out, b := &askAnswer{AskDetail: convert.AskDetail(a)}, fully()
	placeTrail(out.Trail, a.Trail)
	for _, files := range [][]recordjson.File{out.Files, out.Earlier} {
		for i := range files {
			files[i].Mentions = nil // the trail says which lines attach it
		}
	}
	fitTrailLast(b, out, &out.Trail)
	out.LeftOut = b.leftOut
	return out, nil
}

type messagesOf struct {
	ofAgent
	part
}

func (s *server) listMessages(ctx context.Context, in *messagesOf) (*list[recordjson.Message], error) {
	q := in.query()
	j, agent, err := s.in(ctx, in.Agent, "messages", q)
	if err != nil {
		return nil, err
	}
	page, err := j.Messages(ctx, agent, q)
	if err != nil {
		return nil, err
	}
	return listOf(briefly(), page, convert.Message), nil
}
