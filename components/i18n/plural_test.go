package i18n

import (
	"context"
	"testing"
	"time"

	catalogue "github.com/figs-web/figs-web/components/words"
)

// TestCountForms says numbers with the form that each language has for them.
func TestCountForms(t *testing.T) {
	polish := catalogue.Parse([]byte(`msgid ""
msgstr "Language: pl\nPlural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"

msgid "%d job"
msgid_plural "%d jobs"
msgstr[0] "%d zadanie"
msgstr[1] "%d zadania"
msgstr[2] "%d zadań"
`))
	for _, test := range []struct {
		code string
		ctx  context.Context
		want map[int]string
	}{
		{"en", context.Background(), map[int]string{0: "0 jobs", 1: "1 job", 2: "2 jobs", 5: "5 jobs", 11: "11 jobs", 21: "21 jobs", 1234: "1,234 jobs"}},
		{"de", WithLanguage(context.Background(), "de"), map[int]string{0: "0 Aufträge", 1: "1 Auftrag", 2: "2 Aufträge", 5: "5 Aufträge", 11: "11 Aufträge", 21: "21 Aufträge", 1234: "1.234 Aufträge"}},
		{"pl", context.WithValue(context.Background(), languageKey{}, language{words: polish.Say, count: polish.Count, Language: catalogue.Language{Code: "pl", Group: "\u00a0", Point: ","}}),
			map[int]string{0: "0 zadań", 1: "1 zadanie", 2: "2 zadania", 5: "5 zadań", 11: "11 zadań", 21: "21 zadań", 22: "22 zadania", 1234: "1\u00a0234 zadania"}},
		{"en-XA", WithLanguage(context.Background(), "en-XA"), map[int]string{1: "⟦1 ĵóƀ⟧", 2: "⟦2 ĵóƀš ó⟧", 1234: "⟦1'234 ĵóƀš ó⟧"}},
		{"a code of none", WithLanguage(context.Background(), "../de"), map[int]string{1: "1 job", 2: "2 jobs"}},
	} {
		for n, want := range test.want {
			if got := Count(test.ctx, n, "%d job", "%d jobs"); got != want {
				t.Errorf("%s: %d is %q, want %q", test.code, n, got, want)
			}
		}
	}
}

// TestDatePseudo writes dates whose layouts are sentences, and those whose layout is one name.
func TestDatePseudo(t *testing.T) {
	at := dateOf(t, "2026-03-06T09:05:00Z")
	for _, test := range []struct{ code, layout, want string }{
		{"en", "Mon 2 Jan, 15:04", "Fri 6 Mar, 09:05"},
		{"de", "Jan", "März"},
		{"en-XA", "Mon 2 Jan, 15:04", "⟦⟦Ƒŕî⟧ 6 ⟦Ḿàŕ⟧, 09:05⟧"},
		{"en-XA", "Jan", "⟦Ḿàŕ⟧"},
		{"en-XA", "2006", "⟦2026⟧"},
	} {
		if got := Date(WithLanguage(context.Background(), test.code), at, test.layout); got != test.want {
			t.Errorf("%s: %q is %q, want %q", test.code, test.layout, got, test.want)
		}
	}
}

func dateOf(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
