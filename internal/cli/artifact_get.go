package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/flue"
)

type artifactGetCommand struct {
	ID string `arg:"" placeholder:"ID" help:"The artifact's id."`
}

// Help is what `artifact get --help` adds.
func (artifactGetCommand) Help() string {
	return `Prints the record as it was published, with targetAvailable as it is now: a target that is gone is no failure. It does not print what the artifact holds.

Examples:

  figs-web artifact get art_01kaga5vrb8c3x9q4m2z7n6t5d
  figs-web artifact get art_01kaga5vrb8c3x9q4m2z7n6t5d --root ../workspace
`
}

// Run prints one record.
func (c artifactGetCommand) Run(a *app, root *artifactCommand) error {
	w, err := root.open()
	if err != nil {
		return err
	}
	defer w.Close()
	r, err := w.Find(a.ctx, c.ID)
	if err != nil {
		return failureOf(err, flue.Dir)
	}
	if r == nil {
		return fail(notFound, "There is no artifact "+quote(c.ID)+".", "figs-web artifact list --all shows the ids that there are.")
	}
	if a.agent {
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
			rows = append(rows, []string{a.paint.faint(name), clean(value)})
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
	_, err = fmt.Fprint(a.Stdout, table(rows))
	return err
}

// recordNow is a record as one line of JSON, in its own words but for targetAvailable, which is judged again.
func recordNow(r *flue.Record) ([]byte, error) {
	now := []byte(`{"targetAvailable":` + strconv.FormatBool(isThere(r)) + `}`)
	o := figs.Fold([][]byte{bytes.ReplaceAll(r.Raw, []byte("\n"), []byte(" ")), now})
	var line bytes.Buffer
	if err := json.Compact(&line, figs.AppendObject(nil, o)); err != nil {
		return nil, err
	}
	return append(line.Bytes(), '\n'), nil
}

// whereabouts says what became of a target.
func whereabouts(r *flue.Record) string {
	switch r.Target.State {
	case flue.TargetAvailable:
		if r.Target.Dir {
			return "available, a folder"
		}
		return "available"
	case flue.TargetDiffers:
		return "available, with another size than was published"
	case flue.TargetUnavailable:
		return "gone"
	case flue.TargetEscapes:
		return "outside of the workspace: it is not opened"
	}
	return "unknown: it could not be read"
}

func size(r *flue.Record) string {
	if r.Size < 0 {
		return ""
	}
	return plural(int(r.Size), "byte")
}
