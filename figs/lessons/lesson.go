// Package lessons explains every rule of the catalogue: what goes wrong for the person who
// reads the folder, an example that breaks the rule and one that keeps it. Pages and
// `doctor --explain` show them; a test runs every example, so none of them can lie.
package lessons

import (
	"slices"
	"strings"
	"sync"

	"github.com/figs-web/figs-web/figs"
)

// Lesson is what a person learns from a rule.
type Lesson struct {
	Code     figs.Code
	Title    string    // a few words, "The last line broke off"
	Why      string    // what goes wrong for the reader, one to three sentences
	Section  string    // where the specification says so, "§4.1"
	Citation string    // the sentence enforced; always there when Origin is stricter or client
	Bad      []Example // a small folder that breaks the rule
	Good     []Example // the same folder, mended
}

// Example is one file of a small folder. A folder of examples has a sound agent.json and
// config.json besides, unless an example of that name stands in it; see Folder.
type Example struct {
	File   string // name inside .figs: "asks.jsonl", "artifacts/plan.html"; of the other kinds, the path in the project
	Text   string // the file as a page shows it; in brackets where only words can
	Size   int64  // bytes of a file of artifacts/, whose text plays no part
	Absent bool   // the folder does not have this file
	Host   bool   // Text is what the machine says about the file, which could not be read

	data func() []byte // the true bytes, where Text cannot show them
}

// Now is the time at which the examples are judged by the rules that need a clock.
const Now = "2026-11-20T12:00:00Z"

// Bytes returns the file's true bytes; nil when the folder does not have them.
func (e Example) Bytes() []byte {
	switch {
	case e.Absent || e.Host || e.Attached():
		return nil
	case e.data != nil:
		return e.data()
	}
	return []byte(e.Text)
}

// Attached reports whether the example is a file of artifacts/, known by name and size only.
func (e Example) Attached() bool {
	name, ok := strings.CutPrefix(e.File, "artifacts/")
	return ok && !strings.Contains(name, "/") // runs of workflows keep theirs deeper
}

// load reads the files of rules on first use: most pages and commands explain no rule.
var load = sync.OnceValue(func() *collection {
	c, err := parse(files)
	if err != nil {
		panic("lessons: " + err.Error()) // the files are part of the program, and a test reads them
	}
	return c
})

// All returns the lessons of all rules, in the order of the catalogue.
func All() []Lesson {
	var all []Lesson
	for code := range figs.Codes() {
		if lesson := load().lessons[code]; lesson != nil {
			all = append(all, *lesson)
		}
	}
	return all
}

// Of returns the lesson of a rule.
func Of(code figs.Code) Lesson {
	if lesson := load().lessons[code]; lesson != nil {
		return *lesson
	}
	return Lesson{Code: code}
}

// Folder completes an example to a whole folder: the files given, and a sound agent.json
// and config.json where none is given.
func Folder(examples []Example) []Example {
	shared := load().shared
	return complete(examples, []Example{
		{File: "agent.json", Text: strings.TrimSpace(shared["agent"])},
		{File: "config.json", Text: strings.TrimSpace(shared["config"])},
	})
}

// Project completes an example about workflows to a whole project: the files given, and where they are not given, a
// sound workflow.yaml, its agent, and the two shared files. Other examples are whole as they are.
func Project(examples []Example) []Example {
	if !slices.ContainsFunc(examples, aboutWorkflows) {
		return slices.Clone(examples)
	}
	shared := load().shared
	return complete(examples, []Example{
		{File: "workflows/notes/workflow.yaml", Text: shared["workflow"]},
		{File: "workflows/notes/agents/writer.md", Text: shared["writer"]},
		{File: "shared/project.md", Text: "# Project\n"},
		{File: "shared/AGENTS.md", Text: "# Rules\n"},
	})
}

func aboutWorkflows(e Example) bool {
	for _, dir := range [...]string{"workflows/", "shared/", "artifacts/notes/", "outputs/notes/"} {
		if strings.HasPrefix(e.File, dir) {
			return true
		}
	}
	return e.File == "agentfile.yaml"
}

// complete adds the files of base that the examples do not have, and leaves out those that are absent.
func complete(examples, base []Example) []Example {
	whole := slices.Clone(examples)
	for _, b := range base {
		if !slices.ContainsFunc(examples, func(e Example) bool { return e.File == b.File }) {
			whole = append(whole, b)
		}
	}
	return slices.DeleteFunc(whole, func(e Example) bool { return e.Absent })
}
