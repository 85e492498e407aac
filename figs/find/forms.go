package find

// Forms of words. A search for "Rechnungen" or "invoices" also finds "Rechnung" and "invoice": a word of at least five letters
// is looked for by its stem, what is left without an ending, and whatever begins with that is found. A German plural can change
// the vowel of the stem, "Vertrag" and "Verträge", so the stem is also looked for with the other vowel. Both only add to what
// the word itself finds. Quoted words, and words with digits, are looked for as they are.

// ending is an ending of English or German words.
type ending struct {
	text string
	drop int // how many of its letters are no part of the stem
	min  int // how many letters the stem has at least
}

// endings lists the longer ones first, of those that end alike.
var endings = [...]ending{
	{"innen", 3, 4}, {"ches", 2, 3}, {"shes", 2, 3}, {"sses", 2, 3}, {"xes", 2, 3}, {"zes", 2, 3}, {"ies", 3, 4}, {"ing", 3, 4},
	{"ern", 1, 6}, {"eln", 1, 6}, {"een", 0, 0}, {"eed", 0, 0}, {"ss", 0, 0}, {"us", 0, 0}, {"is", 0, 0},
	{"es", 2, 5}, {"en", 2, 4}, {"ed", 2, 4}, {"e", 1, 5}, {"s", 1, 4}, {"y", 1, 4},
}

const (
	shortestWithForms = 5 // letters
	shortestVowel     = 5 // letters of a stem whose vowel may change
)

// forms returns the stem of a folded word, and the stem with the other vowel, or nil.
func forms(word []byte) (stem, other []byte) {
	for _, c := range word {
		if c >= '0' && c <= '9' || c == ' ' {
			return word, nil
		}
	}
	if letters(word) < shortestWithForms {
		return word, nil
	}
	stem = stemOf(word)
	return stem, otherVowel(stem)
}

func stemOf(word []byte) []byte {
	for i := range endings {
		e := &endings[i]
		n := len(word) - len(e.text)
		if n < 0 || string(word[n:]) != e.text {
			continue
		}
		stem := word[:len(word)-e.drop]
		if letters(stem) < e.min || e.text == "y" && vowel(stem[len(stem)-1]) {
			continue
		}
		if n := len(stem); e.text == "ing" || e.text == "ed" { // "planned" is a form of "plan"
			if last := stem[n-1]; n > 4 && last == stem[n-2] && !vowel(last) && last != 'l' && last != 's' && last != 'z' {
				stem = stem[:n-1]
			}
		}
		return stem
	}
	return word
}

// otherVowel is a stem with an umlaut, written as AppendFolded writes it, instead of its last vowel, or without the umlaut.
func otherVowel(stem []byte) []byte {
	if letters(stem) < shortestVowel || vowel(stem[len(stem)-1]) {
		return nil
	}
	end := len(stem)
	for end > 0 && !vowel(stem[end-1]) {
		end--
	}
	start := end
	for start > 0 && vowel(stem[start-1]) {
		start--
	}
	changed := ""
	switch string(stem[start:end]) {
	case "a", "o", "u":
		changed = string(stem[start:end]) + "e"
	case "ae", "oe", "ue":
		changed = string(stem[start : start+1])
	case "au":
		changed = "aeu"
	case "aeu":
		changed = "au"
	default:
		return nil
	}
	other := append([]byte(nil), stem[:start]...)
	return append(append(other, changed...), stem[end:]...)
}

func vowel(c byte) bool { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' }

// letters counts the characters of a word.
func letters(word []byte) (n int) {
	for _, c := range word {
		if c&0xC0 != 0x80 {
			n++
		}
	}
	return n
}
