package find

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
)

// item makes what may be found of a record's line.
func item(file figs.File, line string) *Item {
	fold := figs.Fold([][]byte{[]byte(line)})
	it := &Item{File: file, ID: fold.Get("id").Text(), Fold: fold}
	it.At, _ = figs.ParseTime(fold.Get("ts").Text())
	it.Folded = AppendRecord(nil, fold)
	if file == figs.Runs {
		it.Outcome = figs.RunOutcome(fold)
	}
	return it
}

// things is a small journal.
func things() map[string]*Item {
	ask := item(figs.Asks, `{"id":"acme-2026-00007","ts":"2026-05-04T10:00:00Z","type":"sign-off","to":"manager","title":"Close for Größe GmbH","need":"Approve the bank statement","unit":"Acme Pro","attachments":["acme-1.html"]}`)
	ask.Round = 2
	closed := item(figs.Asks, `{"id":"older","ts":"2025-12-31T23:59:59Z","type":"question","to":"builder","title":"Which prefix?","status":"resolved"}`)
	closed.Phase, closed.Round = figs.Resolved, 1
	waiting := item(figs.Asks, `{"id":"waiting","ts":"2026-05-31T23:59:59Z","type":"question","title":"Strip it?"}`)
	waiting.Phase, waiting.Round = figs.Replied, 1
	file := &Item{File: Attached, ID: "acme-1.html", At: figs.NoTime, Folded: AppendFile(nil, "acme-1.html", []byte("The bank statement of May"))}
	return map[string]*Item{
		"ask": ask, "closed": closed, "waiting": waiting, "file": file,
		"ok":     item(figs.Runs, `{"id":"close-1","ts":"2026-05-01T00:00:00+02:00","title":"Monthly close","status":"ok","result":"Matched 1,204 rows"}`),
		"fail":   item(figs.Runs, `{"id":"close-2","ts":"2026-06-01T00:00:00Z","title":"Monthly close","status":"fail","unit":"acme"}`),
		"flying": item(figs.Runs, `{"id":"close-3","title":"Monthly close","state":"in-flight"}`),
		"odd":    item(figs.Runs, `{"id":"close-4","title":"Odd","status":"excellent"}`),
		"reply":  item(figs.Messages, `{"id":"m1","ts":"2026-05-04T12:00:00Z","kind":"verdict","by":"Ana Lima","ask":"acme-2026-00007","text":"Statement looks right"}`),
	}
}

// TestMatch holds the language to its examples.
func TestMatch(t *testing.T) {
	all := things()
	for search, want := range map[string]string{
		"monthly":                   "fail flying ok",
		"MONTH clo":                 "fail flying ok",
		"onthly":                    "",
		"statement":                 "ask file reply",
		`"bank statement"`:          "ask file",
		`"bank state"`:              "",
		`bank-state`:                "ask file",
		`"statement bank"`:          "",
		`"sign off manager"`:        "", // two texts
		"may":                       "file",
		"größe":                     "ask",
		"GRÖSSE":                    "ask",
		"groesse":                   "ask",
		"grosse":                    "ask",
		`"grosse"`:                  "",
		"closes":                    "ask fail flying odd ok",
		"statements":                "ask file reply",
		`"statements"`:              "",
		"matching":                  "ok",
		"GRÖß":                      "ask",
		"acme-2026":                 "ask reply",
		"1,204":                     "ok",
		"2026":                      "ask reply",
		"statement -in:replies":     "ask file",
		`-"monthly close" in:jobs`:  "odd",
		"in:jobs":                   "fail flying odd ok",
		"in:runs":                   "fail flying odd ok",
		"in:asks":                   "ask closed waiting",
		"in:replies":                "reply",
		"in:files":                  "file",
		"IN:Files":                  "file",
		"is:needs":                  "ask",
		"is:waiting":                "waiting",
		"is:open":                   "ask waiting",
		"is:closed":                 "closed",
		"-is:closed in:asks":        "ask waiting",
		"is:in-flight":              "flying",
		"is:settled":                "fail odd ok",
		"status:ok":                 "ok",
		"status:fail":               "fail",
		"status:unknown":            "odd",
		"status:warn":               "",
		"-status:fail in:jobs":      "flying odd ok",
		"type:sign-off":             "ask",
		"type:question":             "closed waiting",
		"to:builder":                "closed",
		"to:manager":                "ask",
		"by:ana":                    "reply",
		`by:"ana lima"`:             "reply",
		"by:li":                     "reply",
		"by:na":                     "",
		"unit:acme":                 "ask fail",
		`unit:"acme pro"`:           "ask",
		"round:2":                   "ask",
		"round:>1":                  "ask",
		"round:<2":                  "closed waiting",
		"round:>=1":                 "ask closed waiting",
		"round:<=1":                 "closed waiting",
		"has:attachment":            "ask",
		"file:acme":                 "ask file",
		"file:1.html in:files":      "file",
		"id:close":                  "fail flying odd ok",
		"id:acme-2026":              "ask",
		"id:00007":                  "",
		"on:2026-05-04":             "ask reply",
		"on:2026-05":                "ask reply waiting",
		"on:2025":                   "closed",
		"on:2026":                   "ask fail ok reply waiting",
		"before:2026":               "closed",
		"before:2026-05-01":         "closed ok",
		"after:2026-05-04":          "fail waiting",
		"after:2026-05":             "fail",
		"after:2026-05 before:2027": "fail",
		"-on:2026 in:jobs":          "flying odd",
		"type:sign-off in:jobs":     "",
		"":                          "ask closed fail file flying odd ok reply waiting",
	} {
		q := Parse(search)
		var found []string
		for name, it := range all {
			if q.Match(it) {
				found = append(found, name)
				if !q.Derived(it) {
					t.Errorf("%s: %s matches, and what is derived says that it does not", search, name)
				}
			}
		}
		slices.Sort(found)
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s finds %q, want %q", search, got, want)
		}
	}
}

// TestNotes says what is not understood, and what would be.
func TestNotes(t *testing.T) {
	for search, want := range map[string][]Note{
		"stauts:fail":                    {{Kind: UnknownField, End: 11, Field: "stauts", Value: "fail", Fix: "status:fail"}},
		"x -stauts:fail":                 {{Kind: UnknownField, Start: 2, End: 14, Field: "stauts", Value: "fail", Fix: "-status:fail"}},
		"error:timeout":                  {{Kind: UnknownField, End: 13, Field: "error", Value: "timeout", Fix: `"error timeout"`}},
		"https://example.org":            nil,
		"10:30":                          nil,
		"C:close":                        nil,
		"status:failed":                  {{Kind: UnknownValue, End: 13, Field: "status", Value: "failed", Fix: "status:fail", Choices: statusWords}},
		"is:blue":                        {{Kind: UnknownValue, End: 7, Field: "is", Value: "blue", Choices: isWords}},
		"on:may":                         {{Kind: NoDate, End: 6, Field: "on", Value: "may"}},
		"on:2026-02-30":                  {{Kind: NoDate, End: 13, Field: "on", Value: "2026-02-30"}},
		"on:2026-13":                     {{Kind: NoDate, End: 10, Field: "on", Value: "2026-13"}},
		"round:two":                      {{Kind: NoNumber, End: 9, Field: "round", Value: "two"}},
		"round:>":                        {{Kind: NoNumber, End: 7, Field: "round", Value: ">"}},
		"is:":                            {{Kind: NoValue, End: 3, Field: "is", Choices: isWords}},
		"-- x":                           {{Kind: NoLetters, End: 2}},
		`""`:                             {{Kind: NoLetters, End: 2}},
		"status:ok type:sign-off":        {{Kind: Nothing, End: 23}},
		strings.Repeat("x", 1001):        {{Kind: TooLong, Start: 1000, End: 1001}},
		strings.Repeat("a ", 16) + "b c": {{Kind: TooMany, Start: 32, End: 35}},
	} {
		q := Parse(search)
		if !slices.EqualFunc(q.Notes, want, func(a, b Note) bool {
			return a.Kind == b.Kind && a.Start == b.Start && a.End == b.End && a.Field == b.Field && a.Value == b.Value && a.Fix == b.Fix && slices.Equal(a.Choices, b.Choices)
		}) {
			t.Errorf("%s: %+v, want %+v", search, q.Notes, want)
		}
		for i := range q.Notes {
			if n := &q.Notes[i]; n.Fix != "" && len(Parse(q.Fixed(n)).Notes) >= len(q.Notes) {
				t.Errorf("%s: %s mends nothing", search, q.Fixed(n))
			}
		}
	}
}

func TestWith(t *testing.T) {
	for _, c := range [][3]string{
		{"", "in:jobs", "in:jobs"}, {"bank", "in:jobs", "bank in:jobs"}, {"bank in:jobs", "in:jobs", "bank"}, {"in:asks bank", "in:jobs", "bank in:jobs"},
		{"-in:asks", "in:jobs", "-in:asks in:jobs"}, {`"a b" is:needs`, "status:fail", `"a b" is:needs status:fail`}, {"In:Jobs x", "in:jobs", "x"},
	} {
		if got := Parse(c[0]).With(c[1]); got != c[2] {
			t.Errorf("%q with %q is %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestWider(t *testing.T) {
	for search, want := range map[string][]Wider{
		"a": nil, "": nil, "a -b": {{"a", "-b"}}, `a in:jobs "b c`: {{"a", `in:jobs "b c"`}, {"in:jobs", `a "b c"`}, {`"b c"`, "a in:jobs"}},
	} {
		if got := Parse(search).Wider(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", search, got, want)
		}
	}
}

// FuzzParse holds any search to what pages and indexes rely on.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "a", `"a b`, "-", "--", "in:", "-in:jobs", "round:>=2", "on:9999-12-31", "on:2026-12", "é:x", "a:b:c", "\x00", "by:\"Ana\" -x", "http://x"} {
		f.Add(seed)
	}
	all := things()
	f.Fuzz(func(t *testing.T, search string) {
		q := Parse(search)
		for i := range q.Notes {
			n := &q.Notes[i]
			if n.Start > n.End || n.End > len(search) {
				t.Fatalf("a note stands at %d to %d of %d", n.Start, n.End, len(search))
			}
			q.Fixed(n)
		}
		for _, it := range all {
			if q.Match(it) && !q.Derived(it) {
				t.Fatal("derived says no to what matches")
			}
		}
		q.Words(func(words, other string, _ bool) {
			for _, words := range []string{words, other} {
				if words == "" && other == "" {
					continue
				}
				if words == "" || strings.TrimSpace(words) != words || string(AppendFolded(nil, []byte(words))) != " "+words+" " {
					t.Fatalf("%q is not folded", words)
				}
			}
		})
		for _, w := range q.Wider() {
			if n := len(Parse(w.Search).terms); n != len(q.terms)-1 {
				t.Fatalf("%q without %q is %q, of %d parts", search, w.Part, w.Search, n)
			}
		}
		for _, part := range []string{"in:jobs", "is:needs"} {
			if with := Parse(q.With(part)); len(search) < 500 && len(q.terms) < 15 && !q.Has(part) && !with.Has(part) {
				t.Fatalf("%q with %s is %q", search, part, q.With(part))
			}
		}
	})
}

// FuzzMark holds the search in folded text, and the place of a mark, to a plain version that goes
// from word to word.
func FuzzMark(f *testing.F) {
	f.Add("The bank statement", "bank st")
	f.Add("Größe, ÄRGER", "grö")
	f.Add("Ωmega ЁЛКА", `"ёлка"`)
	f.Add("a\xffb é", "b")
	f.Add("x. y", `"x y"`)
	f.Add("Verträge, Rechnungsnummer", "Vertrags")
	f.Add("drei Rechnungen", "rechnungen")
	f.Add("Ärger ß", "a")
	f.Fuzz(func(t *testing.T, text, search string) {
		q := Parse(search)
		if len(q.terms) != 1 || q.terms[0].field != inText || q.terms[0].not {
			return
		}
		term := &q.terms[0]
		quoted := term.word[len(term.word)-1] == ' '
		want, other := strings.Fields(string(term.word)), strings.TrimSpace(string(term.other))
		words := strings.Fields(string(AppendFolded(nil, []byte(text))))
		found := false
		for i := range words {
			if i+len(want) > len(words) {
				break
			}
			last := i + len(want) - 1
			ok := slices.Equal(words[i:last], want[:len(want)-1])
			if quoted {
				ok = ok && words[last] == want[len(want)-1]
			} else {
				ok = ok && (strings.HasPrefix(words[last], want[len(want)-1]) || other != "" && strings.HasPrefix(words[last], other))
			}
			found = found || ok
		}
		it := &Item{File: Attached, ID: "x", Folded: AppendFolded(nil, []byte(text))}
		if q.Match(it) != found {
			t.Fatalf("%q in %q: %v, want %v", search, text, !found, found)
		}
		start, end := q.Mark([]byte(text))
		if (end > 0) != found {
			t.Fatalf("%q in %q is marked at %d to %d, found %v", search, text, start, end, found)
		}
		if found && utf8.ValidString(text) && !utf8.ValidString(text[start:end]) {
			t.Fatalf("%q cuts a character of %q", text[start:end], text)
		}
		if found && !q.Match(&Item{File: Attached, Folded: AppendFolded(nil, []byte(text[start:end]))}) {
			t.Fatalf("%q is marked in %q, and does not match by itself", text[start:end], text)
		}
		marks, last := q.Marks([]byte(text), false), 0
		if len(marks) > 0 != found || found && (marks[0] != Span{start, end}) {
			t.Fatalf("%q in %q is marked at %d to %d, and at %v", search, text, start, end, marks)
		}
		for _, m := range marks {
			if m.Start < last || m.End <= m.Start || m.End > len(text) {
				t.Fatalf("%q in %q is marked at %v", search, text, marks)
			}
			last = m.End
		}
	})
}
