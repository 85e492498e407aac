package accountpages

import (
	"strconv"

	"github.com/figs-web/figs-web/components/ui"
)

// RateLimited are the faults of a form that must rest: the sentence for programs, and for how many
// seconds, from which pages make theirs.
func RateLimited(sentence string, seconds int) ui.Faults {
	return ui.Faults{"": sentence, "wait": strconv.Itoa(seconds)}
}
