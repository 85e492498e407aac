package sandbox

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv/effort"
	"github.com/figs-web/figs-web/sandbox/report"
)

// work is the most units of work that a bomb may take. The costliest takes 25 to 60, depending on what else the machine
// does; one whose cost grew with the square of its length would take thousands.
const work = 150

// TestBombs holds the largest files that are shown, each made to cost as much as it can, to a limit of work, and the process to
// 768 MiB: one of them at a time takes 380 to 460.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	for name, build := range bombs {
		content := build()
		content = content[:min(len(content), report.Hosted().HTML)]
		ext := ".html"
		if strings.HasPrefix(name, "txt_") {
			ext = ".txt"
		}
		var r *report.Result
		runtime.GC() // so that memory below is what one file takes
		effort.Within(t, work, name, func() {
			r = Render("a"+ext, []byte(content), report.Rendered, report.Hosted())
		})
		if len(r.Document) == 0 || len(r.Document) > r.Limits.Output {
			t.Errorf("%s: a document of %d bytes", name, len(r.Document))
		}
		if r.View != report.Rendered && len(r.Notices) == 0 {
			t.Errorf("%s: no notice", name)
		}
	}
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.Sys > 768<<20 {
		t.Errorf("%d MB of memory", m.Sys>>20)
	}
}

// copies repeats a piece of markup with the number of each copy in it.
func copies(n int, before, after string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(before + strconv.Itoa(i) + after)
	}
	return b.String()
}

var bombs = map[string]func() string{
	"one_line":      func() string { return strings.Repeat("x", 10<<20) },
	"txt_one_line":  func() string { return strings.Repeat("x", 10<<20) },
	"txt_lines":     func() string { return strings.Repeat("\n", 10<<20) },
	"txt_marks":     func() string { return strings.Repeat("a\u202e", 10<<18) },
	"ampersands":    func() string { return strings.Repeat("&", 10<<20) },
	"less_than":     func() string { return strings.Repeat("<", 10<<20) },
	"deep":          func() string { return strings.Repeat("<div>", 1<<21) },
	"many":          func() string { return strings.Repeat("<p>x</p>", 199_900) },
	"left_open":     func() string { return copies(450, "<font size=", ">") + strings.Repeat("<p>x", 190_000) },
	"crossed":       func() string { return strings.Repeat("<b><p></b>", 66_000) },
	"attributes":    func() string { return "<b " + copies(1_000_000, "a", " ") + ">x" },
	"one_attribute": func() string { return `<p class="` + strings.Repeat("a ", 5<<20) + `">x` },
	"bodies":        func() string { return copies(200_000, "<body a", "=1>") },
	"styles":        func() string { return copies(190_000, `<p style="margin:`, `px;padding:2px">x</p>`) },
	"sheet":         func() string { return "<style>" + strings.Repeat(".a{color:red}", 800_000) + "</style>x" },
	"links":         func() string { return copies(190_000, `<a href="https://h`, `.example/">x</a>`) },
	"pictures":      func() string { return strings.Repeat(`<img src="https://x.example/a.png">`, 199_000) },
	"drawings":      func() string { return strings.Repeat(`<svg><path d="M0 0"/></svg>`, 90_000) },
	"tables":        func() string { return strings.Repeat("<table>", 480) + strings.Repeat("<tr><td>x", 60_000) },
	"data":          func() string { return `<img src="data:image/png;base64,` + strings.Repeat("A", 9<<20) + `">` },
	"comments":      func() string { return strings.Repeat("<!--x-->", 400_000) },
}
