package kinds

import (
	"fmt"

	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/artifacts/publish"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

type artifactPublishCommand struct {
	File          string   `arg:"" placeholder:"FILE" predictor:"file" help:"An existing file or folder in the workspace."`
	Channel       string   `required:"" placeholder:"NAME" help:"The channel: analysis, design, patch, verification, handoff, or your own lower-case words with dashes."`
	Work          string   `required:"" placeholder:"ID" help:"The id of the task, prompt or skill that made it. Everything about that work shares this id."`
	Kind          string   `placeholder:"WORD" help:"The kind: file, directory, report, patch, json, log, binary or other. Default: directory for a folder, otherwise file."`
	Title         string   `placeholder:"TEXT" help:"The title, at most 200 characters."`
	Summary       string   `placeholder:"TEXT" help:"What helps others decide whether to open it, at most 2,000 characters. Don't include secrets: the summary is passed on."`
	MediaType     string   `placeholder:"TYPE" help:"The media type, as in text/markdown."`
	Replaces      string   `placeholder:"ID" help:"The artifact that this one revises."`
	Parent        []string `sep:"none" placeholder:"ID" help:"An artifact that it was made from. Can be repeated."`
	Tag           []string `sep:"none" placeholder:"WORD" help:"A tag to find it by. Can be repeated."`
	Status        string   `default:"active" placeholder:"WORD" help:"active, or deleted to withdraw the artifact that it replaces."`
	ParentWork    string   `placeholder:"ID" help:"The work that started this work."`
	Session       string   `placeholder:"ID" help:"The session in which it was made."`
	ParentSession string   `placeholder:"ID" help:"The session that started this session."`
	Task          string   `placeholder:"ID" help:"The task in which it was made."`
	Role          string   `placeholder:"WORD" help:"The role of its author."`
	Name          string   `placeholder:"TEXT" help:"The name of the work, skill or tool."`
	ProducerKind  string   `default:"shell" placeholder:"WORD" help:"The kind of work: prompt, skill, task, tool, shell, or another word. Default: shell."`
	Model         string   `placeholder:"ID" help:"The model that made it."`
}

// Help is what `artifact publish --help` adds.
func (artifactPublishCommand) Help() string {
	return `Write the file first. Nothing is published if the file is missing, unreadable or outside the workspace, if the record would break a rule, or if its title or summary seems to contain a secret. For a plain file, the size and SHA-256 are recorded. The record appears whole or not at all, even if the program is killed.

Examples:

  figs-web artifact publish out/design.md --channel design --work task_7 \
    --title "Design of the importer" --tag importer
  figs-web artifact publish out/design.md --channel design --work task_9 \
    --replaces art_01kaga5vrb8c3x9q4m2z7n6t5d
  figs-web artifact publish out/site --channel handoff --work task_7
`
}

// publishedJSON is what was published, for programs.
type publishedJSON struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Path       string `json:"path"`
	RecordPath string `json:"recordPath"`
	SizeBytes  *int64 `json:"sizeBytes,omitempty"`
	SHA256     string `json:"sha256,omitempty"`
	Status     string `json:"status"`
}

// Run publishes.
func (c artifactPublishCommand) Run(a *cmd.App, root *ArtifactCommand) error {
	w, err := root.open()
	if err != nil {
		return err
	}
	defer w.Close()
	p, err := w.Publish(a.Ctx, publish.Artifact{
		File: c.File, Channel: c.Channel, Kind: c.Kind, Title: c.Title, Summary: c.Summary, MediaType: c.MediaType, Status: c.Status,
		Replaces: c.Replaces, Parents: c.Parent, Tags: c.Tag, Now: a.Now(),
		Producer: artifacts.Producer{Work: c.Work, ParentWork: c.ParentWork, Kind: c.ProducerKind, Name: c.Name, Session: c.Session, Parent: c.ParentSession, Task: c.Task, Role: c.Role, Model: c.Model},
	})
	if err != nil {
		return refusedArtifact(err)
	}
	for _, f := range p.Remarks {
		if err := warn(a, f.Code.String(), f.Message+" "+f.Hint, p.RecordPath); err != nil {
			return err
		}
	}
	if a.PrintsJSON() {
		o := publishedJSON{ID: p.ID, Type: "artifact", Path: p.Path, RecordPath: p.RecordPath, SHA256: p.SHA256, Status: "created"}
		if p.Size >= 0 {
			o.SizeBytes = &p.Size
		}
		return cmd.WriteJSON(a.Stdout, o)
	}
	_, err = fmt.Fprintf(a.Stdout, "%s  %s\n", a.Paint.Bold(p.ID), cmd.Clean(p.Path))
	return err
}
