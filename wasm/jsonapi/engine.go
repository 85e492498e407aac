// Package jsonapi is the engine for other programs: requests in JSON, and bytes of files, go in; answers in JSON come out.
// The npm package is its caller. Findings, folds, results of a search and comparisons are what the command line prints;
// jobs, asks, replies and files are what the read API sends.
package jsonapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/comparison"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/selected"
	"github.com/figs-web/figs-web/internal/recordjson"
	"github.com/figs-web/figs-web/internal/version"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// Request is a call. Op says which, and which of the other members it reads.
type Request struct {
	Op    string `json:"op"`
	Agent int    `json:"agent"` // number of an agent, from 0
	At    string `json:"at"`    // point in time, as journal.Query.At

	// list and listOlder
	Name    string  `json:"name"` // of the folder that contains all entries
	Entries []Entry `json:"entries"`
	Now     string  `json:"now"`

	// changed: a file that could not be read to its end, or changed meanwhile
	File   string `json:"file"` // also of fold: "runs", "asks" or "messages"
	Code   string `json:"code"`
	Detail string `json:"detail"`

	// jobs, asks, messages, files and search
	From  int    `json:"from"`
	Limit int    `json:"limit"` // at most 200; 0 for 50
	Text  string `json:"text"`
	State string `json:"state"`
	ID    string `json:"id"` // job and ask

	// compare: of the files that compareFiles lists, by their place in that list, those that have other bytes, and those
	// that could not be read
	Different []int `json:"different"`
	Unread    []int `json:"unread"`
}

// Engine holds the folders that a program has open. It is used by one goroutine at a time.
type Engine struct {
	bridge *bridge.Engine
	now    string
	agents [2][]listed // of the folder that is open, and of the older copy that it is compared with
}

// listed is an agent that was listed.
type listed struct{ path, dir string }

// New returns an engine with nothing open.
func New() *Engine { return &Engine{bridge: bridge.New()} }

// Buffer returns n bytes for the caller to fill before Feed or Call.
func (e *Engine) Buffer(n int) []byte { return e.bridge.Buffer(n) }

// Feed takes the first n bytes of the buffer as the next bytes of an agent's file, by the numbers that Listed has.
func (e *Engine) Feed(agent, file, n int) { e.bridge.Feed(agent, file, n) }

// Call answers one request. An answer that begins with an exclamation mark is none, and the rest says why.
func (e *Engine) Call(request []byte) []byte {
	var r Request
	if err := json.Unmarshal(request, &r); err != nil {
		return failure(errors.New("the request is not a JSON object"))
	}
	switch r.Op {
	case "findings", "fold":
		return e.written(&r)
	}
	answer, err := e.answer(&r)
	if err != nil {
		return failure(err)
	}
	b, err := json.Marshal(answer)
	if err != nil {
		return failure(err)
	}
	return b
}

func failure(err error) []byte { return append([]byte("!"), err.Error()...) }

func (e *Engine) answer(r *Request) (any, error) {
	switch r.Op {
	case "version":
		return Version{version.Version}, nil
	case "list":
		return e.list(r, 0)
	case "listOlder":
		return e.list(r, 1)
	case "changed":
		return struct{}{}, e.ask("problem", "agent", r.Agent, "file", r.File, "code", r.Code, "detail", r.Detail)
	case "finish":
		return struct{}{}, e.ask("finish")
	case "finishOlder":
		return struct{}{}, e.ask("finishOlder")
	case "agents":
		return e.listAgents(r)
	case "states":
		return e.states(r)
	case "search":
		return e.search(r)
	case "compareFiles":
		return e.compareFiles()
	case "compare":
		return e.compare(r)
	}
	return e.records(r)
}

// ask puts a request to the bridge whose answer says nothing.
func (e *Engine) ask(op string, members ...any) error {
	request := map[string]any{"op": op}
	for i := 0; i < len(members); i += 2 {
		request[members[i].(string)] = members[i+1]
	}
	b, err := json.Marshal(request)
	if err != nil {
		return err
	}
	answer := e.bridge.Call(b)
	if text, failed := strings.CutPrefix(string(answer), `{"error":"`); failed {
		return errors.New(strings.TrimSuffix(text, `"}`))
	}
	return nil
}

// written answers with what the core itself writes.
func (e *Engine) written(r *Request) []byte {
	file := figs.ParseFile(r.File + ".jsonl")
	switch {
	case r.Agent < 0 || r.Agent >= len(e.agents[0]):
		return failure(fmt.Errorf("there is no agent %d", r.Agent))
	case r.Op == "fold" && file >= figs.Ledgers:
		return failure(fmt.Errorf("there is no ledger %q", r.File))
	}
	b, _ := json.Marshal(map[string]any{"op": r.Op, "agent": r.Agent, "at": r.At, "file": int(file)})
	return e.bridge.Call(b)
}

// journal answers what a page of an agent needs. path is below the agent, "jobs" or "asks/ID".
func (e *Engine) journal(r *Request, path string) (*selected.Journal, string, error) {
	if r.Agent < 0 || r.Agent >= len(e.agents[0]) {
		return nil, "", fmt.Errorf("there is no agent %d", r.Agent)
	}
	key := strconv.Itoa(r.Agent + 1)
	q := journal.Query{Text: r.Text, State: r.State, From: r.From, N: r.Limit, At: r.At}
	s, ok := bridge.Decode(e.bridge.Call(selected.Request("/" + key + "/" + path + "?" + q.String())))
	if !ok {
		return nil, "", errors.New("the folder is not open")
	}
	return selected.New(s, e.now), key, nil
}

var convert recordjson.Converter

func (e *Engine) listAgents(r *Request) ([]Agent, error) {
	out := []Agent{}
	if len(e.agents[0]) == 0 {
		return out, nil
	}
	j, _, err := e.journal(r, "none")
	if err != nil {
		return nil, err
	}
	all, err := j.Agents(context.Background())
	if err != nil {
		return nil, err
	}
	for i := range all {
		out = append(out, newAgent(&all[i]))
	}
	return out, nil
}

func (e *Engine) states(r *Request) ([]AskState, error) {
	_, f := e.bridge.Folder(r.Agent)
	if f == nil {
		return nil, fmt.Errorf("there is no agent %d", r.Agent)
	}
	if r.At != "" {
		if p, ok := f.ParsePoint(r.At); ok && p != f.End() {
			if h := f.History(); h != nil {
				f = h.At(p)
			}
		}
	}
	out := make([]AskState, f.Records(figs.Asks))
	for i := range out {
		out[i] = AskState{f.ID(figs.Asks, i), recordjson.NewState(f.State(i))}
	}
	return out, nil
}

func (e *Engine) records(r *Request) (any, error) {
	path := r.Op
	if r.Op == "job" || r.Op == "ask" {
		path += "s/" + journal.Segment(r.ID)
	}
	j, key, err := e.journal(r, path)
	if err != nil {
		return nil, err
	}
	ctx, q := context.Background(), journal.Query{}
	switch r.Op {
	case "jobs":
		page, err := j.Jobs(ctx, key, q)
		return pageOf(convert.Job, page, err)
	case "asks":
		page, err := j.Asks(ctx, key, q)
		return pageOf(convert.Ask, page, err)
	case "messages":
		page, err := j.Messages(ctx, key, q)
		return pageOf(convert.Message, page, err)
	case "files":
		page, err := j.Files(ctx, key, q)
		return pageOf(convert.File, page, err)
	case "job":
		one, err := j.Job(ctx, key, journal.Segment(r.ID))
		return detail(jobDetail, one, err)
	case "ask":
		one, err := j.Ask(ctx, key, journal.Segment(r.ID))
		return detail(askDetail, one, err)
	}
	return nil, fmt.Errorf("there is no operation %q", r.Op)
}

func jobDetail(j *journal.Job) recordjson.JobDetail {
	out := convert.JobDetail(j)
	place(out.Trail, j.Trail)
	return out
}

func askDetail(a *journal.Ask) recordjson.AskDetail {
	out := convert.AskDetail(a)
	place(out.Trail, a.Trail)
	return out
}

// place says where in the folder the lines of a trail are.
func place(out []recordjson.TrailEntry, trail []journal.TrailEntry) {
	for i := range out {
		p := &trail[i].Position
		out[i].Place = &recordjson.Position{File: p.File.String(), Line: p.Line}
	}
}

// detail converts one record; null if there is none.
func detail[S, T any](convert func(*S) T, one *S, err error) (any, error) {
	if errors.Is(err, journal.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return convert(one), nil
}

func (e *Engine) search(r *Request) (*SearchResult, error) {
	j, key, err := e.journal(r, "search")
	if err != nil {
		return nil, err
	}
	a, err := j.Agent(context.Background(), key)
	if err != nil {
		return nil, err
	}
	report, err := j.SearchReport(context.Background(), key, journal.Query{})
	if err != nil {
		return nil, err
	}
	out := &SearchResult{Total: report.Total, Items: recordjson.Each(report.Items, func(h *journal.Hit) recordjson.Found { return recordjson.NewFound(a, h) })}
	q := find.Parse(r.Text)
	out.Notes = recordjson.Each(q.Notes, func(n *find.Note) SearchNote {
		return SearchNote{Text: r.Text[min(n.Start, len(r.Text)):min(n.End, len(r.Text))], Field: n.Field, Choices: recordjson.Each(n.Choices, func(s *string) string { return *s }), Suggestion: n.Fix}
	})
	return out, nil
}

// pairs matches the agents of the older copy with those that are open, and compares them.
func (e *Engine) pairs(same func(agent, older int, name string) (bool, error)) ([]*comparison.Pair, error) {
	var copies [2][]*comparison.Copy
	number := map[*comparison.Copy]int{}
	for side, agents := range e.agents {
		for i, a := range agents {
			n := i + side*len(e.agents[0])
			_, f := e.bridge.Folder(n)
			for _, finding := range f.Finish().Findings {
				if finding.Code == figs.FileUnreadable && figs.ParseFile(finding.File) < figs.Ledgers { // it would seem to be gone
					return nil, fmt.Errorf("%s/%s could not be read, so the copies can't be compared", a.path, finding.File)
				}
			}
			c := &comparison.Copy{Path: a.path, Dir: a.dir, Folder: f}
			number[c] = n
			copies[side] = append(copies[side], c)
		}
	}
	pairs := comparison.Match(copies[1], copies[0])
	key := figs.FingerprintKey{rand.Uint64(), rand.Uint64()}
	for _, p := range pairs {
		p.Compare(key, func(name string) (bool, error) { return same(number[p.Is], number[p.Was], name) })
	}
	return pairs, nil
}

var errNotCompared = errors.New("the bytes are not known")

// compareFiles lists the attachments that only their bytes can tell apart.
func (e *Engine) compareFiles() ([]SameSize, error) {
	files := []SameSize{}
	_, err := e.pairs(func(agent, older int, name string) (bool, error) {
		files = append(files, SameSize{Agent: agent, Older: older, Name: name})
		return false, errNotCompared
	})
	return files, err
}

func (e *Engine) compare(r *Request) (any, error) {
	n := -1
	told := map[int]error{}
	for _, i := range r.Different {
		told[i] = nil
	}
	for _, i := range r.Unread {
		told[i] = errNotCompared
	}
	pairs, err := e.pairs(func(int, int, string) (bool, error) {
		n++ // they come in the same order as before
		err, differs := told[n]
		return !differs, err
	})
	if err != nil {
		return nil, err
	}
	return comparison.NewResult(pairs), nil
}
