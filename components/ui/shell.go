package ui

import (
	"context"
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/journal"
)

// Shell is the frame of a hosted workspace: where to go, who is signed in.
type Shell struct {
	Workspace  PageLocation
	Workspaces []PageLocation // all that the person may see, for the switcher
	Person     journal.Person
	Role       string           // of the person here: "owner", "admin", "member", "viewer"
	Members    []journal.Person // who may be an agent's manager or builder; only filled for those who may say so
	Current    string           // "inbox", "chart", "activity", "search", "settings", "connect", "decisions"; "" on an agent's pages
	Needs      int              // asks that need this person: the badge; the same query as the inbox
	Badge      int              // asks that need this person in all workspaces: the number on the installed app's icon
	News       int              // what this person was told here and has not read; of very many the newest are counted alone
	Seq        int64            // of the workspace's last change, for scripts that look for news
	Operator   bool             // the person runs the whole server
	Notice     string           // a sentence of ours across the top; "" is none
	Pending    []PendingReply   // what this person decided and can still take back
}

// PendingReply is a decision of the person who looks, on any page until it counts.
type PendingReply struct {
	At, Title string // address of the ask, and its words: an agent's
	Listed    bool   // its row on the page has the same button
	journal.Pending
}

// PageLocation is a workspace in addresses and in words.
type PageLocation struct{ Slug, Name string }

// To is the address of a page of the workspace: "" is the org chart, "inbox?tab=closed" a tab.
func (s *Shell) To(page string) templ.SafeURL {
	at := "/w/" + journal.Segment(s.Workspace.Slug)
	if page == "" || page[0] == '?' {
		return templ.SafeURL(at + page)
	}
	return templ.SafeURL(at + "/" + page)
}

// Runs reports whether the person runs the workspace: an owner or an admin of it.
func (s *Shell) Runs() bool { return s.Role == "owner" || s.Role == "admin" }

// pageAddress is what stands behind the workspace in the address of a page.
func pageAddress(page string) string {
	if page == "chart" {
		return ""
	}
	return page
}

// railKeys are the keys that lead to a page, behind "g".
var railKeys = map[string]string{"inbox": "i", "chart": "o", "activity": "a", "search": "s"}

// railHere marks where one is, and the key that leads there.
func railHere(s *Shell, page string) templ.Attributes {
	attributes := templ.Attributes{}
	if s.Current == page {
		attributes["aria-current"] = "page"
	}
	if key := railKeys[page]; key != "" {
		attributes["data-go"] = key
	}
	if page == "go" {
		attributes["data-act"] = "goto" // a dialog instead of the page, with scripts
		attributes["aria-keyshortcuts"] = "Control+K Meta+K"
	}
	if page == "search" {
		attributes["data-search"] = true
		attributes["aria-keyshortcuts"] = "/"
	}
	return attributes
}

// LiveKey names a row or a card, so that scripts find it again on the page of a moment later; in
// the inspector there is no later.
func LiveKey(site Site, key string) templ.Attributes {
	if !site.IsLive() {
		return nil
	}
	return templ.Attributes{"data-live": key}
}

// RoleWord is what a member is in the workspace.
func RoleWord(ctx context.Context, role string) string {
	switch role {
	case "owner":
		return i18n.Say(ctx, "owner")
	case "admin":
		return i18n.Say(ctx, "admin")
	case "member":
		return i18n.Say(ctx, "member")
	case "viewer":
		return i18n.Say(ctx, "viewer")
	}
	return ""
}

// RoleCan says what a role lets somebody do.
func RoleCan(ctx context.Context, role string) string {
	switch role {
	case "owner":
		return i18n.Say(ctx, "Owners can decide everything and manage the workspace.")
	case "admin":
		return i18n.Say(ctx, "Admins can decide any agent's asks and manage most of the workspace.")
	case "member":
		return i18n.Say(ctx, "Members can read everything, connect agents, and decide the asks of agents they manage or built.")
	}
	return i18n.Say(ctx, "Viewers can read everything but can't decide anything.")
}

// unreadNews is a number of news; they are counted up to some number only.
func unreadNews(n int) string {
	if n > 99 {
		return "99+"
	}
	return strconv.Itoa(n)
}
