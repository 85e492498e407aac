package findings

// Severities are the words that have a rank, gravest first.
var Severities = []string{"critical", "high", "major", "significant", "medium", "moderate", "low", "minor"}

// unranked is the rank of every other word.
const unranked = 4

// SeverityRank is the rank of a severity: 0 critical, 1 high, major or significant, 2 medium or moderate, 3 low or
// minor, 4 anything else.
func SeverityRank(word string) int {
	switch word {
	case "critical":
		return 0
	case "high", "major", "significant":
		return 1
	case "medium", "moderate":
		return 2
	case "low", "minor":
		return 3
	}
	return unranked
}
