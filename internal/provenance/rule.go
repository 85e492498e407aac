package provenance

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// Rule is what decided a step.
type Rule uint8

// The rules, with the section of the specification that each follows.
const (
	FieldSet         Rule = iota // §4.3
	FieldReplaced                // §4.3
	FieldWhole                   // §4.3: a nested object is replaced whole
	FieldNull                    // §4.3: an explicit null overwrites
	FieldAttachments             // §3: they belong to their line
	FieldLegacy                  // §4.6
	ResolutionNote               // §3
	RunStateDefault              // §3
	RunStatusDefault             // §3
	TitleIsID                    // §3
	ToDefault                    // §6
	WordUnknown                  // §5
	FilesRaised                  // §6
	FilesNamed                   // §3

	AskRaised     // §6
	AskOpen       // §6: no raise line, and no reply
	RaisedAgain   // §6: after a reply
	RaisedSame    // §6: before any reply
	VersionRaises // §6: hosted
	Reopened      // §6
	ClosedResolved
	ClosedWithdrawn
	ClosedRejected
	Final      // §6: rejected is terminal
	CitesOther // §6: another reply is cited than before
	LineOnly   // §6: it neither raises nor closes

	Answered      // §6
	Approved      // §6
	Changes       // §6
	Declined      // §6
	AfterDecline  // §6
	AfterClose    // §6
	CitedLate     // §6
	Confirmed     // §6
	BehindWord    // §6: hosted, a person's own word stands
	ReplyUnknown  // §3
	ReplyOfBefore // §6

	GradeTranscribed // §6
	GradeVerified    // §6
	GradeConfirmed   // §6
	GradeNone        // §6
	GradeEarlier     // §6: a new round, for which earlier replies do not count

	Several  // a step for many
	Together // what is known of the whole record and of no part
	ruleEnd
)

// Rules is how many rules there are.
const Rules = int(ruleEnd)

// sentences say the rules to people; %s stands for nothing: each is whole.
var sentences = [Rules]struct{ text, section string }{
	FieldSet:         {"This line is the first that sets it.", "4.3"},
	FieldReplaced:    {"A later line with the same id replaces the earlier value.", "4.3"},
	FieldWhole:       {"A nested object is replaced as a whole; nothing of the earlier one is kept.", "4.3"},
	FieldNull:        {"A null value clears the field.", "4.3"},
	FieldAttachments: {"Attachments belong to the line that names them. Only those of the newest line are shown.", "3"},
	FieldLegacy:      {"This field is from an older version of the protocol. It is read as attachments if the line has none under the new name.", "4.6"},
	ResolutionNote:   {"A resolution that is plain text is read as its note.", "3"},
	RunStateDefault:  {"The line gives no state. A job without one counts as settled.", "3"},
	RunStatusDefault: {"The line gives no status. A job without one counts as OK.", "3"},
	TitleIsID:        {"The line gives no title, so pages use the id.", "3"},
	ToDefault:        {"The line doesn't say whom it asks, so it asks both manager and builder.", "6"},
	WordUnknown:      {"The protocol doesn't define this value, so it is shown as written.", "5"},
	FilesRaised:      {"A human is asked to review the files of the newest raise that names any.", "6"},
	FilesNamed:       {"No raise has named files so far, so the files of the first line that names any are shown.", "3"},

	AskRaised:       {"The line has a type and no resolution, and it is open, so it puts the ask to a human.", "6"},
	AskOpen:         {"The ask is open and has no reply, so it needs a human.", "6"},
	RaisedAgain:     {"It was raised again or changed after a reply. That begins a new round, in which earlier replies do not count.", "6"},
	RaisedSame:      {"It was raised again or changed before anyone replied in this round, so the round stays the same.", "6"},
	VersionRaises:   {"On a server, each open version that differs from the previous one puts the ask to a human.", "6"},
	Reopened:        {"The line opens a closed ask again. That begins a new round, in which earlier replies do not count.", "6"},
	ClosedResolved:  {"The line closes the ask: the agent says that it is resolved.", "6"},
	ClosedWithdrawn: {"The line closes the ask: the agent withdraws it.", "6"},
	ClosedRejected:  {"The line closes the ask as declined by a human, which is final for this id.", "6"},
	Final:           {"A rejected ask stays rejected, whatever later lines with its id say.", "6"},
	CitesOther:      {"The line changes which reply the close cites.", "6"},
	LineOnly:        {"The line neither raises nor closes the ask, so its state is unchanged.", "6"},

	Answered:      {"The newest reply of the round is an answer: the agent should act on it and close the ask.", "6"},
	Approved:      {"The newest reply of the round is an approval: the agent should act on it and close the ask.", "6"},
	Changes:       {"The newest reply of the round requests changes: the ask is being revised until it is raised again.", "6"},
	Declined:      {"The reply declines the ask, which ends the round. The agent should close the ask.", "6"},
	AfterDecline:  {"The round was already declined, so this reply changes nothing.", "6"},
	AfterClose:    {"The ask was closed when this reply came. It stays in the thread and changes nothing.", "6"},
	CitedLate:     {"This is the reply that the close cites.", "6"},
	Confirmed:     {"A person who was signed in here gave the same reply, so the reported reply is confirmed.", "6"},
	BehindWord:    {"A reply that is only reported doesn't override the reply of a person who was signed in here.", "6"},
	ReplyUnknown:  {"The reply is neither an answer nor a verdict that the protocol knows, so it decides nothing.", "3"},
	ReplyOfBefore: {"The reply doesn't decide the state of the ask.", "6"},

	GradeTranscribed: {"It came with a push or from a local file, so nothing proves who gave it. It is not verified, whatever its source says.", "6"},
	GradeVerified:    {"This server wrote the reply itself, for a person who was signed in: it is verified.", "6"},
	GradeConfirmed:   {"The reply was only reported, but a person who was signed in here has given the same reply since.", "6"},
	GradeNone:        {"No reply decides the state of the ask.", "6"},
	GradeEarlier:     {"A new round has begun. Earlier replies don't count in it, and no one has replied yet.", "6"},

	Several:  {"This value comes from many lines and replies; this is the last of them.", "6"},
	Together: {"This value comes from all lines and replies, including those in the middle, which this page shows as one entry.", "6"},
}

// Sentence says the rule.
func (r Rule) Sentence() string { return sentences[r].text }

// Section is the specification's section that the rule follows, without its sign: "4.3".
func (r Rule) Section() string { return sentences[r].section }

// stateRule is why an ask stands where it stands after a step; before are the steps so far.
func stateRule(before []Step, s *Step) Rule {
	was := figs.AskState{Round: 1, Reply: -1, Since: figs.NoTime}
	var said *journal.Message
	if n := len(before); n > 0 {
		was, said = *before[n-1].Standing, before[n-1].Decides
	}
	switch {
	case s.Events > 1 && (s.Line == nil || s.Events != s.Line.Folded):
		return Several
	case s.Reply != nil:
		return replyRule(&was, said, s)
	}
	return lineRule(len(before) == 0, &was, said, s)
}

func lineRule(first bool, was *figs.AskState, said *journal.Message, s *Step) Rule {
	is := s.Standing
	switch {
	case is.Round > was.Round && was.Phase.Closed():
		return Reopened
	case is.Round > was.Round && s.Line.Snapshot && !raises(s.Line):
		return VersionRaises
	case is.Round > was.Round:
		return RaisedAgain
	case !first && was.Phase == figs.Rejected:
		return Final
	case is.Phase.Closed() && is.Phase != was.Phase || s.Line.Closes:
		return closeRule(is.Phase)
	case is.Phase.Closed() && s.Decides != said:
		return CitesOther
	case first && s.Line.Raises:
		return AskRaised
	case s.Line.Raises:
		return RaisedSame
	case first && is.Phase == figs.NeedsYou:
		return AskOpen
	}
	return LineOnly
}

// raises reports whether a line by itself puts the ask to a human (§6).
func raises(m *journal.TrailEntry) bool {
	return m.Ask != nil && m.Ask.Type != "" && m.Ask.Resolution == nil && (m.Ask.Status == "" || m.Ask.Status == "open")
}

func closeRule(p figs.Phase) Rule {
	switch p {
	case figs.Withdrawn:
		return ClosedWithdrawn
	case figs.Rejected:
		return ClosedRejected
	}
	return ClosedResolved
}

func replyRule(was *figs.AskState, said *journal.Message, s *Step) Rule {
	is := s.Standing
	switch {
	case is.Phase.Closed() && s.Decides == s.Reply:
		return CitedLate
	case was.Reported && !is.Reported && s.Decides == said:
		return Confirmed
	case is.Phase.Closed():
		return AfterClose
	case s.Decides == s.Reply:
		return wordRule(is.Phase, s.Reply)
	case was.Phase == figs.Declined:
		return AfterDecline
	case said != nil && said.Verified && !s.Reply.Verified:
		return BehindWord
	case !decides(s.Reply):
		return ReplyUnknown
	}
	return ReplyOfBefore
}

func wordRule(p figs.Phase, m *journal.Message) Rule {
	switch {
	case p == figs.Declined:
		return Declined
	case p == figs.BeingRevised:
		return Changes
	case m.Message.Kind == "verdict":
		return Approved
	}
	return Answered
}

// decides reports whether a reply is of a kind that moves an ask.
func decides(m *journal.Message) bool {
	switch m.Message.Kind {
	case "answer":
		return true
	case "verdict":
		return m.Message.Verdict == "approved" || m.Message.Verdict == "changes-requested" || m.Message.Verdict == "rejected"
	}
	return false
}
