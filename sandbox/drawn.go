package sandbox

import (
	"strings"

	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// drawn gathers the signs that scripts were the content of a report.
type drawn struct {
	scripts, canvas, pictures int
	library                   bool
	visible                   strings.Builder // the first words that a reader sees
}

// sources are parts of the addresses of libraries that draw.
var sources = []string{
	"plotly", "chart.js", "chart.min.js", "chart.umd", "echarts", "d3.", "/d3@", "vega", "highcharts", "bokeh", "mermaid", "apexcharts",
	"chartist", "cytoscape", "leaflet", "react-dom", "vue.", "vis-network", "amcharts", "gstatic.com/charts",
}

// calls are how a report's own script asks a library to draw.
var calls = []string{
	"new Chart(", "Plotly.newPlot", "Plotly.react", "echarts.init", "vegaEmbed(", "Highcharts.chart", "Bokeh.embed", "mermaid.initialize",
	"new ApexCharts(", "d3.select(", "ReactDOM.", "createRoot(", "google.charts.load", "getContext(",
}

func (d *drawn) marker(s string, signs []string) {
	for _, sign := range signs {
		if strings.Contains(s, sign) {
			d.library = true
			return
		}
	}
}

// seen gathers text that a reader sees.
func (d *drawn) seen(s string) {
	if d.visible.Len() < 256<<10 {
		d.visible.WriteString(s)
		d.visible.WriteByte(' ')
	}
}

// notice says that the report draws itself, or is empty.
func (d *drawn) notice() string {
	few := len(strings.Join(strings.Fields(d.visible.String()), "")) < 60 && d.pictures == 0
	if d.scripts == 0 || !few && d.canvas == 0 && !d.library {
		return ""
	}
	what := "Parts of this report are drawn by scripts, which don't run here, so those parts are missing."
	if few {
		what = "This report is drawn by scripts, which don't run here, so almost nothing is visible."
	}
	return what + " Ask the agent to attach a static version: tables as HTML tables, charts as inline SVG or PNG images, all text in the file itself."
}

// sends are the ways of a script to reach the network. Only where an address follows one of them is
// it counted: libraries carry many addresses that they never load.
var sends = []struct{ sign, name string }{
	{"fetch(", "fetch"}, {"sendBeacon(", "sendBeacon"}, {"WebSocket(", "WebSocket"}, {"EventSource(", "EventSource"}, {"import(", "import"},
	{"importScripts(", "importScripts"}, {".open(", "XMLHttpRequest"}, {".src", "src"}, {"location", "location"}, {".href", "href"},
	{"import ", "import"}, {"Worker(", "Worker"},
}

// script tallies what a script would have fetched, as far as its text says so plainly.
func (c *cleaner) script(text string) {
	c.drawn.marker(text, calls)
	for _, s := range sends {
		rest := text
		for range 200 {
			i := strings.Index(rest, s.sign)
			if i < 0 {
				break
			}
			rest = rest[i+len(s.sign):]
			if address := quotedAddress(rest[:min(len(rest), 300)]); address != "" {
				c.p.tally.load(report.Loads, s.name, address)
			}
		}
	}
}

// quotedAddress returns the first string of a statement when it is an address with a host.
func quotedAddress(s string) string {
	s = until(s, ";\n")
	for _, quote := range []string{"'", `"`, "`"} {
		for part := s; ; {
			_, after, found := strings.Cut(part, quote)
			if !found {
				break
			}
			address, rest, _ := strings.Cut(after, quote)
			if len(address) > 4 && strings.Contains(address, "//") && style.Host(address) != "" {
				return address
			}
			part = rest
		}
	}
	return ""
}
