package picture

import "strings"

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// Elements that are drawn or that hold what is drawn.
var (
	allow = words(`svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath
		linearGradient radialGradient stop clipPath style image marker pattern filter
		feGaussianBlur feOffset feMerge feMergeNode feFlood feDropShadow feColorMatrix feComposite feBlend
		feComponentTransfer feFuncR feFuncG feFuncB feFuncA`)
	primitives = words(`feGaussianBlur feOffset feMerge feMergeNode feFlood feDropShadow feColorMatrix feComposite feBlend
		feComponentTransfer feFuncR feFuncG feFuncB feFuncA`)
	// silent are left out without being counted: they change nothing that is seen.
	silent = words("metadata sodipodi:namedview inkscape:grid rdf:RDF inkscape:path-effect")
)

// refusedElements tells why an element is not allowed. Whatever is named neither here nor in allow
// is not allowed either.
var refusedElements = map[string]string{
	"script":             "runs",
	"foreignObject":      "holds html; its text is drawn as svg text instead",
	"animate":            "shows another picture a moment later",
	"animateMotion":      "shows another picture a moment later",
	"animateTransform":   "shows another picture a moment later",
	"animateColor":       "shows another picture a moment later",
	"set":                "shows another picture a moment later",
	"discard":            "shows another picture a moment later",
	"mpath":              "only of use for movement",
	"a":                  "leads out of the picture; written as a group, its address is listed",
	"switch":             "asks for the reader's language and browser; its plainest choice is drawn",
	"mask":               "hides parts in more ways than can be checked, and is slow when nested",
	"view":               "shows another part after a click",
	"cursor":             "loads",
	"font":               "can show one letter as another",
	"font-face":          "loads",
	"glyph":              "can show one letter as another",
	"tref":               "shows the text of another element; no browser draws it",
	"hatch":              "no browser draws it",
	"mesh":               "no browser draws it",
	"solidcolor":         "no browser draws it",
	"iframe":             "loads",
	"video":              "loads and moves",
	"audio":              "loads",
	"canvas":             "is empty without a script",
	"color-profile":      "loads",
	"feTurbulence":       "computes noise for every pixel, which can take minutes",
	"feConvolveMatrix":   "computes many products for every pixel",
	"feMorphology":       "costs with its radius for every pixel",
	"feDisplacementMap":  "moves pixels so that text reads as another text",
	"feDiffuseLighting":  "computes light for every pixel",
	"feSpecularLighting": "computes light for every pixel",
	"feImage":            "loads",
	"feTile":             "repeats; a pattern does that within bounds",
	"handler":            "runs",
	"listener":           "runs",
	"missing-glyph":      "only of use with a font",
	"altGlyph":           "can show one letter as another",
	"fePointLight":       "only of use with light",
	"feSpotLight":        "only of use with light",
	"feDistantLight":     "only of use with light",
}

// check is how the value of an attribute is judged.
type check uint8

const (
	asNumbers  check = iota + 1 // numbers with units
	asThick                     // numbers of at most 1000, with units
	asBlur                      // numbers of at most 10
	asDashes                    // numbers of at least 0.5, or 0; 1.5 together
	asMove                      // transform functions
	asPath                      // path data or points
	asPaint                     // a colour, or url(#name)
	asLink                      // url(#name), none
	asWord                      // one plain word
	asCSS                       // a value that package style judges under the same name
	asText                      // any text that is only compared, as names of filter results
	asReal                      // numbers without a bound on their smallness, as colour matrices
	asClass                     // names, each gets the prefix
	asID                        // one name, gets the prefix
	asHref                      // judged by the element
	asStyle                     // declarations
	asPreserve                  // xml:space
	asViewBox                   // four numbers
	asAspect                    // preserveAspectRatio
)

// attributes are the allowed attributes and how each is judged.
var attributes = judged(map[check]string{
	asNumbers: `x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy width height offset stroke-dashoffset
		stroke-miterlimit opacity fill-opacity stroke-opacity stop-opacity flood-opacity letter-spacing word-spacing
		textLength startOffset refX refY markerWidth markerHeight rotate pathLength baseline-shift font-size-adjust`,
	asThick:  `font-size stroke-width`,
	asBlur:   `stdDeviation`,
	asDashes: `stroke-dasharray`,
	asMove:   `transform gradientTransform patternTransform`,
	asPath:   `d points`,
	asPaint:  `fill stroke color stop-color flood-color`,
	asLink:   `clip-path marker-start marker-end filter`,
	asWord: `fill-rule clip-rule stroke-linecap stroke-linejoin text-anchor dominant-baseline alignment-baseline
		font-style font-weight font-variant font-stretch text-decoration visibility display overflow shape-rendering text-rendering
		image-rendering vector-effect gradientUnits spreadMethod clipPathUnits patternUnits patternContentUnits
		filterUnits primitiveUnits markerUnits orient lengthAdjust method spacing writing-mode direction unicode-bidi
		color-interpolation color-interpolation-filters operator mode paint-order`,
	asCSS:      `font-family font`,
	asText:     `in in2 result`,
	asReal:     `k1 k2 k3 k4 values tableValues slope intercept exponent amplitude`,
	asClass:    `class`,
	asID:       `id`,
	asHref:     `href`,
	asStyle:    `style`,
	asPreserve: `xml:space`,
	asViewBox:  `viewBox`,
	asAspect:   `preserveAspectRatio`,
})

func judged(groups map[check]string) map[string]check {
	m := map[string]check{}
	for c, names := range groups {
		for _, name := range strings.Fields(names) {
			m[name] = c
		}
	}
	return m
}

// refusedAttributes tells why an attribute that is seen in pictures is not allowed.
var refusedAttributes = map[string]string{
	"mask":                      "see the element",
	"marker-mid":                "draws its marker at every point of a path, of which there may be a million",
	"marker":                    "holds marker-mid",
	"begin":                     "only of use for movement",
	"attributeName":             "only of use for movement",
	"requiredFeatures":          "asks for the reader's browser",
	"systemLanguage":            "asks for the reader's language",
	"cursor":                    "reacts to the reader",
	"pointer-events":            "reacts to the reader",
	"target":                    "leads out of the picture",
	"ping":                      "loads",
	"srcset":                    "loads",
	"xml:base":                  "turns every address round",
	"baseFrequency":             "see feTurbulence",
	"kernelMatrix":              "see feConvolveMatrix",
	"enable-background":         "no browser reads it",
	"filterRes":                 "no browser reads it",
	"externalResourcesRequired": "no browser reads it",
}

// quiet are left out without being counted: they change nothing that is seen.
func quiet(name string) bool {
	if i := strings.IndexByte(name, ':'); i > 0 {
		return name != "xml:base"
	}
	return name == "xmlns" || name == "version" || name == "baseProfile" || name == "role" || name == "focusable" || name == "type" ||
		name == "tabindex" || name == "enable-background" || strings.HasPrefix(name, "data-") || strings.HasPrefix(name, "aria-") || name == "lang"
}
