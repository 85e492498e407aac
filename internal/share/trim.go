package share

import (
	"bytes"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// only is what goes along of agent.json and config.json where one ask is shared: the agent's name with the units that the ask
// and its jobs name, and the agent's id. Of a file that cannot be read nothing goes along.
func (s *Copy) only(name string, content []byte) []byte {
	if s.ask == "" {
		return content
	}
	switch figs.ParseFile(name) {
	case figs.AgentJSON:
		return members(content, func(key string, v jsonl.Value) []byte {
			switch {
			case key == "name":
				return v.Raw
			case key == "units" && v.Kind == jsonl.Array:
				return s.ownUnits(v)
			}
			return nil
		})
	case figs.ConfigJSON:
		return members(content, func(key string, v jsonl.Value) []byte {
			if key == "agentId" {
				return v.Raw
			}
			return nil
		})
	}
	return content
}

// ownUnits are the units that the ask and its jobs name; nil when none is there.
func (s *Copy) ownUnits(units jsonl.Value) []byte {
	var kept [][]byte
	for c := jsonl.Walk(units); c.Next(); {
		if id := figs.Fold([][]byte{c.Value.Raw}).Get("id").Text(); id != "" && s.units[id] {
			kept = append(kept, c.Value.Raw)
		}
	}
	if kept == nil {
		return nil
	}
	return slices.Concat([]byte("["), bytes.Join(kept, []byte(",")), []byte("]"))
}

// members is an object of the members for which keep returns a value.
func members(content []byte, keep func(key string, v jsonl.Value) []byte) []byte {
	out := []byte("{")
	if v, _, ok := jsonl.Parse(bytes.TrimPrefix(content, []byte("\xEF\xBB\xBF"))); ok && v.Kind == jsonl.Object {
		for c := jsonl.Walk(v); c.Next(); {
			value := keep(string(jsonl.AppendKey(nil, c.Key)), c.Value)
			if value == nil {
				continue
			}
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(append(out, c.Key...), ':'), value...)
		}
	}
	return append(out, "}\n"...)
}
