package style

import "testing"

func TestPercentDecode(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain": "plain", "%41": "A", "a%20b": "a b", "%4a%4A": "JJ", "%fF": "\xff", "%00": "\x00", "%": "%", "%4": "%4", "%4g": "%4g", "%g4": "%g4", "%%41": "%A", "%419": "A9", "%9a": "\x9a", "%a9": "\xa9",
		"%/0": "%/0", "%:0": "%:0", "%@0": "%@0", "%`0": "%`0", "%G0": "%G0", "%0/": "%0/", "x41": "x41",
	} {
		if got := string(PercentDecode(text)); got != want {
			t.Errorf("PercentDecode(%q) = %q, want %q", text, got, want)
		}
	}
}
