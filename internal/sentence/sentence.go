// Package sentence fills in the arguments of English sentences. Errors carry a sentence with the places {0}, {1}, … and
// the arguments beside it, so that pages can say it in another language.
//
// An argument is a string, which someone else wrote, an int, or a time.Duration, a length of time.
package sentence

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Fill writes the arguments into their places, in English.
func Fill(english string, args []any) string {
	return FillWith(english, args, func(arg any) string {
		if d, ok := arg.(time.Duration); ok {
			n, one, many := Length(d)
			if n != 1 {
				one = many
			}
			return strings.Replace(one, "%d", strconv.Itoa(n), 1)
		}
		return fmt.Sprint(arg)
	})
}

// FillWith is Fill with other words for the arguments. A sentence without arguments stays as it is, whatever it contains.
func FillWith(text string, args []any, word func(arg any) string) string {
	if len(args) == 0 {
		return text
	}
	places := make([]string, 0, 2*len(args))
	for i, arg := range args {
		places = append(places, "{"+strconv.Itoa(i)+"}", word(arg))
	}
	return strings.NewReplacer(places...).Replace(text)
}

// Length is a length of time, rounded up, in a unit that people say it in.
func Length(d time.Duration) (n int, one, many string) {
	n = int((d + time.Second - 1) / time.Second)
	if n <= 90 {
		return n, "%d second", "%d seconds"
	}
	if n = (n + 59) / 60; n <= 90 {
		return n, "%d minute", "%d minutes"
	}
	return (n + 59) / 60, "%d hour", "%d hours"
}
