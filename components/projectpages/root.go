// Package projectpages has the pages of what lies beside .figs in a project: artifact channels, finding registries, Agentfile
// workflows, and the cover of a project that holds more than one of them.
package projectpages

import (
	"context"
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
)

// rootRequest is a page of one root of a project that was asked for.
type rootRequest struct {
	ctx     context.Context
	site    ui.Site
	root    *project.Root
	query   journal.Query // which part of a list, and the filters of findings
	fields  url.Values    // the other filters
	opening viewer.OpenRequest
}

// Root finds the page of a path like "/channels/1/records/3".
func Root(ctx context.Context, site ui.Site, segments []string, query string) (ui.View, error) {
	if len(segments) < 2 || len(segments) > 4 {
		return ui.View{}, journal.ErrNotFound
	}
	r := &rootRequest{ctx, site, site.Project.Root(ui.KeyNumber(segments[1], len(site.Project.Roots))), journal.ParseQuery(query), nil, viewer.ParseOpenRequest(query)}
	if r.root == nil || r.root.Kind.String() != segments[0] {
		return ui.View{}, journal.ErrNotFound
	}
	r.fields, _ = url.ParseQuery(query) // what cannot be read is not asked for
	section, key := "", ""
	if len(segments) > 2 {
		section = segments[2]
	}
	if len(segments) > 3 {
		key = segments[3]
	}
	switch {
	case section == "findings" && key == "":
		return r.findings()
	case section == "files" && r.root.Registry == nil:
		return r.files(key)
	case r.root.Channels != nil:
		return r.channels(section, key)
	case r.root.Registry != nil:
		return r.registry(section, key)
	case r.root.Workflows != nil:
		return r.workflows(section, key)
	}
	return ui.View{}, journal.ErrNotFound
}

// IsKind reports whether a path is about a root.
func IsKind(segment string) bool {
	return segment == project.Channels.String() || segment == project.Registry.String() || segment == project.Workflows.String()
}

// asked is the list of a root with one filter.
func asked(s ui.Site, root *project.Root, name, value string) templ.SafeURL {
	return templ.SafeURL(s.Links.To(ui.RootPath(root) + "?" + name + "=" + value))
}

func (r *rootRequest) to(segments ...string) templ.SafeURL { return r.site.RootTo(r.root, segments...) }

// with is the address of a list of the root where one filter is another, from its first part on.
func (r *rootRequest) with(name, value string, segments ...string) templ.SafeURL {
	fields := url.Values{}
	for key, values := range r.fields {
		if key != "from" && key != name {
			fields[key] = values
		}
	}
	if value != "" {
		fields.Set(name, value)
	}
	path := ui.RootPath(r.root, segments...)
	if len(fields) > 0 {
		path += "?" + fields.Encode()
	}
	return templ.SafeURL(r.site.Links.To(path))
}

// part is what of a list of n the page shows.
func (r *rootRequest) part(n int) (from, to int) {
	from = min(r.query.From, n)
	return from, min(from+r.query.Size(), n)
}

// pager leads through the parts of a list.
func (r *rootRequest) pager(n int, segments ...string) templ.Component {
	from, to := r.part(n)
	return ui.PagerTo(r.with("from", figure(max(0, from-r.query.Size())), segments...), r.with("from", figure(to), segments...), from, to-from, n)
}

// figure is a number in an address; 0 is left out.
func figure(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// ok is a page of the root under one of its tabs.
func (r *rootRequest) ok(title, current string, parts ...templ.Component) (ui.View, error) {
	return ui.View{Status: ui.StatusOK, Title: ui.PageTitle(title, r.root.Name), Body: RootPage(r.site, r.root, current, parts)}, nil
}

// say is one sentence of ours.
func (r *rootRequest) say(english string, args ...any) string {
	return i18n.Say(r.ctx, english, args...)
}

// rootTabs are the pages of a root.
func rootTabs(ctx context.Context, root *project.Root) []ui.Tab {
	at := func(segments ...string) []string {
		return append([]string{root.Kind.String(), strconv.Itoa(root.No)}, segments...)
	}
	var tabs []ui.Tab
	switch {
	case root.Channels != nil:
		tabs = []ui.Tab{
			{Key: "channels", Word: i18n.Say(ctx, "Channels"), Count: len(root.Channels.Records), Sign: "", Segment: at()},
			{Key: "work", Word: i18n.Say(ctx, "Work"), Count: len(root.Channels.Works), Sign: "", Segment: at("work")},
			{Key: "files", Word: i18n.Say(ctx, "Files"), Count: len(root.Files), Sign: "", Segment: at("files")},
		}
	case root.Registry != nil:
		tabs = []ui.Tab{
			{Key: "registry", Word: i18n.Say(ctx, "Entries"), Count: len(root.Registry.Entries), Sign: "", Segment: at()},
			{Key: "rank", Word: i18n.Say(ctx, "What applies"), Count: -1, Sign: "", Segment: at("rank")},
		}
	case root.Workflows != nil:
		tabs = []ui.Tab{
			{Key: "workflows", Word: i18n.Say(ctx, "Workflows"), Count: len(root.Workflows.Workflows), Sign: "", Segment: at()},
			{Key: "files", Word: i18n.Say(ctx, "Files"), Count: len(root.Files), Sign: "", Segment: at("files")},
		}
	}
	sign := ""
	switch {
	case root.Report.Errors > 0:
		sign = "fail"
	case root.Report.Warnings > 0:
		sign = "warn"
	}
	return append(tabs, ui.Tab{Key: "findings", Word: i18n.Say(ctx, "Findings"), Count: root.Report.Errors + root.Report.Warnings + root.Report.Infos, Sign: sign, Segment: at("findings")})
}

// kindName is what people call a kind.
func kindName(ctx context.Context, k project.Kind) string {
	switch k {
	case project.Channels:
		return i18n.Say(ctx, "Artifact channels")
	case project.Registry:
		return i18n.Say(ctx, "Finding registry")
	}
	return i18n.Say(ctx, "Workflows")
}

func (r *rootRequest) facts() *ui.Facts { return &ui.Facts{Ctx: r.ctx} }
