package annotate

import (
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// What a summary lists at most. GitHub refuses one of more than 1 MiB.
const (
	mostNotes     = 20
	mostFolders   = 100
	mostRewritten = 50
	mostAsks      = 50
	mostFindings  = 100
	mostChanges   = 50
	mostCode      = 120 // characters of a name
	mostProse     = 240 // characters of a sentence
)

// HistoryRewritten is the rule of findings about lines and files that were changed after they were written.
const HistoryRewritten = "history_rewritten"

// Markdown appends a job summary: the verdict, the agents, what waits for a person, what changed, rewritten history and
// the findings.
func Markdown(dst []byte, r *Report) []byte {
	var b strings.Builder
	b.WriteString("## " + r.verdict() + "\n")
	for _, note := range r.Notes[:min(len(r.Notes), mostNotes)] {
		b.WriteString("\n> " + prose(note) + "\n")
	}
	r.writeFolders(&b)
	r.writeRewritten(&b)
	r.writeAsks(&b)
	r.writeChanges(&b)
	r.writeFindings(&b)
	return append(dst, b.String()...)
}

func (r *Report) verdict() string {
	var parts []string
	for _, s := range [...]figs.Severity{figs.Error, figs.Warning, figs.Info} {
		if n := r.Count(s); n > 0 {
			parts = append(parts, counted(n, s.String(), s.String()+"s"))
		}
	}
	n := strings.Join(parts, ", ")
	switch {
	case len(r.Folders) == 0 && r.Base != "":
		return "figs-web: no agent folder changed"
	case len(r.Folders) == 0:
		return "figs-web: no agent folders"
	case n == "":
		return "figs-web: no findings"
	case r.Count(figs.Error) > 0:
		return "figs-web: not valid, " + n
	}
	return "figs-web: valid, with " + n
}

func (r *Report) writeFolders(b *strings.Builder) {
	if len(r.Folders) == 0 {
		return
	}
	b.WriteString("\n### Agents\n\n| agent | folder | contents | errors | warnings | infos |\n|---|---|---|---:|---:|---:|\n")
	for i := range r.Folders {
		if i == mostFolders {
			fmt.Fprintf(b, "\n%s.\n", counted(len(r.Folders)-i, "more folder is not listed", "more folders are not listed"))
			break
		}
		f := &r.Folders[i]
		fmt.Fprintf(b, "| %s | %s | %s | %d | %d | %d |\n", code(f.Name), code(f.Path), prose(f.Contents), f.Count(figs.Error), f.Count(figs.Warning), f.Count(figs.Info))
	}
}

func (r *Report) writeRewritten(b *strings.Builder) {
	var rows []string
	for _, f := range r.findings() {
		if f.Rule == HistoryRewritten {
			rows = append(rows, fmt.Sprintf("| %s | %s |\n", f.place(), prose(f.Message)))
		}
	}
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n### Rewritten history\n\nLedgers only grow. To correct a record, append a line with the same id.\n\n| place | what was changed |\n|---|---|\n")
	writeRows(b, rows, mostRewritten, "more change")
}

func (r *Report) writeAsks(b *strings.Builder) {
	var rows []string
	for i := range r.Folders {
		for _, a := range r.Folders[i].Open {
			rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s | %s |\n", code(a.Title), code(a.Type), code(a.ID), code(r.Folders[i].Path), prose(a.Since)))
		}
	}
	if len(rows) > 0 {
		b.WriteString("\n### Needs you\n\n| ask | type | id | folder | since |\n|---|---|---|---|---|\n")
		writeRows(b, rows, mostAsks, "more ask")
	}
}

func (r *Report) writeChanges(b *strings.Builder) {
	if r.Base == "" || len(r.Folders) == 0 {
		return
	}
	var rows []string
	for i := range r.Folders {
		for _, c := range r.Folders[i].Changes {
			rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s | %s |\n", prose(c.Kind), prose(c.Record), code(c.ID), prose(c.State), code(r.Folders[i].Path)))
		}
	}
	b.WriteString("\n### Changes since " + code(shorten(r.Base, 12)) + "\n\n")
	if len(rows) == 0 {
		b.WriteString("No record changed.\n")
		return
	}
	b.WriteString("| change | record | id | state | folder |\n|---|---|---|---|---|\n")
	writeRows(b, rows, mostChanges, "more change")
}

func (r *Report) writeFindings(b *strings.Builder) {
	var rows []string
	unlisted := 0
	for _, f := range r.findings() {
		if f.Rule != HistoryRewritten {
			rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s |\n", f.Severity, code(f.Rule), f.place(), prose(f.says())))
		}
	}
	for i := range r.Folders {
		for _, n := range r.Folders[i].Unlisted {
			unlisted += n
		}
	}
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n### Findings\n\n| severity | rule | place | finding |\n|---|---|---|---|\n")
	for _, row := range rows[:min(len(rows), mostFindings)] {
		b.WriteString(row)
	}
	if n := len(rows) - min(len(rows), mostFindings) + unlisted; n > 0 {
		fmt.Fprintf(b, "\n%s. To list all, run `figs-web doctor`.\n", counted(n, "more finding is not listed", "more findings are not listed"))
	}
}

// writeRows writes the first rows of a table, and how many more there are.
func writeRows(b *strings.Builder, rows []string, most int, what string) {
	for _, row := range rows[:min(len(rows), most)] {
		b.WriteString(row)
	}
	if n := len(rows) - most; n > 0 {
		fmt.Fprintf(b, "\n%s not listed.\n", counted(n, what+" is", what+"s are"))
	}
}

// place is where a finding is, as a link's text would name it.
func (p placed) place() string {
	if p.Line > 0 {
		return code(fmt.Sprintf("%s:%d", p.file(), p.Line))
	}
	return code(p.file())
}

// code is text in the font of code, where code hosts look for no mentions, references or links. A Markdown code span can't
// hold every text, so it is an HTML element, whose content is text without any mark-up.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "<code>" + plain(s, "", mostCode) + "</code>"
}

// prose is text in the font of the page. A comment after a character with which a code host begins a mention, a reference
// or a link keeps it from finding one.
func prose(s string) string { return plain(s, "<!-- -->", mostProse) }

// plain writes text so that Markdown and HTML have no mark-up in it: characters that could begin or end something become
// character references, which never do.
func plain(s, split string, most int) string {
	var b strings.Builder
	before := ' '
	for _, r := range shorten(clean(shorten(s, most)), most) {
		odd := r == '.' && before|0x20 == 'w' || r == '-' && before|0x20 == 'h' // www.x and GH-1 are links
		switch {
		case r >= 0x80 || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || strings.ContainsRune(` ,;'"()-/?.`, r) && !odd:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "&#%d;", r)
			if odd || strings.ContainsRune("@#!~%$&^:", r) {
				b.WriteString(split)
			}
		}
		before = r
	}
	return b.String()
}
