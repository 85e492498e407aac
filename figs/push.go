package figs

import (
	"math/bits"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// Push is the body of one ingest, taken apart. Its slices are parts of the body.
type Push struct {
	Workspace     string // where it is to be stored, as the client says
	Agent         string // the agent's id, which is its identity (§1)
	Name          string // of the agent; another than the registered one is the mark of a copied folder
	Charter       []byte // agent.json with the id
	ConfirmRename bool
	Records       []PushRecord // runs, then asks; each in the order of its first line
	Messages      []PushLine
	Refused       []Refused // what has no id to be stored under
}

// PushRecord is what a push says of one run or ask.
type PushRecord struct {
	File   File // Runs or Asks
	ID     string
	Lines  [][]byte // one when the client folds, else its lines in order
	Events [][]byte // of a run: its unfolded lines as newer clients send them beside the fold
}

// PushLine is one event of a push.
type PushLine struct {
	ID  string
	Raw []byte
}

// PushError says why a body cannot be read as a push, in a sentence for the person who reads
// the client's output.
type PushError struct {
	Offset   int // byte of the body where reading failed; -1 when it is about a field
	Sentence string
}

func (e *PushError) Error() string { return e.Sentence }

// ReadPush takes a body apart. Of duplicate keys the last counts, unknown fields are kept with
// their record, and several lines with one id stay several. The body must not change as long
// as the push is used; its capacity beyond its length may be written to.
func ReadPush(body []byte) (*Push, error) {
	body = oneLine(body)
	var s jsonl.Scanner
	switch ln := s.Scan(body, 0); ln.Status {
	case jsonl.Whole:
	case jsonl.TooDeep:
		return nil, &PushError{ln.At, "The body nests deeper than " + itoa(jsonl.MaxDepth) + " levels; nothing was stored. Flatten the record that holds the nested value, then push again."}
	case jsonl.Blank, jsonl.NotObject:
		return nil, &PushError{0, "The body is no JSON object; nothing was stored. Send { workspaceId, agent, runs, asks, messages }."}
	default:
		return nil, &PushError{ln.At, "The body is no valid JSON from byte " + itoa(ln.At) + " on; nothing was stored. Push again; if it happens again, the client or something between cut the body short."}
	}
	p := pushReader{push: &Push{}, index: make(map[string]int, len(body)>>9)}
	values := map[string]jsonl.Value{}
	for _, m := range s.Members {
		key := jsonl.AppendKey(nil, body[m.KeyStart-1:m.KeyEnd+1])
		values[string(key)] = jsonl.Value{Kind: m.Kind, Raw: body[m.ValueStart:m.ValueEnd]}
	}
	if err := p.read(values); err != nil {
		return nil, err
	}
	return p.push, nil
}

// oneLine returns the body as one line, as the scanner wants it: a line break between values
// becomes a space.
func oneLine(body []byte) []byte {
	if n := jsonl.IndexNewline(body); n >= 0 {
		body = append(make([]byte, 0, len(body)+1), body...)
		for i := n; i < len(body); i++ {
			if body[i] == '\n' {
				body[i] = '\t' // a space between values, and an error inside a string, as it was
			}
		}
	}
	return append(trimBOM(body), '\n')
}

type pushReader struct {
	push  *Push
	index map[string]int // records by kind and id
	key   []byte
}

func (r *pushReader) read(values map[string]jsonl.Value) error {
	p := r.push
	if p.Workspace = values["workspaceId"].Text(); p.Workspace == "" {
		return &PushError{-1, "workspaceId is missing; nothing was stored. Run figs link, which writes it into .figs/config.json, then push again."}
	}
	agent := values["agent"]
	if agent.Kind != jsonl.Object {
		return &PushError{-1, "agent must be the object of agent.json with the agent's id; nothing was stored."}
	}
	p.Charter = agent.Raw
	fields := object(agent)
	p.Agent, p.Name = fields.Get("id").Text(), fields.Get("name").Text()
	if !isUUID(p.Agent) {
		return &PushError{-1, "agent.id must be the UUID that .figs/config.json has as agentId; nothing was stored. Run figs init if there is none."}
	}
	p.Agent = lower(p.Agent)
	p.ConfirmRename = values["confirmRename"].Kind == jsonl.True
	for _, list := range [...]struct {
		name string
		take func(id string, raw []byte)
		file File
	}{{"runs", r.run, Runs}, {"runEvents", r.event, Runs}, {"asks", r.ask, Asks}, {"messages", r.message, Messages}} {
		if err := r.list(values[list.name], list.name, list.file, list.take); err != nil {
			return err
		}
	}
	return nil
}

// list reads one ledger. What has no id cannot be stored and is refused alone.
func (r *pushReader) list(v jsonl.Value, name string, file File, take func(id string, raw []byte)) error {
	switch v.Kind {
	case jsonl.None, jsonl.Null:
		return nil
	case jsonl.Array:
	default:
		return &PushError{-1, name + " must be an array of records; nothing was stored."}
	}
	for c := jsonl.Walk(v); c.Next(); {
		id, refusal := r.id(c.Value)
		if refusal != NotRefused {
			r.push.Refused = append(r.push.Refused, Refused{file, cut([]byte(id), 200), refusal})
			continue
		}
		take(id, c.Value.Raw)
	}
	return nil
}

// maxID is the longest id that can be stored, in bytes.
const maxID = 400

// id returns a record's id; of duplicate keys the last counts.
func (r *pushReader) id(v jsonl.Value) (string, Refusal) {
	if v.Kind != jsonl.Object {
		return "", RefusedNotObject
	}
	id, only := firstID(v)
	if !only {
		id = jsonl.Value{}
		for c := jsonl.Walk(v); c.Next(); {
			if r.key = jsonl.AppendKey(r.key[:0], c.Key); string(r.key) == "id" {
				id = c.Value
			}
		}
	}
	if id.Kind != jsonl.String || len(id.Raw) == 2 {
		return "", RefusedIDMissing
	}
	r.key = jsonl.AppendKey(r.key[:0], id.Raw)
	if len(r.key) > maxID {
		return string(r.key), RefusedIDTooLong
	}
	return string(r.key), NotRefused
}

// firstID returns the first member when it is the id and no other member can be: clients write
// it first, so that mostly nothing else of a record need be walked through.
func firstID(v jsonl.Value) (id jsonl.Value, only bool) {
	c := jsonl.Walk(v)
	if !c.Next() || string(c.Key) != `"id"` {
		return id, false
	}
	rest := v.Raw[c.Offset+len(c.Value.Raw):]
	return c.Value, !hasEscape(rest) && !namesID(rest)
}

// namesID reports whether "id" in its quotes stands anywhere. (The package bytes would swell
// the engine, though it never reads a push.)
func namesID(s []byte) bool {
	const quotes = lows * '"'
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := load8(s[i:]) ^ quotes
		for m := (w - lows) &^ w & tops; m != 0; m &= m - 1 {
			if isID(s, i+bits.TrailingZeros64(m)>>3) {
				return true
			}
		}
	}
	for ; i < len(s); i++ {
		if isID(s, i) {
			return true
		}
	}
	return false
}

func isID(s []byte, i int) bool { return i+4 <= len(s) && string(s[i:i+4]) == `"id"` }

func (r *pushReader) record(file File, id string) *PushRecord {
	r.key = append(append(r.key[:0], byte(file)), id...)
	i, ok := r.index[string(r.key)]
	if !ok {
		i = len(r.push.Records)
		r.index[string(r.key)] = i
		r.push.Records = append(r.push.Records, PushRecord{File: file, ID: id})
	}
	return &r.push.Records[i]
}

func (r *pushReader) run(id string, raw []byte) {
	rec := r.record(Runs, id)
	rec.Lines = append(rec.Lines, raw)
}

func (r *pushReader) ask(id string, raw []byte) {
	rec := r.record(Asks, id)
	rec.Lines = append(rec.Lines, raw)
}

func (r *pushReader) event(id string, raw []byte) {
	rec := r.record(Runs, id)
	rec.Events = append(rec.Events, raw)
}

func (r *pushReader) message(id string, raw []byte) {
	r.push.Messages = append(r.push.Messages, PushLine{id, raw})
}
