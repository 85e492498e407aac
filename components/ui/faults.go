package ui

// Fault is why what was sent was not taken. Args are the arguments of both sentences, as package sentence has them.
type Fault struct {
	Field          string // of a reply: "text", "chosen", "by", "verdict"; "" is the whole form
	Sentence, Hint string
	Args           []any
}

// Faults are what is wrong with the fields of a form, by their names; "" is about the whole of it.
type Faults map[string]Fault
