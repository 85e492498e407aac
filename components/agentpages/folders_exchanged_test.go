package agentpages

import (
	"context"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestComparedNewsNamesLostFiles: files of artifacts/ that were replaced or are gone are the headline where no line was
// changed.
func TestComparedNewsNamesLostFiles(t *testing.T) {
	for _, test := range []struct {
		files []figs.FileChange
		want  string
	}{
		{nil, "Nothing has changed"},
		{[]figs.FileChange{{Kind: figs.FileNew, Name: "a", Artifact: true}}, "History is unchanged"},
		{[]figs.FileChange{{Kind: figs.FileDeleted, Name: "a", Artifact: true}}, "1 file is missing from artifacts/"},
		{[]figs.FileChange{{Kind: figs.FileDeleted, Name: "a", Artifact: true}, {Kind: figs.FileDiffers, Name: "b", Artifact: true}}, "The contents of 1 attachment have changed"},
	} {
		if got, _ := ComparedNews(context.Background(), &journal.Comparison{Mode: journal.CompareFolder, Files: test.files}); got != test.want {
			t.Errorf("%v: %q, want %q", test.files, got, test.want)
		}
	}
}
