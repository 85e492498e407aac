package client

import (
	"context"
	"encoding/base64"
	"io/fs"
	"net/http"
	"strconv"
)

// Ingested is the answer to a push, as far as it is read here. Clients read none of it.
type Ingested struct {
	Unchanged, Registered bool
	AgentID               string
	Runs, Asks, Messages  int // how many changed
	Errors, Warnings      int
	Refused               []Refused
	URL                   string
}

// Refused is a record that the server left out.
type Refused struct{ Kind, ID, Reason, Message string }

// Result is what a push did.
type Result struct {
	Runs, Asks, Messages int // how many were sent
	Answer               Ingested
	Uploaded, Unchanged  []string
	Missing              []string   // named, and not in the folder
	Failed               []*Failure // of uploads
}

// Push publishes a folder: its records, then every file that they name. fsys is the folder
// .figs; workspace "" is the one that it is linked to. The error is a *Failure.
func (c *Client) Push(ctx context.Context, fsys fs.FS, workspace string) (*Result, error) {
	o, workspace, err := c.outbox(ctx, fsys, workspace)
	if err != nil {
		return nil, err
	}
	if err := c.checkVersion(ctx); err != nil {
		return nil, err
	}
	r := &Result{Runs: len(o.runs), Asks: len(o.asks), Messages: len(o.messages)}
	if r.Answer, err = c.Ingest(ctx, o.body(workspace, c.o.Generation, c.o.Rename)); err != nil {
		return r, err
	}
	return r, c.upload(ctx, o, workspace, r)
}

func (c *Client) outbox(ctx context.Context, fsys fs.FS, workspace string) (*outbox, string, error) {
	o, err := open(ctx, fsys)
	if err != nil {
		return nil, "", err
	}
	if workspace == "" {
		workspace = o.workspace
	}
	switch {
	case workspace == "":
		return nil, "", invalidInput("not linked: the records are safe here; figs link publishes them")
	case c.o.Token == "":
		return nil, "", invalidInput("not logged in")
	}
	return o, workspace, nil
}

// Ingest sends a body as it is.
func (c *Client) Ingest(ctx context.Context, body []byte) (Ingested, error) {
	var got Ingested
	err := c.ask(ctx, http.MethodPost, "/api/ingest", body, &got)
	return got, err
}

// upload sends every file, whether or not it was sent before; the server knows what it has.
func (c *Client) upload(ctx context.Context, o *outbox, workspace string, r *Result) error {
	for _, name := range o.attached {
		content, ok := o.file(name)
		if !ok {
			r.Missing = append(r.Missing, name)
			continue
		}
		unchanged, err := c.Upload(ctx, workspace, o.agentID, name, content)
		f, failed := err.(*Failure)
		switch {
		case failed:
			r.Failed = append(r.Failed, f)
		case err != nil:
			return err
		case unchanged:
			r.Unchanged = append(r.Unchanged, name)
		default:
			r.Uploaded = append(r.Uploaded, name)
		}
	}
	if len(r.Failed) > 0 { // whatever the answers were: the records have landed
		return &Failure{Exit: Retry, Status: r.Failed[0].Status, Code: r.Failed[0].Code, Body: r.Failed[0].Body,
			Sentence: strconv.Itoa(len(r.Failed)) + " uploads failed, the first one: " + r.Failed[0].Sentence}
	}
	return nil
}

// Upload sends one file.
func (c *Client) Upload(ctx context.Context, workspace, agent, name string, content []byte) (unchanged bool, err error) {
	var got struct {
		OK, Unchanged bool
		SHA256        string
	}
	err = c.ask(ctx, http.MethodPost, "/api/artifacts/upload", map[string]string{
		"workspaceId": workspace, "agentId": agent, "name": name, "content": base64.StdEncoding.EncodeToString(content)}, &got)
	return got.Unchanged, err
}

// Judgement is the answer to a folder that is only tried.
type Judgement struct {
	OK     *bool    `json:"ok"`
	Issues *[]Issue `json:"issues"`
}

// Issue is something that a push would be refused for.
type Issue struct{ Path, Message, Expected string }

// Validate lets the server judge a folder. An answer of 2xx without a verdict and its issues,
// over which clients crash, is a *Failure.
func (c *Client) Validate(ctx context.Context, fsys fs.FS, workspace string) (ok bool, issues []Issue, err error) {
	o, workspace, err := c.outbox(ctx, fsys, workspace)
	if err != nil {
		return false, nil, err
	}
	return c.Judge(ctx, o.body(workspace, G12, false))
}

// Judge lets the server judge a body.
func (c *Client) Judge(ctx context.Context, body []byte) (ok bool, issues []Issue, err error) {
	var j Judgement
	if err := c.ask(ctx, http.MethodPost, "/api/validate", body, &j); err != nil {
		return false, nil, err
	}
	if j.OK == nil || j.Issues == nil {
		return false, nil, &Failure{Exit: Retry, Status: http.StatusOK, Sentence: "the judgement has no ok, or no issues"}
	}
	return *j.OK, *j.Issues, nil
}
