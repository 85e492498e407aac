package findings

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// ranks are what the severities of a rank are together.
var ranks = [unranked]string{"", "high, major and significant", "medium and moderate", "low and minor"}

// why gives the reasons for a place, most decisive first. Next is who has the place after it; nil when nobody has.
func (m *match) why(next *match) (sentences []string) {
	say := func(sentence string, values ...string) { sentences = append(sentences, kind.Fill(sentence, values...)) }
	e := m.entry
	switch {
	case e.Rank == 0:
		say("Its severity is critical, which comes before all others.")
	case e.Rank == unranked && isBlank(e.Severity):
		say("It has no severity, so it comes after all that have one.")
	case e.Rank == unranked:
		say("Its severity “%” has no rank, so it comes after all that have one.", e.Severity)
	default:
		say("Its severity is %; & rank alike.", e.Severity, ranks[e.Rank])
	}
	if m.when > 0 {
		sentence := "It applies to %."
		switch {
		case m.primary > 0 && m.when == 1:
			sentence = "It applies to %, its primary word."
		case m.primary > 0:
			sentence = "It applies to %, its primary word among them."
		}
		say(sentence, shared(m.sharedWhen, m.when))
	}
	if m.languages > 0 {
		say("It is about %.", shared(m.sharedLanguages, m.languages))
	}
	if m.paths > 0 {
		say("It comes from or speaks of %.", shared(m.sharedPaths, m.paths))
	}
	if m.keywords > 0 {
		say("It shares words with the text: %.", shared(m.sharedKeywords, m.keywords))
	}
	if m.literal > 0 {
		say("The text and the finding share a whole sentence, word for word.")
	}
	if m.when+m.languages+m.paths+m.keywords+m.literal == 0 {
		say("Nothing else ties it to the work.")
	}
	if next != nil && !m.before(next) {
		say("The next one fits as well; this one comes earlier in the registry.")
	}
	if e.Expired {
		say("Its ttl of % days ended on &, which is advisory: look whether it still holds.", string(figs.AppendInt(nil, e.TTLDays)), e.ExpiresOn())
	}
	return sentences
}

// shared is the list of what is shared, and how many more there are.
func shared(names []string, n int) string {
	if more := n - len(names); more > 0 {
		return list(append(names[:len(names):len(names)], string(figs.AppendInt(nil, more))+" more"))
	}
	return list(names)
}
