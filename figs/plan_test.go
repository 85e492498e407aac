package figs_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
)

// sameWithPlans reads a vector with and without plans, in pieces and with options that r chooses, and wants the same folder. It
// returns how many lines were read and how many of them were followed.
func sameWithPlans(t *testing.T, v figstest.Vector, r *rand.Rand) (lines, followed int) {
	t.Helper()
	now := []string{"", v.Now, "2026-06-01T00:00:00Z"}[r.IntN(3)]
	opt := figs.Options{Keep: r.IntN(3) > 0, History: r.IntN(3) == 0, Loose: r.IntN(8) == 0, Now: now}
	files := []string{"config.json", "agent.json", "runs.jsonl", "messages.jsonl", "asks.jsonl"}
	if r.IntN(2) == 0 {
		r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	}
	most := 1 + []int{1 << 20, 30_000, 5_000, 300}[r.IntN(4)]
	cuts := r.Uint64()
	read := func(f *figs.Folder) *figs.Folder {
		r := rand.New(rand.NewPCG(cuts, 1))
		for _, a := range v.Artifacts {
			f.Attach(a.Name, a.Size)
		}
		for _, name := range files {
			for rest := v.Files[name]; len(rest) > 0; {
				n := min(len(rest), 1+r.IntN(most))
				f.Feed(figs.ParseFile(name), bytes.Clone(rest[:n]))
				rest = rest[n:]
			}
		}
		f.Finish()
		return f
	}
	planned, scanned := read(figs.NewPlanned(opt)), read(figs.NewScanning(opt))
	if d := planned.Differs(scanned); d != "" {
		t.Fatalf("%s: with and without plans (%+v), in pieces of %d, the folders differ: %s", v.Name, opt, most, d)
	}
	return planned.Lines(figs.Runs) + planned.Lines(figs.Asks) + planned.Lines(figs.Messages), planned.Followed()
}

// oddities are what an edit puts into a ledger.
var oddities = []string{
	`"`, `\`, `\n`, `\u00e9`, `\u200b`, `\u2003,500 `, `\ud83d\ude00`, `\udb40\udc41`, `\ud83d`, `\u002c500`, ` \u002c500 `, ` ,500 `, `,500`, ` .00`, `(.00)`, "\x7f", "é", "—", "✓", "\u200b",
	"\u200d", "\u00a0,500", "\xff", "\xe2\x80", "{", "}", "[", "]", ",", ":", "\n", " ", "\r", "\t", `"id":"x",`, `"status":"open",`, `"ts":"2027-01-01T00:00:00Z",`, `"unit":"unit-3",`,
	`"resolved"`, `"rejected"`, `"open"`, `"withdrawn"`, `"sign-off"`, `"question"`, `"settled"`, `"figs"`, `""`, "null", "1.5", "-0", "01", "true", `"details":[{"l":"a"}],`,
	`"details":[{"l":"a","v":"b"}],`, `"options":[],`, `"options":["a","a"],`, `"onApprove":["x"],`, `"onApprove":[1],`, `"tokens":{"input":"x"},`, `"session":{"tokens":{"input":1}},`,
	`"attachments":["a.md"],`, `"refs":[{"label":"x","artifact":"b.md"}],`, `"artifact":"c.md",`, `"via":"figs",`, `"chosen":"a",`, `"x":{"y":[1,{"z":null}]},`, `"resolution":"done",`, `"resolution":null,`,
	"2026-01-05T0", `,500.00"`, `"answer":"m1",`,
}

// enlarge writes a ledger of lines spelled like those of another: they come again and again, with other values, and now and then edited.
func enlarge(r *rand.Rand, ledger []byte, n int) []byte {
	lines := bytes.SplitAfter(ledger, []byte("\n"))
	var out []byte
	for range n {
		line := bytes.Clone(lines[r.IntN(len(lines))])
		if len(line) == 0 || len(line) > 4096 {
			continue
		}
		for range 3 { // other values
			if i := r.IntN(len(line)); line[i]-'0' < 10 || line[i] >= 'a' && line[i] <= 'z' && r.IntN(8) == 0 {
				line[i] = line[i]&0xF0 | byte(1+r.IntN(9))
			}
		}
		for r.IntN(3) == 0 {
			line = edited(r, line)
		}
		out = append(out, line...)
		if !bytes.HasSuffix(out, []byte("\n")) && r.IntN(20) > 0 {
			out = append(out, '\n')
		}
	}
	return out
}

// edited inserts something into a line, or puts it in place of some bytes, or of a whole string.
func edited(r *rand.Rand, line []byte) []byte {
	at, end := r.IntN(len(line)), 0
	end = at
	switch r.IntN(4) {
	case 0:
		end = min(len(line), at+r.IntN(6))
	case 1:
		if i := bytes.IndexByte(line[at:], '"'); i >= 0 {
			if n := bytes.IndexByte(line[at+i+1:], '"'); n >= 0 {
				at, end = at+i, at+i+n+2
			}
		}
	case 2: // behind a quote, where strings begin
		if i := bytes.IndexByte(line[at:], '"'); i >= 0 {
			at += i + 1
			end = at
		}
	}
	return append(append(bytes.Clone(line[:at]), oddities[r.IntN(len(oddities))]...), line[end:]...)
}

// usual are ledgers as clients write them, beside those of the vectors, which are short.
var usual = map[string][]byte{
	"agent.json": []byte(`{"name":"A","units":[{"id":"unit-1","name":"One"},{"id":"unit-2","name":"Two"}]}`),
	"runs.jsonl": []byte(`{"id":"r1","ts":"2026-01-05T08:00:01Z","title":"Monthly close 1","state":"in-flight","unit":"unit-1","period":"2026-10","session":{"runtime":"Claude Code","model":"opus","sessionId":"s-1","startedAt":"2026-01-05T08:00:00Z","trigger":"cron"},"result":"matched 1,204 rows — nothing flagged"}
{"id":"r1","ts":"2026-01-05T08:01:01Z","state":"in-flight","status":"warn","result":"the bank \"ledger\" was late"}
{"id":"r2","ts":"2026-01-05T09:02:01+01:00","status":"ok","state":"settled","result":"booked twice, café","attachments":["a.md","b.md"],"session":{"sessionId":"s-2","tokens":{"input":12,"output":3,"cacheRead":9}}}
{"id":"r3","ts":"2026-01-05T08:03:01Z","status":"fail","state":"settled","result":"rounding","attachments":["c.md"]}
`),
	"asks.jsonl": []byte(`{"id":"a1","ts":"2026-01-05T08:00:01Z","type":"question","status":"open","title":"No rule for prefix 1","unit":"unit-1","to":"manager","options":["Strip it","Map it"],"details":[{"l":"At risk","v":"$1,442.63"},{"l":"Due","v":"2026-11-01"}],"run":"r1","found":"keys of the customer","attachments":["a.md"]}
{"id":"a2","ts":"2026-01-05T08:00:02Z","type":"sign-off","status":"open","title":"Send it","to":"builder","onApprove":["Email the statement","Mark the keys"],"run":"r2","need":"a look","attachments":["b.md"]}
{"id":"a1","ts":"2026-01-05T08:01:02Z","details":[{"l":"At risk","v":"$2,442.63"}],"found":"more"}
{"id":"a1","status":"resolved","resolution":{"via":"figs","answer":"m1","by":"Sarah (accounting)","chosen":"Strip it","note":"done — as said","run":"r2","ts":"2026-01-06T08:01:02Z"}}
{"id":"a2","status":"withdrawn","resolution":{"via":"self","note":"no longer needed","ts":"2026-01-06T08:01:02Z"}}
{"id":"a2","ts":"2026-01-07T08:01:02Z","status":"open","type":"sign-off"}
`),
	"messages.jsonl": []byte(`{"id":"m1","ts":"2026-01-05T10:00:00Z","kind":"answer","ask":"a1","by":"Sarah","source":"app","chosen":"Strip it","text":"go ahead"}
{"id":"m2","ts":"2026-01-05T11:00:00Z","kind":"verdict","ask":"a2","by":"Sarah","verdict":"changes-requested","text":"name the keys, please"}
{"id":"m3","ts":"2026-01-05T12:00:00Z","kind":"verdict","ask":"a2","by":"Sarah","verdict":"approved","source":"chat"}
`),
}

// edition makes a larger folder of a vector, and of usual lines.
func edition(v figstest.Vector, r *rand.Rand) figstest.Vector {
	files := map[string][]byte{"config.json": v.Files["config.json"], "agent.json": v.Files["agent.json"]}
	if r.IntN(2) == 0 {
		files["agent.json"] = usual["agent.json"]
	}
	for _, name := range []string{"runs.jsonl", "asks.jsonl", "messages.jsonl"} {
		pool := v.Files[name]
		if len(pool) > 16<<10 {
			pool = pool[:16<<10]
		}
		if r.IntN(3) > 0 {
			pool = append(append(bytes.Clone(pool), '\n'), usual[name]...)
		}
		files[name] = enlarge(r, pool, 20+r.IntN(150))
	}
	v.Files = files
	return v
}

// TestPlansChangeNothing reads every vector, and larger editions of it, with and without plans. FIGS_PLAN_LINES is how many lines
// are read at least.
func TestPlansChangeNothing(t *testing.T) {
	want, _ := strconv.Atoi(os.Getenv("FIGS_PLAN_LINES"))
	lines, followed, rounds := 0, 0, 1
	if !testing.Short() {
		rounds = 3
	}
	var vectors []figstest.Vector
	for v := range figstest.Vectors() {
		size := 0
		for _, b := range v.Files {
			size += len(b)
		}
		if size < 1<<20 {
			vectors = append(vectors, v)
		}
	}
	seed, _ := strconv.ParseUint(os.Getenv("FIGS_PLAN_SEED"), 10, 64)
	for round := 0; round < rounds || lines < want; round++ {
		for i, v := range vectors {
			r := rand.New(rand.NewPCG(seed+uint64(round), uint64(i)))
			if round == 0 {
				n, m := sameWithPlans(t, v, r)
				lines, followed = lines+n, followed+m
			}
			n, m := sameWithPlans(t, edition(v, r), r)
			lines, followed = lines+n, followed+m
		}
	}
	t.Logf("%d lines, %d of them followed", lines, followed)
	if followed < lines/4 {
		t.Errorf("only %d of %d lines were followed", followed, lines)
	}
}

// TestPlansFollow wants the lines of each ledger followed, with history and without, with bytes kept and without.
func TestPlansFollow(t *testing.T) {
	for _, opt := range []figs.Options{{}, {Keep: true}, {History: true}} {
		for _, file := range []figs.File{figs.Runs, figs.Asks, figs.Messages} {
			f := figs.NewPlanned(opt)
			f.Feed(file, bytes.Repeat(usual[file.String()], 50))
			f.Finish()
			if n, all := f.Followed(), f.Lines(file); n < all*9/10 {
				t.Errorf("%v, %+v: %d of %d lines were followed", file, opt, n, all)
			}
		}
	}
}

// FuzzPlans holds reading with plans to reading without. Each ledger is read as it is and enlarged.
func FuzzPlans(f *testing.F) {
	for v := range figstest.Vectors() {
		if runs, asks, messages := v.Files["runs.jsonl"], v.Files["asks.jsonl"], v.Files["messages.jsonl"]; len(runs)+len(asks)+len(messages) < 64<<10 {
			f.Add(runs, asks, messages, v.Files["agent.json"], uint64(len(runs)))
		}
	}
	f.Add(usual["runs.jsonl"], usual["asks.jsonl"], usual["messages.jsonl"], usual["agent.json"], uint64(1))
	f.Fuzz(func(t *testing.T, runs, asks, messages, agent []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		v := figstest.Vector{Now: "2026-11-20T12:00:00Z", Artifacts: []figstest.Artifact{{Name: "a.md", Size: 7}},
			Files: map[string][]byte{"runs.jsonl": runs, "asks.jsonl": asks, "messages.jsonl": messages, "agent.json": agent}}
		sameWithPlans(t, v, r)
		for name, ledger := range v.Files {
			if name != "agent.json" {
				v.Files[name] = append(append(bytes.Repeat(append(bytes.Clone(ledger), '\n'), 3), enlarge(r, ledger, 20)...), bytes.Repeat([]byte("\n"), 80)...)
			}
		}
		sameWithPlans(t, v, r)
	})
}

// BenchmarkPlans reads, with and without plans, ledgers whose lines are all spelled alike, and such in which plans are of no use
// because every line, or every second one, is spelled like no other.
func BenchmarkPlans(b *testing.B) {
	var alike, different, late, long []byte
	for i := range 20_000 {
		line := fmt.Sprintf(`"id":"r%d","ts":"2026-01-05T08:00:01Z","title":"Monthly close %d","state":"in-flight","period":"2026-10","result":"matched %s"`, i, i, strings.Repeat("some rows of the statement ", 6))
		alike = fmt.Appendf(alike, "{%s}\n", line)
		different = fmt.Appendf(different, "{\"k%x\":\"x\",%s}\n", i*7919, line)
		late = fmt.Appendf(late, "{%s,\"k%x\":\"x\"}\n", line, i*7919)
		if i%30 == 0 {
			text := strings.Repeat("some rows of the statement ", 400)
			long = fmt.Appendf(long, "{%s,\"text\":\"%s\",\"k\":1}\n{%s,\"text\":\"%s\",\"k%x\":1}\n", line, text, line, text, i)
		}
	}
	for _, c := range []struct {
		name   string
		ledger []byte
	}{{"alike", alike}, {"another-first-key", different}, {"another-last-key", late}, {"another-last-key-every-second-line", long}} {
		for name, begin := range map[string]func(figs.Options) *figs.Folder{"planned": figs.NewPlanned, "scanned": figs.NewScanning} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(c.ledger)))
				b.ReportAllocs()
				for b.Loop() {
					f := begin(figs.Options{Keep: true})
					f.Feed(figs.Runs, c.ledger)
					f.Finish()
				}
			})
		}
	}
}
