package cue

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// likeness pairs letters of other scripts with the Latin ones that they look like in common fonts.
const likeness = "аaеeоoрpсcуyхxіiјjѕsԁdԛqԝwһhӏlкkмmтtвbнhАAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXҮYԌGԜW" +
	"αaεeοoρpιiκkνvτtυuχxωwγyηnΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϲcϳj" +
	"օoսuհhցgոnզqѡwɡgɑa"

var latin = func() map[rune]rune {
	m := map[rune]rune{}
	letters := []rune(likeness)
	for i := 0; i+1 < len(letters); i += 2 {
		m[letters[i]] = letters[i+1]
	}
	return m
}()

// Latin returns the Latin letter that a letter of another script, or of a tag, looks like.
func Latin(r rune) (rune, bool) {
	switch {
	case r < 0x80:
		return 0, false
	case 0xff21 <= r && r <= 0xff5a: // wide forms
		return r - 0xfee0, true
	}
	l, ok := latin[r]
	return l, ok
}

// Mixed reports whether a word is written in Latin letters but for some of another script that look like
// them, and returns what a person reads. Greek letters at its beginning are a formula's: ρmax.
func Mixed(word string) (string, bool) {
	own, foreign := 0, 0
	for _, r := range word {
		switch {
		case r < 0x80 && unicode.IsLetter(r):
			own++
		case r < 0x370 && latin[r] == 0:
		case r >= 0x370 && r < 0x400 && own == 0 && latin[r] != 0:
		case latin[r] != 0:
			foreign++
		case unicode.IsLetter(r):
			return "", false // a word of that script, with a sign in Latin
		}
	}
	if own == 0 || foreign == 0 || own+foreign < 3 {
		return "", false
	}
	return strings.Map(func(r rune) rune {
		if l := latin[r]; l != 0 {
			return l
		}
		return r
	}, word), true
}

// twins are the letters that look like their Latin ones in nearly every font. The others of likeness deceive among Latin
// letters alone: "москва" reads as no Latin word.
const twins = "аеорсухіјѕԁԛԝһӏАВЕЅІЈКМНОРСТУХҮԌԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧονϲϳօսհցզ"

// Whole reports whether every letter of a word is the twin of a Latin one, and returns what a person reads.
func Whole(word string) (string, bool) {
	letters := 0
	reads := strings.Map(func(r rune) rune {
		if l := latin[r]; l != 0 && strings.ContainsRune(twins, r) {
			letters++
			return l
		}
		if unicode.IsLetter(r) {
			letters = -1 << 20
		}
		return r
	}, word)
	return reads, letters >= 3
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
