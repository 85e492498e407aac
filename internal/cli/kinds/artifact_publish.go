package kinds

import (
	"fmt"

	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/artifacts/publish"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

type artifactPublishCommand struct {
	File          string   `arg:"" placeholder:"FILE" help:"The file or folder, which is there already, below the workspace."`
	Channel       string   `required:"" placeholder:"NAME" help:"For which channel: analysis, design, patch, verification, handoff, or lower-case words of your own with dashes."`
	Work          string   `required:"" placeholder:"ID" help:"The task, prompt or skill that made it. Everything about that work is joined by this id."`
	Kind          string   `placeholder:"WORD" help:"What it is: file, directory, report, patch, json, log, binary, other. Default: directory of a folder, else file."`
	Title         string   `placeholder:"TEXT" help:"What it is, in at most 200 characters."`
	Summary       string   `placeholder:"TEXT" help:"What helps to decide whether to open it, in at most 2,000 characters. No secrets: it travels."`
	MediaType     string   `placeholder:"TYPE" help:"Such as text/markdown."`
	Replaces      string   `placeholder:"ID" help:"The artifact of which this is a revision."`
	Parent        []string `sep:"none" placeholder:"ID" help:"An artifact that it was made from; may be given more than once."`
	Tag           []string `sep:"none" placeholder:"WORD" help:"A word to find it by; may be given more than once."`
	Status        string   `default:"active" placeholder:"WORD" help:"active, or deleted to withdraw what it replaces."`
	ParentWork    string   `placeholder:"ID" help:"The work that began this work."`
	Session       string   `placeholder:"ID" help:"The session in which it was made."`
	ParentSession string   `placeholder:"ID" help:"The session that began this session."`
	Task          string   `placeholder:"ID" help:"The task in which it was made."`
	Role          string   `placeholder:"WORD" help:"As what its maker worked."`
	Name          string   `placeholder:"TEXT" help:"What the work, skill or tool is called."`
	ProducerKind  string   `default:"shell" placeholder:"WORD" help:"What the work is: prompt, skill, task, tool, shell, or another word. Default: shell."`
	Model         string   `placeholder:"ID" help:"The model that made it."`
}

// Help is what `artifact publish --help` adds.
func (artifactPublishCommand) Help() string {
	return `Write the file first. When it is not there, cannot be read or lies outside of the workspace, nothing is recorded; nor when the record would break a rule, or when its title or summary seems to give a secret away. Of a plain file the size and the SHA-256 are recorded. The record has a file of its own, which appears whole or not at all, also when this program is killed.

Examples:

  figs-web artifact publish out/design.md --channel design --work task_7 --title "Design of the importer" --tag importer
  figs-web artifact publish out/design.md --channel design --work task_9 --parent-work task_7 --replaces art_01kaga5vrb8c3x9q4m2z7n6t5d
  figs-web artifact publish out/site --channel handoff --work task_7 --root ../workspace
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
	if a.Agent {
		o := publishedJSON{ID: p.ID, Type: "artifact", Path: p.Path, RecordPath: p.RecordPath, SHA256: p.SHA256, Status: "created"}
		if p.Size >= 0 {
			o.SizeBytes = &p.Size
		}
		return cmd.WriteJSON(a.Stdout, o)
	}
	_, err = fmt.Fprintf(a.Stdout, "%s  %s\n", a.Paint.Bold(p.ID), cmd.Clean(p.Path))
	return err
}
