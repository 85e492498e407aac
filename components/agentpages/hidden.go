package agentpages

import (
	"bytes"
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/askpages"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/sandbox/report"
)

// lensFiles is how many attachments one page of the lens looks through.
const lensFiles = 200

// RenderHiddenText is what a page of the lens shows of what was found, for a page whose script looked.
func RenderHiddenText(ctx context.Context, site ui.Site, agent string, l *viewer.HiddenTextReport) ([]byte, error) {
	var b bytes.Buffer
	err := lensFound(site, agent, l).Render(ctx, &b)
	return b.Bytes(), err
}

// RenderHiddenTextNotice is what an ask says of its attachments that hide text; empty when none does. path is the ask's page.
func RenderHiddenTextNotice(ctx context.Context, site ui.Site, path string, l *viewer.HiddenTextReport) ([]byte, error) {
	var b bytes.Buffer
	err := askpages.HiddenTextWarning(site, path, l).Render(ctx, &b)
	return b.Bytes(), err
}

// HiddenText is the page of what a model reads and a person does not see.
func HiddenText(r *recordviews.Request) (ui.View, error) {
	q := r.Query
	if q.N == 0 {
		q.N = lensFiles
	}
	files, err := r.J.Files(r.Ctx, r.Agent.Key, q)
	if err != nil {
		return ui.View{}, err
	}
	var l *viewer.HiddenTextReport
	if ui.Served && r.Site.Attached != nil {
		if l, err = lensed(r, files); err != nil {
			return ui.View{}, err
		}
	}
	return r.OK(i18n.Say(r.Ctx, "Hidden text"), HiddenTextPage(r.Site, r.Agent, q, files, l)), nil
}

// lensed looks through the files of one page, and on the first one through the agent's own.
func lensed(r *recordviews.Request, files *journal.Page[journal.File]) (*viewer.HiddenTextReport, error) {
	l := &viewer.HiddenTextReport{}
	if r.Site.Records != nil && files.From == 0 && files.Prev == "" {
		own, err := r.Site.Records.Records(r.Ctx, r.Agent.Key)
		if err != nil {
			return nil, err
		}
		for _, x := range own {
			l.Readings = append(l.Readings, viewer.FileReading{Reading: x})
		}
	}
	askpages.HiddenTextView(r.Ctx, l, r.Site, r.Agent.Key, files.Items)
	return l, r.Ctx.Err()
}

// lensNews is the headline of the page, and the sentence below it.
func lensNews(ctx context.Context, l *viewer.HiddenTextReport) (news, lede string) {
	told, hidden, _ := viewer.GroupPassages(l)
	n := len(told) + len(hidden)
	if n == 0 {
		return i18n.Say(ctx, "No hidden text found."), i18n.Say(ctx, "As far as this check can tell, a model would read nothing in these files that you can't see on their pages.")
	}
	news = i18n.CountWords(ctx, n, "One passage of hidden text found.", "%s passages of hidden text found.")
	if len(told) > 0 {
		return news, i18n.CountWords(ctx, len(told), "One reads like an instruction to a model.", "%s read like instructions to a model.")
	}
	return news, i18n.Say(ctx, "None of them reads like an instruction to a model.")
}

// lensPlace leads to where a passage stands; "" where there is no page for it.
func lensPlace(site ui.Site, agent string, x viewer.HiddenPassage) templ.SafeURL {
	if x.In.Key != "" {
		return templ.SafeURL(site.Links.To("/" + agent + "/files/" + x.In.Key + "?view=" + string(report.HiddenTextView)))
	}
	return site.Place(agent, x.In.Reading.Name, x.Line)
}
