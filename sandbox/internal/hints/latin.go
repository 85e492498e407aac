package hints

import (
	"strings"
	"sync"
	"unicode"

	"github.com/mtibben/confusables"
	"golang.org/x/text/unicode/norm"
)

// What looks like what is the standard's list (UTS #39, confusables). It takes small letters of Cyrillic that are drawn as
// small capitals for those; among Latin letters people take them for plain ones.
var smallCapitals = map[string]rune{"ʙ": 'b', "ʜ": 'h', "ᴋ": 'k', "ʍ": 'm', "ᴍ": 'm', "ᴛ": 't'}

const (
	firstForeign = 0x370  // before it stand Latin letters and marks
	lastTabled   = 0x2000 // letters of most scripts
)

// latin has, for the letters of most scripts, the Latin letters that they look like. It is made when it is first wanted.
var latin = sync.OnceValue(func() *[lastTabled]rune {
	var table [lastTabled]rune
	for r := rune(0x250); r < lastTabled; r++ {
		if (r < 0x2b0 || r >= firstForeign) && unicode.IsLetter(r) {
			table[r] = likeness(r)
		}
	}
	return &table
})

// likeness is the Latin letter that a letter looks like, or 0.
func likeness(r rune) rune {
	like := confusables.Skeleton(string(r))
	if small := smallCapitals[like]; small != 0 {
		return small
	}
	if len(like) != 1 || !unicode.IsLetter(rune(like[0])) {
		return 0
	}
	if like == "l" && unicode.IsUpper(r) {
		return 'I'
	}
	return rune(like[0])
}

// Latin returns the Latin letter that a letter of another script, or a wide form, looks like.
func Latin(r rune) (rune, bool) {
	if 0xff21 <= r && r <= 0xff5a {
		return r - 0xfee0, true
	}
	return twin(r)
}

// twin returns the Latin letter that a letter of another script looks like.
func twin(r rune) (rune, bool) {
	if r < 0x80 || r >= lastTabled {
		return 0, false
	}
	l := latin()[r]
	return l, l != 0
}

// Mixed reports whether a word is written in Latin letters but for some of another script that look like
// them, and returns what a person reads. Greek letters at its beginning are a formula's: ρmax.
func Mixed(word string) (string, bool) {
	own, foreign := 0, 0
	for _, r := range word {
		_, like := twin(r)
		switch {
		case r < 0x80 && unicode.IsLetter(r):
			own++
		case r < firstForeign && !like:
		case r >= 0x370 && r < 0x400 && own == 0 && like:
		case like:
			foreign++
		case unicode.IsLetter(r):
			return "", false // a word of that script, with a sign in Latin
		}
	}
	if own == 0 || foreign == 0 || own+foreign < 3 {
		return "", false
	}
	return read(word), true
}

// read is what a person reads.
func read(word string) string {
	return strings.Map(func(r rune) rune {
		if l, ok := twin(r); ok {
			return l
		}
		return r
	}, word)
}

// CommonWord reports whether every letter of a word is the twin of a Latin one, and returns what a person reads. Letters that are
// drawn as small capitals, and small Greek letters, deceive among Latin letters alone: "москва" reads as no Latin word.
func CommonWord(word string) (string, bool) {
	letters := 0
	for _, r := range word {
		if !unicode.IsLetter(r) {
			continue
		}
		_, like := twin(r)
		greek := r >= 0x3ac && r < 0x3f0 && r != 'ο' && r != 'ν'
		if !like || greek || unicode.IsLower(r) && strings.ContainsRune("внкмт", r) {
			return "", false
		}
		letters++
	}
	return read(word), letters >= 3
}

// Styled reports whether a word is written in forms of letters or figures that Unicode has beside the plain ones
// (mathematical, wide, circled), and returns it in plain ones.
func Styled(word string) (string, bool) {
	reads, forms := norm.NFKC.String(word), 0
	for _, r := range reads {
		if r >= 0x80 {
			return "", false
		}
	}
	for _, r := range word {
		if r >= 0xff10 && r <= 0xff5a || r >= 0x1d400 && r <= 0x1d7ff || r >= 0x24b6 && r <= 0x24e9 {
			forms++
		}
	}
	return reads, forms >= 2
}
