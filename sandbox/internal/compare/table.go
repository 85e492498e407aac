package compare

// table gives equal strings equal numbers.
type table map[string]int32

func (t table) id(s string) int32 {
	id, ok := t[s]
	if !ok {
		id = int32(len(t))
		t[s] = id
	}
	return id
}
