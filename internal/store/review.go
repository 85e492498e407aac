package store

import "context"

// ReviewActivity keeps what people do at their inbox beside deciding. Nothing of it is a message: no agent
// ever learns of it. ActivityKind a person has put off or claimed raises the workspace's Seq; what was
// opened or drafted does not.
type ReviewActivity interface {
	// AddAttachmentView notes that an attachment was sent to a person's page, viewed there, or downloaded. The
	// first time of each way counts; again it writes nothing.
	AddAttachmentView(ctx context.Context, o AttachmentView) error
	// AttachmentView lists what a person has opened of these hashes, in a workspace.
	AttachmentViews(ctx context.Context, workspace, person string, sha256 []string) ([]AttachmentView, error)

	// SaveDraft keeps what a person has begun to write to an ask, in place of what was kept. An
	// empty one is forgotten. A decision of the person on the ask forgets it, and ends what they have
	// put off or claimed of it. ErrNotFound as Claim.
	// While one is pending nothing is kept: what comes late was on its way when the form was sent.
	SaveDraft(ctx context.Context, d Draft) error
	// CreateDraft is SaveDraft for who has not seen what was kept: it puts nothing in its place. *TakenError
	// when there is a draft, *PendingError while a decision of the person on the ask is.
	CreateDraft(ctx context.Context, d Draft) error
	// Draft finds it; ErrNotFound when there is none.
	Draft(ctx context.Context, person, agent, ask string) (Draft, error)
	// DeleteDraft forgets a draft as Draft gave it; ErrNotFound when there is none, or another since.
	DeleteDraft(ctx context.Context, d Draft) error

	// Claim says that a person looks at an ask, until then; until of 0 takes it back. ErrNotFound
	// when the workspace has no such ask.
	Claim(ctx context.Context, act Act, workspace, agent, ask string, until int64) (seq int64, err error)
	// Claims lists those on an ask that have not ended by now, newest first.
	Claims(ctx context.Context, agent, ask string, now int64) ([]Claim, error)

	// Snooze puts an ask off for a person until then, or until something about it is new: another
	// version, another reply. until of 0 takes it back. ErrNotFound as Claim.
	Snooze(ctx context.Context, act Act, workspace, agent, ask string, until int64) (seq int64, err error)
	// TabSnoozed is until when a person has put an ask off; 0 when it is not, or not any more.
	Snoozed(ctx context.Context, person, agent, ask string, now int64) (until int64, err error)
}

// SnoozeUntilChange as the end of a snooze is none: only something new ends it.
const SnoozeUntilChange = 1<<63 - 1

// AttachmentView is an attachment as somebody has opened it.
type AttachmentView struct {
	Workspace, Person string
	SHA256            string
	Ext               string // the same bytes as .txt and as .html are two documents
	How               string // "rendered", "source", "text": it was sent to the page; "screen", "alone", "download": see package receipt, also for how much of it was on the screen
	At                int64
}

// Draft is what a person has begun to write to an ask.
type Draft struct {
	Person, Workspace, Agent, Ask string
	Revision                      string // of the ask as it was then
	Verdict, Chosen, Text         string
	At                            int64
	Token                         string // id of the token with which a program wrote it; "": its person typed it
}

// Claim says who looks at an ask.
type Claim struct {
	Agent, Ask, By string
	At, Until      int64
}
