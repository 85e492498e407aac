package kinds

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

type artifactGetCommand struct {
	ID string `arg:"" placeholder:"ID" help:"The artifact's id."`
}

// Help is what `artifact get --help` adds.
func (artifactGetCommand) Help() string {
	return `Prints the record as it was published, and the state of its file: its size and SHA-256 are compared with the record. A missing or changed file is not a failure. The file's content is not printed.

Examples:

  figs-web artifact get art_01kaga5vrb8c3x9q4m2z7n6t5d
  figs-web artifact get art_01kaga5vrb8c3x9q4m2z7n6t5d --root ../workspace
`
}

// Run prints one record.
func (c artifactGetCommand) Run(a *cmd.App, root *ArtifactCommand) error {
	w, err := root.open()
	if err != nil {
		return err
	}
	defer w.Close()
	r, err := w.Find(a.Ctx, c.ID)
	if err != nil {
		return cmd.FailureOf(err, artifacts.Dir)
	}
	if r == nil {
		return cmd.Fail(cmd.NotFound, "There is no artifact "+cmd.Quote(c.ID)+".", "figs-web artifact list --all shows the ids.")
	}
	if a.PrintsJSON() {
		text, err := recordNow(r)
		if err != nil {
			return err
		}
		_, err = a.Stdout.Write(text)
		return err
	}
	rows := [][]string{}
	row := func(name, value string) {
		if value != "" {
			rows = append(rows, []string{a.Paint.Faint(name), cmd.Clean(value)})
		}
	}
	p := &r.Producer
	row("id", r.ID)
	row("title", r.Title)
	row("channel", r.Channel)
	row("kind", r.Kind)
	row("status", r.Status)
	row("path", r.Path)
	row("target", whereabouts(r))
	row("size", size(r))
	row("digest", r.Digest)
	row("published", r.Created)
	row("work", p.Work)
	row("parent work", p.ParentWork)
	row("made by", strings.Join(slices.DeleteFunc([]string{p.Kind, p.Name, p.Role, p.Model}, func(s string) bool { return s == "" }), ", "))
	row("session", p.Session)
	row("task", p.Task)
	row("replaces", r.Replaces)
	row("tags", strings.Join(r.Tags, ", "))
	row("record", r.File)
	row("summary", r.Summary)
	_, err = fmt.Fprint(a.Stdout, cmd.Table(rows))
	return err
}

// recordNow is a record as one line of JSON, in its own words but for what its target is now: targetAvailable,
// targetState, and of a file that has changed its size and digest.
func recordNow(r *artifacts.Record) ([]byte, error) {
	now := fmt.Appendf(nil, `{"targetAvailable":%t,"targetState":%q`, isAvailable(r), targetState(r))
	if r.Target.State == artifacts.TargetDiffers {
		now = fmt.Appendf(now, `,"targetSizeBytes":%d`, r.Target.Size)
		if r.Target.SHA256 != "" {
			now = fmt.Appendf(now, `,"targetDigest":{"algorithm":"sha256","value":%q}`, r.Target.SHA256)
		}
	}
	o := figs.Fold([][]byte{bytes.ReplaceAll(r.Raw, []byte("\n"), []byte(" ")), append(now, '}')})
	var line bytes.Buffer
	if err := json.Compact(&line, figs.AppendObject(nil, o)); err != nil {
		return nil, err
	}
	return append(line.Bytes(), '\n'), nil
}

// targetState is what a target is, for programs. Only what has the digest that was published is "available".
func targetState(r *artifacts.Record) string {
	switch r.Target.State {
	case artifacts.TargetAvailable:
		if !r.Verified() {
			return "unverified" // there, and nothing proves that it is what was published
		}
		return "available"
	case artifacts.TargetDiffers:
		return "changed"
	case artifacts.TargetUnavailable:
		return "gone"
	case artifacts.TargetEscapes:
		return "outside"
	}
	return "unreadable"
}

// whereabouts says what became of a target.
func whereabouts(r *artifacts.Record) string {
	switch targetState(r) {
	case "available":
		return "available, with the published size and digest"
	case "unverified":
		if r.Target.Dir {
			return "available, a folder; its content was not compared"
		}
		return "available; the record has no digest to compare with"
	case "changed":
		now := "changed since it was published: it has " + cmd.Plural(int(r.Target.Size), "byte")
		if r.Target.SHA256 != "" {
			now += " and the SHA-256 " + r.Target.SHA256
		}
		return now + " now"
	case "gone":
		return "gone"
	case "outside":
		return "outside the workspace, not opened"
	}
	return "unknown: the file can't be read"
}

func size(r *artifacts.Record) string {
	if r.Size < 0 {
		return ""
	}
	return cmd.Plural(int(r.Size), "byte")
}
