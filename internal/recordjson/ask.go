package recordjson

import (
	"encoding/json"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// State is where an ask stands (§6).
type State struct {
	Phase    string  `json:"phase" jsonschema:"needs_you, replied, being_revised, declined, resolved, withdrawn or rejected"`
	Tab      string  `json:"tab" jsonschema:"needs, waiting or closed"`
	Round    int     `json:"round" jsonschema:"how often it was put to a person"`
	Reported bool    `json:"reported" jsonschema:"the reply that decides is only transcribed: an agent wrote it down, nothing proves it"`
	Since    *string `json:"since" jsonschema:"when the present round began"`
}

func newState(s figs.AskState) State {
	tab := journal.TabNeeds
	switch {
	case s.Phase.Closed():
		tab = journal.TabClosed
	case s.Phase.Waiting():
		tab = journal.TabWaiting
	}
	return State{Phase: s.Phase.Word(), Tab: string(tab), Round: s.Round, Reported: s.Reported, Since: Time(s.Since)}
}

// Ask is an ask as lists have it.
type Ask struct {
	Key    string          `json:"key"`
	ID     string          `json:"id"`
	Page   string          `json:"page,omitempty" jsonschema:"where people read of it"`
	Title  string          `json:"title" jsonschema:"its title, else its id"`
	Type   *string         `json:"type" jsonschema:"question or sign-off, unless the agent wrote another word"`
	To     *string         `json:"to" jsonschema:"manager or builder; null is both"`
	Job    *string         `json:"job" jsonschema:"key of the job that it names"`
	TS     *string         `json:"ts" jsonschema:"as the agent wrote it"`
	State  State           `json:"state"`
	Asked  []Person        `json:"asked_of" jsonschema:"who is asked now, on a server"`
	Lines  int             `json:"versions" jsonschema:"how many lines of the ledger it has"`
	Record json.RawMessage `json:"record" jsonschema:"what the agent wrote, all its lines folded"`
}

// Ask converts an ask.
func (c Converter) Ask(a *journal.Ask) Ask {
	asked := Each(a.AskedOf, func(p *journal.Person) Person { return Person{ID: p.ID, Name: p.Name} })
	return Ask{Key: a.Key, ID: a.Ask.ID, Page: c.page("asks", a.Key), Title: AskTitle(&a.Ask), Type: Text(a.Ask.Type), To: Text(a.Ask.To), Job: Text(a.JobKey),
		TS: Text(a.Ask.TS), State: newState(a.State), Asked: asked, Lines: a.Lines, Record: Raw(a.Raw)}
}

// AskTitle is what an ask is called: its title, else its id.
func AskTitle(a *figs.Ask) string {
	if a.Title != "" {
		return a.Title
	}
	return a.ID
}

// AskDetail is an ask with what belongs to it.
type AskDetail struct {
	Ask
	Erased   *Erasure          `json:"erased"`
	Reply    *Message          `json:"reply" jsonschema:"the reply of the thread that decides where it stands, or that its close cites"`
	Files    []File            `json:"files" jsonschema:"attachments that it has now"`
	Earlier  []File            `json:"earlier_files" jsonschema:"attachments that only earlier lines name"`
	Trail    []TrailEntry      `json:"trail"`
	Thread   []Message         `json:"thread" jsonschema:"the replies, in the order of time"`
	Findings []json.RawMessage `json:"findings" jsonschema:"what is wrong with its lines, as figs-web doctor --json writes it"`
}

// AskDetail converts an answer of journal.Journal.Ask.
func (c Converter) AskDetail(a *journal.Ask) AskDetail {
	out := AskDetail{Ask: c.Ask(a), Erased: newErased(a.Erased), Files: Each(a.Files, c.File), Earlier: Each(a.Earlier, c.File), Trail: Each(a.Trail, c.Moment),
		Thread: Each(a.Thread, c.Message), Findings: Each(a.Findings, Finding)}
	if at := a.State.Reply; at >= 0 && at < len(out.Thread) {
		reply := out.Thread[at]
		out.Reply = &reply
	}
	return out
}
