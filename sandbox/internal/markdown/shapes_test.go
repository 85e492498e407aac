package markdown

import (
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/testenv/effort"
	"github.com/figs-web/figs-web/sandbox/report"
)

const most = 1 << 20 // the largest markdown that is rendered

// fill repeats unit up to the largest input.
func fill(unit string) string { return strings.Repeat(unit, most/len(unit)) }

// perBlock repeats unit n times a paragraph, as many paragraphs as fit.
func perBlock(unit string, n int) string { return fill(strings.Repeat(unit, n) + "\n\n") }

func numbered(format string) string {
	var b strings.Builder
	for i := 0; b.Len() < most-200; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// shapes are documents that make markdown readers slow or large: each at the limit of what the
// guards let through and far beyond it.
func shapes() []shape {
	var all []shape
	add := func(name string, src func() string) { all = append(all, shape{name, src}) }
	for name, unit := range map[string]string{
		"brackets": "[", "closing": "]", "bracket pairs": "[]", "images": "![", "link starts": "[a](", "nested links": "[a](b", "emphasis": "*", "emphasis words": "*a_b",
		"mixed emphasis": "**_a ", "underscores": "_a", "tildes": "~a~~b", "backticks": "`a``b", "raw html": "<a ", "raw attributes": "<a b='", "comments": "<!--", "instructions": "<?",
		"declarations": "<!A", "cdata": "<![CDATA[", "entities": "&#x41;", "amps": "&", "autolinks": "<http://a", "escapes": "\\*", "parens": "www.a.bb(", "www": " www.a", "mail": " a@b.c",
		"urls": "(http://a.bc/?q=&amp;)", "email underscores": "_aaaa", "star colon": "*a**b***c", "task": "- [x] a\n", "semicolons": " http://a.bc/;;;", "hard breaks": "a  \n",
	} {
		add("flood of "+name, func() string { return fill(unit) })
		for _, n := range []int{50, 999} {
			add(fmt.Sprintf("paragraphs of %d %s", n, name), func() string { return perBlock(unit, n) })
		}
		wide := strings.Repeat("x", 250) + unit
		add("long paragraphs of "+name, func() string { return perBlock(wide, 249) })
		add("long lines of "+name, func() string { return perBlock(strings.Repeat(unit, 5)+strings.Repeat("y", 1000), 40) })
	}
	for _, depth := range []int{4, 15, 16, 17, 64, 1000} {
		add(fmt.Sprintf("%d quotes", depth), func() string { return fill(strings.Repeat(">", depth) + "a\n") })
		add(fmt.Sprintf("%d quotes and blanks", depth), func() string { return fill(strings.Repeat(">", depth) + "a\n\n") })
		add(fmt.Sprintf("%d quotes once, then lazy", depth), func() string { return strings.Repeat("> ", depth) + fill("a\n")[:most-2*depth] })
		add(fmt.Sprintf("%d items on a line", depth), func() string { return fill(strings.Repeat("- ", depth) + "a\n") })
		add(fmt.Sprintf("%d items, blank lines", depth), func() string { return fill(strings.Repeat("* ", depth) + "a\n\n") })
		add(fmt.Sprintf("%d numbers", depth), func() string { return fill(strings.Repeat("1. ", depth) + "\n") })
		add(fmt.Sprintf("%d items once, then blanks", depth), func() string { return strings.Repeat("- ", depth) + "a" + fill("\n")[:most-2*depth-1] })
		add(fmt.Sprintf("%d quoted fences", depth), func() string { return fill(strings.Repeat(">", depth) + "```\n") })
	}
	var stairs strings.Builder
	for i := range 40 {
		stairs.WriteString(strings.Repeat(" ", i*2) + "- a\n")
	}
	add("stairs of lists", func() string { return fill(stairs.String()) })
	add("32 steps", func() string { return fill(strings.Join(strings.SplitAfter(stairs.String(), "\n")[:32], "") + "\n") })
	add("32 steps once, then text", func() string {
		return strings.Join(strings.SplitAfter(stairs.String(), "\n")[:32], "") + fill(strings.Repeat(" ", 66) + "a\n\n")[:most-2500]
	})
	add("mail in one word", func() string { return fill(strings.Repeat("a", 260) + "_") })
	for _, columns := range []int{2, 50, 300, 1000, 30000} {
		row := strings.Repeat("|a", columns) + "|\n"
		head := row + strings.Repeat("|-", columns) + "|\n"
		add(fmt.Sprintf("table of %d columns", columns), func() string { return head + strings.Repeat(row, max(0, most-len(head))/len(row)) })
		add(fmt.Sprintf("short rows of %d columns", columns), func() string { return head + strings.Repeat("a\n", max(0, most-len(head))/2) })
		add(fmt.Sprintf("many tables of %d columns", columns), func() string { return strings.Repeat(head+"\n", most/(len(head)+1)) })
		add(fmt.Sprintf("heads without tables of %d columns", columns), func() string { return strings.Repeat("|a|\n"+strings.Repeat("|-", columns)+"|\n", most/(2*columns+8)) })
		add(fmt.Sprintf("heads without tables of %d columns, apart", columns), func() string {
			return strings.Repeat("|a|\n"+strings.Repeat("|-", columns)+"|\n\n", most/(2*columns+9))
		})
	}
	add("dashes", func() string { return fill("-|-\n") })
	add("escaped pipes", func() string { return "|a|\n|-|\n" + fill("|`\\|`|\n")[:most-8] })
	add("many escaped pipes", func() string { return fill("|a|\n|-|\n|`" + strings.Repeat(`\|`, 200) + "`|\n\n") })
	add("definitions", func() string { return numbered("[%d]: /x\n") })
	add("definitions apart", func() string { return numbered("[%d]: /x\n\n") })
	add("1,900 definitions, many uses", func() string {
		return strings.Join(strings.SplitAfter(numbered("[%d]: /x\n"), "\n")[:1900], "") + "\n" + fill("[1899] ")[:most-40_000]
	})
	add("a long target, many uses", func() string {
		return "[a]: /" + strings.Repeat("x", 200_000) + "\n\n" + perBlock("[a] ", 400)[:800_000]
	})
	add("a long title, many uses", func() string {
		return "[a]: /x '" + strings.Repeat("&amp;", 40_000) + "'\n\n" + perBlock("[a] ", 400)[:800_000]
	})
	add("open definitions", func() string { return fill("[a\n") })
	add("open titles", func() string { return fill("[a]: x '\n") })
	add("definitions in one paragraph, open title", func() string { return strings.Repeat("[a]: /x\n", 1990) + "[b]: /x '" + fill("a\n")[:240_000] })
	add("html blocks", func() string { return fill("<div>\n") })
	add("open html", func() string { return "<!--" + fill("a\n")[:most-4] })
	add("html blocks apart", func() string { return fill("<div>\n\n") })
	add("html ends", func() string { return fill("</a\n") })
	add("equal headings", func() string { return fill("# a\n") })
	add("setext headings", func() string { return fill("a\n=\n") })
	add("headings that count", func() string { return numbered("# a %d\n") })
	add("headings that collide", func() string { return fill("# a\n# a-1\n# a-1-1\n") })
	add("thematic breaks", func() string { return fill("***\n") })
	add("fences", func() string { return fill("```\n") })
	add("open fences", func() string { return fill("```a\n~~~\n") })
	add("one long fence", func() string { return "```\n" + fill("*a [b]\n")[:most-8] })
	add("one line", func() string { return fill("a") })
	add("spaces", func() string { return fill(" ") })
	add("tabs", func() string { return fill("\t") })
	add("tabs and text", func() string { return fill("\ta\n \tb\n") })
	add("deep tabs", func() string { return fill(strings.Repeat("\t", 40) + "- a\n") })
	add("newlines", func() string { return fill("\n") })
	add("carriage returns", func() string { return fill("\r") })
	add("carriage return lines", func() string { return fill("> a\r") })
	add("nul", func() string { return fill("\x00") })
	add("bad bytes", func() string { return fill("\xff*") })
	add("list, blank, text", func() string { return fill("- a\n\n  b\n\n") })
	add("numbers", func() string { return fill("1) a\n2. b\n") })
	add("empty items", func() string { return fill("-\n\n") })
	add("quotes of code", func() string { return fill(">     a\n") })
	add("words", func() string { return fill("word ") })
	add("ordinary", func() string {
		return fill("# Title\n\nSome *text* with a [link](https://example.org) and `code`.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n")
	})
	return all
}

type shape struct {
	name string
	src  func() string
}

// TestHostileShapes holds every shape to a limit of work and to memory that a browser's worker has: a third of the shapes,
// or all of them where FIGS_LONG is set. Which third changes, as the floods are in no order.
func TestHostileShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of documents of a megabyte")
	}
	const limit = 20 // units of work
	rendered, slowest, largest := 0, time.Duration(0), uint64(0)
	all, every := shapes(), 3
	if os.Getenv("FIGS_LONG") != "" {
		every = 1
	}
	for i, s := range all {
		if i%every != 0 {
			continue
		}
		name, src := s.name, s.src()
		if len(src) > most {
			t.Fatalf("%s: %d bytes", name, len(src))
		}
		runtime.GC()
		r, took, peak := measure(t, name, src)
		if r.Notice == nil {
			rendered++
		}
		if took > 300*time.Millisecond || peak > 150<<20 {
			t.Logf("%-50s %8v %5d MB  %s", name, took.Round(time.Millisecond), peak>>20, outcome(r))
		}
		units := effort.Units(t, took)
		for try := 0; try < 2 && units > limit; try++ { // a busy machine slows its caches too
			_, again, _ := measure(t, name, src)
			units = min(units, effort.Units(t, again))
		}
		if units > limit || peak > 320<<20 {
			t.Errorf("%s: %.1f units of work, %d MB, %s", name, units, peak>>20, outcome(r))
		}
		slowest, largest = max(slowest, took), max(largest, peak)
	}
	t.Logf("%d shapes, %d rendered; the slowest took %v, the largest %d MB", (len(all)+every-1)/every, rendered, slowest, largest>>20)
}

// measure renders and watches processor time and heap.
func measure(t *testing.T, name, src string) (r Result, took time.Duration, peak uint64) {
	t.Helper()
	done := make(chan Result, 1)
	start, wall := effort.Spent(t), time.Now()
	go func() { done <- HTML([]byte(src), report.Hosted()) }()
	watch := time.NewTicker(5 * time.Millisecond)
	defer watch.Stop()
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for {
		select {
		case r = <-done:
			return r, effort.Spent(t) - start, peak
		case <-watch.C:
			metrics.Read(heap)
			peak = max(peak, heap[0].Value.Uint64())
			if time.Since(wall) > time.Minute {
				t.Fatalf("%s: not done after a minute", name)
			}
		}
	}
}

func outcome(r Result) string {
	if r.Notice != nil {
		return r.Notice.Text
	}
	return fmt.Sprintf("%d bytes of HTML", len(r.HTML))
}
