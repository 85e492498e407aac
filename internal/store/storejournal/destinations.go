package storejournal

import (
	"context"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

const (
	maxDestinations    = 8   // of agents, and of asks
	maxDestinationText = 200 // bytes of the words that are looked for
	maxComparedName    = 400 // bytes of a name that are compared
)

// Destinations finds agents by name and asks by title or id. Without words it finds nothing.
func (j *Journal) Destinations(ctx context.Context, words string) (*journal.Destinations, error) {
	words = strings.ToValidUTF8(words[:min(len(words), maxDestinationText)], "")
	roster, err := j.s.Roster(ctx, j.workspace)
	if err != nil {
		return nil, notFound(err)
	}
	found := &journal.Destinations{}
	found.Agents, found.TotalAgents = j.agentDestinations(roster, words)
	asks, err := j.s.AsksByTitle(ctx, j.workspace, words, maxDestinations)
	for _, a := range asks {
		found.Asks = append(found.Asks, journal.AskDestination{Agent: j.rosterAgent(roster, a.Agent),
			Ask: journal.Ask{Key: journal.Segment(a.ID), Ask: figs.Ask{ID: a.ID, Title: a.Title, Type: a.Type}, State: a.State}})
	}
	return found, err
}

// comparedName is an agent's name as it is compared. spellings has the folded name, and for a name with umlauts or accents
// two more: with "ae" for "ä", and with "a".
type comparedName struct {
	spellings []string
	agent     *store.RosterAgent
}

// comparedNamesKey is the key of Roster.Memo for the compared names.
type comparedNamesKey struct{}

func comparedNames(roster *store.Roster) []comparedName {
	return roster.Memo(comparedNamesKey{}, func() any {
		names := make([]comparedName, len(roster.Agents))
		for i := range roster.Agents {
			a := &roster.Agents[i]
			name := a.Name
			if name == "" {
				name = a.ID
			}
			names[i] = comparedName{spellings(name), a}
		}
		return names
	}).([]comparedName)
}

// agentDestinations returns the first agents whose names match, and how many match. Those that aren't archived come first;
// among them the ones whose name begins with the words, then those with words that begin like them, then the others.
func (j *Journal) agentDestinations(roster *store.Roster, words string) (list []journal.AgentDestination, total int) {
	looked := spellings(words)
	if len(looked) == 0 {
		return nil, 0
	}
	type match struct {
		rank int
		name string
		*store.RosterAgent
	}
	var matches []match
	for _, n := range comparedNames(roster) {
		rank := 2 * noMatch
		for i, spelling := range n.spellings {
			for k, words := range looked {
				rank = min(rank, 2*rankName(spelling, words)+min(i+k, 1)) // as it is spelled is better
			}
		}
		if rank >= 2*noMatch {
			continue
		}
		if n.agent.Archived {
			rank += 2 * noMatch
		}
		matches = append(matches, match{rank, n.spellings[0], n.agent})
	}
	slices.SortFunc(matches, func(a, b match) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		if by := strings.Compare(a.name, b.name); by != 0 {
			return by
		}
		return strings.Compare(a.ID, b.ID)
	})
	same := map[[3]string]int{}
	shown := matches[:min(len(matches), maxDestinations)]
	for _, m := range shown {
		same[[3]string{m.Name, m.Role, m.Department}]++
	}
	for _, m := range shown {
		list = append(list, journal.AgentDestination{Agent: j.agentOfRoster(m.RosterAgent), Archived: m.Archived, SameName: same[[3]string{m.Name, m.Role, m.Department}] > 1})
	}
	return list, len(matches)
}

const (
	beginsName = iota
	beginsWord
	beginsWords // each word begins some word of the name
	insideName  // each word is somewhere in the name
	noMatch
)

// rankName says how well folded words match a folded name. Both have a space before each word and at the end.
func rankName(name, words string) int {
	whole := words[:len(words)-1]
	switch {
	case strings.HasPrefix(name, whole):
		return beginsName
	case strings.Contains(name, whole):
		return beginsWord
	}
	rank := beginsWords
	for word := range strings.FieldsSeq(words) {
		if strings.Contains(name, " "+word) {
			continue
		}
		if rank = insideName; !strings.Contains(name, word) {
			return noMatch
		}
	}
	return rank
}

// spellings returns a text folded, and if it has umlauts or accents, also without them. It is empty for a text without
// letters and digits.
func spellings(text string) []string {
	text = text[:min(len(text), maxComparedName)]
	folded := string(find.AppendFolded(nil, []byte(text)))
	if folded == "" {
		return nil
	}
	all := []string{folded}
	if lower := strings.ToLower(text); withoutAccents.Replace(lower) != lower {
		all = append(all, string(find.AppendFolded(nil, []byte(withoutAccents.Replace(lower)))))
	}
	return all
}

var (
	withoutAccents = strings.NewReplacer("ä", "a", "á", "a", "à", "a", "â", "a", "ã", "a", "å", "a", "ç", "c", "é", "e", "è", "e", "ê", "e", "ë", "e",
		"í", "i", "ì", "i", "î", "i", "ï", "i", "ñ", "n", "ö", "o", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ø", "o", "ü", "u", "ú", "u", "ù", "u", "û", "u", "ß", "ss",
		"č", "c", "š", "s", "ž", "z", "ř", "r", "ě", "e", "ł", "l", "ń", "n", "ś", "s", "ź", "z", "ż", "z", "ą", "a", "ę", "e", "ć", "c", "ů", "u", "ý", "y", "ő", "o", "ű", "u")
)
