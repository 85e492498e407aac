package remark

import (
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct{ quote, suggestion, want string }{
		{"1,200 €", "1,150 €", "-1,200 €|+1,150 €"},
		{"a\nb\nc", "a\nx\ny\nc", " a|-b|+x|+y| c"},
		{"a", "", "-a"},
		{"", "a\nb", "+a|+b"},
		{"a\na", "a", " a|-a"},
		{"a", "a", " a"},
		{"a\r\nb", "a\nb\n", " a| b|+"},
	} {
		r := Remark{Quote: c.quote, Suggestion: &c.suggestion}
		var lines []string
		for _, l := range r.Diff() {
			lines = append(lines, string(l.Op)+l.Text)
		}
		if got := strings.Join(lines, "|"); got != c.want {
			t.Errorf("%q to %q: %q, want %q", c.quote, c.suggestion, got, c.want)
		}
	}
	if got := (&Remark{Quote: "a"}).Diff(); got != nil {
		t.Errorf("nothing is suggested: %v", got)
	}
}
