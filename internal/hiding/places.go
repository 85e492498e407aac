package hiding

import (
	"slices"
	"strings"
)

// places put a text where no scrolling leads.
func places() []Document {
	at := func(name, style string) row { return row{name, `<p style="position:absolute;` + style + `">§</p>`} }
	return slices.Concat(
		family(Hides, "placed off the page", "html", page,
			at("place-px", "left:-9999px"),
			at("place-em", "left:-90em"),
			at("place-rem", "left:-80rem"),
			at("place-ch", "left:-200ch"),
			at("place-ex", "left:-300ex"),
			at("place-in", "left:-200in"),
			at("place-cm", "top:-40cm"),
			at("place-pt", "top:-4000pt"),
			at("place-vw", "left:-200vw"),
			at("place-vmax", "left:-200vmax"),
			at("place-percent", "left:-150%"),
			at("place-calc", "left:calc(-1px * 9999)"),
			at("place-min", "left:min(-4000px, 0px)"),
			at("place-variable", "--far:-5000px;left:var(--far)"),
			at("place-right", "right:300%"),
			at("place-bottom", "bottom:400vh"),
			at("place-inset", "inset:-900px auto auto -900px"),
			at("place-inset-inline-start", "inset-inline-start:-4000px"),
			at("place-inset-block-start", "inset-block-start:-4000px"),
			at("place-inset-inline", "inset-inline:-5000px auto"),
			row{"place-relative", `<p style="position:relative;left:-4000px">§</p>`},
			row{"place-relative-top", `<p style="position:relative;top:-4000px;margin:0">§</p>`},
			row{"place-margin-left", `<p style="margin-left:-4000px">§</p>`},
			row{"place-margin-top", `<div style="overflow:hidden"><p style="margin-top:-400px">§</p></div>`},
			row{"place-margin-inline", `<p style="margin-inline-start:-4000px;width:3000px">§</p>`},
			row{"place-text-indent", `<p style="text-indent:-4000px">§</p>`},
			row{"place-text-indent-vw", `<p style="text-indent:-120vw;white-space:nowrap">§</p>`},
			row{"place-vertical-align", `<div style="overflow:hidden;height:40px">Terms <span style="vertical-align:-900px">§</span></div>`},
			row{"place-outside-clipped-parent", `<div style="position:relative;overflow:hidden;height:30px">Terms<p style="position:absolute;top:60px">§</p></div>`},
			row{"place-outside-nowrap", `<div style="overflow:hidden;white-space:nowrap">` + strings.Repeat("All goods were counted twice. ", 12) + `<span>§</span></div>`},
			row{"place-float-off", `<div style="float:left;margin-left:-120%;width:100%">§</div>`},
			row{"place-rtl-overflow", `<div dir="rtl" style="overflow:hidden;width:200px"><div style="position:relative;left:400px">§</div></div>`},
			row{"place-sheet", `<style>.n{position:absolute;inset:-200% auto auto}</style><p class="n">§</p>`},
		),
	)
}

// sizes make a text too small to leave a mark.
func sizes() []Document {
	return family(Hides, "letters of no size", "html", page,
		row{"size-zero", `<p style="font-size:0">§</p>`},
		row{"size-shorthand", `<p style="font:0/0 serif">§</p>`},
		row{"size-tenth", `<p style="font-size:.1px">§</p>`},
		row{"size-one", `<p style="font-size:1px">§</p>`},
		row{"size-two", `<p style="font-size:2.2px">§</p>`},
		row{"size-em", `<p style="font-size:.01em">§</p>`},
		row{"size-nested-em", `<div style="font-size:.1em"><p style="font-size:.1em">§</p></div>`},
		row{"size-percent", `<p style="font-size:0%">§</p>`},
		row{"size-calc", `<p style="font-size:calc(1em - 1em)">§</p>`},
		row{"size-min", `<p style="font-size:min(1em, 0px)">§</p>`},
		row{"size-clamp", `<p style="font-size:clamp(0px, 0vw, 1px)">§</p>`},
		row{"size-adjust", `<p style="font-size-adjust:0">§</p>`},
		row{"size-variable", `<style>:root{--s:0}.n{font-size:calc(var(--s) * 1px)}</style><p class="n">§</p>`},
		row{"size-first-line", `<style>.n::first-line{font-size:0}</style><p class="n">§</p>`},
		row{"size-line-height", `<p style="line-height:0;overflow:hidden">§</p>`},
		row{"size-zoom", `<p style="zoom:.01">§</p>`},
		row{"size-letters-on-letters", `<p style="letter-spacing:-2em;text-indent:-3em;overflow:hidden">§</p>`},
	)
}

// boxes are too small for what is in them.
func boxes() []Document {
	return family(Hides, "a box of no size", "html", page,
		row{"box-height", `<div style="height:0;overflow:hidden">§</div>`},
		row{"box-max-height", `<div style="max-height:0;overflow:hidden">§</div>`},
		row{"box-width", `<div style="width:0;overflow:hidden;white-space:nowrap">§</div>`},
		row{"box-block-size", `<div style="block-size:0;overflow:clip">§</div>`},
		row{"box-max-block-size", `<div style="max-block-size:0;overflow:hidden">§</div>`},
		row{"box-inline-size", `<div style="max-inline-size:0;overflow:hidden;white-space:nowrap">§</div>`},
		row{"box-scroll", `<div style="overflow:auto;height:2px">§</div>`},
		row{"box-scroll-below", `<div style="overflow:auto;height:40px">Checked.<div style="height:300px"></div>§</div>`},
		row{"box-padding", `<div style="padding:1px;max-height:0;overflow:hidden">§</div>`},
		row{"box-min-width", `<div style="min-width:10px;height:0;overflow:hidden">§</div>`},
		row{"box-clipped-parent", `<div style="height:20px;overflow:hidden"><p style="margin:40px 0 0">§</p></div>`},
		row{"box-grid-fraction", `<div style="display:grid;grid-template-rows:0fr"><div style="overflow:hidden;min-height:0">§</div></div>`},
		row{"box-grid-column", `<div style="display:grid;grid-template-columns:0 1fr"><div style="overflow:hidden;white-space:nowrap">§</div><div>Terms</div></div>`},
		row{"box-flex-basis", `<div style="display:flex"><div style="flex:0 0 0;overflow:hidden;white-space:nowrap">§</div><div>Terms</div></div>`},
		row{"box-flex-shrunk", `<div style="display:flex;width:200px"><div style="flex:0 1 0;min-width:0;overflow:hidden;white-space:nowrap">§</div><div style="flex:0 0 200px">Terms</div></div>`},
		row{"box-cell-block", `<table><tr><td style="display:block;height:0;overflow:hidden;padding:0;border:0">§</td></tr></table>`},
		row{"box-table-column-zero", `<table style="table-layout:fixed;width:200px;border-spacing:0"><col style="width:0"><col><tr><td style="overflow:hidden;white-space:nowrap;padding:0;border:0">§</td><td>Terms</td></tr></table>`},
		row{"box-row-collapse", `<table><tr style="visibility:collapse"><td>§</td></tr><tr><td>Terms</td></tr></table>`},
		row{"box-line-clamp", `<div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden;max-height:1.5em">Goods were counted.<br>§</div>`},
		row{"box-ellipsis", `<div style="overflow:hidden;text-overflow:ellipsis;white-space:nowrap;width:300px">` + strings.Repeat("Goods were counted twice. ", 5) + `§</div>`},
		row{"box-columns", `<div style="columns:1;column-width:100%;height:30px;overflow:hidden"><div style="break-after:column;height:30px">Terms</div><p style="margin:0">§</p></div>`},
		row{"box-contain", `<div style="contain:size;overflow:hidden">§</div>`},
		row{"box-content-visibility", `<div style="content-visibility:hidden">§</div>`},
	)
}
