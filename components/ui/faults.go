package ui

import (
	"strconv"
)

// Faults are what is wrong with the fields of a form, by their names; "" is about the whole of it.
type Faults map[string]string

// wait is for how many seconds a form must rest, or 0.
func (f Faults) wait() int {
	n, _ := strconv.Atoi(f["wait"])
	return n
}
