package reply

import "encoding/json"

// HiddenText is what was said of the hidden text of an attachment when a person decided.
type HiddenText struct {
	Texts        int   `json:"texts,omitempty"`        // reported by the check without a browser
	Instructions int   `json:"instructions,omitempty"` // of these, the ones that read like an instruction
	Undrawn      int   `json:"undrawn,omitempty"`      // that the person's browser does not draw, or hardly
	Widths       []int `json:"widths,omitempty"`       // of the frame at which it measured, in pixels; none: it did not
	Read         bool  `json:"read,omitempty"`         // the person ticked that they read it
}

// HiddenText is what a form and its gate say of an attachment, by its index; nil where nothing was reported and nothing
// was measured.
func (g *Gate) HiddenText(f *Form, i int) *HiddenText {
	m := f.MeasuredOf(i + 1)
	h := &HiddenText{Texts: g.Files[i].Hidden, Instructions: g.Files[i].Instructions, Undrawn: m.Undrawn, Widths: m.Widths}
	if h.Texts == 0 && len(h.Widths) == 0 {
		return nil
	}
	h.Read = set(f.Hidden)[i+1] && h.Texts+h.Undrawn > 0
	return h
}

// JSON is its JSON form.
func (h *HiddenText) JSON() []byte {
	b, err := json.Marshal(h)
	if err != nil {
		panic(err) // numbers alone
	}
	return b
}
