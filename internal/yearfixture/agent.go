package yearfixture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing/fstest"
	"time"
)

func newRand(agent int) *rand.Rand { return rand.New(rand.NewPCG(2026, uint64(agent))) }

// agent is one of the five while its year is written. Every line has a time, and goes to its ledger in
// the order of times, so that a shorter year is a prefix.
type agent struct {
	plan
	rand  *rand.Rand
	files fstest.MapFS
	dir   string
	until time.Time
	lines []line
	named map[string][]byte // attachments, with their bytes
	from  map[string]time.Time
}

type line struct {
	at     time.Time
	ledger string
	text   []byte
}

// fields are members of a line in the order in which clients write them.
type fields []any

func (f fields) json() []byte {
	var b bytes.Buffer
	for i := 0; i < len(f); i += 2 {
		if f[i+1] == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		// Strings, lists of strings and these fields are all there is: none fails.
		value, _ := json.Marshal(f[i+1])
		fmt.Fprintf(&b, "%q:%s", f[i], value)
	}
	return []byte("{" + b.String() + "}")
}

func (f fields) MarshalJSON() ([]byte, error) { return f.json(), nil }

func (a *agent) line(ledger string, at time.Time, f ...any) {
	a.lines = append(a.lines, line{at, ledger, fields(f).json()})
}

func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05Z") }

func (a *agent) attach(name string, at time.Time, content string) []string {
	a.named[name], a.from[name] = []byte(content), at
	return []string{name}
}

// write makes the folder.
func (a *agent) write() {
	a.named, a.from = map[string][]byte{}, map[string]time.Time{}
	for n, day := 0, First; !day.After(Last); day = day.AddDate(0, 0, 1) {
		if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
			continue
		}
		a.day(n, day)
		n++
	}
	slices.SortStableFunc(a.lines, func(x, y line) int { return x.at.Compare(y.at) })
	var ledgers = map[string]*bytes.Buffer{"runs": {}, "asks": {}, "messages": {}}
	for _, l := range a.lines {
		if l.at.Before(a.until) {
			ledgers[l.ledger].Write(append(l.text, '\n'))
		}
	}
	for name, b := range ledgers {
		a.file(name+".jsonl", b.Bytes())
	}
	for name, content := range a.named {
		if a.from[name].Before(a.until) {
			a.file("artifacts/"+name, content)
		}
	}
	a.file("config.json", append(fields{"agentId", a.id}.json(), '\n'))
	a.file("agent.json", append(fields{
		"name", a.name, "role", a.role, "status", "active", "org", fields{"department", a.department}, "cadence", "Every working day",
		"mandate", a.mandate, "responsibilities", a.jobs, "properties", []fields{{"k", "Manager", "v", a.manager}, {"k", "Builder", "v", a.builder}},
	}.json(), '\n'))
}

func (a *agent) file(name string, content []byte) {
	a.files[a.dir+name] = &fstest.MapFile{Data: content, Mode: 0o644}
}

// day is a working day: two jobs, a third on Fridays, and now and then something for people.
func (a *agent) day(n int, day time.Time) {
	at := day.Add(7*time.Hour + time.Duration(a.rand.IntN(3600))*time.Second)
	for i, what := range a.jobs {
		if i == len(a.jobs)-1 && day.Weekday() != time.Friday {
			break
		}
		at = at.Add(time.Duration(20+a.rand.IntN(90)) * time.Minute)
		id := fmt.Sprintf("%s-%s", slug(what), day.Format("2006-01-02"))
		end := a.job(n, id, what, at, i == len(a.jobs)-1)
		switch roll := a.rand.IntN(20); {
		case i == len(a.jobs)-1:
			a.signsOff(n, id, day, end)
		case roll < 3:
			a.asks(id, fmt.Sprintf("%s %d", strings.ToLower(a.jobs[0]), 100+n), end)
		}
	}
}

// job writes the lines of one job and returns when it settled.
func (a *agent) job(n int, id, what string, at time.Time, weekly bool) time.Time {
	session := fields{"runtime", "worker", "model", "model-" + fmt.Sprint(1+n/90), "trigger", "schedule"}
	a.line("runs", at, "id", id, "ts", stamp(at), "title", what, "result", "begun", "state", "in-flight", "session", session)
	parts := 1 + a.rand.IntN(3)
	for k := range parts {
		at = at.Add(time.Duration(2+a.rand.IntN(15)) * time.Minute)
		a.line("runs", at, "id", id, "ts", stamp(at), "result", fmt.Sprintf("part %d of %d: %d items", k+1, parts, 5+a.rand.IntN(90)))
	}
	at = at.Add(time.Duration(1+a.rand.IntN(9)) * time.Minute)
	status, result := "", fmt.Sprintf("%d items, %d left open", 20+a.rand.IntN(300), a.rand.IntN(9))
	switch roll := a.rand.IntN(30); {
	case roll == 0:
		status, result = "fail", "The source did not answer; nothing was booked."
	case roll < 4:
		status, result = "warn", result+"; two need a second look"
	}
	if n == 120 && a.key == "reconciliation" && !weekly {
		result = "Login refused with token " + Secret + "; used the old one. Contact: treasury@bank.example, IBAN DE89370400440532013000"
	}
	if n%83 == 41 { // a slip, mended by the next line
		a.line("runs", at, "id", id, "ts", stamp(at), "result", result, "state", "settled", "status", "okay")
		at = at.Add(9 * time.Minute)
		status = "ok"
	}
	a.line("runs", at, "id", id, "ts", stamp(at), "result", result, "state", "settled", "status", status)
	return at
}

// answered is when somebody replies: within working hours, after the patience of the agent's people.
func (a *agent) answered(at time.Time) time.Time {
	at = at.Add(time.Duration(float64(24*time.Hour) * a.patience * a.rand.ExpFloat64()))
	for at.Hour() < 7 || at.Hour() > 17 || at.Weekday() == time.Saturday || at.Weekday() == time.Sunday {
		at = at.Add(time.Hour)
	}
	return at.Add(time.Duration(1+a.rand.IntN(50)) * time.Minute)
}

// asks is a question, its answer and the close.
func (a *agent) asks(job, about string, at time.Time) {
	at = at.Add(time.Minute)
	id := "ask-" + job
	a.line("asks", at, "id", id, "ts", stamp(at), "type", "question", "status", "open", "title", fmt.Sprintf(a.question, about), "need", a.need,
		"found", "Nothing in the mandate decides it.", "to", []string{"manager", "builder"}[a.rand.IntN(2)], "run", job, "options", a.options)
	if a.rand.IntN(12) == 0 { // nobody needs it any more
		at = at.Add(26 * time.Hour)
		a.line("asks", at, "id", id, "status", "withdrawn", "resolution", fields{"via", "self", "note", "It settled itself.", "ts", stamp(at)})
		return
	}
	at = a.answered(at)
	message, chosen := "msg-"+id, a.options[a.rand.IntN(len(a.options))]
	a.line("messages", at, "id", message, "kind", "answer", "ask", id, "by", a.manager, "ts", stamp(at), "source", "chat", "chosen", chosen)
	at = at.Add(time.Duration(3+a.rand.IntN(40)) * time.Minute)
	a.line("asks", at, "id", id, "status", "resolved", "resolution", fields{"via", "figs", "answer", message, "chosen", chosen, "by", a.manager, "ts", stamp(at)})
}

// signsOff is a sign-off in one round or two, with its report.
func (a *agent) signsOff(n int, job string, day, at time.Time) {
	at = at.Add(2 * time.Minute)
	week := day.Format("2006-01-02")
	id := "release-" + week
	raise := func(round int) {
		name := fmt.Sprintf("%s-%s-v%d.html", a.key, week, round)
		a.line("asks", at, "id", id, "ts", stamp(at), "type", "sign-off", "status", "open", "title", fmt.Sprintf(a.signOff, week), "to", "manager", "run", job,
			"found", fmt.Sprintf("%d items in the report.", 10+a.rand.IntN(60)), "need", "Approve, or say what to change.", "onApprove", a.steps,
			"details", []fields{{"l", "Total", "v", fmt.Sprintf("€%d,%03d.00", 1+a.rand.IntN(90), a.rand.IntN(1000))}},
			"attachments", a.attach(name, at, a.report(n, week, round)))
	}
	reply := func(round int, verdict, text string) string {
		at = a.answered(at)
		message := fmt.Sprintf("msg-%s-%d", id, round)
		a.line("messages", at, "id", message, "kind", "verdict", "ask", id, "by", a.manager, "ts", stamp(at), "source", "chat", "verdict", verdict, "text", text)
		at = at.Add(time.Duration(5+a.rand.IntN(50)) * time.Minute)
		return message
	}
	closes := func(status, message, note string) {
		a.line("asks", at, "id", id, "status", status, "resolution", fields{"via", "figs", "answer", message, "by", a.manager, "note", note, "ts", stamp(at)})
	}
	raise(1)
	round := 1
	if a.rand.IntN(4) == 0 {
		reply(1, "changes-requested", "Leave out what is disputed.")
		raise(2)
		round = 2
	}
	if a.rand.IntN(15) == 0 {
		closes("rejected", reply(round, "rejected", "Not this week."), "Not released.")
		return
	}
	closes("resolved", reply(round, "approved", ""), "Released.")
}

// report is an attachment. One of them says something that only a machine reads, one hides a character.
func (a *agent) report(n int, week string, round int) string {
	hidden, title := "", a.signOff
	switch {
	case a.key == "collections" && n/5 == 30:
		hidden = `<p style="display:none">` + Hidden + "</p>"
	case a.key == "stock" && n/5 == 20:
		title = "Place the or\u200bders of %s"
	}
	rows := ""
	for i := range 12 {
		rows += fmt.Sprintf("<tr><td>%d</td><td>Item %d</td><td>%d.00</td></tr>\n", i+1, 1000+n*7+i, 40+a.rand.IntN(900))
	}
	return fmt.Sprintf("<!doctype html>\n<title>%s</title>\n<h1>%[1]s</h1>\n<p>Version %d, made by %s.</p>%s\n<table>\n<tr><th>No.</th><th>What</th><th>Amount</th></tr>\n%s</table>\n",
		fmt.Sprintf(title, week), round, a.name, hidden, rows)
}

func slug(s string) string { return strings.ReplaceAll(strings.ToLower(s), " ", "-") }
