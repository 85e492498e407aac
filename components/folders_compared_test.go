package components

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/agentpages"
	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestDiffering holds the marks in two texts to what they promise: all pieces together are the text, and what is not marked is
// the same in both.
func TestDiffering(t *testing.T) {
	a, b := agentpages.WordDiff(`{"title":"How many keys?"}`, `{"title":"How many old locks?"}`)
	if want := []agentpages.DiffPiece{{Text: `{"title":"How many `, Other: false}, {Text: "keys", Other: true}, {Text: `?"}`, Other: false}}; !equalPieces(a, want) {
		t.Errorf("%v, want %v", a, want)
	}
	if want := []agentpages.DiffPiece{{Text: `{"title":"How many `, Other: false}, {Text: "old locks", Other: true}, {Text: `?"}`, Other: false}}; !equalPieces(b, want) {
		t.Errorf("%v, want %v", b, want)
	}
	random := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		text := func() string {
			var s strings.Builder
			for range random.IntN(12) {
				s.WriteString([]string{"key", " ", "ä", "\"", "\xff", "12", "日本", "."}[random.IntN(8)])
			}
			return s.String()
		}
		was, is := text(), text()
		a, b := agentpages.WordDiff(was, is)
		whole, common := piecesOf(a)
		other, alsoCommon := piecesOf(b)
		if whole != was || other != is || common != alsoCommon {
			t.Fatalf("%q → %q: %v and %v", was, is, a, b)
		}
	}
	long := strings.Repeat("x ", 5000)
	if a, b := agentpages.WordDiff(long+"a", strings.Repeat("y ", 5000)+"a"); len(a) != 2 || len(b) != 2 {
		t.Errorf("texts with too much of a difference are marked as a whole: %d and %d pieces", len(a), len(b))
	}
}

func equalPieces(a, b []agentpages.DiffPiece) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func piecesOf(list []agentpages.DiffPiece) (all, common string) {
	for _, p := range list {
		all += p.Text
		if !p.Other {
			common += p.Text
		}
	}
	return all, common
}

// TestComparedPage writes a comparison whose every word is an agent's attempt at markup.
func TestComparedPage(t *testing.T) {
	const evil = `<img src=x onerror=alert(1)>`
	line := journal.LineText{Known: true, Text: []byte(evil), Size: len(evil)}
	c := &journal.Comparison{
		Mode: journal.CompareFolder, Past: figs.HistoryRewritten, Path: evil, Was: journal.Instant{TS: figs.NoTime}, Now: journal.Instant{TS: 0},
		Ledgers: []journal.LedgerChange{{File: figs.Asks, Old: 3, Same: 1, Edited: 1, Removed: 1, Added: 2, Joined: true}, {File: figs.Messages, Old: 2, Deleted: true}},
		Lines: journal.Page[journal.LineChange]{Total: 4, Items: []journal.LineChange{
			{Kind: figs.LineEdited, File: figs.Asks, Old: 1, New: 2, Owner: "asks/1", Was: line, Is: journal.LineText{Known: true, Text: []byte("other"), Size: 9000}},
			{Kind: figs.LineRemoved, File: figs.Asks, Old: 2, Was: line},
			{Kind: figs.LineMoved, File: figs.Runs, Old: 2, New: 5, Was: line, Is: line},
			{Kind: figs.LineRemoved, File: figs.Runs, Old: 9},
		}},
		Records: []journal.RecordChange{
			{Kind: figs.RecordNew, File: figs.Asks, Owner: "asks/2", ID: evil, Title: evil}, {Kind: figs.RecordDeleted, File: figs.Runs, ID: evil},
			{Kind: figs.JobSettled, File: figs.Runs, Owner: "jobs/1", ID: "r", OldOutcome: figs.OutcomeInFlight, NewOutcome: figs.OutcomeFail},
			{Kind: figs.RecordNew, File: figs.Messages, Owner: "messages/1", Title: evil, Message: &journal.Message{Message: figs.Message{By: evil}}},
		},
		Files:          []figs.FileChange{{Kind: figs.FileDiffers, Name: evil, Artifact: true, Old: 3, New: 3}, {Kind: figs.FileDeleted, Name: "a.txt", Old: 3, New: -1}},
		Choices:        []journal.CompareChoice{{With: "agent-2", Agent: &journal.Agent{Path: evil}, Same: true}, {With: "kept-1", At: 1, Lines: 2}},
		OpeningHistory: journal.OpeningHistoryOn,
	}
	c.Counts[figs.RecordNew][figs.Asks], c.Counts[figs.RecordDeleted][figs.Runs], c.Counts[figs.JobSettled][figs.Runs], c.Counts[figs.RecordNew][figs.Messages] = 1, 1, 90, 1
	site := ui.Site{Links: ui.Fragment{}, Offline: true}
	var b strings.Builder
	if err := agentpages.FoldersComparedPage(site, &journal.Agent{Key: "1"}, journal.Query{With: "agent-2"}, c).Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	html := b.String()
	for _, want := range []string{
		"<del>", "<ins>", "#/1/compare?with=kept-1", `data-act="forget-kept"`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	messages.Check(t, "comparison page", pagetest.Lines(pagetest.Parse(t, html)))
	if strings.Contains(html, "<img") {
		t.Error("an agent's words became markup")
	}
}

func TestSinceStrip(t *testing.T) {
	for name, s := range map[string]*agentpages.ChangesSince{
		"": {}, "new lines": {Added: 3}, "a line changed": {Past: "rewritten", Added: 3, Changed: 1}, "lines gone between others": {Past: "rewritten", Changed: 2, Removed: 2},
		"missing": {Past: "missing", Gone: 4}, "older": {Past: "older", Changed: 2, Removed: 2}, "apart": {Past: "apart", Changed: 2, Added: 1}, "merged": {Past: "merged", Changed: 2},
		"veiled": {Past: "veiled", Changed: 2}, "strange": {Past: "strange", Changed: 9}, "line ends": {Past: "stands", Ends: 9},
	} {
		s.Agent, s.With = "1", "kept-7"
		b, err := RenderSince(context.Background(), ui.Site{Links: ui.Fragment{}, Offline: true}, s)
		if err != nil || (name == "") != (len(b) == 0) {
			t.Errorf("%+v: %q (%v)", s, b, err)
		}
		if name != "" {
			messages.Check(t, "since: "+name, pagetest.Lines(pagetest.Parse(t, string(b))))
		}
	}
}

// TestComparedNews says of each thing that a comparison may amount to what it is, and calls rewritten only what was.
func TestComparedNews(t *testing.T) {
	for _, past := range []figs.History{figs.HistoryUnchanged, figs.HistoryMissing, figs.HistoryOlder, figs.HistoryMerged, figs.HistoryRedacted, figs.HistoryDiverged, figs.HistoryUnrelated, figs.HistoryRewritten} {
		c := &journal.Comparison{Mode: journal.CompareFolder, Past: past, Ledgers: []journal.LedgerChange{{File: figs.Runs, Old: 3, Same: 1, Edited: 1, Removed: 1}}}
		if past == figs.HistoryUnchanged {
			c.Ledgers[0] = journal.LedgerChange{File: figs.Runs, Old: 3, Same: 3, Ends: 3, Dropped: true}
		}
		news, lede := agentpages.ComparedNews(context.Background(), c)
		messages.Check(t, fmt.Sprint("compared: ", past), []string{news, lede})
		failed := false
		for _, s := range agentpages.LedgerWords(context.Background(), &c.Ledgers[0], past) {
			failed = failed || s.Kind == "fail"
		}
		if failed != (past == figs.HistoryRewritten) {
			t.Errorf("%s is marked as a failure: %v", past, failed)
		}
		c.Partial = true
		news, _ = agentpages.ComparedNews(context.Background(), c)
		messages.Check(t, fmt.Sprint("compared, not read whole: ", past), []string{news})
	}
	for name, c := range map[string]*journal.Comparison{
		"two points":    {Mode: journal.ComparePoints},
		"two agents":    {Mode: journal.CompareFolder, Past: figs.HistoryUnrelated, DifferentAgents: true},
		"an attachment": {Mode: journal.CompareFolder, Files: []figs.FileChange{{Kind: figs.FileDiffers, Artifact: true, Name: "a.txt", Old: 3, New: 3}}},
	} {
		news, _ := agentpages.ComparedNews(context.Background(), c)
		messages.Check(t, "compared: "+name, []string{news})
	}
}

// TestSpot says in a sentence where one line differs, white space too, and says nothing where there are several places.
func TestSpot(t *testing.T) {
	for _, test := range []struct {
		was, is string
		want    agentpages.DiffSpot
		ok      bool
	}{
		{`{"title":"How many"}`, `{"title":"How much"}`, agentpages.DiffSpot{At: 15, Was: "many", Is: "much"}, true},
		{`{"a":1}`, `{"a": 1}`, agentpages.DiffSpot{At: 6, Was: "", Is: " "}, true},
		{`{"a": 1}`, `{"a":1}`, agentpages.DiffSpot{At: 6, Was: " ", Is: ""}, true},
		{`one two three`, `1 two 3`, agentpages.DiffSpot{}, false},
		{`same`, `same`, agentpages.DiffSpot{}, false},
	} {
		was, is := agentpages.WordDiff(test.was, test.is)
		got, ok := agentpages.FindDiffSpot(&journal.LineChange{}, was, is)
		if ok != test.ok || ok && got != test.want {
			t.Errorf("%q → %q: %+v, %v", test.was, test.is, got, ok)
		}
	}
}
