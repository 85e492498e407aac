package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// Push is the body of one ingest, taken apart. Its slices are parts of the body.
type Push struct {
	Workspace     string // where it is to be stored, as the client says
	Agent         string // the agent's id, which is its identity (§1)
	Name          string // of the agent; another than the registered one is the mark of a copied folder
	Charter       []byte // agent.json with the id
	ConfirmRename bool
	Records       []PushRecord // runs, then asks; each in the order of its first line
	Messages      []PushLine
	Refused       []RefusedRecord     // what has no id to be stored under
	lists         [noList]jsonl.Value // until they are read
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

// ReadPush takes a body apart: it is OpenPush and List in one.
func ReadPush(body []byte) (*Push, error) {
	p, err := OpenPush(body)
	if err == nil {
		p.List(func(File, []byte) {})
	}
	return p, err
}

// OpenPush reads whose body it is, where it is to be stored, and that all of it is JSON; what it
// holds is read by List. Of duplicate keys the last counts. The body must not change as long as
// the push is used; its capacity beyond its length may be written to.
func OpenPush(body []byte) (*Push, error) {
	body = oneLine(body)
	var s jsonl.Scanner
	switch ln := s.Scan(body, 0); ln.Status {
	case jsonl.Whole:
	case jsonl.TooDeep:
		return nil, &PushError{ln.At, "The body nests deeper than " + itoa(jsonl.MaxDepth) + " levels; nothing was stored. Flatten the record that holds the nested value, then push again."}
	case jsonl.Blank, jsonl.NotObject:
		return nil, &PushError{0, "The body is not a JSON object, so nothing was stored. Send { workspaceId, agent, runs, asks, messages }."}
	default:
		return nil, &PushError{ln.At, "The body is not valid JSON from byte " + itoa(ln.At) + " on; nothing was stored. Push again; if it happens again, the client or something between cut the body short."}
	}
	values := map[string]jsonl.Value{}
	for _, m := range s.Members {
		key := jsonl.AppendKey(nil, body[m.KeyStart-1:m.KeyEnd+1])
		values[string(key)] = jsonl.Value{Kind: m.Kind, Raw: body[m.ValueStart:m.ValueEnd]}
	}
	p := &Push{}
	if err := p.open(values); err != nil {
		return nil, err
	}
	return p, nil
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

// The lists of a push, in the order in which they are read: of a record its unfolded lines
// before the fold, and replies before the asks that cite them.
const (
	listEvents = iota
	listRuns
	listMessages
	listAsks
	noList
)

var pushLists = [noList]struct {
	name string
	file File
}{{"runEvents", Runs}, {"runs", Runs}, {"messages", Messages}, {"asks", Asks}}

// notText names the kinds of JSON values that aren't text. A null counts as missing.
var notText = [...]string{jsonl.False: "false", jsonl.True: "true", jsonl.Number: "a number", jsonl.Array: "a list", jsonl.Object: "an object"}

// open reads everything but the lists.
func (p *Push) open(values map[string]jsonl.Value) error {
	if p.Workspace = values["workspaceId"].Text(); p.Workspace == "" {
		return &PushError{-1, "workspaceId is missing; nothing was stored. Run figs link, which writes it into .figs/config.json, then push again."}
	}
	agent := values["agent"]
	if agent.Kind != jsonl.Object {
		return &PushError{-1, "agent must be the object of agent.json with the agent's id; nothing was stored."}
	}
	p.Charter = agent.Raw
	fields := object(agent)
	name := fields.Get("name")
	if kind := notText[name.Kind]; kind != "" {
		return &PushError{-1, "agent.name must be text, and this one is " + kind + "; nothing was stored. Correct name in .figs/agent.json, then push again."}
	}
	p.Agent, p.Name = fields.Get("id").Text(), name.Text()
	if !isUUID(p.Agent) {
		return &PushError{-1, "agent.id must be the UUID that .figs/config.json has as agentId; nothing was stored. Run figs init if there is none."}
	}
	p.Agent = lower(p.Agent)
	p.ConfirmRename = values["confirmRename"].Kind == jsonl.True
	for i, list := range pushLists {
		switch v := values[list.name]; v.Kind {
		case jsonl.Array:
			p.lists[i] = v
		case jsonl.None, jsonl.Null:
		default:
			return &PushError{-1, list.name + " must be an array of records; nothing was stored."}
		}
	}
	return nil
}

// List reads Records, Messages and Refused, once. Unknown fields are kept with their record, and
// several lines with one id stay several. Meanwhile line is given every line that can be stored,
// in an order in which a Folder takes them.
func (p *Push) List(line func(file File, line []byte)) {
	r := pushReader{push: p, line: line}
	size := 0
	for _, v := range p.lists {
		size += len(v.Raw)
	}
	const usual = 256 // bytes of a record; mostly they are longer
	p.Records = make([]PushRecord, 0, size/usual)
	var events []PushLine
	r.list(listEvents, func(id, raw []byte) { events = append(events, PushLine{string(id), raw}) })
	r.list(listRuns, func(id, raw []byte) { r.add(&r.record(Runs, id).Lines, raw) })
	for _, e := range events {
		r.add(&r.record(Runs, []byte(e.ID)).Events, e.Raw)
	}
	r.list(listMessages, func(id, raw []byte) { p.Messages = append(p.Messages, PushLine{string(id), raw}) })
	r.list(listAsks, func(id, raw []byte) { r.add(&r.record(Asks, id).Lines, raw) })
	r.nameRecords()
	p.lists = [noList]jsonl.Value{}
}

type pushReader struct {
	scanner jsonl.Scanner
	push    *Push
	line    func(file File, line []byte)
	ids     [Ledgers]symbols // of records
	at      [Ledgers][]int   // records by sym - 1
	room    [][]byte         // for the lines of the next records
	key     []byte
}

// list reads one list. What has no id cannot be stored and is refused alone.
func (r *pushReader) list(which int, take func(id, raw []byte)) {
	file := pushLists[which].file
	for c := jsonl.Walk(r.push.lists[which]); c.NextMembers(&r.scanner); {
		id, refusal := r.id(r.push.lists[which].Raw, c.Value.Kind)
		if refusal != NotRefused {
			r.push.Refused = append(r.push.Refused, RefusedRecord{file, cut(id, 200), refusal})
			continue
		}
		take(id, c.Value.Raw)
		r.line(file, c.Value.Raw)
	}
}

// record finds or begins a record.
func (r *pushReader) record(file File, id []byte) *PushRecord {
	s := int(r.ids[file].intern(id))
	if s > len(r.at[file]) {
		r.at[file] = append(r.at[file], len(r.push.Records))
		r.push.Records = append(r.push.Records, PushRecord{File: file})
	}
	return &r.push.Records[r.at[file][s-1]]
}

// add adds a line. The first lines of many records share one piece of memory.
func (r *pushReader) add(lines *[][]byte, raw []byte) {
	if *lines != nil {
		*lines = append(*lines, raw)
		return
	}
	if len(r.room) == 0 {
		r.room = make([][]byte, 256)
	}
	r.room[0] = raw
	*lines, r.room = r.room[:1:1], r.room[1:]
}

// nameRecords gives the records their ids, which share one text.
func (r *pushReader) nameRecords() {
	for file := range r.ids {
		texts := r.ids[file].texts()
		for i, at := range r.at[file] {
			r.push.Records[at].ID = texts.at(sym(i + 1))
		}
	}
}

// maxID is the longest id that can be stored, in bytes.
const maxID = 400

// id returns the id of the record whose members were read, until the next one is asked for; of
// duplicate keys the last counts.
func (r *pushReader) id(list []byte, kind jsonl.Kind) ([]byte, Refusal) {
	if kind != jsonl.Object {
		return nil, RefusedNotObject
	}
	var id *jsonl.Member
	for i := range r.scanner.Members {
		m := &r.scanner.Members[i]
		key := list[m.KeyStart:m.KeyEnd]
		if m.KeyEscaped {
			r.key = jsonl.AppendKey(r.key[:0], list[m.KeyStart-1:m.KeyEnd+1])
			key = r.key
		}
		if string(key) == "id" {
			id = m
		}
	}
	if id == nil || id.Kind != jsonl.String || id.ValueEnd-id.ValueStart == 2 {
		return nil, RefusedIDMissing
	}
	r.key = jsonl.AppendKey(r.key[:0], list[id.ValueStart:id.ValueEnd])
	if len(r.key) > maxID {
		return r.key, RefusedIDTooLong
	}
	return r.key, NotRefused
}
