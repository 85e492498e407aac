package jsonl

// Kind is the kind of a JSON value.
type Kind uint8

const (
	None Kind = iota // no value
	Null
	False
	True
	Number
	String
	Array
	Object
)

// Value is one JSON value in its own bytes, as written.
type Value struct {
	Kind Kind
	Raw  []byte
}
