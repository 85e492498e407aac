package reply

import (
	"strconv"

	"github.com/figs-web/figs-web/figs"
)

// mostReviewed is how many bytes of a reply may list what was reviewed. A record of the protocol
// has room for more, but every client keeps each reply for ever.
const mostReviewed = 64 << 10

// Reviewed is a field of a reply beside the protocol's, which clients keep: what was attached when the reply was given, and
// how the person had viewed each file: {"name", "sha256", "opened": true, "how"}, or, in an approval without viewing it,
// {"name", "sha256", "part", "waived": true, "reason"}, where part is how many percent of it were on the screen; and with an
// approval, what was said of hidden text then: {"hidden": {"texts", "instructions", "undrawn", "widths", "read"}}. sha256 is
// left out where nobody has read the file's bytes. It is nil for an ask without attachments.
func (g *Gate) Reviewed(f *Form) figs.Object {
	if len(g.Files) == 0 {
		return nil
	}
	waived := map[int]bool{}
	if f.Verdict == "approved" {
		waived = set(f.Waived)
	}
	b := []byte(`{"reviewed":[`)
	for i := range g.Files {
		if len(b) > mostReviewed {
			break
		}
		if i > 0 {
			b = append(b, ',')
		}
		file := &g.Files[i]
		b = figs.AppendString(append(b, `{"name":`...), file.Name)
		if len(file.SHA256) == 64 { // else it is the mark of a form, for bytes that were not read
			b = figs.AppendString(append(b, `,"sha256":`...), file.SHA256)
		}
		switch {
		case file.Opened:
			b = figs.AppendString(append(b, `,"opened":true,"how":`...), file.How)
		case waived[i+1]:
			if file.Part > 0 {
				b = strconv.AppendInt(append(b, `,"part":`...), int64(file.Part), 10)
			}
			b = figs.AppendString(append(b, `,"waived":true,"reason":`...), f.Reason)
		}
		if h := g.HiddenText(f, i); h != nil && f.Verdict == "approved" {
			b = append(append(b, `,"hidden":`...), h.JSON()...)
		}
		b = append(b, '}')
	}
	return figs.Fold([][]byte{append(b, ']', '}')})
}
