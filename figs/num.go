package figs

// AppendInt writes a number in decimal; strconv would swell the engine.
func AppendInt(dst []byte, n int) []byte {
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	var b [20]byte
	i := len(b)
	for {
		i--
		b[i] = byte('0' + n%10)
		n /= 10
		if n == 0 {
			return append(dst, b[i:]...)
		}
	}
}

//go:noinline
func itoa(n int) string { return string(AppendInt(nil, n)) }

// lower folds ASCII letters; names of the protocol are ASCII.
//
//go:noinline
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
