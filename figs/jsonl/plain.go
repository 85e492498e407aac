package jsonl

// Plain reports whether bytes are ASCII without a backslash, so that text in them is written as it reads.
func Plain(b []byte) bool {
	for i := plainBytes(b); i < len(b); i++ {
		if b[i] >= 0x80 || b[i] == '\\' {
			return false
		}
	}
	return true
}
