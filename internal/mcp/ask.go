package mcp

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

type asksOf struct {
	ofAgent
	part
	State string `json:"state,omitempty" jsonschema:"only those that stand so: needs (a person), waiting (for the agent) or closed"`
	Text  string `json:"text,omitempty" jsonschema:"only those whose texts hold all of these words"`
}

// ask is an ask in lists.
type ask struct {
	Key       string   `json:"key"`
	ID        string   `json:"id"`
	Type      string   `json:"type" jsonschema:"question or sign-off, unless the agent wrote another word"`
	Title     string   `json:"title"`
	To        string   `json:"to"`
	TS        string   `json:"ts" jsonschema:"as the agent wrote it"`
	Phase     string   `json:"phase" jsonschema:"needs you, replied, being revised, declined, resolved, withdrawn or rejected"`
	Round     int      `json:"round" jsonschema:"how often it was put to a person"`
	Reported  bool     `json:"reported" jsonschema:"the reply that decides is only transcribed: an agent wrote it down, nothing proves it"`
	Found     string   `json:"found"`
	Need      string   `json:"need"`
	Options   []string `json:"options"`
	OnApprove []string `json:"on_approve"`
	Files     []string `json:"attachments"`
	Job       string   `json:"job" jsonschema:"id of the job that it names"`
	Lines     int      `json:"lines" jsonschema:"how many lines of the ledger it has"`
}

func askOf(b *budget, j *journal.Ask) ask {
	a := &j.Ask
	return ask{Key: j.Key, ID: b.text(a.ID), Type: b.text(a.Type), Title: b.text(a.Title), To: b.text(a.To), TS: b.text(a.TS),
		Phase: j.State.Phase.String(), Round: j.State.Round, Reported: j.State.Reported, Found: b.text(a.Found), Need: b.text(a.Need),
		Options: b.texts(a.Options), OnApprove: b.texts(a.OnApprove), Files: b.texts(a.Attachments), Job: b.text(a.Run), Lines: j.Lines}
}

func (s *server) listAsks(ctx context.Context, in *asksOf) (*list[ask], error) {
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
	return listOf(briefly(), page, askOf), nil
}

type oneAsk struct {
	ofAgent
	Ask string `json:"ask" jsonschema:"its id, or its key as list_asks gives it"`
}

// askAlone is an ask with all that belongs to it.
type askAlone struct {
	ask
	Details    []pair      `json:"details"`
	Resolution *resolution `json:"resolution,omitempty" jsonschema:"how the agent closed it"`
	Extra      []extra     `json:"extra" jsonschema:"fields that the protocol does not name"`
	Thread     []message   `json:"thread" jsonschema:"the replies, in the order of time"`
	Trail      []moment    `json:"trail"`
	Findings   []finding   `json:"findings" jsonschema:"what is wrong with its lines"`
	LeftOut    int         `json:"left_out,omitempty" jsonschema:"elements of these lists that did not fit into the answer"`
}

type resolution struct {
	Note   string `json:"note"`
	Chosen string `json:"chosen"`
	Answer string `json:"answer" jsonschema:"id of the reply that it cites"`
	Via    string `json:"via"`
	By     string `json:"by"`
	TS     string `json:"ts"`
	Run    string `json:"run"`
}

func (s *server) readAsk(ctx context.Context, in *oneAsk) (*askAlone, error) {
	j, agent, key, err := s.record(ctx, in.Agent, "asks", figs.Asks, in.Ask)
	if err != nil {
		return nil, err
	}
	a, err := j.Ask(ctx, agent, key)
	if err != nil {
		return nil, err
	}
	b := fully()
	out := &askAlone{ask: askOf(b, a)}
	if r := a.Ask.Resolution; r != nil {
		out.Resolution = &resolution{b.text(r.Note), b.text(r.Chosen), b.text(r.Answer), b.text(r.Via), b.text(r.By), b.text(r.TS), b.text(r.Run)}
	}
	var left [5]int
	out.Details, left[0] = each(b, a.Ask.Details, pairOf)
	out.Thread, left[1] = each(b, a.Thread, messageOf)
	out.Extra, left[2] = each(b, a.Ask.Extra, extraOf)
	out.Findings, left[3] = each(b, a.Findings, findingOf)
	out.Trail, left[4] = each(b, a.Trail, momentOf)
	for _, n := range left {
		out.LeftOut += n
	}
	return out, nil
}

type messagesOf struct {
	ofAgent
	part
}

// message is a reply.
type message struct {
	Key      string `json:"key"`
	ID       string `json:"id"`
	Kind     string `json:"kind" jsonschema:"answer or verdict"`
	Ask      string `json:"ask" jsonschema:"id of its ask"`
	By       string `json:"by"`
	TS       string `json:"ts"`
	Source   string `json:"source"`
	Verdict  string `json:"verdict"`
	Chosen   string `json:"chosen"`
	Text     string `json:"text"`
	Round    int    `json:"round" jsonschema:"of the ask that it belongs to; 0 when there is no such ask"`
	Earlier  bool   `json:"earlier" jsonschema:"given before the newest change of its ask"`
	Verified bool   `json:"verified" jsonschema:"false: transcribed, as all replies of a folder are"`
}

func messageOf(b *budget, j *journal.Message) message {
	m := &j.Message
	return message{j.Key, b.text(m.ID), b.text(m.Kind), b.text(m.Ask), b.text(m.By), b.text(m.TS), b.text(m.Source), b.text(m.Verdict), b.text(m.Chosen), b.text(m.Text), j.Round, j.Earlier, j.Verified}
}

func (s *server) listMessages(ctx context.Context, in *messagesOf) (*list[message], error) {
	q := in.query()
	j, agent, err := s.in(ctx, in.Agent, "messages", q)
	if err != nil {
		return nil, err
	}
	page, err := j.Messages(ctx, agent, q)
	if err != nil {
		return nil, err
	}
	return listOf(briefly(), page, messageOf), nil
}
