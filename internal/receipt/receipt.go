// Package receipt proves decisions. A server writes a receipt for each decision that counts and
// signs it; anybody checks it against a copy of the agent's folder without that server, in a
// browser or at a terminal, with one verdict everywhere.
//
// # The format figs-web-receipt/3
//
// A receipt is one JSON object in canonical form (figs.AppendCanonicalObject: no white space,
// members sorted by key, one way of escaping), and a line feed. There is only one way to write
// it, so that a reader refuses whatever it would not have written itself. Times are UTC with six
// decimals and Z. Members that say nothing are left out where the list says so.
//
//	format       "figs-web-receipt/3"
//	server       origin of the server
//	workspace    {id, name}, as it was then; name may be left out
//	agent        {id, name}; id is the agentId of config.json (§2)
//	ask          {id, round, revision, fold}: fold is the folded ask exactly as it stood when it
//	             was decided (§4.3); round counts from 1 (§6); revision is "versions.round.replies.hash"
//	             with the SHA-256 of fold in hex
//	attachments  [{name, sha256, size, opened: [{how, at}], waived, reason, sanitizer, removed: [{what, count}],
//	             hidden: {texts, instructions, undrawn, widths, read}}],
//	             what was attached; sha256 is left out when the file had not arrived; opened is when
//	             each of these was first so: "rendered", "source" and "text", it was sent to the person's
//	             page; "part-1" to "part-99", so much of its frame, in percent, was on the
//	             screen for a second; "screen", all of it was, and the person said that they read it to
//	             its end; "alone", they opened a page that shows it alone; "download". waived says
//	             that it was approved without being viewed, reason why; removed what the sanitizer
//	             of that version took out. hidden is what was said of hidden text when the person
//	             approved: how many texts the check without a browser reported, how many of these read
//	             like an instruction, how many their browser did not draw at these widths of the frame,
//	             and whether they ticked that they read them. All but name may be left out
//	decision     {message, who: {id, name, email}, made, effective, ticked, of,
//	             remarks: [{number, kind, file, sha256, place, block}], resolved}: message is the
//	             event of messages.jsonl, byte for byte as it was minted (§3); ticked are numbers,
//	             from 1, of the steps of onApprove that were ticked; of is the id of the
//	             transcribed reply that this one confirms or contradicts (§6); remarks are those
//	             that the text of the event makes about single places (package remark), with
//	             the attachment's name and hash, the place in words, and the SHA-256, in hex, of
//	             the remark's block as written in the text (remark.Blocks); resolved are the
//	             numbers of remarks of the previous round that it calls resolved
//	audit        {hash}: the hash of the row of the server's audit that records it
//	key          the server's Ed25519 public key, base64url
//	signature    Ed25519, base64url, over the format, a line feed, and the canonical form
//	             of the receipt without this member
//
// In the first version, figs-web-receipt/1, an attachment counted as opened when it was sent to the person's page,
// and there is no reason. Before the third, there are no remarks and no resolved. Receipts of both stay as they are, and
// valid.
//
// A receipt is never part of a folder: signing is a reserved name there (§8).
package receipt

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/remark"
)

// Format names the version of the format that new receipts have, First and Second those before it. All are read.
const (
	Format = "figs-web-receipt/3"
	Second = "figs-web-receipt/2"
	First  = "figs-web-receipt/1"
)

// MaxSize is how large a receipt may be that is read, in bytes: an ask of 1 MiB that is written in the
// canonical form, and its attachments, fit.
const MaxSize = 16 << 20

// Receipt is what a server says of one decision. Its JSON form is described above.
type Receipt struct {
	Format      string       `json:"format"`
	Server      string       `json:"server"`
	Workspace   NamedID      `json:"workspace"`
	Agent       NamedID      `json:"agent"`
	Ask         Ask          `json:"ask"`
	Attachments []Attachment `json:"attachments"`
	Decision    Decision     `json:"decision"`
	Audit       Audit        `json:"audit"`
	Key         string       `json:"key"`
	Signature   string       `json:"signature,omitempty"`
}

// Ask is what was decided on, as it stood then.
type Ask struct {
	ID       string          `json:"id"`
	Round    int             `json:"round"`
	Revision string          `json:"revision"`
	Fold     json.RawMessage `json:"fold"`
}

// Attachment is a file as it was on the screen.
type Attachment struct {
	Name      string           `json:"name"`
	SHA256    string           `json:"sha256,omitempty"` // "" when it had not arrived
	Size      int64            `json:"size,omitempty"`   // bytes
	Opened    []AttachmentView `json:"opened,omitempty"`
	Waived    bool             `json:"waived,omitempty"`
	Reason    string           `json:"reason,omitempty"`
	Sanitizer string           `json:"sanitizer,omitempty"`
	Removed   []Removal        `json:"removed,omitempty"`

	Hidden *HiddenText `json:"hidden,omitempty"`
}

// Decision is what was said, by whom and when.
type Decision struct {
	Message   string  `json:"message"` // the event, byte for byte
	Who       Decider `json:"who"`
	Made      Time    `json:"made"`
	Effective Time    `json:"effective"`
	Ticked    []int   `json:"ticked,omitempty"`
	Of        string  `json:"of,omitempty"`

	Remarks  []Remark `json:"remarks,omitempty"`  // that the message's text makes
	Resolved []int    `json:"resolved,omitempty"` // numbers of remarks of the previous round
}

// Remark names a remark that the text of the decision makes about one place.
type Remark struct {
	Number int    `json:"number"` // from 1
	Kind   string `json:"kind"`
	File   string `json:"file,omitempty"`   // name of the attachment
	SHA256 string `json:"sha256,omitempty"` // of the attachment
	Place  string `json:"place"`            // as remark.Place writes it
	Block  string `json:"block"`            // SHA-256 of its block in the text, in hex
}

// Audit names the row of the server's audit that records the decision.
type Audit struct {
	Hash string `json:"hash"`
}

// Facts are what a receipt is built from: a decision as a store keeps it.
type Facts struct {
	Server           string // the origin, where Notes have none
	Workspace, Agent string // ids
	Fold             []byte // the ask as it stood
	Round            int
	Revision         string
	Files            []SeenFile
	Line             []byte // the event
	By               string // id of who decided
	Made, Effective  int64
	Audit            string
	Notes            []byte // JSON of Notes; nil
}

// SeenFile is an attachment as it was shown; SHA256 is "" when it had not arrived.
type SeenFile struct{ Name, SHA256 string }

// Build makes the receipt of a decision, unsigned. Equal facts give equal receipts.
func Build(f Facts) (*Receipt, error) {
	n := Notes{Server: f.Server, Who: Decider{ID: f.By}}
	if f.Notes != nil {
		if err := json.Unmarshal(f.Notes, &n); err != nil {
			return nil, errors.New("receipt: the notes of the decision cannot be read: " + err.Error())
		}
	}
	if n.Server == "" {
		n.Server = f.Server
	}
	if n.Format == "" {
		n.Format = First
	}
	// Of what they name, the ids are the store's: notes only add names.
	n.Workspace.ID, n.Agent.ID, n.Who.ID = f.Workspace, f.Agent, f.By
	fold, event := figs.Fold([][]byte{f.Fold}), figs.Fold([][]byte{f.Line})
	if n.Who.Name == "" {
		n.Who.Name = event.Get("by").Text()
	}
	r := &Receipt{
		Format: n.Format, Server: n.Server, Workspace: n.Workspace, Agent: n.Agent,
		Ask:         Ask{ID: fold.Get("id").Text(), Round: f.Round, Revision: f.Revision, Fold: figs.AppendCanonicalObject(nil, fold)},
		Attachments: make([]Attachment, len(f.Files)),
		Decision:    Decision{Message: string(f.Line), Who: n.Who, Made: Time(f.Made), Effective: Time(f.Effective), Ticked: n.Steps, Of: n.Of},
		Audit:       Audit{f.Audit},
	}
	if r.Format == Format {
		r.Decision.Remarks, r.Decision.Resolved = remarksIn(event)
	}
	shown := make(map[string]*ShownFile, len(n.Files))
	for i := range n.Files {
		shown[n.Files[i].Name] = &n.Files[i]
	}
	for i, file := range f.Files {
		r.Attachments[i] = Attachment{Name: file.Name, SHA256: file.SHA256}
		if s := shown[file.Name]; s != nil {
			r.Attachments[i] = Attachment{file.Name, file.SHA256, s.Size, s.Opened, s.Waived, s.Reason, s.Sanitizer, s.Removed, s.Hidden}
		}
	}
	if wrong := r.inconsistent(); wrong != "" {
		return nil, errors.New("receipt: " + wrong)
	}
	return r, nil
}

// signed is what the signature stands for. The first line keeps it from being one of anything else.
func (r *Receipt) signed() []byte {
	bare := *r
	bare.Signature = ""
	return bare.append([]byte(r.Format + "\n"))
}

// JSON writes the receipt as its file.
func (r *Receipt) JSON() []byte { return append(r.append(nil), '\n') }

// append writes the canonical form.
func (r *Receipt) append(dst []byte) []byte {
	b, _ := json.Marshal(r) // of strings, numbers, and a fold that is canonical JSON
	return figs.AppendCanonicalObject(dst, figs.Fold([][]byte{b}))
}

// Event is the decision's message as agents read it.
func (r *Receipt) Event() figs.Message {
	return figs.ReadMessage(figs.Fold([][]byte{[]byte(r.Decision.Message)}))
}

// Folded is the ask as it stood.
func (r *Receipt) Folded() figs.Ask { return figs.ReadAsk(figs.Fold([][]byte{r.Ask.Fold})) }

// remarksIn are the remarks that the text of an event makes.
func remarksIn(event figs.Object) (remarks []Remark, resolved []int) {
	text := event.Get("text").Text()
	note, blocks := remark.Parse(text), remark.Blocks(text)
	for i := range note.Remarks {
		m := &note.Remarks[i]
		sum := sha256.Sum256([]byte(blocks[i]))
		remarks = append(remarks, Remark{i + 1, string(m.Kind), utf8Of(m.File), m.SHA256, utf8Of(m.Place()), hex.EncodeToString(sum[:])})
	}
	return remarks, note.Resolved
}

// utf8Of is text as JSON can carry it. An event may have half a surrogate pair.
func utf8Of(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// sameRemarks reports whether a receipt names exactly the remarks of its event.
func (r *Receipt) sameRemarks(event figs.Object) bool {
	remarks, resolved := remarksIn(event)
	return slices.Equal(r.Decision.Remarks, remarks) && slices.Equal(r.Decision.Resolved, resolved)
}

// inconsistent says which of its parts contradict each other; "" when none do.
func (r *Receipt) inconsistent() string {
	fold, event := figs.Fold([][]byte{r.Ask.Fold}), figs.Fold([][]byte{[]byte(r.Decision.Message)})
	switch {
	case r.Format != First && r.Format != Second && r.Format != Format:
		return "its format is none"
	case r.Format == First && slices.ContainsFunc(r.Attachments, func(a Attachment) bool { return a.Reason != "" }):
		return "its format knows no reasons"
	case r.Format != Format && len(r.Decision.Remarks)+len(r.Decision.Resolved) > 0:
		return "its format knows no comments"
	case !strings.HasSuffix(r.Ask.Revision, "."+r.foldHash()):
		return "the ask is not the one that its revision names"
	case fold.Get("id").Text() != r.Ask.ID, r.Ask.ID == "":
		return "the ask has another id than its record"
	case event.Get("id").Text() == "", !figs.SameValue(event.Get("ask"), fold.Get("id")):
		return "the decision is no reply to the ask"
	case r.Format == Format && !r.sameRemarks(event):
		return "its comments are not those of its reply"
	}
	return ""
}

// foldHash is the SHA-256 of the ask's canonical form, in hex.
func (r *Receipt) foldHash() string { return HashOf(figs.Fold([][]byte{r.Ask.Fold})) }

// HashOf is the hash by which a revision names a fold: the SHA-256 of its canonical form, in hex.
func HashOf(fold figs.Object) string {
	sum := sha256.Sum256(figs.AppendCanonicalObject(nil, fold))
	return hex.EncodeToString(sum[:])
}

// Problem says why bytes are no receipt that can be read, and what to do about it.
type Problem struct{ Sentence, Hint string }

func (p *Problem) Error() string { return p.Sentence }

// ProblemOf is the problem that an error of Read is.
func ProblemOf(err error) *Problem {
	var p *Problem
	if !errors.As(err, &p) {
		p = ErrNotReceipt
	}
	return p
}

const again = "Download receipt.json again from the decision's page, and do not edit it: one changed byte makes it worthless."

// ErrNotReceipt says that a file is something else than a receipt.
var ErrNotReceipt = &Problem{"This file is not a figs-web receipt.", "A receipt is the file receipt.json that the page of a decision offers for download."}

// Read reads a receipt. It takes what JSON wrote, with or without the line feed, and nothing
// else; the error is a *Problem. A receipt that was read is not yet one to trust: see Check.
func Read(b []byte) (*Receipt, error) {
	if len(b) > MaxSize {
		return nil, &Problem{"This file is larger than a receipt can be, which is 16 MiB.", again}
	}
	var head struct{ Format string }
	if err := json.Unmarshal(b, &head); err != nil {
		if !bytes.Contains(b, []byte(`"figs-web-receipt/`)) {
			return nil, ErrNotReceipt
		}
		return nil, &Problem{"This receipt is damaged: it is no longer a JSON object.", again}
	}
	if version, ok := strings.CutPrefix(head.Format, "figs-web-receipt/"); !ok {
		return nil, ErrNotReceipt
	} else if version != "1" && version != "2" && version != "3" {
		return nil, &Problem{"This receipt has a version of the format that this program does not know.", "It knows " + First + ", " + Second + " and " + Format + ". A newer figs-web reads newer receipts."}
	}
	var r Receipt
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if d.Decode(&r) != nil || !bytes.Equal(r.append(nil), bytes.TrimSuffix(b, []byte("\n"))) {
		return nil, &Problem{"This receipt is not as a server writes it: something in it was changed, added, moved or written twice.", again}
	}
	if wrong := r.inconsistent(); wrong != "" {
		return nil, &Problem{"This receipt contradicts itself: " + wrong + ".", again}
	}
	return &r, nil
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// decode is the inverse of encode for n bytes, and of nothing else.
func decode(s string, n int) ([]byte, bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return b, err == nil && len(b) == n && encode(b) == s
}
