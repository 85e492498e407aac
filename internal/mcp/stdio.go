package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// mostRequest is how many bytes a message of a client may have.
	mostRequest = 1 << 20
	// grace is how long answers that are under way are waited for when a client has said its last word.
	grace = 10 * time.Second
)

// Serve answers one client, a JSON message a line, until its side of in ends, which is no error, or ctx does.
func Serve(ctx context.Context, f Folder, o Options, in io.Reader, out io.Writer) error {
	err := New(f, o).Run(ctx, stdio{&sdk.IOTransport{Reader: io.NopCloser(in), Writer: open{out}, MaxLineLength: mostRequest}})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// open is a writer that somebody else closes.
type open struct{ io.Writer }

func (open) Close() error { return nil }

// stdio is a transport that answers everything that was asked before its input ended.
type stdio struct{ sdk.Transport }

// Connect implements sdk.Transport.
func (t stdio) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return &patient{Connection: c, asked: map[jsonrpc.ID]bool{}}, err
}

// patient is a connection whose end is not told before the calls that came are answered.
type patient struct {
	sdk.Connection
	mutex    sync.Mutex
	asked    map[jsonrpc.ID]bool // calls without an answer
	answered chan struct{}       // closed when there are none any more; nil until the end has come
}

// Read implements sdk.Connection.
func (p *patient) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := p.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		p.mutex.Lock()
		p.asked[r.ID] = true
		p.mutex.Unlock()
	}
	if errors.Is(err, io.EOF) {
		p.wait(ctx)
	}
	return m, err
}

// wait returns when all calls are answered, or after a while.
func (p *patient) wait(ctx context.Context) {
	done := make(chan struct{})
	p.mutex.Lock()
	p.answered = done
	if len(p.asked) == 0 {
		close(done)
	}
	p.mutex.Unlock()
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	case <-ctx.Done():
	}
}

// Write implements sdk.Connection.
func (p *patient) Write(ctx context.Context, m jsonrpc.Message) error {
	err := p.Connection.Write(ctx, m)
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if was := len(p.asked); p.asked[r.ID] {
		delete(p.asked, r.ID)
		if was == 1 && p.answered != nil {
			close(p.answered)
			p.answered = nil
		}
	}
	return err
}
