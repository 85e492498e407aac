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

// table is built on first use: most pages and commands explain no rule.
var table = sync.OnceValue(func() []Lesson {
	all := slices.Concat(lineLessons(), fileLessons(), agentLessons(), charterLessons(), runLessons(), askLessons(),
		messageLessons(), textLessons(), shapeLessons(), referenceLessons(), closeLessons(), clockLessons(), attachmentLessons(),
		channelLessons(), registryLessons(), workflowLessons())
	return figs.Sorted(all, func(a, b *Lesson) bool { return a.Code < b.Code })
})

// All returns the lessons of all rules, in the order of the catalogue.
func All() []Lesson { return slices.Clone(table()) }

// Of returns the lesson of a rule.
func Of(code figs.Code) Lesson {
	for _, lesson := range table() {
		if lesson.Code == code {
			return lesson
		}
	}
	return Lesson{Code: code}
}

// Folder completes an example to a whole folder: the files given, and a sound agent.json
// and config.json where none is given.
func Folder(examples []Example) []Example {
	folder := slices.Clone(examples)
	for _, base := range []Example{{File: "agent.json", Text: soundAgent}, {File: "config.json", Text: soundConfig}} {
		if !slices.ContainsFunc(examples, func(e Example) bool { return e.File == base.File }) {
			folder = append(folder, base)
		}
	}
	return slices.DeleteFunc(folder, func(e Example) bool { return e.Absent })
}

const (
	soundAgent  = `{"name": "Reconciliation"}`
	soundConfig = `{"agentId": "0f6f2a52-5d0c-4d2e-9a39-0c1b7e6d1a11"}`
)

// ledger is a JSON Lines file of these lines, each with its line break.
func ledger(file string, lines []string) []Example {
	return []Example{{File: file, Text: strings.Join(lines, "\n") + "\n"}}
}

func runs(lines ...string) []Example     { return ledger("runs.jsonl", lines) }
func asks(lines ...string) []Example     { return ledger("asks.jsonl", lines) }
func messages(lines ...string) []Example { return ledger("messages.jsonl", lines) }

func agent(text string) []Example  { return []Example{{File: "agent.json", Text: text}} }
func config(text string) []Example { return []Example{{File: "config.json", Text: text}} }

// attached is a file of artifacts/.
func attached(name string, size int64) []Example {
	return []Example{{File: "artifacts/" + name, Size: size}}
}

// shown is a file whose bytes a page cannot show: text in brackets stands for them.
func shown(file, text string, data func() []byte) []Example {
	return []Example{{File: file, Text: text, data: data}}
}

// with puts files together into one folder.
func with(files ...[]Example) []Example { return slices.Concat(files...) }
