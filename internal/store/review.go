package store

import "context"

// ReviewActivity stores what people do with an ask besides deciding it. Agents never see any of it. Snoozing and claiming
// change the workspace's Seq; views and drafts don't.
type ReviewActivity interface {
	// AddAttachmentView records that an attachment was sent to a person's page, viewed there, or downloaded. Only the first
	// time of each way is stored; later calls write nothing.
	AddAttachmentView(ctx context.Context, o AttachmentView) error
	// AttachmentViews returns a person's views of the attachments with these hashes.
	AttachmentViews(ctx context.Context, workspace, person string, sha256 []string) ([]AttachmentView, error)

	// SaveDraft stores a person's draft for an ask, replacing an earlier one; an empty draft deletes it. It returns
	// ErrNotFound if the workspace has no such ask. While a decision of the person on the ask is pending, nothing is
	// stored, because the draft was sent before the form. Decide deletes the person's draft for the ask and ends their
	// snooze and claim.
	SaveDraft(ctx context.Context, d Draft) error
	// CreateDraft is SaveDraft that doesn't replace an earlier draft. It returns *TakenError if there is one, and
	// *PendingError while a decision of the person on the ask is pending.
	CreateDraft(ctx context.Context, d Draft) error
	// Draft returns ErrNotFound if there is none.
	Draft(ctx context.Context, person, agent, ask string) (Draft, error)
	// DeleteDraft deletes a draft as Draft returned it. It returns ErrNotFound if there is none, or if it has changed
	// since.
	DeleteDraft(ctx context.Context, d Draft) error

	// Claim records that a person is reviewing an ask, until that time; 0 ends the claim. It returns ErrNotFound if the
	// workspace has no such ask.
	Claim(ctx context.Context, act Act, workspace, agent, ask string, until int64) (seq int64, err error)
	// Claims returns an ask's claims that haven't ended by now, newest first.
	Claims(ctx context.Context, agent, ask string, now int64) ([]Claim, error)

	// Snooze hides an ask from a person's inbox until that time or until there is another version or reply, whichever comes
	// first; 0 ends the snooze. It returns ErrNotFound if the workspace has no such ask.
	Snooze(ctx context.Context, act Act, workspace, agent, ask string, until int64) (seq int64, err error)
	// Snoozed returns until when a person has snoozed an ask; 0 if they haven't, or the snooze has ended.
	Snoozed(ctx context.Context, person, agent, ask string, now int64) (until int64, err error)
}

// SnoozeUntilChange snoozes an ask until it changes, without a time limit.
const SnoozeUntilChange = 1<<63 - 1

// AttachmentView records that someone viewed or downloaded an attachment.
type AttachmentView struct {
	Workspace, Person string
	SHA256            string
	Ext               string // the same bytes as .txt and as .html are viewed separately
	How               string // how it was sent to the page ("rendered", "source", "text"), viewed ("screen", "alone") or downloaded ("download"); see package receipt, also for how much of it was on the screen
	At                int64
}

// Draft is an unsent reply to an ask.
type Draft struct {
	Person, Workspace, Agent, Ask string
	Revision                      string // of the ask when the draft was started
	Verdict, Chosen, Text         string
	At                            int64
	Token                         string // id of the token with which a program wrote it; "" if the person typed it
}

// Claim says that someone is reviewing an ask.
type Claim struct {
	Agent, Ask, By string
	At, Until      int64
}
