package viewer

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/sandbox/report"
)

// What the sandbox finds and leaves in its place stands among what it takes out.
const (
	unjudged    report.RemovalKind = "unjudged"    // text that the static check cannot judge
	personOnly  report.RemovalKind = "person-only" // text that no machine reads, or reads in another order
	aside       report.RemovalKind = "aside"       // text that every page has beside its picture
	lying       report.RemovalKind = "lying"
	hiddenChars report.RemovalKind = "hidden"
)

// removals are the words for each kind of thing that the sandbox takes out or finds, most telling
// first; loud ones tell of something that a plain report does not need.
var removals = []struct {
	what            report.RemovalKind
	name, one, many string
	loud            bool
}{
	{report.Scripts, "Scripts", "One script was removed from this report.", "%s scripts were removed from this report.", false},
	{report.Handlers, "Attributes that run code", "One attribute that would run code was removed.", "%s attributes that would run code were removed.", true},
	{report.Loads, "External resources", "One external resource was not loaded.", "%s external resources were not loaded.", true},
	{report.Redirects, "Redirects", "One redirect to another page was removed.", "%s redirects to other pages were removed.", true},
	{report.Frames, "Frames and objects", "One frame or embedded object was removed.", "%s frames or embedded objects were removed.", true},
	{lying, "", "One link shows a different host from the one it leads to.", "%s links show a different host from the one they lead to.", true},
	{hiddenChars, "", "One invisible character in it.", "%s invisible characters in it.", true},
	{report.Forms, "Forms and fields", "One form or form field was removed.", "%s forms and form fields were removed.", true},
	{report.Foreign, "Drawings", "One drawing could not be shown as an image and was removed.", "%s drawings could not be shown as images and were removed.", true},
	{report.Data, "Embedded images", "One embedded image could not be shown.", "%s embedded images could not be shown.", true},
	{unjudged, "", "One text could not be judged: it may or may not be visible.", "%s texts could not be judged: they may or may not be visible.", false},
	{personOnly, "", "One text is added or moved by CSS, so machines read it differently.", "%s texts are added or moved by CSS, so machines read them differently.", false},
	{report.Elements, "Elements", "One element that is not allowed here was removed.", "%s elements that are not allowed here were removed.", false},
	{report.Styles, "Styles", "One style rule was removed.", "%s style rules were removed.", false},
	{report.Attributes, "Attributes", "One attribute was removed.", "%s attributes were removed.", false},
	{report.Addresses, "Link targets", "One link was disabled and is listed below.", "%s links were disabled and are listed below.", false},
	{aside, "", "One text in it is not part of the picture: a title, a comment or a description.", "%s texts in it are not part of the picture: titles, comments or descriptions.", false},
	{report.Comments, "Comments", "One comment was removed.", "%s comments were removed.", false},
}

// namedHosts is how many hosts the first sentences name.
const namedHosts = 3

// strip is what stands above an attachment in plain words.
type strip struct {
	tone  string // "warn": a person should know; "note": as expected; "plain": nothing to tell
	news  []templ.Component
	every []templ.Component // the rest, one folded line each
}

// loudest is how many sentences stand open; the rest is folded.
const loudest = 5

// stripOf puts what the sandbox did and found into sentences, most telling first.
func stripOf(ctx context.Context, r *report.Result) strip {
	s := strip{tone: "plain"}
	if n, _ := report.Count(r.Passages); n > 0 {
		s.tone = "warn"
	}
	var quiet []templ.Component
	for _, kind := range removals {
		n := times(r, kind.what)
		switch {
		case kind.what == report.Loads && len(r.Hosts) > 0:
			s.loud(wantedHosts(ctx, r))
		case n == 0:
		case kind.loud:
			s.loud(ui.SentenceText(i18n.CountWords(ctx, n, kind.one, kind.many)))
		case kind.what == unjudged:
			quiet = append(quiet, staticUnjudged(ui.SentenceText(i18n.CountWords(ctx, n, kind.one, kind.many))))
		default:
			quiet = append(quiet, ui.SentenceText(i18n.CountWords(ctx, n, kind.one, kind.many)))
		}
	}
	if s.tone == "plain" && len(quiet) > 0 {
		s.tone, s.news, quiet = "note", quiet[:1], quiet[1:]
	}
	s.every = append(s.every, quiet...)
	return s
}

// times is how often a thing was taken out or met.
func times(r *report.Result, what report.RemovalKind) int {
	switch what {
	case unjudged:
		return report.CountVisibility(r.Passages, report.Unjudged)
	case personOnly:
		return report.CountVisibility(r.Passages, report.PersonOnly)
	case aside:
		return report.CountVisibility(r.Passages, report.Aside)
	case lying:
		return lies(r.Links)
	case hiddenChars:
		return hiddenCount(r)
	}
	return r.Removes(what)
}

// quotedBytes is how much of a hidden text the first sentences quote, in bytes.
const quotedBytes = 80

// HiddenNews names the worst hidden text of a list by what hides it and its first words, and counts the others;
// nil when nothing is hidden.
func HiddenNews(ctx context.Context, list []report.Passage) []templ.Component {
	n, _ := report.Count(list)
	if n == 0 {
		return nil
	}
	worst := &list[0]
	for i := range list {
		if x := &list[i]; x.Sight.Hides() && (!worst.Sight.Hides() || report.IsWorse(x, worst)) {
			worst = x
		}
	}
	news := []templ.Component{i18n.Sentence("Hidden, {0}: “{1}”", agenttext.Line(cmp.Or(worst.Why, string(worst.Way))), agenttext.Line(shortened(passageWords(worst), quotedBytes)))}
	if n > 1 {
		news = append(news, ui.SentenceText(i18n.CountWords(ctx, n-1, "One more text is hidden.", "%s more texts are hidden.")))
	}
	return news
}

// passageWords is what a passage says: what its characters spell, where they leave no mark.
func passageWords(x *report.Passage) string {
	if x.Way == report.Characters && x.Plain != "" {
		return x.Plain
	}
	return x.Text
}

// shortened is the beginning of a text, in at most n bytes of whole characters.
func shortened(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

func (s *strip) loud(sentence templ.Component) {
	s.tone = "warn"
	if len(s.news) < loudest {
		s.news = append(s.news, sentence)
	} else {
		s.every = append(s.every, sentence)
	}
}

// wantedHosts says from where the content wanted to load.
func wantedHosts(ctx context.Context, r *report.Result) templ.Component {
	var names []string
	for _, host := range r.Hosts[:min(len(r.Hosts), namedHosts)] {
		names = append(names, host.Name)
	}
	more := len(r.Hosts) + r.More.Hosts - len(names)
	if more == 0 {
		return i18n.Sentence("Nothing was loaded from {0}.", hostList(names))
	}
	return i18n.Sentence("Nothing was loaded from {0} and {1}.", hostList(names), ui.SentenceText(i18n.Count(ctx, more, "%d more host", "%d more hosts")))
}

func lies(links []report.Link) int {
	n := 0
	for _, link := range links {
		if link.Lies {
			n++
		}
	}
	return n
}

func hiddenCount(r *report.Result) int {
	n := r.More.Hidden
	for _, h := range r.Hidden {
		n += h.Count
	}
	return n
}

// grave are the notices that change what a person may conclude from the picture.
var grave = map[report.Code]bool{
	report.TooLarge: true, report.TooDeep: true, report.TooManyElements: true, report.TooComplex: true, report.OutputTooLarge: true, report.NotParsed: true,
	report.WrongType: true, report.Truncated: true, report.DrawsItself: true, report.Cut: true, report.DuplicateKey: true, report.TookTooLong: true, report.InvalidUTF8: true,
}

// formatWord names a kind of attachment.
func formatWord(ctx context.Context, kind report.Kind) string {
	switch kind {
	case report.HTML:
		return i18n.Say(ctx, "HTML report")
	case report.Markdown:
		return i18n.Say(ctx, "Markdown")
	case report.Plain:
		return i18n.Say(ctx, "Plain text")
	case report.JSON:
		return i18n.Say(ctx, "JSON")
	case report.Image:
		return i18n.Say(ctx, "Image")
	case report.SVG:
		return i18n.Say(ctx, "SVG image")
	}
	return i18n.Say(ctx, "Download only")
}

// factsLine says in a few words what a file is that is never shown: "CSV, 12 rows × 5 columns".
func factsLine(ctx context.Context, r *report.Result) string {
	word, rows, columns := i18n.Say(ctx, "File"), "", ""
	switch _, kind := extension(r.Name); kind {
	case "csv", "tsv", "pdf", "xlsx", "xls", "docx", "zip":
		word = strings.ToUpper(kind)
	}
	for _, f := range r.Facts {
		switch f.Name {
		case "rows":
			rows = f.Value
		case "columns":
			columns = f.Value
		}
	}
	if rows != "" && columns != "" {
		return i18n.Say(ctx, "%s, %s rows × %s columns", word, rows, columns)
	}
	return word + ", " + i18n.ByteSize(ctx, r.Size)
}

// shownNotices are those that are said above the file. That it is only downloaded is said where its document would be.
func shownNotices(r *report.Result) (shown []report.Notice) {
	for _, n := range r.Notices {
		if n.Code != report.DownloadOnly || r.Kind != report.Download {
			shown = append(shown, n)
		}
	}
	return shown
}

// RemovedWord names a kind of removed thing in a list.
func RemovedWord(ctx context.Context, what report.RemovalKind) string {
	for _, kind := range removals {
		if kind.what == what {
			return i18n.Say(ctx, kind.name)
		}
	}
	return i18n.Say(ctx, "Other")
}

// frameWord says what the frame holds.
func frameWord(ctx context.Context, r *report.Result) string {
	switch r.View {
	case report.Source:
		return i18n.Say(ctx, "The exact bytes as text")
	case report.Text:
		return i18n.Say(ctx, "The text that a machine reads; hidden text is marked")
	case report.HiddenTextView:
		return i18n.Say(ctx, "All text that a model is given; text hidden from people is marked")
	}
	return i18n.Say(ctx, "Made by the agent; scripts don't run")
}

// verdictOf is the verdict of the static check in one word: "hidden", "unread", "unjudged" or "none".
func verdictOf(r *report.Result) string {
	if n, _ := report.Count(r.Passages); n > 0 {
		return "hidden"
	}
	switch {
	case r.Kind == report.Image:
		return "picture" // a bitmap has no text to check
	case r.Notice(report.NotRead) != nil:
		return "unread"
	case report.CountVisibility(r.Passages, report.Unjudged) > 0:
		return "unjudged"
	}
	return "none"
}
