package components

import (
	"context"
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
)

// rootRequest is a page of one root of a project that was asked for.
type rootRequest struct {
	ctx     context.Context
	site    Site
	root    *project.Root
	query   journal.Query // which part of a list, and the filters of findings
	fields  url.Values    // the other filters
	opening opening
}

// root finds the page of a path like "/channels/1/records/3".
func root(ctx context.Context, site Site, segments []string, query string) (view, error) {
	if len(segments) < 2 || len(segments) > 4 {
		return view{}, journal.ErrNotFound
	}
	r := &rootRequest{ctx, site, site.Project.Root(numbered(segments[1], len(site.Project.Roots))), journal.ParseQuery(query), nil, parseOpening(query)}
	if r.root == nil || r.root.Kind.String() != segments[0] {
		return view{}, journal.ErrNotFound
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
	return view{}, journal.ErrNotFound
}

// kindSegment reports whether a path is about a root.
func kindSegment(segment string) bool {
	return segment == project.Channels.String() || segment == project.Registry.String() || segment == project.Workflows.String()
}

// numbered reads a key from 1 to n as addresses have it; anything else is 0.
func numbered(key string, n int) int {
	if at, err := strconv.Atoi(key); err == nil && at >= 1 && at <= n && strconv.Itoa(at) == key {
		return at
	}
	return 0
}

// rootPath is the path of a page of a root.
func rootPath(root *project.Root, segments ...string) string {
	path := "/" + root.Kind.String() + "/" + itoa(root.No)
	for _, segment := range segments {
		path += "/" + segment
	}
	return path
}

func (s Site) rootTo(root *project.Root, segments ...string) templ.SafeURL {
	return templ.SafeURL(s.Links.To(rootPath(root, segments...)))
}

// asked is the list of a root with one filter.
func (s Site) asked(root *project.Root, name, value string) templ.SafeURL {
	return templ.SafeURL(s.Links.To(rootPath(root) + "?" + name + "=" + value))
}

func (r *rootRequest) to(segments ...string) templ.SafeURL { return r.site.rootTo(r.root, segments...) }

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
	path := rootPath(r.root, segments...)
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
	return pagerTo(r.with("from", figure(max(0, from-r.query.Size())), segments...), r.with("from", figure(to), segments...), from, to-from, n)
}

// figure is a number in an address; 0 is left out.
func figure(n int) string {
	if n == 0 {
		return ""
	}
	return itoa(n)
}

// ok is a page of the root under one of its tabs.
func (r *rootRequest) ok(title, current string, parts ...templ.Component) (view, error) {
	return view{statusOK, named(title, r.root.Name), RootPage(r.site, r.root, current, parts)}, nil
}

// say is one sentence of ours.
func (r *rootRequest) say(english string, args ...any) string { return say(r.ctx, english, args...) }

// rootTabs are the pages of a root.
func rootTabs(ctx context.Context, root *project.Root) []tab {
	at := func(segments ...string) []string {
		return append([]string{root.Kind.String(), itoa(root.No)}, segments...)
	}
	var tabs []tab
	switch {
	case root.Channels != nil:
		tabs = []tab{
			{"channels", say(ctx, "Channels"), len(root.Channels.Records), "", at()},
			{"work", say(ctx, "Work"), len(root.Channels.Works), "", at("work")},
			{"files", say(ctx, "Files"), len(root.Files), "", at("files")},
		}
	case root.Registry != nil:
		tabs = []tab{
			{"registry", say(ctx, "Entries"), len(root.Registry.Entries), "", at()},
			{"rank", say(ctx, "What applies"), -1, "", at("rank")},
		}
	case root.Workflows != nil:
		tabs = []tab{
			{"workflows", say(ctx, "Workflows"), len(root.Workflows.Workflows), "", at()},
			{"files", say(ctx, "Files"), len(root.Files), "", at("files")},
		}
	}
	sign := ""
	switch {
	case root.Report.Errors > 0:
		sign = "fail"
	case root.Report.Warnings > 0:
		sign = "warn"
	}
	return append(tabs, tab{"findings", say(ctx, "Findings"), root.Report.Errors + root.Report.Warnings + root.Report.Infos, sign, at("findings")})
}

// kindName is what people call a kind.
func kindName(ctx context.Context, k project.Kind) string {
	switch k {
	case project.Channels:
		return say(ctx, "Artifact channels")
	case project.Registry:
		return say(ctx, "Finding registry")
	}
	return say(ctx, "Workflows")
}
