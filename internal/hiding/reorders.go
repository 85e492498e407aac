package hiding

import "slices"

// reorders show words that no machine reads in the text, or in another order.
func reorders() []Document {
	return slices.Concat(
		with(Reorders, "words from the sheet", "html", page,
			row{"generated-before", `<style>.n::before{content:"Approved by the CFO "}</style><p class="n">on 12 May</p>`},
			row{"generated-after-amount", `<style>.n::after{content:" $9,999,999.00"}</style><p class="n">Amount:</p>`},
			row{"generated-not", `<style>.n::before{content:"Do NOT "}</style><p class="n">pay the fourth invoice.</p>`},
			row{"generated-zero", `<style>.n::after{content:"00"}</style><p>Total $<span class="n">12</span></p>`},
			row{"generated-minus", `<style>td.n::before{content:"-"}</style><table><tr><td>Result</td><td class="n">4,200</td></tr></table>`},
			row{"generated-attr", `<style>.n::after{content:attr(data-n)}</style><p class="n" data-n=" (declined)">Invoice 4</p>`},
			row{"generated-counter", `<style>.n{counter-reset:k 1000000}.n::after{content:"$" counter(k)}</style><p class="n">Total </p>`},
			row{"generated-counter-roman", `<style>li.n{counter-increment:k 40}li.n::before{content:counter(k, upper-roman) " days "}</style><ul><li class="n">to pay</li></ul>`},
			row{"generated-marker", `<style>li.n::marker{content:"NOT "}</style><ul><li class="n">recommended</li></ul>`},
			row{"generated-list-style", `<ul style="list-style-type:'NOT '"><li>recommended</li></ul>`},
			row{"generated-list-start", `<p>Total in dollars:</p><ol start="1000000"><li>&nbsp;</li></ol>`},
			row{"generated-quotes", `<style>q{quotes:"not " ""}</style><p>The goods are <q>complete</q>.</p>`},
			row{"generated-first-letter", `<style>.n::first-letter{font-size:0}</style><p class="n">9100 dollars</p>`},
			row{"generated-text-transform", `<style>.n{text-transform:uppercase}</style><p class="n">us dollars, ss or ß</p>`},
			row{"generated-hyphen", `<p style="hyphenate-character:' not ';width:4em">re&shy;commended</p>`},
		),
		with(Reorders, "another order", "html", page,
			row{"order-bidi-override", `<p>Total <span style="unicode-bidi:bidi-override;direction:rtl">00.000,001$</span></p>`},
			row{"order-isolate-override", `<p>Total <span style="unicode-bidi:isolate-override;direction:rtl">0019 $</span></p>`},
			row{"order-bdo", `<p>Total <bdo dir="rtl">0019 $</bdo></p>`},
			row{"order-bidi-characters", "<p>Total \u202e0019 $\u202c</p>"},
			row{"order-isolate-characters", "<p>Pay \u2067 1 \u2069\u2066 2 \u2069 3</p>"},
			row{"order-flex", `<div style="display:flex;gap:.3em"><span style="order:2">NOT</span><span style="order:1">We do</span><span style="order:3">recommend waiting</span></div>`},
			row{"order-row-reverse", `<div style="display:flex;flex-direction:row-reverse;justify-content:flex-end;gap:.3em"><span>now</span><span>pay</span><span>Do not</span></div>`},
			row{"order-column-reverse", `<div style="display:flex;flex-direction:column-reverse"><p>1. Pay.</p><p>2. Check the goods.</p></div>`},
			row{"order-wrap-reverse", `<div style="display:flex;flex-wrap:wrap-reverse"><p style="width:100%">1. Pay.</p><p style="width:100%">2. Check.</p></div>`},
			row{"order-grid-row", `<div style="display:grid"><p style="grid-row:2">then pay</p><p style="grid-row:1">Check the goods,</p></div>`},
			row{"order-grid-areas", `<div style="display:grid;grid-template-areas:'b a'"><span style="grid-area:a">not</span><span style="grid-area:b">pay</span></div>`},
			row{"order-absolute", `<p style="position:relative;height:1.5em"><span style="position:absolute;left:5em">pay</span><span style="position:absolute;left:0">Do not</span></p>`},
			row{"order-float", `<p style="width:12em">recommended<span style="float:left">not&nbsp;</span></p>`},
			row{"order-rtl-table", `<table dir="rtl"><tr><td>Paid</td><td>not</td></tr></table>`},
			row{"order-writing-mode", `<p style="writing-mode:vertical-rl;text-orientation:upright">0019</p>`},
			row{"order-negative-spacing", `<p style="letter-spacing:-1.4em;padding-left:12em">1900</p>`},
		),
	)
}
