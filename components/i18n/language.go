package i18n

import (
	"context"
	"strconv"
	"strings"
	"time"

	catalogue "github.com/figs-web/figs-web/components/words"
)

// Option is one of a select's options.
type Option struct{ Key, Word string }

type languageKey struct{}

// language is what pages are written in.
type language struct {
	words func(english string) (string, bool) // nil: English
	count func(n int, one, many string) (string, bool)
	rule  func(english string) (string, bool)
	catalogue.Language
}

func languageOf(ctx context.Context) language {
	if t, ok := ctx.Value(languageKey{}).(language); ok {
		return t
	}
	return language{Language: catalogue.English}
}

// WithWords returns a context whose pages speak other words: words gets the English text,
// with its verbs, and returns the translation, or false to keep the English. Of one and many it
// gets the one that English chooses.
func WithWords(ctx context.Context, words func(english string) (string, bool)) context.Context {
	t := languageOf(ctx)
	t.words = words
	t.count = func(n int, one, many string) (string, bool) { return words(englishForm(n, one, many)) }
	return context.WithValue(ctx, languageKey{}, t)
}

// WithLanguage returns a context whose pages are in a language, "de"; one that there is no
// catalogue of is English.
func WithLanguage(ctx context.Context, code string) context.Context {
	l := catalogue.Of(code)
	if languageOf(ctx).Code == l.Code {
		return ctx
	}
	t := language{Language: l}
	if c := catalogue.For(l.Code); c != nil {
		t.words, t.count, t.rule = c.Say, c.Count, c.Rule
	}
	ctx = context.WithValue(ctx, languageKey{}, t)
	if l == catalogue.PseudoLanguage {
		return WithWords(ctx, func(english string) (string, bool) { return catalogue.Pseudo(english), true })
	}
	return ctx
}

// Language is the code of the language that pages are in, as <html lang> takes it: "en".
func Language(ctx context.Context) string { return languageOf(ctx).Code }

// LanguageChoices are what pages can be in, each by its own name.
func LanguageChoices(ctx context.Context) []Option {
	all := []Option{{"", Say(ctx, "Browser default")}}
	for _, l := range catalogue.Languages() {
		all = append(all, Option{l.Code, l.Name})
	}
	return all
}

// Number writes a number with its thousands apart: 12,345.
func Number(ctx context.Context, n int) string {
	s, mark := strconv.Itoa(n), languageOf(ctx).Group
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + mark + s[i:]
	}
	return s
}

// The names of time, as layouts of package time have them.
var (
	months      = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	shortMonths = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
	Weekdays    = [...]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	ShortDays   = [...]string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}
)

// Names stand as one character each while package time writes the numbers.
var unnamed = strings.NewReplacer("January", "\x01", "Jan", "\x02", "Monday", "\x03", "Mon", "\x04")

// Date writes a time by a layout of package time, in the order and with the names of the
// reader's language.
func Date(ctx context.Context, at time.Time, layout string) string {
	if languageOf(ctx).words == nil {
		return at.Format(layout) // the English names are those of package time
	}
	if strings.ContainsAny(layout, "0123456789") { // else it is one name, which is looked up below
		layout = Say(ctx, layout)
	}
	text := at.Format(unnamed.Replace(layout))
	month, day := int(at.Month())-1, (int(at.Weekday())+6)%7
	for i, name := range [...]string{months[month], shortMonths[month], Weekdays[day], ShortDays[day]} {
		if mark := string(rune(i + 1)); strings.Contains(text, mark) {
			text = strings.ReplaceAll(text, mark, Say(ctx, name))
		}
	}
	return text
}
