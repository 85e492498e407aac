package tree

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/wholefile"
)

type FeedbackCommand struct {
	Text string `arg:"" name:"TEXT" help:"What is wrong or missing. - reads it from standard input."`
	To   string `placeholder:"REMOTE" predictor:"remote" help:"The server to send it to, as NAME: or its URL. Default: keep it in a local file and send nothing."`
}

func init() {
	cmd.MachinePages["feedback"] = cmd.MachinePage{
		Usage: "figs-web --agent feedback <TEXT|-> [--to REMOTE]",
		Patterns: []string{
			"figs-web --agent feedback TEXT",
			"figs-web --agent feedback TEXT --to acme:",
			"figs-web --agent feedback - --to https://figs.example.com/w/acme",
		},
		Codes: append([]cmd.Kind{cmd.AlreadyExists}, pathCodes...),
	}
}

// Help is what `feedback --help` adds.
func (FeedbackCommand) Help() string {
	return `Reports a problem with this tool. With --to, the feedback goes to that server, where owners and admins of the workspace read it. Without it, the feedback becomes a line of feedback.jsonl in your settings folder, and nothing is sent.

Examples:

  figs-web feedback "wait does not say which reply it saw"
  figs-web feedback - --to acme: < notes.txt
`
}

// mostFeedback is how long it may be, in bytes.
const mostFeedback = 8192

// Run notes it.
func (c FeedbackCommand) Run(a *cmd.App) error {
	text := c.Text
	if text == "-" {
		if a.Stdin == nil {
			return cmd.Fail(cmd.Usage, "There is no standard input.", "Give the text as an argument.")
		}
		b, err := io.ReadAll(io.LimitReader(a.Stdin, mostFeedback+1))
		if err != nil {
			return err
		}
		text = string(b)
	}
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return cmd.Fail(cmd.Usage, "The feedback is empty.", "Describe the problem in a sentence.")
	case len(text) > mostFeedback:
		return cmd.Fail(cmd.Usage, fmt.Sprintf("The text is longer than %d bytes.", mostFeedback), "Shorten it.")
	case !utf8.ValidString(text) || strings.Contains(text, "\x00"):
		return cmd.Fail(cmd.Usage, "The text is not valid UTF-8.", "Write it in UTF-8.")
	}
	if c.To != "" {
		return c.send(a, text)
	}
	return c.keep(a, text)
}

// send gives it to those who run a workspace of a hosted reader.
func (c FeedbackCommand) send(a *cmd.App, text string) error {
	to := c.To
	if remoteName.MatchString(to) && !cmd.Exists(to) {
		to += ":" // a name alone is meant as one
	}
	p, err := placeOf(a, to)
	if err != nil {
		return err
	}
	if p.origin == nil {
		return cmd.Fail(cmd.Usage, cmd.Quote(c.To)+" is not a server.", "Use NAME: or a URL. Without --to, the feedback is stored locally.")
	}
	t, err := openRemote(a, p)
	if err != nil {
		return err
	}
	if _, err := t.enter(a.Ctx, p.Parts); err != nil {
		return err
	}
	body := map[string]string{"text": text, "tool": "figs-web", "version": a.Version}
	if t.workspace.ID != "" {
		body["workspace"] = t.workspace.ID
	}
	var made struct{ ID, Path string }
	if err := t.client.Post(a.Ctx, "/feedback", body, &made); err != nil {
		return err
	}
	return created(a, createdJSON{ID: made.ID, Path: made.Path})
}

// feedbackName is the file beside the settings that keeps what is sent nowhere.
const feedbackName = "feedback.jsonl"

func (c FeedbackCommand) keep(a *cmd.App, text string) error {
	dir, err := configDir(a)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return cmd.FailureOf(err, dir)
	}
	id := strings.ToLower(rand.Text())
	line, err := json.Marshal(struct {
		ID      string `json:"id"`
		TS      string `json:"ts"`
		Version string `json:"version"`
		Text    string `json:"text"`
	}{id, a.Now().UTC().Format(time.RFC3339), a.Version, text})
	if err != nil {
		return err
	}
	name := filepath.Join(dir, feedbackName)
	err = AppendTo(a.Ctx, name, wholefile.Options{}, func(there []byte) ([]byte, error) {
		if len(there) > 0 && there[len(there)-1] != '\n' {
			return slices.Concat([]byte("\n"), line, []byte("\n")), nil
		}
		return append(line, '\n'), nil
	})
	if err != nil {
		return err
	}
	return created(a, createdJSON{ID: id, Path: filepath.ToSlash(name)})
}
