package receipt

import (
	"crypto/ed25519"
	"fmt"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// Match is how a part of a receipt compares with a copy of the folder.
type Match uint8

// What a comparison can find.
const (
	MatchNotCompared Match = iota
	MatchSame
	MatchDiffers
	MatchMissing // the copy does not have it
)

var matches = [...]string{"not compared", "same", "differs", "missing"}

// String is its name for machines.
func (m Match) String() string { return matches[m] }

// Verdict is what a check comes to.
type Verdict uint8

// The verdicts. A receipt without any of them does not exist: what cannot be accepted is refused.
const (
	VerdictRefused     Verdict = iota
	VerdictNotCompared         // its signature is good, and the folder that was given could not be compared with it
	VerdictConsistent          // nothing contradicts it, but nobody knows whose key signed it
	VerdictSigned              // signed by a key that the person has accepted, and nothing contradicts it
)

var verdicts = [...]string{"refused", "not compared", "consistent", "signed"}

// String is its name for machines.
func (v Verdict) String() string { return verdicts[v] }

// Signature is what is true of a receipt's signature.
type Signature uint8

// What a signature can be.
const (
	SignatureAbsent Signature = iota
	SignatureBad
	SignatureGood
)

var signatures = [...]string{"absent", "bad", "good"}

// String is its name for machines.
func (s Signature) String() string { return signatures[s] }

// Report is what a check found.
type Report struct {
	Receipt   *Receipt
	Signature Signature
	Key       Key  // that signed it
	Accepted  bool // the key is one that the person has accepted

	Compared bool // there was a copy of this agent's folder
	Other    bool // there was one, of another agent: nothing of it was compared
	Large    bool // there was one, too large to be compared here; set by whoever found that
	Redacted bool // it says of itself that placeholders stand in it; set by whoever found that
	Message  Match
	Ask      Match
	Line     int      // Ask is MatchSame: the number, from 1, of the ask's line that brought it to this state
	Lines    int      // how many lines the copy has of it
	Fields   []string // Ask MatchDiffers: the fields of the ask that do
	Files    []Match  // one for each attachment
}

// Check holds a receipt against a copy of the folder, nil when there is none, and the keys that
// the person has accepted.
func Check(r *Receipt, c *Copy, accepted []Key) *Report {
	rep := &Report{Receipt: r, Key: Key(r.Key), Signature: r.signature(), Accepted: slices.Contains(accepted, Key(r.Key)), Files: make([]Match, len(r.Attachments))}
	if c == nil {
		return rep
	}
	if id := c.Agent(); id != "" && !strings.EqualFold(id, r.Agent.ID) {
		rep.Other = true
		return rep
	}
	rep.Compared = true
	rep.Message = c.message(figs.Fold([][]byte{[]byte(r.Decision.Message)}))
	rep.Ask, rep.Line, rep.Lines, rep.Fields = c.ask(r)
	for i := range r.Attachments {
		rep.Files[i] = c.file(&r.Attachments[i])
	}
	return rep
}

// signature verifies it. A key or a signature in any other writing than ours is bad.
func (r *Receipt) signature() Signature {
	if r.Signature == "" {
		return SignatureAbsent
	}
	key, ok := Key(r.Key).bytes()
	if !ok {
		return SignatureBad
	}
	signature, ok := decode(r.Signature, ed25519.SignatureSize)
	if !ok || !ed25519.Verify(key, r.signed(), signature) {
		return SignatureBad
	}
	return SignatureGood
}

// Verdict sums the report up.
func (r *Report) Verdict() Verdict {
	switch {
	case len(r.Faults()) > 0:
		return VerdictRefused
	case r.Other || r.Large || r.Compared && r.Ask == MatchNotCompared:
		return VerdictNotCompared
	case r.Accepted:
		return VerdictSigned
	}
	return VerdictConsistent
}

// Sentence is the verdict in words.
func (r *Report) Sentence() string {
	switch r.Verdict() {
	case VerdictSigned:
		return "Signed by " + r.Key.Short() + ", a key that you have accepted."
	case VerdictNotCompared:
		return "The receipt could not be compared with this folder."
	case VerdictConsistent:
		if !r.Compared {
			return "The signature is good, signer unknown."
		}
		return "Consistent, signer unknown."
	}
	if r.Signature == SignatureGood {
		return "Refused: the receipt and the folder contradict each other."
	}
	return "Refused: this receipt proves nothing."
}

// isWeak reports whether a key is refused only because anybody can sign with it.
func isWeak(k Key) bool {
	b, ok := decode(string(k), ed25519.PublicKeySize)
	return ok && smallOrder(b)
}

// Faults says what speaks against the receipt, a sentence each.
func (r *Report) Faults() (faults []string) {
	add := func(when bool, sentence string) {
		if when {
			faults = append(faults, sentence)
		}
	}
	add(r.Signature == SignatureAbsent, "It carries no signature, so anybody may have written it.")
	weak := r.Signature == SignatureBad && isWeak(r.Key)
	add(weak, "Its key is none that a server makes: anybody can sign with it.")
	add(r.Signature == SignatureBad && !weak, "Its signature does not fit what it says: something in it was changed after a server signed it.")
	add(r.Ask == MatchMissing, "The folder has no ask of its id.")
	add(r.Ask == MatchDiffers, "The ask never stood in the folder as the receipt has it. What differs: "+listed(r.Fields)+".")
	add(r.Message == MatchDiffers, "The folder has another reply under the id of the decision.")
	for i, m := range r.Files {
		add(m == MatchDiffers, fmt.Sprintf("Attachment %d has other bytes in the folder than those that were decided on.", i+1))
	}
	add(r.Compared && r.Message == MatchMissing && !r.Accepted, "The decision is not in the folder, and the key is none that you have accepted: nothing here supports it.")
	return faults
}

// Limits says what the check could not look at, a sentence each.
func (r *Report) Limits() (limits []string) {
	add := func(when bool, sentence string) {
		if when {
			limits = append(limits, sentence)
		}
	}
	add(!r.Compared && !r.Other && !r.Large, "Only the signature was checked: there is no folder to compare the ask, the decision and the attachments with.")
	add(r.Other, "Only the signature was checked: the folder belongs to another agent.")
	add(r.Large, "Only the signature was checked: this folder's ledgers are too large to be compared in this page. In a terminal, figs-web receipt compares them.")
	add(r.Redacted && r.Compared && (r.Ask == MatchDiffers || r.Message == MatchDiffers || slices.Contains(r.Files, MatchDiffers)),
		"This folder is a copy in which placeholders stand for what was there, as its REDACTED.txt says. What differs may differ for that reason alone: only the folder itself can bear the receipt out.")
	add(r.Compared && r.Ask == MatchNotCompared, "The ask was not compared: its trail is too long here.")
	add(r.Message == MatchMissing && r.Accepted, "The decision is not in the folder yet. The agent gets it with its next sync.")
	add(slices.Contains(r.Files, MatchMissing), "Some attachments are not in this copy of the folder, so their bytes were not compared.")
	return limits
}

// listed names at most five fields. Keys are an agent's words.
func listed(fields []string) string {
	const most = 5
	quoted := make([]string, 0, most)
	for _, f := range fields[:min(len(fields), most)] {
		quoted = append(quoted, fmt.Sprintf("%+q", f))
	}
	text := strings.Join(quoted, ", ")
	if more := len(fields) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
