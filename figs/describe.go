package figs

// describe writes a finding's sentences. They are the same through every door.
func (f *Folder) describe(p *pending) Finding {
	d := Finding{
		Code: p.code, Severity: p.code.Severity(), File: p.file.String(), Line: int(p.line), Column: int(p.col), EndColumn: int(p.end),
		Offset: p.off, Pointer: p.pointer, Related: p.related,
	}
	if p.file == NoFile {
		d.File = p.name
	}
	if p.rec > 0 {
		l := &f.ledgers[p.file]
		d.Record = l.ids.text(l.recs.at(int(p.rec - 1)).id)
	}
	s := &texts[p.code]
	d.Message, d.Hint, d.Expected = fill(s.message, p), fill(s.hint, p), fill(s.expected, p)
	switch p.code {
	case AskTypeRetired:
		d.Message, d.Hint, d.Suggestion = retired(p.value)
	case FileUnreadable, FileChanged, FolderUnrecognised:
		if p.value != "" {
			d.Message += " (" + p.value + ")"
		}
	}
	if p.list != nil {
		d.Expected = list(p.list)
		d.Suggestion = Suggest(p.value, p.list)
	}
	return d
}

// retired teaches what became of an ask type of v1 (§5).
//
//go:noinline
func retired(was string) (message, hint, suggestion string) {
	switch was {
	case "blocked":
		return "“blocked” is no longer an ask type; a blocked job reports it as its status.",
			"Report the job again with its status, and raise a question for what you need from a person.", "question"
	case "needs-decision":
		return "“needs-decision” was renamed to “question”.",
			"Append a line with the same id and \"type\":\"question\".", "question"
	}
	return "“fyi” is no longer an ask type; report a note as a settled job.",
		"Report it as a settled job. If a person must act, raise a question or a sign-off.", ""
}

// fill puts the quoted value for %, the second one for &, and nothing else.
func fill(s string, p *pending) string {
	start, out := 0, ""
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '%':
			out += s[start:i] + visible(p.value)
			start = i + 1
		case '&':
			out += s[start:i] + visible(p.extra)
			start = i + 1
		}
	}
	return out + s[start:]
}

// visible writes a quoted value on one line, its hidden characters as code points.
func visible(s string) string {
	clean := true
	for _, r := range s {
		if IsHidden(r) || r == '\n' || r == '\t' || r == '\r' {
			clean = false
		}
	}
	if clean {
		return s
	}
	out := make([]byte, 0, len(s)+16)
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			out = append(out, ' ')
		case IsHidden(r):
			out = append(out, "["+runeName(r)+"]"...)
		default:
			out = append(out, string(r)...)
		}
	}
	return string(out)
}

func list(words []string) string {
	s := words[0]
	for _, w := range words[1:] {
		s += " | " + w
	}
	return s
}
