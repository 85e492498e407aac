package receipt

import (
	"reflect"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	key := []Key{KeyOf(seed)}
	files := map[string]string{"list.csv": sum}
	asks := raised + "\n" + again1 + "\n" + closed + "\n"
	tests := []struct {
		lesson  string
		copy    *Copy
		keys    []Key
		verdict Verdict
		says    string // in the sentence, a fault or a limit
	}{
		{"accepted", good(), key, VerdictSigned, "Signed by " + key[0].Short()},
		{"unknown", good(), nil, VerdictConsistent, "Consistent, signer unknown."},
		{"nothing to compare", nil, key, VerdictSigned, "Only the signature was checked: there is no folder"},
		{"nothing to compare, unknown", nil, nil, VerdictConsistent, "The signature is good, signer unknown."},
		{"before the close", copyOf(raised+"\r\n\r\n"+again1, minted, files), key, VerdictSigned, "Signed by"},
		{"as JavaScript writes numbers", copyOf(strings.Replace(raised, "1.50", "1.5", 1)+"\n"+again1, minted, files), key, VerdictSigned, "Signed by"},
		{"a copy adds a field and a source", copyOf(asks, strings.Replace(minted, `"source":"app"`, `"source":"chat","seen":true`, 1), files), key, VerdictSigned, "Signed by"},
		{"another agent", otherAgent(), key, VerdictNotCompared, "belongs to another agent"},
		{"another agent, unknown", otherAgent(), nil, VerdictNotCompared, "could not be compared with this folder"},
		{"the file is not here", copyOf(asks, minted, nil), key, VerdictSigned, "Some attachments are not in this copy"},
		{"not synced yet", copyOf(asks, "", files), key, VerdictSigned, "not in the folder yet"},
		{"not synced, unknown", copyOf(asks, "", files), nil, VerdictRefused, "nothing here supports it"},
		{"another reply", copyOf(asks, strings.Replace(minted, "Yes", "No", 1), files), key, VerdictRefused, "another reply"},
		{"a reply without its notes", copyOf(asks, strings.Replace(minted, `,"reviewed":[{"n":1}]`, "", 1), files), key, VerdictRefused, "another reply"},
		{"the first of an id counts", copyOf(asks, strings.Replace(minted, "approved", "rejected", 1)+"\n"+minted, files), key, VerdictRefused, "another reply"},
		{"no such ask", copyOf("", minted, files), key, VerdictRefused, "no ask of its id"},
		{"the ask before it was raised again", copyOf(raised, minted, files), key, VerdictRefused, `"onApprove", "status", "ts"`},
		{"other steps", copyOf(strings.Replace(asks, "Tell them", "Tell Tom", 1), minted, files), key, VerdictRefused, `What differs: "onApprove".`},
		{"other bytes", copyOf(asks, minted, map[string]string{"list.csv": strings.Repeat("2", 64)}), key, VerdictRefused, "Attachment 1 has other bytes"},
	}
	r := signed(t, facts())
	for _, test := range tests {
		rep := Check(r, test.copy, test.keys)
		all := strings.Join(append(append([]string{rep.Sentence()}, rep.Faults()...), rep.Limits()...), "\n")
		if rep.Verdict() != test.verdict || !strings.Contains(all, test.says) {
			t.Errorf("%s: %v, %s; want %v and %q", test.lesson, rep.Verdict(), all, test.verdict, test.says)
		}
		if strings.Contains(strings.ToLower(all), "verified") {
			t.Errorf("%s: a check calls something verified: %s", test.lesson, all)
		}
	}
}

func otherAgent() *Copy {
	c := good()
	config := c.folder.Small(4)
	copy(config, strings.Replace(string(config), "0D4F", "0D40", 1))
	return c
}

func TestCheckDetails(t *testing.T) {
	rep := Check(signed(t, facts()), good(), nil)
	if rep.Line != 2 || rep.Lines != 3 || !reflect.DeepEqual(rep.Files, []Match{MatchSame, MatchNotCompared}) || rep.Message != MatchSame || !rep.Compared {
		t.Errorf("Check = %+v", rep)
	}
}

// Whoever writes a receipt anew can sign it with a key of theirs, and with no other.
func TestForged(t *testing.T) {
	f := facts()
	f.Line = []byte(strings.Replace(minted, `"approved"`, `"rejected"`, 1))
	r := signed(t, f)
	mine := KeyOf([]byte(strings.Repeat("x", 32)))
	if got := Check(r, nil, []Key{mine}).Verdict(); got != VerdictConsistent {
		t.Errorf("a key that is not accepted: %v", got)
	}
	r.Key = string(mine)
	if rep := Check(r, nil, []Key{mine}); rep.Verdict() != VerdictRefused || rep.Signature != SignatureBad {
		t.Errorf("a foreign key: %v", rep.Verdict())
	}
	r = signed(t, f)
	r.Signature = ""
	if rep := Check(r, good(), []Key{KeyOf(seed)}); rep.Verdict() != VerdictRefused || rep.Signature != SignatureAbsent {
		t.Errorf("no signature: %v", rep.Verdict())
	}
}

// A trail of millions of lines costs a bounded time, and is not called different.
func TestCheckIsBounded(t *testing.T) {
	line := `{"id":"pay-1","x":"` + strings.Repeat("x", 1<<20) + `"}` + "\n"
	rep := Check(signed(t, facts()), copyOf(strings.Repeat(line, 80), minted, nil), []Key{KeyOf(seed)})
	if rep.Ask != MatchNotCompared || rep.Verdict() != VerdictNotCompared || !strings.Contains(strings.Join(rep.Limits(), " "), "too long") {
		t.Errorf("Check = %v %v", rep.Ask, rep.Limits())
	}
}
