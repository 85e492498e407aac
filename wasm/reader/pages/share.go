package pages

import (
	"bytes"
	"net/url"
	"strconv"

	"github.com/figs-web/figs-web/components/agentpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/redact"
	"github.com/figs-web/figs-web/internal/share"
)

// sharing is the copy that this instance makes; it has a worker of its own, which ends with the page.
var sharing struct {
	*share.Sharing
	choice *share.Choice
	lines  map[string]int // of each ledger that were written
}

// shareFolder makes a copy of a folder step by step, since this module opens no file: begin, for one ask gather of its
// ledgers, then learn of each file, wants, attachment of each that is wanted, receipt of each that was given, and settle.
// Then choose, and write of each file, any number of times; show after the first, enclosed and list after the last.
func shareFolder(r *Request, payload []byte) []byte {
	s := &sharing
	if r.Step == "begin" {
		id, ok := journal.Named(r.ID)
		if r.ID != "" && (!ok || id == "") {
			return answer(head{Error: "this names no ask"}, nil)
		}
		s.Sharing = share.New(id)
		return answer(head{Status: statusOK}, nil)
	}
	if s.Sharing == nil || s.Settled() != afterwards[r.Step] {
		return answer(head{Error: "this step was not asked for"}, nil)
	}
	switch r.Step {
	case "gather":
		s.Gather(r.Name, payload)
	case "learn":
		if s.WantsFile(r.Name) {
			s.Learn(r.Name, payload)
		}
	case "wants":
		return wantedFiles(payload)
	case "attachment":
		if !r.Document {
			payload = nil
		}
		s.Attachment(r.Name, r.Size, payload)
	case "receipt":
		s.Receipt(r.Name, payload)
	case "settle", "choose":
		if r.Step == "settle" {
			s.Settle()
		}
		form, err := url.ParseQuery(r.Form)
		if err != nil {
			return answer(head{Error: "the choice cannot be read"}, nil)
		}
		s.choice, s.lines = share.ParseChoice(form), map[string]int{}
		s.Choose(s.choice)
	case "write":
		return writtenFile(r.Name, payload)
	case "show":
		site := ui.Site{Links: ui.Fragment{}, Now: figs.NoTime, Zone: r.Zone, ZoneName: r.ZoneName, Offline: true}
		if at, ok := figs.ParseTime(r.Now); ok {
			site.Now = at
		}
		html, err := agentpages.RenderShared(r.spoken(), site, r.Agent, r.Path, s.Found(s.choice))
		if err != nil {
			return answer(head{Error: err.Error()}, nil)
		}
		return answer(head{Status: statusOK}, html)
	case "enclosed":
		return enclosedFiles()
	case "list":
		return answer(head{Status: statusOK, Name: s.FileName(), Note: strconv.Itoa(s.Found(s.choice).Changed)}, s.List(s.choice, r.Now))
	default:
		return answer(head{Error: "there is no step of that name"}, nil)
	}
	return answer(head{Status: statusOK}, nil)
}

// afterwards are the steps that come when all was learned.
var afterwards = map[string]bool{"choose": true, "write": true, "show": true, "enclosed": true, "list": true}

// wantedFiles answers which attachments are shared, and of which the content is to be looked through: pairs of a name and
// "1" or "0".
func wantedFiles(payload []byte) []byte {
	names, whole := unpack(payload)
	if !whole {
		return answer(head{Error: "the names are not packed as they should be"}, nil)
	}
	var pieces [][]byte
	for _, name := range names {
		if !sharing.Wants(string(name)) {
			continue
		}
		read := "0"
		if redact.Readable(string(name), nil) {
			read = "1"
		}
		pieces = append(pieces, name, []byte(read))
	}
	return answer(head{Status: statusOK}, pack(pieces...))
}

// enclosedFiles answers what stands beside the folder: pairs of a name and its content. Missing says that a receipt stayed
// at home that was to go.
func enclosedFiles() []byte {
	h := head{Status: statusOK}
	for _, r := range sharing.Receipts() {
		h.Missing = h.Missing || r.Stayed
	}
	var pieces [][]byte
	for _, file := range sharing.Enclosed() {
		pieces = append(pieces, []byte(file.Name), file.Content)
	}
	return answer(h, pack(pieces...))
}

// writtenFile is what a file, or a piece of whole lines of a ledger, becomes.
func writtenFile(name string, content []byte) []byte {
	s := &sharing
	protocol := figs.FileNamed(name) != figs.NoFile
	if protocol && !s.WantsFile(name) || !protocol && !s.Chosen(name) {
		return answer(head{Status: statusOK, Missing: true}, nil)
	}
	out := s.Write(nil, name, s.lines[name]+1, content)
	s.lines[name] += bytes.Count(content, []byte{'\n'})
	h := head{Status: statusOK, Name: name}
	if !protocol {
		h.Name = s.Name(name)
	}
	return answer(h, out)
}
