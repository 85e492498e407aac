package style

import "strings"

// rule is what the value of a property may hold.
type rule struct {
	words    map[string]bool // when set, the value is one of these words and nothing else
	strings  bool            // strings and names in any script
	brackets bool            // [names] of grid lines
	counts   bool            // whole numbers make boxes: small ones only, and no arithmetic
	fixed    bool            // no var(): the value must be judged here
	least    float64         // numbers other than 0 are at least this large
	most     float64         // and at most this large; 0 is maxNumber
}

var (
	general = &rule{}
	named   = &rule{strings: true}
	tracks  = &rule{strings: true, brackets: true, counts: true, fixed: false, most: 100_000}
	lines   = &rule{counts: true, most: 200}
	columns = &rule{fixed: true, most: 5000}
	content = &rule{strings: true, fixed: true}
	bare    = &rule{fixed: true}
	// An override turns the order of letters and figures.
	isolation = &rule{fixed: true, words: words("normal embed isolate plaintext")}
	// A counter starts at its beginning: one that starts at 9,999 writes a figure that the text lacks.
	counters = &rule{fixed: true, most: 1}
	shadows  = &rule{most: 400}
	dashes   = &rule{least: 0.5, fixed: true}
	stack    = &rule{fixed: true, most: 100_000}
	custom   = &rule{strings: true, most: 10_000}

	// fixed is written as absolute: an element that stays while its page scrolls covers what the
	// reader scrolls to.
	positions = &rule{fixed: true, words: words("static relative absolute sticky")}
	// A browser's dark or light choice differs between readers; one that the author fixes does not.
	schemes = &rule{fixed: true, words: words("light dark normal")}
	// none would hide the pointer.
	cursors = &rule{fixed: true, words: words("auto default pointer help text vertical-text crosshair move not-allowed no-drop " +
		"context-menu cell copy zoom-in zoom-out grab")}
)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// properties are the allowed properties. refused tells why others are not.
var properties = allow(map[*rule]string{
	general: `
		accent-color align-content align-items align-self aspect-ratio
		background background-attachment background-clip background-color background-image background-origin
		background-position background-position-x background-position-y background-repeat background-size
		-webkit-background-clip -webkit-text-fill-color -webkit-text-stroke-color
		block-size border border-block border-block-color border-block-end border-block-end-color
		border-block-end-style border-block-end-width border-block-start border-block-start-color
		border-block-start-style border-block-start-width border-block-style border-block-width border-bottom
		border-bottom-color border-bottom-left-radius border-bottom-right-radius border-bottom-style
		border-bottom-width border-collapse border-color border-end-end-radius border-end-start-radius
		border-inline border-inline-color border-inline-end border-inline-end-color border-inline-end-style
		border-inline-end-width border-inline-start border-inline-start-color border-inline-start-style
		border-inline-start-width border-inline-style border-inline-width border-left border-left-color
		border-left-style border-left-width border-radius border-right border-right-color border-right-style
		border-right-width border-spacing border-start-end-radius border-start-start-radius border-style
		border-top border-top-color border-top-left-radius border-top-right-radius border-top-style
		border-top-width border-width bottom box-decoration-break box-sizing break-after break-before break-inside
		page-break-after page-break-before page-break-inside
		caption-side caret-color clear clip color column-fill column-gap column-rule
		column-rule-color column-rule-style column-rule-width column-span
		direction empty-cells
		fill fill-opacity fill-rule stroke stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
		stroke-opacity stroke-width stop-color stop-opacity text-anchor dominant-baseline alignment-baseline
		baseline-shift paint-order vector-effect shape-rendering clip-rule
		flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap float font-kerning
		font-optical-sizing font-size font-stretch font-style font-synthesis font-variant
		font-variant-alternates font-variant-caps font-variant-east-asian font-variant-ligatures
		font-variant-numeric font-variant-position font-weight -webkit-font-smoothing -moz-osx-font-smoothing
		gap grid-gap grid-row-gap grid-column-gap row-gap height hyphens image-rendering inline-size inset
		inset-block inset-block-end inset-block-start inset-inline inset-inline-end inset-inline-start isolation
		justify-content justify-items justify-self left letter-spacing line-break line-height list-style-position
		margin margin-block margin-block-end margin-block-start margin-bottom margin-inline margin-inline-end
		margin-inline-start margin-left margin-right margin-top max-block-size max-height max-inline-size max-width
		min-block-size min-height min-inline-size min-width object-fit object-position opacity orphans
		outline outline-color outline-offset outline-style outline-width overflow overflow-wrap overflow-x overflow-y
		padding padding-block padding-block-end padding-block-start padding-bottom padding-inline
		padding-inline-end padding-inline-start padding-left padding-right padding-top place-content place-items
		place-self right table-layout tab-size text-align text-align-last text-decoration
		text-decoration-color text-decoration-line text-decoration-skip-ink text-decoration-style
		text-indent text-justify text-orientation text-overflow text-rendering
		text-size-adjust -webkit-text-size-adjust text-transform text-underline-offset text-underline-position
		text-wrap text-wrap-mode text-wrap-style top transform-box
		vertical-align visibility white-space white-space-collapse widows width word-break word-spacing word-wrap
		writing-mode -webkit-box-orient`,
	named: `font font-family font-feature-settings font-variation-settings list-style list-style-type quotes
		text-emphasis text-emphasis-color text-emphasis-style hyphenate-character`,
	tracks: `grid grid-template grid-template-areas grid-template-columns grid-template-rows grid-auto-columns
		grid-auto-rows grid-auto-flow`,
	lines:     `grid-area grid-column grid-column-end grid-column-start grid-row grid-row-end grid-row-start -webkit-line-clamp line-clamp`,
	columns:   `column-count columns column-width`,
	content:   `content`,
	bare:      `display transform rotate scale translate transform-origin text-decoration-thickness -webkit-text-stroke -webkit-text-stroke-width`,
	isolation: `unicode-bidi`,
	counters:  `counter-increment counter-reset counter-set`,
	shadows:   `box-shadow text-shadow`,
	dashes:    `stroke-dasharray`,
	stack:     `z-index`,
	positions: `position`,
	schemes:   `color-scheme`,
	cursors:   `cursor`,
})

func allow(groups map[*rule]string) map[string]*rule {
	m := map[string]*rule{}
	for r, names := range groups {
		for _, name := range strings.Fields(names) {
			m[name] = r
		}
	}
	return m
}

// functions are the allowed functions: they compute from their arguments alone.
var functions = words(`
	rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix
	calc min max clamp
	linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient
	repeating-conic-gradient -webkit-linear-gradient
	translate translatex translatey scale scalex scaley rotate skew skewx skewy matrix translate3d translatez
	inset circle ellipse polygon rect
	minmax repeat fit-content
	counter counters
	var`)

// arithmetic are the functions in which '+', '-', '*' and nested parentheses mean something.
var arithmetic = words("calc min max clamp")

// unitNames are the allowed units, after none and any other. Those of time belong to what moves;
// those of containers to queries.
var unitNames = strings.Fields(`none other % px em rem ex ch lh rlh cap ic vw vh vmin vmax vi vb svw svh lvw lvh dvw dvh
	pt pc cm mm in q fr deg rad grad turn dppx dpi`)

const noUnit, otherUnit = 0, 1

// unitOf returns the index of a unit.
func unitOf(name string) uint8 {
	for i := otherUnit + 1; i < len(unitNames); i++ {
		if strings.EqualFold(unitNames[i], name) {
			return uint8(i)
		}
	}
	return otherUnit
}

// foreignWords are colours of the reader's machine or of what the reader did before: they would
// show two readers two pictures.
var foreignWords = words(`
	accentcolor accentcolortext activetext activeborder activecaption appworkspace background buttonborder buttonface
	buttonhighlight buttonshadow buttontext canvas canvastext captiontext field fieldtext graytext highlight
	highlighttext inactiveborder inactivecaption inactivecaptiontext infobackground infotext linktext mark marktext
	menu menutext scrollbar selecteditem selecteditemtext threeddarkshadow threedface threedhighlight
	threedlightshadow threedshadow visitedtext window windowframe windowtext
	-webkit-link -webkit-activelink -webkit-focus-ring-color -moz-visitedhyperlinktext -moz-activehyperlinktext
	-moz-hyperlinktext`)
