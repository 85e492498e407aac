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
var sharing folderCopy

type folderCopy struct {
	*share.Copy // nil before the step begin
	choice      *share.Options
	lines       map[string]int // of each ledger that were written
}

// shareStep is a step of making a copy.
type shareStep struct {
	settled bool // it comes when all was learned; else before
	run     func(c *folderCopy, r *Request, payload []byte) (head, []byte)
}

// shareSteps are the steps after begin: for one ask gather of its ledgers, then learn of each file, wants, attachment of each
// that is wanted, receipt of each that was given, and settle. Then choose, and write of each file, any number of times; show
// after the first, enclosed and list after the last.
var shareSteps = map[string]shareStep{
	"gather":     {false, (*folderCopy).gather},
	"learn":      {false, (*folderCopy).learn},
	"wants":      {false, (*folderCopy).wants},
	"attachment": {false, (*folderCopy).attachment},
	"receipt":    {false, (*folderCopy).receipt},
	"settle":     {false, (*folderCopy).settle},
	"choose":     {true, (*folderCopy).choose},
	"write":      {true, (*folderCopy).write},
	"show":       {true, (*folderCopy).show},
	"enclosed":   {true, (*folderCopy).enclosed},
	"list":       {true, (*folderCopy).list},
}

// shareFolder makes a copy of a folder step by step, since this module opens no file: begin, then shareSteps.
func shareFolder(r *Request, payload []byte) []byte {
	if r.Step == "begin" {
		return answer(sharing.begin(r), nil)
	}
	step := shareSteps[r.Step]
	if sharing.Copy == nil || sharing.Settled() != step.settled {
		return answer(head{Error: "this step was not asked for"}, nil)
	}
	if step.run == nil {
		return answer(head{Error: "there is no step of that name"}, nil)
	}
	return answer(step.run(&sharing, r, payload))
}

func (c *folderCopy) begin(r *Request) head {
	id, ok := journal.ParseSegment(r.ID)
	if r.ID != "" && (!ok || id == "") {
		return head{Error: "this names no ask"}
	}
	c.Copy = share.New(id)
	return head{Status: statusOK}
}

func (c *folderCopy) gather(r *Request, payload []byte) (head, []byte) {
	c.AddLedger(r.Name, payload)
	return head{Status: statusOK}, nil
}

func (c *folderCopy) learn(r *Request, payload []byte) (head, []byte) {
	if c.WantsFile(r.Name) {
		c.Scan(r.Name, payload)
	}
	return head{Status: statusOK}, nil
}

// wants answers which attachments are shared, and of which the content is to be looked through: pairs of a name and
// "1" or "0".
func (c *folderCopy) wants(_ *Request, payload []byte) (head, []byte) {
	names, whole := unpack(payload)
	if !whole {
		return head{Error: "the names are not packed as they should be"}, nil
	}
	var pieces [][]byte
	for _, name := range names {
		if !c.Wants(string(name)) {
			continue
		}
		read := "0"
		if redact.IsReadable(string(name), nil) {
			read = "1"
		}
		pieces = append(pieces, name, []byte(read))
	}
	return head{Status: statusOK}, pack(pieces...)
}

// attachment learns of an attachment; without r.Document, of its name and size alone.
func (c *folderCopy) attachment(r *Request, payload []byte) (head, []byte) {
	if !r.Document {
		payload = nil
	}
	c.Attachment(r.Name, r.Size, payload)
	return head{Status: statusOK}, nil
}

func (c *folderCopy) receipt(r *Request, payload []byte) (head, []byte) {
	c.Receipt(r.Name, payload)
	return head{Status: statusOK}, nil
}

// settle ends what is learned, and makes the first choice.
func (c *folderCopy) settle(r *Request, payload []byte) (head, []byte) {
	c.Prepare()
	return c.choose(r, payload)
}

func (c *folderCopy) choose(r *Request, _ []byte) (head, []byte) {
	form, err := url.ParseQuery(r.Form)
	if err != nil {
		return head{Error: "the choice cannot be read"}, nil
	}
	c.choice, c.lines = share.ParseOptions(form), map[string]int{}
	c.Choose(c.choice)
	return head{Status: statusOK}, nil
}

// write answers what a file, or a piece of whole lines of a ledger, becomes.
func (c *folderCopy) write(r *Request, content []byte) (head, []byte) {
	protocol := figs.ParseFile(r.Name) != figs.NoFile
	if protocol && !c.WantsFile(r.Name) || !protocol && !c.IsIncluded(r.Name) {
		return head{Status: statusOK, Missing: true}, nil
	}
	out := c.Write(nil, r.Name, c.lines[r.Name]+1, content)
	c.lines[r.Name] += bytes.Count(content, []byte{'\n'})
	h := head{Status: statusOK, Name: r.Name}
	if !protocol {
		h.Name = c.Name(r.Name)
	}
	return h, out
}

func (c *folderCopy) show(r *Request, _ []byte) (head, []byte) {
	site := ui.Site{Links: ui.Fragment{}, Now: figs.NoTime, Zone: r.Zone, ZoneName: r.ZoneName, Offline: true}
	if at, ok := figs.ParseTime(r.Now); ok {
		site.Now = at
	}
	html, err := agentpages.RenderShared(r.spoken(), site, r.Agent, r.Path, c.Preview(c.choice))
	if err != nil {
		return head{Error: err.Error()}, nil
	}
	return head{Status: statusOK}, html
}

// enclosed answers what is beside the folder: pairs of a name and its content. Missing says that a receipt that was to go
// was left out.
func (c *folderCopy) enclosed(*Request, []byte) (head, []byte) {
	h := head{Status: statusOK}
	for _, r := range c.Receipts() {
		h.Missing = h.Missing || r.Stayed
	}
	var pieces [][]byte
	for _, file := range c.Enclosed() {
		pieces = append(pieces, []byte(file.Name), file.Content)
	}
	return h, pack(pieces...)
}

func (c *folderCopy) list(r *Request, _ []byte) (head, []byte) {
	h := head{Status: statusOK, Name: c.FileName(), Note: strconv.Itoa(c.Preview(c.choice).Changed)}
	return h, c.List(c.choice, r.Now)
}
