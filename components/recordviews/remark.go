package recordviews

import (
	"strconv"
	"strings"
)

// shownHash is how many digits of an attachment's hash a remark shows.
const shownHash = 8

func joinNumbers(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ", ")
}
