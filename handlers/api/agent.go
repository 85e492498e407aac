package api

import (
	"encoding/json"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
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

func nameOf(_ *request, a *journal.Agent) name {
	id, _ := journal.Named(a.Key)
	return name{a.Key, id, a.DisplayName(), words(a.Charter.Role), words(a.Charter.Department), words(a.Charter.Status)}
}

type counts struct {
	Jobs     int `json:"jobs"`
	InFlight int `json:"in_flight"`
	Failed   int `json:"failed"`
	Warned   int `json:"warned"`
	Unknown  int `json:"unknown"`
	Asks     int `json:"asks"`
	Needs    int `json:"needs"`
	Waiting  int `json:"waiting"`
	Closed   int `json:"closed"`
	Messages int `json:"messages"`
	Files    int `json:"files"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	Refused  int `json:"refused"`
}

type agent struct {
	name
	Page       string          `json:"page"`
	Counts     counts          `json:"counts"`
	Oldest     *string         `json:"oldest_need"`
	LastTS     *string         `json:"last_ts"`
	Registered *string         `json:"registered"`
	Pushed     *string         `json:"pushed"`
	PushedBy   *person         `json:"pushed_by"`
	Manager    *person         `json:"manager"`
	Builder    *person         `json:"builder"`
	Archived   *string         `json:"archived"`
	Charter    json.RawMessage `json:"charter,omitempty"`
}

func agentOf(r *request, a *journal.Agent) agent {
	c := &a.Counts
	out := agent{name: nameOf(r, a), Page: r.page(a.Key), Oldest: words(a.Oldest), LastTS: words(a.Last.TS), Counts: counts{Jobs: c.Jobs, InFlight: c.InFlight, Failed: c.Failed, Warned: c.Warned, Unknown: c.Unknown,
		Asks: c.Asks, Needs: c.NeedsYou, Waiting: c.Waiting, Closed: c.Closed, Messages: c.Messages, Files: c.Files, Errors: c.Errors, Warnings: c.Warnings, Infos: c.Infos}}
	if h := a.Hosted; h != nil {
		out.Registered, out.Pushed, out.Counts.Refused = when(h.Registered), when(h.Pushed), h.Refused
		out.Archived = when(h.Archived)
		out.PushedBy, out.Manager, out.Builder = personOf(h.PushedBy), personOf(h.Manager), personOf(h.Builder)
	}
	return out
}

func listAgents(r *request) (any, error) {
	all, err := r.journal.Agents(r.c.Request().Context())
	if err != nil {
		return nil, err
	}
	return list[agent]{Items: each(r, all, agentOf), Total: len(all)}, nil
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
	out := agentOf(r, a)
	out.Charter = raw(text.Content)
	return out, nil
}

type refusal struct {
	Kind     string  `json:"kind"`
	ID       *string `json:"id"`
	Reason   string  `json:"reason"`
	Sentence string  `json:"sentence"`
	At       *string `json:"at"`
	PushedBy *person `json:"pushed_by"`
}

func refusalOf(_ *request, x *journal.Refusal) refusal {
	kind := map[figs.File]string{figs.Runs: "run", figs.Asks: "ask", figs.Messages: "message"}[x.File]
	return refusal{kind, words(x.ID), x.Reason.String(), x.Reason.Sentence(), when(x.At), personOf(x.PushedBy)}
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
	return list[refusal]{Items: each(r, all, refusalOf), Total: len(all)}, nil
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
	out := findings{list: listOf(r, &f.Page, finding), Now: words(f.Report.Now), Errors: f.Report.Errors, Warnings: f.Report.Warnings, Infos: f.Report.Infos}
	out.Rules = each(r, f.ByCode, func(_ *request, c *journal.CodeCount) codeCount { return codeCount{c.Code.String(), c.Count} })
	return out, nil
}
