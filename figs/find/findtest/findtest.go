// Package findtest is one small folder and a table of what searches find in it, for every door that searches: the engine of
// the browser, the terminal, and the hosted reader on each of its databases. Whatever index a door keeps, it finds what stands here.
package findtest

import (
	"maps"
	"slices"
	"strings"
)

// Line is one line of a ledger: "runs.jsonl", "asks.jsonl" or "messages.jsonl".
type Line struct{ File, Text string }

// Lines are those of the folder in the order in which they were written.
var Lines = []Line{
	{"runs.jsonl", `{"id":"close-2026-04","ts":"2026-05-01T00:00:00+02:00","title":"Monthly close","status":"ok","unit":"acme","result":"Matched 1,204 rows of the bank statement"}`},
	{"asks.jsonl", `{"id":"prefix","ts":"2026-05-02T10:00:00Z","type":"question","to":"builder","title":"Which prefix?","need":"Strip \u0022alpha\u0022 or keep it","unit":"Gr\u00f6\u00dfe GmbH"}`},
	{"messages.jsonl", `{"id":"m1","kind":"answer","ask":"prefix","by":"Ana Lima","ts":"2026-05-03T10:00:00Z","text":"Strip it, Ana says"}`},
	{"runs.jsonl", `{"id":"close-2026-05","ts":"2026-06-01T08:00:00Z","title":"Monthly close","state":"in-flight","status":"ok","note":"zebra crossing"}`},
	{"asks.jsonl", `{"id":"prefix","status":"resolved","resolution":{"via":"self","chosen":"Strip the prefix","ts":"2026-06-02T10:00:00Z"}}`},
	{"runs.jsonl", `{"id":"close-2026-05","ts":"2026-06-03T08:00:00Z","state":"settled","status":"fail","result":"The ledger's status: flagged twice","note":"no animals"}`},
	{"asks.jsonl", `{"id":"acme-2026-00007","ts":"2026-06-04T10:00:00Z","type":"sign-off","to":"manager","title":"Close for acme","need":"Approve the bank: statement of May","attachments":["report-1.html"],"details":[{"l":"Due","v":"2026-06-30"},{"ts":"noon"}]}`},
	{"runs.jsonl", `{"id":"Ωmega","ts":"2026-06-05T08:00:00Z","title":"Überprüfung","state":"in-flight","result":"日本語の報告, ЁЛКА","n":42}`},
}

// Files are the attachments and what they say.
var Files = map[string]string{"report-1.html": "The bank reconciled", "notes.txt": "zebra statement\nreport of Größe"}

// Case is a search and what it finds, by ids and names, as somebody offline sees it: what was written last comes first (a line
// without a time of its own counts as the line before it), and attachments come last.
type Case struct{ Search, Found string }

// Cases is the table.
var Cases = []Case{
	// Words, their beginnings, and what is none.
	{"monthly", "close-2026-05 close-2026-04"},
	{"MONTH clo", "close-2026-05 close-2026-04"},
	{"onthly", ""},
	{"z", "notes.txt"},
	{"ze", "notes.txt"},
	{"zebra", "notes.txt"}, // close-2026-05 said so once
	{"a", "acme-2026-00007 close-2026-05 m1 prefix close-2026-04"},
	{"42", ""}, // numbers are no texts
	{"nowhere", ""},
	// Words that stand together, within one text.
	{`"bank statement"`, "acme-2026-00007 close-2026-04"},
	{"bank-state", "acme-2026-00007 close-2026-04"},
	{`"bank state"`, ""},
	{`"statement bank"`, ""},
	{`"fail the"`, ""},                  // two fields
	{`"acme matched"`, ""},              // two fields
	{`"html the"`, ""},                  // the name of a file, and what it says
	{`"statement report"`, "notes.txt"}, // two lines of it
	{`"settled fail"`, ""},
	// Names of fields and of members are no words; values are, at any depth.
	{"result", ""},
	{"status", "close-2026-05"},
	{`"status f"`, ""},
	{"status-f", "close-2026-05"},
	{"due", "acme-2026-00007"},
	{"noon", "acme-2026-00007"},
	{"chosen", ""},
	// Ids and numbers.
	{"close-2026-0", "close-2026-05 close-2026-04"},
	{"close-2026-05", "close-2026-05"},
	{"2026-00007", "acme-2026-00007"},
	{"000", "acme-2026-00007"},
	{"1,204", "close-2026-04"},
	{"204", "close-2026-04"},
	{"2026-06-03", ""}, // a record's own time is asked for with on:
	{"2026-06-30", "acme-2026-00007"},
	// Letters beyond ASCII, and escapes.
	{"größe", "prefix notes.txt"},
	{"GRÖß", "prefix notes.txt"},
	{"groesse", "prefix notes.txt"},
	{"GROESS", "prefix notes.txt"},
	{"grosse", "prefix notes.txt"}, // another form of the word
	{`"grosse"`, ""},
	{`"groesse"`, "prefix notes.txt"},
	{`"größ"`, ""},
	{"u", "Ωmega"},
	{"ueberpruefungen", "Ωmega"},
	{"prüfung", ""},
	// Forms of words, of those that aren't in quotes.
	{"statements", "acme-2026-00007 close-2026-04 notes.txt"},
	{`"statements"`, ""},
	{"statements -matching", "acme-2026-00007 notes.txt"},
	{"matching", "close-2026-04"},
	{"Banken", "acme-2026-00007 close-2026-04 report-1.html"},
	{"banks", "acme-2026-00007 close-2026-04 report-1.html"},
	{"bans", ""},
	{"crossings", ""},
	{"Größen GmbHs", "prefix"},
	{"groß", "prefix notes.txt"},
	{"agent:nowhere", ""},
	{"über", "Ωmega"},
	{"ωmega", "Ωmega"},
	{"ёлка", "Ωmega"},
	{"日本", "Ωmega"},
	{"alpha", "prefix"},
	{`"strip alpha"`, "prefix"},
	{"u0022", ""},
	// Not so.
	{"strip -alpha", "m1"},
	{`monthly -"status flagged"`, "close-2026-04"},
	{"-in:files -in:jobs", "acme-2026-00007 m1 prefix"},
	{"in:jobs -matched", "Ωmega close-2026-05"},
	// Fields.
	{"in:jobs", "Ωmega close-2026-05 close-2026-04"},
	{"in:asks", "acme-2026-00007 prefix"},
	{"in:replies", "m1"},
	{"in:files zebra", "notes.txt"},
	{"in:files -zebra", "report-1.html"},
	{"is:needs", "acme-2026-00007"},
	{"is:open", "acme-2026-00007"},
	{"is:waiting", ""},
	{"is:closed", "prefix"},
	{"is:in-flight", "Ωmega"},
	{"is:settled", "close-2026-05 close-2026-04"},
	{"status:ok", "close-2026-04"},
	{"status:fail", "close-2026-05"},
	{"status:fail twice", "close-2026-05"},
	{"type:sign-off", "acme-2026-00007"},
	{"type:question", "prefix"},
	{"to:manager", "acme-2026-00007"},
	{"to:builder strip", "prefix"},
	{"round:1", "acme-2026-00007 prefix"},
	{"round:>1", ""},
	{"by:ana", "m1"},
	{`by:"ana lima"`, "m1"},
	{"by:lim", "m1"},
	{"by:says", ""},
	{"unit:acme", "close-2026-04"},
	{"unit:größe", "prefix"},
	{"id:close", "close-2026-05 close-2026-04"},
	{"id:2026", ""},
	{"has:attachment", "acme-2026-00007"},
	{"file:report", "acme-2026-00007 report-1.html"},
	{"file:html in:files", "report-1.html"},
	{"on:2026-06-03", "close-2026-05"},
	{"on:2026-05", "m1 prefix"}, // a line without a time of its own leaves the record's as it was
	{"on:2026", "Ωmega acme-2026-00007 close-2026-05 m1 prefix close-2026-04"},
	{"before:2026-05", "close-2026-04"}, // 22:00 of April in UTC
	{"after:2026-06-04", "Ωmega"},
	{"before:2026", ""},
	// What is not understood is looked for as words.
	{"is:ne", ""},
	{"stauts:fail", ""},
	{"type:question in:jobs", ""},
}

// Arrived sorts what is found as a hosted reader lists it to which each line was pushed when it was written, and each attachment after
// them, notes.txt first: by when a record first arrived, the newest first.
func Arrived(found string) string {
	var order []string
	for _, l := range Lines {
		_, id, _ := strings.Cut(l.Text, `"id":"`)
		if id, _, _ = strings.Cut(id, `"`); !slices.Contains(order, id) {
			order = append(order, id)
		}
	}
	order = append(order, Names()...)
	list := strings.Fields(found)
	slices.SortFunc(list, func(a, b string) int { return slices.Index(order, b) - slices.Index(order, a) })
	return strings.Join(list, " ")
}

// Names lists the attachments.
func Names() []string { return slices.Sorted(maps.Keys(Files)) }

// Ledger is one file of the folder.
func Ledger(file string) string {
	var b strings.Builder
	for _, l := range Lines {
		if l.File == file {
			b.WriteString(l.Text + "\n")
		}
	}
	return b.String()
}
