package style

import "testing"

// TestBounded holds what only hides to be taken out and counted, and what reports need to stay.
func TestBounded(t *testing.T) {
	for _, css := range []string{
		"unicode-bidi:bidi-override", "unicode-bidi:isolate-override", "font-size-adjust:0", "display:table-column", "display:table-column-group", "order:2",
		"flex-direction:row-reverse", "flex-flow:column-reverse wrap", "flex-wrap:wrap-reverse", "clip-path:inset(50%)", "transform:scale(.001)", "transform:scale(0)",
		"transform:scaleX(0)", "transform:matrix(0,0,0,0,0,0)", "transform:skewX(90deg)", "transform:translateX(-9999px)", "translate:-9999px", "scale:.001",
		"transform:rotate(120deg)", "transform-origin:5000px 0", "text-decoration:line-through 3em #fff", "text-decoration-thickness:3em", "-webkit-text-stroke:20px #fff",
		"margin-top:-90px", "margin:0 -5em", "margin-left:-50%", "padding-top:9000px", "margin-top:9000px", "text-indent:5000px", "top:50000px", "left:4000px",
		"height:500em", "min-height:3000vh", "line-height:5000px", "border-top:5000px solid", "transform:var(--t)", "transform:scale(calc(0))", "display:var(--d)",
	} {
		if r := Inline(css, 1000); r.CSS != "" || len(r.Removed) != 1 {
			t.Errorf("%s is kept: %q, %v", css, r.CSS, r.Removed)
		}
	}
	for _, css := range []string{
		"unicode-bidi:isolate", "display:table-cell", "flex-direction:column", "transform:rotate(-45deg)", "transform:translate(-50%,-50%)", "transform:rotate(180deg)",
		"transform:translateY(2px) scale(1.05)", "rotate:90deg", "text-decoration:underline 2px", "margin:0 -15px", "margin-left:-1px", "margin:calc(-1*var(--g))",
		"padding:2rem", "height:400px", "min-height:100vh", "border:1px solid #ccc", "top:50%", "line-height:1.5", "text-indent:-9999px", "grid-template-rows:1fr auto",
	} {
		if r := Inline(css, 1000); r.CSS == "" || len(r.Removed) != 0 {
			t.Errorf("%s is not kept: %v", css, r.Removed)
		}
	}
}
