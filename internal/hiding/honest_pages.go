package hiding

// letters are mail templates and texts for reading.
func letters() []Document {
	return []Document{
		report("letter-mail", "html", "mail template", `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html xmlns="http://www.w3.org/1999/xhtml"><head><meta charset="utf-8" /><title>Statement</title></head><body style="margin:0;padding:0;background-color:#f4f4f7"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f4f4f7"><tr><td align="center" style="padding:24px"><table role="presentation" width="480" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="border-radius:6px"><tr><td style="background-color:#1e3a8a;color:#ffffff;padding:16px 24px;font-family:Arial,sans-serif;font-size:18px"><b>Your statement is ready</b></td></tr><tr><td style="padding:24px;font-family:Arial,sans-serif;font-size:15px;line-height:22px;color:#333333">Dear Ms Okafor,<br /><br />your statement for May is attached.<br /><br />Kind regards</td></tr><tr><td style="padding:12px 24px;font-family:Arial,sans-serif;font-size:11px;color:#8a8f98">You get this because you asked for it.</td></tr></table></td></tr></table></body></html>`, "Your statement is ready", "Dear Ms Okafor,", "You get this because you asked for it."),
		report("letter-button", "html", "mail template", `<table width="100%"><tr><td align="center"><p style="font-family:Arial">Please check the three open invoices.</p><a href="https://example.com/invoices" style="background:#0b6;color:#fff;padding:10px 18px;border-radius:4px;display:inline-block;font-family:Arial;text-decoration:none">Open the invoices</a></td></tr></table>`, "Please check the three open invoices.", "Open the invoices"),
		report("letter-plain", "html", "text", `<h1>Minutes</h1><p>Present: Ruth, Amir.</p><h2>Decided</h2><ul><li>Statements go out on the 3rd.</li><li>Amir asks the bank.</li></ul><hr><p><small>Written on 12 May.</small></p>`, "Present: Ruth, Amir.", "Amir asks the bank.", "Written on 12 May."),
		report("letter-article", "html", "text", styled("Why the ledger drifts", `body{max-width:38em;margin:40px auto;padding:0 16px;font:18px/1.7 Charter,Georgia,serif;color:#1a1a1a}p::first-letter{}p.lead::first-letter{float:left;font-size:3em;line-height:.9;padding-right:6px}blockquote{border-left:3px solid #ccc;margin:0;padding-left:16px;color:#555}figcaption{font-size:14px;color:#666}`,
			`<h1>Why the ledger drifts</h1><p class="lead">Every month a few entries arrive twice.</p><blockquote>We count goods, not papers.</blockquote><p>The second copy carries the number of the first.</p>`), "Why the ledger drifts", "We count goods, not papers.", "The second copy carries the number of the first."),
		report("letter-german", "html", "text", `<!doctype html><html lang="de"><meta charset="utf-8"><title>Bericht</title><h1>Bericht für Mai</h1><p>Drei von vier Rechnungen stimmen mit den Bestellungen überein.</p><p>Größere Abweichungen: keine.</p></html>`, "Bericht für Mai", "Größere Abweichungen: keine."),
		report("letter-hebrew", "html", "text", `<!doctype html><html lang="he" dir="rtl"><meta charset="utf-8"><title>דוח</title><h1>דוח חודשי</h1><p>שלוש מתוך ארבע חשבוניות תואמות.</p><p dir="ltr">PO-1041: 88.00</p></html>`, "דוח חודשי", "PO-1041: 88.00"),
		report("letter-terms", "html", "text", styled("Terms", `body{font:15px/1.6 sans-serif;margin:24px}dt{font-weight:700;margin-top:10px}dd{margin-left:20px}.fine{font-size:11px;color:#6b6b6b}`, `<h1>Words in this report</h1><dl><dt>Key</dt><dd>The number that an order and an invoice share.</dd><dt>Match</dt><dd>Two rows with one key.</dd></dl><p class="fine">See the handbook, chapter 4.</p>`), "The number that an order and an invoice share.", "See the handbook, chapter 4."),
	}
}

// codeReports show code, differences and findings.
func codeReports() []Document {
	return []Document{
		report("code-dark-block", "html", "code", styled("Change", lightSheet+`
pre.dark{background:#282c34;color:#abb2bf;padding:16px;border-radius:8px}pre.dark .k{color:#c678dd}pre.dark .s{color:#98c379}pre.dark .c{color:#7f848e}`,
			`<h1>The change</h1><pre class="dark"><span class="k">func</span> total(rows []Row) int { <span class="c">// in cents</span>
	<span class="k">return</span> sum(rows, <span class="s">"amount"</span>)
}</pre>`), "The change", "// in cents", "func"),
		report("code-difference", "html", "code", styled("Diff", `body{font:13px/1.5 ui-monospace,Consolas,monospace}table{border-collapse:collapse;width:100%}.n{color:#6e7781;text-align:right;padding:0 8px;width:1%}.add{background:#e6ffec}.del{background:#ffebe9}.hunk{background:#ddf4ff;color:#57606a}`,
			`<table><tr class="hunk"><td class="n">…</td><td>@@ -1,3 +1,3 @@ total</td></tr><tr class="del"><td class="n">2</td><td>- return amount</td></tr><tr class="add"><td class="n">2</td><td>+ return amount * 100</td></tr></table>`), "@@ -1,3 +1,3 @@ total", "- return amount", "+ return amount * 100"),
		report("code-difference-side", "html", "code", styled("Diff", `.side{display:flex;font:12px monospace}.side>div{flex:1;min-width:0;padding:8px;overflow:auto;white-space:pre}.l{background:#fff1f0}.r{background:#f0fff4}`, `<h1>config.yaml</h1><div class="side"><div class="l">retries: 3</div><div class="r">retries: 5</div></div>`), "config.yaml", "retries: 3", "retries: 5"),
		report("code-findings", "html", "findings", styled("Findings", lightSheet, `<h1>Security findings</h1><p><span class="badge no">high</span> A password is in <code>deploy.sh</code>, line 14.</p><p><span class="badge">low</span> An unused variable in <code>match.go</code>.</p>`), "A password is in", "An unused variable in", "high"),
		report("code-findings-dark", "html", "findings", styled("Lint", darkSheet, `<h1>Lint</h1><table><tr><th>File</th><th>Rule</th><th>Message</th></tr><tr><td>a.js</td><td class="soft">no-unused</td><td>'x' is never used</td></tr><tr><td>b.js</td><td class="soft">eqeqeq</td><td class="no">expected ===</td></tr></table>`), "'x' is never used", "no-unused", "expected ==="),
		report("code-api", "html", "reference", styled("API", lightSheet+`
.verb{font:700 11px monospace;color:#fff;border-radius:4px;padding:2px 6px}.get{background:#0969da}.post{background:#1a7f37}.delete{background:#cf222e}`, `<h1>Endpoints</h1><p><span class="verb get">GET</span> <code>/orders</code> lists orders.</p><p><span class="verb post">POST</span> <code>/orders</code> makes one.</p><p><span class="verb delete">DELETE</span> <code>/orders/1</code> removes it.</p>`), "lists orders.", "POST", "DELETE"),
		report("code-tree", "html", "code", styled("Files", `pre{font:13px/1.4 monospace;color:#333}.d{color:#0550ae;font-weight:700}`, `<pre><span class="d">src/</span>
├── match.go
├── <span class="d">read/</span>
│   └── bank.go
└── main.go</pre>`), "src/", "bank.go", "main.go"),
	}
}

// dashboards show figures in cards, bars and lists.
func dashboards() []Document {
	return []Document{
		report("figures-cards", "html", "figures", styled("May", `body{margin:0;background:#f3f4f6;font-family:system-ui,sans-serif;color:#111827;padding:24px}.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:12px}.card{background:#fff;border-radius:10px;padding:16px;box-shadow:0 1px 3px rgba(0,0,0,.1)}.card b{display:block;font-size:28px}.card span{color:#6b7280;font-size:13px}.up{color:#047857}.down{color:#b91c1c}`,
			`<h1>May in figures</h1><div class="grid"><div class="card"><b>41</b><span>invoices read</span></div><div class="card"><b class="up">40</b><span>matched</span></div><div class="card"><b class="down">1</b><span>unknown</span></div></div>`), "May in figures", "41", "invoices read", "unknown"),
		report("figures-bars", "html", "figures", styled("Bars", `.bar{position:relative;height:22px;background:#e5e7eb;margin:6px 0;font:12px/22px sans-serif}.bar i{position:absolute;left:0;top:0;bottom:0;background:#93c5fd}.bar span{position:relative;padding-left:8px}`, `<h1>By month</h1><div class="bar"><i style="width:41%"></i><span>April 41</span></div><div class="bar"><i style="width:57%"></i><span>May 57</span></div>`), "By month", "April 41", "May 57"),
		report("figures-hero", "html", "figures", styled("Year", `body{margin:0;font-family:sans-serif}.hero{background:linear-gradient(135deg,#667eea,#764ba2);color:#fff;padding:40px 24px}.hero p{opacity:.85}main{padding:24px}`, `<div class="hero"><h1>The year so far</h1><p>January to May 2026</p></div><main><p>Orders grew in every month.</p></main>`), "The year so far", "January to May 2026", "Orders grew in every month."),
		report("figures-badges", "html", "figures", styled("Services", lightSheet, `<h1>Services</h1><ul><li>Ledger <span class="badge ok">up</span></li><li>Mail <span class="badge no">down</span></li><li>Bank <span class="badge">unknown</span></li></ul>`), "Ledger", "up", "down", "unknown"),
		report("figures-gauges", "html", "figures", styled("Gauges", lightSheet, `<h1>Storage</h1><p>Disk <meter value="0.7">70 %</meter> 70 %</p><p>Copy <progress value="30" max="100">30 %</progress> 30 of 100</p>`), "Storage", "30 of 100"),
		report("figures-details", "html", "figures", styled("Questions", lightSheet, `<h1>Questions</h1><details><summary>Why is one row unknown?</summary><p>Its number is missing.</p></details><details open><summary>Who was asked?</summary><p>The warehouse, on 12 May.</p></details>`), "Why is one row unknown?", "The warehouse, on 12 May."),
		report("figures-timeline", "html", "figures", styled("Timeline", `ul.t{list-style:none;border-left:2px solid #ccc;margin-left:10px;padding-left:20px}ul.t li{position:relative;margin:0 0 14px}ul.t li::before{content:"";position:absolute;left:-27px;top:4px;width:10px;height:10px;border-radius:50%;background:#0969da}time{color:#57606a;font-size:12px}`, `<h1>What happened</h1><ul class="t"><li><time>10:00</time> The file arrived.</li><li><time>10:04</time> All rows were read.</li></ul>`), "What happened", "The file arrived.", "10:04"),
		report("figures-breadcrumb", "html", "figures", styled("Path", `nav ol{display:flex;list-style:none;padding:0;gap:4px}nav li+li::before{content:"/ ";color:#888}.tag::before{content:"# ";color:#888}`, `<nav><ol><li>Reports</li><li>2026</li><li>May</li></ol></nav><h1>May</h1><p class="tag">billing</p>`), "Reports", "2026", "billing"),
		report("figures-checklist", "html", "figures", `<h1>Checklist</h1><ul style="list-style:none;padding:0"><li>✅ The statement is read</li><li>✅ Rows are matched</li><li>⬜ Someone approves</li></ul>`, "The statement is read", "Someone approves"),
		report("figures-print", "html", "figures", styled("Printable", `body{font:14px sans-serif}.screen{color:#555}.paper{display:none}@media print{.screen{display:none}.paper{display:block}h1{break-before:page}}`, `<h1>For the file</h1><p class="screen">Print this page for the folder.</p><p>Three invoices agree.</p>`), "Print this page for the folder.", "Three invoices agree."),
		report("figures-skip-link", "html", "figures", styled("Site", `.skip{position:absolute;left:-999px}.skip:focus{left:0}main{margin:20px;font:15px sans-serif}`, `<a class="skip" href="#main">Skip to content</a><main id="main"><h1>Deliveries</h1><p>All arrived on time.</p></main>`), "Deliveries", "All arrived on time."),
		report("figures-placeholder-grey", "html", "figures", styled("Empty", `.empty{color:#8c959f;text-align:center;padding:40px;border:1px dashed #d0d7de}`, `<h1>Open points</h1><p class="empty">There are no open points.</p>`), "Open points", "There are no open points."),
		report("figures-columns", "html", "figures", styled("Two columns", `.cols{columns:2;column-gap:24px;font:14px/1.5 serif}@media (max-width:500px){.cols{columns:1}}`, `<h1>Summary</h1><div class="cols"><p>April was quiet.</p><p>May was busy.</p><p>June is open.</p></div>`), "Summary", "April was quiet.", "June is open."),
		report("figures-tabs", "html", "figures", styled("Sections", `.tabs{display:flex;gap:16px;border-bottom:1px solid #ddd}.tabs a{padding:8px 0;color:#555;text-decoration:none}.tabs a.on{color:#000;border-bottom:2px solid #f66}`, `<div class="tabs"><a class="on" href="#one">Summary</a><a href="#two">Details</a></div><h2 id="one">Summary</h2><p>Nothing is late.</p><h2 id="two">Details</h2><p>PO-1041 came on Monday.</p>`), "Nothing is late.", "PO-1041 came on Monday."),
	}
}

// honestDrawings are charts and diagrams.
func honestDrawings() []Document {
	return []Document{
		report("diagram-boxes", "html", "diagram", styled("Flow", `svg{max-width:100%}`, `<h1>How a row is matched</h1><svg width="420" height="90" viewBox="0 0 420 90"><defs><marker id="a" markerWidth="8" markerHeight="8" refX="6" refY="3" orient="auto"><path d="M0 0L6 3L0 6z"/></marker></defs><rect x="5" y="20" width="140" height="44" rx="6" fill="#eef" stroke="#336"/><text x="20" y="47" font-size="14">Read invoices</text><path d="M145 42h60" stroke="#336" marker-end="url(#a)"/><rect x="212" y="20" width="140" height="44" rx="6" fill="#336"/><text x="228" y="47" font-size="14" fill="#fff">Match orders</text></svg><p>Two steps, no more.</p>`), "How a row is matched", "Two steps, no more."),
		report("diagram-bars", "svg", "diagram", drawing(`<text x="10" y="104" font-size="11" fill="#444">41</text><text x="72" y="74" font-size="11" fill="#444">57</text><text x="14" y="142" font-size="11" fill="#fff">April</text>`), "Deliveries by week"),
		report("diagram-sequence", "svg", "diagram", `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="160" font-family="sans-serif" font-size="13"><style>.l{stroke:#888;stroke-dasharray:4 3}.m{stroke:#333}</style><text x="40" y="20">Agent</text><text x="260" y="20">Bank</text><line class="l" x1="60" y1="30" x2="60" y2="150"/><line class="l" x1="280" y1="30" x2="280" y2="150"/><line class="m" x1="60" y1="60" x2="280" y2="60"/><text x="120" y="54">ask for the balance</text><line class="m" x1="280" y1="110" x2="60" y2="110"/><text x="140" y="104">1,204.50</text></svg>`, "ask for the balance", "Agent", "Bank"),
		report("diagram-pie", "svg", "diagram", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 120" width="400" height="240"><circle cx="60" cy="60" r="40" fill="#47a"/><path d="M60 60L60 20A40 40 0 0 1 100 60z" fill="#e94"/><text x="115" y="50" font-size="10">paid 75 %</text><text x="115" y="70" font-size="10">open 25 %</text></svg>`, "paid 75 %", "open 25 %"),
		report("diagram-use", "svg", "diagram", `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80"><defs><g id="n"><rect width="80" height="30" fill="#fff" stroke="#333"/></g></defs><use href="#n" x="10" y="20"/><use href="#n" x="150" y="20"/><text x="24" y="40" font-size="13">start</text><text x="170" y="40" font-size="13">end</text></svg>`, "start", "end"),
	}
}

// plans are Markdown documents.
func plans() []Document {
	return []Document{
		report("plan-steps", "md", "plan", "# Plan for May\n\n1. Read the bank statement.\n2. Match it to open invoices.\n3. Ask about the rest.\n\n> Nothing is paid before someone approves.\n", "Plan for May", "Match it to open invoices.", "Nothing is paid before someone approves."),
		report("plan-table", "md", "plan", "## Who does what\n\n| Step | Who | By |\n|------|:---:|---:|\n| Count the bolts | Amir | 12 May |\n| Ask the bank | Ruth | 14 May |\n", "Who does what", "Count the bolts", "14 May"),
		report("plan-code", "md", "plan", "# How to run it\n\n```sh\nmake count   # counts twice\n```\n\nThen open `out/report.html`.\n", "How to run it", "make count", "out/report.html"),
		report("plan-tasks", "md", "plan", "# Tasks\n\n- [x] read the statement\n- [ ] match the rows\n    - [ ] by number\n    - [ ] by amount\n\n***\n\nWritten on *12 May*.\n", "read the statement", "by amount", "12 May"),
		report("plan-links", "md", "plan", "# Sources\n\nSee [the handbook](https://example.com/handbook) and the [minutes][m].\n\n[m]: https://example.com/minutes\n", "Sources", "the handbook", "minutes"),
		report("plan-quotes", "md", "plan", "# Reply\n\n> On 11 May Ruth wrote:\n>\n> > Which invoice is late?\n\nThe fourth one, PO-1044.\n", "Which invoice is late?", "The fourth one, PO-1044."),
		report("plan-decision", "md", "plan", "# Decision: count twice\n\n**Status:** proposed  \n**Cost:** 2 hours a month\n\n## Why\n\nTwo boxes were lost in April.\n\n## What else we looked at\n\n- a scale\n- a camera\n", "Two boxes were lost in April.", "proposed", "a camera"),
	}
}

// plainReports are texts without markup.
func plainReports() []Document {
	return []Document{
		report("plain-log", "txt", "log", "12:00:01 started\n12:00:02 read 41 invoices\n12:00:04 40 match, 1 is unknown\n\n12:00:04 done\n", "read 41 invoices", "12:00:04 done"),
		report("plain-letter", "txt", "text", "Dear Ms Okafor,\n\nplease find the statement for May attached.\n\n\nKind regards\nAccounts\n", "Dear Ms Okafor,", "Kind regards"),
		report("plain-columns", "txt", "text", "Supplier        Open      Paid\n----------------------------------\nAcme Ltd           3  1,204.50\nBorealis           0     88.00\n", "Supplier", "1,204.50", "Borealis"),
		report("plain-yaml", "txt", "text", "retries: 3\nsuppliers:\n  - Acme Ltd\n  - Borealis\n", "retries: 3", "- Borealis"),
	}
}
