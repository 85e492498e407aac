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
