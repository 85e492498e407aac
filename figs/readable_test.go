package figs

import (
	"math/rand/v2"
	"testing"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// checkReadable wants a string that readable lets pass, and that has no comma where commaAstray looks, to need no look indeed.
func checkReadable(t *testing.T, text string) (passed bool) {
	t.Helper()
	line := []byte(`{"a":"` + text + `"}`)
	var s jsonl.Scanner
	if ln := s.Scan(append(line, '\n'), 0); ln.Status != jsonl.Whole || len(s.Members) != 1 || !readable(line) {
		return false
	}
	if jsonl.InvalidUTF8(line) >= 0 {
		t.Fatalf("%q is called readable and is not UTF-8", line)
	}
	if commaAstray(line) || text != "" && text[0]|2 == '.' {
		return false
	}
	decoded := jsonl.AppendText(nil, line[5:len(line)-1])
	if dollarEaten(decoded) || HiddenCharacter(decoded) >= 0 {
		t.Fatalf("%q is called readable: a dollar is missing is %v, the hidden character is %x", line, dollarEaten(decoded), HiddenCharacter(decoded))
	}
	return true
}

func TestReadable(t *testing.T) {
	pieces := []string{",500", ".00", ",", ".", "5", "a", "word", " ", "(", "[", "{", `\n`, `\t`, `\b`, `\"`, `\\`, `\/`, `\u0020`, `\u002c500`, `\u002E00`, `\u0028`, `\u00a0`, `\u200b`, `\u200D`,
		`\u2003`, `\ud83d\ude00`, `\udb40\udc41`, `\ud83d`, `\ude00`, `\u007f`, `\u0041`, "é", "—", "✓", "\u00a0", "\u2003", "\u3000", "\u200b", "\u200d", "\u00ad", "\U000E0041", "😀", "\x7f", "\xff", "\xe2\x80", "\xed\xa0\x80"}
	r := rand.New(rand.NewPCG(1, 2))
	passed := 0
	for range 200_000 {
		text := ""
		for range 1 + r.IntN(6) {
			text += pieces[r.IntN(len(pieces))]
		}
		if checkReadable(t, text) {
			passed++
		}
	}
	if passed < 10_000 {
		t.Errorf("only %d texts are called readable", passed)
	}
}

// FuzzReadable holds readable to what it stands for.
func FuzzReadable(f *testing.F) {
	f.Add(`a\u002c500`)
	f.Add("caf\u00e9 \u2014,500")
	f.Fuzz(func(t *testing.T, text string) { checkReadable(t, text) })
}
