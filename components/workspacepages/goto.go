package workspacepages

import (
	"context"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/journal"
)

// GoTo is what a person can go to by typing.
type GoTo struct {
	Words    string // as typed
	Found    *journal.Destinations
	Audits   bool // the person may read the audit log
	Feedback bool // the person may read feedback from tools
}

// GoToView is the page on which people type where they want to go.
func GoToView(ctx context.Context, site ui.Site, g GoTo) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Go to"), Body: goToPage(site, g)}
}

// goToPlace is a page that a person can go to.
type goToPlace struct {
	name  string // in the reader's language
	also  string // other words by which it is found, in English
	at    templ.SafeURL
	glyph string
}

// pages are the pages of the workspace whose names match.
func (g GoTo) pages(ctx context.Context, s *ui.Shell) []goToPlace {
	return g.matching([]goToPlace{
		{i18n.Say(ctx, "Inbox"), "inbox needs you", s.To("inbox"), "inbox"},
		{i18n.Say(ctx, "Org chart"), "org chart agents departments", s.To(""), "chart"},
		{i18n.Say(ctx, "Activity"), "activity trends", s.To("activity"), "activity"},
		{i18n.Say(ctx, "Search"), "search find", s.To("search"), "search"},
		{i18n.Say(ctx, "Notifications"), "notifications news", s.To("news"), "news"},
		{i18n.Say(ctx, "Decisions"), "decisions receipts", s.To("decisions"), "decisions"},
		{i18n.Say(ctx, "Reports"), "reports waiting times rounds approvals", s.To("reports"), "reports"},
		{i18n.Say(ctx, "Connect"), "connect an agent token", s.To("connect"), "connect"},
		{i18n.Say(ctx, "Inspector"), "inspector folder", "/inspect", "inspect"},
	})
}

// settings are the pages of settings whose names match, of the workspace and of the person.
func (g GoTo) settings(ctx context.Context, s *ui.Shell) []goToPlace {
	all := []goToPlace{
		{i18n.Say(ctx, "Members"), "workspace settings members people roles invite", s.To("settings"), "settings"},
		{i18n.Say(ctx, "Agent settings"), "workspace settings agents archive rename move", s.To("settings/agents"), "settings"},
		{i18n.Say(ctx, "Policy"), "workspace settings policy approvals name", s.To("settings/policy"), "settings"},
		{i18n.Say(ctx, "Data"), "workspace settings data export delete", s.To("settings/data"), "settings"},
	}
	if g.Audits {
		all = append(all, goToPlace{i18n.Say(ctx, "Audit log"), "workspace settings audit log", s.To("settings/audit"), "settings"})
	}
	if g.Feedback {
		all = append(all, goToPlace{i18n.Say(ctx, "Feedback from tools"), "workspace settings feedback tools", s.To("settings/feedback"), "settings"})
	}
	all = append(all,
		goToPlace{i18n.Say(ctx, "Your profile"), "account settings profile name language", "/settings", "settings"},
		goToPlace{i18n.Say(ctx, "Your sign-in"), "account settings sign in password passkeys sessions", "/settings/signing-in", "settings"},
		goToPlace{i18n.Say(ctx, "Your tokens"), "account settings tokens api", "/settings/tokens", "settings"},
		goToPlace{i18n.Say(ctx, "Your notification settings"), "account settings notifications email", "/settings/notifications", "settings"},
	)
	if s.Operator {
		all = append(all, goToPlace{i18n.Say(ctx, "This server"), "server admin operator", "/admin", "settings"})
	}
	return g.matching(all)
}

// matching returns the places in whose words each typed word begins a word.
func (g GoTo) matching(all []goToPlace) (list []goToPlace) {
	words := strings.Fields(folded(g.Words))
	if len(words) == 0 && strings.TrimSpace(g.Words) != "" {
		return nil
	}
	for _, p := range all {
		text, found := folded(p.name)+folded(p.also), true
		for _, word := range words {
			found = found && strings.Contains(text, " "+word)
		}
		if found {
			list = append(list, p)
		}
	}
	return list
}

func folded(text string) string { return string(find.AppendFolded(nil, []byte(text))) }

// everywhere is the address of the search for what is typed.
func (g GoTo) everywhere(s *ui.Shell) templ.SafeURL {
	return s.To("search?q=" + url.QueryEscape(g.Words))
}

// heading says how many of the matching agents are listed, if not all are.
func (g GoTo) heading(ctx context.Context) string {
	if shown := len(g.Found.Agents); shown < g.Found.TotalAgents {
		return i18n.Say(ctx, "Agents: %s of %s", i18n.Number(ctx, shown), i18n.Number(ctx, g.Found.TotalAgents))
	}
	return i18n.Say(ctx, "Agents")
}

// agentNotes tell an agent from others with a similar name.
func agentNotes(ctx context.Context, d *journal.AgentDestination) (notes []templ.Component) {
	for _, text := range []string{d.Agent.Charter.Role, d.Agent.Charter.Department} {
		if text != "" {
			notes = append(notes, agenttext.Line(text))
		}
	}
	if d.SameName {
		notes = append(notes, ui.Ident(d.Agent.Config.AgentID))
	}
	if d.Archived {
		notes = append(notes, goToWord(i18n.Say(ctx, "archived")))
	}
	return notes
}
