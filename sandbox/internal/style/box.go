package style

// What the lens asks about values that this package has written.

// Invisible reports whether a colour lets everything through, or nearly.
func Invisible(colour string) bool { return invisible(colour) }

// Number reads a number with its unit; ok is false for everything else.
func Number(s string) (n float64, unit string, ok bool) { return number(s) }

// Boxed says why an element with these values of its own shows no text, by where it stands and how much of
// it is cut off: "text off the page", "clip", "transform:scale(0)"; or "".
func Boxed(values map[string]string) string {
	switch {
	case away(values):
		return "text off the page"
	case clipped(values):
		return "clip"
	case len(values["transform"]) >= 8 && values["transform"][:8] == "scale(0)" || values["scale"] == "0":
		return "transform:scale(0)"
	}
	return ""
}
