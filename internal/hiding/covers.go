package hiding

import "slices"

// dot is a picture of one white pixel.
const dot = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg=="

// decorations paint a text's own lines and outlines over it.
func decorations() []Document {
	return family(Hides, "painted over by its own decoration", "html", page,
		row{"decoration-line-through", `<p style="text-decoration:line-through #fff 3em">§</p>`},
		row{"decoration-line-through-dark", `<p style="color:#222;text-decoration:line-through #222 3em">§</p>`},
		row{"decoration-line-through-parent", `<div style="text-decoration:line-through white;text-decoration-thickness:60px"><p>§</p></div>`},
		row{"decoration-stroke", `<p style="-webkit-text-stroke:20px #fff">§</p>`},
		row{"decoration-stroke-thin", `<p style="color:#fff;-webkit-text-stroke:1px #fff">§</p>`},
		row{"decoration-outline", `<p style="outline:60px solid #fff;outline-offset:-60px">§</p>`},
		row{"decoration-emphasis", `<p style="color:#fff;text-emphasis:none">§</p>`},
		row{"decoration-underline-offset", `<p style="text-decoration:line-through 40px #fff;text-underline-offset:-1em">§</p>`},
	)
}

// covers put something over a text.
func covers() []Document {
	const over = "position:absolute;inset:0;background:#fff"
	return slices.Concat(
		family(Hides, "covered by a box", "html", page,
			row{"cover-absolute", `<div style="position:relative"><p>§</p><div style="` + over + `;z-index:2"></div></div>`},
			row{"cover-fixed", `<div style="position:relative"><p>§</p><div style="position:fixed;inset:0;z-index:1;background:#fff"></div></div><p style="position:relative;z-index:3">Read this.</p>`},
			row{"cover-before", `<style>.n{position:relative}.n::before{content:"";` + over + `}</style><p class="n">§</p>`},
			row{"cover-after", `<style>.n{position:relative}.n::after{content:"";` + over + `}</style><p class="n">§</p>`},
			row{"cover-negative-margin", `<p style="margin:0;height:30px">§</p><div style="position:relative;margin-top:-30px;height:34px;background:#fff"></div>`},
			row{"cover-margin-text", `<p style="margin:0;line-height:24px">§</p><p style="margin:-24px 0 0;line-height:24px;background:#fff;position:relative">Paid in full on the second of May, with thanks.</p>`},
			row{"cover-grid-cell", `<div style="display:grid"><p style="grid-area:1/1">§</p><div style="grid-area:1/1;background:#fff"></div></div>`},
			row{"cover-amount", `<div style="display:grid;width:12em"><b style="grid-area:1/1">§</b><b style="grid-area:1/1;background:#fff;position:relative">Total 1,204.50 for May and June</b></div>`},
			row{"cover-sticky", `<div><p style="margin:0;height:24px">§</p><div style="position:sticky;top:0;margin-top:-24px;height:24px;background:#fff"></div></div>`},
			row{"cover-behind-ground", `<div style="background:#fff;isolation:isolate"><div style="background:#fff"><p style="position:relative;z-index:-1">§</p></div></div>`},
			row{"cover-float", `<div style="overflow:hidden"><p style="float:left;width:100%;margin:0">§</p><div style="float:left;position:relative;width:100%;height:60px;margin-top:-60px;background:#fff"></div></div>`},
			row{"cover-picture", `<div style="position:relative"><p>§</p><img alt="" src="` + dot + `" style="position:absolute;left:0;top:0;width:100%;height:100%"></div>`},
			row{"cover-shadow", `<p style="margin:0">§</p><div style="position:relative;height:1px;box-shadow:0 0 0 90px #fff"></div><p style="position:relative;margin-top:90px">Below.</p>`},
			row{"cover-outline", `<p style="margin:0">§</p><div style="position:relative;height:1px;outline:60px solid #fff"></div>`},
			row{"cover-border", `<div style="position:relative"><p>§</p><div style="position:absolute;left:0;top:0;border-top:90px solid #fff;width:100%"></div></div>`},
			row{"cover-gradient", `<div style="position:relative"><p>§</p><div style="position:absolute;inset:0;background:linear-gradient(#fff,#fff)"></div></div>`},
			row{"cover-rule", `<p style="margin:0;height:24px">§</p><hr style="position:relative;border:0;height:28px;margin:-26px 0 0;background:#fff">`},
			row{"cover-translated", `<p style="margin:0;height:24px">§</p><div style="position:relative;height:24px;background:#fff;transform:translateY(-24px)"></div>`},
			row{"cover-relative-text", `<p>Approved items are listed below.</p><p style="position:relative;top:40px;z-index:-1;margin:0">§</p><div style="height:60px;background:#fff;position:relative"></div>`},
			row{"cover-table", `<table style="border-collapse:collapse"><tr><td style="position:relative">§<div style="` + over + `"></div></td></tr></table>`},
			row{"cover-gauge", `<div style="position:relative"><p style="margin:0">§</p><div style="position:absolute;inset:0;background:#dfe7ee;border-radius:4px"></div></div>`},
			row{"cover-inline", `<p><span>§</span><span style="display:inline-block;width:30em;height:2em;margin-left:-30em;background:#fff;position:relative;vertical-align:middle"></span></p>`},
		),
		family(Hides, "covered by a drawing", "html", page,
			row{"cover-inline-drawing", `<div style="position:relative"><p>§</p><div style="position:absolute;left:0;top:0;width:100%;height:100%"><svg width="900" height="80" viewBox="0 0 900 80"><rect width="900" height="80" fill="#fff"/></svg></div></div>`},
			row{"drawing-rect-over-text", `<svg width="320" height="60" viewBox="0 0 320 60"><text x="8" y="30">§</text><rect width="320" height="60" fill="#f4f4f4"/></svg>`},
			row{"drawing-circle-over-text", `<svg width="320" height="60" viewBox="0 0 320 60"><text x="110" y="34" font-size="5">§</text><circle cx="160" cy="30" r="200" fill="#dde"/></svg>`},
		),
	)
}

// transforms carry a text off, or squeeze it to nothing.
func transforms() []Document {
	return family(Hides, "transformed away", "html", page,
		row{"transform-scale", `<p style="transform:scale(.001)">§</p>`},
		row{"transform-scale-zero", `<p style="transform:scale(0)">§</p>`},
		row{"transform-scale-x", `<p style="transform:scaleX(0)">§</p>`},
		row{"transform-scale-y", `<p style="transform:scaleY(.002)">§</p>`},
		row{"transform-matrix", `<p style="transform:matrix(0,0,0,0,0,0)">§</p>`},
		row{"transform-matrix-far", `<p style="transform:matrix(1,0,0,1,-9000,0)">§</p>`},
		row{"transform-skew", `<p style="transform:skewX(90deg)">§</p>`},
		row{"transform-translate", `<p style="transform:translateX(-9999px)">§</p>`},
		row{"transform-translate-em", `<p style="transform:translateY(-200em)">§</p>`},
		row{"transform-translate-percent", `<p style="transform:translate(-200%)">§</p>`},
		row{"transform-translate-property", `<p style="translate:-300vw 0">§</p>`},
		row{"transform-scale-property", `<p style="scale:.001">§</p>`},
		row{"transform-rotate-property", `<p style="rotate:180deg;transform-origin:-2000px -2000px">§</p>`},
		row{"transform-rotate-x", `<p style="transform:rotateX(90deg)">§</p>`},
		row{"transform-rotate-y", `<p style="transform:rotateY(90deg)">§</p>`},
		row{"transform-rotate-far", `<p style="transform:rotate(90deg);transform-origin:0 -9000px">§</p>`},
		row{"transform-backface", `<p style="transform:rotateY(180deg);backface-visibility:hidden">§</p>`},
	)
}

// clips cut a text off.
func clips() []Document {
	return family(Hides, "clipped away", "html", page,
		row{"clip-polygon", `<p style="clip-path:polygon(0 0,0 0,0 0)">§</p>`},
		row{"clip-inset", `<p style="clip-path:inset(100%)">§</p>`},
		row{"clip-inset-side", `<p style="clip-path:inset(0 100% 0 0)">§</p>`},
		row{"clip-circle", `<p style="clip-path:circle(0)">§</p>`},
		row{"clip-ellipse", `<p style="clip-path:ellipse(0 0)">§</p>`},
		row{"clip-path-string", `<p style="clip-path:path('M0 0')">§</p>`},
		row{"clip-rect", `<p style="position:absolute;clip:rect(0,0,0,0)">§</p>`},
		row{"clip-rect-far", `<p style="position:absolute;clip:rect(900px,999px,999px,900px)">§</p>`},
		row{"clip-screen-reader-only", `<p style="position:absolute;width:1px;height:1px;margin:-1px;padding:0;overflow:hidden;clip:rect(0 0 0 0);white-space:nowrap;border:0">§</p>`},
	)
}
