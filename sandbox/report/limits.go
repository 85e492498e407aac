package report

// Limits bound what one attachment may cost. They are part of the result: equal limits give equal
// bytes everywhere. Sizes are bytes.
type Limits struct {
	Input      int `json:"input"`      // any attachment that is shown at all
	HTML       int `json:"html"`       // html that is rendered
	Markdown   int `json:"markdown"`   // markdown that is rendered
	SVG        int `json:"svg"`        // an svg image, or one svg inside a report
	Output     int `json:"output"`     // a document
	Depth      int `json:"depth"`      // nested elements
	Elements   int `json:"elements"`   // elements of a document
	JSONDepth  int `json:"jsonDepth"`  // nested values of the pretty view
	JSONGrowth int `json:"jsonGrowth"` // the pretty view, as a multiple of the input
	Uses       int `json:"uses"`       // elements that <use> expands to in an svg
	Side       int `json:"side"`       // pixels a side of a raster image
	Pixels     int `json:"pixels"`     // pixels of a raster image
	Styles     int `json:"styles"`     // style sheets and style attributes together
	Diff       int `json:"diff"`       // each side of a comparison as text
}

// Hosted returns the limits of the server and the terminal.
func Hosted() Limits {
	return Limits{
		Input: 10 << 20, HTML: 10 << 20, Markdown: 1 << 20, SVG: 1 << 20, Output: 16 << 20,
		Depth: 512, Elements: 200_000, JSONDepth: 64, JSONGrowth: 4, Uses: 1000,
		Side: 16_384, Pixels: 40_000_000, Styles: 1 << 20, Diff: 2 << 20,
	}
}

// Offline returns the limits of the browser, where a render has ten seconds and one worker's memory.
func Offline() Limits {
	l := Hosted()
	l.HTML = 2 << 20
	return l
}
