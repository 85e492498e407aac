package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// The measure of a generated ledger: four lines an id, 384 bytes a line on average with its line feed.
const (
	linesPerID = 4
	bytesPerID = linesPerID * 384
	// openAtOnce is how many records are being written side by side, so that an id's lines do not stand together.
	openAtOnce = 12
)

// A folder is one generated .figs folder: what the engine and the JavaScript program are both given.
type folder struct {
	Agent, Config []byte   // agent.json and config.json
	Runs, Asks    []byte   // runs.jsonl and asks.jsonl, of equal size
	Artifacts     []string // the names in artifacts/
	Now           string   // the instant that rules about time are told, after every line
}

// size is how many ledger bytes the folder has.
func (f *folder) size() int { return len(f.Runs) + len(f.Asks) }

// generate writes a folder whose two ledgers together have size bytes (at most 3,071 fewer). The same
// size gives the same bytes on every machine: figures of two days can be compared.
func generate(size int) *folder { return (&generator{}).folder(size) }

// generateMarked is generate with em dashes, umlauts or tick marks in a third of the lines, as agents write them. One of these
// characters makes a JavaScript engine store the whole text as two-byte strings.
func generateMarked(size int) *folder { return (&generator{marks: true}).folder(size) }

func (g *generator) folder(size int) *folder {
	g.rand, g.ids = rand.New(rand.NewPCG(2, 1936)), max(size/2/bytesPerID, 1)
	f := &folder{Agent: charter(), Config: []byte(`{"agentId":"cb2d2df4-d0c2-4548-b011-a08f5b757c09"}`)}
	for i := range artifactCount {
		f.Artifacts = append(f.Artifacts, artifactName(i))
	}
	f.Runs = g.ledger((*generator).runLine)
	f.Asks = g.ledger((*generator).askLine)
	f.Now = g.now.AddDate(0, 0, 30).Format(time.RFC3339)
	return f
}

// A generator writes lines one after the other; its clock only goes forward.
type generator struct {
	rand  *rand.Rand
	ids   int
	marks bool // a third of the lines have characters outside ASCII
	now   time.Time
	line  []byte
}

// ledger writes every id's four lines, a dozen records interleaved.
func (g *generator) ledger(write func(g *generator, id, nth int)) []byte {
	out := make([]byte, 0, g.ids*bytesPerID)
	g.now = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
	type record struct{ id, written int }
	var open []record
	for next := 0; ; {
		for len(open) < openAtOnce && next < g.ids {
			open = append(open, record{id: next})
			next++
		}
		if len(open) == 0 {
			return out
		}
		pick := g.rand.IntN(len(open))
		g.now = g.now.Add(time.Duration(1+g.rand.IntN(30)) * time.Second)
		g.line = g.line[:0]
		write(g, open[pick].id, open[pick].written)
		out = append(append(out, g.line...), '\n')
		if open[pick].written++; open[pick].written == linesPerID {
			open[pick] = open[len(open)-1]
			open = open[:len(open)-1]
		}
	}
}

// finish appends `"key":"…text…"` and the tail so that the line has width bytes with its line feed.
func (g *generator) finish(width int, key, tail string) {
	g.line = append(g.line, `,"`...)
	g.line = append(g.line, key...)
	g.line = append(g.line, `":"`...)
	room := width - 1 - len(g.line) - 1 - len(tail)
	if room < 1 {
		panic("a line has no room for its text: " + string(g.line) + tail)
	}
	g.line = g.text(g.line, room)
	g.line = append(g.line, '"')
	g.line = append(g.line, tail...)
}

// open starts a line with its id and ts.
func (g *generator) open(id string) {
	g.line = append(g.line, `{"id":"`...)
	g.line = append(g.line, id...)
	g.line = append(g.line, `","ts":"`...)
	g.line = append(append(g.line, g.stamp()...), '"')
}

// add appends one more member; value is JSON.
func (g *generator) add(key, value string) {
	g.line = append(g.line, ',', '"')
	g.line = append(g.line, key...)
	g.line = append(g.line, '"', ':')
	g.line = append(g.line, value...)
}

// stamp is the present instant, in UTC or, for one line in four, with an offset.
func (g *generator) stamp() string {
	if g.rand.IntN(4) == 0 {
		return g.now.In(time.FixedZone("", 3600)).Format(time.RFC3339)
	}
	return g.now.Format(time.RFC3339)
}

// text appends exactly n bytes of plain sentences; one line in ten has escapes in it, and with marks one in three a few characters
// outside ASCII.
func (g *generator) text(to []byte, n int) []byte {
	escaped := g.rand.IntN(10) == 0
	if g.marks && g.rand.IntN(3) == 0 {
		to, n = g.markedText(to, n)
	}
	for end := len(to) + n; len(to) < end; {
		word := words[g.rand.IntN(len(words))]
		if escaped && g.rand.IntN(5) == 0 {
			word = escapes[g.rand.IntN(len(escapes))]
		}
		if left := end - len(to); len(word)+1 > left {
			return append(to, "reconciliation-report"[:left]...)
		}
		to = append(append(to, word...), ' ')
	}
	return to
}

// markedText appends some words outside ASCII among others, at least one of them, and returns how many of n bytes are left.
func (g *generator) markedText(to []byte, n int) ([]byte, int) {
	begin := len(to)
	for i := range 20 {
		word := words[g.rand.IntN(len(words))]
		if i%5 == 0 {
			word = marks[g.rand.IntN(len(marks))]
		}
		if len(word)+1 > n-(len(to)-begin) {
			break
		}
		to = append(append(to, word...), ' ')
	}
	return to, n - (len(to) - begin)
}

var marks = []string{"—", "–", "✓", "→", "für", "geprüft", "Müller & Söhne", "“matched”", "it’s", "12 €"}

var words = []string{
	"matched", "invoice", "statement", "keys", "the", "of", "and", "for", "customer", "within", "tolerance", "flagged",
	"1,204 rows", "98.6%", "delivery", "number", "prefix", "waiting", "on", "bank", "ledger", "balance", "$50,442.63",
	"currency", "rounding", "October", "supplier", "credit", "note", "booked", "twice", "review", "a", "in", "is", "not",
}

var escapes = []string{`\"PO-1177\"`, `\n`, `caf\u00e9`, `C:\\close`, `\t`, `\u2014`, `31\/31`}

const (
	artifactCount = 96
	unitCount     = 24
)

func artifactName(i int) string {
	return "report-" + strconv.Itoa(i) + []string{".html", ".md", ".json", ".png", ".csv", ".pdf"}[i%6]
}

func unitName(i int) string { return "unit-" + strconv.Itoa(i%unitCount) }

func runID(i int) string { return fmt.Sprintf("close-2026-%06d", i) }

// charter is an agent.json with units, so that the rule about unknown units is at work.
func charter() []byte {
	out := []byte(`{"name":"Reconciliation","role":"Reconciliation Officer","status":"active","steps":["Pull","Match"],"units":[`)
	for i := range unitCount {
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, `{"id":%q,"name":"Unit %d","stats":[{"l":"Matched","v":"%d keys"}]}`, unitName(i), i, 100+i)
	}
	return append(out, "]}\n"...)
}
