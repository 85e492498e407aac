package share

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/internal/redact"
)

// Options is what a person wants otherwise than it is proposed.
type Options struct {
	Leave map[string]bool // ids of rules that replace nothing
	Names bool            // names of people are replaced, too
	Keep  map[int]bool    // originals that stay, by their number from 1
	With  map[int]bool    // attachments that go along unread, by their number from 1
	Seen  string          // what was looked at (Copy.Seen); "" when nobody did

	Receipts map[int]string // receipts that go along, by their number from 1, with what was agreed to: Receipt.Mark
	Home     bool           // no receipt goes along
	Show     bool           // they do, whatever they show
}

// ParseOptions reads a form or an address: leave=email, names=1, keep=3, with=2, receipt=1.…, seen=….
func ParseOptions(form url.Values) *Options {
	c := &Options{Leave: map[string]bool{}, Keep: map[int]bool{}, With: map[int]bool{}, Names: form.Get("names") != "", Seen: form.Get("seen")}
	for _, id := range form["leave"] {
		if redact.RuleByID(id) >= 0 {
			c.Leave[id] = true
		}
	}
	for name, numbers := range map[string]map[int]bool{"keep": c.Keep, "with": c.With} {
		for _, text := range form[name] {
			if n, err := strconv.Atoi(text); err == nil && n > 0 {
				numbers[n] = true
			}
		}
	}
	c.Receipts = map[int]string{}
	for _, text := range form["receipt"] {
		number, mark, _ := strings.Cut(text, ".")
		if n, err := strconv.Atoi(number); err == nil && n > 0 {
			c.Receipts[n] = mark
		}
	}
	return c
}

// Form is the inverse of ParseOptions.
func (c *Options) Form() url.Values {
	v := url.Values{}
	for id := range c.Leave {
		v.Add("leave", id)
	}
	slices.Sort(v["leave"])
	if c.Names {
		v.Set("names", "1")
	}
	for name, numbers := range map[string]map[int]bool{"keep": c.Keep, "with": c.With} {
		var list []int
		for n := range numbers {
			list = append(list, n)
		}
		slices.Sort(list)
		for _, n := range list {
			v.Add(name, strconv.Itoa(n))
		}
	}
	for n, mark := range c.Receipts {
		v.Add("receipt", ReceiptValue(n, mark))
	}
	slices.Sort(v["receipt"])
	if c.Seen != "" {
		v.Set("seen", c.Seen)
	}
	return v
}

func (c *Options) stays(i int, o *redact.Match) bool {
	rule := &redact.Rules[o.Rule]
	return c.Keep[i+1] || c.Leave[rule.ID] || rule.Group == redact.Names && !c.Names
}

// Seen is a word for what was found: another one when anything else was. A person who looked at one list must not get
// a copy made by another.
func (s *Copy) Seen() string {
	h := sha256.New()
	for _, o := range s.redaction.Originals() {
		h.Write([]byte(o.By + "\x00" + o.Text + "\x00"))
	}
	for _, f := range s.files {
		h.Write([]byte(f.Name + "\x00" + strconv.FormatBool(f.Readable) + "\x00"))
	}
	for _, r := range s.receipts {
		h.Write(r.content)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
