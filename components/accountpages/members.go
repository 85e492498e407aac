// Package accountpages has the pages of people rather than of agents: signing in, the person's own settings, those of a workspace
// and its members, notifications, and those of the operator of a server.
package accountpages

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/components/ui"
)

// SignIn is what the sign-in page shows.
type SignIn struct {
	Host  string // of the server
	Email string // as it was typed
	Next  string // where to go afterwards; "" is the start

	Passkeys     bool   // they work under the address of the server
	Provider     string // where people have an account that lets them in here; "": nowhere
	ProviderLink string // where one signs in with it

	Faults ui.Faults
}

// SignInPage is where people give their e-mail address and password.
func SignInPage(ctx context.Context, m SignIn) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Sign in"), Body: signInPage(m)}
}

// StartPage is what a visitor sees who isn't signed in. fresh says that the server has no users yet.
func StartPage(ctx context.Context, host string, fresh bool) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Welcome"), Body: startPage(host, fresh)}
}

// NoWorkspacePage is for somebody who belongs to no workspace.
func NoWorkspacePage(ctx context.Context, name, email string) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "No workspace"), Body: noWorkspacePage(name, email)}
}

// Setup is what the page of a set-up link shows.
type Setup struct {
	Key                               string
	Person, Email, Place, Slug, About string // as typed; About is where workspaces have their addresses
	Text                              string // the level of TextLevel that is chosen
	Faults                            ui.Faults
}

// SetupPage is where the first person makes an account and a workspace.
func SetupPage(ctx context.Context, m Setup) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Set up"), Body: setupPage(m)}
}

// DeadSetupPage is what a set-up link leads to that is not good.
func DeadSetupPage(ctx context.Context) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "This link doesn't work"), Body: deadSetupPage()}
}

// Device is what the page of a device login shows.
type Device struct {
	State          string // "ask", "approved", "denied"; "" asks for the code
	Code           string // "BCDF-GHJK", or what was typed in its place
	Agent, Address string // of the client, as it says and as it came
	Asked          int64
	Here           string    // where the person's own browser is
	Own            bool      // that is where the client asks from
	Person, Email  string    // who is signed in
	Name, Lasts    string    // of the token that it would get, as typed: what it is called, and how many days it lasts
	Terms          []int     // days that it may last
	Faults         ui.Faults // "code", "name", "lasts", ""
}

// DevicePage is where a person lets a client in.
func DevicePage(ctx context.Context, site ui.Site, m Device) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Approve a device"), Body: devicePage(site, m)}
}

// Settings is what a person sees and sets of themselves.
type Settings struct {
	Person, Email string
	Places        []DestinationRow
	Operator      bool      // they may make workspaces
	Place, Slug   string    // of a new workspace, as typed
	About         string    // the part of a workspace URL before its slug: "figs.example/w/"
	Language      string    // its code, as chosen; "" is what the browser asks for
	Done          string    // the URL's "notice": what a form has just done
	Faults        ui.Faults // "name", "language", "workspace", "slug", ""
}

// DestinationRow is a workspace one belongs to.
type DestinationRow struct {
	ui.PageLocation
	Role string
}

// SessionRow is one browser that is signed in.
type SessionRow struct {
	Key           string
	Agent         string // the browser's own words
	Address, Way  string // where it was begun from, and how: "password", "passkey", …
	Created, Used int64  // Used to the day
	Here          bool
}

// SettingsPage is the page of one's own settings.
func SettingsPage(ctx context.Context, site ui.Site, m Settings) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Your account"), Body: settingsPage(site, m)}
}

// Members is what the settings of a workspace show.
type Members struct {
	Rows     []MemberRow
	List     listview.Request
	Give     []string // the roles that the visitor may give; none: they may only look
	Audits   bool     // the visitor may see the audit, and what tools have sent
	Feedback int      // how many messages of tools there are
	Done     string   // the URL's "notice"
	Faults   ui.Faults
	Email    string // as typed
	AddRole  string // as chosen

	Invite      bool         // the visitor may invite people
	Mails       bool         // the reader can send letters
	Invites     []InviteRow  // that are open
	Fresh       *FreshInvite // that was just made; nil
	Invited     string       // e-mail address, as typed
	InvitedRole string       // as chosen
	Roles       []string     // all there are, in the order of the table
	Mine        string       // the visitor's role
	Rules       []RoleRule
}

// MemberRow is a member.
type MemberRow struct {
	Key, Person, Email, Role string
	Since                    int64
	Me                       bool
	Change, Remove           bool // whether the visitor may
}

// memberColumns is MemberList with what the person who looks sees and may do.
func memberColumns(ctx context.Context, site ui.Site, m Members) *listview.List[MemberRow] {
	l := MemberList(ctx)
	l.Columns[0].Cell = memberName
	l.Actions = func(row *MemberRow) templ.Component { return memberActions(site, m, row) }
	return l
}

// MemberList is the list of members.
func MemberList(ctx context.Context) *listview.List[MemberRow] {
	return &listview.List[MemberRow]{
		Name: "members", Title: i18n.Say(ctx, "Members"), Default: "name",
		ID: func(r *MemberRow) string { return r.Key },
		Columns: []listview.Column[MemberRow]{
			listview.Text("name", i18n.Say(ctx, "Name"), func(r *MemberRow) string { return r.Person }),
			listview.Text("email", i18n.Say(ctx, "Email address"), func(r *MemberRow) string { return r.Email }),
			listview.Word("role", i18n.Say(ctx, "Role"), func(r *MemberRow) string { return r.Role }, ui.RoleWord),
			listview.Time("joined", i18n.Say(ctx, "Joined"), func(r *MemberRow) int64 { return r.Since }),
		},
	}
}

// ChangeMember is what the page before a member is removed, leaves, or can answer for no agent any more shows.
type ChangeMember struct {
	Key, Person string
	Role        string // that they would get; "" is none
	Self        bool   // the visitor leaves
	Agents      []AnsweredAgent
}

// AnsweredAgent is an agent that someone manages or built.
type AnsweredAgent struct {
	Name, Key        string
	Manager, Builder bool
	Asks             []string // titles of the open asks that wait for that person
	More             bool     // there may be others
}

// ChangeMemberPage asks before a member's role changes, and names what changes with it.
func ChangeMemberPage(ctx context.Context, site ui.Site, m ChangeMember) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Workspace settings"), Body: changeMemberPage(site, m)}
}

// AuditRow is one thing that was done: the action's word, who did it, and names in it.
type AuditRow struct {
	No              int64 // within the workspace
	At              int64
	By              string        // "" is the operator at the terminal
	Action          string        // "member.set"
	Whom, What, Too string        // names, resolved
	To              templ.SafeURL // the page of the ask that What names; ""
}

// MembersPage is the page of a workspace's settings.
func MembersPage(ctx context.Context, site ui.Site, m Members) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Workspace settings"), Body: membersPage(site, m)}
}

// Assign is what the page on who answers for an agent shows.
type Assign struct {
	Key, Agent       string      // of the agent, and its name
	Manager, Builder string      // keys of members; "" if there is none
	Rows             []MemberRow // who may be chosen
	Faults           ui.Faults
}

// AssignPage is where an admin says who manages an agent and who built it.
func AssignPage(ctx context.Context, site ui.Site, m Assign) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Manager and builder"), Body: assignPage(site, m)}
}

// plainCode is a user code: letters of ours.
func plainCode(code string) string { return code }

// inCommand is an e-mail address as part of a command to copy: nothing but what a shell takes as
// it is, and nothing around it that cannot be seen.
func inCommand(email string) string {
	for _, r := range email {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("@.+-_", r) {
			return "ADDRESS"
		}
	}
	return email
}

// browserNamed is what kind of browser said so of itself, as far as anybody can tell.
func browserNamed(ctx context.Context, agent string) string {
	name, system := "", ""
	for _, known := range [][2]string{{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"}} {
		if strings.Contains(agent, known[0]) {
			name = known[1]
			break
		}
	}
	for _, known := range [][2]string{{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"}} {
		if strings.Contains(agent, known[0]) {
			system = known[1]
			break
		}
	}
	switch {
	case name == "":
		return i18n.Say(ctx, "A browser")
	case system == "":
		return name
	}
	return i18n.Say(ctx, "%s on %s", name, system)
}
