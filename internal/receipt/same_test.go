package receipt

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// TestSameNumbersByDigits: numbers are one when they are the same number, not when their nearest 64-bit floats are.
func TestSameNumbersByDigits(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"1", "1.0", true}, {"1.50", "1.5", true}, {"15e-1", "0.15E+1", true}, {"100", "1e2", true}, {"-0", "0", true}, {"0.000", "0e9", true}, {"0e99999999999", "0", true},
		{"100000000000000001", "100000000000000000", false}, {"9007199254740993", "9007199254740992", false}, {"0.10000000000000000001", "0.1", false},
		{"-1", "1", false}, {"1e400", "2e400", false}, {"1e400", "10e399", true}, {"1e-400", "0", false}, {"1e99999999999", "1e99999999998", false}, {"10", "1", false},
		{"1", `"1"`, false}, {"null", "0", false}, {"true", "1", false},
		{`{"a":[1.0,{"b":12345678901234567890}]}`, `{"a":[1,{"b":12345678901234567890.0}]}`, true}, {`{"a":[1,{"b":12345678901234567891}]}`, `{"a":[1,{"b":12345678901234567890}]}`, false},
		{`{"a":1,"b":2}`, `{ "b" : 2 , "a" : 1 }`, true}, {`"\u00e9"`, `"é"`, true},
	} {
		if got := same([]byte(test.a), []byte(test.b)); got != test.want || same([]byte(test.b), []byte(test.a)) != test.want {
			t.Errorf("same(%s, %s) = %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

// FuzzSameNumbers holds the comparison to exact arithmetic.
func FuzzSameNumbers(f *testing.F) {
	f.Add("1.50", "15e-1")
	f.Add("100000000000000001", "1e17")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, s := range []string{a, b} {
			_, power, _ := strings.Cut(strings.ToLower(s), "e")
			if len(s) > 40 || len(power) > 4 || !json.Valid([]byte(s)) || strings.Trim(s, "+-0123456789.eE") != "" {
				return
			}
		}
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		if got, want := same([]byte(a), []byte(b)), x.Cmp(y) == 0; got != want {
			t.Errorf("same(%s, %s) = %v", a, b, got)
		}
	})
}

// TestCheckExactNumbers: a folder with another amount is refused, however near the amounts are.
func TestCheckExactNumbers(t *testing.T) {
	f := facts()
	for _, pair := range [][2]string{{"100000000000000000", "100000000000000001"}, {"0.1", "0.10000000000000000001"}} {
		was, is := strings.Replace(raised, "1.50", pair[0], 1), strings.Replace(raised, "1.50", pair[1], 1)
		f.Fold = figs.AppendObject(nil, figs.Fold([][]byte{[]byte(was), []byte(again1)}))
		f.Revision = revision(f.Fold)
		r := signed(t, f)
		files := map[string]string{"list.csv": sum}
		if rep := Check(r, copyOf(was+"\n"+again1, minted, files), []Key{KeyOf(seed)}); rep.Verdict() != VerdictSigned {
			t.Errorf("%s: %v", pair[0], rep.Faults())
		}
		if rep := Check(r, copyOf(is+"\n"+again1, minted, files), []Key{KeyOf(seed)}); rep.Verdict() != VerdictRefused || rep.Ask != MatchDiffers {
			t.Errorf("%s for %s: %v, ask %v", pair[1], pair[0], rep.Verdict(), rep.Ask)
		}
	}
}
