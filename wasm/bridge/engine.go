// Package bridge is the engine behind a pipe of bytes: requests and chunks of files go in,
// reports and selections come out. It is plain Go, so that it is tested natively and as
// WebAssembly, and links nothing that would swell the engine.
package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// Engine holds the folders that a page has open. It is used by one goroutine at a time.
type Engine struct {
	keep   bool
	now    string
	agents []*agent
	buffer []byte
	out    []byte
	spans  []span // what the last selection left for the caller to read
}

// agent is one folder.
type agent struct {
	path   string
	f      *figs.Folder
	report *figs.Report
	jobs   []int // by newest line
	asks   []int // those that need a human first
	info   *AgentInfo
}

// span is a piece of a ledger.
type span struct {
	agent  int
	file   figs.File
	offset int64
	n      int
}

// New returns an engine with nothing open.
func New() *Engine { return &Engine{} }

// Buffer returns n bytes for the caller to fill before Feed or Call. While the engine keeps
// what it is fed, every buffer is a new one.
func (e *Engine) Buffer(n int) []byte {
	if e.keep || cap(e.buffer) < n {
		e.buffer = make([]byte, n)
	}
	e.buffer = e.buffer[:n]
	return e.buffer
}

// Feed takes the first n bytes of the buffer as the next bytes of an agent's file. Numbers
// that name nothing are ignored.
func (e *Engine) Feed(agent, file, n int) {
	if agent < 0 || agent >= len(e.agents) || file < 0 || file >= int(figs.NoFile) || n > len(e.buffer) || e.agents[agent].report != nil {
		return
	}
	chunk := e.buffer[:n:n]
	if e.keep {
		e.buffer = nil
	}
	e.agents[agent].f.Feed(figs.File(file), chunk)
}

// Call answers one request, a JSON object with "op". The answer is valid until the next call.
// A request that cannot be understood is answered with {"error": "…"}.
func (e *Engine) Call(request []byte) []byte {
	r, ok := parseRequest(request)
	if !ok {
		return e.fail("the request is not a JSON object")
	}
	e.out = e.out[:0]
	switch op := r.text("op"); op {
	case "open":
		return e.open(r)
	case "attach":
		return e.attach(r)
	case "problem":
		return e.problem(r)
	case "finish":
		return e.finish()
	case "findings", "fold", "select":
		a := e.agent(r)
		if a == nil && !(op == "select" && len(e.agents) > 0) {
			return e.fail("no such agent")
		}
		switch op {
		case "findings":
			e.out = figs.AppendFindings(e.out, a.report)
		case "fold":
			if r.int("file") >= figs.Ledgers {
				return e.fail("only ledgers fold")
			}
			e.out = a.f.AppendFold(e.out, figs.File(r.int("file")))
		default:
			e.out = e.selection(r).append(e.out)
		}
		return e.out
	case "slices":
		return e.slices()
	default:
		return e.fail("there is no operation of that name")
	}
}

func (e *Engine) fail(sentence string) []byte {
	e.out = append(append(append(e.out[:0], `{"error":"`...), sentence...), `"}`...)
	return e.out
}

func (e *Engine) done() []byte {
	e.out = append(e.out, "{}"...)
	return e.out
}

// open forgets everything and begins with the agents that the request names.
func (e *Engine) open(r request) []byte {
	e.keep, e.now = r.bool("keep"), r.text("now")
	e.agents, e.buffer, e.spans = nil, nil, nil
	for c := jsonl.Walk(r.get("agents")); c.Next(); {
		e.agents = append(e.agents, &agent{path: c.Value.Text(), f: figs.New(figs.Options{Keep: e.keep, Now: e.now})})
	}
	return e.done()
}

func (e *Engine) attach(r request) []byte {
	a := e.reading(r)
	if a == nil {
		return e.fail("no such agent is being read")
	}
	for c := jsonl.Walk(r.get("files")); c.Next(); {
		pair := jsonl.Walk(c.Value)
		if !pair.Next() {
			continue
		}
		name := pair.Value.Text()
		if pair.Next() {
			a.f.Attach(name, count(pair.Value))
		}
	}
	return e.done()
}

func (e *Engine) problem(r request) []byte {
	a := e.reading(r)
	code, ok := figs.CodeNamed(r.text("code"))
	if a == nil || !ok {
		return e.fail("no such agent is being read, or no such rule")
	}
	a.f.Problem(r.text("file"), code, r.text("detail"))
	return e.done()
}

func (e *Engine) finish() []byte {
	e.out = append(e.out, `{"agents":[`...)
	for i, a := range e.agents {
		a.finish(e.keep)
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.out = a.appendSummary(e.out)
	}
	e.out = append(e.out, "]}"...)
	return e.out
}

// slices lists the pieces of ledgers that the caller must append to the last selection.
func (e *Engine) slices() []byte {
	e.out = append(e.out, '[')
	for i, s := range e.spans {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.out = append(e.out, '[')
		for k, n := range [...]int64{int64(s.agent), int64(s.file), s.offset, int64(s.n)} {
			if k > 0 {
				e.out = append(e.out, ',')
			}
			e.out = appendInt(e.out, n)
		}
		e.out = append(e.out, ']')
	}
	e.out = append(e.out, ']')
	return e.out
}

// agent returns the finished folder that a request names by its number, from 0.
func (e *Engine) agent(r request) *agent {
	i := r.int("agent")
	if i < 0 || i >= len(e.agents) || e.agents[i].report == nil {
		return nil
	}
	return e.agents[i]
}

func (e *Engine) reading(r request) *agent {
	i := r.int("agent")
	if i < 0 || i >= len(e.agents) || e.agents[i].report != nil {
		return nil
	}
	return e.agents[i]
}
