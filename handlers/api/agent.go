package api

import (
	"encoding/json"
	"net/url"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/listquery"
	"github.com/figs-web/figs-web/internal/recordjson"
)

// name is as much of an agent as stands beside its records.
type name struct {
	Key        string  `json:"key"`
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Role       *string `json:"role"`
	Department *string `json:"department"`
	Status     *string `json:"status"`
}

func nameOf(a *journal.Agent) name {
	id, _ := journal.ParseSegment(a.Key)
	return name{Key: a.Key, ID: id, Name: a.DisplayName(), Role: recordjson.Text(a.Charter.Role), Department: recordjson.Text(a.Charter.Department),
		Status: recordjson.Text(a.Charter.Status)}
}

type agent struct {
	name
	Page       string             `json:"page"`
	Counts     recordjson.Counts  `json:"counts"`
	Oldest     *string            `json:"oldest_need"`
	LastTS     *string            `json:"last_ts"`
	Registered *string            `json:"registered"`
	Pushed     *string            `json:"pushed"`
	PushedBy   *recordjson.Person `json:"pushed_by"`
	Manager    *recordjson.Person `json:"manager"`
	Builder    *recordjson.Person `json:"builder"`
	Archived   *string            `json:"archived"`
	Charter    json.RawMessage    `json:"charter,omitempty"`
}

func (r *request) agentOf(a *journal.Agent) agent {
	out := agent{name: nameOf(a), Page: r.page(a.Key), Oldest: recordjson.Text(a.Oldest), LastTS: recordjson.Text(a.Last.TS), Counts: recordjson.NewCounts(&a.Counts)}
	if h := a.Hosted; h != nil {
		out.Registered, out.Pushed, out.Counts.Refused = recordjson.Time(h.Registered), recordjson.Time(h.Pushed), h.Refused
		out.Archived = recordjson.Time(h.Archived)
		out.PushedBy, out.Manager, out.Builder = recordjson.NewPerson(h.PushedBy), recordjson.NewPerson(h.Manager), recordjson.NewPerson(h.Builder)
	}
	return out
}

func listAgents(r *request) (any, error) {
	all, err := r.journal.Agents(r.c.Request().Context())
	if err != nil {
		return nil, err
	}
	values, err := url.ParseQuery(r.query)
	if err != nil {
		return nil, err
	}
	part := agentsByName.Select(all, listquery.Query{After: values.Get("after"), N: listquery.Parse(values).N})
	return listOf(r, &journal.Page[journal.Agent]{Items: part.Items, From: part.From, Total: part.Total, Next: part.Next}, r.agentOf), nil
}

// agentsByName is the list of agents, in the order of their names.
var agentsByName = listquery.List[journal.Agent]{
	ID:      func(a *journal.Agent) string { return a.Key },
	Columns: []listquery.Column[journal.Agent]{{Name: "name", Text: (*journal.Agent).DisplayName}},
	Default: "name",
}

func showAgent(r *request) (any, error) {
	key, err := r.key("agent")
	if err != nil {
		return nil, err
	}
	ctx := r.c.Request().Context()
	a, err := r.journal.Agent(ctx, key)
	if err != nil {
		return nil, err
	}
	text, err := r.journal.Text(ctx, key, figs.AgentJSON.String())
	if err != nil {
		return nil, err
	}
	out := r.agentOf(a)
	out.Charter = recordjson.Raw(text.Content)
	return out, nil
}

type refusal struct {
	Kind     string             `json:"kind"`
	ID       *string            `json:"id"`
	Reason   string             `json:"reason"`
	Sentence string             `json:"sentence"`
	At       *string            `json:"at"`
	PushedBy *recordjson.Person `json:"pushed_by"`
}

func refusalOf(x *journal.Refusal) refusal {
	kind := map[figs.File]string{figs.Runs: "run", figs.Asks: "ask", figs.Messages: "message"}[x.File]
	return refusal{Kind: kind, ID: recordjson.Text(x.ID), Reason: x.Reason.String(), Sentence: x.Reason.Sentence(), At: recordjson.Time(x.At),
		PushedBy: recordjson.NewPerson(x.PushedBy)}
}

func listRefusals(r *request) (any, error) {
	key, err := r.key("agent")
	if err != nil {
		return nil, err
	}
	all, err := r.journal.Refusals(r.c.Request().Context(), key)
	if err != nil {
		return nil, err
	}
	return list[refusal]{Items: recordjson.Each(all, refusalOf), Total: len(all)}, nil
}

// findings is a list of them with what the whole report counts.
type findings struct {
	list[json.RawMessage]
	Now      *string     `json:"now"`
	Errors   int         `json:"errors"`
	Warnings int         `json:"warnings"`
	Infos    int         `json:"infos"`
	Rules    []codeCount `json:"rules"`
}

type codeCount struct {
	Code  string `json:"code"`
	Count int    `json:"count"`
}

func listFindings(r *request) (any, error) {
	key, err := r.key("agent")
	if err != nil {
		return nil, err
	}
	f, err := r.journal.Findings(r.c.Request().Context(), key, journal.ParseQuery(r.query))
	if err != nil {
		return nil, err
	}
	out := findings{list: listOf(r, &f.Page, recordjson.Finding), Now: recordjson.Text(f.Report.Now), Errors: f.Report.Errors, Warnings: f.Report.Warnings, Infos: f.Report.Infos}
	out.Rules = recordjson.Each(f.ByCode, func(c *journal.CodeCount) codeCount { return codeCount{c.Code.String(), c.Count} })
	return out, nil
}
