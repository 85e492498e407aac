//go:build unix

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

const mb = 1e6

var engineNames = map[string]string{"sqlite": "SQLite, one node", "postgres": "PostgreSQL, three nodes"}

// describeScale describes what was measured as a Markdown document.
func describeScale(all []*scaled) []byte {
	var b bytes.Buffer
	z := all[0].size
	fmt.Fprintf(&b, "# Pages at scale\n\nThis page is written by `make scale`. %s, %s.\n\n", time.Now().UTC().Format("January 2, 2006"), machine())
	fmt.Fprintf(&b, "One workspace has %s agents in %d departments, %s asks with their replies, %s jobs and %d people. Two fifths of the jobs and a\nfifth of the asks belong to one agent, the *large agent*. ",
		figure(z.Agents), z.Departments, figure(z.Asks), figure(z.Jobs), z.People)
	fmt.Fprintf(&b, "While every page is requested in turn, %d pages (org chart and inboxes) are open and\nfetch what changes as browsers do, ten pushes a second arrive, and one ask a second is decided. The program that asks, the nodes and the database share the machine's cores.\n\n", scaleOpen)
	b.WriteString("- **alone**: the median of three requests in a row on one node, without other work, in milliseconds.\n- **processor**: how long the node's threads ran for it, in milliseconds. On a busy machine this says more than the time until the answer.\n- **p50**, **p95**, **p99**: under load, in milliseconds.\n- **bytes**: of the answer, without compression.\n- **queries**: database queries that read.\n")
	for _, s := range all {
		s.write(&b)
	}
	return b.Bytes()
}

func (s *scaled) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n## %s\n\n| | |\n|---|---:|\n", engineNames[s.engine])
	row := func(what, format string, values ...any) {
		fmt.Fprintf(b, "| %s | %s |\n", what, fmt.Sprintf(format, values...))
	}
	row("database", "%.0f MB", s.database/mb)
	row("memory of a node after each page was requested", "%.0f MB", s.resident/mb)
	row("memory of a node, most", "%.0f MB", s.peak/mb)
	if s.seeded > 0 {
		row("time to fill", "%.0f s", s.seeded.Seconds())
	}
	if s.lasted > 0 {
		s.writeLoad(row)
	}
	if s.engine == "postgres" {
		var whole []string
		for _, table := range slices.Sorted(maps.Keys(s.whole)) {
			if n := s.whole[table]; n > 0 {
				whole = append(whole, fmt.Sprintf("%s %d×", table, n))
			}
		}
		row("tables that pages alone read as a whole", "%s", cmp.Or(strings.Join(whole, ", "), "none"))
	}
	row("errors", "%d", s.failed)
	if s.failure != "" {
		fmt.Fprintf(b, "\nThe first error: `%s`\n", strings.ReplaceAll(s.failure, "\n", " "))
	}
	b.WriteString("\n| page | alone | processor | p50 | p95 | p99 | visits | bytes | queries |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, v := range s.pages {
		if v.err != nil {
			fmt.Fprintf(b, "| %s | %s | | | | | | | |\n", v.Name, strings.ReplaceAll(fmt.Sprintf("%.120s", v.err), "|", `\|`))
			continue
		}
		if len(v.times) == 0 {
			fmt.Fprintf(b, "| %s | %.1f | %.1f | | | | 0 | %s | %d |\n", v.Name, v.alone, v.processor, figure(v.bytes), v.queries)
			continue
		}
		fmt.Fprintf(b, "| %s | %.1f | %.1f | %.0f | %.0f | %.0f | %d | %s | %d |\n", v.Name, v.alone, v.processor, median(v.times), quantile(v.times, 0.95), quantile(v.times, 0.99), len(v.times), figure(v.bytes), v.queries)
	}
}

// writeLoad writes the rows about the load.
func (s *scaled) writeLoad(row func(what, format string, values ...any)) {
	row("load lasted", "%.0f s", s.lasted.Seconds())
	share := func(what string, x shares) {
		if s.engine == "postgres" {
			row("processor, "+what, "%.0f %% of one core by the nodes, %.0f %% by PostgreSQL", 100*x.own, 100*x.server)
			return
		}
		row("processor, "+what, "%.0f %% of one core", 100*x.own)
	}
	share("pushes alone", s.pushing)
	share("with open pages, too", s.opened)
	share("with all of the load", s.used)
	if len(s.pushes) > 0 {
		row(figure(len(s.pushes))+" pushes, p50, p95, p99", "%.0f, %.0f, %.0f ms", median(s.pushes), quantile(s.pushes, 0.95), quantile(s.pushes, 0.99))
	}
	if len(s.decisions) > 0 {
		row(figure(len(s.decisions))+" decisions, with the ask's page, p50, p95, p99", "%.0f, %.0f, %.0f ms", median(s.decisions), quantile(s.decisions, 0.95), quantile(s.decisions, 0.99))
	}
	var events, fetches, parts int
	var bytes int64
	for _, p := range s.open {
		events, fetches, parts, bytes = events+p.events, fetches+p.fetches, parts+p.parts, bytes+p.bytes
	}
	row(fmt.Sprintf("events to %d open pages; their requests; of these for rows alone; bytes", len(s.open)), "%s; %s; %s; %.1f MB", figure(events), figure(fetches), figure(parts), float64(bytes)/mb)
}

// figure writes a number with commas.
func figure(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// machine describes the one that measures.
func machine() string {
	name := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, ok := strings.Cut(string(text), "model name\t: "); ok {
			name, _, _ = strings.Cut(rest, "\n")
		}
	}
	var memory float64
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		fmt.Sscanf(string(text), "MemTotal: %f kB", &memory)
	}
	return fmt.Sprintf("%d cores of %s, %.0f GB of memory, %s", runtime.NumCPU(), name, memory/1e6, runtime.GOOS)
}
