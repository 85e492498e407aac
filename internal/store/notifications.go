package store

import (
	"context"
	"strings"
)

// DestinationKind is a channel for notifications.
type DestinationKind string

// The channels. DestinationPage is the web page, which everyone has: its destination has the user's id and isn't stored.
const (
	DestinationPage    DestinationKind = "page"
	DestinationEmail   DestinationKind = "email"
	DestinationPush    DestinationKind = "push"
	DestinationNtfy    DestinationKind = "ntfy"
	DestinationWebhook DestinationKind = "webhook"
)

// Destination is where a person receives notifications.
type Destination struct {
	ID, Person   string
	Kind         DestinationKind
	Name         string // chosen by the person
	Target       string // email address or URL
	Secret       string // what sending needs: a token, a signing key, or a browser's keys
	Digest       int    // hour of the server's day at which a daily email is sent, or NoDigest
	Created      int64
	Confirmed    int64 // when the person confirmed it; 0 if they haven't, and nothing is sent
	Failing      int64 // since when sending has failed; 0 if it works
	Disabled     int64
	Confirm      string // hash of the confirmation key, for AddDestination
	ConfirmUntil int64  // when that key expires
}

// NoDigest is the Digest of a destination that receives each notification separately.
const NoDigest = -1

// MaxDestinations is how many destinations a person can have.
const MaxDestinations = 20

// NotificationEvent is what a notification is about.
type NotificationEvent string

// The events.
const (
	EventAsk                NotificationEvent = "ask"     // an agent asks the person
	EventStillOpen          NotificationEvent = "open"    // the ask is still open after ReminderHours.Open
	EventRaisedAgain        NotificationEvent = "changes" // a sign-off for which the person requested changes was raised again
	EventNotPickedUp        NotificationEvent = "picked"  // a reply of the person wasn't picked up within ReminderHours.PickedUp
	EventNoAddressee        NotificationEvent = "vacant"  // an agent lost its manager or builder, who may no longer reply
	EventReportedReply      NotificationEvent = "claim"   // an agent reported a reply in the person's name, which they haven't confirmed
	EventHandedOver         NotificationEvent = "handed"  // a colleague handed the person an ask
	EventMention            NotificationEvent = "mention" // a colleague mentioned the person in a note
	EventNudge              NotificationEvent = "nudge"   // a colleague reminds the agent's people of a reply that wasn't picked up
	EventPolicy             NotificationEvent = "policy"  // a setting that protects approvals or notifications was weakened
	EventWeekly             NotificationEvent = "weekly"  // last week's reports; nowhere unless the person turns it on
	EventDestinationFailing NotificationEvent = "failing" // a destination keeps failing; only on the page
	EventSettled            NotificationEvent = "settled" // an ask that a chat channel was told about no longer needs a person; only for chat
	EventTest               NotificationEvent = "test"    // the person tested a destination
)

// NotificationEvents returns the events that a person can choose.
func NotificationEvents() []NotificationEvent {
	return []NotificationEvent{EventAsk, EventReportedReply, EventRaisedAgain, EventStillOpen, EventNotPickedUp, EventHandedOver, EventMention, EventNudge, EventNoAddressee, EventPolicy, EventWeekly}
}

// OnByDefault reports whether an event is sent to every destination of a person unless they turn it off there.
func (e NotificationEvent) OnByDefault() bool { return e == EventReportedReply || e == EventPolicy }

// NotificationSetting turns an event on or off for a destination. By default the page shows every event except EventWeekly, and other
// destinations receive the events that are OnByDefault.
type NotificationSetting struct {
	Destination, Workspace string
	Event                  NotificationEvent
	Wanted                 bool
}

// ReminderHours is how many hours to wait before reminding a person.
type ReminderHours struct{ Open, PickedUp int }

// DefaultReminderHours is for people who haven't set any.
var DefaultReminderHours = ReminderHours{Open: 24, PickedUp: 24}

// Notification is one message to one destination. It contains no text of records.
type Notification struct {
	ID, Destination, Person string
	Workspace               string // "" if it isn't about a workspace
	Event                   NotificationEvent
	Name                    string // idempotency key, unique within the destination
	Agent, Ask              string
	Round                   int
	At                      int64
	Next                    int64 // when to send it
}

// SendState is the state of a queued notification.
type SendState string

// The states. SendDropped is for notifications that were outdated before they could be sent.
const (
	SendWaiting SendState = "waiting"
	SendSent    SendState = "sent"
	SendDead    SendState = "dead"
	SendDropped SendState = "dropped"
)

// QueuedNotification is a notification and its sending.
type QueuedNotification struct {
	Notification
	State  SendState
	Tries  int
	Answer string // response to the last try
	Ended  int64
	Read   int64 // when it was read on the page, 0 if it wasn't; -1 for other destinations
	Over   bool  // the matter is settled; only set by ListNotifications and ClaimNotifications
}

// GroupWindow is how long a destination that is sent one message for several notifications waits after a message, in
// microseconds. What becomes due meanwhile is sent together.
const GroupWindow = 30_000_000

// MaxGroup is how many notifications that were due at the same time become one message.
const MaxGroup = 500

// DueNotification is a notification with what is needed to send it. AgentName, Title, AskType, Steps, Waits and Note are only
// set if the workspace allows text at this destination.
type DueNotification struct {
	QueuedNotification
	To                  Destination // of a chat channel, its ID, Kind and Name
	Batch               string      // the same for notifications that are sent as one message, also when they are sent again; "" if it's sent alone
	Resent              bool        // a person sends it again
	Chat                ChatChannel // if To.Kind is DestinationChat
	Slug, WorkspaceName string      // of the workspace
	IncludeText         bool
	AgentName           string
	Title               string   // of the ask. Over is also set if the person may no longer see it
	AskType             string   // "question", "sign-off", or ""
	Steps               []string // of a sign-off; only in a chat message about one ask
	Waits               int64    // since when the ask has needed a human, or figs.NoTime; as Steps
	Note                string   // of the colleague who handed the ask over or mentioned the person
	Language            string   // that the person has chosen for pages; "" if none
}

// IrreversiblePrefix begins the Name of an EventReportedReply about an approval of steps that can't be undone.
const IrreversiblePrefix = "claim! "

// IsIrreversible reports whether a notification is about a reported approval of steps that can't be undone.
func (n *Notification) IsIrreversible() bool { return strings.HasPrefix(n.Name, IrreversiblePrefix) }

// PlanCursor is how far notifications have been planned.
type PlanCursor struct {
	Seq int64 // the workspace's Seq
	At  int64 // time; 0 if nothing has been planned yet
}

// OpenAsk is an ask that needs a human, for planning.
type OpenAsk struct {
	Agent, Ask     string
	Type           string // "question", "sign-off", or ""
	Round          int
	Arrived        int64    // when its newest version arrived
	New            bool     // the ask, or who is asked, changed after the cursor
	AskedOf        []string // user ids, as in the inbox
	ChangesBy      string   // user id of who requested changes in the previous round; "" if nobody
	SnoozedBy      []string // user ids of people who have snoozed it
	SnoozeEndedFor []string // user ids of people whose snooze ended after the cursor
}

// UnconfirmedReply is a reply that an agent reports in someone's name and nobody has confirmed, for planning.
type UnconfirmedReply struct {
	Agent, Ask string
	Round      int
	Since      int64
	New        bool     // it has changed since the cursor
	Confirmers []string // user ids of people who are asked to confirm it, as in the inbox
	Approves   bool     // the reply approves Steps
	Steps      []string
}

// SettledAsk is an ask that no longer needs a human, for planning.
type SettledAsk struct {
	Agent, Ask string
	Round      int
	Told       []string // ids of channels that were told about it, or soon are
}

// LateReply is a reply that no sync has picked up.
type LateReply struct {
	Agent, Ask, ID, Person string
	At                     int64 // when it became effective
}

// Recipient is a member with their notification settings.
type Recipient struct {
	Person       string
	Since        int64 // member since
	Hours        ReminderHours
	Destinations []Destination // confirmed ones, without the page
	Settings     map[NotificationSetting]bool
}

// Wants reports whether the person wants to be notified of an event in a workspace at a destination.
func (r *Recipient) Wants(destination, workspace string, e NotificationEvent) bool {
	if r.Settings[NotificationSetting{destination, workspace, e, true}] {
		return true
	}
	return (destination == r.Person && e != EventWeekly || e.OnByDefault()) && !r.Settings[NotificationSetting{destination, workspace, e, false}]
}

// PlanInput is everything that planning needs to know.
type PlanInput struct {
	Workspace   string
	From, To    PlanCursor
	Asks        []OpenAsk
	Unconfirmed []UnconfirmedReply // those that are new since the cursor; if members have changed, also other recent ones
	Replies     []LateReply
	Settled     []SettledAsk // those that have changed since the cursor; only if a channel is told about them
	Recipients  []Recipient
	Channels    []ChatChannel     // with ID, Created and ChatChoice alone
	Departments map[string]string // of agents, by id; only if a channel needs them
	Week        string            // the ISO week that has ended since the cursor, "2026-W47"; "" if none has
}

// Notifications stores destinations, settings and queued notifications.
type Notifications interface {
	// AddDestination returns ErrLimitReached if the person has MaxDestinations. A new unconfirmed destination replaces
	// unconfirmed ones with the same target.
	AddDestination(ctx context.Context, act Act, p Destination) error
	Destination(ctx context.Context, person, id string) (Destination, error)
	Destinations(ctx context.Context, person string) ([]Destination, error)
	// ConfirmDestination confirms the person's destination with that key, given by its hash. It returns ErrNotFound if
	// there is none or the key has expired at act.At.
	ConfirmDestination(ctx context.Context, act Act, person, hash string) (Destination, error)
	// SetDestinationSecret replaces a destination's Secret, SetDestinationDigest its Digest.
	SetDestinationSecret(ctx context.Context, act Act, person, id, secret string) error
	SetDestinationDigest(ctx context.Context, act Act, person, id string, hour int) error
	// RemoveDestination also deletes the destination's settings and queued notifications.
	RemoveDestination(ctx context.Context, act Act, person, id string) error
	NotificationSettings(ctx context.Context, person string) ([]NotificationSetting, error)
	// SetNotificationSettings replaces a person's settings in a workspace.
	SetNotificationSettings(ctx context.Context, act Act, person, workspace string, settings []NotificationSetting) error
	ReminderHours(ctx context.Context, person string) (ReminderHours, error)
	SetReminderHours(ctx context.Context, act Act, person string, h ReminderHours) error

	// WorkspacesToPlan returns the ids of workspaces that aren't deleted; if changed is set, only those that have changed
	// since their cursor.
	WorkspacesToPlan(ctx context.Context, changed bool) ([]string, error)
	// PlanInput reads the input for planning a workspace at that time.
	PlanInput(ctx context.Context, workspace string, at int64) (*PlanInput, error)
	// PlanNotifications queues notifications and moves the cursor from from to to, all or nothing. Notifications whose Name
	// the destination already has are skipped. It returns how many were new, and ErrNotFound if the cursor isn't from:
	// another process has planned the same.
	PlanNotifications(ctx context.Context, workspace string, from, to PlanCursor, notifications []Notification) (int, error)
	// AddNotification queues one notification.
	AddNotification(ctx context.Context, n Notification) error

	// ClaimNotifications leases up to n due notifications until that time, oldest first, and up to MaxGroup more for each
	// destination among them that is sent one message for several: chat channels, email and browsers. It gives those that
	// belong together a Batch, which they keep. For GroupWindow after that, no others of the kind are due there. Concurrent
	// calls never return the same notification.
	ClaimNotifications(ctx context.Context, lease string, at, until int64, n int) ([]DueNotification, error)
	// FinishNotification stores the State, Tries, Answer, Next and Ended of claimed notifications of one destination, all or
	// none of them. It skips those whose lease no longer holds, and returns ErrNotFound if that's all. One that waits and was
	// never tried leaves its batch. A success ends the destination's Failing, a failure starts it, and if the notification
	// is dead, the person is told on the page.
	FinishNotification(ctx context.Context, lease string, all ...QueuedNotification) error
	// ResendNotification sends a person's finished notification again, under the same id.
	ResendNotification(ctx context.Context, act Act, person, id string) error
	// SentNotifications returns what was sent to a person since that time, except on the page, newest first.
	SentNotifications(ctx context.Context, person string, since int64, n int) ([]QueuedNotification, error)
	// Notification returns one of a person's notifications.
	Notification(ctx context.Context, person, id string) (QueuedNotification, error)

	// ListNotifications returns a person's notifications on the page for a workspace, newest first. It doesn't count them.
	ListNotifications(ctx context.Context, person, workspace string, q NotificationQuery) (*Page[QueuedNotification], error)
	// UnreadNotifications counts the ones that aren't Over among the newest MaxUnreadCounted unread ones.
	UnreadNotifications(ctx context.Context, person, workspace string) (int, error)
	// MarkNotificationsRead marks all that arrived until that time as read.
	MarkNotificationsRead(ctx context.Context, person, workspace string, until, at int64) error
	// SweepNotifications deletes notifications that finished before that time, except those about asks that are still open.
	SweepNotifications(ctx context.Context, before int64) error
	// PushKey returns the key pair for web push. The first call stores the fresh pair; later calls ignore it.
	PushKey(ctx context.Context, freshPrivate, freshPublic string, at int64) (private, public string, err error)
}

// NotificationQuery filters a person's notifications.
type NotificationQuery struct {
	Terms        []NotificationTerm // all must be true
	Since, Until int64              // times between which they arrived, the second not included; 0 for any
	Slice
}

// NotificationTerm is true of notifications of one of the agents or about one of the events, of those about an ask with
// Title in its title, and, with Unread, of those that are unread and not Over. Not turns it around.
type NotificationTerm struct {
	Agents []string // ids
	Events []NotificationEvent
	Title  string // "" for none
	Unread bool
	Not    bool
}

// MaxUnreadCounted is how many unread notifications UnreadNotifications looks at.
const MaxUnreadCounted = 100
