// Package kinds has the commands for other folders that agents write: finding registries and artifact channels.
package kinds

import (
	"errors"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/artifacts/publish"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
)

// ArtifactCommand reads and writes the artifact records of a workspace.
type ArtifactCommand struct {
	Root    string                 `default:"." placeholder:"DIR" predictor:"file" help:"The workspace that contains .flue-runtime/artifacts. Default: the current folder."`
	Publish artifactPublishCommand `cmd:"" help:"Publish a file or folder to a channel."`
	Get     artifactGetCommand     `cmd:"" help:"Print an artifact's record, and whether its file exists."`
	List    artifactListCommand    `cmd:"" help:"List artifacts, newest first."`
}

func init() {
	cmd.MachinePages["artifact"] = cmd.MachinePage{
		Usage: "figs-web --agent artifact [--root DIR] <publish FILE --channel NAME --work ID [--kind WORD] [--title TEXT] [--summary TEXT] [--media-type TYPE] [--replaces ID] [--parent ID]... [--tag WORD]... " +
			"[--status WORD] [--parent-work ID] [--session ID] [--parent-session ID] [--task ID] [--role WORD] [--name TEXT] [--producer-kind WORD] [--model ID] | get ID | " +
			"list [--channel NAME] [--work ID] [--parent-work ID] [--task ID] [--session ID] [--status WORD] [--since TIME] [--limit N] [--all]>",
		Patterns: []string{
			"figs-web --agent artifact publish out/design.md --channel design --work task_7 --title Design",
			"figs-web --agent artifact publish out/design.md --channel design --work task_9 --replaces art_01kaga5vrb8c3x9q4m2z7n6t5d",
			"figs-web --agent artifact get art_01kaga5vrb8c3x9q4m2z7n6t5d",
			"figs-web --agent artifact list --channel patch --since 2026-11-20 --limit 20",
			"figs-web --agent artifact list --work task_7 --all --root ../workspace",
		},
		Codes: []cmd.Kind{cmd.General, cmd.Usage, cmd.NotFound, cmd.Denied, cmd.BadFormat, cmd.Interrupted},
	}
}

// Help is what `artifact --help` adds.
func (ArtifactCommand) Help() string {
	return `Agents that share a workspace hand files to each other as artifacts. A record in .flue-runtime/artifacts/records says what the file is, which work made it, which channel it is for, and what it replaces. The file stays where it is. Records never change: a revision is a new record with --replaces. Several agents can publish at once.

Examples:

  figs-web artifact publish out/design.md --channel design --work task_7
  figs-web artifact list --channel design
  figs-web artifact list --work task_7 --all
  figs-web artifact get art_01kaga5vrb8c3x9q4m2z7n6t5d
`
}

// open opens the workspace.
func (c *ArtifactCommand) open() (*publish.Workspace, error) {
	w, err := publish.Open(c.Root)
	if err != nil {
		return nil, cmd.FailureOf(err, c.Root)
	}
	return w, nil
}

// refusedArtifact makes a failure of why nothing was published.
func refusedArtifact(err error) error {
	var refused *publish.RefusedError
	if !errors.As(err, &refused) {
		return err
	}
	kinds := [...]cmd.Kind{publish.ReasonFailed: cmd.General, publish.ReasonNotFound: cmd.NotFound, publish.ReasonDenied: cmd.Denied, publish.ReasonMalformed: cmd.BadFormat}
	f := cmd.Fail(kinds[refused.Reason], cmd.Clean(refused.Sentence), cmd.Clean(refused.Hint))
	if refused.Rule != "" {
		f.Context = map[string]any{"rule": refused.Rule}
	}
	return f
}

// artifactJSON is an artifact in a list for programs: what its record says, and what the other records and its target
// say now.
type artifactJSON struct {
	ID              string   `json:"id"`
	Type            string   `json:"type"`
	Channel         string   `json:"channel"`
	Kind            string   `json:"kind"`
	Status          string   `json:"status"` // "active", "superseded" or "deleted", also by other records
	Path            string   `json:"path"`
	RecordPath      string   `json:"recordPath"` // where the record is
	TargetAvailable bool     `json:"targetAvailable"`
	TargetState     string   `json:"targetState"` // "unverified" of all that is there: a list computes no digests
	Title           string   `json:"title,omitempty"`
	Summary         string   `json:"summary,omitempty"`
	MediaType       string   `json:"mediaType,omitempty"`
	SizeBytes       *int64   `json:"sizeBytes,omitempty"`
	CreatedAt       string   `json:"createdAt"`
	WorkID          string   `json:"workId"`
	ParentWorkID    string   `json:"parentWorkId,omitempty"`
	TaskID          string   `json:"taskId,omitempty"`
	SessionID       string   `json:"sessionId,omitempty"`
	Replaces        string   `json:"replaces,omitempty"`
	ReplacedBy      []string `json:"replacedBy,omitempty"`
	CompetesWith    []string `json:"competesWith,omitempty"`
}

func artifactOf(c *artifacts.Channels, r *artifacts.Record) artifactJSON {
	a := artifactJSON{ID: r.ID, Type: "artifact", Channel: r.Channel, Kind: r.Kind, Status: r.State(), Path: r.Path, RecordPath: r.File, TargetAvailable: isAvailable(r), TargetState: targetState(r),
		Title: r.Title, Summary: r.Summary, MediaType: r.MediaType, CreatedAt: r.Created, WorkID: r.Producer.Work, ParentWorkID: r.Producer.ParentWork,
		TaskID: r.Producer.Task, SessionID: r.Producer.Session, Replaces: r.Replaces, ReplacedBy: named(c, r.ReplacedBy), CompetesWith: named(c, c.Rivals(r.No))}
	if r.Size >= 0 {
		a.SizeBytes = &r.Size
	}
	return a
}

// isAvailable reports whether the target of a record can be opened and, as far as it was compared, is what was published.
func isAvailable(r *artifacts.Record) bool { return r.Target.State == artifacts.TargetAvailable }

// named are the ids of records.
func named(c *artifacts.Channels, numbers []int) (ids []string) {
	for _, no := range numbers {
		ids = append(ids, c.Record(no).ID)
	}
	return ids
}

// warnLeftOut warns about records that could not be read at all.
func warnLeftOut(a *cmd.App, report *figs.Report) error {
	n := 0
	for i := range report.Findings {
		f := &report.Findings[i]
		switch f.Code {
		case figs.RecordMalformed, figs.ProjectFileUnreadable, figs.ProjectFileTooLarge, figs.ProjectTooManyFiles:
		default:
			continue
		}
		if n++; n > mostWarned {
			continue
		}
		if err := warn(a, f.Code.String(), f.Message, input.PlaceOf(f.File, f.Line, f.Column)); err != nil {
			return err
		}
	}
	if n > mostWarned {
		return warn(a, "more", "More records can't be read; figs-web doctor lists them.", artifacts.Dir)
	}
	return nil
}
