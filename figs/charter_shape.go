package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// charter checks the shapes of agent.json's fields; none of them may break a page (§5).
func (s *small) charter(v jsonl.Value) {
	s.object(v, "org", OrgMalformed)
	s.object(v, "avatar", AvatarMalformed)
	s.strings(v, "steps", StepsMalformed)
	s.strings(v, "responsibilities", ResponsibilitiesMalformed)
	if steps := member(v, "steps"); truthy(steps) && truthy(member(v, "responsibilities")) {
		s.at(StepsAndResponsibilities, steps, "/steps")
	}
	s.pairs(v, "", "properties", "k", PropertiesMalformed)
	units := member(v, "units")
	if units.Kind == jsonl.None || units.Kind == jsonl.Null {
		return
	}
	if units.Kind != jsonl.Array {
		s.at(UnitsMalformed, units, "/units")
		return
	}
	c := jsonl.Walk(units)
	for i := 0; c.Next(); i++ {
		s.unit(c.Value, "/units/"+itoa(i))
	}
}

func (s *small) unit(v jsonl.Value, pointer string) {
	for _, name := range [...]string{"id", "name"} {
		if m := member(v, name); m.Kind != jsonl.String || !truthy(m) {
			s.at(UnitIncomplete, v, pointer).value = name
			break
		}
	}
	s.pairs(v, pointer, "stats", "l", StatsMalformed)
}

func (s *small) object(v jsonl.Value, name string, code Code) {
	if m := member(v, name); m.Kind != jsonl.None && m.Kind != jsonl.Null && m.Kind != jsonl.Object {
		s.at(code, m, "/"+name)
	}
}

func (s *small) strings(v jsonl.Value, name string, code Code) {
	m := member(v, name)
	if m.Kind == jsonl.None || m.Kind == jsonl.Null {
		return
	}
	if m.Kind != jsonl.Array {
		s.at(code, m, "/"+name)
		return
	}
	c := jsonl.Walk(m)
	for i := 0; c.Next(); i++ {
		if c.Value.Kind != jsonl.String {
			s.at(code, c.Value, "/"+name+"/"+itoa(i))
			return
		}
	}
}

// pairs checks an array of {label, v}; the label's key is k in properties and l elsewhere.
func (s *small) pairs(v jsonl.Value, pointer, name, label string, code Code) {
	m := member(v, name)
	if m.Kind == jsonl.None || m.Kind == jsonl.Null {
		return
	}
	pointer += "/" + name
	if m.Kind != jsonl.Array {
		s.at(code, m, pointer)
		return
	}
	c := jsonl.Walk(m)
	for i := 0; c.Next(); i++ {
		if member(c.Value, label).Kind != jsonl.String || member(c.Value, "v").Kind != jsonl.String {
			s.at(code, c.Value, pointer+"/"+itoa(i))
			return
		}
	}
}
