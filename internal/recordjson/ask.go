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
	Round    int     `json:"round" jsonschema:"number of times it was raised"`
	Reported bool    `json:"reported" jsonschema:"the reply that determines the state is reported by the agent (transcribed) and not verified"`
	Since    *string `json:"since" jsonschema:"when the current round began"`
}

// NewState converts the state of an ask.
func NewState(s figs.AskState) State {
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
	Page   string          `json:"page,omitempty" jsonschema:"URL of its page for people"`
	Title  string          `json:"title" jsonschema:"its title, or its id if it has none"`
	Type   *string         `json:"type" jsonschema:"question or sign-off, or another word that the agent wrote"`
	To     *string         `json:"to" jsonschema:"manager or builder; null means both"`
	Job    *string         `json:"job" jsonschema:"key of its job"`
	TS     *string         `json:"ts" jsonschema:"as the agent wrote it"`
	State  State           `json:"state"`
	Asked  []Person        `json:"asked_of" jsonschema:"who is asked now, on a server"`
	Lines  int             `json:"versions" jsonschema:"number of its lines in the ledger"`
	Record json.RawMessage `json:"record" jsonschema:"what the agent wrote, all its lines folded"`
}

// Ask converts an ask.
func (c Converter) Ask(a *journal.Ask) Ask {
	asked := Each(a.AskedOf, func(p *journal.Person) Person { return Person{ID: p.ID, Name: p.Name} })
	return Ask{Key: a.Key, ID: a.Ask.ID, Page: c.page("asks", a.Key), Title: AskTitle(&a.Ask), Type: Text(a.Ask.Type), To: Text(a.Ask.To), Job: Text(a.JobKey),
		TS: Text(a.Ask.TS), State: NewState(a.State), Asked: asked, Lines: a.Lines, Record: Raw(a.Raw)}
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
	Reply    *Message          `json:"reply" jsonschema:"the reply that determines the state of the ask, or that its close cites"`
	Files    []File            `json:"files" jsonschema:"current attachments"`
	Earlier  []File            `json:"earlier_files" jsonschema:"attachments that only earlier lines attach"`
	Trail    []TrailEntry      `json:"trail"`
	Thread   []Message         `json:"thread" jsonschema:"the replies, oldest first"`
	Findings []json.RawMessage `json:"findings" jsonschema:"findings about its lines, in the format of figs-web doctor --json"`
}

// AskDetail converts an answer of journal.Journal.Ask.
func (c Converter) AskDetail(a *journal.Ask) AskDetail {
	out := AskDetail{Ask: c.Ask(a), Erased: newErased(a.Erased), Files: Each(a.Files, c.File), Earlier: Each(a.Earlier, c.File), Trail: Each(a.Trail, c.Moment),
		Thread: Each(a.Thread, c.Message), Findings: Each(a.Findings, Finding)}
	if at := a.State.Reply; at >= 0 && at < len(out.Thread) {
		reply := c.Message(&a.Thread[at]) // its own: what bounds the texts of an answer does so in place
		out.Reply = &reply
	}
	return out
}
