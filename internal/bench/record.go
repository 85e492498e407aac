package main

import (
	"fmt"
	"strconv"
)

// runLine writes the nth line of job i: raised in flight, two checkpoints, then settled.
func (g *generator) runLine(i, nth int) {
	g.open(runID(i))
	shift := i%41 - 20 // lines differ in length, an id's four lines together do not
	switch nth {
	case 0:
		g.add("title", fmt.Sprintf(`"Monthly close %d for customer %d"`, i, i%unitCount))
		g.add("state", `"in-flight"`)
		g.add("unit", strconv.Quote(g.unit(i)))
		g.add("period", `"2026-10"`)
		g.add("session", fmt.Sprintf(`{"runtime":"Claude Code","model":"opus","sessionId":"s-%08x","startedAt":"%s","commit":"%07x+dirty","trigger":"monthly close cron"}`,
			g.rand.Uint32(), g.stamp(), g.rand.IntN(1<<28)))
		g.finish(480+shift, "result", "}")
	case 1:
		g.add("state", `"in-flight"`)
		g.add("status", `"warn"`)
		g.finish(320+shift, "result", "}")
	case 2:
		g.add("state", `"in-flight"`)
		g.finish(320-shift, "result", fmt.Sprintf(`,"attachments":[%q]}`, artifactName(g.rand.IntN(artifactCount))))
	case 3:
		g.add("status", []string{`"ok"`, `"ok"`, `"ok"`, `"warn"`, `"fail"`}[i%5])
		g.add("state", settled(i))
		g.finish(416-shift, "result", fmt.Sprintf(`,"attachments":[%q,%q],"session":{"sessionId":"s-%08x","tokens":{"input":%d,"output":%d,"cacheRead":%d}}}`,
			artifactName(g.rand.IntN(artifactCount)), artifactName(g.rand.IntN(artifactCount)),
			g.rand.Uint32(), g.rand.IntN(100_000), g.rand.IntN(20_000), g.rand.IntN(900_000)))
	}
}

// settled leaves a few jobs in flight.
func settled(i int) string {
	if i%397 == 5 {
		return `"in-flight"`
	}
	return `"settled"`
}

// unit is a unit of the charter, and now and then one that the charter does not name (a warning).
func (g *generator) unit(i int) string {
	if i%211 == 7 {
		return "unit-gone"
	}
	return unitName(i)
}

// askLine writes the nth line of ask i: raised, two additions, then closed. Two of three are questions.
func (g *generator) askLine(i, nth int) {
	signOff := i%3 == 2
	shift := i%31 - 15
	id := fmt.Sprintf("ask-%06d", i)
	switch nth {
	case 0:
		g.open(id)
		g.raise(i, signOff)
		g.finish(624+shift, "found", fmt.Sprintf(`,"attachments":[%q]}`, artifactName(g.rand.IntN(artifactCount))))
	case 1:
		g.open(id)
		g.add("details", fmt.Sprintf(`[{"l":"Amount at risk","v":"$%d,442.63"},{"l":"Rows","v":"%d"}]`, 1+i%90, i))
		g.finish(304+shift, "found", "}")
	case 2:
		g.open(id)
		g.finish(296-shift, "need", fmt.Sprintf(`,"attachments":[%q]}`, artifactName(g.rand.IntN(artifactCount))))
	case 3:
		g.close(id, i, signOff)
		g.finish(312-shift, "note", fmt.Sprintf(`,"run":%q,"ts":%q}}`, runID(i%g.ids), g.stamp()))
	}
}

// raise adds what a raise line carries after its id and ts.
func (g *generator) raise(i int, signOff bool) {
	kind, list := `"question"`, `"options"`
	values := `["Strip the alpha prefix","Use a mapping","Out of scope"]`
	if signOff {
		kind, list = `"sign-off"`, `"onApprove"`
		values = `["Email the statement (irreversible)","Mark the keys disputed"]`
	}
	job := runID(i % g.ids)
	if i%307 == 11 {
		job = "close-unknown" // a warning: no such job
	}
	g.add("type", kind)
	g.add("status", `"open"`)
	title := fmt.Sprintf(`"No bridge rule for prefix %d"`, i)
	if i%223 == 9 {
		title = `"Confirm ,500 of credit."` // a warning: the shell ate a dollar
	}
	g.add("title", title)
	g.add("unit", strconv.Quote(g.unit(i)))
	g.add("to", []string{`"manager"`, `"builder"`}[i%2])
	if !signOff || i%251 != 8 { // a warning where it is left out
		g.add(list[1:len(list)-1], values)
	}
	g.add("details", fmt.Sprintf(`[{"l":"Amount at risk","v":"$%d,442.63"},{"l":"Due","v":"2026-11-0%d"}]`, 1+i%90, 1+i%9))
	g.add("run", strconv.Quote(job))
}

// close writes a closing line up to its note: a question is resolved, a sign-off withdrawn. It has no ts of
// its own, as the reference client writes it.
func (g *generator) close(id string, i int, signOff bool) {
	status, via, more := "resolved", "self", `,"chosen":"Strip the alpha prefix"`
	switch {
	case signOff:
		status, more = "withdrawn", ""
	case i%199 == 4:
		more = `,"chosen":"Something else"` // a warning: quotes no option
	case i%241 == 6:
		via = "figs" // a warning: cites no answer
	}
	g.line = fmt.Appendf(g.line, `{"id":%q,"status":%q,"resolution":{"via":%q,"by":"Sarah (accounting)"%s`, id, status, via, more)
}
