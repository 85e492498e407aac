package hiding

import (
	"slices"
	"strings"
)

// hiding are the documents that hide a text.
func hiding() []Document {
	return slices.Concat(
		table(Hides, "html", page, htmlTricks),
		table(Hides, "html", oldPage, oldTricks),
		table(Hides, "svg", drawing, svgTricks),
		farTricks(),
	)
}

const htmlTricks = `
colour-white | <p style="color:#fff">§</p>
colour-name | <p style="color:white">§</p>
colour-rgb | <p style="color:rgb(255 255 255)">§</p>
colour-hsl | <p style="color:hsl(0 0% 100%)">§</p>
colour-hwb | <p style="color:hwb(0 100% 0%)">§</p>
colour-lab | <p style="color:lab(100% 0 0)">§</p>
colour-lch | <p style="color:lch(100% 0 0)">§</p>
colour-oklab | <p style="color:oklab(1 0 0)">§</p>
colour-oklch | <p style="color:oklch(1 0 0)">§</p>
colour-function | <p style="color:color(srgb 1 1 1)">§</p>
colour-mix | <p style="color:color-mix(in srgb,#fff 100%,#000)">§</p>
colour-var | <style>:root{--w:#fff}</style><p style="color:var(--w)">§</p>
colour-var-inline | <p style="--w:#fff;color:var(--w)">§</p>
colour-var-fallback | <p style="color:var(--none,#fff)">§</p>
colour-transparent | <p style="color:transparent">§</p>
colour-alpha | <p style="color:#00000000">§</p>
colour-alpha-low | <p style="color:rgba(0,0,0,.03)">§</p>
colour-fill | <p style="-webkit-text-fill-color:#fff">§</p>
colour-fill-hsl | <p style="-webkit-text-fill-color:hsl(0 0% 100%)">§</p>
colour-inherit | <div style="color:#fff"><p style="color:inherit">§</p></div>
colour-important | <style>p.x{color:#fff!important}</style><p class=x style="color:#000">§</p>
colour-current | <p style="color:#c8c8c8;background:currentcolor">§</p>
colour-on-ground | <p style="color:#333;background:#333">§</p>
colour-on-hsl-ground | <p style="color:#808080;background:hsl(0 0% 50%)">§</p>
colour-on-parent | <div style="background:navy"><p style="color:#000080">§</p></div>
colour-on-cell | <table><tr><td style="background:#225"><font color="#222255">§</font></td></tr></table>
colour-bgcolor | <table><tr><td bgcolor="#223344" style="color:#234">§</td></tr></table>
colour-gradient | <p style="color:#fff;background:linear-gradient(#fff,#fff)">§</p>
colour-clip-text | <p style="color:transparent;background:#fff;background-clip:text;-webkit-background-clip:text">§</p>
colour-shadow | <p style="color:#fff;text-shadow:0 0 0 #fff">§</p>
colour-link | <a href="#x" style="color:#fff;text-decoration:none">§</a>
colour-mark | <mark style="background:#fff;color:#fff">§</mark>
near-eee | <p style="color:#eee">§</p>
near-f2f2f2 | <p style="color:#f2f2f2">§</p>
near-lightyellow | <p style="color:lightyellow">§</p>
near-cornsilk | <p style="color:cornsilk">§</p>
near-opacity | <p style="opacity:.11">§</p>
near-nested-opacity | <div style="opacity:.3"><p style="opacity:.3">§</p></div>
near-dark | <div style="background:#111"><p style="color:#1a1a1a">§</p></div>
opacity-zero | <p style="opacity:0">§</p>
opacity-percent | <p style="opacity:0%">§</p>
opacity-tiny | <p style="opacity:.004">§</p>
display-none | <p style="display:none">§</p>
display-class | <style>.q{display:none}</style><p class=q>§</p>
display-attribute | <p hidden>§</p>
display-column | <div style="display:table-column">§</div>
display-column-group | <div style="display:table-column-group">§</div>
display-nth | <style>div p:nth-child(2){display:none}</style><div><p>One.</p><p>§</p></div>
display-sibling | <style>h2 + p{display:none}</style><h2>Totals</h2><p>§</p>
display-not | <style>p:not(.k){display:none}</style><p class=k>Kept.</p><p>§</p>
display-supports | <style>@supports (display:grid){.q{display:none}}</style><p class=q>§</p>
visibility-hidden | <p style="visibility:hidden">§</p>
visibility-collapse | <table><tr style="visibility:collapse"><td>§</td></tr></table>
visibility-parent | <div style="visibility:hidden"><p>§</p></div>
content-visibility | <p style="content-visibility:hidden">§</p>
media-narrow | <style>@media (max-width:999px){.q{display:none}}</style><p class=q>§</p>
media-wide | <style>@media (min-width:500px){.q{display:none}}</style><p class=q>§</p>
media-range | <style>@media (width < 1100px){.q{font-size:0}}</style><p class=q>§</p>
media-both | <style>@media (min-width:300px) and (max-width:2000px){.q{color:#fff}}</style><p class=q>§</p>
media-em | <style>@media (max-width:60em){.q{opacity:0}}</style><p class=q>§</p>
size-zero | <p style="font-size:0">§</p>
size-shorthand | <p style="font:0/1 serif">§</p>
size-tiny | <p style="font-size:1px">§</p>
size-two | <p style="font-size:2.2px">§</p>
size-calc | <p style="font-size:calc(1px - 1px)">§</p>
size-em | <p style="font-size:.01em">§</p>
size-percent | <p style="font-size:1%">§</p>
size-adjust | <p style="font-size-adjust:0">§</p>
size-first-line | <style>.f::first-line{font-size:0}</style><p class=f>§</p>
size-nested | <div style="font-size:.1em"><div style="font-size:.1em">§</div></div>
height-zero | <div style="height:0;overflow:hidden">§</div>
height-max | <div style="max-height:0;overflow:hidden">§</div>
height-clip | <div style="height:0;overflow:clip">§</div>
height-block | <div style="block-size:0;overflow:hidden">§</div>
height-line | <div style="line-height:0;height:0;overflow:hidden">§</div>
height-scroll | <div style="overflow:auto;height:2px">§</div>
height-padded | <div style="padding:1px;max-height:0;overflow:hidden">§</div>
height-cell | <table><tr><td style="display:block;height:0;overflow:hidden">§</td></tr></table>
width-zero | <div style="width:0;height:20px;overflow:hidden;white-space:nowrap">§</div>
width-max | <div style="max-width:0;overflow:hidden;height:1em">§</div>
width-min | <div style="min-width:10px;width:0;height:0;overflow:hidden">§</div>
width-inline | <div style="inline-size:0;block-size:1em;overflow:hidden">§</div>
grid-zero-row | <div style="display:grid;grid-template-rows:0fr"><div style="overflow:hidden;min-height:0">§</div></div>
grid-zero-column | <div style="display:grid;grid-template-columns:0 1fr"><div style="overflow:hidden;white-space:nowrap">§</div><div>Kept</div></div>
flex-zero | <div style="display:flex"><div style="flex:0 0 0;overflow:hidden;white-space:nowrap;min-width:0">§</div><div>Kept</div></div>
clip-rect | <div style="position:absolute;clip:rect(0 0 0 0)">§</div>
clip-rect-pixel | <div style="position:absolute;clip:rect(1px,1px,1px,1px)">§</div>
clip-inset | <div style="clip-path:inset(50%)">§</div>
clip-inset-side | <div style="clip-path:inset(0 100% 0 0)">§</div>
clip-circle | <div style="clip-path:circle(0)">§</div>
clip-ellipse | <div style="clip-path:ellipse(0 0)">§</div>
clip-polygon | <div style="clip-path:polygon(0 0,0 0,0 0)">§</div>
clip-reader | <span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap">§</span>
clip-parent | <div style="height:20px;overflow:hidden"><div style="margin-top:40px">§</div></div>
clip-clamp | <div style="height:1.2em;overflow:hidden;line-height:1.2em;width:100%"><div>Short line.</div><div>§</div></div>
ellipsis | <div style="width:30px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">§</div>
transform-scale | <p style="transform:scale(.001)">§</p>
transform-scale-zero | <p style="transform:scale(0)">§</p>
transform-scale-x | <p style="transform:scaleX(0)">§</p>
transform-matrix | <p style="transform:matrix(0,0,0,0,0,0)">§</p>
transform-skew | <p style="transform:skewX(90deg)">§</p>
transform-translate | <p style="transform:translateX(-9999px)">§</p>
transform-rotate | <p style="transform:rotateY(90deg)">§</p>
transform-origin | <p style="transform-origin:-9000px 0;transform:rotate(90deg)">§</p>
translate | <p style="translate:-9999px">§</p>
scale | <p style="scale:.001">§</p>
place-left | <p style="position:absolute;left:-9999px">§</p>
place-top | <p style="position:absolute;top:-9999px">§</p>
place-relative | <p style="position:relative;left:-9999px">§</p>
place-ch | <p style="position:absolute;left:-800ch">§</p>
place-calc | <p style="position:absolute;left:calc(-1px*9999)">§</p>
place-inches | <p style="position:absolute;left:-200in">§</p>
place-viewport | <p style="position:absolute;left:-200vmax">§</p>
place-inline | <p style="position:absolute;inset-inline-start:-9999px">§</p>
place-block | <p style="position:absolute;inset-block-start:-9999px">§</p>
place-inset | <p style="position:absolute;inset:-9999px auto auto auto">§</p>
place-fixed | <p style="position:fixed;top:-9999px">§</p>
place-right | <p style="position:absolute;right:9999px">§</p>
indent | <p style="text-indent:-9999px;overflow:hidden;white-space:nowrap">§</p>
indent-far | <p style="text-indent:5000px;overflow:hidden;white-space:nowrap">§</p>
margin-left | <p style="margin-left:-9999px">§</p>
margin-top | <div style="overflow:hidden"><p style="margin-top:-900px">§</p></div>
vertical-align | <p style="height:1.2em;overflow:hidden">Kept <span style="vertical-align:-900px">§</span></p>
cover-absolute | <div style="position:relative"><p>§</p><div style="position:absolute;inset:0;background:#fff;z-index:2"></div></div>
cover-fixed | <p>§</p><div style="position:fixed;left:0;top:0;width:100%;height:100%;background:#fff"></div>
cover-before | <style>.c{position:relative}.c::before{content:"";position:absolute;inset:0;background:#fff}</style><p class=c>§</p>
cover-after | <style>.c{position:relative}.c::after{content:"";position:absolute;inset:0;background:#fff}</style><p class=c>§</p>
cover-margin | <p style="margin:0">§</p><div style="margin-top:-30px;height:40px;background:#fff;position:relative"></div>
cover-z-index | <div style="position:relative;background:#fff"><p style="position:relative;z-index:-1">§</p></div>
cover-other-text | <div style="position:relative"><p style="position:absolute;top:0;left:0;margin:0;color:#fff">§</p><p style="margin:0;position:relative">Paid in full on the first of October, all of it</p></div>
cover-sticky | <div style="position:relative"><p style="margin:0">§</p><div style="position:sticky;top:0;margin-top:-1.5em;height:2em;background:#fff"></div></div>
cover-float | <p style="margin:0;height:20px;color:#fff">§<span style="float:left;width:100%;height:20px;background:#fff"></span></p>
cover-image | <div style="position:relative"><p>§</p><img style="position:absolute;left:0;top:0;width:100%;height:100%" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==" alt=""></div>
decoration | <p style="color:#fff;text-decoration:line-through #fff 3em">§</p>
stroke | <p style="-webkit-text-stroke:20px #fff">§</p>
stroke-thin | <p style="color:#fff;-webkit-text-stroke:.1px #fff">§</p>
kind-rp | <ruby>Kept<rp>§</rp></ruby>
kind-progress | <progress value=1 max=2>§</progress>
kind-meter | <meter value=.5>§</meter>
kind-template | <template>§</template>
kind-noscript | <noscript>§</noscript>
kind-comment | <!-- § -->
kind-script | <script type="text/plain">§</script>
kind-alt | <img src="x.png" alt="§">
kind-title | <span title="§">Total</span>
kind-aria | <span aria-label="§">Total</span>
kind-data | <span data-note="§">Total</span>
kind-textarea | <textarea hidden>§</textarea>
kind-select | <select><option>Kept</option><option>§</option></select>
kind-details | <details><summary>Total</summary><p style="display:none">§</p></details>
kind-object | <object data="x">§</object>
kind-math | <math><annotation>§</annotation></math>
inline-svg-defs | <svg width=200 height=30><defs><text x=5 y=20>§</text></defs><text x=5 y=20>Chart</text></svg>
inline-svg-fill | <svg width=400 height=30><text x=5 y=20 fill="#fff">§</text></svg>
inline-svg-cover | <svg width=400 height=30><text x=5 y=20>§</text><rect width=400 height=30 fill="#eee"/></svg>
inline-svg-tiny | <svg width=400 height=30 viewBox="0 0 40000 3000"><text x=5 y=2000 font-size=16>§</text></svg>
inline-svg-off | <svg width=200 height=30><text x=-900 y=20>§</text></svg>
`

const oldTricks = `
old-case | <style>.HIDE{display:none}</style><p class=hide>§</p>
old-colour | <p style="color:ffffff">§</p><font color="ffffff">§</font>
old-table | <table style="color:#fff"><tr><td style="color:#fff">§</td></tr></table>
old-white | <p style="color:#fff">§</p>
`

const svgTricks = `
defs | <defs><text x="10" y="60">§</text></defs>
symbol | <symbol id="s"><text x="10" y="60">§</text></symbol>
white | <text x="10" y="60" fill="#fff">§</text>
white-style | <text x="10" y="60" style="fill:#fff">§</text>
white-hsl | <text x="10" y="60" fill="hsl(0,0%,100%)">§</text>
white-class | <style>.w{fill:#fff}</style><text class="w" x="10" y="60">§</text>
none | <text x="10" y="60" fill="none">§</text>
none-class | <style>.n{fill:none}</style><text class="n" x="10" y="60">§</text>
gradient | <linearGradient id="g"><stop stop-color="#fff"/></linearGradient><text x="10" y="60" fill="url(#g)">§</text>
off-left | <text x="-900" y="60">§</text>
off-below | <text x="10" y="900">§</text>
off-translate | <g transform="translate(-5000 0)"><text x="10" y="60">§</text></g>
scale-zero | <g transform="scale(0)"><text x="10" y="60">§</text></g>
size | <text x="10" y="60" font-size=".3">§</text>
opacity | <text x="10" y="60" opacity="0">§</text>
fill-opacity | <text x="10" y="60" fill-opacity="0">§</text>
display | <text x="10" y="60" display="none">§</text>
visibility | <g visibility="hidden"><text x="10" y="60">§</text></g>
cover | <text x="10" y="60">§</text><rect x="0" y="40" width="400" height="40" fill="#eee"/>
clip | <clipPath id="c"/><text x="10" y="60" clip-path="url(#c)">§</text>
mask | <mask id="m"/><text x="10" y="60" mask="url(#m)">§</text>
pattern | <pattern id="p" width="10" height="10"><text x="10" y="60">§</text></pattern>
nested-view | <svg x="0" y="40" width="1" height="1" viewBox="0 0 4000 4000"><text x="10" y="60">§</text></svg>
stroke | <text x="10" y="60" stroke="#fff" stroke-width="20">§</text>
title | <title>§</title>
desc | <desc>§</desc>
metadata | <metadata>§</metadata>
comment | <!-- § -->
switch | <switch><g/><text x="10" y="60">§</text></switch>
path-zero | <path id="z" d="M0 0"/><text><textPath href="#z">§</textPath></text>
`

// farTricks hide a text behind much of nothing.
func farTricks() []Document {
	far := func(name, ext, text string) Document {
		return Document{Name: ext + "-far-" + name, Ext: ext, Class: Hides, text: text}
	}
	return []Document{
		far("padding", "html", page(`<p style="padding-top:9000px">§</p>`)),
		far("margin", "html", page(`<p style="margin-top:9000px">§</p>`)),
		far("height", "html", page(`<div style="height:9000px"></div><p>§</p>`)),
		far("top", "html", page(`<p style="position:absolute;top:50000px">§</p>`)),
		far("left", "html", page(`<p style="position:absolute;left:4000px">§</p>`)),
		far("breaks", "html", page(strings.Repeat("<br>", 300)+"§")),
		far("spaces", "html", page(strings.Repeat("<p>&nbsp;</p>", 300)+"<p>§</p>")),
		far("lines", "txt", "All invoices were paid.\n"+strings.Repeat("\n", 120)+"§\n"),
		far("dots", "txt", "All invoices were paid.\n"+strings.Repeat(strings.Repeat("\n", 59)+".", 6)+"\n§\n"),
		far("spaces", "txt", "All invoices were paid."+strings.Repeat(" ", 4000)+"§\n"),
		far("paragraphs", "md", "# October\n\nAll invoices were paid.\n"+strings.Repeat("\n&nbsp;\n", 200)+"\n§\n"),
		far("breaks", "md", "# October\n\nAll invoices were paid."+strings.Repeat("\\\n", 300)+"§\n"),
		{Name: "md-comment", Ext: "md", Class: Hides, text: "# October\n\nAll invoices were paid.\n\n<!-- § -->\n"},
		{Name: "md-link-title", Ext: "md", Class: Hides, text: "# October\n\nSee [the list](https://example.com \"§\").\n"},
		{Name: "md-reference", Ext: "md", Class: Hides, text: "# October\n\nAll invoices were paid.\n\n[unused]: https://example.com \"§\"\n"},
		{Name: "md-image-alt", Ext: "md", Class: Hides, text: "# October\n\n![§](https://example.com/x.png)\n\nAll invoices were paid.\n"},
		{Name: "md-fence-info", Ext: "md", Class: Hides, text: "# October\n\n```text §\nAll invoices were paid.\n```\n"},
	}
}
