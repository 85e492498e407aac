package words

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// anyVerb is a verb of package fmt with or without the number of its argument, or a place.
var anyVerb = regexp.MustCompile(`%%|%(?:\[(\d+)\])?[-+# 0-9.]*([a-zA-Z])|\{(\d+)\}`)

// Placeholders are what a sentence takes: for each argument its number and its kind, as in "1%s", and its
// places, as in "{0}". They are sorted: another language may have another order.
func Placeholders(sentence string) (out []string) {
	if !strings.ContainsAny(sentence, "%{") {
		return nil
	}
	argument := 0
	for _, m := range anyVerb.FindAllStringSubmatch(sentence, -1) {
		switch {
		case m[3] != "":
			out = append(out, "{"+m[3]+"}")
		case m[2] != "":
			argument++
			if n, err := strconv.Atoi(m[1]); err == nil {
				argument = n
			}
			out = append(out, fmt.Sprintf("%d%%%s", argument, m[2]))
		}
	}
	slices.Sort(out)
	return out
}
