package components

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// view is a page ready to be written: its title and its content.
type view struct {
	status int
	title  string
	body   templ.Component
}

// The statuses of HTTP that pages answer with. The package that names them would weigh more in the reader than all pages.
const statusOK, statusNotFound, statusUnseen, statusFault = 200, 404, 422, 500

// usualPage is what most pages stay below, in bytes.
const usualPage = 32 << 10

// Render answers a path like "/1/jobs?state=fail" with the content of <main>. A record that
// does not exist is a page with status 404; err is a failure of the journal or of the
// writing, and html then is a page that says so kindly, with status 500.
func Render(ctx context.Context, site Site, j journal.Journal, path string) (status int, title string, html []byte, err error) {
	v, err := route(ctx, site, j, path)
	return show(ctx, site, v, err)
}

// show writes a page, or the one that says why there is none.
func show(ctx context.Context, site Site, v view, err error) (int, string, []byte, error) {
	if errors.Is(err, journal.ErrNotFound) {
		v, err = view{statusNotFound, say(ctx, "Nothing here"), NotFoundPage(site)}, nil
	}
	if err != nil {
		v = view{statusFault, say(ctx, "A fault"), ErrorPage(site)}
	}
	var b bytes.Buffer
	b.Grow(usualPage)
	if failed := v.body.Render(ctx, &b); failed != nil {
		return statusFault, v.title, nil, errors.Join(err, failed)
	}
	return v.status, v.title, b.Bytes(), err
}

// RenderStage is what the viewer's area shows of one attachment, for a page whose script holds
// the document.
func RenderStage(ctx context.Context, agent string, v *Viewed) ([]byte, error) {
	var b bytes.Buffer
	err := Stage(agent, v).Render(ctx, &b)
	return b.Bytes(), err
}

// RenderCompareStage is RenderStage of two attachments.
func RenderCompareStage(ctx context.Context, agent string, c *Compared) ([]byte, error) {
	var b bytes.Buffer
	err := CompareStage(agent, c).Render(ctx, &b)
	return b.Bytes(), err
}

// RenderSince is the strip that says what became of a folder since it was opened before; nothing when all is as it was.
func RenderSince(ctx context.Context, site Site, s *Since) ([]byte, error) {
	var b bytes.Buffer
	if news, _, _ := sinceWords(ctx, s); news == "" {
		return nil, nil
	}
	err := SinceStrip(site, s).Render(ctx, &b)
	return b.Bytes(), err
}

// RenderComposed is what the inspector shows of a reply that its script has composed: the line, or
// why there is none.
func RenderComposed(ctx context.Context, s *Sheet) ([]byte, error) {
	var b bytes.Buffer
	err := errors.Join(faultNote(&replyBar{Sheet: s}).Render(ctx, &b), composedNote(s).Render(ctx, &b))
	return b.Bytes(), err
}

// route finds the page of a path. Only the first two segments choose it; the rest are keys.
func route(ctx context.Context, site Site, j journal.Journal, path string) (view, error) {
	site.Path = path
	path, query, _ := strings.Cut(path, "?")
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	switch {
	case len(segments) == 0:
		return start(ctx, site, j, query)
	case segments[0] == "rules":
		return rules(ctx, site, segments[1:])
	case site.Project != nil && kindSegment(segments[0]):
		return root(ctx, site, segments, query)
	}
	agent, section, key := segments[0], "", ""
	if len(segments) > 1 {
		section = segments[1]
	}
	if len(segments) > 2 {
		key = segments[2]
	}
	why := len(segments) == 4 && segments[3] == whySegment
	if len(segments) > 3 && !why {
		return view{}, journal.ErrNotFound
	}
	if section == "" {
		return glance(ctx, site, j, agent)
	}
	a, err := j.Agent(ctx, agent)
	if err != nil {
		return view{}, err
	}
	r := &request{ctx, site.asOf(a), j, a, journal.ParseQuery(query), parseOpening(query)}
	r.query.At = r.site.past()
	var v view
	switch {
	case why:
		v, err = r.why(section, key, query)
	case key == "":
		v, err = r.list(section)
	default:
		v, err = r.record(section, key)
	}
	return r.orNotYet(v, err)
}

// RenderUnseen is the page of an agent in place of the one with that path, which cannot be shown.
func RenderUnseen(ctx context.Context, site Site, j journal.Journal, path string, m *journal.Missing) (status int, title string, html []byte, err error) {
	site.Path, _, _ = strings.Cut(path, "?")
	agent, _, _ := strings.Cut(strings.TrimPrefix(site.Path, "/"), "/")
	a, err := j.Agent(ctx, agent)
	if err != nil {
		return show(ctx, site, view{}, err)
	}
	return show(ctx, site, cannotSee(ctx, site, a, m), nil)
}

// missingHint is what to do about what cannot be shown: a sentence of ours.
func missingHint(ctx context.Context, m *journal.Missing) string { return say(ctx, m.Hint) }

func cannotSee(ctx context.Context, site Site, a *journal.Agent, m *journal.Missing) view {
	sentence := say(ctx, m.Sentence)
	return view{statusUnseen, named(sentence, a.DisplayName()), UnseenPage(site, a, sentence, missingHint(ctx, m))}
}

func start(ctx context.Context, site Site, j journal.Journal, query string) (view, error) {
	agents, err := j.Agents(ctx)
	if err != nil {
		return view{}, err
	}
	if len(agents) == 1 && (site.Project == nil || len(site.Project.Roots) == 0) {
		return glance(ctx, site, j, agents[0].Key)
	}
	return cover(ctx, site, j, agents, journal.ParseQuery(query))
}

func glance(ctx context.Context, site Site, j journal.Journal, agent string) (view, error) {
	o, err := j.Overview(ctx, agent)
	if err != nil {
		return view{}, err
	}
	return view{statusOK, named(say(ctx, "At a glance"), o.Agent.DisplayName()), GlancePage(site.asOf(&o.Agent), o)}, nil
}

func rules(ctx context.Context, site Site, segments []string) (view, error) {
	switch len(segments) {
	case 0:
		return view{statusOK, say(ctx, "Rules"), RulesPage(site)}, nil
	case 1:
		if code, ok := figs.CodeNamed(segments[0]); ok {
			return view{statusOK, code.String(), RulePage(site, code)}, nil
		}
	}
	return view{}, journal.ErrNotFound
}

// request is a page of one agent that was asked for.
type request struct {
	ctx     context.Context
	site    Site
	j       journal.Journal
	agent   *journal.Agent
	query   journal.Query
	opening opening
}

// ok is a page of the agent, whose name ends its title.
func (r *request) ok(title string, body templ.Component) view {
	return view{statusOK, named(title, r.agent.DisplayName()), body}
}

// named ends a title with the agent's name.
func named(title, agent string) string { return title + " · " + plain(agent) }

func (r *request) list(section string) (view, error) {
	key := r.agent.Key
	switch section {
	case "agent":
		activity, err := r.j.Activity(r.ctx, key)
		return r.page(say(r.ctx, "Agent"), err, func() templ.Component { return AgentPage(r.site, r.agent, activity) })
	case "jobs":
		items, err := r.j.Jobs(r.ctx, key, r.query)
		return r.page(say(r.ctx, "Jobs"), err, func() templ.Component { return JobsPage(r.site, r.agent, r.query, items) })
	case "asks":
		items, err := r.j.Asks(r.ctx, key, r.query)
		return r.page(say(r.ctx, "Asks"), err, func() templ.Component { return AsksPage(r.site, r.agent, r.query, items) })
	case "messages":
		items, err := r.j.Messages(r.ctx, key, r.query)
		return r.page(say(r.ctx, "Replies"), err, func() templ.Component { return MessagesPage(r.site, r.agent, r.query, items) })
	case "files":
		items, err := r.j.Files(r.ctx, key, r.query)
		if err == nil && r.opening.view == compare {
			return r.compare(items.Items)
		}
		return r.page(say(r.ctx, "Files"), err, func() templ.Component { return FilesPage(r.site, r.agent, r.query, items) })
	case "findings":
		items, err := r.j.Findings(r.ctx, key, r.query)
		var refusals []journal.Refusal
		if w, ok := r.j.(journal.Workspace); ok && err == nil {
			refusals, err = w.Refusals(r.ctx, key)
		}
		return r.page(say(r.ctx, "Findings"), err, func() templ.Component { return FindingsPage(r.site, r.agent, r.query, items, refusals) })
	case "search":
		return r.search()
	case "waits":
		return r.waits()
	case "lens":
		return r.lens()
	case "compare":
		return r.comparison()
	case "time":
		return r.timeline()
	case "step":
		return r.step()
	case "share":
		return r.share("")
	}
	return view{}, journal.ErrNotFound
}

func (r *request) record(section, key string) (view, error) {
	agent := r.agent.Key
	switch section {
	case "jobs":
		job, err := r.j.Job(r.ctx, agent, key)
		title := say(r.ctx, "Job %s", key)
		if err == nil {
			title = plain(job.Run.Headline())
		}
		return r.page(title, err, func() templ.Component {
			return JobPage(r.site, r.agent, job, r.viewing("/"+agent+"/jobs/"+key, jobFiles(job), nil))
		})
	case "asks":
		ask, err := r.j.Ask(r.ctx, agent, key)
		title := say(r.ctx, "Ask %s", key)
		if err == nil {
			title = plain(askHeadline(&ask.Ask))
		}
		if err != nil {
			return view{}, err
		}
		v := r.viewing("/"+agent+"/asks/"+key, ask.Files, ask.Earlier)
		b, err := r.deciding(ask, v)
		return r.page(title, err, func() templ.Component { return AskPage(r.site, r.agent, ask, v, b) })
	case "files":
		file, err := r.j.File(r.ctx, agent, key)
		title := say(r.ctx, "File %s", key)
		if err == nil {
			title = plain(file.Name)
		}
		return r.page(title, err, func() templ.Component { return FilePage(r.site, r.agent, file, r.alone(file)) })
	case "share":
		return r.share(key)
	case "text":
		text, err := r.j.Text(r.ctx, agent, key)
		if errors.Is(err, journal.ErrNotFound) && textName(key) == key && r.site.Shell == nil {
			text, err = &journal.Text{Name: key}, nil // a file that any folder may have, and this one has not
		}
		return r.page(textName(key), err, func() templ.Component { return TextPage(r.site, r.agent, text) })
	case "lines":
		if file := figs.FileNamed(key); file < figs.Ledgers {
			lines, err := r.j.Lines(r.ctx, agent, file, r.query)
			var more []figs.Uncounted
			if err == nil && len(lines.Items) > 0 {
				found, err := r.j.Findings(r.ctx, agent, r.query)
				if err != nil {
					return view{}, err
				}
				more = found.Report.More
			}
			return r.page(file.String(), err, func() templ.Component { return LinesPage(r.site, r.agent, file, r.query, lines, more) })
		}
	}
	return view{}, journal.ErrNotFound
}

// alone is the viewer of a page about one file.
func (r *request) alone(file *journal.File) *viewing {
	v := r.viewing("/"+r.agent.Key+"/files/"+file.Key, []journal.File{*file}, nil)
	v.sole = true
	if v.view == compare {
		v.view = views[0]
	}
	return v
}

// compare is the page that compares a file with any other.
func (r *request) compare(files []journal.File) (view, error) {
	at := slices.IndexFunc(files, func(f journal.File) bool { return f.Key == r.opening.show })
	if at < 0 {
		return view{}, journal.ErrNotFound
	}
	v := r.viewing("/"+r.agent.Key+"/files", files[at:at+1], files)
	return r.ok(say(r.ctx, "Compare files"), ComparePage(r.site, r.agent, v)), nil
}

// page is ok unless asking failed; the body is made only then, as its values exist only then.
func (r *request) page(title string, err error, body func() templ.Component) (view, error) {
	if err != nil {
		return view{}, err
	}
	return r.ok(title, body()), nil
}
