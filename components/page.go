package components

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agentpages"
	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/askpages"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/projectpages"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// usualPage is what most pages stay below, in bytes.
const usualPage = 96 << 10

// Render answers a path like "/1/jobs?state=fail" with the content of <main>. A record that
// does not exist is a page with status 404; err is a failure of the journal or of the
// writing, and html then is a page that says so kindly, with status 500.
func Render(ctx context.Context, site ui.Site, j journal.Journal, path string) (status int, title string, html []byte, err error) {
	v, err := route(ctx, site, j, path)
	return show(ctx, site, v, err)
}

// show writes a page, or the one that says why there is none.
func show(ctx context.Context, site ui.Site, v ui.View, err error) (int, string, []byte, error) {
	if errors.Is(err, journal.ErrNotFound) {
		v, err = ui.View{Status: ui.StatusNotFound, Title: i18n.Say(ctx, "Not found"), Body: ui.NotFoundPage(site)}, nil
	}
	if err != nil {
		v = ui.View{Status: ui.StatusFault, Title: i18n.Say(ctx, "Something went wrong"), Body: ui.ErrorPage(site)}
	}
	var b bytes.Buffer
	b.Grow(usualPage)
	if failed := v.Body.Render(ctx, &b); failed != nil {
		return ui.StatusFault, v.Title, nil, errors.Join(err, failed)
	}
	return v.Status, ui.CleanTitle(v.Title), b.Bytes(), err
}

// RenderStage is what the viewer's area shows of one attachment, for a page whose script holds
// the document.
func RenderStage(ctx context.Context, agent string, v *ui.ViewedAttachment) ([]byte, error) {
	var b bytes.Buffer
	err := viewer.Stage(agent, v).Render(ctx, &b)
	return b.Bytes(), err
}

// RenderCompareStage is RenderStage of two attachments.
func RenderCompareStage(ctx context.Context, agent string, c *ui.ComparedAttachments) ([]byte, error) {
	var b bytes.Buffer
	err := viewer.CompareStage(agent, c).Render(ctx, &b)
	return b.Bytes(), err
}

// RenderSince is the strip that says what became of a folder since it was opened before; nothing when all is as it was.
func RenderSince(ctx context.Context, site ui.Site, s *agentpages.ChangesSince) ([]byte, error) {
	var b bytes.Buffer
	if news, _, _ := agentpages.ChangesSentence(ctx, s); news == "" {
		return nil, nil
	}
	err := agentpages.ChangesStrip(site, s).Render(ctx, &b)
	return b.Bytes(), err
}

// RenderComposed is what the inspector shows of a reply that its script has composed: the line, or
// why there is none.
func RenderComposed(ctx context.Context, s *ui.DecisionForm) ([]byte, error) {
	var b bytes.Buffer
	err := errors.Join(askpages.FaultNote(&viewer.ReplyBar{DecisionForm: s}).Render(ctx, &b), askpages.ComposedNote(s).Render(ctx, &b))
	return b.Bytes(), err
}

// RenderRemarks is the panel with the remarks of an ask's page, "/1/asks/2?show=3". The ask takes a reply, or there is no panel.
func RenderRemarks(ctx context.Context, site ui.Site, j journal.Journal, path string) ([]byte, error) {
	site.Path = path
	path, query, _ := strings.Cut(path, "?")
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	if len(segments) != 3 || segments[1] != "asks" {
		return nil, journal.ErrNotFound
	}
	a, err := j.Agent(ctx, segments[0])
	if err != nil {
		return nil, err
	}
	ask, err := j.Ask(ctx, segments[0], segments[2])
	if err != nil {
		return nil, err
	}
	r := &recordviews.Request{Ctx: ctx, Site: site.AsOf(a), J: j, Agent: a, Query: journal.ParseQuery(query), Opening: viewer.ParseOpenRequest(query)}
	v := r.Viewing("/"+segments[0]+"/asks/"+segments[2], ask.Files, ask.Earlier)
	b, err := askpages.ReplyBarOf(r, ask, v)
	if err != nil {
		return nil, err
	}
	if !b.Open() {
		return nil, journal.ErrNotFound
	}
	var out bytes.Buffer
	err = askpages.RemarksPanel(r.Site, a, b).Render(ctx, &out)
	return out.Bytes(), err
}

// route finds the page of a path. Only the first two segments choose it; the rest are keys.
func route(ctx context.Context, site ui.Site, j journal.Journal, path string) (ui.View, error) {
	site.Path = path
	path, query, _ := strings.Cut(path, "?")
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	switch {
	case len(segments) == 0:
		return start(ctx, site, j, query)
	case segments[0] == "rules":
		return rules(ctx, site, segments[1:])
	case site.Project != nil && projectpages.IsKind(segments[0]):
		return projectpages.Root(ctx, site, segments, query)
	}
	agent, section, key := segments[0], "", ""
	if len(segments) > 1 {
		section = segments[1]
	}
	if len(segments) > 2 {
		key = segments[2]
	}
	why := len(segments) == 4 && segments[3] == askpages.WhySegment
	if len(segments) > 3 && !why {
		return ui.View{}, journal.ErrNotFound
	}
	if section == "" {
		return glance(ctx, site, j, agent)
	}
	a, err := j.Agent(ctx, agent)
	if err != nil {
		return ui.View{}, err
	}
	r := &recordviews.Request{Ctx: ctx, Site: site.AsOf(a), J: j, Agent: a, Query: journal.ParseQuery(query), Opening: viewer.ParseOpenRequest(query)}
	r.Query.At = r.Site.Past()
	var v ui.View
	switch {
	case why:
		v, err = agentpages.Why(r, section, key, query)
	case key == "":
		v, err = list(r, section)
	default:
		v, err = record(r, section, key)
	}
	return agentpages.OrNotYet(r, v, err)
}

// RenderUnseen is the page of an agent in place of the one with that path, which cannot be shown.
func RenderUnseen(ctx context.Context, site ui.Site, j journal.Journal, path string, m *journal.Missing) (status int, title string, html []byte, err error) {
	site.Path, _, _ = strings.Cut(path, "?")
	agent, _, _ := strings.Cut(strings.TrimPrefix(site.Path, "/"), "/")
	a, err := j.Agent(ctx, agent)
	if err != nil {
		return show(ctx, site, ui.View{}, err)
	}
	return show(ctx, site, agentpages.TooLargePage(ctx, site, a, m), nil)
}

func start(ctx context.Context, site ui.Site, j journal.Journal, query string) (ui.View, error) {
	agents, err := j.Agents(ctx)
	if err != nil {
		return ui.View{}, err
	}
	if len(agents) == 1 && (site.Project == nil || len(site.Project.Roots) == 0) {
		return glance(ctx, site, j, agents[0].Key)
	}
	return projectpages.Cover(ctx, site, j, agents, journal.ParseQuery(query))
}

func glance(ctx context.Context, site ui.Site, j journal.Journal, agent string) (ui.View, error) {
	o, err := j.Overview(ctx, agent)
	if err != nil {
		return ui.View{}, err
	}
	return ui.View{Status: ui.StatusOK, Title: ui.PageTitle(i18n.Say(ctx, "Overview"), o.Agent.DisplayName()), Body: agentpages.GlancePage(site.AsOf(&o.Agent), o)}, nil
}

func rules(ctx context.Context, site ui.Site, segments []string) (ui.View, error) {
	switch len(segments) {
	case 0:
		return ui.View{Status: ui.StatusOK, Title: i18n.Say(ctx, "Rules"), Body: recordviews.RulesPage(site)}, nil
	case 1:
		if code, ok := figs.ParseCode(segments[0]); ok {
			return ui.View{Status: ui.StatusOK, Title: code.String(), Body: recordviews.RulePage(site, code)}, nil
		}
	}
	return ui.View{}, journal.ErrNotFound
}

func list(r *recordviews.Request, section string) (ui.View, error) {
	key := r.Agent.Key
	switch section {
	case "agent":
		activity, err := r.J.Activity(r.Ctx, key)
		return r.Page(i18n.Say(r.Ctx, "Agent"), err, func() templ.Component { return agentpages.AgentPage(r.Site, r.Agent, activity) })
	case "jobs":
		items, err := r.J.Jobs(r.Ctx, key, r.Query)
		return r.Page(i18n.Say(r.Ctx, "Jobs"), err, func() templ.Component { return agentpages.JobsPage(r.Site, r.Agent, r.Query, items) })
	case "asks":
		items, err := r.J.Asks(r.Ctx, key, r.Query)
		return r.Page(i18n.Say(r.Ctx, "Asks"), err, func() templ.Component { return askpages.AsksPage(r.Site, r.Agent, r.Query, items) })
	case "messages":
		items, err := r.J.Messages(r.Ctx, key, r.Query)
		return r.Page(i18n.Say(r.Ctx, "Replies"), err, func() templ.Component { return agentpages.MessagesPage(r.Site, r.Agent, r.Query, items) })
	case "files":
		items, err := r.J.Files(r.Ctx, key, r.Query)
		if err == nil && r.Opening.View == viewer.CompareView {
			return compare(r, items.Items)
		}
		return r.Page(i18n.Say(r.Ctx, "Files"), err, func() templ.Component { return agentpages.FilesPage(r.Site, r.Agent, r.Query, items) })
	case "findings":
		items, err := r.J.Findings(r.Ctx, key, r.Query)
		var refusals []journal.Refusal
		if w, ok := r.J.(journal.Workspace); ok && err == nil {
			refusals, err = w.Refusals(r.Ctx, key)
		}
		return r.Page(i18n.Say(r.Ctx, "Findings"), err, func() templ.Component { return recordviews.FindingsPage(r.Site, r.Agent, r.Query, items, refusals) })
	case "search":
		return agentpages.Search(r)
	case "waits":
		return agentpages.Waits(r)
	case "lens":
		return agentpages.HiddenText(r)
	case "compare":
		return agentpages.Comparison(r)
	case "time":
		return agentpages.Timeline(r)
	case "step":
		return agentpages.Step(r)
	case "share":
		return agentpages.Share(r, "")
	}
	return ui.View{}, journal.ErrNotFound
}

func record(r *recordviews.Request, section, key string) (ui.View, error) {
	agent := r.Agent.Key
	switch section {
	case "jobs":
		job, err := r.J.Job(r.Ctx, agent, key)
		title := i18n.Say(r.Ctx, "Job %s", key)
		if err == nil {
			title = agenttext.Title(job.Run.Headline())
		}
		return r.Page(title, err, func() templ.Component {
			v := r.Viewing("/"+agent+"/jobs/"+key, recordviews.JobFiles(job), nil)
			return readingOr(r, v, nil, agentpages.JobPage(r.Site, r.Agent, job, v))
		})
	case "asks":
		ask, err := r.J.Ask(r.Ctx, agent, key)
		title := i18n.Say(r.Ctx, "Ask %s", key)
		if err == nil {
			title = agenttext.Title(ui.AskHeadline(&ask.Ask))
		}
		if err != nil {
			return ui.View{}, err
		}
		v := r.Viewing("/"+agent+"/asks/"+key, ask.Files, ask.Earlier)
		b, err := askpages.ReplyBarOf(r, ask, v)
		return r.Page(title, err, func() templ.Component { return readingOr(r, v, b, askpages.AskPage(r.Site, r.Agent, ask, v, b)) })
	case "files":
		file, err := r.J.File(r.Ctx, agent, key)
		title := i18n.Say(r.Ctx, "File %s", key)
		if err == nil {
			title = agenttext.Title(file.Name)
		}
		return r.Page(title, err, func() templ.Component {
			v := alone(r, file)
			return readingOr(r, v, nil, agentpages.FilePage(r.Site, r.Agent, file, v))
		})
	case "share":
		return agentpages.Share(r, key)
	case "text":
		text, err := r.J.Text(r.Ctx, agent, key)
		if errors.Is(err, journal.ErrNotFound) && agentpages.TextName(key) == key && r.Site.Shell == nil {
			text, err = &journal.Text{Name: key}, nil // a file that any folder may have, and this one has not
		}
		return r.Page(agentpages.TextName(key), err, func() templ.Component { return agentpages.TextPage(r.Site, r.Agent, text) })
	case "lines":
		if file := figs.ParseFile(key); file < figs.Ledgers {
			lines, err := r.J.Lines(r.Ctx, agent, file, r.Query)
			var more []figs.Overflow
			if err == nil && len(lines.Items) > 0 {
				found, err := r.J.Findings(r.Ctx, agent, r.Query)
				if err != nil {
					return ui.View{}, err
				}
				more = found.Report.More
			}
			return r.Page(file.String(), err, func() templ.Component { return agentpages.LinesPage(r.Site, r.Agent, file, r.Query, lines, more) })
		}
	}
	return ui.View{}, journal.ErrNotFound
}

// alone is the viewer of a page about one file.
func alone(r *recordviews.Request, file *journal.File) *viewer.View {
	v := r.Viewing("/"+r.Agent.Key+"/files/"+file.Key, []journal.File{*file}, nil)
	v.Sole = true
	if v.View == viewer.CompareView {
		v.View = viewer.ViewNames[0]
	}
	return v
}

// compare is the page that compares a file with any other.
func compare(r *recordviews.Request, files []journal.File) (ui.View, error) {
	at := slices.IndexFunc(files, func(f journal.File) bool { return f.Key == r.Opening.Show })
	if at < 0 {
		return ui.View{}, journal.ErrNotFound
	}
	v := r.Viewing("/"+r.Agent.Key+"/files", files[at:at+1], files)
	return r.OK(i18n.Say(r.Ctx, "Compare files"), readingOr(r, v, nil, agentpages.ComparePage(r.Site, r.Agent, v))), nil
}

// readingOr is the open attachment in reading mode where the address asks for it, else the page around it.
func readingOr(r *recordviews.Request, v *viewer.View, b *viewer.ReplyBar, page templ.Component) templ.Component {
	if v.InReading() {
		return viewer.Reading(r.Site, v, b)
	}
	return page
}
