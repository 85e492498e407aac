package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxLine is how many bytes a line of a client may have.
	maxLine = 1 << 20
	// grace is how long calls in progress are waited for when a client has sent its last line.
	grace = 10 * time.Second
)

// Serve answers one client, a JSON-RPC message a line, until in ends, which is no error, or ctx is done. A line that is
// no message gets its JSON-RPC error; the lines after it are read as usual.
func Serve(ctx context.Context, f Folder, o Options, in io.Reader, out io.Writer) error {
	err := New(f, o).Run(ctx, &stdio{in, out})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// stdio is the transport. The SDK's own ends at the first line it cannot read, and reads ids as 64-bit integers.
type stdio struct {
	in  io.Reader
	out io.Writer
}

// Connect implements sdk.Transport.
func (t *stdio) Connect(context.Context) (sdk.Connection, error) {
	c := &conn{out: t.out, lines: make(chan line), closed: make(chan struct{}), calls: map[jsonrpc.ID]*call{}, running: map[string]jsonrpc.ID{}}
	go c.readLines(t.in) // it outlives Close when t.in does not end: nothing can interrupt a read of stdin
	return c, nil
}

// line is one line of the client, or what ended the reading.
type line struct {
	text    []byte
	tooLong bool
	err     error
}

// conn is a connection. The SDK knows each call by a number of ours; the client gets back the id it sent, byte for byte.
type conn struct {
	out    io.Writer
	lines  chan line
	closed chan struct{}
	once   sync.Once
	queue  []jsonrpc.Message // the rest of a batch; for Read alone

	writing sync.Mutex // held while a line is written

	mutex   sync.Mutex // guards what follows
	last    int        // number of the last call
	calls   map[jsonrpc.ID]*call
	running map[string]jsonrpc.ID // by the client's id: its newest call without an answer
	idle    chan struct{}         // closed when no call is left; nil until the client has sent its last line
}

// call is a call without an answer.
type call struct {
	id    json.RawMessage // as it came
	batch *batch          // that it came in, or nil
}

// batch is an array of messages, which protocol 2025-03-26 allows. Its answers are written together.
type batch struct {
	open    int // calls without an answer; one more while the batch is being read
	answers [][]byte
}

// SessionID implements sdk.Connection.
func (c *conn) SessionID() string { return "" }

// Close implements sdk.Connection. It leaves the streams open: they belong to the caller of Serve.
func (c *conn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// readLines sends each line that is not blank to c.lines, until in ends or the connection is closed.
func (c *conn) readLines(in io.Reader) {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		l := readLine(r)
		if l.err == nil && !l.tooLong && len(bytes.TrimSpace(l.text)) == 0 {
			continue
		}
		select {
		case c.lines <- l:
		case <-c.closed:
			return
		}
		if l.err != nil {
			return
		}
	}
}

// readLine reads a line to its end, and keeps at most maxLine bytes of it. The last line needs no line feed.
func readLine(r *bufio.Reader) (l line) {
	for {
		part, err := r.ReadSlice('\n')
		if l.tooLong = l.tooLong || len(l.text)+len(part) > maxLine; l.tooLong {
			l.text = nil
		} else {
			l.text = append(l.text, part...)
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && (l.tooLong || len(l.text) > 0):
			return l
		case !errors.Is(err, bufio.ErrBufferFull):
			return line{err: err}
		}
	}
}

// Read implements sdk.Connection. It reports the end only after the calls before it were answered.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for ctx.Err() == nil {
		if len(c.queue) > 0 {
			m := c.queue[0]
			c.queue = c.queue[1:]
			return m, nil
		}
		select {
		case <-ctx.Done():
		case <-c.closed:
			return nil, io.EOF
		case l := <-c.lines:
			if errors.Is(l.err, io.EOF) {
				c.wait(ctx)
			}
			if l.err != nil {
				return nil, l.err
			}
			if err := c.take(&l); err != nil {
				return nil, err
			}
		}
	}
	return nil, ctx.Err()
}

// take puts the messages of a line into the queue, and answers what is none. The error is that of writing.
func (c *conn) take(l *line) error {
	switch {
	case l.tooLong:
		return c.refuse(nil, nil, jsonrpc.CodeInvalidRequest, "A message may have at most 1 MiB.")
	case !utf8.Valid(l.text):
		return c.refuse(nil, nil, jsonrpc.CodeParseError, "The line isn't valid UTF-8.")
	case !json.Valid(l.text):
		return c.refuse(nil, nil, jsonrpc.CodeParseError, "The line isn't valid JSON or is nested too deeply. Send one JSON-RPC message per line.")
	}
	text := bytes.TrimSpace(l.text)
	if text[0] != '[' {
		return c.takeOne(text, nil)
	}
	var all []json.RawMessage
	switch err := json.Unmarshal(text, &all); {
	case err != nil || len(all) == 0:
		return c.refuse(nil, nil, jsonrpc.CodeInvalidRequest, "The batch is empty.")
	case len(all) > maxBatch:
		return c.refuse(nil, nil, jsonrpc.CodeInvalidRequest, "A batch may have at most 1,000 messages.")
	}
	b := &batch{open: 1}
	for _, one := range all {
		if err := c.takeOne(one, b); err != nil {
			return err
		}
	}
	return c.answered(b, nil)
}

// maxBatch is how many messages a batch may have.
const maxBatch = 1000

// takeOne puts one message into the queue, or answers what is none.
func (c *conn) takeOne(text []byte, b *batch) error {
	var m map[string]json.RawMessage
	if json.Unmarshal(text, &m) != nil || m == nil {
		return c.refuse(nil, b, jsonrpc.CodeInvalidRequest, "A message must be a JSON object.")
	}
	id, hasID := m["id"]
	key := idKey(id)
	if hasID && key == "" {
		return c.refuse(nil, b, jsonrpc.CodeInvalidRequest, "An id must be a string or a number.")
	}
	var version, method string
	if json.Unmarshal(m["jsonrpc"], &version) != nil || version != "2.0" {
		return c.refuse(id, b, jsonrpc.CodeInvalidRequest, `The message lacks "jsonrpc":"2.0".`)
	}
	name, hasMethod := m["method"]
	if !hasMethod { // the answer to a call of ours, or nothing
		answer, err := jsonrpc.DecodeMessage(text)
		if err != nil || m["result"] == nil && m["error"] == nil {
			return c.refuse(id, b, jsonrpc.CodeInvalidRequest, "The message has no method.")
		}
		c.queue = append(c.queue, answer)
		return nil
	}
	if name[0] != '"' || json.Unmarshal(name, &method) != nil {
		return c.refuse(id, b, jsonrpc.CodeInvalidRequest, "A method must be a string.")
	}
	request := &jsonrpc.Request{Method: method, Params: m["params"]}
	if hasID {
		request.ID = c.register(id, key, b)
	} else if method == "notifications/cancelled" {
		request.Params = c.ownID(request.Params)
	}
	c.queue = append(c.queue, request)
	return nil
}

// idKey is by what two spellings of an id are one, "" for what is no id: strings by their characters, numbers by their
// digits as written.
func idKey(id json.RawMessage) string {
	var s string
	switch {
	case len(id) == 0:
	case id[0] == '"' && json.Unmarshal(id, &s) == nil:
		return "s" + s
	case id[0] == '-' || id[0] >= '0' && id[0] <= '9':
		return "n" + string(id)
	}
	return ""
}

// register notes a call of the client, and returns the id under which the SDK knows it.
func (c *conn) register(id json.RawMessage, key string, b *batch) jsonrpc.ID {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.last++
	own, _ := jsonrpc.MakeID(float64(c.last)) // a number always is one
	c.calls[own], c.running[key] = &call{id, b}, own
	if b != nil {
		b.open++
	}
	return own
}

// ownID puts our id of a call in the place of the client's into the params of a cancellation.
func (c *conn) ownID(params json.RawMessage) json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(params, &m) != nil {
		return params
	}
	c.mutex.Lock()
	own, ok := c.running[idKey(m["requestId"])]
	c.mutex.Unlock()
	if !ok {
		delete(m, "requestId") // of a call that was answered, or never came: it must not name another of ours
	} else if b, err := json.Marshal(own.Raw()); err == nil {
		m["requestId"] = b
	}
	b, err := json.Marshal(m)
	if err != nil {
		return params
	}
	return b
}

// Write implements sdk.Connection.
func (c *conn) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		b, err := jsonrpc.EncodeMessage(m)
		if err != nil {
			return err
		}
		return c.writeLine(b)
	}
	c.mutex.Lock()
	answered := c.calls[r.ID]
	c.mutex.Unlock()
	if answered == nil {
		return nil // nothing that the client called
	}
	defer c.settle(r.ID, answered)
	text, err := encodeAnswer(answered.id, r)
	if err != nil {
		return err
	}
	if answered.batch != nil {
		return c.answered(answered.batch, text)
	}
	return c.writeLine(text)
}

// settle forgets a call that has its answer.
func (c *conn) settle(own jsonrpc.ID, done *call) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.calls, own)
	if key := idKey(done.id); c.running[key] == own {
		delete(c.running, key)
	}
	if len(c.calls) == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

// wait returns when all calls are answered, after grace, or when ctx is done.
func (c *conn) wait(ctx context.Context) {
	idle := make(chan struct{})
	c.mutex.Lock()
	c.idle = idle
	if len(c.calls) == 0 {
		close(idle)
		c.idle = nil
	}
	c.mutex.Unlock()
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-idle:
	case <-late.C:
	case <-ctx.Done():
	}
}

// refuse answers what is no message: with its id where it has one, else with null, as JSON-RPC has it.
func (c *conn) refuse(id json.RawMessage, b *batch, code int64, sentence string) error {
	if id == nil {
		id = json.RawMessage("null")
	}
	text, err := encodeAnswer(id, &jsonrpc.Response{Error: &jsonrpc.Error{Code: code, Message: sentence}})
	switch {
	case err != nil:
		return err
	case b == nil:
		return c.writeLine(text)
	}
	c.mutex.Lock()
	b.open++
	c.mutex.Unlock()
	return c.answered(b, text)
}

// answered adds an answer to a batch, nil for the end of its messages, and writes them all when none is missing.
func (c *conn) answered(b *batch, text []byte) error {
	c.mutex.Lock()
	if text != nil {
		b.answers = append(b.answers, text)
	}
	b.open--
	whole := b.open == 0 && len(b.answers) > 0
	c.mutex.Unlock()
	if !whole {
		return nil
	}
	return c.writeLine(append(append([]byte("["), bytes.Join(b.answers, []byte(","))...), ']'))
}

// encodeAnswer encodes an answer with the client's id.
func encodeAnswer(id json.RawMessage, r *jsonrpc.Response) ([]byte, error) {
	const head = `{"jsonrpc":"2.0"`
	b, err := jsonrpc.EncodeMessage(&jsonrpc.Response{Result: r.Result, Error: r.Error})
	if err != nil {
		return nil, err
	}
	rest, ok := bytes.CutPrefix(b, []byte(head))
	if !ok {
		return nil, errors.New("mcp: the SDK encodes messages otherwise than expected")
	}
	return append(append([]byte(head+`,"id":`), id...), rest...), nil
}

func (c *conn) writeLine(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	return err
}
