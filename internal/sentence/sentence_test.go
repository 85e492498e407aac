package sentence

import (
	"testing"
	"time"
)

func TestFill(t *testing.T) {
	for _, test := range []struct {
		english string
		args    []any
		want    string
	}{
		{"Send { workspaceId, {0} }.", nil, "Send { workspaceId, {0} }."},
		{"{0} replied; talk to {0}.", []any{"Ada {1}", 2}, "Ada {1} replied; talk to Ada {1}."},
		{"Line {1} of {0}.", []any{12, 3}, "Line 3 of 12."},
		{"Wait {0}.", []any{time.Second}, "Wait 1 second."},
		{"Wait {0}.", []any{90 * time.Second}, "Wait 90 seconds."},
		{"Wait {0}.", []any{91 * time.Second}, "Wait 2 minutes."},
		{"Wait {0}.", []any{90 * time.Minute}, "Wait 90 minutes."},
		{"Wait {0}.", []any{91 * time.Minute}, "Wait 2 hours."},
	} {
		if got := Fill(test.english, test.args); got != test.want {
			t.Errorf("Fill(%q, %v) = %q, want %q", test.english, test.args, got, test.want)
		}
	}
}
