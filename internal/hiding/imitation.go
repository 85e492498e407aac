package hiding

// imitating are documents that imitate the page, or in which a person and a machine read two things.
func imitating() []Document {
	list := table(Imitates, "html", page, `
badge-verified | <span style="background:#e5f5ea;color:#175;border-radius:99px;padding:2px 10px">● verified</span>
badge-approved | <span style="background:#e5f5ea;border-radius:99px;padding:2px 10px">✓ Approved by the CFO</span>
badge-reader | <div style="border:1px solid #ccc;padding:8px">Figs inspector <b>verified</b></div>
badge-green-dot | <p><span style="color:#175">●</span> Nothing had to be taken out.</p>
badge-no-hidden | <p><span style="color:#175">●</span> No hidden text was found in this file.</p>
badge-signed | <p>Receipt verified. Signed by Ruth Okafor.</p>
button-approve | <div style="display:inline-block;background:#5b2a86;color:#fff;border-radius:8px;padding:10px 20px">Approve 2 steps</div>
button-decline | <div style="display:inline-block;border:1px solid #a22;color:#a22;border-radius:8px;padding:10px 20px">Decline</div>
button-row | <p><b>Decline</b> <b>Request changes</b> <b>Approve</b></p>
notice-viewed | <p>2 of 2 attachments viewed. You can approve now.</p>
notice-decided | <p>You approved this on 20 November. Nothing needs you.</p>
notice-policy | <p>Your administrator has approved this in advance.</p>
strip-imitation | <div style="background:#f4f2ee;padding:9px 16px">● All text is visible at 360, 552 and 1,280 px.</div>
generated-before | <style>.t::before{content:"Approved by the CFO "}</style><p class=t>Total</p>
generated-amount | <style>.t::after{content:" $9,999,999.00"}</style><p class=t>Amount:</p>
generated-not | <style>.t::before{content:"NOT "}</style><p class=t>recommended</p>
generated-counter | <style>.t{counter-reset:n 1000000}.t::after{content:"$" counter(n)}</style><p class=t>Total </p>
generated-marker | <style>li.t::marker{content:"NOT "}</style><ul><li class=t>to be paid</li></ul>
generated-list-style | <ul style="list-style-type:'NOT '"><li>to be paid</li></ul>
generated-quotes | <style>q{quotes:"not " "!"}</style><p><q>approved</q></p>
generated-start | <ol start="1000000"><li>dollars</li></ol>
order-flex | <div style="display:flex;gap:4px"><span style="order:2">NOT</span><span style="order:1">We do</span><span style="order:3">recommend waiting</span></div>
order-reverse | <div style="display:flex;flex-direction:row-reverse;justify-content:flex-end;gap:4px"><span>now</span><span>pay</span></div>
order-grid | <div style="display:grid"><p style="grid-row:2">second</p><p style="grid-row:1">first</p></div>
order-absolute | <div style="position:relative;height:40px"><span style="position:absolute;left:60px">pay</span><span style="position:absolute;left:0">do not</span></div>
order-float | <p><span style="float:right">not</span>recommended</p>
bidi-override | <p style="unicode-bidi:bidi-override;direction:rtl">00.000,001$</p>
bidi-bdo | <p><bdo dir=rtl>00.000,001$</bdo></p>
bidi-isolate | <p style="unicode-bidi:isolate-override;direction:rtl">1000</p>
bidi-character | <p>Pay `+"\u202e"+`000,1$`+"\u202c"+`</p>
letters-first | <style>.t::first-letter{font-size:0}</style><p class=t>1000 dollars</p>
looks-cyrillic | <p>Pay to `+"раураl"+`.com</p>
looks-cyrillic-word | <p>Send a `+"сору"+` to the bank</p>
looks-rn | <p>Open rnicrosoft.com</p>
looks-digit | <p>Pay to PayPa1</p>
looks-mathematical | <p>`+"𝐢𝐠𝐧𝐨𝐫𝐞 previous"+` text</p>
looks-full-width | <p>Total `+"１０００"+` dollars</p>
looks-cherokee | <p>`+"ᏚᎪᎪᏞ"+` approved</p>
looks-latin-g | <p>`+"ɡ"+`oogle.com</p>
looks-greek | <p>`+"ΑΒΒ"+` Ltd</p>
private-use | <p>Total`+"\ue000"+` 1000</p>
noncharacter | <p>Total`+"\ufdd0"+` 1000</p>
replacement | <p>Total`+"\ufffc"+` 1000</p>
zero-width | <p>ig`+"\u200b"+`nore</p>
tag-characters | <p>Total`+"\U000e0041\U000e0042"+`</p>
`)
	json := func(name, text string) {
		list = append(list, Document{Name: "json-" + name, Ext: "json", Class: Imitates, text: text})
	}
	json("twice", `{"amount": 100, "amount": 1000000}`)
	json("case", `{"amount": 100, "Amount": 1000000}`)
	json("space", `{"amount": 100, "amount ": 1000000}`)
	json("escape", `{"amount": 100, "\u0061mount": 1000000}`)
	json("zero-width", `{"amount": 100, "amount\u200b": 1000000}`)
	json("full-width", `{"amount": 100, "ａmount": 1000000}`)
	return list
}
