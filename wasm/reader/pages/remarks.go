package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"slices"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/attachtext"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/remark"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// readFacts is what the sandbox's worker says of an attachment on which a remark is made. Its plain text follows it.
type readFacts struct {
	SHA256 string `json:"sha256"`
	Text   bool   `json:"text,omitempty"`  // it can be read: it has a source and a plain text
	Width  int    `json:"width,omitempty"` // of an image, in pixels
	Height int    `json:"height,omitempty"`
}

// read reads an attachment for remarks. As sanitize, it may be slow and may not come back.
func read(r *Request, content []byte) []byte {
	if figs.ClassOf(r.Name) != figs.Rendered {
		sum := sha256.Sum256(content)
		return answer(head{Status: statusOK, Read: &readFacts{SHA256: hex.EncodeToString(sum[:])}}, nil)
	}
	result := sandbox.Render(r.Name, content, report.Text, report.Offline())
	facts := &readFacts{SHA256: result.SHA256, Text: result.Kind != report.Image && result.Kind != report.Download}
	if result.Kind == report.Image || result.Kind == report.SVG {
		facts.Width, facts.Height = result.Pixels()
	}
	if !facts.Text {
		return answer(head{Status: statusOK, Read: facts}, nil)
	}
	return answer(head{Status: statusOK, Read: facts}, []byte(attachtext.OfDocument(result.Document)))
}

// ReadAttachment is an attachment in a request about remarks. Two pieces of the payload are its own: its bytes and its plain
// text.
type ReadAttachment struct {
	Key           string
	SHA256        string
	Text          bool
	Width, Height int
	Problem       string // why there is nothing to make a remark on: "large", "missing", or "stopped" where reading it took too long
}

// neededFile is an attachment that the reader wants to have for remarks.
type neededFile struct {
	Key  string `json:"key"`
	Name string `json:"name"`
}

// remarkForm is a reply whose remarks are being changed.
type remarkForm struct {
	form  reply.Form
	fault *ui.Fault
	files *readFiles
}

// readFiles are the attachments of an ask that a request has brought, and those that it lacks.
type readFiles struct {
	ask    *journal.Ask
	given  map[string]*reply.Attachment
	why    map[string]*remark.Error
	needed []neededFile
}

var (
	errNotAttached = &remark.Error{Sentence: "This file is not attached to the ask.", Hint: "Choose one of its attachments."}
	errMissing     = &remark.Error{Sentence: "This file is missing.", Hint: "It isn't in the folder, or it can't be read."}
	errLarge       = &remark.Error{Sentence: "This file is larger than 10 MiB, so it wasn't read.", Hint: "Comment on the request, and name the file in your comment."}
	errAskChanged  = &remark.Error{Sentence: "The ask has changed since this form was loaded, so the comment wasn't added.", Hint: "Open the ask again. Your text is kept."}
	errNeeded      = errors.New("the attachment is needed")
)

// open returns an attachment, or notes that it is needed.
func (f *readFiles) open(key string) (*reply.Attachment, error) {
	at := slices.IndexFunc(f.ask.Files, func(file journal.File) bool { return file.Key == key && key != "" })
	switch {
	case at < 0:
		return nil, errNotAttached
	case !f.ask.Files[at].Present():
		return nil, errMissing
	case f.why[key] != nil:
		return nil, f.why[key]
	case f.given[key] == nil:
		need := neededFile{key, f.ask.Files[at].Name}
		if !slices.Contains(f.needed, need) {
			f.needed = append(f.needed, need)
		}
		return nil, errNeeded
	}
	a := f.given[key]
	a.Name = f.ask.Files[at].Name
	return a, nil
}

// take keeps what a request has brought.
func (f *readFiles) take(attached []ReadAttachment, pieces [][]byte) {
	for i, a := range attached {
		content, plain := pieces[2*i], pieces[2*i+1]
		switch a.Problem {
		case "large":
			f.why[a.Key] = errLarge
			continue
		case "missing":
			f.why[a.Key] = errMissing
			continue
		case "stopped":
			sum := sha256.Sum256(content)
			a.SHA256, a.Text, plain = hex.EncodeToString(sum[:]), text(content), nil
		}
		given := &reply.Attachment{Document: remark.Document{SHA256: a.SHA256}, HasText: a.Text, Width: a.Width, Height: a.Height}
		if a.Text {
			given.Content, given.Plain = content, string(plain)
		}
		f.given[a.Key] = given
	}
}

// changeRemarks adds a remark to a form, removes one, repeats one of the previous round, or only looks what became of those,
// and writes the panel beside the document again. The first piece of the payload is what the engine selected. Where
// attachments are missing from the request, the answer names them and has no panel.
func changeRemarks(r *Request, payload []byte) []byte {
	pieces, ok := unpack(payload)
	if !ok || len(pieces) != 1+2*len(r.Attached) {
		return answer(head{Error: "the attachments do not fill the payload"}, nil)
	}
	if len(r.Form) > mostForm {
		return answer(head{Error: "The comments are too long. Shorten or remove some; they are still on the page."}, nil)
	}
	j, wrong := journalOf(r, pieces[0])
	if wrong != nil {
		return wrong
	}
	a, ask, err := wanted(j, r.Path)
	if err != nil {
		return answer(head{Error: "there is no ask at this address"}, nil)
	}
	values, err := url.ParseQuery(r.Form)
	if err != nil {
		return answer(head{Error: "the form is damaged"}, nil)
	}
	files := &readFiles{ask: ask, given: map[string]*reply.Attachment{}, why: map[string]*remark.Error{}}
	files.take(r.Attached, pieces[1:])
	r.remarks = &remarkForm{form: reply.Read(values), files: files}
	h := head{Status: statusOK}
	if r.Do != "" {
		h.At = r.remarks.change(r, a, ask)
	}
	if r.remarks.fault != nil {
		h.Status = statusUnfit
	}
	html, err := components.RenderRemarks(r.spoken(), r.site(nil), j, r.Path)
	if errors.Is(err, journal.ErrNotFound) {
		return answer(head{Error: "this ask takes no reply"}, nil)
	} else if err != nil {
		return answer(head{Error: err.Error()}, nil)
	}
	if len(files.needed) > 0 {
		return answer(head{Status: statusOK, Needs: files.needed}, nil)
	}
	return answer(h, html)
}

// change does what the form's button says; at is the number of the remark that it was about.
func (f *remarkForm) change(r *Request, a *journal.Agent, ask *journal.Ask) (at int) {
	now, _ := desk{&Request{}}.DecisionForm(r.spoken(), a, ask) // which cannot fail here
	in := viewer.RemarkInput(ask, r.Do)
	in.Open = f.files.open
	err := error(errAskChanged)
	if f.form.Revision == now.Form.Revision {
		at, err = f.form.ChangeRemarks(in)
	}
	var not *remark.Error
	if errors.As(err, &not) {
		f.fault = ui.FaultOfRemark(not)
	}
	return at
}
