// Package client speaks the wire contract as figs clients do: the same calls, headers, timeouts,
// folding and exit codes. It knows a server by its answers alone; tests, the demo and benchmarks
// stand behind it.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Generation is a kind of client by what it sends.
type Generation int

const (
	// G12 is version 1.2: it folds every record and sends nothing of the lines before.
	G12 Generation = iota
	// Newer is what came after it: beside the folds it sends the unfolded lines of runs.
	Newer
	// Unfolded sends the lines of the ledgers as they stand, as the protocol allows: every line is
	// a moment of its record's trail, and what was raised again is seen to be.
	Unfolded
)

// version is what a generation compares with the oldest that a server takes.
func (g Generation) version() string { return [...]string{"1.2.0", "1.10.0", "1.10.0"}[g] }

// Options are where a client speaks to, and as whom.
type Options struct {
	Endpoint   string
	Token      string       // "" is not logged in
	HTTP       *http.Client // nil is one of its own
	Generation Generation
	Rename     bool // confirms that the agent's other name is no copied folder
	// Sleep waits between polls of a login; nil is the clock.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Client is one figs client. It may be used by several goroutines.
type Client struct{ o Options }

// New makes a client.
func New(o Options) *Client {
	o.Endpoint = strings.TrimRight(o.Endpoint, "/")
	if o.HTTP == nil {
		o.HTTP = &http.Client{}
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return &Client{o}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// The exit codes of the command.
const (
	Mend  = 1 // something must be mended; trying again will not help
	Retry = 2 // recorded here and not published; try again later
)

// Failure is what makes the command exit with a code that is not 0.
type Failure struct {
	Exit     int
	Status   int    // of the answer; 0 when there was none
	Sentence string // what is printed
	Code     string // of the answer, which clients do not print
	Body     []byte // of the answer
}

func (e *Failure) Error() string {
	if e.Status == 0 {
		return e.Sentence
	}
	return fmt.Sprintf("%s (%d)", e.Sentence, e.Status)
}

// ExitOf is the code with which the command ends; 0 for nil.
func ExitOf(err error) int {
	var f *Failure
	switch {
	case err == nil:
		return 0
	case errors.As(err, &f):
		return f.Exit
	}
	return Mend
}

func invalidInput(format string, args ...any) *Failure {
	return &Failure{Exit: Mend, Sentence: fmt.Sprintf(format, args...)}
}

const (
	usualTimeout = 30 * time.Second
	syncTimeout  = 5 * time.Second // of what a session begins with
)

// call sends one request and reads the answer, which may be any status. The error is a *Failure
// that says to try again.
func (c *Client) call(ctx context.Context, method, path string, body []byte, timeout time.Duration, more ...string) (*http.Response, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var from io.Reader
	if body != nil {
		from = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.o.Endpoint+path, from)
	if err != nil {
		return nil, nil, invalidInput("%s isn't the URL of a server", strconv.Quote(c.o.Endpoint))
	}
	r.Header.Set("Content-Type", "application/json")
	if c.o.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.o.Token)
		r.Header.Set("X-Figs-Token", c.o.Token)
	}
	for i := 0; i+1 < len(more); i += 2 {
		r.Header.Set(more[i], more[i+1])
	}
	answer, err := c.o.HTTP.Do(r)
	if err != nil {
		return nil, nil, &Failure{Exit: Retry, Sentence: "cannot reach " + c.o.Endpoint + ": " + err.Error()}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, nil, &Failure{Exit: Retry, Sentence: "the answer of " + c.o.Endpoint + " broke off: " + err.Error()}
	}
	return answer, text, nil
}

// refusal reads an answer that is no 2xx: 4xx is to be mended, everything else to be tried again.
func refusal(answer *http.Response, body []byte) *Failure {
	f := &Failure{Exit: Retry, Status: answer.StatusCode, Sentence: string(body), Body: body}
	if answer.StatusCode >= 400 && answer.StatusCode < 500 {
		f.Exit = Mend
	}
	var said struct{ Error, Code string }
	if json.Unmarshal(body, &said) == nil && said.Error != "" {
		f.Sentence, f.Code = said.Error, said.Code
	}
	return f
}

func fine(answer *http.Response) bool { return answer.StatusCode >= 200 && answer.StatusCode < 300 }

// ask calls and decodes an answer of 2xx. A body of bytes is sent as it is.
func (c *Client) ask(ctx context.Context, method, path string, body, into any) error {
	text, ready := body.([]byte)
	if body != nil && !ready {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	answer, got, err := c.call(ctx, method, path, text, usualTimeout)
	if err != nil {
		return err
	}
	if !fine(answer) {
		return refusal(answer, got)
	}
	if err := json.Unmarshal(got, into); err != nil {
		return &Failure{Exit: Retry, Status: answer.StatusCode, Sentence: "the server's response isn't valid JSON: " + err.Error(), Body: got}
	}
	return nil
}

// checkVersion refuses when the server takes newer clients only. A server that cannot be
// reached, or says something odd, stops nobody.
func (c *Client) checkVersion(ctx context.Context) error {
	var v struct{ CLI struct{ Min string } }
	if c.ask(ctx, http.MethodGet, "/api/version", nil, &v) != nil {
		return nil
	}
	if own := c.o.Generation.version(); older(own, v.CLI.Min) {
		return invalidInput("this client is %s, below the minimum %s of the server", own, v.CLI.Min)
	}
	return nil
}

// older compares versions by number; what is none is not older.
func older(a, b string) bool {
	for i := range 3 {
		x, okX := part(a, i)
		y, okY := part(b, i)
		switch {
		case !okX || !okY:
			return false
		case x != y:
			return x < y
		}
	}
	return false
}

func part(version string, i int) (n int, ok bool) {
	parts := strings.Split(version, ".")
	if i >= len(parts) {
		return 0, version != ""
	}
	digits := parts[i]
	for k := range len(digits) {
		if digits[k] < '0' || digits[k] > '9' {
			digits = digits[:k]
			break
		}
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil
}
