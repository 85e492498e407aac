package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/mcp"
	"github.com/figs-web/figs-web/internal/project"
)

// nowhere is a folder with nothing in it. Its project waits until the call is cancelled.
type nowhere struct{ asked chan struct{} }

func (nowhere) Journal(context.Context, string) (journal.Journal, error) {
	return nil, journal.ErrNotFound
}

func (nowhere) Key(context.Context, string, figs.File, string) (string, error) {
	return "", journal.ErrNotFound
}

func (n nowhere) Project(ctx context.Context) (*project.Project, error) {
	if n.asked == nil {
		return nil, nil
	}
	close(n.asked)
	<-ctx.Done()
	return nil, ctx.Err()
}

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// answers serves an empty folder to the lines of a client, and returns what came back, without the greeting.
func answers(t *testing.T, lines string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := mcp.Serve(t.Context(), nowhere{}, mcp.Options{Version: "v1"}, strings.NewReader(hello+lines), &out); err != nil {
		t.Fatalf("%.60q ends the server: %v", lines, err)
	}
	all := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	rest := slices.DeleteFunc(slices.Clone(all), func(line string) bool { return strings.HasPrefix(line, `{"jsonrpc":"2.0","id":"hello","result":`) })
	if len(rest) != len(all)-1 {
		t.Fatalf("the greeting is not answered: %.300q", all)
	}
	return rest
}

// TestMalformedLineGetsItsError sends lines that are no message: each gets a JSON-RPC error, and the next one its answer.
func TestMalformedLineGetsItsError(t *testing.T) {
	for _, test := range []struct {
		name, line, want string // want begins the answer; "" for none
	}{
		{"not JSON", `{bad json`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"two values", `{} {}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"not UTF-8", "\"\xff\"", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"NUL", "\x00", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"deep arrays", strings.Repeat("[", 200_000), `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"deep and closed", strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000), `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"deep objects", `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000) + "}", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 3<<20) + `"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"no object", `42`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"null", `null`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"text", `"ping"`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"empty batch", `[]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"batch of no messages", `[1,2]`, `[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"huge batch", "[" + strings.Repeat("1,", 5000) + "1]", `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"empty object", `{}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"other version", `{"jsonrpc":"1.0","method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"other version, with an id", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,`},
		{"version is a number", `{"jsonrpc":2,"id":7,"method":"ping"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,`},
		{"method is a number", `{"jsonrpc":"2.0","id":7,"method":1}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,`},
		{"method is null", `{"jsonrpc":"2.0","id":7,"method":null}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,`},
		{"id is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"id is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"id is true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"nothing but an id", `{"jsonrpc":"2.0","id":7}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,`},
		{"an error that is none", `{"jsonrpc":"2.0","id":7,"error":"x"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,`},
		{"unknown method", `{"jsonrpc":"2.0","id":7,"method":"nope"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,`},
		{"params is a number", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":5}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-3`},
		{"an answer to nothing", `{"jsonrpc":"2.0","id":7,"result":{}}`, ""},
		{"an unknown notification", `{"jsonrpc":"2.0","method":"notifications/nope","params":[1]}`, ""},
		{"cancels nothing", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, ""},
		{"cancels what is no id", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, ""},
		{"cancels without params", `{"jsonrpc":"2.0","method":"notifications/cancelled"}`, ""},
		{"cancels with a list", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`, ""},
		{"progress of nothing", `{"jsonrpc":"2.0","method":"notifications/progress","params":7}`, ""},
		{"greets again", `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}`, `{"jsonrpc":"2.0","id":7,"`},
		{"blank", "  \r", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := 2
			if test.want == "" {
				want = 1
			}
			got := answers(t, test.line+"\n"+`{"jsonrpc":"2.0","id":"next","method":"ping"}`)
			next := `{"jsonrpc":"2.0","id":"next","result":{}}`
			if len(got) == 2 && got[0] == next { // calls are answered in any order
				got[0], got[1] = got[1], got[0]
			}
			if len(got) != want || got[want-1] != next || !strings.HasPrefix(got[0], test.want) {
				t.Errorf("answers %.300q, want %s and the next one's", got, test.want)
			}
			for _, line := range got {
				if !json.Valid([]byte(line)) {
					t.Errorf("%.200q is not JSON", line)
				}
			}
		})
	}
}

// TestIDComesBackAsItCame holds ids to their bytes.
func TestIDComesBackAsItCame(t *testing.T) {
	for _, id := range []string{`1`, `0`, `-1`, `2.7`, `2.70`, `1e3`, `9007199254740993`, `123456789012345678901234567890`, `"a"`, `""`, `"1"`, `"\u0061\/<&"`, `"ä "`, `"` + strings.Repeat("x", 9000) + `"`} {
		got := answers(t, `{"jsonrpc":"2.0","method":"ping","id":`+id+`}`)
		if want := `{"jsonrpc":"2.0","id":` + id + `,"result":{}}`; len(got) != 1 || got[0] != want {
			t.Errorf("id %.60s: %.200q, want %.100q", id, got, want)
		}
	}
	// Two that a client cannot tell apart as doubles are two calls.
	got := answers(t, `{"jsonrpc":"2.0","method":"ping","id":9007199254740992}`+"\n"+`{"jsonrpc":"2.0","method":"ping","id":9007199254740993}`)
	if all := strings.Join(got, ""); len(got) != 2 || !strings.Contains(all, ":9007199254740992,") || !strings.Contains(all, ":9007199254740993,") {
		t.Errorf("answers %q", got)
	}
}

// TestBatchIsAnsweredTogether: answers of a batch come as one array, of its calls and of what is no message.
func TestBatchIsAnsweredTogether(t *testing.T) {
	got := answers(t, `[{"jsonrpc":"2.0","id":1.5,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/nope"},7,{"jsonrpc":"2.0","id":"b","method":"nope"}]`)
	var all []struct {
		ID    json.RawMessage
		Error *struct{ Code int }
	}
	if len(got) != 1 || json.Unmarshal([]byte(got[0]), &all) != nil || len(all) != 3 {
		t.Fatalf("answers %q, want one array of three", got)
	}
	codes := map[string]int{}
	for _, one := range all {
		if one.Error != nil {
			codes[string(one.ID)] = one.Error.Code
		} else {
			codes[string(one.ID)] = 0
		}
	}
	if code, ok := codes["1.5"]; !ok || code != 0 || codes["null"] != -32600 || codes[`"b"`] != -32601 {
		t.Errorf("answers %s", got[0])
	}
	if got := answers(t, `[{"jsonrpc":"2.0","method":"notifications/nope"}]`); len(got) != 0 {
		t.Errorf("a batch of notifications is answered %q", got)
	}
}

// TestCancelNamesTheClientsID: a cancellation reaches the call with the client's id, whatever it is.
func TestCancelNamesTheClientsID(t *testing.T) {
	for _, id := range []string{`9007199254740993`, `"caf\u00e9"`, `2.5`} {
		folder := nowhere{make(chan struct{})}
		in, say := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- mcp.Serve(t.Context(), folder, mcp.Options{}, in, io.Discard) }()
		w := bufio.NewWriter(say)
		w.WriteString(hello + `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"list_channels","arguments":{}}}` + "\n")
		w.Flush()
		<-folder.asked
		w.WriteString(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + strings.Replace(id, `\u00e9`, "é", 1) + `}}` + "\n")
		w.Flush()
		begun := time.Now()
		say.Close()
		if err := <-done; err != nil || time.Since(begun) > 5*time.Second {
			t.Errorf("id %s: %v after %v, want the call cancelled", id, err, time.Since(begun))
		}
	}
}
