// Package pages is the reader behind a pipe of bytes: it says what a page needs, and turns
// what the engine selected, or an attachment's bytes, into HTML. It is plain Go, so that it is
// tested natively and as WebAssembly.
package pages

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/attachtext"
	"github.com/figs-web/figs-web/internal/journal/selected"
	"github.com/figs-web/figs-web/internal/project"
	"github.com/figs-web/figs-web/internal/sarif"
	"github.com/figs-web/figs-web/internal/version"
	"github.com/figs-web/figs-web/sandbox/report"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// Request is the first line of what the reader is asked; a payload may follow it.
type Request struct {
	Op       string // "plan", "page", "reply", "remarks", "read", "sanitize", "compare", "viewer", "stopped", "large", "receipts", "sarif", "project", "share", "words"
	Path     string // of the page, "/1/jobs?state=fail"
	Now      string // the person's clock, ISO-8601
	Zone     int    // minutes east of UTC
	Language string // of the page, "de"
	ZoneName string
	Name     string // of the attachment
	Folder   string // of the report, for sarif
	Size     int64  // of an attachment that is not read

	Opened map[string]string // attachments that count as viewed, "agent/key", with the SHA-256 of what was shown
	Parts  map[string]int    // how much of an attachment's frame was on the screen, in percent, by the same key
	By     string            // how the person was called before
	ID     string            // of the event that a reply becomes, or of a form
	Copy   bool              // the folder is the copy that the page itself carries
	Form   string            // the reply as a browser encodes a form; of a page, the remarks that were made before
	Do     string            // what to do with the form's remarks: "add", "remove 2", "repeat 3"; "" only shows them

	Attached []ReadAttachment // that remarks are about; the payload has their bytes
	remarks  *remarkForm      // whose remarks are shown; nil: as Form has them

	Project int    // which reading of other folders is open; 0: there are none
	Step    string // of reading them: "list", "give", "look"; then "findings"
	Root    int    // number of the one whose findings are wanted
	Top     string // what to call what was opened, where Name is ""

	Agent         string             // key of the attachment's agent
	View          report.View        // to make
	Before, After File               // to compare; the payload is both
	Shown         *RenderedReport    // what a viewer is written for: an attachment,
	Comparison    *report.Comparison // or a comparison
	Document      bool               // whether the comparison came with a document
	Reading       bool               // the attachment is shown in reading mode
	Beside        []RenderedReport   // both files of the comparison as they are rendered

	Keeps *History // what the browser knows of earlier openings; nil: nothing
}

// head is the first line of an answer; the content follows it.
type head struct {
	Status  int             `json:"status,omitempty"`
	Title   string          `json:"title,omitempty"`
	Path    string          `json:"path,omitempty"` // of the page, where it is another than the one that was asked for
	Name    string          `json:"name,omitempty"`
	Type    string          `json:"type,omitempty"`
	Error   string          `json:"error,omitempty"`
	Note    string          `json:"note,omitempty"` // a sentence on the reply
	Ask     string          `json:"ask,omitempty"`  // id of the ask that was replied to
	Request json.RawMessage `json:"request,omitempty"`
	Missing bool            `json:"missing,omitempty"` // the other folders are to be given again
	Found   bool            `json:"found,omitempty"`   // there are other folders
	Roots   []summary       `json:"roots,omitempty"`
	Notes   []string        `json:"notes,omitempty"`

	At    int          `json:"at,omitempty"`    // number of the remark that was added, or that is next to the removed one
	Needs []neededFile `json:"needs,omitempty"` // attachments that the request must bring
	Told  bool         `json:"told,omitempty"`  // the answer says that remarks of the round before are unresolved
	Read  *readFacts   `json:"read,omitempty"`

	Report     *report.Result     `json:"report,omitempty"`
	Comparison *report.Comparison `json:"comparison,omitempty"`
}

// statusOK is the status of HTTP. The package that names it is what the reader is built without.
const statusOK = 200

// Answer takes one line of JSON and a payload, and returns one line of JSON and content. A
// request that cannot be understood is answered with an error sentence in the first line.
func Answer(in []byte) []byte {
	line, payload, _ := bytes.Cut(in, []byte{'\n'})
	var r Request
	if err := json.Unmarshal(line, &r); err != nil {
		return answer(head{Error: "the request is not a line of JSON"}, nil)
	}
	switch r.Op {
	case "plan":
		return answer(head{Status: statusOK, Request: selected.Request(r.Path)}, nil)
	case "page":
		return page(r, payload)
	case "reply":
		return compose(&r, payload)
	case "remarks":
		return changeRemarks(&r, payload)
	case "read":
		return read(&r, payload)
	case "sanitize":
		return sanitize(&r, payload)
	case "compare":
		return compare(&r, payload)
	case "viewer":
		return viewerArea(&r)
	case "stopped":
		return stopped(&r, payload)
	case "large":
		return large(&r)
	case "receipts":
		return receipts(line, payload)
	case "sarif":
		return findings(r, payload)
	case "project":
		return otherFolders(&r, payload)
	case "share":
		return shareFolder(&r, payload)
	case "lens":
		return lensed(line, payload)
	case "since":
		return since(&r)
	case "words":
		return answer(head{Status: statusOK}, []byte(attachtext.Extract(r.Name, payload)))
	}
	return answer(head{Error: "there is no operation of that name"}, nil)
}

// spoken is a context whose pages are in the person's language.
func (r *Request) spoken() context.Context {
	return i18n.WithLanguage(context.Background(), r.Language)
}

func answer(h head, content []byte) []byte {
	// Nothing in a head can fail to be encoded.
	line, _ := json.Marshal(h)
	return append(append(line, '\n'), content...)
}

func page(r Request, selection []byte) []byte {
	j, wrong := journalOf(&r, selection)
	if wrong != nil {
		return wrong
	}
	other, missing := projectOf(&r)
	if missing {
		return answer(head{Missing: true}, nil)
	}
	status, title, html, err := components.Render(r.spoken(), r.site(other), j, r.Path)
	h := head{Status: status, Title: title}
	if path := j.Canonical(r.Path); path != r.Path {
		h.Path = path
	}
	if err != nil {
		h.Error = err.Error()
	}
	return answer(h, html)
}

// site is what pages are written for.
func (r *Request) site(other *project.Project) ui.Site {
	now := int64(figs.NoTime)
	if at, ok := figs.ParseTime(r.Now); ok {
		now = at
	}
	return ui.Site{Links: ui.Fragment{}, Now: now, Zone: r.Zone, ZoneName: r.ZoneName, Offline: true, DecisionForms: desk{r}, Project: other, Version: version.Version}
}

// journalOf reads what the engine selected for a page, or answers that it cannot be read.
func journalOf(r *Request, selection []byte) (j *selected.Journal, wrong []byte) {
	s := &bridge.Selection{Agent: -1}
	if len(selection) > 0 {
		var ok bool
		if s, ok = bridge.Decode(selection); !ok {
			return nil, answer(head{Error: "the selection is damaged"}, nil)
		}
	}
	j = selected.New(s, r.Now)
	if r.Keeps != nil {
		j.SetOpenings(r.Keeps.Keeping, r.Keeps.Openings)
	}
	return j, nil
}

func findings(r Request, report []byte) []byte {
	parsed, err := sarif.Parse(report)
	if err != nil {
		return answer(head{Error: err.Error()}, nil)
	}
	log := sarif.Append(nil, version.Version, []sarif.Folder{{Path: r.Folder, Report: parsed}})
	return answer(head{Status: statusOK, Type: "application/sarif+json"}, log)
}
