package figs

// Position is a point in a file of the folder.
type Position struct {
	File   string // name inside the folder, "runs.jsonl"
	Line   int    // 1-based; 0: the whole file
	Column int    // 1-based, in bytes; 0: the whole line
}

// Finding is one rule broken in one place (§5). It holds every word that is printed about it, so the browser, the
// server and the command line print the same.
type Finding struct {
	Code     Code
	Severity Severity

	File      string // name inside the folder: "asks.jsonl", "artifacts/a.html"; of other kinds, the path in their project
	Line      int    // 1-based line of the file; 0: the file as a whole
	Column    int    // 1-based byte column of the marked bytes; 0: the line as a whole
	EndColumn int    // column after the last marked byte; 0 with Column 0
	Offset    int64  // byte offset in the file of the marked bytes (or of the line)

	Pointer    string     // RFC 6901 pointer inside the line's object, "/attachments/0"; "" for the whole
	Record     string     // id of the record; "" when there is none
	Message    string     // what is wrong, one sentence
	Hint       string     // how to fix it, one or two sentences
	Expected   string     // what was expected, where that can be said in a few words
	Suggestion string     // the value meant, only when certain
	Related    []Position // other places that the finding speaks of
}

// ForAgent returns the text that a person pastes to the agent which wrote the line.
// It quotes nothing that the agent wrote but ids and file names.
func (f *Finding) ForAgent() string { return string(f.appendForAgent(nil)) }

func (f *Finding) appendForAgent(s []byte) []byte {
	s = append(s, "In "...)
	if !f.Code.OfKind() {
		s = append(s, ".figs/"...)
	}
	s = append(s, f.File...)
	if f.Line > 0 {
		s = AppendInt(append(s, " line "...), f.Line)
		if f.Column > 0 {
			s = AppendInt(append(s, " column "...), f.Column)
		}
	}
	s = append(append(s, ": "...), f.Message...)
	if f.Hint != "" {
		s = append(append(s, ' '), f.Hint...)
	}
	if f.Suggestion != "" {
		s = append(append(append(s, " Probably meant: "...), f.Suggestion...), '.')
	}
	if !f.Code.OfKind() && ParseFile(f.File) < Ledgers {
		s = append(s, " To correct a record, append a line with the same id; don't rewrite or delete earlier lines."...)
	}
	return append(append(append(s, " (rule "...), f.Code.String()...), ')')
}

// Report is the result of checking one folder (§5). Findings are sorted by
// severity (errors first), file, line, column, code.
type Report struct {
	Now      string // the time that the time rules used, as given; "" when they were silent
	Errors   int    // how many errors there are, listed or not
	Warnings int
	Infos    int
	Findings []Finding
	// More counts, per rule, findings past PerRule that are counted and not listed.
	More []Overflow
	// Resolved lists findings that a later line resolved, in the order of the report; at most
	// PerRule of each rule, and only with Options.History.
	Resolved []ResolvedFinding
}

// ResolvedFinding is a finding that a later line resolved, and that line.
type ResolvedFinding struct {
	Finding
	By Position
}

// Overflow says how many findings of a rule were left out of the list.
type Overflow struct {
	Code  Code
	Count int
}

// PerRule is how many findings of one rule a report lists; the rest is only counted.
const PerRule = 1000

// Valid reports whether the folder breaks no rule of severity error.
func (r *Report) Valid() bool { return r.Errors == 0 }
