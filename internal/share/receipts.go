package share

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/redact"
)

// Receipt is the receipt of a decision on what is shared. It proves bytes, so it goes along as it is or not at all.
type Receipt struct {
	Name    string // of its file, as it was found
	Ask     string // the id of its ask
	Who     string // decided
	Made    int64  // microseconds since 1970
	Refused bool   // its signature does not fit, so that it proves nothing and does not go along

	Shows   []ReceiptMatch // what in it is replaced in the copy, or would be if it stood there
	Guess   []string       // attachments of which it holds the hash, and that have other bytes in the copy
	Missing []string       // attachments of which it holds the hash, and that are not in the copy
	AskNow  bool           // the ask, as it stood, has replaced values in the copy
	SaidNow bool           // and so has the reply
	Mark    string         // stands for Shows and Guess; "" when there are none
	Chosen  bool           // it goes with the rest
	Stayed  bool           // it was to go, and shows something that the person was not told of

	content []byte
	read    *receipt.Receipt
	own     *redact.Redaction // what the rules find in it, wherever else it stands
}

// ReceiptMatch is something in a receipt that is replaced elsewhere.
type ReceiptMatch struct {
	Kind string // the title of its rule
	Text string
}

// MaxReceipts is how many receipts one copy takes.
const MaxReceipts = 200

// Receipt takes a file that may be a receipt, before Settle. One of another agent or of another ask is passed over.
func (s *Copy) Receipt(name string, content []byte) {
	if len(s.receipts) >= MaxReceipts {
		return
	}
	r, err := receipt.Read(content)
	if err != nil || s.ask != "" && r.Ask.ID != s.ask || s.agent != "" && !strings.EqualFold(s.agent, r.Agent.ID) {
		return
	}
	x := Receipt{Name: name, Ask: r.Ask.ID, Who: r.Decision.Who.Name, Made: int64(r.Decision.Made), content: bytes.Clone(content), read: r, own: redact.New()}
	if slices.ContainsFunc(s.receipts, func(o Receipt) bool { return bytes.Equal(o.content, content) }) {
		return
	}
	x.Refused = receipt.Check(r, nil, nil).Signature != receipt.SignatureGood
	// Hashes, times and the signature are no words: a rule must not take them for any. What is found in the copy is looked
	// for in all of it.
	x.own.Learn(figs.Asks.String(), r.Ask.Fold)
	x.own.Learn(figs.Messages.String(), []byte(r.Decision.Message))
	words, _ := json.Marshal([]any{r.Server, r.Workspace, r.Agent, r.Decision.Who, r.Decision.Of})
	x.own.Learn("receipt.json", words)
	for i := range r.Attachments {
		x.own.LearnName(r.Attachments[i].Name)
	}
	x.own.Settle()
	s.receipts = append(s.receipts, x)
}

// Receipts are those of what is shared, as they stand after Choose and Write of all.
func (s *Copy) Receipts() []Receipt {
	if !s.judged {
		for i := range s.receipts {
			s.judge(&s.receipts[i], i+1)
		}
		s.judged = true
	}
	return s.receipts
}

// judge says what a receipt would show, and whether it goes along.
func (s *Copy) judge(r *Receipt, no int) {
	r.Shows, r.Guess, r.Missing, r.Mark = nil, nil, nil, ""
	fold, said := s.redaction.Seek(figs.Asks.String(), r.read.Ask.Fold), s.redaction.Seek(figs.Messages.String(), []byte(r.read.Decision.Message))
	r.AskNow, r.SaidNow = len(fold) > 0, len(said) > 0
	shows := map[ReceiptMatch]bool{}
	for _, o := range slices.Concat(fold, said, s.redaction.Seek("receipt.json", r.content)) {
		shows[ReceiptMatch{o.Kind(), o.Text}] = true
	}
	r.own.Switch(func(_ int, o *redact.Match) bool { return s.keeps(o) })
	for _, o := range r.own.Originals() {
		if !o.Off {
			shows[ReceiptMatch{o.Kind(), o.Text}] = true
		}
	}
	if name := r.read.Decision.Who.Name; s.choice.Names && name != "" {
		shows[ReceiptMatch{redact.Rules[redact.RuleByID("person")].Title, name}] = true
	}
	for shown := range shows {
		r.Shows = append(r.Shows, shown)
	}
	slices.SortFunc(r.Shows, func(a, b ReceiptMatch) int { return strings.Compare(a.Kind+"\x00"+a.Text, b.Kind+"\x00"+b.Text) })
	for i := range r.read.Attachments {
		a := &r.read.Attachments[i]
		switch {
		case a.SHA256 == "":
		case !s.IsIncluded(a.Name):
			r.Missing = append(r.Missing, a.Name)
		case s.sums[a.Name] != a.SHA256: // also when it was not written yet: the worst is believed
			r.Guess = append(r.Guess, a.Name)
		}
	}
	if len(r.Shows)+len(r.Guess) > 0 {
		h := sha256.New()
		for _, x := range r.Shows {
			h.Write([]byte(x.Kind + "\x00" + x.Text + "\x00"))
		}
		for _, name := range r.Guess {
			h.Write([]byte("\x01" + name + "\x00"))
		}
		r.Mark = hex.EncodeToString(h.Sum(nil)[:8])
	}
	r.Chosen, r.Stayed = s.choice.takes(no, r.Mark)
	if r.Refused {
		r.Chosen, r.Stayed = false, false
	}
}

// keeps reports whether something that the rules find in a receipt alone stays as it is elsewhere, by choice.
func (s *Copy) keeps(o *redact.Match) bool {
	for i, known := range s.redaction.Originals() {
		if known.Text == o.Text && s.choice.Keep[i+1] {
			return true
		}
	}
	return s.choice.stays(-1, o)
}

// takes reports whether the receipt with that number goes along. Nobody who was not asked is taken to agree to anything:
// without a word only a receipt goes that shows nothing, and a tick holds for what was written beside it.
func (c *Options) takes(no int, mark string) (takes, stayed bool) {
	agreed, ticked := c.Receipts[no]
	switch {
	case c.Home:
		return false, false
	case mark == "":
		return ticked || c.Seen == "", false
	case c.Show:
		return true, false
	}
	return ticked && agreed == mark, ticked && agreed != mark
}

// ReceiptValue is what the tick of a receipt sends: its number, and what it may show.
func ReceiptValue(no int, mark string) string {
	if mark == "" {
		return strconv.Itoa(no)
	}
	return strconv.Itoa(no) + "." + mark
}

// AttachedReceipt is a file that stands beside .figs in a copy.
type AttachedReceipt struct {
	Name    string
	Content []byte
}

// Enclosed lists the receipts that go along, after Choose and Write of all. The protocol has none inside of a folder (§8).
func (s *Copy) Enclosed() (list []AttachedReceipt) {
	for _, r := range s.Receipts() {
		if r.Chosen {
			list = append(list, AttachedReceipt{enclosedName(len(list)), r.content})
		}
	}
	return list
}

// enclosedName is what the receipts of a copy are called: readers know them by it.
func enclosedName(before int) string {
	if before == 0 {
		return "receipt.json"
	}
	return strconv.Itoa(before+1) + ".receipt.json"
}
