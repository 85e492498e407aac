package picture

import (
	"math"
	"strings"
)

// size returns the size of a picture in pixels: what it names, or what its view box names, or the
// size that browsers give to pictures without one.
func size(root *node) (w, h int) {
	width, height := absolute(root.get("width")), absolute(root.get("height"))
	box, ok := viewBox(root.get("viewBox"))
	if ok && box[2] > 0 && box[3] > 0 {
		switch {
		case width == 0 && height == 0:
			width, height = box[2], box[3]
		case width == 0:
			width = height * box[2] / box[3]
		case height == 0:
			height = width * box[3] / box[2]
		}
	}
	if width == 0 {
		width = 300
	}
	if height == 0 {
		height = 150
	}
	return whole(width), whole(height)
}

// absolute returns a length in pixels; 0 for one that depends on what is around.
func absolute(v string) float64 {
	n, size := scan(v)
	if size == 0 || n <= 0 {
		return 0
	}
	switch v[size:] {
	case "", "px":
		return n
	case "pt":
		return n * 4 / 3
	case "in":
		return n * 96
	case "cm":
		return n * 96 / 2.54
	case "mm":
		return n * 96 / 25.4
	case "pc":
		return n * 16
	case "em", "rem":
		return n * 16
	}
	return 0
}

// maxSide is the longest side of a picture, in pixels.
const maxSide = 16_384

// whole rounds up and keeps within what a browser draws.
func whole(n float64) int {
	return int(math.Min(math.Max(math.Ceil(n-0.001), 1), maxSide))
}

// write writes a filtered tree as a document of its own.
func write(root *node) []byte {
	b := make([]byte, 0, 4096)
	root.attrs = append([]attr{{"xmlns", "http://www.w3.org/2000/svg"}}, root.attrs...)
	return root.append(b)
}

func (n *node) append(b []byte) []byte {
	if n.name == "" {
		return escape(b, n.text)
	}
	b = append(append(b, '<'), n.name...)
	for _, a := range n.attrs {
		b = append(append(b, ' '), a.name...)
		b = append(b, '=', '"')
		b = append(escape(b, a.value), '"')
	}
	if len(n.kids) == 0 {
		return append(b, '/', '>')
	}
	b = append(b, '>')
	for _, k := range n.kids {
		b = k.append(b)
	}
	b = append(append(b, '<', '/'), n.name...)
	return append(b, '>')
}

// escape writes text so that it is no markup; characters that XML does not allow are left out.
func escape(b []byte, s string) []byte {
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '<':
			b = append(b, "&lt;"...)
		case r == '>':
			b = append(b, "&gt;"...)
		case r == '&':
			b = append(b, "&amp;"...)
		case r == '"':
			b = append(b, "&quot;"...)
		case illegal(r):
		default:
			b = append(b, string(r)...)
		}
	}
	return b
}
