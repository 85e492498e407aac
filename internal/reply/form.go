// Package reply is what a person says to an ask through a form, whichever door it stands at: the
// fields of the form, what an approval still waits for, the event that it becomes, and the same
// as a command of a figs client.
package reply

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
)

// Names of the form's fields.
const (
	FieldKey      = "key"      // of this form: sent again it is the same reply
	FieldRevision = "revision" // of the ask, as it was shown
	FieldFile     = "file"     // one for each attachment, as it was shown: its SHA-256, or "-", a space, its name (see File.Value)
	FieldVerdict  = "verdict"  // "approved", "changes-requested", "rejected"; "answer" or nothing for an answer
	FieldChosen   = "chosen"   // an option, letter by letter but for its line breaks
	FieldText     = "text"
	FieldBy       = "by"       // who speaks, where no account says so
	FieldWaive    = "waive"    // number of an attachment, from 1, that is approved without being viewed
	FieldReason   = "reason"   // why that is approved so
	FieldStep     = "step"     // number of a step, from 1, that was ticked
	FieldHidden   = "hidden"   // number of an attachment, from 1, whose hidden text was read
	FieldMeasured = "measured" // what the person's browser measured of an attachment (see Measurement.Value)
)

// ContradictionText is the note of a verdict that contradicts a reported reply, when the person writes none.
const ContradictionText = "I did not say this."

// File is an attachment as the form's page showed it.
type File struct {
	Name   string
	SHA256 string // in hex; "" when it was not there
}

// Form is one that was sent, or what an empty one carries.
type Form struct {
	Key, Revision string
	Files         []File
	Verdict       string // "" is an answer
	Chosen, Text  string // Text is the note with its remarks (see Note)
	By            string
	Waived        []int  // numbers of Files, from 1
	Reason        string // why Waived are; at most mostReason bytes
	Ticked        []int  // numbers of the ask's steps, from 1
	Hidden        []int  // numbers of Files, from 1, whose hidden text the person says they read
	Measured      []Measurement
	New           NewRemark // a remark that isn't part of Text yet
	Told          bool      // the form has said that own remarks of the previous round are unresolved
}

// Measurement is what a person's browser measured of an attachment on their page: how many of its texts it does not draw, or
// hardly. It is the browser's word, as every other field of a form.
type Measurement struct {
	File    int   // number of Files, from 1
	Undrawn int   // texts
	Widths  []int // of the frame at which it measured, in pixels
}

// Value is how a form carries it: "2 5 360,698,1280".
func (m *Measurement) Value() string {
	widths := make([]string, len(m.Widths))
	for i, n := range m.Widths {
		widths[i] = strconv.Itoa(n)
	}
	return strconv.Itoa(m.File) + " " + strconv.Itoa(m.Undrawn) + " " + strings.Join(widths, ",")
}

// mostWidths is at how many widths a browser measures.
const mostWidths = 8

// measured reads what Value writes; what is something else is left out.
func measured(texts []string) (all []Measurement) {
	for _, text := range texts[:min(len(texts), mostFiles)] {
		parts := strings.Split(text, " ")
		if len(parts) != 3 {
			continue
		}
		m := Measurement{Widths: numbers(strings.Split(parts[2], ","))}
		file, err := strconv.Atoi(parts[0])
		undrawn, err2 := strconv.Atoi(parts[1])
		if err != nil || err2 != nil || file < 1 || undrawn < 0 || len(m.Widths) == 0 || len(m.Widths) > mostWidths {
			continue
		}
		m.File, m.Undrawn = file, undrawn
		all = append(all, m)
	}
	return all
}

// MeasuredOf is what the form says was measured of an attachment, by its number from 1; the last word counts.
func (f *Form) MeasuredOf(file int) (m Measurement) {
	for i := range f.Measured {
		if f.Measured[i].File == file {
			m = f.Measured[i]
		}
	}
	return m
}

// mostReason is the longest reason that is kept, in bytes: one line of a receipt.
const mostReason = 500

// reason is one line of text: line breaks become spaces, and what is too long is cut.
func reason(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	for len(text) > mostReason {
		_, n := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-n]
	}
	return text
}

// mostFiles is how many attachments of a form are read, and how many ticks; an ask that shows more
// cannot be answered by it.
const mostFiles = 50_000

// Read reads a form as browsers send it. Whatever is not understood is left out: what is missing
// then is seen when the form is held against the ask.
func Read(v url.Values) Form {
	f := Form{Key: v.Get(FieldKey), Revision: v.Get(FieldRevision), Verdict: v.Get(FieldVerdict), Chosen: v.Get(FieldChosen),
		Text: noteOf(v), New: readNewRemark(v), Told: v.Get(FieldUnresolved) == "1", By: strings.TrimSpace(v.Get(FieldBy)), Reason: reason(v.Get(FieldReason)), Waived: numbers(v[FieldWaive]), Ticked: numbers(v[FieldStep]),
		Hidden: numbers(v[FieldHidden]), Measured: measured(v[FieldMeasured])}
	if f.Verdict == "answer" {
		f.Verdict = ""
	}
	for _, text := range v[FieldFile][:min(len(v[FieldFile]), mostFiles)] {
		if file, ok := fileOf(text); ok {
			f.Files = append(f.Files, file)
		}
	}
	return f
}

// Value is how the form carries an attachment. A name that browsers would change on its way, since
// they write every line break as two characters, stands in quotes, and so does one that begins with
// one.
func (f *File) Value() string {
	sum, name := f.SHA256, f.Name
	if sum == "" {
		sum = "-"
	}
	if strings.HasPrefix(name, `"`) || strings.ContainsAny(name, "\r\n\x00") {
		name = strconv.Quote(name)
	}
	return sum + " " + name
}

// fileOf is the inverse of Value.
func fileOf(value string) (f File, ok bool) {
	f.SHA256, f.Name, ok = strings.Cut(value, " ")
	if f.SHA256 == "-" {
		f.SHA256 = ""
	}
	if strings.HasPrefix(f.Name, `"`) {
		name, err := strconv.Unquote(f.Name)
		f.Name, ok = name, ok && err == nil
	}
	return f, ok
}

func numbers(texts []string) (all []int) {
	for _, text := range texts[:min(len(texts), mostFiles)] {
		if n, err := strconv.Atoi(text); err == nil && n > 0 {
			all = append(all, n)
		}
	}
	return all
}

// Line writes the event that the form becomes. s says who speaks, when, under which id and
// through which door; its content comes from the form.
func (f *Form) Line(ask figs.Object, s figs.ReplyInput) (line []byte, wrong figs.ReplyProblem) {
	s.Verdict, s.Chosen, s.Text = f.Verdict, f.option(ask), f.Text
	if f.Verdict != "" {
		return figs.Verdict(ask, s)
	}
	return figs.Answer(ask, s)
}

// Says reports whether the form says what a reply says that was made of it.
func (f *Form) Says(m figs.Message) bool {
	return f.Verdict == m.Verdict && oneBreak(f.Chosen) == oneBreak(m.Chosen) && oneBreak(f.Text) == m.Text
}

// option is what was chosen as the ask has it: browsers send every line break as two characters.
func (f *Form) option(ask figs.Object) string {
	if f.Chosen == "" {
		return ""
	}
	for _, option := range figs.ReadAsk(ask).Options {
		if option == f.Chosen || oneBreak(option) == oneBreak(f.Chosen) {
			return option
		}
	}
	return f.Chosen
}

func oneBreak(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
