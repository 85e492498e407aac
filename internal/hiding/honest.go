package hiding

import (
	"fmt"
	"slices"
	"strings"
)

// honest are reports as agents write them. Nothing in them hides anything.
func honest() []Document {
	return slices.Concat(coverageReports(), testReports(), tables(), notebooks(), invoices(), letters(), codeReports(), dashboards(), honestDrawings(), plans(), plainReports())
}

func report(name, ext, kind, source string, texts ...string) Document {
	return Document{Name: name, Ext: ext, Trick: kind, Class: Honest, source: source, Texts: texts}
}

// styled is a whole report with a sheet.
func styled(title, sheet, body string) string {
	return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
		title + "</title>\n<style>\n" + sheet + "\n</style>\n</head>\n<body>\n" + body + "\n</body>\n</html>\n"
}

// The sheets that several reports share.
const (
	terminalSheet = `body { background: #000; color: #bfbfbf; margin: 0 }
body, pre { font-family: Menlo, Consolas, monospace; font-size: 13px }
#topbar { background: #111; border-bottom: 1px solid #444; padding: 8px 12px }
#content { padding: 12px }
.cov0 { color: #c33 } .cov4 { color: #749c74 } .cov8 { color: #2cd495 }
.legend span { margin: 0 6px }`
	lightSheet = `:root { --ink: #24292f; --soft: #57606a; --line: #d0d7de; --ok: #1a7f37; --no: #cf222e }
* { box-sizing: border-box }
body { font: 15px/1.5 -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; color: var(--ink); margin: 0 auto; max-width: 960px; padding: 24px }
h1 { font-size: 24px; border-bottom: 1px solid var(--line); padding-bottom: 8px }
table { border-collapse: collapse; width: 100%; margin: 12px 0 }
th, td { border: 1px solid var(--line); padding: 6px 12px; text-align: left }
tr:nth-child(even) td { background: #f6f8fa }
.soft { color: var(--soft) } .ok { color: var(--ok) } .no { color: var(--no) }
.badge { display: inline-block; padding: 1px 8px; border-radius: 10px; font-size: 11px; font-weight: 600; color: #fff; background: var(--soft) }
.badge.ok { background: var(--ok); color: #fff } .badge.no { background: var(--no); color: #fff }
.num { text-align: right; font-variant-numeric: tabular-nums }
pre { background: #f6f8fa; padding: 12px; border-radius: 6px; overflow: auto; font-size: 13px }
@media (max-width: 600px) { body { padding: 12px } th, td { padding: 4px 6px } }
@media print { body { max-width: none } .badge { border: 1px solid #000; color: #000; background: none } }`
	darkSheet = `body { margin: 0; padding: 32px; background: #0d1117; color: #c9d1d9; font: 15px/1.6 system-ui, sans-serif }
h1, h2 { color: #f0f6fc } a { color: #58a6ff } hr { border: 0; border-top: 1px solid #30363d }
table { border-collapse: collapse } td, th { border: 1px solid #30363d; padding: 6px 10px } th { background: #161b22 }
code, pre { background: #161b22; font-family: ui-monospace, Menlo, monospace } pre { padding: 14px; border-radius: 6px; overflow-x: auto }
.ok { color: #3fb950 } .no { color: #f85149 } .soft { color: #8b949e }`
)

// coverageReports are what tools write that count which lines ran.
func coverageReports() []Document {
	terminal := func(file, percent string, lines ...string) string {
		var code strings.Builder
		for i, line := range lines {
			fmt.Fprintf(&code, "<span class=\"cov%d\" title=\"%d\">%s</span>\n", []int{8, 0, 4}[i%3], []int{12, 0, 3}[i%3], line)
		}
		return styled(file+": coverage", terminalSheet, `<div id="topbar"><span>`+file+` (`+percent+`)</span>
<div class="legend"><span>not tracked</span><span class="cov0">not covered</span><span class="cov4">low</span><span class="cov8">high</span></div></div>
<div id="content"><pre class="file">package billing

`+code.String()+`</pre></div>`)
	}
	summary := func(sheet string, rows ...string) string {
		body := "<h1>Coverage</h1><p class=\"soft\">412 of 480 statements ran.</p><table><thead><tr><th>File</th><th class=\"num\">Ran</th></tr></thead><tbody>"
		for i, r := range rows {
			class := []string{"ok", "no"}[i%2]
			body += "<tr><td>" + r + "</td><td class=\"num " + class + "\">" + fmt.Sprintf("%d.%d %%", 97-13*i, i) + "</td></tr>"
		}
		return styled("Coverage", sheet, body+"</tbody></table>")
	}
	bars := `<h1>Coverage by package</h1>
<div class="row"><span class="name">billing/match</span><span class="track"><span class="fill" style="width:91%"></span></span><b>91 %</b></div>
<div class="row"><span class="name">billing/read</span><span class="track"><span class="fill warn" style="width:48%"></span></span><b>48 %</b></div>`
	return []Document{
		report("coverage-terminal", "html", "coverage report", terminal("billing/match.go", "86.4%", "func Match(a, b Row) bool {", "\tif a.Key == \"\" { return false }", "\treturn a.Key == b.Key", "}"), "billing/match.go (86.4%)", "not covered", "func Match(a, b Row) bool {"),
		report("coverage-terminal-second-file", "html", "coverage report", terminal("billing/read.go", "41.0%", "func Read(r io.Reader) ([]Row, error) {", "\tpanic(\"not written yet\")", "}"), "billing/read.go (41.0%)", "not written yet"),
		report("coverage-table", "html", "coverage report", summary(lightSheet, "match.go", "read.go", "write.go"), "412 of 480 statements ran.", "read.go", "84.1 %"),
		report("coverage-table-dark", "html", "coverage report", summary(darkSheet, "ledger.py", "bank.py"), "412 of 480 statements ran.", "ledger.py", "97.0 %"),
		report("coverage-bars", "html", "coverage report", styled("Coverage", `body { font: 14px Arial, sans-serif; margin: 24px }
.row { display: flex; align-items: center; gap: 10px; margin: 6px 0 } .name { flex: 0 0 120px }
.track { flex: 1; height: 12px; background: #eee; border-radius: 6px; overflow: hidden } .fill { display: block; height: 100%; background: #2da44e } .warn { background: #bf8700 }`, bars), "billing/match", "91 %", "48 %"),
		report("coverage-lines", "html", "coverage report", styled("match.py", `body { font-family: sans-serif } table.src { border-collapse: collapse; font: 12px/1.5 monospace; white-space: pre }
td.n { color: #767676; text-align: right; padding-right: 12px; user-select: none } td.run { border-left: 4px solid #0a0; padding-left: 8px } td.mis { border-left: 4px solid #f00; background: #fdd; padding-left: 8px }`,
			`<h1>match.py: 75 %</h1><table class="src"><tr><td class="n">1</td><td class="run">def match(a, b):</td></tr><tr><td class="n">2</td><td class="run">    if not a.key:</td></tr><tr><td class="n">3</td><td class="mis">        return False</td></tr><tr><td class="n">4</td><td class="run">    return a.key == b.key</td></tr></table>`),
			"match.py: 75 %", "return False", "return a.key == b.key"),
	}
}

// testReports are what test runners write.
func testReports() []Document {
	results := func(sheet string) string {
		return styled("Test run", sheet, `<h1>Test run <span class="badge no">1 failed</span> <span class="badge ok">41 passed</span></h1>
<p class="soft">4.2 seconds on Linux, 12 May 2026</p>
<table><tr><th>Test</th><th>Outcome</th><th class="num">Time</th></tr>
<tr><td>TestMatchRounding</td><td class="no">failed</td><td class="num">0.02 s</td></tr>
<tr><td>TestReadEmpty</td><td class="ok">passed</td><td class="num">0.01 s</td></tr></table>
<pre>match_test.go:41: Match(10.045) = 10.04, want 10.05</pre>`)
	}
	details := func(open string) string {
		return styled("Playback", lightSheet, `<h1>Checkout, 3 browsers</h1>
<details open><summary>pays by card <span class="badge ok">passed</span></summary><ol><li>opens the cart</li><li>types the number</li><li>sees “Thank you”</li></ol></details>
<details`+open+`><summary>pays by transfer <span class="badge no">failed</span></summary><pre>Timed out after 5,000 ms waiting for #iban</pre></details>`)
	}
	return []Document{
		report("tests-table", "html", "test report", results(lightSheet), "TestMatchRounding", "41 passed", "Match(10.045) = 10.04, want 10.05"),
		report("tests-table-dark", "html", "test report", results(darkSheet), "TestReadEmpty", "4.2 seconds on Linux, 12 May 2026"),
		report("tests-table-plain", "html", "test report", results(""), "TestMatchRounding", "failed"),
		report("tests-details", "html", "test report", details(" open"), "pays by card", "Timed out after 5,000 ms waiting for #iban"),
		report("tests-details-closed", "html", "test report", details(""), "pays by card", "pays by transfer"),
		report("tests-suites", "html", "test report", styled("JUnit", `body{font:normal 68% verdana,arial,helvetica;color:#000}table tr th{font-weight:bold;text-align:left;background:#a6caf0}table tr td{background:#eeeee0}.Error,.Failure{font-weight:bold;color:red}h1{margin:0 0 5px;font:165% verdana,arial,helvetica}`,
			`<h1>Unit test results</h1><hr size="1"><table border="0" cellpadding="5" cellspacing="2" width="95%"><tr valign="top"><th>Name</th><th>Tests</th><th>Errors</th><th>Failures</th><th nowrap>Time(s)</th></tr><tr valign="top" class="Failure"><td>billing.MatchTest</td><td>18</td><td>0</td><td>1</td><td>0.731</td></tr><tr valign="top"><td>billing.ReadTest</td><td>23</td><td>0</td><td>0</td><td>0.402</td></tr></table>`),
			"Unit test results", "billing.MatchTest", "billing.ReadTest", "0.731"),
		report("tests-filters", "html", "test report", styled("pytest", `body{font-family:Helvetica,Arial,sans-serif;font-size:12px;min-width:300px;color:#999}h1{font-size:24px;color:#000}.passed{color:green}.failed{color:red}.log{background:#e6e6e6;border:1px solid #e6e6e6;color:#000;font:12px monospace;padding:5px;white-space:pre-wrap}#results{border:1px solid #e6e6e6;color:#555;width:100%}td{padding:5px;border:1px solid #e6e6e6}`,
			`<h1>report.html</h1><p>Report generated on 12-May-2026 by pytest-html</p><h2>Summary</h2><p>42 tests took 00:00:04.</p><p><span class="failed">1 Failed,</span> <span class="passed">41 Passed</span></p><table id="results"><tr><td class="failed">Failed</td><td>tests/test_match.py::test_rounding</td></tr><tr><td colspan="2"><div class="log">E   assert Decimal('10.04') == Decimal('10.05')</div></td></tr></table>`),
			"42 tests took 00:00:04.", "1 Failed,", "tests/test_match.py::test_rounding", "assert Decimal('10.04')"),
		report("tests-screen-reader-words", "html", "test report", styled("Checks", lightSheet+`
.sr-only { position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden; clip: rect(0, 0, 0, 0); white-space: nowrap; border: 0 }`,
			`<h1>Checks</h1><table><tr><th>Check</th><th>State</th></tr><tr><td>Links</td><td><span aria-hidden="true">✓</span><span class="sr-only">passed</span></td></tr><tr><td>Spelling</td><td><span aria-hidden="true">✗</span><span class="sr-only">failed</span></td></tr></table><p>One check failed.</p>`),
			"Links", "Spelling", "One check failed."),
		report("tests-log", "html", "test report", styled("Log", `body{margin:0;background:#1e1e1e;color:#d4d4d4;font:13px/1.45 Consolas,monospace}pre{margin:0;padding:16px;white-space:pre-wrap}.t{color:#6a9955}.e{color:#f48771}.b{font-weight:700;color:#fff}`,
			`<pre><span class="t">12:00:01</span> <span class="b">RUN</span>  checkout
<span class="t">12:00:03</span> <span class="e">FAIL</span> pays by transfer
<span class="t">12:00:04</span> <span class="b">DONE</span> 41 passed, 1 failed</pre>`), "12:00:03", "pays by transfer", "41 passed, 1 failed"),
	}
}
