package components

import "strconv"

// Faults are what is wrong with the fields of a form, by their names; "" is about the whole of it.
type Faults map[string]string

// TriedTooOften are the faults of a form that must rest: the sentence for programs, and for how many
// seconds, from which pages make theirs.
func TriedTooOften(sentence string, seconds int) Faults {
	return Faults{"": sentence, "wait": strconv.Itoa(seconds)}
}

// wait is for how many seconds a form must rest, or 0.
func (f Faults) wait() int {
	n, _ := strconv.Atoi(f["wait"])
	return n
}
