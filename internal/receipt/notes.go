package receipt

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Notes is what a server must keep with a decision at the moment in which it is made, so that its
// receipt says for ever what was so then: names change, and what was opened is added to. In JSON
// it is the Notes of a stored decision. Agents never get it.
type Notes struct {
	Format    string      `json:"format,omitempty"` // of the receipt, Format for new decisions; "" is First
	Server    string      `json:"server"`           // the origin under which people reached it, "https://figs.example.com"
	Workspace NamedID     `json:"workspace"`
	Agent     NamedID     `json:"agent"`
	Who       Decider     `json:"who"`
	Files     []ShownFile `json:"files,omitempty"` // the attachments, in the order in which they were shown
	Steps     []int       `json:"steps,omitempty"` // numbers, from 1, of the steps of onApprove that were ticked
	Of        string      `json:"of,omitempty"`    // id of the transcribed reply that this one confirms or contradicts (§6)
}

// NamedID is a thing with the name that it had.
type NamedID struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
}

// Decider is the person who decided, with the name and the address of then.
type Decider struct {
	ID    string `json:"id"`
	Name  string `json:"name,omitempty"`
	Email string `json:"email,omitempty"`
}

// ShownFile is how an attachment was shown to the person.
type ShownFile struct {
	Name      string           `json:"name"`
	Size      int64            `json:"size,omitempty"`      // bytes
	Opened    []AttachmentView `json:"opened,omitempty"`    // the first of each way, oldest first
	Waived    bool             `json:"waived,omitempty"`    // approved without being viewed, by a tick of its own
	Reason    string           `json:"reason,omitempty"`    // why
	Sanitizer string           `json:"sanitizer,omitempty"` // version of what made it safe to show; "" when it is only downloaded
	Removed   []Removal        `json:"removed,omitempty"`   // what that took out of it

	Hidden *HiddenText `json:"hidden,omitempty"` // what was said of hidden text, with an approval
}

// HiddenText is what was said of the hidden text of an attachment when a person approved.
type HiddenText struct {
	Texts        int   `json:"texts,omitempty"`        // that the check without a browser reported
	Instructions int   `json:"instructions,omitempty"` // of these, the ones that read like an instruction
	Undrawn      int   `json:"undrawn,omitempty"`      // that the person's browser did not draw, or hardly
	Widths       []int `json:"widths,omitempty"`       // of the frame at which it measured, in pixels; none: it did not
	Read         bool  `json:"read,omitempty"`         // the person ticked that they read it
}

// AttachmentView is one way in which a person has seen an attachment.
type AttachmentView struct {
	How string `json:"how"` // "rendered", "source", "text" (sent to the page), OnScreen, Alone, Downloaded, or one that ParsePart reads
	At  Time   `json:"at"`
}

// Ways in which an attachment counts as viewed.
const (
	OnScreen   = "screen"   // all of its frame was on the screen, and the person said that they read it to its end
	Alone      = "alone"    // the person opened a page that shows it alone
	Downloaded = "download" // it is never shown, or has nothing to show
)

// partPrefix begins the name of a way that is not all of an attachment.
const partPrefix = "part-"

// ParsePart is how much of an attachment's frame was on the screen, 1 to 99 percent, where how names that ("part-62"); 0
// where it names anything else.
func ParsePart(how string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(how, partPrefix))
	if err != nil || n < 1 || n > 99 || how != partPrefix+strconv.Itoa(n) {
		return 0
	}
	return n
}

// Removal is a kind of thing that was taken out, with how many there were: "scripts", 2.
type Removal struct {
	What  string `json:"what"`
	Count int    `json:"count"`
}

// Time is microseconds since 1970 UTC. In JSON it is text with six decimals and Z; 0 is "".
type Time int64

const timeLayout = "2006-01-02T15:04:05.000000Z"

// String writes the moment as JSON does, without its quotes.
func (t Time) String() string {
	if t == 0 {
		return ""
	}
	return time.UnixMicro(int64(t)).UTC().Format(timeLayout)
}

// MarshalText implements encoding.TextMarshaler.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Time) UnmarshalText(b []byte) error {
	*t = 0
	if len(b) == 0 {
		return nil
	}
	at, err := time.Parse(timeLayout, string(b))
	if err != nil {
		return errors.New("receipt: a time has six decimals and ends in Z")
	}
	*t = Time(at.UnixMicro())
	return nil
}
