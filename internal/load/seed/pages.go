package seed

import (
	"html"
	"net/url"
	"regexp"
)

// Page is a page or an API call that make scale measures, and the test counts the queries of.
type Page struct {
	Name, Path string
	API        bool // asked with a token
	Next       bool // not the page itself is meant, but the next one, to which it has a link
}

var nextLink = regexp.MustCompile(`href="([^"]*(?:[?&]|&amp;)(?:after=[^"&]+|from=[1-9][^"]*)[^"]*)"`)

// NextPath returns the path of the page's first link to the next page of its list; "" if there is none.
func NextPath(page []byte) string {
	if link := nextLink.FindSubmatch(page); link != nil {
		return html.UnescapeString(string(link[1]))
	}
	return ""
}

// searches are what people look for: a word of very many records, one of few, an id, a German word, one that nothing has, and
// the filters of the syntax.
var searches = []string{"statement", "Fabrikam", "job-000123", "Rechnungen", "zzyzx", "statement type:sign-off is:needs", "status:fail in:jobs customer"}

// Pages returns all of them.
func (w *World) Pages() []Page {
	home := "/w/" + w.Workspace.Slug
	agent, small := home+"/agents/"+AgentID(0), home+"/agents/"+AgentID(1)
	_, asks := w.size.share(0)
	all := []Page{
		{Name: "inbox", Path: home + "/inbox"},
		{Name: "inbox, for everyone", Path: home + "/inbox?everybody=1"},
		{Name: "inbox, waiting", Path: home + "/inbox?tab=waiting&everybody=1"},
		{Name: "inbox, reported", Path: home + "/inbox?tab=reported&everybody=1"},
		{Name: "inbox, snoozed", Path: home + "/inbox?tab=snoozed"},
		{Name: "inbox, closed", Path: home + "/inbox?tab=closed&everybody=1"},
		{Name: "inbox, one department", Path: home + "/inbox?everybody=1&department=" + url.QueryEscape(w.size.department(0))},
		{Name: "inbox, one agent", Path: home + "/inbox?everybody=1&agent=" + AgentID(0)},
		{Name: "chart", Path: home},
		{Name: "chart, table", Path: home + "?as=table"},
		{Name: "chart, map", Path: home + "?as=map"},
		{Name: "chart, filtered", Path: home + "?q=is:needs"},
		{Name: "activity", Path: home + "/activity"},
		{Name: "activity, a year", Path: home + "/activity?days=364"},
		{Name: "activity, one agent", Path: home + "/activity?agent=" + AgentID(0)},
		{Name: "reports", Path: home + "/reports"},
		{Name: "reports, a year", Path: home + "/reports?days=364"},
		{Name: "reports, rows", Path: home + "/reports/28/decisions"},
		{Name: "decisions", Path: home + "/decisions"},
		{Name: "notifications", Path: home + "/news"},
		{Name: "members", Path: home + "/settings"},
		{Name: "members, filtered", Path: home + "/settings?q=role:viewer"},
		{Name: "audit log", Path: home + "/settings/audit"},
		{Name: "audit log, filtered", Path: home + "/settings/audit?q=action:ask"},
		{Name: "policy", Path: home + "/settings/policy"},
		{Name: "agents (settings)", Path: home + "/settings/agents"},
		{Name: "data (settings)", Path: home + "/settings/data"},
		{Name: "feedback", Path: home + "/settings/feedback"},
		{Name: "own settings", Path: "/settings"},
		{Name: "own sessions", Path: "/settings/signing-in"},
		{Name: "own tokens", Path: "/settings/tokens"},
		{Name: "notification settings", Path: "/settings/notifications"},
	}
	for _, text := range searches {
		all = append(all, Page{Name: "search: " + text, Path: home + "/search?q=" + url.QueryEscape(text)})
	}
	for _, x := range []struct{ name, path string }{
		{"overview", ""}, {"agent", "/agent"}, {"jobs", "/jobs"}, {"jobs, failed", "/jobs?q=status:fail"}, {"jobs, with a word", "/jobs?q=Fabrikam"},
		{"asks", "/asks"}, {"asks, with a word", "/asks?q=Fabrikam"}, {"files", "/files"}, {"replies", "/messages"}, {"findings", "/findings"},
		{"search", "/search?q=statement"}, {"waits", "/waits"}, {"over time", "/time"}, {"hidden text", "/lens"},
		{"one job", "/jobs/" + jobID(17)}, {"open ask", "/asks/" + askID(asks-2)}, {"closed ask", "/asks/" + askID(3)}, {"one file", "/files/" + fileName(asks-2)},
	} {
		all = append(all, Page{Name: "large agent, " + x.name, Path: agent + x.path})
	}
	for _, x := range []struct{ name, path string }{
		{"inbox, for everyone", home + "/inbox?everybody=1"}, {"inbox, closed", home + "/inbox?tab=closed&everybody=1"}, {"members", home + "/settings"}, {"audit log", home + "/settings/audit"},
		{"search: statement", home + "/search?q=statement"}, {"large agent, jobs", agent + "/jobs"}, {"large agent, asks", agent + "/asks"}, {"large agent, replies", agent + "/messages"},
	} {
		all = append(all, Page{Name: x.name + ", next page", Path: x.path, Next: true})
	}
	all = append(all, Page{Name: "another agent, overview", Path: small}, Page{Name: "another agent, jobs", Path: small + "/jobs"}, Page{Name: "another agent, asks", Path: small + "/asks"})
	api := "/api/v1/workspaces/" + w.Workspace.ID
	one := api + "/agents/" + AgentID(0)
	for _, x := range []struct{ name, path string }{
		{"agents", api + "/agents"}, {"inbox", api + "/inbox?everybody=1"}, {"inbox, closed", api + "/inbox?everybody=1&tab=closed"}, {"search", api + "/search?q=statement"}, {"activity", api + "/activity"},
		{"jobs", one + "/jobs"}, {"asks", one + "/asks"}, {"replies", one + "/messages"}, {"files", one + "/files"},
	} {
		all = append(all, Page{Name: "API: " + x.name, Path: x.path, API: true})
	}
	return all
}

// OpenAsk is an ask that waits for a person.
type OpenAsk struct {
	Path    string
	SignOff bool
}

// OpenAsks returns the open asks that nobody has decided, first those of many agents, then more of each.
func (w *World) OpenAsks() (list []OpenAsk) {
	for k := 2; k <= 4; k++ {
		for n := range w.size.Agents {
			if _, asks := w.size.share(n); k <= open(n, asks) {
				list = append(list, OpenAsk{"/w/" + w.Workspace.Slug + "/agents/" + AgentID(n) + "/asks/" + askID(asks-k), isSignOff(asks - k)})
			}
		}
	}
	return list
}

// NewJob returns the n-th push under load: a new job of one of the agents.
func (w *World) NewJob(n int) []byte {
	l := ledger{world: w, agent: n % w.size.Agents, jobs: w.size.Jobs}
	l.begin()
	l.buffer.WriteString(`"runs":[`)
	l.job(w.size.Jobs + n)
	l.buffer.WriteString(`]}`)
	return l.buffer.Bytes()
}
