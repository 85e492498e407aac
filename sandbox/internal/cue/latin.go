package cue

import (
	"strings"
	"unicode"
)

// likeness pairs letters of other scripts with the Latin ones that they look like in common fonts.
const likeness = "аaеeоoрpсcуyхxіiјjѕsԁdԛqԝwһhӏlкkмmтtвbнhАAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXҮYԌGԜW" +
	"αaεeοoρpιiκkνvτtυuχxωwγyηnΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϲcϳj" +
	"օoսuհhցgոnզqѡw"

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
		case r < 0x370:
		case r < 0x400 && own == 0 && latin[r] != 0:
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
