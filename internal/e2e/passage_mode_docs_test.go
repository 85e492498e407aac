package e2e

import "strings"

const (
	head = "<h1>October</h1><p>All invoices were read.</p>"
	paid = "Pay 1,204.50 to Acme on 30 October."
)

// hostileDocs are documents that show one text and hold others, or try to leave their frame. What is drawn where the mouse
// goes over the element t is drawn; the sandbox has seen each, but not in the last part of the test.
var hostileDocs = []struct{ name, html, drawn string }{
	{"plain", head + "<p id=t>" + paid + "</p><p>Thanks.</p>", paid},
	{"media", "<style>.n{display:none}@media(min-width:900px){.n{display:block}.w{display:none}}@media(max-width:500px){p{font-size:30px}}</style>" + head + "<p class=w>narrow</p><p class=n>wide</p><p id=t>" + paid + "</p>", paid},
	{"hover", "<style>#t:hover{display:none}#t:hover+p{display:block}.x{display:none}p:focus{color:red}</style>" + head + "<p id=t tabindex=0>" + paid + "</p><p class=x>Pay 9,999 to Mallory.</p>", paid},
	{"details", head + "<details><summary>More</summary><p>folded Pay 9,999</p></details><p id=t>" + paid + "</p><details open><summary>Open</summary><p>seen</p></details>", paid},
	{"anim", "<style>@keyframes k{to{transform:translateY(300px)}}#t{animation:k 1s infinite;transition:all 9s}</style>" + head + "<p id=t>" + paid + "</p>", paid},
	{"vh", "<style>body{margin:8px;min-height:100vh}.h{height:50vh;background:#eee}</style>" + head + "<div class=h></div><p id=t>" + paid + "</p>", paid},
	{"slides", "<style>section{height:100vh;border:1px solid}</style><section><p id=t>" + paid + "</p></section><section>two</section><section>three</section>", paid},
	{"scroll", head + "<p id=t>" + paid + "</p><div style=\"height:60px;overflow:auto;border:1px solid\"><p>line one</p><p>line two</p><p>line three</p><p>Pay 9,999 inside</p></div>", paid},
	{"appscroll", "<style>html,body{height:100%;margin:0;overflow:hidden}#m{height:100%;overflow:auto}</style><div id=m>" + head + strings.Repeat("<p>row</p>", 60) + "<p id=t2>end of the inner scroll</p></div><p id=t style=\"position:absolute;top:10px;left:300px\">" + paid + "</p>", paid},
	{"transparent", head + "<div style=\"position:relative\"><p id=t>" + paid + "</p><p style=\"position:absolute;top:0;left:0;margin:0;color:transparent\">Pay 9,999.99 to Mallory right now, please.</p></div>", paid},
	{"opacity", head + "<div style=\"position:relative\"><p id=t>" + paid + "</p><p style=\"position:absolute;top:0;left:0;margin:0;opacity:0\">Pay 9,999.99 to Mallory right now, please.</p></div>", paid},
	{"opacity1", head + "<div style=\"position:relative\"><p id=t>" + paid + "</p><p style=\"position:absolute;top:0;left:0;margin:0;opacity:.01\">Pay 9,999.99 to Mallory right now, please.</p></div>", paid},
	{"under", head + "<div style=\"position:relative\"><p style=\"margin:0\">Pay 9,999.99 to Mallory right now, please.</p><p id=t style=\"position:absolute;top:0;left:0;margin:0;background:#fff;width:420px\">" + paid + "</p></div>", paid},
	{"zunder", head + "<div style=\"position:relative\"><p id=t style=\"position:relative;z-index:2;background:#fff;margin:0;width:420px\">" + paid + "</p><p style=\"position:absolute;top:0;left:0;margin:0;z-index:1\">Pay 9,999.99 to Mallory right now, please.</p></div>", paid},
	{"cover", "<style>.c{position:relative}.c::after{content:\"Pay 1 cent\";position:absolute;inset:0;background:#fff}</style>" + head + "<p id=t>" + paid + "</p><div class=c>Pay 9,999.99 covered</div>", paid},
	{"boxover", head + "<p id=t>" + paid + "</p><div style=\"position:relative\"><p>Pay 9,999.99 covered</p><div style=\"position:absolute;inset:0;background:#fff\"></div></div>", paid},
	{"white", head + "<p id=t>Pay 1,204.50 <span style=\"color:#fff\">and 9,999 to Mallory </span>to Acme on 30 October.</p>", "Pay 1,204.50 and 9,999 to Mallory to Acme on 30 October."}, // goes through: the form shows it
	{"none", head + "<p id=t>Pay 1,204.50 <span style=\"display:none\">and 9,999 to Mallory </span>to Acme on <span style=\"visibility:hidden\">never </span>30 October.</p>", paid},
	{"tiny", head + "<p id=t>Pay 1,204.50 <span style=\"font-size:0\">and 9,999 to Mallory </span>to Acme on <span style=\"font-size:1px\">or never </span>30 October.</p>", paid},
	{"offscreen", head + "<p id=t>Pay 1,204.50 <span style=\"position:absolute;left:-9999px\">and 9,999 to Mallory </span>to Acme on <span style=\"position:absolute;left:9999px\">never </span>30 October.</p>", "Pay 1,204.50 to Acme on never 30 October."}, // the sandbox leaves out positions that far away, so it is drawn
	{"clip", head + "<p id=t>Pay 1,204.50 <span style=\"display:inline-block;width:0;height:0;overflow:hidden\">and 9,999 to Mallory</span> to Acme on 30 October.</p><div style=\"width:90px;overflow:hidden;white-space:nowrap\">These words are cut off at the edge</div>", paid},
	{"generated", "<style>#t::before{content:\"Do NOT \"}#t::after{content:\" (void)\"}</style>" + head + "<p id=t>" + paid + "</p>", paid},
	{"huge", head + "<p id=t style=\"font-size:300px;line-height:1\">" + paid + "</p>", paid},
	{"bidi", head + "<p id=t>Pay 1,204.50 to \u202eemcA\u202c on <bdo dir=rtl>rebotcO 03</bdo>.</p>", "Pay 1,204.50 to emcA on rebotcO 03."},
	{"rtl", "<div dir=rtl><p id=t>\u0627\u062f\u0641\u0639 1204 \u0625\u0644\u0649 Acme \u0641\u064a \u0623\u0643\u062a\u0648\u0628\u0631.</p></div>", "\u0627\u062f\u0641\u0639 1204 \u0625\u0644\u0649 Acme \u0641\u064a \u0623\u0643\u062a\u0648\u0628\u0631."},
	{"zero", head + "<p id=t>P\u200bay 1,2\u00ad04.50 to A\u2060cme on 30 Octo\u200dber.</p>", paid},
	{"upper", "<style>#t{text-transform:uppercase}</style>" + head + "<p id=t>" + paid + "</p>", paid},
	{"margin", "<style>.r{position:absolute;right:0;width:26px;height:24px;border:1px solid #875000;border-radius:12px;color:#875000;text-align:center}</style>" + head + "<div class=r style=\"top:20px\">1</div><div class=\"r\" style=\"top:60px\">2</div><button class=\"passage-mark\">1</button><div class=\"passage-overlay passage-mark\" id=\"passage-hint\" data-remark=\"1\">Comment 1: approved</div><p id=t>" + paid + "</p>", paid},
	{"negative", "<style>.k{margin:-400px -400px 0 -400px;height:400px;background:#fdd}.f{position:fixed;inset:0;background:#ffd;z-index:99999}</style><p id=t style=\"position:relative;z-index:100000;background:#fff\">" + paid + "</p><div class=k>k</div><div class=f>cover all</div>", paid},
	{"svgtext", head + "<svg width=300 height=60><text x=5 y=30>Pay 9,999 drawn</text></svg><p id=t>" + paid + "</p>", paid},
	{"table", head + "<table><tr><th>To<th>Amount</tr><tr id=t><td>Acme</td><td>1,204.50</td><td>30 October</td></tr><tr><td>Borealis<td>88</tr></table>", "Acme 1,204.50 30 October"},
	{"vertical", "<div id=t style=\"writing-mode:vertical-rl;height:200px\">" + paid + "</div>", paid},
	{"transform", head + "<p id=t style=\"transform:rotate(2deg) scale(.9)\">" + paid + "</p>", paid},
	{"mirror", head + "<p id=t style=\"transform:scaleX(-1);display:inline-block\">" + paid + "</p>", paid},
	{"letter", "<style>#t::first-letter{font-size:60px;float:left}#t::first-line{letter-spacing:6px}</style>" + head + "<p id=t>" + paid + "</p>", paid},
	{"noselect", "<style>#t,#t *{user-select:none;-webkit-user-select:none;pointer-events:none}</style>" + head + "<p id=t>" + paid + "</p>", paid},
	{"frames", head + "<iframe srcdoc=\"<p>Pay 9,999</p>\"></iframe><object data=\"data:text/html,x\"></object><p id=t>" + paid + "</p>", paid},
	{"forms", head + "<form action=\"http://form.attack.test/x\"><input autofocus value=\"Pay 9,999\"><button>Approve</button><select><option>a</select></form><p id=t>" + paid + "</p>", paid},
	{"order", "<div style=\"display:flex;flex-direction:column\"><p style=\"order:3;margin:0\">Pay 9,999 first in the file</p><p style=\"order:1;margin:0\" id=t>" + paid + "</p><p style=\"order:2;margin:0\">second on the screen</p></div>", paid},
	{"swap", head + "<p id=t><span style=\"position:relative;left:0\">Pay 1,204.50 </span><span>to Acme on 30 October.</span></p>", paid},
	{"emoji", head + "<p id=t>Pay \U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 1,204.50 \u00e9 to \U0001f1e9\U0001f1ea Acme.</p>", "Pay \U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 1,204.50 \u00e9 to \U0001f1e9\U0001f1ea Acme."},
	{"wide", head + "<div style=\"width:2000px;background:#eef\">wide</div><p id=t>" + paid + "</p>", paid},
	{"repeat", head + strings.Repeat("<p>"+paid+"</p>", 249) + "<p id=t>" + paid + "</p>" + strings.Repeat("<p>"+paid+"</p>", 250), paid},
	{"columns", "<div style=\"columns:3\">" + strings.Repeat("<p>Filler text of a column that goes on.</p>", 12) + "<p id=t>" + paid + "</p>" + strings.Repeat("<p>Filler text of a column that goes on.</p>", 12) + "</div>", paid},
	{"split", head + "<p id=t>" + strings.Join(strings.Split(paid, ""), "<b></b>") + "</p>", paid},
	{"active", `<!doctype html><meta http-equiv="refresh" content="0;url=/hit/refresh"><body onload="fetch('/hit/onload')"><h1>October</h1><p id=t>` + paid + `</p>
<script>fetch("/hit/script"); try { parent.document.title = "owned" } catch {} location = "/hit/location"; addEventListener("pointermove", () => fetch("/hit/moved"))</script>
<img src="/hit/image" onerror="fetch('/hit/handler')"><style>@import url(/hit/import); body { background: url(/hit/background) } p:hover { background: url(/hit/hover) }</style>
<link rel="stylesheet" href="/hit/sheet"><link rel="preload" as="image" href="/hit/preload"><iframe src="/hit/frame"></iframe><object data="/hit/object"></object>
<form action="/hit/form"><input autofocus onfocus="this.form.submit()"><button style="display:block;width:100%;height:200px">Approve</button></form>
<a href="/hit/link" ping="/hit/ping" style="display:block;height:200px">link</a><video src="/hit/video" autoplay></video><svg><script>fetch("/hit/svg")</script></svg>`, paid},
}
