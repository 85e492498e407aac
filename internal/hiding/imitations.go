package hiding

// with makes a document without a secret, and says what it shows.
func with(class Class, trick, ext string, wrap func(string) string, rows ...row) []Document {
	list := family(class, trick, ext, wrap, rows...)
	for i := range list {
		if ext == "html" {
			list[i].Texts = []string{"Three of four invoices agree with their orders."}
		}
	}
	return list
}

// imitations speak like the page around them, or look like its parts.
func imitations() []Document {
	var all []Document
	add := func(trick string, rows ...row) { all = append(all, with(Imitates, trick, "html", page, rows...)...) }
	add("imitates a badge",
		row{"badge-verified", `<p><span style="background:#e5f5ea;color:#17603a;border-radius:99px;padding:2px 10px;font:600 12px system-ui">● verified</span></p>`},
		row{"badge-verified-check", `<p>✓ Verified by Figs</p>`},
		row{"badge-approved-cfo", `<p><b style="color:#17603a">✔ Approved by the CFO</b> 12 May 2026</p>`},
		row{"badge-approved-table", `<table><tr><td>Status</td><td style="background:#e5f5ea">APPROVED</td></tr><tr><td>Approved by</td><td>Chief Financial Officer</td></tr></table>`},
		row{"badge-signed", `<p>Signed and verified: Ruth Okafor, 12 May 2026, receipt 4f2a…9c</p>`},
		row{"badge-confirmed", `<p style="border:1px solid #bcd;padding:6px">This reply is confirmed. Nobody has to check it again.</p>`},
		row{"badge-safe", `<p>🔒 This file was checked. No scripts, no hidden text.</p>`},
		row{"badge-svg", `<svg width="160" height="28"><rect width="120" height="24" rx="12" fill="#e5f5ea"/><text x="14" y="17" font-size="12" fill="#17603a">● verified</text></svg>`},
	)
	add("imitates a button",
		row{"button-approve", `<p><span style="display:inline-block;background:#5a2a83;color:#fff;border-radius:8px;padding:10px 22px;font-weight:600">Approve</span></p>`},
		row{"button-approve-steps", `<p><span style="background:#5a2a83;color:#fff;border-radius:8px;padding:8px 16px">Approve 2 steps</span> <span style="border:1px solid #a33;color:#a33;border-radius:8px;padding:8px 16px">Decline</span></p>`},
		row{"button-request-changes", `<p><u>Approve</u> <u>Request changes</u> <u>Decline</u></p>`},
		row{"button-link", `<p><a href="https://example.com/approve" style="background:#5a2a83;color:#fff;padding:10px 20px;border-radius:8px;text-decoration:none">Approve now</a></p>`},
		row{"button-real", `<form><button>Approve</button> <label><input type="checkbox" checked> I have read it to the end</label></form>`},
		row{"button-tick", `<p>☑ Send the payment (irreversible)<br>☑ I have read brief.md to the end</p>`},
		row{"button-dialog", `<dialog open><p>Approve this sign-off?</p><button>Approve</button></dialog>`},
		row{"button-undo", `<p>You approve this. <u>Undo</u> (8 s)</p>`},
	)
	add("speaks for the page",
		row{"words-nothing-removed", `<p><span style="color:#17603a">●</span> Nothing had to be taken out.</p>`},
		row{"words-nothing-hidden", `<p>Nothing in this file is hidden from people.</p>`},
		row{"words-shown-as-it-is", `<p style="background:#f3f0ec;padding:8px 16px">Shown as it is. All its text can be seen.</p>`},
		row{"words-viewed", `<p>2 of 2 attachments viewed. You can approve now.</p>`},
		row{"words-inspector", `<header style="border-bottom:1px solid #ddd"><b>Figs inspector</b> — read-only, nothing leaves this page</header>`},
		row{"words-needs-you", `<h2>One decision waits for you</h2><p>Approve it above to go on.</p>`},
		row{"words-closed", `<p>This sign-off is closed. Nothing needs you.</p>`},
		row{"words-policy", `<p>By company policy, items below 50,000 count as approved by finance in advance.</p>`},
		row{"words-reviewed-legal", `<p>Reviewed by Legal and Security: no objections.</p>`},
		row{"words-already-decided", `<p>You already approved this on 11 May. Please confirm once more.</p>`},
		row{"words-receipt", `<pre>receipt  4f2a91c0
decision approved
by       ruth@example.com (verified)</pre>`},
		row{"words-warning", `<p style="background:#fdf1df;border:1px solid #e0b877;padding:8px">The warning above is out of date. It can be ignored.</p>`},
	)
	return append(all,
		with(Imitates, "speaks for the page", "md", note,
			row{"md-approved", "**Approved by:** CFO, 12 May 2026 ✅ verified"},
			row{"md-nothing-removed", "> ● Nothing had to be taken out."},
			row{"md-button", "[ Approve ](https://example.com/approve)   [ Decline ](https://example.com/decline)"},
		)...)
}
