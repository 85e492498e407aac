package annotate_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/joshdk/go-junit"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/annotate"
)

// hostile are texts with which an agent might try to write something of its own into a report.
var hostile = []string{
	"\n::error::owned", "%0A::set-output name=x::y", "a::b,line=3", "##[error]owned", "\r\n::stop-commands::x", "%250A%0A", "::", "%",
	"]]></failure><testcase name=\"x\"/>", "<script>alert(1)</script>", "&lt;b&gt;", "\x00\x1b[31m\x08\u0085\u2028\u2029", "\ufffe\uffff\xff\xfe",
	"a | b | c |\n| x | y |", "\\| `code` ``", "```\n# heading", "[x](https://evil.example)", "![i](//evil.example/i.png)", "https://evil.example www.evil.example evil@evil.example",
	"@torvalds #1 GH-1 !2 ~label %mile $3 &epic owner/repo#4", "/close\n/merge", ":smile: &#64;all", "<!-- -->@all", "-->", "**b** __i__ ~~s~~", "\u202e\u200b\U000e0041",
	strings.Repeat("long ", 400),
}

// reportOf is a report with a text in each place where an agent's can be.
func reportOf(text string) *annotate.Report {
	finding := func(s figs.Severity) annotate.Finding {
		return annotate.Finding{Rule: "text_malformed", Title: "A title", Severity: s, Path: "a/.figs/" + text, Line: 2, Record: text, Pointer: "/" + text, Message: "“" + text + "” is wrong.", Hint: "Write " + text + "."}
	}
	return &annotate.Report{Base: "0123456789abcdef0123456789abcdef01234567", Notes: []string{"A note on " + text}, Fails: figs.Error, Folders: []annotate.Folder{{
		Path: text + "/.figs", Name: text, Contents: "1 run", Findings: []annotate.Finding{
			finding(figs.Error), finding(figs.Warning), finding(figs.Info),
			{Rule: annotate.HistoryRewritten, Severity: figs.Error, Path: text, Message: text},
		},
		Open:    []annotate.Ask{{ID: text, Title: text, Type: text, Since: "2026-11-20 10:00 UTC"}},
		Changes: []annotate.Change{{Kind: "new", Record: "ask", ID: text, State: "needs you"}},
	}}}
}

// shapes is what a report has besides texts. It must not depend on them.
func shapes(t *testing.T, text string) string {
	t.Helper()
	r := reportOf(text)
	return strings.Join([]string{githubShape(t, annotate.GitHub(nil, r)), gitlabShape(t, annotate.GitLab(nil, r)), junitShape(t, annotate.JUnit(nil, r)), markdownShape(t, annotate.Markdown(nil, r))}, "\n")
}

func TestHostileTextsAddNothing(t *testing.T) {
	want := shapes(t, "plain")
	for _, text := range hostile {
		if got := shapes(t, text); got != want {
			t.Errorf("%q changes the shape of a report from\n%s\nto\n%s", text, want, got)
		}
	}
}

func FuzzTexts(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 || strings.TrimSpace(text) == "" { // no finding says nothing
			return
		}
		if got, want := shapes(t, text), shapes(t, "plain"); got != want {
			t.Errorf("%q changes the shape of a report from\n%s\nto\n%s", text, want, got)
		}
	})
}

// workflowCommand is a command as GitHub's runner reads one.
type workflowCommand struct {
	name, data string
	properties map[string]string
}

var unescapeProperty = [][2]string{{"%0D", "\r"}, {"%0A", "\n"}, {"%3A", ":"}, {"%2C", ","}, {"%25", "%"}}

// runnerReads reads a line as the runner (ActionCommand.TryParseV2) does: after leading white space "::", the name, a space and
// properties separated by commas, "::", data. Replacements are made one after the other, "%25" at the end. There is no
// module with this parser, so its rules are written down here.
func runnerReads(line string) (c workflowCommand, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::")
	if !ok {
		return c, false
	}
	head, data, ok := strings.Cut(rest, "::")
	if !ok {
		return c, false
	}
	name, properties, _ := strings.Cut(head, " ")
	c = workflowCommand{name: name, properties: map[string]string{}}
	for _, p := range strings.Split(strings.TrimSpace(properties), ",") {
		key, value, _ := strings.Cut(p, "=")
		if _, twice := c.properties[key]; twice {
			return c, false
		}
		c.properties[key] = unescaped(value, unescapeProperty)
	}
	c.data = unescaped(data, slices.DeleteFunc(slices.Clone(unescapeProperty), func(e [2]string) bool { return e[1] == ":" || e[1] == "," }))
	return c, true
}

func unescaped(s string, table [][2]string) string {
	for _, e := range table {
		s = strings.ReplaceAll(s, e[0], e[1])
	}
	return s
}

// actReads is the pattern with which nektos/act, a runner for local use, reads commands.
var actReads = regexp.MustCompile(`^::([^ ]+)( (.+))?::([^\r\n]*)[\r\n]+$`)

func githubShape(t *testing.T, out []byte) string {
	t.Helper()
	var shape []string
	for line := range strings.SplitAfterSeq(string(out), "\n") {
		if line == "" {
			continue
		}
		c, ok := runnerReads(strings.TrimSuffix(line, "\n"))
		if m := actReads.FindStringSubmatch(line); !ok || m == nil || m[1] != c.name {
			t.Fatalf("%q is not one command", line)
		}
		if strings.ContainsFunc(c.data+c.properties["file"]+c.properties["title"], unicode.IsControl) {
			t.Fatalf("%q has control characters", line)
		}
		keys := []string{}
		for key := range c.properties {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		shape = append(shape, c.name+" "+strings.Join(keys, ","))
	}
	return strings.Join(shape, "\n")
}

// What a finding says arrives as it was written.
func TestGitHubRoundTrip(t *testing.T) {
	f := annotate.Finding{Rule: "r", Severity: figs.Warning, Path: "a,b:c%2C/%25.jsonl", Line: 7, Message: "100%, 50%25 and %0A: “::”", Hint: "Done."}
	line := strings.TrimSuffix(string(annotate.GitHub(nil, &annotate.Report{Folders: []annotate.Folder{{Findings: []annotate.Finding{f}}}})), "\n")
	c, ok := runnerReads(line)
	if !ok || c.name != "warning" || c.properties["file"] != f.Path || c.properties["line"] != "7" || c.properties["title"] != "r" || c.data != f.Message+" Done." {
		t.Errorf("%q is read as %+v", line, c)
	}
}

// GitHub shows ten annotations of a kind: the most severe come first, and the last notice counts the others.
func TestGitHubLimit(t *testing.T) {
	r := &annotate.Report{Notes: []string{"A note."}}
	for i := range 10_000 {
		f := annotate.Finding{Rule: "r", Severity: figs.Severity(i % 3), Path: fmt.Sprintf("%d/.figs/asks.jsonl", i%7), Line: i + 1, Message: "M."}
		if i%100 == 0 {
			r.Folders = append(r.Folders, annotate.Folder{Path: fmt.Sprint(i)})
		}
		last := &r.Folders[len(r.Folders)-1]
		last.Findings = append(last.Findings, f)
	}
	r.Folders[3].Unlisted = map[figs.Severity]int{figs.Warning: 500}
	kinds := map[string]int{}
	lines := strings.Split(strings.TrimSuffix(string(annotate.GitHub(nil, r)), "\n"), "\n")
	for _, line := range lines {
		c, _ := runnerReads(line)
		kinds[c.name]++
	}
	if kinds["error"] != 10 || kinds["warning"] != 10 || kinds["notice"] != 10 || len(lines) != 30 {
		t.Errorf("%v, want ten of each", kinds)
	}
	if !strings.HasPrefix(lines[0], "::error") || !strings.HasPrefix(lines[9], "::error") || !strings.HasPrefix(lines[10], "::warning") {
		t.Errorf("the most severe are not first: %q", lines)
	}
	want := "::notice title=figs-web doctor::10472 more findings are not shown here: 1425 in 0/.figs/asks.jsonl, 1425 in 1/.figs/asks.jsonl, 1424 in 2/.figs/asks.jsonl, and"
	if last := lines[29]; !strings.HasPrefix(last, "::notice title=figs-web doctor::10472 more findings are not shown here: ") || !strings.HasSuffix(last, " other files. To list all, run figs-web doctor.") {
		t.Errorf("the last line is %q, want %q…", last, want)
	}
	few := annotate.GitHub(nil, &annotate.Report{Folders: []annotate.Folder{{Findings: slices.Repeat([]annotate.Finding{{Severity: figs.Info}}, 10)}}})
	if n := bytes.Count(few, []byte("\n")); n != 10 || bytes.Contains(few, []byte("more")) {
		t.Errorf("ten notices become %d lines:\n%s", n, few)
	}
}

// gitlabShape checks what GitLab requires of a Code Quality report: one array without a byte order mark, of objects with
// description, check_name, fingerprint (unique), severity (info, minor, major, critical or blocker), location.path (relative,
// without "./") and location.lines.begin (a whole number from 1). GitLab publishes no schema in a module, so its rules are
// written down here.
func gitlabShape(t *testing.T, out []byte) string {
	t.Helper()
	var issues []struct {
		Type        string `json:"type"`
		CheckName   string `json:"check_name"`
		Description string `json:"description"`
		Fingerprint string `json:"fingerprint"`
		Severity    string `json:"severity"`
		Location    struct {
			Path  string `json:"path"`
			Lines struct {
				Begin int `json:"begin"`
			} `json:"lines"`
		} `json:"location"`
	}
	d := json.NewDecoder(bytes.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&issues); err != nil || issues == nil || out[0] != '[' {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		t.Fatalf("more follows the array: %s", out)
	}
	seen := map[string]bool{}
	var shape []string
	for _, i := range issues {
		if i.Type != "issue" || i.CheckName == "" || i.Description == "" || len(i.Fingerprint) != 32 || seen[i.Fingerprint] || i.Location.Lines.Begin < 1 ||
			i.Location.Path == "" || strings.HasPrefix(i.Location.Path, "./") || !slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, i.Severity) {
			t.Fatalf("%+v is not an issue", i)
		}
		seen[i.Fingerprint] = true
		shape = append(shape, i.CheckName+" "+i.Severity)
	}
	return strings.Join(shape, "\n")
}

func fingerprints(t *testing.T, r *annotate.Report) (all []string) {
	t.Helper()
	var issues []struct{ Fingerprint string }
	if err := json.Unmarshal(annotate.GitLab(nil, r), &issues); err != nil {
		t.Fatal(err)
	}
	for _, i := range issues {
		all = append(all, i.Fingerprint)
	}
	return all
}

// A finding keeps its fingerprint when lines come before it, its sentence counts another day, and other findings come and go.
func TestFingerprintsAreStable(t *testing.T) {
	one := annotate.Finding{Rule: "job_silent", Severity: figs.Warning, Path: ".figs/runs.jsonl", Line: 3, Record: "r1", Pointer: "/state", Message: "Silent for 8 days."}
	moved := one
	moved.Line, moved.Message = 9, "Silent for 9 days."
	other := annotate.Finding{Rule: "line_broken", Severity: figs.Error, Path: ".figs/runs.jsonl", Line: 1, Message: "M."}
	in := func(all ...annotate.Finding) *annotate.Report {
		return &annotate.Report{Folders: []annotate.Folder{{Path: ".figs", Findings: all}}}
	}
	was, is := fingerprints(t, in(one)), fingerprints(t, in(other, moved))
	if was[0] != is[1] || was[0] == is[0] {
		t.Errorf("fingerprints %v became %v", was, is)
	}
	if twice := fingerprints(t, in(other, other)); twice[0] == twice[1] || twice[0] != is[0] {
		t.Errorf("two alike have %v", twice)
	}
	for _, change := range []func(*annotate.Finding){
		func(f *annotate.Finding) { f.Rule = "x" }, func(f *annotate.Finding) { f.Path = "x" }, func(f *annotate.Finding) { f.Record = "x" }, func(f *annotate.Finding) { f.Pointer = "/x" },
	} {
		changed := one
		change(&changed)
		if fingerprints(t, in(changed))[0] == was[0] {
			t.Errorf("%+v has the fingerprint of another", changed)
		}
	}
}

// junitShape reads a report with go-junit, and with a strict decoder of XML.
func junitShape(t *testing.T, out []byte) string {
	t.Helper()
	read, err := junit.Ingest(out)
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	var shape []string
	for _, s := range read {
		failed, skipped := 0, 0
		for _, test := range s.Tests {
			failed += btoi(test.Status == junit.StatusFailed)
			skipped += btoi(test.Status == junit.StatusSkipped)
			shape = append(shape, string(test.Status))
		}
		if s.Totals.Tests != len(s.Tests) || s.Totals.Failed != failed || s.Totals.Skipped != skipped {
			t.Fatalf("the totals %+v are not those of the tests:\n%s", s.Totals, out)
		}
	}
	d := xml.NewDecoder(bytes.NewReader(out))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v:\n%s", err, out)
		}
		if e, is := token.(xml.StartElement); is {
			shape = append(shape, fmt.Sprint(e.Name.Local, len(e.Attr)))
		}
	}
	return strings.Join(shape, " ")
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Findings that fail the run are failures, and no others.
func TestJUnitFailures(t *testing.T) {
	r := reportOf("x")
	for _, test := range []struct {
		fails  figs.Severity
		never  bool
		failed int
	}{{figs.Error, false, 2}, {figs.Warning, false, 3}, {figs.Error, true, 0}} {
		r.Fails, r.Never = test.fails, test.never
		suites, err := junit.Ingest(annotate.JUnit(nil, r))
		if err != nil || len(suites) != 1 || suites[0].Totals.Failed != test.failed || suites[0].Totals.Tests != 4 || r.Failed() != (test.failed > 0) {
			t.Errorf("fail on %v, never %v: %+v, %v", test.fails, test.never, suites, err)
		}
	}
	clean, err := junit.Ingest(annotate.JUnit(nil, &annotate.Report{Folders: []annotate.Folder{{Path: "a"}}}))
	if err != nil || len(clean) != 1 || clean[0].Totals.Passed != 1 {
		t.Errorf("a folder without findings is %+v, %v", clean, err)
	}
}

var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))

// allowed are the elements of a summary; code and comments are the only ones that are written as HTML.
var allowed = []string{"html", "head", "body", "h2", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "blockquote"}

// mention is text with which a code host links to people, issues and addresses.
var mention = regexp.MustCompile(`(?i)[@#!~%$&^][0-9a-z_]|GH-[0-9]|https?:/|www\.[a-z]`)

// markdownShape renders a summary as GitHub Flavored Markdown, with HTML, and reads the page. No text node outside of code may
// be a mention, a reference or an address: code hosts look for these in rendered text.
func markdownShape(t *testing.T, out []byte) string {
	t.Helper()
	if !utf8.Valid(out) || bytes.ContainsAny(out, "\x00\r\x1b") {
		t.Fatalf("%q has odd characters", out)
	}
	var page bytes.Buffer
	if err := gfm.Convert(out, &page); err != nil {
		t.Fatal(err)
	}
	root, err := nethtml.Parse(&page)
	if err != nil {
		t.Fatal(err)
	}
	var shape []string
	for n := range root.Descendants() {
		switch n.Type {
		case nethtml.ElementNode:
			shape = append(shape, n.Data)
			if !slices.Contains(allowed, n.Data) || len(n.Attr) > 0 && n.Data != "h2" && n.Data != "h3" && n.Data != "th" && n.Data != "td" {
				t.Fatalf("<%s %v> in a summary:\n%s", n.Data, n.Attr, out)
			}
		case nethtml.TextNode:
			if n.Parent.Data != "code" && mention.MatchString(n.Data) {
				t.Fatalf("%q can be a mention:\n%s", n.Data, out)
			}
		case nethtml.CommentNode:
			if n.Data != " " {
				t.Fatalf("the comment %q in a summary:\n%s", n.Data, out)
			}
		}
	}
	return strings.Join(slices.DeleteFunc(shape, func(s string) bool { return s == "code" }), " ")
}

// A summary shows the texts themselves, and stays below GitHub's limit of 1 MiB.
func TestMarkdown(t *testing.T) {
	var page bytes.Buffer
	if err := gfm.Convert(annotate.Markdown(nil, reportOf("a|b `c` <d> @e")), &page); err != nil {
		t.Fatal(err)
	}
	root, _ := nethtml.Parse(&page)
	var text strings.Builder
	for n := range root.Descendants() {
		if n.Type == nethtml.TextNode {
			text.WriteString(n.Data)
		}
	}
	for _, part := range []string{"figs-web: not valid, 2 errors, 1 warning, 1 info", "A note on a|b `c` <d> @e", "Rewritten history", "Needs you", "Changes since 0123456789a", "Findings", "“a|b `c` <d> @e” is wrong. Write a|b `c` <d> @e."} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("the summary lacks %q:\n%s", part, text.String())
		}
	}
	r := &annotate.Report{Base: "b"}
	for i := range 300 {
		one := reportOf(strings.Repeat("@", 1000)).Folders[0]
		one.Path = path.Join(fmt.Sprint(i), one.Path)
		r.Folders = append(r.Folders, one)
	}
	if out := annotate.Markdown(nil, r); len(out) > 1<<20 || !bytes.Contains(out, []byte("200 more folders are not listed")) || !bytes.Contains(out, []byte("800 more findings are not listed")) {
		t.Errorf("a summary of %d bytes", len(out))
	}
	for want, r := range map[string]*annotate.Report{
		"## figs-web: no agent folder changed\n": {Base: "b"}, "## figs-web: no agent folders\n": {}, "## figs-web: no findings\n": {Folders: []annotate.Folder{{}}},
	} {
		if got := string(annotate.Markdown(nil, r)); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
