package bridge

import "testing"

// TestAdd reads agents in two parts: the first is selected while the second is read, and the answers are those of all at once.
func TestAdd(t *testing.T) {
	lines := `{"id":"a","ts":"2026-11-18T08:00:00Z","state":"settled","status":"ok"}` + "\n"
	feed := func(e *Engine, agent int) {
		copy(e.Buffer(len(lines)), lines)
		e.Feed(agent, 0, len(lines))
	}
	e := New()
	call(t, e, map[string]any{"op": "open", "keep": true, "now": "2026-12-01T00:00:00Z"})
	call(t, e, map[string]any{"op": "add", "agents": []string{"one"}, "loose": -1})
	feed(e, 0)
	call(t, e, map[string]any{"op": "finish", "from": 0})
	call(t, e, map[string]any{"op": "add", "agents": []string{"two"}, "loose": 0})
	if s, ok := Decode(e.Call([]byte(`{"op":"select","page":"glance","agent":0}`))); !ok || len(s.Agents) != 1 || s.Agents[0].Path != "one" {
		t.Fatalf("while the second agent is read, a selection has %v", s)
	}
	feed(e, 1)
	second := string(e.Call([]byte(`{"op":"finish","from":1}`)))
	if s, ok := Decode(e.Call([]byte(`{"op":"select","page":"glance","agent":1}`))); !ok || len(s.Agents) != 2 || s.Agents[1].Jobs != 1 {
		t.Fatalf("a selection of the second agent has %v", s)
	}
	whole := New()
	call(t, whole, map[string]any{"op": "open", "keep": true, "now": "2026-12-01T00:00:00Z", "agents": []string{"two"}, "loose": 0})
	feed(whole, 0)
	if at := string(whole.Call([]byte(`{"op":"finish"}`))); at != second {
		t.Errorf("read second: %s\nread alone: %s", second, at)
	}
}
