package words

import (
	"regexp"
	"strings"
)

// PseudoLanguage is English with accents, longer and in brackets: ⟦Ŝîĝñ îñ óé⟧. Developers read
// pages in it to find text that is not translated or has too little room. No list of languages offers it.
var PseudoLanguage = Language{Code: "en-XA", Name: "Pseudo-English", Group: "'", Point: "·"}

// accents has each letter with an accent, by which it can still be read.
var accents = strings.NewReplacer(
	"a", "à", "b", "ƀ", "c", "ç", "d", "ð", "e", "é", "f", "ƒ", "g", "ĝ", "h", "ĥ", "i", "î", "j", "ĵ", "k", "ķ", "l", "ļ", "m", "ɱ",
	"n", "ñ", "o", "ó", "p", "þ", "q", "ǫ", "r", "ŕ", "s", "š", "t", "ţ", "u", "û", "v", "ṽ", "w", "ŵ", "x", "ẋ", "y", "ý", "z", "ž",
	"A", "À", "B", "Ɓ", "C", "Ç", "D", "Ð", "E", "É", "F", "Ƒ", "G", "Ĝ", "H", "Ĥ", "I", "Î", "J", "Ĵ", "K", "Ķ", "L", "Ļ", "M", "Ḿ",
	"N", "Ñ", "O", "Ó", "P", "Þ", "Q", "Ǫ", "R", "Ŕ", "S", "Š", "T", "Ţ", "U", "Û", "V", "Ṽ", "W", "Ŵ", "X", "Ẋ", "Y", "Ý", "Z", "Ž",
)

// dateLayout finds the layouts of package time among the sentences. They must stay as they are.
var dateLayout = regexp.MustCompile(`\b2006\b|\b15:04\b|\b2 Jan`)

// Pseudo is an English sentence as PseudoLanguage has it, with the same placeholders. What is so already stays, as it
// does in other languages, whose catalogues don't have it.
func Pseudo(english string) string {
	if strings.TrimSpace(english) == "" || strings.HasPrefix(english, "⟦") {
		return english
	}
	if dateLayout.MatchString(english) {
		return "⟦" + english + "⟧"
	}
	var b strings.Builder
	b.WriteString("⟦")
	rest, letters := english, 0
	for rest != "" {
		text, placeholder := rest, ""
		if at := anyVerb.FindStringIndex(rest); at != nil {
			text, placeholder = rest[:at[0]], rest[at[0]:at[1]]
		}
		b.WriteString(accents.Replace(text))
		b.WriteString(placeholder)
		rest, letters = rest[len(text)+len(placeholder):], letters+len(text)
	}
	b.WriteString(padding(letters * 2 / 5))
	b.WriteString("⟧")
	return b.String()
}

// padding is words of vowels, about as many letters as that with the spaces before them.
func padding(letters int) string {
	var b strings.Builder
	for i := range letters {
		b.WriteString([...]string{" ", "ó", "é", "î", "à", "û"}[i%6])
	}
	return strings.TrimRight(b.String(), " ")
}
