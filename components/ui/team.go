package ui

import "github.com/figs-web/figs-web/internal/journal"

// AskTeam is what people of a workspace do together about an ask, as its page shows it. Agents see none of it.
type AskTeam struct {
	FollowUp *journal.FollowUp
	Handover *journal.Handover // nil if it was not handed over
	Entries  []TeamEntry       // oldest first

	CanHandOver bool             // the visitor may hand it over now
	CanTakeBack bool             // and may end the present hand-over
	Colleagues  []journal.Person // to whom it can be handed
	CanNote     bool
	Members     []journal.Person // who can be mentioned
	CanNudge    bool             // a reply has waited long enough

	Form TeamForm // what was typed and not taken
}

// TeamForm is a form of colleagues, and why it was not taken.
type TeamForm struct {
	Of       string // "handover", "note", "nudge"; "" is none
	To, Note string // ids of the person, and the text
	Fault    Fault
}

// TeamEntry is a note, a hand-over or the end of one.
type TeamEntry struct {
	Kind   string // "note", "handover", "takeback"
	By     journal.Person
	People []journal.Person
	Text   string
	At     int64
}
