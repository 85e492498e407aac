package figs

import (
	"bytes"
	"strings"
	"testing"
)

func lines(s ...string) [][]byte {
	var all [][]byte
	for _, line := range s {
		all = append(all, []byte(line))
	}
	return all
}

func TestMerge(t *testing.T) {
	const raised = `{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z","status":"open"}`
	const closed = `{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z","status":"resolved","resolution":{"ts":"2026-11-20T12:00:00Z"}}`
	const bare = `{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z","status":"resolved","resolution":"done"}`
	const rejected = `{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z","status":"rejected","resolution":{"ts":"2026-11-20T12:00:00Z"}}`
	const noon = 1795176000_000000 // 2026-11-20T12:00:00Z
	for name, c := range map[string]struct {
		file    File
		stored  string
		at      int64
		push    []string
		events  []string
		refused Refusal
		trail   string // what the trail grows by
		events0 int
	}{
		"new":                         {Asks, "", 0, []string{raised}, nil, 0, raised, 0},
		"the same":                    {Asks, raised, 0, []string{raised}, nil, 0, "", 0},
		"the same, written otherwise": {Asks, `{"id":"a","n":[1, {"x":"é","y":2}]}`, 0, []string{`{"n":[1,{"y":2,"x":"\u00e9"}],"id":"a"}`}, nil, 0, "", 0},
		"a part of it":                {Asks, closed, 0, []string{`{"id":"a","title":"T"}`}, nil, 0, "", 0},
		"one field":                   {Asks, raised, 0, []string{strings.Replace(raised, `"T"`, `"U"`, 1)}, nil, 0, `{"id":"a","title":"U"}`, 0},
		"an unknown field stays":      {Asks, `{"id":"a","title":"T","x":1}`, 0, []string{`{"id":"a","title":"U"}`}, nil, 0, `{"id":"a","title":"U"}`, 0},
		"null overwrites":             {Asks, `{"id":"a","unit":"u"}`, 0, []string{`{"id":"a","unit":null}`}, nil, 0, `{"id":"a","unit":null}`, 0},
		"unfolded": {Runs, "", 0, []string{`{"id":"a","state":"in-flight"}`, `{"id":"a","state":"settled"}`}, nil, 0,
			`{"id":"a","state":"in-flight"} {"id":"a","state":"settled"}`, 0},
		"unfolded, back and forth": {Runs, "", 0, []string{`{"id":"a","x":1}`, `{"id":"a","x":2}`, `{"id":"a","x":1}`}, nil, 0,
			`{"id":"a","x":1} {"id":"a","x":2} {"id":"a","x":1}`, 0},
		"older than the close":             {Asks, closed, 0, []string{raised}, nil, RefusedOlder, "", 0},
		"in the second of the close":       {Asks, closed, 0, []string{strings.Replace(raised, "T10", "T12", 1)}, nil, RefusedOlder, "", 0},
		"reopened later":                   {Asks, closed, 0, []string{strings.Replace(raised, "T10", "T13", 1)}, nil, 0, `{"id":"a","ts":"2026-11-20T13:00:00Z","status":"open"}`, 0},
		"reopened having seen the close":   {Asks, closed, 0, []string{strings.Replace(closed, "resolved", "open", 1)}, nil, 0, `{"id":"a","status":"open"}`, 0},
		"closed again, earlier":            {Asks, closed, 0, []string{strings.Replace(closed, "T12", "T11", 1)}, nil, RefusedOlder, "", 0},
		"closed again, later":              {Asks, closed, 0, []string{strings.Replace(closed, "T12", "T14", 1)}, nil, 0, `{"id":"a","resolution":{"ts":"2026-11-20T14:00:00Z"}}`, 0},
		"bare close, older line":           {Asks, bare, 0, []string{strings.Replace(raised, "T10", "T09", 1)}, nil, RefusedOlder, "", 0},
		"bare close, no time":              {Asks, bare, 0, []string{`{"id":"a","status":"open"}`}, nil, 0, `{"id":"a","status":"open"}`, 0},
		"a clock in 2099 locks nothing":    {Asks, strings.Replace(closed, "2026-11-20T12", "2099-01-01T12", 1), noon, []string{strings.Replace(raised, "T10", "T13", 1)}, nil, 0, `{"id":"a","ts":"2026-11-20T13:00:00Z","status":"open"}`, 0},
		"rejected is terminal":             {Asks, rejected, 0, []string{strings.Replace(raised, "T10", "T13", 1)}, nil, RefusedTerminal, "", 0},
		"rejected, said again":             {Asks, rejected, 0, []string{rejected}, nil, 0, "", 0},
		"settled, older checkpoint":        {Runs, `{"id":"a","ts":"2026-11-20T12:00:00Z"}`, 0, []string{`{"id":"a","ts":"2026-11-20T11:00:00Z","state":"in-flight"}`}, nil, RefusedOlder, "", 0},
		"settled, checkpoint of a second":  {Runs, `{"id":"a","ts":"2026-11-20T12:00:00Z"}`, 0, []string{`{"id":"a","ts":"2026-11-20T12:00:00Z","state":"in-flight"}`}, nil, RefusedOlder, "", 0},
		"settled, corrected in its second": {Runs, `{"id":"a","ts":"2026-11-20T12:00:00Z"}`, 0, []string{`{"id":"a","ts":"2026-11-20T12:00:00Z","status":"fail"}`}, nil, 0, `{"id":"a","status":"fail"}`, 0},
		"settled, no time":                 {Runs, `{"id":"a","ts":"2026-11-20T12:00:00Z"}`, 0, []string{`{"id":"a","status":"fail"}`}, nil, 0, `{"id":"a","status":"fail"}`, 0},
		"in flight goes any way":           {Runs, `{"id":"a","ts":"2026-11-20T12:00:00Z","state":"in-flight"}`, 0, []string{`{"id":"a","ts":"2026-11-20T11:00:00Z","state":"in-flight"}`}, nil, 0, `{"id":"a","ts":"2026-11-20T11:00:00Z"}`, 0},
		"too large":                        {Runs, "", 0, []string{`{"id":"a","result":"` + strings.Repeat("x", MaxRecord) + `"}`}, nil, RefusedTooLarge, "", 0},
		"too deep":                         {Runs, "", 0, []string{`{"id":"a","x":` + strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth) + `}`}, nil, RefusedTooDeep, "", 0},
		"as deep as may be":                {Runs, "", 0, []string{`{"id":"a","x":"[[\\\"[[","y":` + strings.Repeat("[", MaxDepth-1) + strings.Repeat("]", MaxDepth-1) + `}`}, nil, NotRefused, `{"id":"a","x":"[[\\\"[[","y":` + strings.Repeat("[", MaxDepth-1) + strings.Repeat("]", MaxDepth-1) + `}`, 0},
		"grown too large":                  {Runs, `{"id":"a","x":"` + strings.Repeat("x", MaxRecord/2) + `"}`, 0, []string{`{"id":"a","y":"` + strings.Repeat("x", MaxRecord/2) + `"}`}, nil, RefusedTooLarge, "", 0},
		"events make the trail": {Runs, "", 0, []string{`{"id":"a","x":2,"eventId":"e2"}`}, []string{`{"id":"a","x":1,"eventId":"e1"}`, `{"id":"a","x":2,"eventId":"e2"}`}, 0,
			`{"id":"a","x":1,"eventId":"e1"} {"id":"a","x":2,"eventId":"e2"}`, 0},
		"events without their fold":    {Runs, "", 0, nil, []string{`{"id":"a","x":1,"eventId":"e1"}`}, 0, `{"id":"a","x":1,"eventId":"e1"}`, 0},
		"an event counts once":         {Runs, `{"id":"a","x":1,"eventId":"e1"}`, 0, []string{`{"id":"a","x":1,"eventId":"e1"}`}, []string{`{"id":"a","x":1,"eventId":"e1"}`}, 0, "", 0},
		"an eventId with another line": {Runs, `{"id":"a","x":1,"eventId":"e1"}`, 0, []string{`{"id":"a","x":1,"eventId":"e1"}`}, []string{`{"id":"a","x":3,"eventId":"e1"}`}, 0, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			was := StoredRecord{ClosedAt: c.at}
			if c.stored != "" {
				was.Fold = Fold(lines(c.stored))
				was.Terminal = askStatus(was.Fold) == statusRejected
				was.Trail = []Version{{Line: []byte(c.stored), Event: was.Fold.Get("eventId").Text()}}
			}
			m := Merge(&PushRecord{c.file, "a", lines(c.push...), lines(c.events...)}, &was)
			var grown []string
			for _, v := range m.New {
				grown = append(grown, string(v.Line))
			}
			if got := strings.Join(grown, " "); got != c.trail || m.Refused != c.refused || m.Events != c.events0 {
				t.Fatalf("Merge = %q, refused %q, %d events left out; want %q, %q, %d", got, m.Refused, m.Events, c.trail, c.refused, c.events0)
			}
			if m.Refused == NotRefused {
				if want := AppendObject(nil, m.Fold); !bytes.Equal(m.Text, want) {
					t.Errorf("the text is %s, the record is %s", m.Text, want)
				}
				all := make([][]byte, 0, len(was.Trail)+len(m.New))
				for _, v := range append(was.Trail, m.New...) {
					all = append(all, v.Line)
				}
				if got, want := string(AppendCanonicalObject(nil, Fold(all))), string(AppendCanonicalObject(nil, m.Fold)); got != want {
					t.Errorf("the trail folds to %s, the record is %s", got, want)
				}
			}
		})
	}
}

// A copy of the folder that is behind says what the record was. It does not take it back.
func TestMergeBehind(t *testing.T) {
	const raised = `{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z"}`
	const changed = `{"id":"a","type":"sign-off","title":"U","ts":"2026-11-20T11:00:00Z"}`
	for name, c := range map[string]struct {
		file    File
		trail   []string
		push    string
		refused Refusal
	}{
		"an ask as it was":                        {Asks, []string{raised, changed}, raised, RefusedOutOfOrder},
		"fields in another order":                 {Asks, []string{raised, changed}, `{"ts":"2026-11-20T10:00:00Z","title":"T","type":"sign-off","id":"a"}`, RefusedOutOfOrder},
		"what it is":                              {Asks, []string{raised, changed}, changed, NotRefused},
		"what it never was":                       {Asks, []string{raised, changed}, strings.Replace(raised, `"T"`, `"V"`, 1), NotRefused},
		"as it was, raised again":                 {Asks, []string{raised, changed}, strings.Replace(raised, "T10", "T12", 1), NotRefused},
		"as it was, in the second of the new":     {Asks, []string{raised, strings.Replace(changed, "T11", "T10", 1)}, raised, NotRefused},
		"no time":                                 {Asks, []string{`{"id":"a","title":"T"}`, `{"id":"a","title":"U"}`}, `{"id":"a","title":"T"}`, NotRefused},
		"before a close by a slow server's clock": {Asks, []string{raised, `{"id":"a","status":"resolved","resolution":{"ts":"2026-11-20T12:00:00Z"}}`}, raised, RefusedOutOfOrder},
		"a job as it was": {Runs, []string{`{"id":"a","ts":"2026-11-20T10:00:00Z","state":"in-flight"}`, `{"id":"a","ts":"2026-11-20T11:00:00Z","result":"x"}`},
			`{"id":"a","ts":"2026-11-20T10:00:00Z","state":"in-flight"}`, RefusedOutOfOrder},
	} {
		was := StoredRecord{Fold: Fold(lines(c.trail...)), ClosedAt: 1}
		for _, line := range c.trail {
			was.Trail = append(was.Trail, Version{Line: []byte(line), Snapshot: true})
		}
		if m := Merge(&PushRecord{c.file, "a", lines(c.push), nil}, &was); m.Refused != c.refused {
			t.Errorf("%s: refused %q, want %q", name, m.Refused, c.refused)
		}
	}
}

func TestReadPush(t *testing.T) {
	const agent = `"workspaceId":"w","agent":{"id":"0D4F2A3C-1111-4222-8333-000000000001","name":"N"}`
	p, err := ReadPush([]byte("{" + agent + ",\n\"runs\":[{\"id\":\"a\",\n\"x\":1},{\"id\":\"b\"},{\"\\u0069d\":\"a\",\"x\":2},{\"x\":1},4],\"asks\":[{\"id\":\"a\"}],\"messages\":[{\"id\":\"m\"}],\"runEvents\":[{\"id\":\"b\",\"eventId\":\"e\"}],\"confirmRename\":true}"))
	if err != nil {
		t.Fatal(err)
	}
	if p.Workspace != "w" || p.Agent != "0d4f2a3c-1111-4222-8333-000000000001" || p.Name != "N" || !p.ConfirmRename {
		t.Errorf("read %q, %q, %q, %v", p.Workspace, p.Agent, p.Name, p.ConfirmRename)
	}
	var got []string
	for _, r := range p.Records {
		got = append(got, r.File.String()+" "+r.ID+" "+itoa(len(r.Lines))+" "+itoa(len(r.Events)))
	}
	for _, r := range p.Refused {
		got = append(got, r.Reason.String())
	}
	if got, want := strings.Join(got, ", "), "runs.jsonl a 2 0, runs.jsonl b 1 1, asks.jsonl a 1 0, record_id_missing, record_not_object"; got != want {
		t.Errorf("records: %s, want %s", got, want)
	}
	for record, want := range map[string]string{
		`{"id":"a","x":{"id":"b"}}`:         "a",
		`{"id":"a","id":"b"}`:               "b",
		`{"id":"a","x":"\n","\u0069d":"c"}`: "c",
		`{"x":"id","id":"z"}`:               "z",
		`{"id":"a","longer than it":"id"}`:  "a",
	} {
		p, err := ReadPush([]byte("{" + agent + `,"runs":[` + record + "]}"))
		if err != nil || len(p.Records) != 1 || p.Records[0].ID != want {
			t.Errorf("the id of %s: %+v, %v, want %q", record, p, err, want)
		}
	}
	for body, want := range map[string]string{
		"":                                  "not a JSON object",
		"[]":                                "not a JSON object",
		"{" + agent + `,"runs":[{"id":"a"}`: "not valid JSON from byte",
		`{"agent":{}}`:                      "workspaceId is missing",
		`{"workspaceId":"w","agent":[]}`:    "agent must be the object",
		`{"workspaceId":"w","agent":{}}`:    "agent.id must be the UUID",
		"{" + agent + `,"runs":{}}`:         "runs must be an array",
		"{" + agent + `,"runs":"` + "\n\"}": "not valid JSON",
		`{"a":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + "}": "deeper than",
	} {
		if _, err := ReadPush([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ReadPush(%.60q) = %v, want %q", body, err, want)
		}
	}
}

func FuzzReadPush(f *testing.F) {
	f.Add([]byte(`{"workspaceId":"w","agent":{"id":"0d4f2a3c-1111-4222-8333-000000000001"},"runs":[{"id":"a"},{"id":"a","x":null}]}`), []byte(`{"id":"a","x":1}`))
	f.Add([]byte(`{"workspaceId":"w","agent":{"id":"0d4f2a3c-1111-4222-8333-000000000001"},"asks":[{"id":"a","status":"open","status":"rejected"}]}`), []byte(`{"id":"a","status":"rejected"}`))
	f.Fuzz(func(t *testing.T, body, stored []byte) {
		p, err := ReadPush(body)
		if err != nil {
			return
		}
		was := StoredRecord{Fold: Fold([][]byte{stored})}
		if len(was.Fold) > 0 {
			was.Trail = []Version{{Line: stored}}
		}
		for i := range p.Records {
			m := Merge(&p.Records[i], &was)
			if m.Refused != NotRefused {
				continue
			}
			again := Merge(&p.Records[i], &StoredRecord{Fold: m.Fold, Trail: append(was.Trail, m.New...)})
			if len(again.New) > 0 && again.Refused == NotRefused {
				t.Fatalf("pushing the same again adds %q", again.New[0].Line)
			}
		}
	})
}

func TestSyncable(t *testing.T) {
	const answer = `{"id":"m","kind":"answer","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"chat","text":"t"}`
	const verdict = `{"id":"m","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","verdict":"changes-requested","x":1}`
	for line, want := range map[string]bool{
		answer: true, verdict: true,
		strings.Replace(answer, `"t"`, `""`, 1):                               false,
		strings.Replace(answer, `"text"`, `"chosen"`, 1):                      true,
		strings.Replace(answer, `"chat"`, `"mail"`, 1):                        false,
		strings.Replace(answer, `"answer"`, `"note"`, 1):                      false,
		strings.Replace(answer, `"Ana"`, `{}`, 1):                             false,
		strings.Replace(verdict, "changes-requested", "changes_requested", 1): false,
		strings.Replace(verdict, `"verdict":"changes-requested"`, `"y":2`, 1): false,
		`{}`: false,
	} {
		if got := IsSyncable(Fold(lines(line))); got != want {
			t.Errorf("Syncable(%s) = %v, want %v", line, got, want)
		}
	}
	// What a push claims is kept as transcribed, which clients take.
	mail := Fold(lines(strings.Replace(answer, `"source":"chat"`, `"source":"mail"`, 1)))
	without := Fold(lines(strings.Replace(answer, `"source":"chat",`, ``, 1)))
	for _, m := range []Object{mail, without} {
		if kept := AppendTranscribed(nil, m); !IsSyncable(Fold([][]byte{kept})) {
			t.Errorf("%s is kept and no client takes it", kept)
		}
	}
}
