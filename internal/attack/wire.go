package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// A wire is a Chromium and the connection to it. It differs from chromedp's browser in one thing that matters here: it
// hears every target that comes to be, frames in other processes, workers and popups too, from before its first script.
type wire struct {
	conn   *chromedp.PipeConn
	cmd    *exec.Cmd
	exited chan struct{}
	hear   func(target.SessionID, any) // called in the order of arrival; must not wait for an answer

	mu      sync.Mutex
	next    int64
	waiting map[int64]chan *cdproto.Message
}

// errGone is what a call gets when the browser has ended.
var errGone = errors.New("the browser has ended")

// start runs a browser with the given arguments.
func start(program string, args []string, hear func(target.SessionID, any)) (*wire, error) {
	fromUs, toBrowser, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromBrowser, toUs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	w := &wire{exited: make(chan struct{}), waiting: make(map[int64]chan *cdproto.Message), hear: hear}
	w.cmd = exec.Command(program, append(args, "--remote-debugging-pipe")...)
	w.cmd.ExtraFiles = []*os.File{fromUs, toUs}
	err = w.cmd.Start()
	fromUs.Close()
	toUs.Close()
	if err != nil {
		return nil, err
	}
	w.conn = chromedp.NewPipeConn(fromBrowser, toBrowser)
	go w.read()
	return w, nil
}

func (w *wire) read() {
	for {
		msg := new(cdproto.Message)
		if err := w.conn.Read(context.Background(), msg); err != nil {
			break
		}
		if msg.ID != 0 {
			w.mu.Lock()
			reply := w.waiting[msg.ID]
			delete(w.waiting, msg.ID)
			w.mu.Unlock()
			if reply != nil {
				reply <- msg
			}
			continue
		}
		// Events that are newer than cdproto are none of ours.
		if event, err := cdproto.UnmarshalMessage(msg, chromedp.DefaultUnmarshalOptions); err == nil {
			w.hear(msg.SessionID, event)
		}
	}
	w.cmd.Wait()
	close(w.exited)
}

// send starts a command and returns the channel of its answer.
func (w *wire) send(session target.SessionID, method string, params any) (chan *cdproto.Message, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	reply := make(chan *cdproto.Message, 1)
	w.mu.Lock()
	w.next++
	id := w.next
	w.waiting[id] = reply
	w.mu.Unlock()
	msg := &cdproto.Message{ID: id, SessionID: session, Method: cdproto.MethodType(method), Params: raw}
	return reply, w.conn.Write(context.Background(), msg)
}

// post runs a command whose answer nobody needs.
func post[P, R any](w *wire, session target.SessionID, c cdp.Command[P, R], params P) {
	w.send(session, c.Method, params)
}

// call runs a command and waits for its answer.
func call[P, R any](ctx context.Context, w *wire, session target.SessionID, c cdp.Command[P, R], params P) (R, error) {
	var result R
	reply, err := w.send(session, c.Method, params)
	if err != nil {
		return result, err
	}
	select {
	case <-ctx.Done():
		return result, fmt.Errorf("%s: %w", c.Method, ctx.Err())
	case <-w.exited:
		return result, errGone
	case msg := <-reply:
		if msg.Error != nil {
			return result, fmt.Errorf("%s: %w", c.Method, msg.Error)
		}
		return result, json.Unmarshal(msg.Result, &result)
	}
}

// stop ends the browser and waits until it is gone, so that its log is whole.
func (w *wire) stop() {
	w.send("", "Browser.close", struct{}{})
	select {
	case <-w.exited:
	case <-time.After(10 * time.Second):
		w.cmd.Process.Kill()
		<-w.exited
	}
	w.conn.Close()
}
