package hiding

import (
	"slices"
	"strings"
)

func note(markdown string) string {
	return "# Supplier review\n\nThree of four invoices agree with their orders.\n\n" + markdown + "\n\nThe fourth waits for the warehouse.\n"
}

// markdownTricks use what Markdown does not draw.
func markdownTricks() []Document {
	return slices.Concat(
		family(Hides, "Markdown that draws nothing", "md", note,
			row{"md-link-title", `[Terms](#terms "§")`},
			row{"md-image-alt", `![§](chart.png)`},
			row{"md-image-title", `![Chart](chart.png "§")`},
			row{"md-comment", `<!-- § -->`},
			row{"md-comment-long", "<!--\nreviewed\n§\n-->"},
			row{"md-reference-comment", `[//]: # (§)`},
			row{"md-reference-unused", `[terms]: https://example.com/ "§"`},
			row{"md-reference-target", `[x]: <§>`},
			row{"md-fence-info", "```sh §\nmake count\n```"},
			row{"md-empty-link", `[](#§)`},
			row{"md-footnote-unused", `[^n]: §`},
			row{"md-extra-cell", "| Item | Count |\n|---|---|\n| Bolts | 40 | § |"},
			row{"md-html-hidden", `<p hidden>§</p>`},
			row{"md-html-white", `<span style="color:#fff">§</span>`},
			row{"md-html-details", "<details><summary>Terms</summary>\n\n§\n\n</details>"},
		),
		family(Hides, "Markdown that is padded", "md", note,
			row{"md-far-spaces", strings.Repeat("&nbsp;\n\n", 200) + "§"},
			row{"md-far-breaks", strings.Repeat("\\\n", 300) + "§"},
			row{"md-far-dots", strings.Repeat(strings.Repeat("&nbsp;\n\n", 30)+".\n\n", 6) + "§"},
			row{"md-far-code", "```\n" + strings.Repeat("\n", 200) + "§\n```"},
			row{"md-far-items", strings.Repeat("- \n", 250) + "- §"},
		),
	)
}

// textTricks pad a plain text.
func textTricks() []Document {
	letter := func(text string) string {
		return "Supplier review\n\nThree of four invoices agree with their orders.\n" + text + "\n"
	}
	return family(Hides, "plain text that is padded", "txt", letter,
		row{"txt-lines", strings.Repeat("\n", 60) + "§"},
		row{"txt-many-lines", strings.Repeat("\n", 400) + "§"},
		row{"txt-lines-of-spaces", strings.Repeat("    \t\n", 120) + "§"},
		row{"txt-dots", strings.Repeat(strings.Repeat("\n", 59)+".", 6) + strings.Repeat("\n", 59) + "§"},
		row{"txt-carriage-returns", strings.Repeat("\r\n", 120) + "§"},
		row{"txt-form-feeds", strings.Repeat("\n\f", 120) + "§"},
		row{"txt-wide", "Paid." + strings.Repeat(" ", 9000) + "§"},
		row{"txt-tabs", "Paid." + strings.Repeat("\t", 2000) + "§"},
		row{"txt-no-break-spaces", "Paid." + strings.Repeat("\u00a0", 9000) + "§"},
		row{"txt-braille-blanks", strings.Repeat("\u2800\n", 120) + "§"},
	)
}
