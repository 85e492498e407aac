package api

import (
	"context"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/recordjson"
)

// converter makes the JSON of an agent's records, with the URLs of their pages.
func (r *request) converter(agent string) recordjson.Converter {
	return recordjson.Converter{Page: func(section, key string) string { return r.page(agent, section, key) }}
}

// convert is the converter of the agent that the address names.
func (r *request) convert() recordjson.Converter { return r.converter(r.c.Param("agent")) }

func listJobs(r *request) (any, error) { return records(r, r.journal.Jobs, r.convert().Job) }

func listAsks(r *request) (any, error) { return records(r, r.journal.Asks, r.convert().Ask) }

func listMessages(r *request) (any, error) {
	return records(r, r.journal.Messages, r.convert().Message)
}

func listFiles(r *request) (any, error) { return records(r, r.journal.Files, r.convert().File) }

// records answers a list of an agent.
func records[T, S any](r *request, ask func(context.Context, string, journal.Query) (*journal.Page[S], error), convert func(*S) T) (any, error) {
	key, err := r.key("agent")
	if err != nil {
		return nil, err
	}
	page, err := ask(r.c.Request().Context(), key, journal.ParseQuery(r.query))
	if err != nil {
		return nil, err
	}
	return listOf(r, page, convert), nil
}

func showJob(r *request) (any, error) {
	j, err := record(r, r.journal.Job)
	if err != nil {
		return nil, err
	}
	return r.convert().JobDetail(j), nil
}

func showAsk(r *request) (any, error) {
	a, err := record(r, r.journal.Ask)
	if err != nil {
		return nil, err
	}
	return r.convert().AskDetail(a), nil
}

func showFile(r *request) (any, error) {
	f, err := record(r, r.journal.File)
	if err != nil {
		return nil, err
	}
	return r.convert().FileDetail(f), nil
}

// record asks for one record of an agent.
func record[S any](r *request, ask func(ctx context.Context, agent, key string) (*S, error)) (*S, error) {
	agent, err := r.key("agent")
	if err != nil {
		return nil, err
	}
	key, err := r.key("id")
	if err != nil {
		return nil, err
	}
	return ask(r.c.Request().Context(), agent, key)
}
