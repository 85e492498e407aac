package reply

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/internal/remark"
)

// Names of the form's fields for remarks. The note of the reply is FieldText, and then the remarks as package remark writes
// them.
const (
	FieldRemark           = "remark"            // one for each remark: its place, as a note of its own
	FieldRemarkText       = "remark-text"       // what it says, in the same order
	FieldRemarkSuggestion = "remark-suggestion" // what its passage should be, in the same order; not for a place that suggests nothing
	FieldResolved         = "resolved"          // number of a remark of the previous round, from 1, that is resolved
	FieldUnresolved       = "unresolved"        // "1": the form has said that own remarks are unresolved
	FieldRemarkDo         = "remark-do"         // what to do with the remarks: "add", "remove 2", "repeat 3"

	// Fields of a remark that is being made.
	FieldNewAt         = "remark-file"   // key of the attachment, RemarkRequest, or RemarkStep and a number
	FieldNewFrom       = "remark-from"   // first line in the source
	FieldNewTo         = "remark-to"     // last line; the first if it is missing
	FieldNewQuote      = "remark-quote"  // the passage
	FieldNewBefore     = "remark-before" // what was seen before it
	FieldNewAfter      = "remark-after"  // what was seen after it
	FieldNewArea       = "remark-area"   // rectangle of an image: "x,y,width,height" in its pixels
	FieldNewView       = "remark-view"   // view in which the person is: "source" means that the passage was selected in it
	FieldNewText       = "remark-comment"
	FieldNewSuggests   = "remark-suggests" // "1": the next field is a suggestion, even if it is empty
	FieldNewSuggestion = "remark-suggest"
)

// What a remark can be about beside attachments. Keys of attachments have no slash.
const (
	RemarkRequest = "/request"
	RemarkStep    = "/step/"
)

// NewRemark is a remark that is being made, as the form has it.
type NewRemark struct {
	At, From, To, Quote, Before, After, Area, View string
	Text, Suggestion                               string
	Suggests                                       bool
}

func readNewRemark(v url.Values) NewRemark {
	return NewRemark{At: v.Get(FieldNewAt), From: strings.TrimSpace(v.Get(FieldNewFrom)), To: strings.TrimSpace(v.Get(FieldNewTo)),
		Quote: v.Get(FieldNewQuote), Before: v.Get(FieldNewBefore), After: v.Get(FieldNewAfter), Area: v.Get(FieldNewArea), View: v.Get(FieldNewView),
		Text: v.Get(FieldNewText), Suggestion: v.Get(FieldNewSuggestion), Suggests: v.Get(FieldNewSuggests) == "1"}
}

// Begun reports whether the person has written something that isn't a remark yet.
func (n *NewRemark) Begun() bool { return strings.TrimSpace(n.Text) != "" || n.Suggests }

// RemarkValue is how a form carries a remark's place.
func RemarkValue(r remark.Remark) string {
	r.Text = ""
	if r.Suggestion != nil {
		r.Suggestion = new(string)
	}
	n := remark.Note{Remarks: []remark.Remark{r}}
	return n.Text()
}

// noteOf is the text of the reply: what was typed, with the remarks and what is resolved. A place that can't be read is
// left out, but not what was said of it.
func noteOf(v url.Values) string {
	n := remark.Note{Summary: v.Get(FieldText), Resolved: numbers(v[FieldResolved])}
	n.Resolved = slices.DeleteFunc(n.Resolved, func(number int) bool { return number > remark.MaxRemarks })
	texts, suggestions := v[FieldRemarkText], v[FieldRemarkSuggestion]
	for i, place := range v[FieldRemark][:min(len(v[FieldRemark]), mostFiles)] {
		text := ""
		if i < len(texts) {
			text = texts[i]
		}
		read := remark.Parse(oneBreak(place))
		if len(read.Remarks) != 1 {
			n.Summary = strings.TrimSpace(n.Summary + "\n\n" + text)
			continue
		}
		r := read.Remarks[0]
		r.Text = text
		if r.Suggestion != nil {
			var suggestion string
			if len(suggestions) > 0 {
				suggestion, suggestions = oneBreak(suggestions[0]), suggestions[1:]
			}
			r.Suggestion = &suggestion
		}
		n.Remarks = append(n.Remarks, r)
	}
	return n.Text()
}

// Note is the reply's text, taken apart.
func (f *Form) Note() remark.Note { return remark.Parse(f.Text) }

// Attachment is what a remark can be made on.
type Attachment struct {
	remark.Document
	HasText       bool
	Width, Height int // of an image, in pixels; 0 if nobody knows
}

var (
	errNoFile   = &remark.Error{Sentence: "Nothing was chosen for the comment.", Hint: "Choose the request, a step or one of its attachments."}
	errNoText   = &remark.Error{Sentence: "This file has no text to select from.", Hint: "Comment on the whole file, or describe the passage in your own words."}
	errNoArea   = &remark.Error{Sentence: "This file isn't an image, so a comment can't have an area of it.", Hint: "Select a passage, or comment on the whole file."}
	errEmpty    = &remark.Error{Sentence: "The comment is empty.", Hint: "Write what you want to say about this place, or suggest another text."}
	errTooMany  = &remark.Error{Sentence: "A reply can have up to {0} comments.", Hint: "Send these first, or join some of them.", Args: []any{remark.MaxRemarks}}
	errNoRemark = &remark.Error{Sentence: "This comment is not in the form.", Hint: "Your other entries are kept. Look at the list, and try again."}
)

// RemarkChange is a change of a form's remarks, with what it needs to know of the ask.
type RemarkChange struct {
	Do      string          // value of FieldRemarkDo
	Earlier []remark.Remark // of the previous round
	Request string          // the ask's own text
	Steps   []string        // of a sign-off
	// Open reads an attachment by its key.
	Open func(key string) (*Attachment, error)
	// Successor is the key of the attachment that has taken the place of an earlier one by that name; "" if none has.
	Successor func(name string) string
}

// ChangeRemarks adds a remark to the form's note, removes one, or repeats one of the previous round. at is its number, or 0. An error is a
// *remark.Error, or one of Open.
func (f *Form) ChangeRemarks(in *RemarkChange) (at int, err error) {
	n := f.Note()
	word, digits, _ := strings.Cut(in.Do, " ")
	number, _ := strconv.Atoi(digits) // 0 is no remark
	switch word {
	case "remove":
		if number < 1 || number > len(n.Remarks) {
			return 0, errNoRemark
		}
		n.Remarks = slices.Delete(n.Remarks, number-1, number)
		at = min(number, len(n.Remarks))
	case "repeat":
		if number < 1 || number > len(in.Earlier) {
			return 0, errNoRemark
		}
		r, err := in.repeated(in.Earlier[number-1])
		if err != nil {
			return 0, err
		}
		n.Remarks = append(n.Remarks, r)
		n.Resolved = slices.DeleteFunc(n.Resolved, func(resolved int) bool { return resolved == number })
		at = len(n.Remarks)
	default:
		r, err := in.made(&f.New)
		if err != nil {
			return 0, err
		}
		n.Remarks = append(n.Remarks, r)
		f.New = NewRemark{At: f.New.At, View: f.New.View}
		at = len(n.Remarks)
	}
	if len(n.Remarks) > remark.MaxRemarks {
		return 0, errTooMany
	}
	f.Text = n.Text()
	return at, nil
}

// made is the remark that the form's fields make.
func (in *RemarkChange) made(n *NewRemark) (r remark.Remark, err error) {
	if !n.Begun() {
		return r, errEmpty
	}
	if r, err = in.place(n); err != nil {
		return r, err
	}
	r.Text = n.Text
	if n.Suggests {
		suggestion := oneBreak(n.Suggestion)
		r.Suggestion = &suggestion
	}
	return r, nil
}

func (in *RemarkChange) place(n *NewRemark) (remark.Remark, error) {
	selected := remark.Selection{Quote: n.Quote, Before: n.Before, After: n.After, Source: n.View == "source"}
	if n.At == RemarkRequest {
		if strings.TrimSpace(n.Quote) == "" {
			return remark.Remark{Kind: remark.Request}, nil
		}
		d := remark.Document{Content: []byte(in.Request)}
		return d.Passage(selected)
	}
	if digits, ok := strings.CutPrefix(n.At, RemarkStep); ok {
		step, _ := strconv.Atoi(digits) // 0 is no step
		return remark.OfStep(in.Steps, step)
	}
	if n.At == "" {
		return remark.Remark{}, errNoFile
	}
	a, err := in.Open(n.At)
	switch {
	case err != nil:
		return remark.Remark{}, err
	case n.Area != "":
		return a.area(n.Area)
	case strings.TrimSpace(n.Quote) == "" && n.From == "":
		return a.Whole(), nil
	case !a.HasText:
		return remark.Remark{}, errNoText
	case strings.TrimSpace(n.Quote) != "":
		return a.Passage(selected)
	}
	from, err := strconv.Atoi(n.From)
	to, err2 := from, error(nil)
	if n.To != "" {
		to, err2 = strconv.Atoi(n.To)
	}
	if err != nil || err2 != nil {
		from, to = 0, 0 // which are no lines
	}
	return a.Lines(from, to)
}

func (a *Attachment) area(text string) (remark.Remark, error) {
	parts := numbersOf(text)
	if a.Width == 0 || len(parts) != 4 {
		return remark.Remark{}, errNoArea
	}
	return a.Rect(remark.Rect{X: parts[0], Y: parts[1], Width: parts[2], Height: parts[3]}, a.Width, a.Height)
}

func numbersOf(text string) (all []int) {
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return nil
		}
		all = append(all, n)
	}
	return all
}

// repeated is a remark of the previous round at the place where it belongs now; where nothing has taken its place, it
// keeps the one that it was made on.
func (in *RemarkChange) repeated(r remark.Remark) (remark.Remark, error) {
	placed := r
	switch r.Kind {
	case remark.Step:
		if o := r.InSteps(in.Steps); o.Step > 0 {
			placed, _ = remark.OfStep(in.Steps, o.Step) // which is there
		}
	case remark.Request:
		d := remark.Document{Content: []byte(in.Request)}
		if again, err := d.Passage(remark.Selection{Quote: r.Quote, Before: r.Before, After: r.After}); err == nil {
			placed = again
		}
	default:
		key := in.Successor(r.File)
		if key == "" {
			break
		}
		a, err := in.Open(key)
		if err != nil {
			return r, err
		}
		placed = placedIn(r, a)
	}
	placed.Text, placed.Suggestion = r.Text, r.Suggestion
	return placed, nil
}

func placedIn(r remark.Remark, a *Attachment) remark.Remark {
	switch {
	case a.SHA256 == r.SHA256:
		return r
	case r.Kind != remark.Passage:
		return a.Whole()
	}
	o := r.In(&a.Document)
	quote := r.Quote
	if o.State == remark.Changed {
		quote = o.Text
	}
	if o.State != remark.Gone {
		if again, err := a.Passage(remark.Selection{Quote: quote, Before: r.Before, After: r.After, Source: r.Line > 0}); err == nil {
			return again
		}
	}
	return r
}
