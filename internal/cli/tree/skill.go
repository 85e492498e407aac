package tree

import (
	_ "embed"
	"io"
	"strings"

	"github.com/figs-web/figs-web/internal/cli/cmd"
)

//go:embed skill.md
var skillText string

type SkillCommand struct{}

// Help is what `skill --help` adds.
func (SkillCommand) Help() string {
	return `Prints a guide in Markdown that an agent can follow: how to read a folder, report, check before a push, wait for a decision, and act on comments. It names the version of this program, and its commands work with that version.

Where agents look for such guides:

  mkdir -p .claude/skills/figs-web
  figs-web skill > .claude/skills/figs-web/SKILL.md
  figs-web skill >> AGENTS.md

Examples:

  figs-web skill
  figs-web skill --json
`
}

func init() {
	cmd.MachinePages["skill"] = cmd.MachinePage{
		Usage: "figs-web --agent skill",
		Patterns: []string{
			"figs-web --agent skill",
			"figs-web --agent skill --help",
			"figs-web --agent skill --quiet",
		},
		Codes: []cmd.Kind{cmd.General, cmd.Usage},
	}
}

// Run prints the guide.
func (SkillCommand) Run(a *cmd.App) error {
	text := strings.Replace(skillText, "VERSION", a.Version, 1)
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, map[string]string{"name": "figs-web", "version": a.Version, "text": text})
	}
	_, err := io.WriteString(a.Stdout, text)
	return err
}
