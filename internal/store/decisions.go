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

// Decisions keeps what signed-in humans decide. A decision is kept at once and counts from its
// Effective on: until then nobody but this interface shows it, and whoever made it can take it
// back. A store has no clock, so that it is Settle that lets time pass: until it is called with
// a later time, lists, counts, tags and syncs all say what they said, together; with it they all
// change, in one transaction of each decision. ActivityKind should count and was not settled, since a
// program ended or failed, is settled by the next call.
type Decisions interface {
	// Decide keeps a decision bound to what its maker saw. The checks and the writing are one
	// transaction; after an error nothing of it is there. Errors, in the order in which they are
	// looked for: ErrNotFound (no such ask in that workspace), ErrForbidden, *PendingError, *ReplyRejectedError,
	// *StaleError, *InvalidReplyError, *TakenError (the id of the event). A decision of the same person with a Key
	// that was used before changes nothing and returns what became of the first, Repeated.
	Decide(ctx context.Context, act Act, d DecisionInput) (Decision, error)
	// Undo takes a decision back that does not count yet; act says who and when. Again it does
	// nothing. It returns ErrNotFound, ErrForbidden for who did not make it, and *TooLateError.
	Undo(ctx context.Context, act Act, agent, id string) (Decision, error)
	// PendingError is the decision on an ask that does not count yet; ErrNotFound when there is none.
	Pending(ctx context.Context, agent, ask string) (Decision, error)
	// PendingIn lists those of a workspace, the one first that counts first.
	PendingIn(ctx context.Context, workspace string) ([]Decision, error)
	// DecisionInput finds one by the id of its event, whatever became of it.
	Decision(ctx context.Context, agent, id string) (Decision, error)
	// ListDecisions lists those of a workspace that count, newest first, or those on one ask where
	// agent and ask are given.
	ListDecisions(ctx context.Context, workspace, agent, ask string, from, n int) (list []Decision, more bool, err error)
	// ListDecisionDetails lists what ListDecisions lists of a workspace, with what a page shows beside each.
	ListDecisionDetails(ctx context.Context, workspace string, from, n int) (list []DecisionDetails, more bool, err error)
	// MemberNamed is the member of a workspace whom a reply reports that arrived then; "" is nobody. See the
	// function of that name.
	MemberNamed(ctx context.Context, workspace, by string, arrived int64) (person string, err error)
	// Settle makes replies of all decisions that count by now. It writes nothing when there are
	// none. An error of one leaves the others settled.
	Settle(ctx context.Context, now int64) (SettleResult, error)
	// Handed notes that a sync has handed out what Messages listed under the tag seq. It writes
	// once for every verified reply, and else nothing; seq is the workspace's after it, 0 when
	// nothing was written.
	MarkPickedUp(ctx context.Context, agent string, tag, at int64) (seq int64, err error)
	// Delivery tells how far a reply has come.
	Delivery(ctx context.Context, agent, id string) (Delivery, error)
}

// UndoWindow is how long a decision can be taken back, in microseconds.
const UndoWindow = 10_000_000

// DecisionInput is what a signed-in human decides.
type DecisionInput struct {
	Workspace  string // its id: an ask of another is not found
	Agent, Ask string
	Line       []byte // the event, as figs.Answer or figs.Verdict wrote it
	Key        string // of the form: sent again it is the same decision; not empty
	Saw        View
	Notes      []byte // a JSON object for the receipt (what was removed, what was ticked); nil. Agents never get it
	Effective  int64  // from when on it counts; 0 is UndoWindow after the act
}

// View is what was on the screen.
type View struct {
	Revision Revision
	Files    []ViewedFile
}

// ViewedFile is an attachment as it was shown.
type ViewedFile struct {
	Name   string
	SHA256 string // "" when it had not been uploaded
}

// Revision is what there was of an ask. Two are equal when nothing has been added to it.
type Revision struct {
	Version int // how many versions it had
	Round   int
	Replies int    // how many replies it had
	Fold    string // SHA-256 of its fold in canonical form, in hex
}

// RevisionOf tells the revision of an ask as Reader.Record returns it.
func RevisionOf(r *Record) Revision {
	sum := sha256.Sum256(figs.AppendCanonicalObject(nil, figs.Fold([][]byte{r.Fold})))
	return Revision{Version: r.Versions, Round: r.State.Round, Replies: len(r.Thread), Fold: hex.EncodeToString(sum[:])}
}

// String writes a revision for a form: "3.2.1.9f86d0…".
func (r Revision) String() string {
	return fmt.Sprintf("%d.%d.%d.%s", r.Version, r.Round, r.Replies, r.Fold)
}

// ParseRevision reads what String wrote.
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

// DecisionState is what has become of a decision.
type DecisionState uint8

// ActivityKind can become of one.
const (
	DecisionPending   DecisionState = iota // it can be taken back, or was not settled yet
	DecisionEffective                      // it is a reply
	DecisionUndone                         // its maker took it back
)

// Decision is a decision that is kept.
type Decision struct {
	Workspace, Agent, Ask string
	ID                    string // of its event
	By                    string // user id
	Line                  []byte
	Saw                   View
	Notes                 []byte
	At                    int64
	Effective             int64
	State                 DecisionState
	Ended                 int64  // when it was settled or undone; 0
	Audit                 string // hash of the row of the audit that records it
	Seq                   int64  // of the workspace when its fate last changed
	Repeated              bool   // only from Decide: it was there already
}

// SettleResult is what a call of Settle did.
type SettleResult struct {
	N          int              // how many decisions count now
	Workspaces map[string]int64 // those that changed, with their Seq
	Next       int64            // when the next pending decision counts; 0 when there is none
}

// Delivery is how far a reply has come; every time is 0 as long as it has not happened.
type Delivery struct {
	Recorded  int64
	PickedUp  int64  // when a sync first handed it out
	Confirmed int64  // when its id came back in a push
	Closed    int64  // when the close arrived that cites it
	Run       string // the job that the close names
}

// DecisionDetails is a decision with its ask and how far it has come.
type DecisionDetails struct {
	Decision
	Fold     []byte // of the ask; nil if it is gone
	Delivery Delivery
}

// ErrForbidden says that this person may not decide this, or did not.
var ErrForbidden = errors.New("store: not this person's to decide")

// LatestReplier is who gave the newest verified reply of an ask's present round, or "": what figs.CheckDecidable
// wants to know. Of a closed ask that is only reported, what was said before the report does not
// count: nobody has spoken of it. The record has its thread.
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

// after reports whether a reply arrived after another.
func (m *Message) after(other *Message) bool {
	return m.Received > other.Received || m.Received == other.Received && m.No > other.No
}

// PendingError says that there is a decision on the ask which does not count yet.
type PendingError struct {
	By        string // user id; it may be the same person's
	Effective int64
}

func (e *PendingError) Error() string { return "store: a decision of " + e.By + " is pending" }

// ReplyRejectedError says that the ask takes no reply, for the reason Bar.
type ReplyRejectedError struct {
	Bar   figs.ReplyBlock
	Phase figs.Phase
	By    string // user id of whose reply it is about; "" when there is none
}

func (e *ReplyRejectedError) Error() string { return "store: " + e.Bar.String() }

// StaleError says that there is something newer than what was seen.
type StaleError struct {
	Now     Revision
	Files   []ViewedFile // the attachments now, of the ask and those that were seen
	Changed []string     // names of those that are not what was seen, or were not
}

func (e *StaleError) Error() string { return "store: the ask is not what was seen" }

// InvalidReplyError says that the reply is none that the ask can take.
type InvalidReplyError struct{ Misfit figs.ReplyProblem }

func (e *InvalidReplyError) Error() string { return "store: " + e.Misfit.String() }

// TooLateError says that a decision counts already.
type TooLateError struct{ Effective int64 }

func (e *TooLateError) Error() string { return "store: the decision counts already" }

// MemberNamed finds the one member of a workspace in whose name an agent reports a reply, or "": whose
// e-mail address it writes, else who bears the name that it writes, whatever the case of its letters
// and the spaces around it. Recipients give themselves their names, so that one counts only when it was
// theirs before the reply arrived, and nobody's when it was somebody else's, too.
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
