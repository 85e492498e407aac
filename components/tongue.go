package components

import (
	"context"
	"strconv"
	"strings"
	"time"

	catalogue "github.com/figs-web/figs-web/components/words"
)

type tongueKey struct{}

// tongue is what pages are written in.
type tongue struct {
	words func(english string) (string, bool) // nil: English
	catalogue.Language
}

func tongueOf(ctx context.Context) tongue {
	if t, ok := ctx.Value(tongueKey{}).(tongue); ok {
		return t
	}
	return tongue{Language: catalogue.English}
}

// WithWords returns a context whose pages speak other words: words gets the English text,
// with its verbs, and returns the translation, or false to keep the English.
func WithWords(ctx context.Context, words func(english string) (string, bool)) context.Context {
	t := tongueOf(ctx)
	t.words = words
	return context.WithValue(ctx, tongueKey{}, t)
}

// WithLanguage returns a context whose pages are in a language, "de"; one that there is no
// catalogue of is English.
func WithLanguage(ctx context.Context, code string) context.Context {
	l := catalogue.Of(code)
	if tongueOf(ctx).Code == l.Code {
		return ctx
	}
	return context.WithValue(ctx, tongueKey{}, tongue{catalogue.For(l.Code), l})
}

// Language is the code of the language that pages are in, as <html lang> takes it: "en".
func Language(ctx context.Context) string { return tongueOf(ctx).Code }

// languageChoices are what pages can be in, each by its own name.
func languageChoices(ctx context.Context) []offered {
	all := []offered{{"", say(ctx, "what the browser asks for")}}
	for _, l := range catalogue.Languages() {
		all = append(all, offered{l.Code, l.Name})
	}
	return all
}

// grouped writes a number with its thousands apart: 12,345.
func grouped(ctx context.Context, n int) string {
	s, mark := strconv.Itoa(n), tongueOf(ctx).Group
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + mark + s[i:]
	}
	return s
}

// The names of time, as layouts of package time have them.
var (
	months      = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	shortMonths = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
	weekdays    = [...]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	shortDays   = [...]string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}
)

// Names stand as one character each while package time writes the numbers.
var unnamed = strings.NewReplacer("January", "\x01", "Jan", "\x02", "Monday", "\x03", "Mon", "\x04")

// dated writes a time by a layout of package time, in the order and with the names of the
// reader's language.
func dated(ctx context.Context, at time.Time, layout string) string {
	text := at.Format(unnamed.Replace(say(ctx, layout)))
	month, day := int(at.Month())-1, (int(at.Weekday())+6)%7
	for i, name := range [...]string{months[month], shortMonths[month], weekdays[day], shortDays[day]} {
		if mark := string(rune(i + 1)); strings.Contains(text, mark) {
			text = strings.ReplaceAll(text, mark, say(ctx, name))
		}
	}
	return text
}
