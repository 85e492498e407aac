package bridge

import "github.com/figs-web/figs-web/figs/jsonl"

// request is the members of a JSON object.
type request struct{ v jsonl.Value }

func parseRequest(b []byte) (request, bool) {
	v, _, ok := jsonl.Parse(b)
	return request{v}, ok && v.Kind == jsonl.Object
}

func (r request) get(name string) jsonl.Value {
	for c := jsonl.Walk(r.v); c.Next(); {
		if string(c.Key[1:len(c.Key)-1]) == name {
			return c.Value
		}
	}
	return jsonl.Value{}
}

func (r request) text(name string) string { return r.get(name).Text() }
func (r request) bool(name string) bool   { return r.get(name).Kind == jsonl.True }

// int returns a count; what is none is -1.
func (r request) int(name string) int { return int(count(r.get(name))) }

// size is int, with 0 for what is no count.
func (r request) size(name string) int { return max(0, r.int(name)) }

func count(v jsonl.Value) int64 {
	if v.Kind != jsonl.Number {
		return -1
	}
	var n int64
	for _, c := range v.Raw {
		if c-'0' > 9 || n > 1<<53 {
			return -1
		}
		n = n*10 + int64(c-'0')
	}
	return n
}

func appendInt(dst []byte, n int64) []byte {
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	var b [20]byte
	i := len(b)
	for {
		i--
		b[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return append(dst, b[i:]...)
		}
	}
}
