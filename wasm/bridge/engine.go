// Package bridge is the engine behind a pipe of bytes: requests and chunks of files go in,
// reports and selections come out. It is plain Go, so that it is tested natively and as
// WebAssembly, and links nothing that would swell the engine.
package bridge

import (
	"runtime"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// Engine holds the folders that a page has open. It is used by one goroutine at a time.
type Engine struct {
	keep   bool
	now    string // as folders that are read are checked, ISO-8601
	agents []*agent
	buffer []byte
	out    []byte
	spans  []span // what the last selection left for the caller to read

	searches []*looking
	shelves  []*shelf
	compare  comparing
}

// span is a piece of a file.
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
	a := e.folder(agent)
	if file == int(figs.NoFile) && n <= len(e.buffer) {
		e.compare.take(e.buffer[:n])
		return
	}
	if a == nil || file < 0 || file > int(figs.NoFile) || n > len(e.buffer) || a.report != nil {
		return
	}
	chunk := e.buffer[:n:n]
	if e.keep {
		e.buffer = nil
	}
	a.f.Feed(figs.File(file), chunk)
}

// Call answers one request, a JSON object with "op". The answer is valid until the next call.
// A request that cannot be understood is answered with {"error": "…"}.
func (e *Engine) Call(request []byte) []byte {
	e.out = e.out[:0]
	if r, ok := parseRequest(request); !ok {
		e.fail("the request is not a JSON object")
	} else {
		e.answer(r)
	}
	return e.out
}

func (e *Engine) answer(r request) {
	switch op := r.text("op"); op {
	case "open":
		e.open(r)
	case "add":
		e.add(r)
		e.done()
	case "attach", "problem":
		e.tell(r, op)
	case "finish":
		e.finish(e.agents[min(r.size("from"), len(e.agents)):])
	case "select":
		if len(e.agents) == 0 {
			e.fail(noAgent)
			return
		}
		e.selection(r)
	case "findings", "fold":
		a, file := e.asked(r, e.agent(r)), r.size("file")
		switch {
		case a == nil:
			e.fail(noAgent)
		case op == "findings":
			e.out = figs.AppendFindings(e.out, a.report)
		case file >= figs.Ledgers:
			e.fail("only ledgers fold")
		default:
			e.out = a.f.AppendFold(e.out, figs.File(file))
		}
	case "slices":
		e.slices()
	case "index":
		e.shelve(r)
	case "key", "fingerprint", "loadFingerprint", "openOlder", "finishOlder", "since", "sameSizeFiles", "differingFiles":
		e.compares(op, r)
	default:
		e.fail("there is no operation of that name")
	}
}

const noAgent = "no such agent"

func (e *Engine) fail(sentence string) {
	e.out = append(append(append(e.out[:0], `{"error":"`...), sentence...), `"}`...)
}

func (e *Engine) done() { e.out = append(e.out, "{}"...) }

// open forgets everything and begins with the agents that the request names.
func (e *Engine) open(r request) {
	e.keep = r.get("keep").Kind == jsonl.True
	used := len(e.agents) > 0
	e.agents, e.buffer, e.spans = nil, nil, nil
	e.searches, e.shelves = nil, nil
	e.compare.forget()
	if used { // a module's memory never shrinks: what was open makes room before it grows
		runtime.GC()
	}
	e.now = r.text("now")
	e.add(r)
	e.done()
}

// add begins with further agents. "loose" is the place in the request of the one whose files came without a folder.
func (e *Engine) add(r request) {
	options := figs.Options{Keep: e.keep, Now: e.now}
	loose, from := r.int("loose"), len(e.agents)
	for c := jsonl.Walk(r.get("agents")); c.Next(); {
		options.Loose = len(e.agents)-from == loose
		e.agents = append(e.agents, &agent{path: c.Value.Text(), f: figs.New(options)})
	}
}

// tell notes files of artifacts/, or what kept the caller from reading, of an agent that is
// being read.
func (e *Engine) tell(r request, op string) {
	a := e.folder(r.int("agent"))
	if a == nil || a.report != nil {
		e.fail("no such agent is being read")
		return
	}
	if op == "problem" {
		code, ok := figs.ParseCode(r.text("code"))
		if !ok {
			e.fail("there is no such rule")
			return
		}
		a.f.Problem(r.text("file"), code, r.text("detail"))
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
	e.done()
}

func (e *Engine) finish(agents []*agent) {
	e.out = append(e.out, `{"agents":[`...)
	for i, a := range agents {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.out = a.finish(e.out)
	}
	e.out = append(e.out, "]}"...)
}

// slices lists the pieces of files that the caller must append to the last selection.
func (e *Engine) slices() {
	before := byte('[')
	for i := range e.spans {
		s := &e.spans[i]
		e.out = append(e.out, before)
		before = '['
		for _, n := range [...]int{s.agent, int(s.file), int(s.offset), s.n} {
			e.out = figs.AppendInt(append(e.out, before), n)
			before = ','
		}
		e.out = append(e.out, ']')
	}
	if len(e.spans) == 0 {
		e.out = append(e.out, '[')
	}
	e.out = append(e.out, ']')
}

// numbered returns the folder that a request names by its number, from 0.
func (e *Engine) numbered(r request) *agent {
	if i := r.int("agent"); i >= 0 && i < len(e.agents) {
		return e.agents[i]
	}
	return nil
}

// agent is numbered for folders that were read to their end.
func (e *Engine) agent(r request) *agent {
	if a := e.numbered(r); a != nil && a.report != nil {
		return a
	}
	return nil
}

// Folder returns an agent's folder and its path by its number; those given to compare with are counted behind the others.
// The folder is nil if there is no such agent.
func (e *Engine) Folder(n int) (path string, f *figs.Folder) {
	if a := e.folder(n); a != nil {
		return a.path, a.f
	}
	return "", nil
}
