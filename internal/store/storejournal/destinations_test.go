package storejournal

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/internal/store"
)

func rosterOf(names ...string) *store.Roster {
	var agents []store.RosterAgent
	for i, name := range names {
		name, archived := strings.CutPrefix(name, "archived ")
		agents = append(agents, store.RosterAgent{ID: fmt.Sprintf("id-%d", i), Name: name, Department: "D", Archived: archived})
	}
	return store.NewRoster(1, agents, nil, nil)
}

// TestAgentDestinations tests how well names match, and in what order.
func TestAgentDestinations(t *testing.T) {
	roster := rosterOf("Closing books", "Bookkeeper", "Invoice booker", "Debookinator", "archived Bookshop", "Müller & Söhne", "Muller", "Reçu", "ÄRGER", "東京 agent", "", "x\u202ebook", "!!!")
	for words, want := range map[string]string{
		"book":          "Bookkeeper,Closing books,Invoice booker,x\u202ebook,Debookinator,Bookshop",
		" BOOK ":        "Bookkeeper,Closing books,Invoice booker,x\u202ebook,Debookinator,Bookshop",
		"clo bo":        "Closing books",
		"bo clo":        "Closing books",
		"book inv":      "Invoice booker",
		"books zzz":     "",
		"müll":          "Müller & Söhne,Muller",
		"muell":         "Müller & Söhne",
		"mull":          "Muller,Müller & Söhne",
		"sohne mul":     "Müller & Söhne",
		"ärger":         "ÄRGER",
		"recu":          "Reçu",
		"東京":            "東京 agent",
		"":              "",
		" .!? ":         "",
		"\xff\x00":      "",
		"%_*\"' OR 1=1": "",
		"id-10":         "id-10", "keeper": "Bookkeeper",
	} {
		j := New(nil, "w", 0)
		list, total := j.agentDestinations(roster, words)
		var names []string
		for _, d := range list {
			names = append(names, cmp.Or(d.Agent.Charter.Name, d.Agent.Config.AgentID))
		}
		if got := strings.Join(names, ","); got != want || total != len(list) {
			t.Errorf("%q finds %s (%d), want %s", words, got, total, want)
		}
	}
}

// TestManyAgentDestinations tests agents with equal names, and how long 1,000 agents with long names take.
func TestManyAgentDestinations(t *testing.T) {
	names := []string{"Twin", "Twin", strings.Repeat("long ", 2000)}
	for i := range 1000 {
		names = append(names, fmt.Sprintf("Agent of department %d, number %d", i%40, i))
	}
	roster, j := rosterOf(names...), New(nil, "w", 0)
	list, total := j.agentDestinations(roster, "twin")
	if total != 2 || !list[0].SameName || !list[1].SameName || list[0].Agent.Key == list[1].Agent.Key {
		t.Errorf("two agents of one name: %d, %s", total, gocmp.Diff(list[0], list[1]))
	}
	if list, total := j.agentDestinations(roster, "agent"); total != 1000 || len(list) != maxDestinations || list[0].SameName {
		t.Errorf("%d of %d, the first with another's name: %v", len(list), total, list[0].SameName)
	}
	started := time.Now()
	const rounds = 20
	for range rounds {
		j.agentDestinations(roster, "number depart 9")
	}
	if took := time.Since(started) / rounds; took > 20*time.Millisecond {
		t.Errorf("1,000 agents take %s, want below 20 ms", took)
	} else {
		t.Logf("1,000 agents take %s", took)
	}
}
