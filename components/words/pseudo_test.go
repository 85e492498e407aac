package words

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPseudo(t *testing.T) {
	for english, want := range map[string]string{
		"":                        "",
		"Sign in":                 "⟦Šîĝñ îñ ó⟧",
		"%[2]d of %s, 100%%: {0}": "⟦%[2]d óƒ %s, 100%%: {0} óéî⟧",
		"Jan":                     "⟦Ĵàñ⟧",
		"Mon 2 Jan, 15:04":        "⟦Mon 2 Jan, 15:04⟧",
		"15:04":                   "⟦15:04⟧",
		"⟦Šîĝñ îñ ó⟧":             "⟦Šîĝñ îñ ó⟧",
	} {
		if got := Pseudo(english); got != want {
			t.Errorf("Pseudo(%q) = %q, want %q", english, got, want)
		}
	}
}

// TestPseudoSentences makes each sentence of the pages longer, and fills its verbs in.
func TestPseudoSentences(t *testing.T) {
	english, pseudo := 0, 0
	for sentence := range For("de").Translations() {
		checkPseudo(t, sentence)
		if got := fmt.Sprintf(Pseudo(sentence), arguments(sentence)...); strings.Contains(got, "%!") {
			t.Errorf("Pseudo(%q) is %q when its verbs are filled in", sentence, got)
		}
		english, pseudo = english+len(sentence), pseudo+utf8.RuneCountInString(Pseudo(sentence))
	}
	if percent := pseudo * 100 / english; percent < 130 || percent > 155 {
		t.Errorf("pseudo-English is as long as %d%% of English, want about 140%%", percent)
	}
}

// arguments are values for the verbs of a sentence.
func arguments(sentence string) (args []any) {
	for _, p := range Placeholders(sentence) {
		switch {
		case strings.HasPrefix(p, "{"):
		case strings.HasSuffix(p, "d"):
			args = append(args, 3)
		default:
			args = append(args, "x")
		}
	}
	return args
}

func checkPseudo(t *testing.T, english string) {
	t.Helper()
	got := Pseudo(english)
	if want := Placeholders(english); !slices.Equal(Placeholders(got), want) {
		t.Errorf("Pseudo(%q) = %q takes %v, want %v", english, got, Placeholders(got), want)
	}
	plain := anyVerb.ReplaceAllString(got, "")
	if !dateLayout.MatchString(english) && !strings.HasPrefix(english, "⟦") && regexp.MustCompile(`[A-Za-z]`).MatchString(plain) {
		t.Errorf("Pseudo(%q) = %q has letters without accents", english, got)
	}
}

func FuzzPseudo(f *testing.F) {
	for _, seed := range []string{"Sign in", "%s of %[2]d, 100%%", "{0} by {1}", "% of {x}", "%[1", "{12", "2 Jan 2006", "%\xff%d", "%5%d"} {
		f.Add(seed)
	}
	f.Fuzz(checkPseudo)
}

// TestPseudoLanguage holds that there is the language for who asks for it, and that nobody is offered it.
func TestPseudoLanguage(t *testing.T) {
	code := PseudoLanguage.Code
	if !Known(code) || Of(code) != PseudoLanguage || For(code) != nil || slices.Contains(Languages(), PseudoLanguage) {
		t.Errorf("%s must be known, have no catalogue, and not be listed", code)
	}
	for accept, want := range map[string]string{
		"en-XA": code, "en-xa,en;q=0.9": code, "de;q=0.5, en-XA;q=0.6": code, "en-XA;q=0": "en", "en-XA-x": "en", "en-US": "en", "xa": "en",
	} {
		if got := Choose([]string{accept}); got != want {
			t.Errorf("Choose(%q) = %s, want %s", accept, got, want)
		}
	}
}
