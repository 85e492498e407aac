package hiding

import (
	"slices"
	"strings"
)

// kinds hold a text in places that browsers never draw, or draw only on demand.
func kinds() []Document {
	return slices.Concat(
		family(Hides, "not displayed", "html", page,
			row{"kind-display-none", `<p style="display:none">§</p>`},
			row{"kind-display-important", `<style>.n{display:none!important}</style><p class="n" style="display:block">§</p>`},
			row{"kind-hidden", `<p hidden>§</p>`},
			row{"kind-hidden-until-found", `<p hidden="until-found">§</p>`},
			row{"kind-table-column", `<div style="display:table"><div style="display:table-column">§</div><div style="display:table-row"><div style="display:table-cell">Terms</div></div></div>`},
			row{"kind-table-column-group", `<div style="display:table-column-group">§</div>`},
			row{"kind-popover", `<div popover>§</div>`},
			row{"kind-dialog", `<dialog>§</dialog>`},
			row{"kind-collapsed-body", `<table><tbody style="display:none"><tr><td>§</td></tr></tbody><tbody><tr><td>Terms</td></tr></tbody></table>`},
		),
		family(Hides, "content that is never drawn", "html", page,
			row{"kind-rp", `<p><ruby>KG<rp>§</rp><rt>kilogram</rt></ruby></p>`},
			row{"kind-progress", `<p><progress value="3" max="4">§</progress></p>`},
			row{"kind-meter", `<p><meter value=".7">§</meter></p>`},
			row{"kind-template", `<template><p>§</p></template>`},
			row{"kind-noscript", `<noscript><p>§</p></noscript>`},
			row{"kind-comment", `<!-- § -->`},
			row{"kind-comment-conditional", `<!--[if mso]><p>§</p><![endif]-->`},
			row{"kind-comment-in-sheet", `<style>/* § */ p{margin:1em 0}</style>`},
			row{"kind-script-data", `<script type="application/json">{"note":"§"}</script>`},
			row{"kind-title", `<svg width="0" height="0"><title>§</title></svg>`},
			row{"kind-object", `<object data="chart.bin" type="image/png">§</object>`},
			row{"kind-video", `<video controls><p>§</p></video>`},
			row{"kind-audio", `<audio><p>§</p></audio>`},
			row{"kind-canvas", `<canvas width="20" height="20">§</canvas>`},
			row{"kind-iframe", `<iframe src="about:blank">§</iframe>`},
			row{"kind-noembed", `<noembed>§</noembed>`},
			row{"kind-noframes", `<noframes>§</noframes>`},
			row{"kind-select", `<select><option>Net 30<option>§</select>`},
			row{"kind-datalist", `<datalist><option>§</option></datalist>`},
			row{"kind-textarea-hidden", `<textarea hidden>§</textarea>`},
		),
		family(Hides, "words in an attribute", "html", page,
			row{"attribute-title", `<p title="§">Net thirty days.</p>`},
			row{"attribute-alt", `<p><img alt="§" width="4" height="4" src="` + dot + `"></p>`},
			row{"attribute-data", `<p data-note="§">Net thirty days.</p>`},
			row{"attribute-aria", `<p aria-label="§">Net thirty days.</p>`},
			row{"attribute-value", `<input type="hidden" value="§">`},
			row{"attribute-meta", `<meta name="description" content="§">`},
			row{"attribute-abbr", `<p><abbr title="§">DDP</abbr></p>`},
			row{"attribute-summary", `<table summary="§"><tr><td>Terms</td></tr></table>`},
		),
		family(Hides, "folded away", "html", page,
			row{"folded-details", `<details><summary>Terms</summary><p>§</p></details>`},
			row{"folded-details-nested", `<details><summary>Terms</summary><details><summary>Small print</summary><p>§</p></details></details>`},
			row{"folded-details-no-summary", `<details style="border:0;padding:0;height:0;overflow:hidden"><summary style="list-style:none;font-size:0"></summary><p>§</p></details>`},
		),
		family(Hides, "white on white, without a doctype", "html", oldPage,
			row{"old-font", `<font color=white>§</font>`},
			row{"old-cell", `<table bgcolor="#336699"><tr><td><font color="#336699">§</font></table>`},
			row{"old-table-inherits", `<div style="color:#fff"><table><tr><td style="color:inherit">§</table></div>`},
			row{"old-unitless", `<p style="font-size:0;line-height:0">§</p>`},
		),
	)
}

// far put a text behind so much of nothing that nobody gets there.
func far() []Document {
	return family(Hides, "far down or far right", "html", page,
		row{"far-padding", `<p style="padding-top:9000px">§</p>`},
		row{"far-margin", `<p style="margin-top:9000px">§</p>`},
		row{"far-spacer", `<div style="height:9000px"></div><p>§</p>`},
		row{"far-breaks", strings.Repeat("<br>", 300) + `§`},
		row{"far-paragraphs", strings.Repeat("<p>&nbsp;</p>", 160) + `<p>§</p>`},
		row{"far-preformatted", `<pre>` + strings.Repeat("\n", 300) + `§</pre>`},
		row{"far-top", `<p style="position:absolute;top:50000px">§</p>`},
		row{"far-top-vh", `<p style="position:absolute;top:1500vh">§</p>`},
		row{"far-left", `<p style="position:absolute;left:4000px;white-space:nowrap">§</p>`},
		row{"far-margin-left", `<p style="margin-left:4000px;width:300px">§</p>`},
		row{"far-indent", `<p style="text-indent:5000px">§</p>`},
		row{"far-word-spacing", `<p style="word-spacing:4000px;white-space:nowrap">Terms § apply</p>`},
		row{"far-rows", `<table>` + strings.Repeat("<tr><td>&nbsp;</td></tr>", 300) + `<tr><td>§</td></tr></table>`},
		row{"far-list", `<ul style="list-style:none">` + strings.Repeat("<li>&nbsp;</li>", 300) + `<li>§</li></ul>`},
		row{"far-line-height", `<p style="line-height:9000px">§</p>`},
		row{"far-grid-gap", `<div style="display:grid;row-gap:8000px"><p>Terms</p><p>§</p></div>`},
		row{"far-dots", strings.Repeat(`<p style="margin:0;padding-top:900px">.</p>`, 8) + `<p>§</p>`},
	)
}

// widths hide a text in frames of some widths only, or on some screens.
func widths() []Document {
	sheet := func(name, query string) row {
		return row{name, "<style>" + query + "{.n{display:none}}</style><p class=\"n\">§</p>"}
	}
	return slices.Concat(
		family(Hides, "hidden in narrow frames", "html", page,
			sheet("narrow-999", "@media (max-width:999px)"),
			sheet("narrow-600", "@media (max-width:600px)"),
			sheet("narrow-em", "@media (max-width:40em)"),
			sheet("narrow-range", "@media (width < 700px)"),
			sheet("narrow-between", "@media (400px <= width <= 700px)"),
			sheet("narrow-not", "@media not all and (min-width:700px)"),
			sheet("narrow-list", "@media print, screen and (max-width:700px)"),
			sheet("narrow-nested", "@media screen{@media (max-width:620px)"+"{.x{margin:0}}}@media (max-width:620px)"),
			row{"narrow-colour", `<style>@media (max-width:620px){.n{color:#fff}}</style><p class="n">§</p>`},
			row{"narrow-position", `<style>@media (max-width:620px){.n{position:absolute;left:-999em}}</style><p class="n">§</p>`},
			row{"narrow-container", `<style>body{container-type:inline-size}@container (max-width:700px){.n{display:none}}</style><p class="n">§</p>`},
			row{"narrow-calc", `<p style="overflow:hidden;max-height:calc((100vw - 700px) * 9)">§</p>`},
			row{"narrow-calc-left", `<p style="position:relative;left:min(0px, calc((100vw - 900px) * 99))">§</p>`},
			row{"narrow-font-vw", `<p style="font-size:clamp(0px, calc((100vw - 700px) * 9), 16px)">§</p>`},
			row{"narrow-nowrap", `<div style="overflow:hidden;white-space:nowrap"><span style="display:inline-block;width:1000px">Goods were counted twice.</span>§</div>`},
			row{"narrow-flex-wrap", `<div style="display:flex;flex-wrap:wrap;height:1.5em;overflow:hidden"><span style="flex:0 0 640px">Goods were counted twice.</span><span>§</span></div>`},
			row{"narrow-attribute-media", `<style media="(max-width: 620px)">.n{display:none}</style><p class="n">§</p>`},
		),
		family(Hides, "hidden in wide frames", "html", page,
			sheet("wide-1000", "@media (min-width:1000px)"),
			sheet("wide-500", "@media (min-width:500px)"),
			sheet("wide-range", "@media (width >= 900px)"),
			row{"wide-opacity", `<style>@media (min-width:800px){.n{opacity:0}}</style><p class="n">§</p>`},
			row{"wide-calc", `<p style="overflow:hidden;max-height:calc((600px - 100vw) * 9)">§</p>`},
		),
		family(Hides, "hidden on a screen", "html", page,
			row{"screen-print-only", `<style>.n{display:none}@media print{.n{display:block}}</style><p class="n">§</p>`},
			sheet("screen-only", "@media screen"),
			sheet("screen-no-hover", "@media (hover:hover),(hover:none)"),
			sheet("screen-light", "@media (prefers-color-scheme:light)"),
			sheet("screen-colour", "@media (color)"),
			sheet("screen-tall", "@media (min-height:100px)"),
			sheet("screen-portrait", "@media (orientation:portrait)"),
			sheet("screen-resolution", "@media (min-resolution:.5dppx)"),
		),
	)
}
