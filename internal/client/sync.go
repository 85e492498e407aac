package client

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// Synced is what a reply sync brought.
type Synced struct {
	Events      []json.RawMessage // oldest first
	Truncated   bool
	Tag         string // of the answer, for the next time
	NotModified bool
}

// Messages asks for an agent's replies; tag is that of the last answer, or "".
func (c *Client) Messages(ctx context.Context, agent, tag string) (*Synced, error) {
	var more []string
	if tag != "" {
		more = []string{"If-None-Match", tag}
	}
	answer, text, err := c.call(ctx, http.MethodGet, "/api/messages?agent="+url.QueryEscape(agent), nil, syncTimeout, more...)
	if err != nil {
		return nil, err
	}
	s := &Synced{Tag: answer.Header.Get("ETag"), NotModified: answer.StatusCode == http.StatusNotModified}
	if s.NotModified {
		return s, nil
	}
	if !fine(answer) {
		return nil, refusal(answer, text)
	}
	var got struct {
		Messages  []json.RawMessage
		Truncated bool
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return nil, &Failure{Exit: Retry, Status: answer.StatusCode, Sentence: "the sync returned no JSON", Body: text}
	}
	s.Events, s.Truncated = got.Messages, got.Truncated
	return s, nil
}

// Sync brings an agent's replies down: it appends what its ledger lacks, as it came, and holds
// the ledger to the rules that the next push will be held to.
func (c *Client) Sync(ctx context.Context, agent string, ledger []byte) (grown []byte, added int, err error) {
	s, err := c.Messages(ctx, agent, "")
	if err != nil {
		return ledger, 0, err
	}
	have := map[string]bool{}
	for line := range bytes.SplitSeq(ledger, []byte("\n")) {
		have[idOf(line)] = true
	}
	grown = ledger
	for _, event := range s.Events {
		id := idOf(event)
		if id == "" || have[id] {
			continue
		}
		have[id] = true
		grown = append(append(grown, event...), '\n')
		added++
	}
	f := figs.New(figs.Options{Loose: true})
	f.Feed(figs.Messages, bytes.Clone(grown))
	if stopping := stoppers(f.Finish()); len(stopping) > 0 {
		return grown, added, invalidInput("what was synced down blocks every later push:\n  %s", strings.Join(stopping, "\n  "))
	}
	return grown, added, nil
}

func idOf(event []byte) string { return figs.Fold([][]byte{event}).Get("id").Text() }
