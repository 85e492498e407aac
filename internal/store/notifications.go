package store

import "context"

// DestinationKind is a way on which people are told.
type DestinationKind string

// The ways. DestinationPage is where everybody is told: it is the place whose id is the person's, and no
// row of it is kept.
const (
	DestinationPage    DestinationKind = "page"
	DestinationEmail   DestinationKind = "email"
	DestinationPush    DestinationKind = "push"
	DestinationNtfy    DestinationKind = "ntfy"
	DestinationWebhook DestinationKind = "webhook"
)

// Destination is where a person is told.
type Destination struct {
	ID, Person   string
	Kind         DestinationKind
	Name         string // as the person calls it
	Target       string // an address of e-mail or of the web
	Secret       string // what sending takes: a token, a signing key, a browser's keys
	Digest       int    // the hour of the server's day at which e-mail comes in one letter; NoDigest
	Created      int64
	Confirmed    int64 // since when something is sent there; 0: the person has not confirmed it
	Failing      int64 // since when nothing arrives; 0
	Disabled     int64
	Confirm      string // hash of the key that confirms it, for AddDestination
	ConfirmUntil int64  // when that key ends
}

// NoDigest is the Digest of a place where each thing is told by itself.
const NoDigest = -1

// MaxDestinations is how many places one person has at most.
const MaxDestinations = 20

// NotificationEvent is what somebody is told of.
type NotificationEvent string

// The events.
const (
	EventAsk                NotificationEvent = "ask"     // an ask is asked of me
	EventStillOpen          NotificationEvent = "open"    // it is still open after some hours
	EventRaisedAgain        NotificationEvent = "changes" // a sign-off that I asked changes of was raised again
	EventNotPickedUp        NotificationEvent = "picked"  // a reply of mine was not handed to its agent after some hours
	EventNoAddressee        NotificationEvent = "vacant"  // nobody manages, or nobody built, an agent any more: who did may not reply now
	EventReportedReply      NotificationEvent = "claim"   // an agent wrote a reply down in my name, and I have not confirmed it
	EventPolicy             NotificationEvent = "policy"  // what protects approvals and notifications was weakened
	EventDestinationFailing NotificationEvent = "failing" // a place of mine keeps failing; in the page alone
	EventTest               NotificationEvent = "test"    // I tried a place
)

// NotificationEvents lists those that a person chooses.
func NotificationEvents() []NotificationEvent {
	return []NotificationEvent{EventAsk, EventReportedReply, EventRaisedAgain, EventStillOpen, EventNotPickedUp, EventNoAddressee, EventPolicy}
}

// OnByDefault reports whether an event is told at every place of a person unless they switch it off there: what others do in
// their name, or take from what protects them.
func (e NotificationEvent) OnByDefault() bool { return e == EventReportedReply || e == EventPolicy }

// NotificationSetting is that a person wants, or does not want, to be told of something at a place. Without one
// the page tells everything, and other places nothing but what is told always.
type NotificationSetting struct {
	Destination, Workspace string
	Event                  NotificationEvent
	Wanted                 bool
}

// ReminderHours is after how many hours a person is told once more.
type ReminderHours struct{ Open, PickedUp int }

// DefaultReminderHours are those of who has chosen none.
var DefaultReminderHours = ReminderHours{Open: 24, PickedUp: 24}

// Notification is one thing that one person is told at one place. It holds no words of records.
type Notification struct {
	ID, Destination, Person string
	Workspace               string // "" of none
	Event                   NotificationEvent
	Name                    string // at one place there is one of that name
	Agent, Ask              string
	Round                   int
	At                      int64
	Next                    int64 // when it is to be sent
}

// SendState is where a sending stands.
type SendState string

// The states. Dropped is what was over before it could be told.
const (
	SendWaiting SendState = "waiting"
	SendSent    SendState = "sent"
	SendDead    SendState = "dead"
	SendDropped SendState = "dropped"
)

// QueuedNotification is news on their way.
type QueuedNotification struct {
	Notification
	State  SendState
	Tries  int
	Answer string // of the last try
	Ended  int64
	Read   int64 // in the page: when it was read; 0: not yet. Elsewhere -1
	Over   bool  // what it tells of is over; only from ListNotifications and ClaimNotifications
}

// DueNotification is a sending with what it takes to send it. Words of records and agents are there only where
// the workspace allows that they are told.
type DueNotification struct {
	QueuedNotification
	To                  Destination
	Slug, WorkspaceName string // of the workspace: address and name
	IncludeText         bool
	AgentName           string
	Title               string // of the ask; Over is also set when the person may not be told any more
}

// PlanCursor is up to where it was planned whom to tell.
type PlanCursor struct {
	Seq int64 // of the workspace's changes
	At  int64 // of time; 0 is never yet
}

// OpenAsk is an ask that needs a human, for planning.
type OpenAsk struct {
	Agent, Ask     string
	Round          int
	Arrived        int64    // when its newest version did
	New            bool     // something of it, or of whom it asks, changed after the cursor
	AskedOf        []string // who is asked: the inbox's rule
	ChangesBy      string   // who asked changes of the round before; ""
	SnoozedBy      []string // who has put it off now
	SnoozeEndedFor []string // for whom it has come back since the cursor
}

// UnconfirmedReply is an ask with a reply that an agent reports in somebody's name and nobody has confirmed, for planning.
type UnconfirmedReply struct {
	Agent, Ask string
	Round      int
	Since      int64
	Confirmers []string // who is asked to confirm it: the inbox's rule
	Approves   bool     // the report says that somebody approved these steps
	Steps      []string
}

// LateReply is a reply that has not been handed out.
type LateReply struct {
	Agent, Ask, ID, Person string
	At                     int64 // since when it counts
}

// Reader of news: a member with what they want.
type Recipient struct {
	Person       string
	Since        int64 // a member
	Hours        ReminderHours
	Destinations []Destination // confirmed ones; the page is not among them
	Settings     map[NotificationSetting]bool
}

// Wants reports whether the person is to be told of an event in a workspace at a place.
func (t *Recipient) Wants(place, workspace string, e NotificationEvent) bool {
	if t.Settings[NotificationSetting{place, workspace, e, true}] {
		return true
	}
	return (place == t.Person || e.OnByDefault()) && !t.Settings[NotificationSetting{place, workspace, e, false}]
}

// PlanInput is what planning looks at.
type PlanInput struct {
	Workspace   string
	From, To    PlanCursor
	Asks        []OpenAsk
	Unconfirmed []UnconfirmedReply // reports in somebody's name: what is new since the cursor, and where who is here has changed, what came lately
	Replies     []LateReply
	Recipients  []Recipient
}

// Notifications keeps where people are told of what, and what is on its way.
type Notifications interface {
	// AddDestination returns ErrLimitReached when the person has MaxDestinations. One that is to be confirmed takes the place of those for the
	// same address that are.
	AddDestination(ctx context.Context, act Act, p Destination) error
	Destination(ctx context.Context, person, id string) (Destination, error)
	Destinations(ctx context.Context, person string) ([]Destination, error)
	// ConfirmDestination confirms the place of a person that has this key, by its hash, and that has not
	// ended by act.At; else ErrNotFound.
	ConfirmDestination(ctx context.Context, act Act, person, hash string) (Destination, error)
	// SetDestinationSecret replaces what sending takes, SetDestinationDigest when e-mail comes.
	SetDestinationSecret(ctx context.Context, act Act, person, id, secret string) error
	SetDestinationDigest(ctx context.Context, act Act, person, id string, hour int) error
	// RemoveDestination forgets a place, and what was wished for and is on its way there.
	RemoveDestination(ctx context.Context, act Act, person, id string) error
	NotificationSettings(ctx context.Context, person string) ([]NotificationSetting, error)
	// SetNotificationSettings replaces what a person wishes in a workspace.
	SetNotificationSettings(ctx context.Context, act Act, person, workspace string, wishes []NotificationSetting) error
	ReminderHours(ctx context.Context, person string) (ReminderHours, error)
	SetReminderHours(ctx context.Context, act Act, person string, h ReminderHours) error

	// WorkspacesToPlan lists workspaces that are there; with changed, those alone that have changed
	// since their cursor.
	WorkspacesToPlan(ctx context.Context, changed bool) ([]string, error)
	// PlanInput reads what there may be to tell in a workspace at a time.
	PlanInput(ctx context.Context, workspace string, at int64) (*PlanInput, error)
	// PlanNotifications moves the cursor on and keeps the news, all or nothing; what a place has already is
	// left out. It returns how many are new, and ErrNotFound when somebody else has moved the
	// cursor meanwhile: then nothing is kept, because they have planned the same.
	PlanNotifications(ctx context.Context, workspace string, from, to PlanCursor, news []Notification) (int, error)
	// AddNotification keeps one of its own.
	AddNotification(ctx context.Context, n Notification) error

	// ClaimNotifications takes up to n that are due under a lease until then, oldest first. Of two who ask at
	// once nobody gets what the other got.
	ClaimNotifications(ctx context.Context, lease string, at, until int64, n int) ([]DueNotification, error)
	// FinishNotification says what became of a claimed one: its new State, Tries, Answer, Next and Ended.
	// ErrNotFound when the lease is not its lease any more. What has arrived ends the place's
	// failing; a try that failed begins it, and what is dead tells the person of it in the page.
	FinishNotification(ctx context.Context, lease string, s QueuedNotification) error
	// ResendNotification sends one of a person's that has ended once more, under its own id.
	ResendNotification(ctx context.Context, act Act, person, id string) error
	// SentNotifications lists what was sent to a person beyond the page since then, newest first.
	SentNotifications(ctx context.Context, person string, since int64, n int) ([]QueuedNotification, error)
	// Notification is one of a person's.
	Notification(ctx context.Context, person, id string) (QueuedNotification, error)

	// ListNotifications lists what the page tells a person in a workspace, newest first.
	ListNotifications(ctx context.Context, person, workspace string, from, n int) (list []QueuedNotification, more bool, err error)
	// UnreadNotifications counts what is not over among the newest MaxUnreadCounted that are not read.
	UnreadNotifications(ctx context.Context, person, workspace string) (int, error)
	// MarkNotificationsRead marks all read that came by until.
	MarkNotificationsRead(ctx context.Context, person, workspace string, until, at int64) error
	// SweepNotifications forgets what has ended before then, except about asks that are still open.
	SweepNotifications(ctx context.Context, before int64) error
	// PushKey is the key of web push. The first call ever keeps the fresh one; every other one
	// changes nothing.
	PushKey(ctx context.Context, freshPrivate, freshPublic string, at int64) (private, public string, err error)
}

// MaxUnreadCounted is among how many unread pieces of news those are counted that are not over.
const MaxUnreadCounted = 100
