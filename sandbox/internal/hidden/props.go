package hidden

import "strings"

// prop is a property that bears on what is seen.
type prop uint8

const (
	display prop = iota
	visibility
	opacity
	fontSize
	lineHeight
	letterSpacing
	ink
	fill
	svgFill
	ground
	groundImage
	groundPart // what makes a background stand on a part of its box only
	clipText
	position
	left
	right
	top
	bottom
	zIndex
	textIndent
	marginLeft
	marginRight
	marginTop
	marginBottom
	paddingTop
	paddingBottom
	paddingSide
	clip
	overflow
	height
	width
	maxHeight
	maxWidth
	minHeight
	boxSizing
	translate
	verticalAlign
	shadow
	stroke
	outline
	floats
	flex
	gridColumns
	gridRows
	direction
	whiteSpace
	lineClamp
	content
	markers
	quotes
	border
	radius
	boxShadow
	gridArea
	gridRow
	gridColumn
	props
	custom prop = 255 // a custom property
)

var propNames = map[string]prop{
	"display": display, "visibility": visibility, "opacity": opacity, "fill-opacity": opacity, "font-size": fontSize, "line-height": lineHeight,
	"letter-spacing": letterSpacing, "color": ink, "-webkit-text-fill-color": fill, "fill": svgFill, "background-color": ground,
	"background-image": groundImage, "background-size": groundPart, "background-repeat": groundPart, "background-position": groundPart,
	"background-position-x": groundPart, "background-position-y": groundPart, "background-origin": groundPart,
	"position": position, "left": left, "right": right, "top": top, "bottom": bottom,
	"inset-inline-start": left, "inset-inline-end": right, "inset-block-start": top, "inset-block-end": bottom, "z-index": zIndex,
	"text-indent": textIndent, "margin-left": marginLeft, "margin-right": marginRight, "margin-top": marginTop, "margin-bottom": marginBottom,
	"margin-inline-start": marginLeft, "margin-inline-end": marginRight, "margin-block-start": marginTop, "margin-block-end": marginBottom,
	"padding-top": paddingTop, "padding-bottom": paddingBottom, "padding-block-start": paddingTop, "padding-block-end": paddingBottom,
	"padding-left": paddingSide, "padding-right": paddingSide, "padding-inline-start": paddingSide, "padding-inline-end": paddingSide,
	"clip": clip, "overflow": overflow, "overflow-x": overflow, "overflow-y": overflow,
	"height": height, "block-size": height, "width": width, "inline-size": width, "max-height": maxHeight, "max-block-size": maxHeight,
	"max-width": maxWidth, "max-inline-size": maxWidth, "min-height": minHeight, "min-block-size": minHeight, "box-sizing": boxSizing,
	"translate": translate, "transform": translate, "vertical-align": verticalAlign, "text-shadow": shadow, "-webkit-text-stroke": stroke,
	"-webkit-text-stroke-width": stroke, "outline": outline, "outline-width": outline, "float": floats, "flex-basis": flex,
	"grid-template-columns": gridColumns, "grid-auto-columns": gridColumns, "grid-template-rows": gridRows, "grid-auto-rows": gridRows,
	"direction": direction, "white-space": whiteSpace, "text-wrap": whiteSpace, "text-wrap-mode": whiteSpace, "-webkit-line-clamp": lineClamp,
	"line-clamp": lineClamp, "content": content, "list-style-type": markers, "list-style": markers, "quotes": quotes,
	"box-shadow": boxShadow, "grid-area": gridArea, "grid-row": gridRow, "grid-row-start": gridRow, "grid-column": gridColumn,
	"grid-column-start": gridColumn, "border": border, "border-top": border, "border-bottom": border, "border-width": border,
	"border-radius": radius, "border-top-left-radius": radius, "border-start-start-radius": radius,
}

// unknown is a value that nothing is concluded from.
const unknown = "?"

// expand adds a declaration, a shorthand as what it sets.
func expand(list []decl, name, value string, important bool) []decl {
	add := func(p prop, v string) { list = append(list, decl{p, "", v, important}) }
	sides := func(ps [4]prop) { // top, right, bottom, left
		parts := split(value, ' ')
		if n := len(parts); n > 0 && n < 5 {
			for i, from := range [4][4]int{{0, 0, 0, 0}, {0, 1, 0, 1}, {0, 1, 2, 1}, {0, 1, 2, 3}}[n-1] {
				if ps[i] != props {
					add(ps[i], parts[from])
				}
			}
		}
	}
	if p := propNames[name]; p != content && p != markers && p != quotes {
		value = strings.ToLower(value)
	}
	switch name {
	case "font":
		size := false
		for _, w := range split(value, ' ') {
			w, line, lined := strings.Cut(w, "/")
			if !size && (isSize(w)) {
				size = true
				add(fontSize, w)
				add(lineHeight, "normal")
				if lined {
					add(lineHeight, line)
				}
			}
		}
	case "background":
		backgroundOf(value, add)
	case "-webkit-background-clip", "background-clip":
		if value == "text" {
			add(clipText, value)
		} else {
			add(groundPart, value)
		}
	case "margin":
		sides([4]prop{marginTop, marginRight, marginBottom, marginLeft})
	case "padding":
		sides([4]prop{paddingTop, paddingSide, paddingBottom, props})
	case "inset":
		sides([4]prop{top, right, bottom, left})
	case "margin-block", "margin-inline", "padding-block", "inset-inline", "inset-block":
		parts := split(value, ' ')
		ps := map[string][2]prop{"margin-block": {marginTop, marginBottom}, "margin-inline": {marginLeft, marginRight},
			"padding-block": {paddingTop, paddingBottom}, "inset-inline": {left, right}, "inset-block": {top, bottom}}[name]
		add(ps[0], parts[0])
		add(ps[1], parts[len(parts)-1])
	case "flex":
		for i, w := range split(value, ' ') {
			if i == 2 || strings.HasSuffix(w, "px") || strings.HasSuffix(w, "%") {
				add(flex, w)
			}
		}
	case "grid", "grid-template":
		rows, columns, found := strings.Cut(value, "/")
		add(gridRows, rows)
		if found {
			add(gridColumns, columns)
		}
	default:
		if p, ok := propNames[name]; ok {
			add(p, value)
		}
	}
	return list
}

func isSize(w string) bool {
	_, named := sizes[w]
	if named || w == "smaller" || w == "larger" || strings.HasPrefix(w, "calc(") || strings.HasPrefix(w, "clamp(") || strings.HasPrefix(w, "min(") || strings.HasPrefix(w, "max(") || strings.HasPrefix(w, "var(") {
		return true
	}
	if w == "" || w[0] != '.' && (w[0] < '0' || w[0] > '9') {
		return false
	}
	last := w[len(w)-1]
	return w == "0" || last < '0' || last > '9' // a number alone is a weight
}

// backgroundOf takes a background apart: its colour, its pictures, and whether it fills its box.
func backgroundOf(value string, add func(prop, string)) {
	add(groundImage, "none")
	add(groundPart, "")
	add(ground, "transparent")
	for _, layer := range split(value, ',') {
		for _, part := range split(strings.TrimSpace(layer), ' ') {
			switch {
			case part == "":
			case part == "text":
				add(clipText, "text")
			case strings.Contains(part, "gradient("):
				add(groundImage, layersOf(value))
			case part == "/" || strings.Contains(part, "repeat") || strings.Contains(part, "/") || strings.HasSuffix(part, "-box"):
				add(groundPart, "part")
			case part == "none" || part == "initial" || part == "unset" || part == "scroll" || part == "fixed" || part == "local" ||
				part == "center" || part == "left" || part == "right" || part == "top" || part == "bottom" || part == "cover" || part == "contain":
			case part[0] == '-' || part[0] == '.' || part[0] >= '0' && part[0] <= '9' || strings.HasPrefix(part, "calc("):
			default:
				add(ground, part)
			}
		}
	}
}

// layersOf are the gradients of a background, separated by commas.
func layersOf(value string) string {
	var list []string
	for _, layer := range split(value, ',') {
		for _, part := range split(strings.TrimSpace(layer), ' ') {
			if strings.Contains(part, "gradient(") {
				list = append(list, part)
			}
		}
	}
	return strings.Join(list, ",")
}
