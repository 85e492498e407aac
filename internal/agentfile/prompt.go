package agentfile

import (
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
	named bool // a step names it
	title int  // line of its heading; 0 without
	first int  // line of the first heading of the first level
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
	for number, line := range lines(content) {
		if c := figs.HiddenCharacter(line); c >= 0 && !hidden {
			hidden = true
			r.add(figs.WorkflowTextHidden, place{file: p.Path, line: number + 1}, codePoint(c))
		}
		if number < matter {
			continue
		}
		level, heading := m.heading(string(line))
		switch {
		case level == 1:
			if p.first == 0 {
				p.first = number + 1
			}
			if name, ok := strings.CutPrefix(heading, p.shape.heading); ok && p.title == 0 && strings.TrimSpace(name) != "" {
				p.Title, p.title = strings.TrimSpace(name), number+1
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
	at := place{file: p.Path, line: p.title}
	if p.title == 0 {
		at.line = p.first
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

// lines are the lines of a text, without their ends and without a byte-order mark.
func lines(content []byte) func(yield func(int, []byte) bool) {
	return func(yield func(int, []byte) bool) {
		if len(content) >= 3 && string(content[:3]) == "\uFEFF" {
			content = content[3:]
		}
		for number := 0; len(content) > 0; number++ {
			line := content
			if end := jsonl.IndexNewline(content); end >= 0 {
				line, content = content[:end], content[end+1:]
			} else {
				content = nil
			}
			if n := len(line); n > 0 && line[n-1] == '\r' {
				line = line[:n-1]
			}
			if !yield(number, line) {
				return
			}
		}
	}
}

// frontMatter is how many lines of YAML between dashes stand before the Markdown.
func frontMatter(content []byte) int {
	for number, line := range lines(content) {
		switch dashes := strings.TrimRight(string(line), " ") == "---"; {
		case number == 0 && !dashes:
			return 0
		case number > 0 && dashes:
			return number + 1
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
