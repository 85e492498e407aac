package folder

import "io"

// SameBytes reports whether two readers hold the same bytes to their end. It holds 128 KiB of them at a time.
func SameBytes(a, b io.Reader) (bool, error) {
	x, y := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, wrong := io.ReadFull(a, x)
		m, other := io.ReadFull(b, y)
		for _, err := range [...]error{wrong, other} {
			if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
				return false, err
			}
		}
		if n != m || string(x[:n]) != string(y[:m]) {
			return false, nil
		}
		if n < len(x) {
			return true, nil
		}
	}
}
