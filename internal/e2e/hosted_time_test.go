package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/testenv"
)

// pushYear pushes an agent that has worked for a year, as its client would at first: all of it at once.
func (s *hostedServer) pushYear(dir string) (agent string) {
	s.t.Helper()
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, ".figs", name))
		if err != nil {
			s.t.Fatal(err)
		}
		return b
	}
	lines := func(name string) (all []json.RawMessage) {
		for line := range strings.Lines(string(read(name))) {
			all = append(all, json.RawMessage(line))
		}
		return all
	}
	config, charter := map[string]any{}, map[string]any{}
	for name, into := range map[string]*map[string]any{"config.json": &config, "agent.json": &charter} {
		if err := json.Unmarshal(read(name), into); err != nil {
			s.t.Fatal(err)
		}
	}
	charter["id"] = config["agentId"]
	s.post("/api/ingest", map[string]any{"workspaceId": s.workspace, "agent": charter, "runs": lines("runs.jsonl"), "asks": lines("asks.jsonl"), "messages": lines("messages.jsonl")})
	return config["agentId"].(string)
}

// TestHostedTime goes back in the life of an agent that was pushed: with scripts and without, wide and narrow, and decides nothing there.
func TestHostedTime(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	agent := "/agents/" + s.pushYear(livedYear(t))
	s.push("reconciliation")
	s.push("payables")
	p := newTab(t)
	p.screen(1280, 900, "light")
	p.signIn(s, "/inbox")
	p.goes(s, agent)
	p.click(`.more summary`)
	p.click(`a.tab[href$="/time"]`)
	p.sees("State now")
	p.await(`document.documentElement.classList.contains("is-scripted")`, "the script")
	testenv.Eventually(t, patience, "the slider's script", func() bool {
		p.slide(.4, false)
		return strings.Contains(p.text("#life-out"), "State then")
	})
	p.slide(.4, true)
	p.await(`/\?at=20\d\d-/.test(location.search)`, "the address of the moment")
	p.sees("As of", "Later lines are hidden.")
	p.everyScreen("time-then")
	step := eval[string](p, `document.querySelector(".as-of-words b").textContent`)
	p.typed("[")
	p.await(`document.querySelector(".as-of-words b").textContent !== `+quoted(step), "the line before")
	p.click(`#life-now a[href*="/asks?at="]`)
	p.await(`/\/asks$/.test(location.pathname)`, "the asks as they were")
	p.sees("As of")
	p.click(`#view .rows a.title`)
	p.await(`/\/asks\/[^/]+$/.test(location.pathname) && /at=/.test(location.search)`, "an ask as it was")
	p.sees("As of")
	if n := eval[int](p, `document.querySelectorAll("#view form[method=post]").length`); n > 0 {
		t.Errorf("an ask of the past has %d forms", n)
	}
	p.everyScreen("time-ask")
	p.click(`.as-of a[href*="/step"]`)
	p.sees("Effect")
	p.everyScreen("time-step")
	p.click(`a[data-step="now"]`)
	p.await(`!/at=/.test(location.search)`, "now")
	for _, page := range []string{"?at=2026-05-04", "/jobs?at=2026-05-04", "/findings?at=2026-05-04", "/waits", "/waits?at=2026-05-04", "/time?by=line", "/jobs?at=tomorrow"} {
		p.goes(s, agent+page)
		p.everyScreen("time" + strings.NewReplacer("/", "-", "?", "-", "=", "-").Replace(page))
	}
	p.goes(s, "/activity")
	p.sees("waited for")
	eval[chromedp.Void](p, `document.querySelectorAll(".trends-standing").forEach(list => { list.open = true; }), undefined`)
	p.everyScreen("activity-standing")
	p.quiet()

	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	p.do(chromedp.Navigate(s.at(agent + "/time?by=line")))
	p.do(chromedp.SetValue(".life-day input[type=date]", "2026-05-04"), chromedp.Click(".life-day button"))
	p.lands(s, "/w/acme"+agent+"/time?at=2026-05-04")
	p.sees("As of", "State then")
	p.do(chromedp.Click(`.as-of a[rel="next"]`))
	p.sees("As of")
	p.do(chromedp.Click(`.as-of a[data-step="now"]`))
	p.sees("This is the current state.")
	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: false})

	answer, err := http.Get(s.at(agent + "/jobs?at=2026-05-04"))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.Request.URL.Path != "/sign-in" {
		t.Errorf("a stranger is led to %s", answer.Request.URL)
	}
}
