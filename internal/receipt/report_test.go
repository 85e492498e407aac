package receipt

import (
	"slices"
	"strings"
	"testing"
)

// report is one in which everything fits; a test changes it.
func report(change func(*Report)) *Report {
	r := &Report{Signature: SignatureGood, Key: KeyOf(seed), Compared: true, Message: MatchSame, Ask: MatchSame, Files: []Match{MatchSame}}
	change(r)
	return r
}

// What a report comes to, and what it says of its limits, by one fact at a time.
func TestReport(t *testing.T) {
	const (
		noFolder = "there is no folder to compare"
		other    = "belongs to another agent"
		large    = "too large to be compared"
		redacted = "placeholders stand"
		trail    = "its trail is too long"
		notYet   = "not in the folder yet"
		missing  = "Some attachments are not in this copy"
	)
	for lesson, c := range map[string]struct {
		change  func(*Report)
		verdict Verdict
		faults  int
		limits  []string
	}{
		"all fits": {func(*Report) {}, VerdictConsistent, 0, nil},
		"accepted": {func(r *Report) { r.Accepted = true }, VerdictSigned, 0, nil},
		"no folder": {func(r *Report) {
			r.Compared, r.Message, r.Ask, r.Files = false, MatchNotCompared, MatchNotCompared, nil
		}, VerdictConsistent, 0, []string{noFolder}},
		"another agent's": {func(r *Report) {
			r.Compared, r.Other, r.Message, r.Ask, r.Files = false, true, MatchNotCompared, MatchNotCompared, nil
		}, VerdictNotCompared, 0, []string{other}},
		"a large one": {func(r *Report) {
			r.Compared, r.Large, r.Message, r.Ask, r.Files = false, true, MatchNotCompared, MatchNotCompared, nil
		}, VerdictNotCompared, 0, []string{large}},
		"the ask is too long":                  {func(r *Report) { r.Ask, r.Accepted = MatchNotCompared, true }, VerdictNotCompared, 0, []string{trail}},
		"redacted, and all fits":               {func(r *Report) { r.Redacted = true }, VerdictConsistent, 0, nil},
		"redacted, and the ask differs":        {func(r *Report) { r.Redacted, r.Ask = true, MatchDiffers }, VerdictRefused, 1, []string{redacted}},
		"redacted, and the reply differs":      {func(r *Report) { r.Redacted, r.Message = true, MatchDiffers }, VerdictRefused, 1, []string{redacted}},
		"redacted, and a file differs":         {func(r *Report) { r.Redacted, r.Files = true, []Match{MatchSame, MatchDiffers} }, VerdictRefused, 1, []string{redacted}},
		"the ask differs":                      {func(r *Report) { r.Ask = MatchDiffers }, VerdictRefused, 1, nil},
		"no such ask":                          {func(r *Report) { r.Ask = MatchMissing }, VerdictRefused, 1, nil},
		"the reply differs":                    {func(r *Report) { r.Message = MatchDiffers }, VerdictRefused, 1, nil},
		"two files differ":                     {func(r *Report) { r.Files = []Match{MatchDiffers, MatchSame, MatchDiffers} }, VerdictRefused, 2, nil},
		"a file is missing":                    {func(r *Report) { r.Files = []Match{MatchSame, MatchMissing} }, VerdictConsistent, 0, []string{missing}},
		"the reply is missing":                 {func(r *Report) { r.Message = MatchMissing }, VerdictRefused, 1, nil},
		"the reply is missing, and accepted":   {func(r *Report) { r.Message, r.Accepted = MatchMissing, true }, VerdictSigned, 0, []string{notYet}},
		"no signature":                         {func(r *Report) { r.Signature = SignatureAbsent }, VerdictRefused, 1, nil},
		"a bad signature":                      {func(r *Report) { r.Signature, r.Accepted = SignatureBad, true }, VerdictRefused, 1, nil},
		"a bad signature by a key of anybody":  {func(r *Report) { r.Signature, r.Key = SignatureBad, Key(encode(make([]byte, 32))) }, VerdictRefused, 1, nil},
		"a good signature by a key of anybody": {func(r *Report) { r.Key = Key(encode(make([]byte, 32))) }, VerdictConsistent, 0, nil},
	} {
		r := report(c.change)
		if got := r.Verdict(); got != c.verdict || len(r.Faults()) != c.faults {
			t.Errorf("%s: Verdict = %v with %q; want %v with %d faults", lesson, got, r.Faults(), c.verdict, c.faults)
		}
		limits := r.Limits()
		if len(limits) != len(c.limits) || len(limits) == 1 && !strings.Contains(limits[0], c.limits[0]) {
			t.Errorf("%s: Limits = %q, want %q", lesson, limits, c.limits)
		}
	}
}

// The sentence says why a receipt is refused: alone, or against a folder.
func TestSentence(t *testing.T) {
	for want, change := range map[string]func(*Report){
		"Consistent, signer unknown.":                                          func(*Report) {},
		"The signature is good, signer unknown.":                               func(r *Report) { r.Compared = false },
		"The receipt could not be compared with this folder.":                  func(r *Report) { r.Other = true },
		"Refused: the receipt and the folder contradict each other.":           func(r *Report) { r.Ask = MatchDiffers },
		"Refused: this receipt proves nothing.":                                func(r *Report) { r.Signature, r.Ask = SignatureBad, MatchDiffers },
		"Signed by " + KeyOf(seed).Short() + ", a key that you have accepted.": func(r *Report) { r.Accepted = true },
	} {
		if got := report(change).Sentence(); got != want {
			t.Errorf("Sentence = %q, want %q", got, want)
		}
	}
}

func TestListed(t *testing.T) {
	for fields, want := range map[string]string{
		"a": `"a"`, "a b c d e": `"a", "b", "c", "d", "e"`, "a b c d e f": `"a", "b", "c", "d", "e" and 1 more`, "a b c d e f g é": `"a", "b", "c", "d", "e" and 3 more`, "é": `"\u00e9"`,
	} {
		if got := listed(strings.Fields(fields)); got != want {
			t.Errorf("listed(%s) = %s, want %s", fields, got, want)
		}
	}
}

func TestPartOf(t *testing.T) {
	for how, want := range map[string]int{"part-1": 1, "part-62": 62, "part-99": 99, "part-0": 0, "part-100": 0, "part-07": 0, "part-+7": 0, "part-": 0, "part-x": 0, "62": 0, "screen": 0, "part--1": 0} {
		if got := ParsePart(how); got != want {
			t.Errorf("PartOf(%q) = %d, want %d", how, got, want)
		}
	}
}

func TestTimeText(t *testing.T) {
	for text, want := range map[string]Time{"": 0, "2026-11-20T12:30:00.000001Z": 1_795_177_800_000_001} {
		got := Time(7)
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want || want.String() != text {
			t.Errorf("UnmarshalText(%q) = %d, %v, which is written %q", text, got, err, want)
		}
	}
	for _, text := range []string{"2026-11-20", "2026-11-20T12:30:00Z", "2026-11-20T12:30:00.000001+01:00"} {
		if err := new(Time).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for a time", text)
		}
	}
}

// A copy is compared to the state that comes nearest, of several the last.
func TestNearestState(t *testing.T) {
	r := signed(t, facts())
	for lesson, c := range map[string]struct {
		asks string
		want []string
	}{
		"the first line is nearest": {strings.Replace(raised, "1.50", "2", 1) + "\n" + `{"id":"pay-1","x":1}`, []string{"amount", "onApprove", "status", "ts"}},
		"a later one is nearer":     {strings.Replace(raised, "1.50", "2", 1) + "\n" + again1, []string{"amount"}},
		"two are as near":           {strings.Replace(raised, "1.50", "2", 1) + "\n" + strings.Replace(again1, `"onApprove":["Pay","Tell them"],`, "", 1) + "\n" + `{"id":"pay-1","amount":1.50,"title":"x"}`, []string{"onApprove", "title"}},
	} {
		if rep := Check(r, copyOf(c.asks, minted, nil), nil); rep.Ask != MatchDiffers || !slices.Equal(rep.Fields, c.want) || rep.Line != 0 || rep.Lines != 1+strings.Count(c.asks, "\n") {
			t.Errorf("%s: %v, fields %q, line %d of %d; want %q", lesson, rep.Ask, rep.Fields, rep.Line, rep.Lines, c.want)
		}
	}
}

// A value that is not there is only the same as another that is not.
func TestSameAbsent(t *testing.T) {
	for _, c := range []struct {
		a, b []byte
		want bool
	}{{nil, nil, true}, {nil, []byte("null"), false}, {[]byte("null"), nil, false}, {[]byte("null"), []byte("null"), true}} {
		if got := same(c.a, c.b); got != c.want {
			t.Errorf("same(%q, %q) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// A file that is as large as a receipt may be is read.
func TestReadLargest(t *testing.T) {
	if _, err := Read(make([]byte, MaxSize)); err != ErrNotReceipt {
		t.Errorf("as large as may be: %v, want %v", err, ErrNotReceipt)
	}
}
