package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// Decisions stores the decisions of signed-in people. A decision is pending until its Effective time: only this interface
// returns it, and its author can undo it. The store has no timer, so a pending decision becomes a reply when Settle is
// called with a later time; lists, counts, tags and syncs all change in that one transaction. A decision that is overdue
// because a program stopped is settled by the next call.
type Decisions interface {
	// Decide stores a decision, if the ask is still as its author saw it. Checks and writes are one transaction. Errors, in
	// the order in which they are checked: ErrNotFound (the workspace has no such ask), ErrForbidden, *PendingError,
	// *ReplyRejectedError, *StaleError, *InvalidReplyError, *TakenError (the event's id is in use). If the person has
	// already sent a decision with the same Key, Decide changes nothing and returns that one, with Repeated set.
	Decide(ctx context.Context, act Act, d DecisionInput) (Decision, error)
	// Undo withdraws a pending decision; act says who and when. Undoing it again changes nothing. It returns ErrNotFound,
	// ErrForbidden if act.By didn't make the decision, and *TooLateError if it is already effective.
	Undo(ctx context.Context, act Act, agent, id string) (Decision, error)
	// Pending returns the pending decision on an ask, or ErrNotFound.
	Pending(ctx context.Context, agent, ask string) (Decision, error)
	// PendingIn returns a workspace's pending decisions, ordered by Effective.
	PendingIn(ctx context.Context, workspace string) ([]Decision, error)
	// Decision returns a decision in any state by the id of its event.
	Decision(ctx context.Context, agent, id string) (Decision, error)
	// ListDecisions returns a workspace's effective decisions, newest first; only those on one ask if agent and ask are
	// set. n is the most to return; 0 for all.
	ListDecisions(ctx context.Context, workspace, agent, ask string, n int) ([]Decision, error)
	// ListDecisionDetails returns a workspace's effective decisions, newest first, with the ask and the delivery of each.
	ListDecisionDetails(ctx context.Context, workspace string, q DecisionQuery) ([]DecisionDetails, error)
	// MemberNamed calls the function MemberNamed with the members of a workspace.
	MemberNamed(ctx context.Context, workspace, by string, arrived int64) (person string, err error)
	// Settle makes replies of all decisions that are effective by now. If there are none, it writes nothing. If one fails,
	// the others are settled anyway.
	Settle(ctx context.Context, now int64) (SettleResult, error)
	// MarkPickedUp records that a sync has returned the messages that had the given tag. It writes once for each verified
	// reply, and otherwise nothing. seq is the workspace's Seq after it, 0 if nothing was written.
	MarkPickedUp(ctx context.Context, agent string, tag, at int64) (seq int64, err error)
	// Delivery returns how far a reply has got.
	Delivery(ctx context.Context, agent, id string) (Delivery, error)
}

// UndoWindow is how long a decision can be taken back, in microseconds.
const UndoWindow = 10_000_000

// DecisionInput is a decision of a signed-in person.
type DecisionInput struct {
	Workspace  string // id; asks of other workspaces aren't found
	Agent, Ask string
	Line       []byte // the event, as figs.Answer or figs.Verdict wrote it
	Key        string // idempotency key of the form; not empty
	Saw        View
	Notes      []byte // a JSON object for the receipt (what was removed, what was ticked); nil if none. Agents never get it
	Effective  int64  // when it becomes effective; 0 for UndoWindow after Act.At
}

// View is what the author of a decision saw.
type View struct {
	Revision Revision
	Files    []ViewedFile
}

// ViewedFile is an attachment as it was displayed.
type ViewedFile struct {
	Name   string
	SHA256 string // "" if it hadn't been uploaded
}

// Revision identifies the state of an ask. Two revisions are equal if nothing was added in between.
type Revision struct {
	Version int // number of versions
	Round   int
	Replies int    // number of replies
	Fold    string // SHA-256 of the canonical fold, in hex
}

// RevisionOf returns the revision of an ask that Reader.Record returned.
func RevisionOf(r *Record) Revision {
	sum := sha256.Sum256(figs.AppendCanonicalObject(nil, figs.Fold([][]byte{r.Fold})))
	return Revision{Version: r.Versions, Round: r.State.Round, Replies: len(r.Thread), Fold: hex.EncodeToString(sum[:])}
}

// String formats a revision for a form: "3.2.1.9f86d0…".
func (r Revision) String() string {
	return fmt.Sprintf("%d.%d.%d.%s", r.Version, r.Round, r.Replies, r.Fold)
}

// ParseRevision parses what String returned.
func ParseRevision(s string) (r Revision, ok bool) {
	parts := strings.Split(s, ".")
	if len(parts) != 4 || len(parts[3]) != hex.EncodedLen(sha256.Size) {
		return Revision{}, false
	}
	for i, n := range []*int{&r.Version, &r.Round, &r.Replies} {
		v, err := strconv.ParseInt(parts[i], 10, 32)
		if err != nil || v < 0 {
			return Revision{}, false
		}
		*n = int(v)
	}
	r.Fold = parts[3]
	return r, r.String() == s
}

// DecisionState is the state of a decision.
type DecisionState uint8

// The states of a decision.
const (
	DecisionPending   DecisionState = iota // can be undone, or isn't settled yet
	DecisionEffective                      // is a reply
	DecisionUndone                         // withdrawn by its author
)

// Decision is a stored decision.
type Decision struct {
	Workspace, Agent, Ask string
	ID                    string // id of its event
	By                    string // user id
	Line                  []byte
	Saw                   View
	Notes                 []byte
	At                    int64
	Effective             int64
	State                 DecisionState
	Ended                 int64  // when it was settled or undone; 0 if pending
	Audit                 string // hash of its row in the audit log
	Seq                   int64  // the workspace's Seq when State last changed
	Repeated              bool   // set by Decide if it was stored before
}

// SettleResult is what a call of Settle did.
type SettleResult struct {
	N          int              // how many decisions it settled
	Workspaces map[string]int64 // the new Seq of each workspace that changed
	Next       int64            // when the next pending decision becomes effective; 0 if there is none
}

// Delivery is how far a reply has got. Each time is 0 until it has happened.
type Delivery struct {
	Recorded  int64
	PickedUp  int64  // first returned by a sync
	Confirmed int64  // its id came back in a push
	Closed    int64  // a line that closes the ask and cites it arrived
	Run       string // the job that this line names
}

// DecisionQuery selects decisions of a workspace. Zero fields select all.
type DecisionQuery struct {
	Below, Above DecisionPlace // only older or newer ones; with Above, those next to it
	Since, Until int64         // only those made from this time on, or before it
	Agents, By   []string      // only those on asks of these agents, or made by these people
	N            int           // at most this many; 0 for 50
}

// DecisionPlace is where a decision is in the list; the decision need not exist any more.
type DecisionPlace struct{ At, No int64 }

// DecisionDetails is a decision with its ask and its delivery.
type DecisionDetails struct {
	Decision
	No       int64  // orders decisions of the same time
	Fold     []byte // of the ask; nil if the ask doesn't exist
	Delivery Delivery
}

// ErrForbidden means that this person may not decide the ask or undo the decision.
var ErrForbidden = errors.New("store: not allowed to decide this")

// LatestReplier returns the author of the newest verified reply in an ask's current round, or "", for figs.CheckDecidable. If
// the ask is closed by an unverified report, only replies after the report count, because nobody has seen the earlier ones
// as an answer to it. r needs its thread.
func LatestReplier(r *Record) (by string) {
	reported := r.State.Reported && r.State.Phase.Closed()
	newest := -1
	for i := range r.Thread {
		m := &r.Thread[i]
		if !m.Verified || m.Earlier || newest >= 0 && !m.after(&r.Thread[newest]) || reported && !m.after(&r.Thread[r.State.Reply]) {
			continue
		}
		by, newest = m.PushedBy, i
	}
	return by
}

// after reports whether m arrived after other.
func (m *Message) after(other *Message) bool {
	return m.Received > other.Received || m.Received == other.Received && m.No > other.No
}

// PendingError means that a decision on the ask is pending.
type PendingError struct {
	By        string // user id; may be the same person
	Effective int64
}

func (e *PendingError) Error() string { return "store: a decision of " + e.By + " is pending" }

// ReplyRejectedError means that the ask takes no reply, for the reason Bar.
type ReplyRejectedError struct {
	Bar   figs.ReplyBlock
	Phase figs.Phase
	By    string // user id of the author of the reply in question; "" if there is none
}

func (e *ReplyRejectedError) Error() string { return "store: " + e.Bar.String() }

// StaleError means that the ask has changed since the person saw it.
type StaleError struct {
	Now     Revision
	Files   []ViewedFile // current attachments of the ask and those that were seen
	Changed []string     // names of the attachments that differ from what was seen, or weren't seen
}

func (e *StaleError) Error() string { return "store: the ask has changed since it was seen" }

// InvalidReplyError means that the ask doesn't take a reply of this form.
type InvalidReplyError struct{ Misfit figs.ReplyProblem }

func (e *InvalidReplyError) Error() string { return "store: " + e.Misfit.String() }

// TooLateError means that the decision is already effective.
type TooLateError struct{ Effective int64 }

func (e *TooLateError) Error() string { return "store: the decision is already effective" }

// MemberNamed returns the id of the member in whose name an agent reports a reply, or "". It compares by with the members'
// email addresses, then with their names, ignoring case and surrounding space. People choose their own names, so a name
// counts only if its member had it before the reply arrived and no other member has it, too.
func MemberNamed(by string, arrived int64, members []User) (person string) {
	by = strings.TrimSpace(by)
	if by == "" {
		return ""
	}
	for i := range members {
		if strings.EqualFold(by, members[i].Email) {
			return members[i].ID
		}
	}
	for i := range members {
		u := &members[i]
		if u.NamedSince > arrived || !strings.EqualFold(by, strings.TrimSpace(u.Name)) {
			continue
		}
		if person != "" {
			return ""
		}
		person = u.ID
	}
	return person
}
