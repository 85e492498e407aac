package sandbox

import "github.com/figs-web/figs-web/sandbox/report"

// imageDocument shows one picture: as large as the frame, or, once its bar is opened, as large as it
// is. No script: the bar is a details element that the style sheet listens to.
func (p *page) imageDocument(src string) {
	const bar = `<details class="f-zoom"><summary><span>Natural size</span><span>Fit the frame</span></summary></details>`
	body := bar + `<div class="f-stage"><img alt="" src="` + src + `"></div>`
	if !p.own("f-own f-image", body, "") {
		p.result.Notices = append(p.result.Notices, report.Notice{Code: report.OutputTooLarge,
			Text: "This picture is larger than what is shown here (" + size(p.limits.Output) + " as part of a document). Download it."})
		p.sentence("This picture is too large to be shown. You can download it.")
	}
}
