//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

// table is one of docs/scale.md.
type table struct{ name, text string }

// filled is a document with its tables written anew, each between two comments that name it.
func filled(text []byte, tables []table) ([]byte, error) {
	for _, t := range tables {
		begin, end := []byte("<!-- "+t.name+": go run ./internal/scale -write -->\n"), []byte("<!-- /"+t.name+" -->")
		before, rest, found := bytes.Cut(text, begin)
		_, after, ends := bytes.Cut(rest, end)
		if !found || !ends {
			return nil, fmt.Errorf("the document has no place for the table %q: %s…%s", t.name, begin, end)
		}
		text = bytes.Join([][]byte{before, begin, []byte(t.text), end, after}, nil)
	}
	return text, nil
}

// rows writes a table whose first column is text.
func rows(name, head string, lines ...string) table {
	columns := strings.Count(head, "|") - 1
	return table{name, head + "\n|---" + strings.Repeat("|--:", columns-1) + "|\n" + strings.Join(lines, "\n") + "\n"}
}

func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }

// tables are all tables of the document.
func (c assumptions) tables(m *measured) []table {
	r := c.region(m)
	return []table{c.agentYear(m), c.perTable(m), c.perPush(m), c.whole(m, r), c.spreading(r), c.costs(r), c.breaks(m), c.assumed(), shards(), crossings()}
}

func (c assumptions) agentYear(m *measured) table {
	line := func(what string, n float64) string { return row(what, count(n), fmt.Sprintf("%.1f", n/365)) }
	return rows("agent-year", row("of one agent", "a year", "a day"),
		line("jobs", m.Jobs), line("rows of their trails", m.RunLines), line("asks raised", m.Asks), line("rows of their trails", m.AskLines),
		line("replies, decided in the reader", m.Replies), line("attachments", m.Files), line("pushes, one for each line", m.Pushes))
}

// shown is how many tables have a row of their own.
const shown = 14

func (c assumptions) perTable(m *measured) table {
	var lines []string
	rest := tableMeasure{}
	for i, t := range m.Tables {
		if i >= shown {
			rest.Rows += t.Rows
			rest.Heap += t.Heap
			rest.Indexes += t.Indexes
			rest.Updates += t.Updates
			rest.Hot += t.Hot
			continue
		}
		lines = append(lines, tableRow("`"+t.Name+"`", t))
	}
	heap, indexes := m.bytes()
	lines = append(lines, tableRow("all others", rest), row("**together**", "", size(heap), size(indexes), "", ""),
		row("**for each row of a trail**", "", size(heap/m.trail()), size(indexes/m.trail()), "", ""))
	return rows("tables", row("table", "rows", "rows take", "indexes take", "changed rows", "of them without an index"), lines...)
}

func tableRow(name string, t tableMeasure) string {
	hot := "–"
	if t.Updates > 0 {
		hot = fmt.Sprintf("%.0f %%", 100*t.Hot/t.Updates)
	}
	return row(name, count(t.Rows), size(t.Heap), size(t.Indexes), count(t.Updates), hot)
}

func (c assumptions) perPush(m *measured) table {
	return rows("push", row("for one push of one line", "measured"),
		row("written ahead (WAL)", size(m.PushWAL)), row("processor time of PostgreSQL", fmt.Sprintf("%.1f ms", m.PushCPU)),
		row("processor time of the program, without HTTP", fmt.Sprintf("%.1f ms", m.NodeCPU)),
		row(fmt.Sprintf("the same where the whole ledger of a year comes, %.1f MB", m.LedgerMB), fmt.Sprintf("%.0f ms", m.LedgerCPU)),
		row("numbers of transactions, over all that an agent does", fmt.Sprintf("%.2f", m.Xids/m.Pushes)))
}

func (c assumptions) whole(m *measured, r region) table {
	of := func(total float64, format func(float64) string) (string, string) {
		return format(total), format(total / r.databases)
	}
	line := func(what string, total float64, format func(float64) string) string {
		all, one := of(total, format)
		return row(what, all, one)
	}
	return rows("region", row("", "region", "one database"),
		row("databases", count(r.databases), "1"), line("agents", float64(c.Agents), count), line("rows of trails", c.Rows, count),
		line("rows", r.heap, size), line("indexes", r.indexes, size),
		line("pushes a second, average", r.pushes, count), line("pushes a second, peak", r.pushes*c.Peak, count),
		line("written ahead, a second at the peak", r.wal*c.Peak, size), line("written ahead, a day", r.wal*86400, size),
		row("days to two hundred million transactions", "", fmt.Sprintf("%.0f", 2e8/(r.xids/r.databases*86400))),
		line("cores of PostgreSQL, peak", r.dbCores, count), row("cores of nodes, peak", count(r.nodeCores), "–"),
		row("ledgers that pushes carry, a second at the peak", size(r.reports*c.Peak), "–"),
		row("attachments", count(r.files), "–"), row("their bytes", size(r.bytes), "–"))
}

func (c assumptions) spreading(r region) table {
	s := c.simulate(int(r.databases))
	return rows("spread", row("workspaces on databases", "simulated"),
		row("workspaces", count(float64(s.teams))), row("agents of the largest", count(float64(s.largest))), row("part of a database that it takes", fmt.Sprintf("%.1f %%", 100*s.biggestDatabase)),
		row("fullest database against the mean, by a hash of the workspace", fmt.Sprintf("%.2f", s.hashed)),
		row("the same, each new workspace where there is most room", fmt.Sprintf("%.2f", s.chosen)),
		row("workspaces that move when the databases are doubled", count(float64(s.moved))), row("part of all rows that moves", fmt.Sprintf("%.0f %%", 100*s.movedPart)))
}

func (c assumptions) costs(r region) table {
	p, copies := c.Prices, r.databases*(1+c.Standbys)
	disk := r.databases * (1 + c.Standbys) * c.Disk
	parts := []struct {
		what, of string
		units    float64
	}{
		{"database machines", fmt.Sprintf("%.0f of %.0f cores and %s", copies, c.Cores, size(c.Memory)), copies * (c.Cores*p.Core + c.Memory/1e9*p.Memory)},
		{"their disks", size(disk), disk / 1e9 * p.Disk},
		{"nodes", fmt.Sprintf("%.0f cores", r.nodeCores), r.nodeCores * (p.Core + 2*p.Memory)},
		{"attachments", size(r.bytes), r.bytes / 1e9 * p.Object},
		{"requests to them", count(2*r.files/12) + " a month", 2 * r.files / 12 / 1e6 * p.Requests},
		{"written ahead, kept for 14 days", size(r.wal * 14 * 86400), r.wal * 14 * 86400 / 1e9 * p.Object},
		{"pages that leave", size(0.02 * r.reports * month), 0.02 * r.reports * month / 1e9 * p.Egress},
	}
	total := 0.0
	for _, x := range parts {
		total += x.units
	}
	var lines []string
	for _, x := range parts {
		lines = append(lines, row(x.what, x.of, count(x.units), fmt.Sprintf("%.0f %%", 100*x.units/total)))
	}
	lines = append(lines, row("**together, a month**", "", count(total), ""), row("**for a thousand agents, a month**", "", fmt.Sprintf("%.1f", total/float64(c.Agents)*1000), ""))
	return rows("cost", row("part", "how much", "units", "part of all"), lines...)
}

func (c assumptions) breaks(m *measured) table {
	var lines []string
	for _, l := range c.limits(m) {
		lines = append(lines, row(l.what+": "+l.why, count(l.agents)))
	}
	return rows("breaks", row("what ends", "with so many agents"), lines...)
}

func (c assumptions) assumed() table {
	p := c.Prices
	return rows("assumptions", row("assumption", "value"),
		row("agents; rows of their trails in a year", count(float64(c.Agents))+"; "+count(c.Rows)),
		row("disk, cores, memory of a database", fmt.Sprintf("%s, %.0f, %s", size(c.Disk), c.Cores, size(c.Memory))),
		row("how full a disk may be; how busy cores at the peak", fmt.Sprintf("%.0f %%; %.0f %%", 100*c.Fill, 100*c.Busy)),
		row("standbys of each database", fmt.Sprintf("%.0f", c.Standbys)),
		row("the busiest second against the average one", fmt.Sprintf("%.0f×", c.Peak)),
		row("a commit on that disk", fmt.Sprintf("%.0f ms", c.Commit)),
		row("part of rows and indexes that is in use", fmt.Sprintf("%.0f %%", 100*c.Hot)),
		row("an attachment, on the average", size(c.FileBytes)),
		row("agents of a workspace: half have fewer; largest", fmt.Sprintf("%.0f; %s", c.TeamMedian, count(float64(c.TeamMost)))),
		row("units: a core for a month", fmt.Sprintf("%g", p.Core)), row("a GB of memory for a month", fmt.Sprintf("%g", p.Memory)), row("a GB of disk for a month", fmt.Sprintf("%g", p.Disk)),
		row("a GB of attachments for a month; a million requests", fmt.Sprintf("%g; %g", p.Object, p.Requests)), row("a GB that leaves", fmt.Sprintf("%g", p.Egress)))
}

func shards() table {
	var lines []string
	for _, o := range owners {
		lines = append(lines, row(o.of, o.where, coded(o.tables)))
	}
	return words("shards", row("rows of", "would lie", "tables"), lines...)
}

func crossings() table {
	var lines []string
	for _, x := range crossing {
		lines = append(lines, row(coded(x.methods), x.asks, x.then))
	}
	return words("crossings", row("methods of the store", "what they ask", "what it would become"), lines...)
}

// words writes a table of text.
func words(name, head string, lines ...string) table {
	return table{name, head + "\n" + strings.Repeat("|---", strings.Count(head, "|")-1) + "|\n" + strings.Join(lines, "\n") + "\n"}
}

func coded(names string) string { return "`" + strings.Join(strings.Fields(names), "`, `") + "`" }

// count writes a number in at most four digits, or with its thousands marked.
func count(n float64) string {
	switch {
	case n == 0:
		return "0"
	case n < 100 && n != math.Trunc(n):
		return fmt.Sprintf("%.1f", n)
	case n >= 1e9:
		return fmt.Sprintf("%.3g billion", n/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.3g million", n/1e6)
	}
	text := fmt.Sprintf("%.0f", n)
	if len(text) > 3 {
		text = text[:len(text)-3] + "," + text[len(text)-3:]
	}
	return text
}

// size writes bytes in units of a thousand.
func size(n float64) string {
	units := []string{"B", "KB", "MB", "GB", "TB", "PB"}
	i := 0
	for ; n >= 1000 && i < len(units)-1; i++ {
		n /= 1000
	}
	if i > 0 && n < 10 {
		return fmt.Sprintf("%.1f %s", n, units[i])
	}
	return fmt.Sprintf("%.0f %s", n, units[i])
}
