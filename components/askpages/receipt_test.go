package askpages

import (
	"context"
	"testing"

	proof "github.com/figs-web/figs-web/internal/receipt"
)

// A receipt of the first version says what it meant then: what was sent to a page counted as opened.
func TestFirstVersionOpened(t *testing.T) {
	sent := []proof.AttachmentView{{How: "rendered"}, {How: "download"}}
	if got := ViewedHow(true, sent); len(got) != 2 || openedWord(context.Background(), got[0].How) != "opened (rendered)" {
		t.Errorf("of the first version: %+v", got)
	}
	if got := ViewedHow(false, append(sent, proof.AttachmentView{How: "part-25"}, proof.AttachmentView{How: "part-62"})); len(got) != 2 || openedWord(context.Background(), got[1].How) != "on screen in part (62 %)" {
		t.Errorf("of the second version: %+v", got)
	}
}
