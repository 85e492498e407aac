package figs

import (
	"strings"
	"testing"
)

// TestListOrder lists a body whose keys stand in the order that suits rules least: of a run its
// unfolded lines come first all the same, and of an ask the replies; what is refused does not come.
func TestListOrder(t *testing.T) {
	const body = `{"workspaceId":"w","asks":[{"id":"q"}],"messages":[{"id":"m","ask":"q"}],"runs":[{"id":"b"},{"id":"a"},7,{"id":""},{"id":"b","x":1}],
		"runEvents":[{"id":"a","n":1},{"id":"c","n":2},{"n":3}],"agent":{"id":"0d4f2a3c-1111-4222-8333-000000000001"}}`
	p, err := OpenPush([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	p.List(func(file File, line []byte) {
		got = append(got, strings.TrimSuffix(file.String(), ".jsonl")+string(line))
	})
	want := `runs{"id":"a","n":1} runs{"id":"c","n":2} runs{"id":"b"} runs{"id":"a"} runs{"id":"b","x":1} messages{"id":"m","ask":"q"} asks{"id":"q"}`
	if s := strings.Join(got, " "); s != want {
		t.Errorf("lines:\n%s\nwant\n%s", s, want)
	}
	got = nil
	for _, r := range p.Records {
		got = append(got, r.ID+" "+itoa(len(r.Lines))+" "+itoa(len(r.Events)))
	}
	if s, want := strings.Join(got, ", "), "b 2 0, a 1 1, c 0 1, q 1 0"; s != want {
		t.Errorf("records %s, want %s", s, want)
	}
	if len(p.Messages) != 1 || p.Messages[0].ID != "m" || len(p.Refused) != 3 {
		t.Errorf("replies %v, refused %v", p.Messages, p.Refused)
	}
}
