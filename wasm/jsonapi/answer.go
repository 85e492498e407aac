package jsonapi

import (
	"errors"

	"github.com/figs-web/figs-web/internal/comparison"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/recordjson"
)

// Answers are the types of all answers, from which the types of the npm package are generated.
var Answers = []any{
	Agent{}, AskState{}, Report{}, SearchResult{}, comparison.Result{},
	recordjson.Job{}, recordjson.JobDetail{}, recordjson.Ask{}, recordjson.AskDetail{}, recordjson.Message{}, recordjson.File{},
}

// Version is the release of the module.
type Version struct {
	Version string `json:"version"`
}

// Agent is an agent whose folder is open.
type Agent struct {
	Key    string            `json:"key" jsonschema:"its number, from 1"`
	Path   string            `json:"path" jsonschema:"of its folder, starting with the name of the opened folder"`
	ID     string            `json:"id" jsonschema:"from config.json; empty if it has none"`
	Name   string            `json:"name" jsonschema:"from agent.json, or else its path"`
	Role   string            `json:"role"`
	Counts recordjson.Counts `json:"counts"`
	Oldest *string           `json:"oldest_need" jsonschema:"when the oldest open ask began to need a person"`
	Last   *string           `json:"last_ts" jsonschema:"time of the newest line, as the agent wrote it"`
}

func newAgent(a *journal.Agent) Agent {
	return Agent{Key: a.Key, Path: a.Path, ID: a.Config.AgentID, Name: a.DisplayName(), Role: a.Charter.Role, Counts: recordjson.NewCounts(&a.Counts),
		Oldest: recordjson.Text(a.Oldest), Last: recordjson.Text(a.Last.TS)}
}

// AskState is an ask's id with its state.
type AskState struct {
	ID string `json:"id"`
	recordjson.State
}

// Page is a part of a list.
type Page[T any] struct {
	Items []T `json:"items"`
	From  int `json:"from"`
	Total int `json:"total"`
}

// pageOf converts a page; a list that is not there is empty.
func pageOf[S, T any](convert func(*S) T, p *journal.Page[S], err error) (any, error) {
	if errors.Is(err, journal.ErrNotFound) {
		return Page[T]{Items: []T{}}, nil
	}
	if err != nil {
		return nil, err
	}
	return Page[T]{Items: recordjson.Each(p.Items, convert), From: p.From, Total: p.Total}, nil
}

// SearchResult is what a search found in one agent.
type SearchResult struct {
	Items []recordjson.Found `json:"items" jsonschema:"newest first"`
	Total int                `json:"total"`
	Notes []SearchNote       `json:"notes" jsonschema:"parts of the search that were not understood as they may have been meant"`
}

// SearchNote is a part of a search that was read as words.
type SearchNote struct {
	Text       string   `json:"text" jsonschema:"the part"`
	Field      string   `json:"field" jsonschema:"the field that it seems to name"`
	Choices    []string `json:"choices" jsonschema:"values of that field"`
	Suggestion string   `json:"suggestion" jsonschema:"what may have been meant"`
}

// SameSize is an attachment that is as large in both copies.
type SameSize struct {
	Agent int    `json:"agent"`
	Older int    `json:"older"` // number of the older agent
	Name  string `json:"name"`
}

// Report is the result of checking a folder, as `figs-web doctor --json` prints it.
type Report struct {
	Valid    bool       `json:"valid" jsonschema:"no rule of severity error is broken"`
	Now      string     `json:"now,omitempty" jsonschema:"the time by which the rules about time judged"`
	Errors   int        `json:"errors"`
	Warnings int        `json:"warnings"`
	Infos    int        `json:"infos"`
	Findings []Finding  `json:"findings" jsonschema:"errors first, then warnings, then infos"`
	More     []Overflow `json:"more,omitempty" jsonschema:"findings that are counted and not listed"`
}

// Finding is one rule broken in one place.
type Finding struct {
	Code       string     `json:"code"`
	Severity   string     `json:"severity"`
	File       string     `json:"file" jsonschema:"name inside the folder"`
	Line       int        `json:"line" jsonschema:"from 1; 0 for the whole file"`
	Column     int        `json:"column" jsonschema:"from 1, in bytes; 0 for the whole line"`
	EndColumn  int        `json:"endColumn" jsonschema:"column after the last marked byte; 0 if column is 0"`
	Offset     int        `json:"offset" jsonschema:"of the marked bytes, or of the line, in the file"`
	Pointer    string     `json:"pointer,omitempty" jsonschema:"RFC 6901 pointer inside the line's object"`
	Record     string     `json:"record,omitempty" jsonschema:"id of the record"`
	Message    string     `json:"message,omitempty" jsonschema:"what is wrong, one sentence"`
	Hint       string     `json:"hint,omitempty" jsonschema:"how to fix it"`
	Expected   string     `json:"expected,omitempty" jsonschema:"what was expected, in a few words"`
	Suggestion string     `json:"suggestion,omitempty" jsonschema:"the value meant, only if that is certain"`
	Related    []Position `json:"related,omitempty" jsonschema:"other places that the finding is about"`
	ForAgent   string     `json:"forAgent,omitempty" jsonschema:"text to send to the agent that wrote the line"`
}

// Position is a place in a file of the folder.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Overflow counts findings of a rule that are not listed.
type Overflow struct {
	Code  string `json:"code"`
	Count int    `json:"count"`
}
