package hiding

import (
	"fmt"
	"strings"
)

// tables are exports of spreadsheets and databases.
func tables() []Document {
	excel := `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><style>
<!--table {mso-displayed-decimal-separator:"\."; mso-displayed-thousand-separator:"\,";}
td {padding:0 1px; color:black; font-size:11.0pt; font-family:Calibri, sans-serif; vertical-align:bottom; border:none; white-space:nowrap}
.xl65 {mso-number-format:"#,##0.00"; text-align:right}
.xl66 {font-weight:700; border-bottom:.5pt solid windowtext; background:#D9E1F2}
-->
</style></head><body link=blue vlink=purple>
<table border=0 cellpadding=0 cellspacing=0 width=320 style='border-collapse:collapse;table-layout:fixed;width:240pt'>
<col width=160 style='width:120pt'><col width=160 style='width:120pt'>
<tr height=20 style='height:15.0pt'><td height=20 class=xl66 style='height:15.0pt'>Supplier</td><td class=xl66>Amount</td></tr>
<tr height=20 style='height:15.0pt'><td height=20>Acme Ltd</td><td class=xl65 align=right>1,204.50</td></tr>
<tr height=20 style='height:15.0pt'><td height=20>Borealis</td><td class=xl65 align=right>88.00</td></tr>
<![if supportMisalignedColumns]><tr height=0 style='display:none'><td width=160 style='width:120pt'></td><td width=160 style='width:120pt'></td></tr><![endif]>
</table></body></html>`
	rows := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<tr><td>%d</td><td>Supplier %d</td><td class=\"num\">%d.%02d</td></tr>\n", i+1, i+1, 37*i+12, i*7%100)
		}
		return b.String()
	}
	grid := func(sheet string, n int) string {
		return styled("Suppliers", sheet, "<h1>Suppliers</h1><table><thead><tr><th>#</th><th>Name</th><th class=\"num\">Open</th></tr></thead><tbody>\n"+rows(n)+"</tbody></table>")
	}
	return []Document{
		report("table-spreadsheet", "html", "spreadsheet export", excel, "Supplier", "Acme Ltd", "1,204.50", "Borealis"),
		report("table-zebra", "html", "table", grid(lightSheet, 12), "Supplier 12", "419.77"),
		report("table-zebra-dark", "html", "table", grid(darkSheet, 8), "Supplier 8", "271.49"),
		report("table-long", "html", "table", grid(lightSheet, 60), "Supplier 1", "Supplier 60"),
		report("table-sticky-header", "html", "table", grid(`body{font:14px sans-serif}thead th{position:sticky;top:0;background:#fff;border-bottom:2px solid #333;z-index:1}td{padding:4px 10px;border-bottom:1px solid #eee}`, 20), "Name", "Supplier 1", "Supplier 20"),
		report("table-pivot", "html", "table", styled("Pivot", `table{border-collapse:collapse;font:13px/1.6 Arial}th{background:#4472c4;color:#fff;font-weight:600;padding:4px 10px}td{padding:4px 10px;border:1px solid #b4c6e7}td.sum{background:#d9e1f2;font-weight:700}`,
			`<table><tr><th>Month</th><th>Open</th><th>Paid</th></tr><tr><td>April</td><td>12</td><td>38</td></tr><tr><td>May</td><td>9</td><td>44</td></tr><tr><td class="sum">Sum</td><td class="sum">21</td><td class="sum">82</td></tr></table>`), "Month", "April", "Sum", "82"),
		report("table-wide", "html", "table", styled("Wide", `.wrap{overflow-x:auto;border:1px solid #ddd}table{border-collapse:collapse;white-space:nowrap;font:13px sans-serif}td,th{padding:4px 8px;border-right:1px solid #eee}`,
			`<h1>Orders</h1><div class="wrap"><table><tr><th>Order</th><th>Supplier</th><th>Town</th><th>Sum</th></tr><tr><td>PO-1041</td><td>Acme Ltd</td><td>Leith</td><td>88.00</td></tr></table></div>`), "Orders", "PO-1041"),
		report("table-heat-map", "html", "table", styled("Heat map", `td{width:56px;height:32px;text-align:center;font:12px sans-serif}.a{background:#f7fbff}.b{background:#9ecae1}.c{background:#08519c;color:#fff}`,
			`<h1>Errors by hour</h1><table><tr><td class="a">1</td><td class="b">14</td><td class="c">73</td></tr><tr><td class="c">68</td><td class="a">2</td><td class="b">17</td></tr></table>`), "Errors by hour", "73", "17"),
		report("table-query", "html", "table", `<!doctype html><meta charset=utf-8><style>.dataframe{border:1px solid #ccc;font:12px monospace}.dataframe tbody tr th{vertical-align:top}.dataframe thead th{text-align:right}</style><table border="1" class="dataframe"><thead><tr style="text-align: right;"><th></th><th>month</th><th>sum</th></tr></thead><tbody><tr><th>0</th><td>2026-04</td><td>41</td></tr><tr><th>1</th><td>2026-05</td><td>57</td></tr></tbody></table>`, "month", "2026-05", "57"),
		report("table-hidden-column-helper", "html", "table", styled("Sorted", `.arrow{color:#57606a;font-size:10px}th{cursor:pointer;text-align:left}td,th{padding:4px 12px}`,
			`<table><tr><th>Name <span class="arrow">▲</span></th><th>Open <span class="arrow">▽</span></th></tr><tr><td>Acme Ltd</td><td>3</td></tr></table>`), "Name", "Acme Ltd"),
	}
}

// notebooks are exports of interactive sessions.
func notebooks() []Document {
	const sheet = `body{font:14px/1.55 "Helvetica Neue",Arial,sans-serif;color:#000;margin:0;padding:20px 40px}
.cell{display:flex;margin:8px 0}.prompt{flex:0 0 80px;font:13px monospace;color:#303f9f;text-align:right;padding:6px 8px}.prompt.out{color:#d84315}
.area{flex:1;min-width:0}.code{background:#f5f5f5;border:1px solid #e0e0e0;padding:6px 8px;font:13px monospace;white-space:pre-wrap}
.k{color:#008000;font-weight:700}.s{color:#ba2121}.c{color:#408080;font-style:italic}
.error{background:#fdd;padding:6px;white-space:pre-wrap;font:13px monospace}
@media (max-width:600px){body{padding:8px}.cell{display:block}.prompt{text-align:left}}`
	cell := func(n int, code, out string) string {
		return fmt.Sprintf(`<div class="cell"><div class="prompt">In [%d]:</div><div class="area"><div class="code">%s</div></div></div><div class="cell"><div class="prompt out">Out[%[1]d]:</div><div class="area">%[3]s</div></div>`, n, code, out)
	}
	return []Document{
		report("notebook-frame", "html", "notebook export", styled("Forecast", sheet, "<h1>Forecast</h1>"+cell(1, `<span class="k">import</span> pandas <span class="c"># tables</span>`, "<p>ready</p>")+cell(2, `df.groupby(<span class="s">"month"</span>).sum()`, `<table><tr><th>month</th><th>sum</th></tr><tr><td>May</td><td>57</td></tr></table>`)), "Forecast", "# tables", "In [2]:", "57"),
		report("notebook-error", "html", "notebook export", styled("Retry", sheet, cell(3, `<span class="k">return</span> total / count`, `<div class="error">ZeroDivisionError: division by zero</div>`)), "In [3]:", "ZeroDivisionError: division by zero"),
		report("notebook-plot", "html", "notebook export", styled("Plot", sheet, cell(4, `df.plot()`, `<svg width="220" height="90" viewBox="0 0 220 90"><path d="M10 80L60 50L120 60L200 20" fill="none" stroke="#1f77b4" stroke-width="2"/><text x="10" y="14" font-size="12">orders per day</text></svg>`)), "In [4]:", "df.plot()"),
		report("notebook-maths", "html", "notebook export", styled("Sums", sheet, `<h2>Margin</h2><p>The margin is <i>m</i> = (<i>p</i> − <i>c</i>) / <i>p</i><sup>2</sup>.</p>`+cell(5, `margin(<span class="k">None</span>)`, `<p>0.37</p>`)), "The margin is", "0.37"),
	}
}

// invoices are bills and statements.
func invoices() []Document {
	const sheet = `body{font:14px/1.5 Georgia,serif;color:#222;background:#eee;margin:0}.sheet{background:#fff;max-width:720px;margin:24px auto;padding:48px;box-shadow:0 1px 4px rgba(0,0,0,.2)}
header{display:flex;justify-content:space-between;border-bottom:2px solid #222;padding-bottom:12px}h1{font-size:20px;letter-spacing:.1em;text-transform:uppercase;margin:0}
table{width:100%;border-collapse:collapse;margin:24px 0}td{padding:6px 0;border-bottom:1px solid #ddd}td:last-child{text-align:right}.total td{border-top:2px solid #222;font-weight:700}
footer{font-size:11px;color:#666}.stamp{display:inline-block;border:2px solid #2a7;color:#186a48;padding:2px 10px;transform:rotate(-4deg)}@media print{body{background:none}.sheet{box-shadow:none;margin:0}}`
	bill := func(number, total, more string) string {
		return styled("Invoice "+number, sheet, `<div class="sheet"><header><h1>Invoice</h1><div>No. `+number+`<br>12 May 2026</div></header><p>To Acme Ltd, 4 Harbour Road, Leith</p>
<table><tr><td>Reconciliation, May</td><td>400.00</td></tr><tr><td>Support</td><td>90.00</td></tr><tr class="total"><td>Total</td><td>`+total+`</td></tr></table>`+more+`<footer>Due within 30 days. IBAN GB00 0000 0000 4820.</footer></div>`)
	}
	return []Document{
		report("invoice-serif", "html", "invoice", bill("2026-104", "490.00", ""), "To Acme Ltd, 4 Harbour Road, Leith", "490.00", "Due within 30 days."),
		report("invoice-stamp", "html", "invoice", bill("2026-105", "490.00", `<p class="stamp">PAID</p>`), "PAID", "Reconciliation, May"),
		report("invoice-table-layout", "html", "invoice", `<html><body bgcolor="#ffffff" text="#000000"><table width="600" border="0" cellspacing="0" cellpadding="6"><tr bgcolor="#003366"><td><font color="#ffffff" face="Arial" size="4"><b>INVOICE 881</b></font></td><td align="right"><font color="#ffffff" face="Arial">5 May 2026</font></td></tr><tr><td>Delivery to Leith</td><td align="right">212.00</td></tr><tr bgcolor="#eeeeee"><td><b>Total due</b></td><td align="right"><b>212.00</b></td></tr></table></body></html>`, "INVOICE 881", "5 May 2026", "Delivery to Leith", "Total due"),
		report("invoice-statement", "html", "invoice", styled("Statement", lightSheet, `<h1>Statement of account</h1><p class="soft">1 to 31 May 2026</p><table><tr><th>Day</th><th>Entry</th><th class="num">Balance</th></tr><tr><td>2</td><td>Opening balance</td><td class="num">1,204.50</td></tr><tr><td>12</td><td>Payment, thank you</td><td class="num no">−88.00</td></tr></table><p><small>Figures are in pounds. Negative figures are in red.</small></p>`), "Statement of account", "Payment, thank you", "Figures are in pounds."),
		report("invoice-two-columns", "html", "invoice", styled("Quote", `body{font:14px Arial;margin:20px}.two{display:grid;grid-template-columns:1fr 1fr;gap:24px}.box{border:1px solid #ccc;padding:12px}h2{margin:0 0 6px;font-size:13px;color:#444}.big{font-size:28px;color:#0a5}@media (max-width:500px){.two{grid-template-columns:1fr}}`,
			`<div class="two"><div class="box"><h2>From</h2>Figgery GmbH<br>Berlin</div><div class="box"><h2>To</h2>Acme Ltd<br>Leith</div></div><p>Quoted price</p><p class="big">1,290.00</p>`), "Figgery GmbH", "Quoted price", "1,290.00"),
	}
}
