package tree

import (
	"fmt"
	"io"
	"strings"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/recordjson"
)

// printNote prints what a reply says with its remarks, for people: where each is, the passage in its context, the text, and
// a suggestion as a diff. A reply without remarks prints nothing.
func printNote(w io.Writer, n recordjson.Note) error {
	var b strings.Builder
	lines := func(prefix, text string) {
		for line := range strings.SplitSeq(text, "\n") {
			fmt.Fprintln(&b, strings.TrimRight(prefix+cmd.Clean(line), " "))
		}
	}
	if n.Summary != "" {
		lines("", n.Summary)
	}
	for i := range n.Remarks {
		r := &n.Remarks[i]
		place := r.Place()
		if r.SHA256 != "" {
			place += " (sha256 " + r.SHA256[:min(8, len(r.SHA256))] + "…)"
		}
		fmt.Fprintf(&b, "\nComment %d: %s\n", r.Number, cmd.Clean(place))
		if r.Quote != "" || r.Before != "" || r.After != "" {
			lines("  > ", r.Before+"⟦"+r.Quote+"⟧"+r.After)
		}
		if r.Text != "" {
			lines("  ", r.Text)
		}
		for _, line := range r.Diff() {
			lines("  "+string(line.Op)+" ", line.Text)
		}
	}
	if len(n.Resolved) > 0 {
		fmt.Fprintf(&b, "\nResolved comments of the previous round: %s\n", strings.Trim(strings.ReplaceAll(fmt.Sprint(n.Resolved), " ", ", "), "[]"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
