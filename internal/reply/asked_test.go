package reply

import (
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// What was asked has one hash, however the line was written; one changed word of it has another.
func TestAsked(t *testing.T) {
	of := func(line string, round int) string {
		return string(figs.AppendObject(nil, AskedField(figs.Fold([][]byte{[]byte(line)}), round)))
	}
	one := of(`{"id":"a","title":"Pay?","need":"Say so.","onApprove":["Pay"],"ts":"2026-11-20T10:00:00Z"}`, 2)
	if !strings.HasPrefix(one, `{"asked":{"round":2,"sha256":"`) {
		t.Errorf("Asked = %s", one)
	}
	if same := of(`{"onApprove": ["Pay"],"need":"Say so.","title":"Pay\u003f","id":"b","ts":"2026-11-21T10:00:00Z","status":"open"}`, 2); same != one {
		t.Errorf("%s, want %s", same, one)
	}
	for _, other := range []string{`{"title":"Pay!","need":"Say so.","onApprove":["Pay"]}`, `{"title":"Pay?","need":"Say so.","onApprove":["Pay","Pay"]}`, `{"title":"Pay?","need":"Say so.","onApprove":["Pay"],"options":["x"]}`} {
		if of(other, 2) == one {
			t.Errorf("%s has the same hash", other)
		}
	}
	if of(`{"title":"Pay?","need":"Say so.","onApprove":["Pay"]}`, 3) == one {
		t.Error("another round is the same")
	}
}
