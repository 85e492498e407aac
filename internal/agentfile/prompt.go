package agentfile

import (
	"bytes"
	"path"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// shape is what a kind of prompt must have.
type shape struct {
	what, heading string
	sections      []string
}

var (
	agentShape = shape{"An agent", "Agent:", []string{"Persona", "Responsibilities", "Rules", "Output Format"}}
	skillShape = shape{"A skill", "Skill:", []string{"Purpose", "Instructions", "Examples"}}
)

// prompt is a file of agents/ or skills/ while it is read.
type prompt struct {
	Prompt
	shape *shape
	read  bool
	named bool  // a step names it
	title place // of its heading; without a line where there is none
	first place // of the first heading of the first level
}

// readme reports whether the file is no prompt but explains the folder, which is so unless a step names it.
func (p *prompt) readme() bool {
	return !p.named && strings.EqualFold(path.Base(p.Path), "readme.md")
}

// mostSections is how many headings of a prompt are kept.
const mostSections = 200

// readPrompt finds the headings of a Markdown file, outside of code.
func (r *Reader) readPrompt(p *prompt, content []byte) {
	p.read = true
	if bad := jsonl.InvalidUTF8(content); bad >= 0 {
		r.addUTF8(p.Path, content, bad)
	}
	hidden, matter := false, frontMatter(content)
	var m markdown
	for at, line := range lines(content) {
		at.file = p.Path
		if c := figs.HiddenCharacter(line); c >= 0 && !hidden {
			hidden = true
			r.add(figs.WorkflowTextHidden, at, codePoint(c))
		}
		if at.line <= matter {
			continue
		}
		level, heading := m.heading(string(line))
		switch {
		case level == 1:
			if p.first.line == 0 {
				p.first = at
			}
			if name, ok := strings.CutPrefix(heading, p.shape.heading); ok && p.title.line == 0 && strings.TrimSpace(name) != "" {
				p.Title, p.title = strings.TrimSpace(name), at
			}
		case level > 1 && len(p.Sections) < mostSections:
			p.Sections = append(p.Sections, heading)
		}
	}
}

// judge notes what the prompt lacks.
func (p *prompt) judge(r *Reader) {
	if !p.read || p.readme() {
		return
	}
	at := p.title
	if at.line == 0 {
		if at = p.first; at.line == 0 {
			at = whole(p.Path)
		}
		r.add(figs.PromptHeadingMissing, at, p.shape.what, "# "+p.shape.heading+" …")
	}
	for _, wanted := range p.shape.sections {
		if there, near := p.section(wanted); !there {
			meant := ""
			if near {
				meant = "## " + wanted
			}
			r.suggest(figs.PromptSectionMissing, at, meant, p.shape.what, wanted)
		}
	}
}

// section reports whether the prompt has a section, or one whose heading was meant to be it.
func (p *prompt) section(wanted string) (there, near bool) {
	for _, has := range p.Sections {
		if strings.EqualFold(has, wanted) {
			return true, false
		}
		near = near || figs.Suggest(has, p.shape.sections) == wanted
	}
	return false, near
}

// lines are the lines of a text, without their ends and without a byte-order mark, and their places.
func lines(content []byte) func(yield func(place, []byte) bool) {
	return func(yield func(place, []byte) bool) {
		rest := content
		for at := (place{line: 1}); len(rest) > 0; at.line++ {
			at.offset = int64(len(content) - len(rest))
			line := rest
			if end := jsonl.IndexNewline(rest); end >= 0 {
				line, rest = rest[:end], rest[end+1:]
			} else {
				rest = nil
			}
			if at.line == 1 {
				line = bytes.TrimPrefix(line, []byte("\uFEFF"))
			}
			if !yield(at, bytes.TrimSuffix(line, []byte("\r"))) {
				return
			}
		}
	}
}

// frontMatter is how many lines of YAML between dashes stand before the Markdown.
func frontMatter(content []byte) int {
	for at, line := range lines(content) {
		switch dashes := strings.TrimRight(string(line), " ") == "---"; {
		case at.line == 1 && !dashes:
			return 0
		case at.line > 1 && dashes:
			return at.line
		}
	}
	return 0
}

// markdown is where a reader of Markdown is: in code or not.
type markdown struct {
	fence string // what the fence is made of that it is in, "```"
}

// heading tells the level and the words of the heading that a line is; level 0 is no heading.
func (m *markdown) heading(line string) (level int, words string) {
	inner := strings.TrimLeft(line, " ")
	if len(line)-len(inner) > 3 {
		return 0, ""
	}
	if m.fenced(inner) {
		return 0, ""
	}
	for level < len(inner) && inner[level] == '#' {
		level++
	}
	rest := inner[level:]
	if level == 0 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	rest = strings.TrimSpace(rest)
	if closed := strings.TrimRight(rest, "#"); closed == "" || strings.HasSuffix(closed, " ") {
		rest = strings.TrimSpace(closed)
	}
	return level, rest
}

// fenced reports whether a line is inside of fenced code, or one of its fences.
func (m *markdown) fenced(line string) bool {
	n := 0
	for n < len(line) && line[n] == line[0] && (line[0] == '`' || line[0] == '~') {
		n++
	}
	switch {
	case m.fence == "":
		if n < 3 || line[0] == '`' && strings.Contains(line[n:], "`") {
			return false
		}
		m.fence = line[:n]
	case n >= len(m.fence) && line[0] == m.fence[0] && strings.TrimSpace(line[n:]) == "":
		m.fence = ""
	}
	return true
}
