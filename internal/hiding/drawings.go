package hiding

import "slices"

// drawing is a small chart around a piece of markup.
func drawing(markup string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" width="440" height="160" viewBox="0 0 440 160">` + "\n" +
		`<text x="10" y="24" font-size="14">Deliveries by week</text><rect x="10" y="110" width="50" height="40" fill="#47a"/><rect x="70" y="80" width="50" height="70" fill="#47a"/>` +
		"\n" + markup + "\n</svg>\n"
}

// drawings are svg files, and drawings inside reports, that hold a text they do not draw.
func drawings() []Document {
	return slices.Concat(
		family(Hides, "a drawing without the text", "svg", drawing,
			row{"svg-defs", `<defs><text x="140" y="60">§</text></defs>`},
			row{"svg-symbol", `<symbol id="s"><text x="140" y="60">§</text></symbol>`},
			row{"svg-title", `<title>§</title>`},
			row{"svg-desc", `<desc>§</desc>`},
			row{"svg-metadata", `<metadata>§</metadata>`},
			row{"svg-comment", `<!-- § -->`},
			row{"svg-display", `<text x="140" y="60" display="none">§</text>`},
			row{"svg-display-style", `<g style="display:none"><text x="140" y="60">§</text></g>`},
			row{"svg-visibility", `<text x="140" y="60" visibility="hidden">§</text>`},
			row{"svg-class-display", `<style>.n{display:none}</style><text class="n" x="140" y="60">§</text>`},
			row{"svg-switch", `<switch><text x="140" y="60" systemLanguage="xx">§</text><text x="140" y="60">Week 12</text></switch>`},
			row{"svg-marker", `<marker id="m" markerWidth="9" markerHeight="9"><text y="5">§</text></marker>`},
			row{"svg-pattern", `<pattern id="p" width="9" height="9"><text y="5">§</text></pattern>`},
			row{"svg-foreign-object", `<foreignObject x="140" y="40" width="0" height="0"><p xmlns="http://www.w3.org/1999/xhtml">§</p></foreignObject>`},
			row{"svg-path-missing", `<text><textPath href="#nowhere">§</textPath></text>`},
			row{"svg-path-empty", `<path id="e" d="M0 0"/><text><textPath href="#e">§</textPath></text>`},
		),
		family(Hides, "a drawing with invisible text", "svg", drawing,
			row{"svg-fill-white", `<rect width="440" height="160" fill="#fff"/><text x="140" y="60" fill="white">§</text>`},
			row{"svg-fill-none", `<text x="140" y="60" fill="none">§</text>`},
			row{"svg-fill-hsl", `<rect width="440" height="160" fill="#fff"/><text x="140" y="60" fill="hsl(0 0% 100%)">§</text>`},
			row{"svg-fill-bar", `<rect x="130" y="40" width="300" height="30" fill="#47a"/><text x="140" y="60" fill="#4477aa">§</text>`},
			row{"svg-fill-transparent", `<text x="140" y="60" fill="transparent">§</text>`},
			row{"svg-fill-opacity", `<text x="140" y="60" fill-opacity="0">§</text>`},
			row{"svg-fill-gradient", `<rect width="440" height="160" fill="#fff"/><linearGradient id="g"><stop stop-color="#fff"/></linearGradient><text x="140" y="60" fill="url(#g)">§</text>`},
			row{"svg-fill-class", `<style>.n{fill:none}</style><text class="n" x="140" y="60">§</text>`},
			row{"svg-opacity", `<g opacity="0"><text x="140" y="60">§</text></g>`},
			row{"svg-off-left", `<text x="-900" y="60">§</text>`},
			row{"svg-off-below", `<text x="140" y="900">§</text>`},
			row{"svg-off-dx", `<text x="140" y="60" dx="-4000">§</text>`},
			row{"svg-off-translate", `<g transform="translate(4000 0)"><text x="140" y="60">§</text></g>`},
			row{"svg-scale", `<g transform="scale(0)"><text x="140" y="60">§</text></g>`},
			row{"svg-scale-tiny", `<g transform="translate(140 60) scale(.002)"><text>§</text></g>`},
			row{"svg-font-size", `<text x="140" y="60" font-size=".3">§</text>`},
			row{"svg-nested-view", `<svg x="140" y="40" width="200" height="30" viewBox="0 0 90000 90000"><text y="60">§</text></svg>`},
			row{"svg-nested-clipped", `<svg x="140" y="40" width="20" height="1"><text x="40" y="60">§</text></svg>`},
			row{"svg-clip-empty", `<clipPath id="c"/><text x="140" y="60" clip-path="url(#c)">§</text>`},
			row{"svg-mask", `<mask id="k"><rect width="440" height="160" fill="#000"/></mask><text x="140" y="60" mask="url(#k)">§</text>`},
			row{"svg-filter-flood", `<filter id="f"><feFlood flood-color="#fff"/></filter><text x="140" y="60" filter="url(#f)">§</text>`},
			row{"svg-rect-over", `<text x="140" y="60">§</text><rect x="120" y="30" width="320" height="60" fill="#eee"/>`},
			row{"svg-stroke-white", `<rect width="440" height="160" fill="#fff"/><text x="140" y="60" stroke="#fff" stroke-width="20">§</text>`},
			row{"svg-text-length", `<text x="140" y="60" textLength=".01" lengthAdjust="spacingAndGlyphs">§</text>`},
			row{"svg-media", `<style>@media (max-width:9000px){.n{display:none}}</style><text class="n" x="140" y="60">§</text>`},
		),
		family(Hides, "a drawing in a report without the text", "html", page,
			row{"inline-defs", `<svg width="400" height="40"><defs><text x="9" y="20">§</text></defs><rect width="80" height="20" fill="#47a"/></svg>`},
			row{"inline-white", `<svg width="400" height="40"><text x="9" y="20" fill="#fff">§</text></svg>`},
			row{"inline-off", `<svg width="400" height="40" viewBox="0 0 400 40"><text x="9" y="90">§</text></svg>`},
			row{"inline-height", `<svg width="400" height="0"><text x="9" y="20">§</text></svg>`},
			row{"inline-opacity", `<div style="opacity:0"><svg width="400" height="40"><text x="9" y="20">§</text></svg></div>`},
		),
		family(LowContrast, "nearly the colour behind it", "svg", drawing,
			row{"svg-near-white", `<rect width="440" height="160" fill="#fff"/><text x="140" y="60" fill="#f0f0f0">§</text>`},
			row{"svg-near-bar", `<rect x="130" y="40" width="300" height="30" fill="#47a"/><text x="140" y="60" fill="#4a7cae">§</text>`},
		),
	)
}
