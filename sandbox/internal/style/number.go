package style

import "strconv"

// Number reads a number with its unit; ok is false for everything else.
func Number(s string) (n float64, unit string, ok bool) {
	i := numberLen(s)
	n, err := strconv.ParseFloat(s[:i], 64)
	return n, s[i:], err == nil
}
