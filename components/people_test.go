package components

import (
	"context"
	"maps"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/listquery"
)

// onPeople are all pages on people, in all their states; change may alter every model before it
// is shown.
func onPeople(ctx context.Context, change func(any)) map[string]ui.Page {
	site := acmeSite("settings")
	alone := site
	alone.Shell = nil
	now := site.Now
	rows := []accountpages.MemberRow{
		{Key: "u1", Person: "Ada", Email: "ada@example.org", Role: "owner", Since: now - ui.Day, Me: true, Remove: true},
		{Key: "u2", Person: "Bob", Email: "bob@example.org", Role: "viewer", Since: now - ui.Hour, Change: true, Remove: true},
	}
	var audit []accountpages.AuditRow
	for action := range accountpages.AuditSentences {
		audit = append(audit, accountpages.AuditRow{At: now, By: "Ada", Action: action, Whom: "Bob", What: "admin", Too: "Eve"})
	}
	audit = append(audit, accountpages.AuditRow{At: now, By: "Ada", Action: "decision.make", Whom: "Closer", What: "Pay the invoice?", To: "/w/acme/agents/a1/asks/q1"})
	audit = append(audit, accountpages.AuditRow{At: now, Action: "member.set", Whom: "Bob", What: "owner"}, accountpages.AuditRow{At: now, By: "Ada", Action: "something.new"})
	signIn := accountpages.SignIn{Email: "ada@example.org", Next: "/settings", Faults: ui.Faults{"": {Sentence: "Fault."}, "email": {Sentence: "Fault."}, "password": {Sentence: "Fault."}}}
	setup := accountpages.Setup{Key: "KEY", Person: "Ada", Email: "a", Place: "Acme", Slug: "acme", About: "figs.example/w/", Faults: ui.Faults{"name": {Sentence: "Fault."}, "slug": {Sentence: "Fault."}}}
	device := accountpages.Device{State: "ask", Code: "BCDF-GHJK", Agent: "figs/1.2", Address: "192.0.2.1", Asked: now, Person: "Ada", Email: "ada@example.org"}
	settings := accountpages.Settings{Person: "Ada", Email: "ada@example.org", Places: []accountpages.DestinationRow{{PageLocation: ui.PageLocation{Slug: "acme", Name: "Acme"}, Role: "owner"}}, Done: "name-saved", Faults: ui.Faults{"": {Sentence: "Fault."}, "name": {Sentence: "Fault."}}}
	security := accountpages.Security{Email: "ada@example.org", Agent: "Firefox/140 Linux", Password: true, Works: true, KeyName: "phone", Done: "passkey-added", Faults: ui.Faults{"": {Sentence: "Fault."}, "old": {Sentence: "Fault."}, "key": {Sentence: "Fault."}},
		Passkeys: []accountpages.PasskeyRow{{Key: "k1", Called: "laptop", Created: now - ui.Day}, {Key: "k2", Called: "phone", Created: now - ui.Day, Used: now}}, Recovery: accountpages.RecoveryLeft{Left: 2, Of: 10, Made: now - ui.Day}}
	for _, way := range []string{"password", "passkey", "recovery", "provider", "proxy", "link"} {
		security.Sessions = append(security.Sessions, accountpages.SessionRow{Key: "s", Agent: "Firefox/140 Linux", Address: "192.0.2.1", Way: way, Created: now - ui.Day, Used: now, Here: way == "password"})
	}
	keyless := accountpages.Security{Email: "ada@example.org", Elsewhere: "http://localhost:8080"}
	confirm := accountpages.Confirm{Goes: "/settings/passkeys", Fields: []accountpages.HiddenField{{Key: "note", Held: "typed"}}, Email: "ada@example.org", Password: true, Passkey: true, Faults: ui.Faults{"": {Sentence: "Fault."}, "confirm_password": {Sentence: "Fault."}}}
	recovery := accountpages.Recovery{Email: "ada@example.org", Next: "/settings", Faults: ui.Faults{"": {Sentence: "Fault."}}}
	codes := accountpages.RecoveryCodes{Codes: []string{"BCDF-GHJK"}, Email: "ada@example.org", Host: "figs.example"}
	reset := accountpages.Reset{Key: "KEY", Email: "ada@example.org", Faults: ui.Faults{"password": {Sentence: "Fault."}}}
	members := accountpages.Members{Rows: rows, Give: []string{"owner", "admin", "member", "viewer"}, Audits: true, Feedback: 2, Done: "role-changed", Faults: ui.Faults{"": {Sentence: "Fault."}, "email": {Sentence: "Fault."}}, Email: "x"}
	members.Invite, members.Mails, members.Invited, members.InvitedRole = true, true, "cy@example.org", "viewer"
	members.Invites = []accountpages.InviteRow{{Key: "i1", Role: "member", By: "Ada", Email: "cy@example.org", Since: now, Until: now + ui.Day}, {Key: "i2", Role: "viewer", Since: now, Until: now + ui.Day}}
	members.Fresh = &accountpages.FreshInvite{Link: "https://figs.example/invite?key=KEY", Role: "member", Email: "cy@example.org", Until: now + ui.Day, Unsent: true}
	members.Roles, members.Mine = []string{"owner", "admin", "member", "viewer"}, "admin"
	members.Rules = []accountpages.RoleRule{{Says: "Read everything in the workspace", May: []bool{true, true, true, true}, Manager: make([]bool, 4), Builder: make([]bool, 4)},
		{Says: "Archive an agent", StepUp: true, May: []bool{true, true, false, false}, Manager: []bool{false, false, true, false}, Builder: []bool{false, false, true, true}}}
	looking := accountpages.Members{Rows: rows}
	invite := accountpages.Invite{Key: "KEY", Workspace: ui.PageLocation{Slug: "acme", Name: "Acme"}, Role: "member", By: "Ada", Until: now + ui.Day, For: "cy@example.org", Person: "Bob", Email: "bob@example.org", Name: "Cy", Provider: "Acme Login", Faults: ui.Faults{"": {Sentence: "Fault."}, "email": {Sentence: "Fault."}}}
	assign := accountpages.Assign{Key: "a1", Agent: "Closer", Manager: "u1", Rows: rows, Faults: ui.Faults{"": {Sentence: "Fault."}}}
	leaving := accountpages.ChangeMember{Key: "u2", Person: "Bob", Agents: []accountpages.AnsweredAgent{{Name: "Closer", Key: "a1", Manager: true, Asks: []string{"Pay the invoice?"}, More: true}, {Name: "Reader", Key: "a2", Builder: true}, {Name: "Sender", Key: "a3", Manager: true, Builder: true}}}
	feedback := accountpages.Feedback{List: listview.Request{Here: "/w/acme/settings/feedback", SavedViews: ui.SavedViews{Notice: "feedback-removed"}}, Removes: true, Items: []accountpages.FeedbackRow{
		{Key: "f1", Who: "Bob", Tool: "figs-web", Version: "1.2", Context: "ls /agents", Text: "It broke.\nTwice.", At: now}, {Key: "f2", Who: "Bob", Text: strings.Repeat("long ", 1000), At: now - ui.Day}}}
	chat := chatOf(now)
	change(&chat)
	for _, model := range []any{&feedback, &signIn, &setup, &device, &settings, &security, &keyless, &confirm, &recovery, &reset, &members, &looking, &assign, &leaving, &invite} {
		change(model)
	}
	approved, denied, enter := device, device, device
	approved.State, denied.State, enter.State, enter.Faults = "approved", "denied", "", ui.Faults{"code": {Sentence: "Fault."}, "": {Sentence: "Fault."}}
	person := struct{ Name, Email string }{"Ada", "ada@example.org"}
	change(&person)
	notices, news := noticesOf(now), newsOf(now)
	change(&notices)
	change(&news)
	log := accountpages.Audit{Page: listquery.Page[accountpages.AuditRow]{Items: audit, Total: -1, Next: "1.."}, List: listview.Request{Here: "/w/acme/settings/audit"}}
	change(&log)
	pages := map[string]ui.Page{"audit": accountpages.AuditPage(ctx, site, log), "notifications": accountpages.NotificationsPage(ctx, alone, notices), "no notifications": accountpages.NotificationsPage(ctx, alone, accountpages.Notifications{Off: true}),
		"place confirmed": accountpages.ConfirmDestinationPage(ctx, "KEY", true), "place not confirmed": accountpages.ConfirmDestinationPage(ctx, "", false), "news": accountpages.NotificationListPage(ctx, site, news), "no news": accountpages.NotificationListPage(ctx, site, accountpages.NotificationList{}),
		"invite guessed": accountpages.SlowInvitePage(ctx, ui.Faults{"": {Sentence: "Fault."}})}
	for _, invite.State = range []string{"join", "accept", "member", "other", "unknown", "used", "revoked", "expired", "gone"} {
		pages["invite "+invite.State] = accountpages.InvitePage(ctx, alone, invite)
	}
	for _, service := range chat.Services {
		form := *chat.Adding
		form.Kind, chat.Adding = service, &form
		pages["chat "+service] = accountpages.ChatPage(ctx, site, chat)
	}
	maps.Copy(pages, map[string]ui.Page{
		"no chat": accountpages.ChatPage(ctx, site, accountpages.Chat{Text: accountpages.TextLevel{Level: "everywhere", Place: person.Name}}), "chat of an owner": accountpages.ChatPage(ctx, site, accountpages.Chat{Text: accountpages.TextLevel{Level: "link", Place: person.Name, Owner: true}}),
		"start": accountpages.StartPage(ctx, "figs.example", false), "fresh start": accountpages.StartPage(ctx, "figs.example", true), "sign-in": accountpages.SignInPage(ctx, signIn), "set-up": accountpages.SetupPage(ctx, setup), "dead set-up": accountpages.DeadSetupPage(ctx),
		"nowhere": accountpages.NoWorkspacePage(ctx, person.Name, person.Email), "device": accountpages.DevicePage(ctx, alone, device), "device approved": accountpages.DevicePage(ctx, alone, approved), "device denied": accountpages.DevicePage(ctx, alone, denied), "device code": accountpages.DevicePage(ctx, alone, enter),
		"settings": accountpages.SettingsPage(ctx, alone, settings), "no settings": accountpages.SettingsPage(ctx, alone, accountpages.Settings{Person: person.Name, Email: person.Email}),
		"signing in": accountpages.SecurityPage(ctx, alone, security), "signing in without a password": accountpages.SecurityPage(ctx, alone, keyless), "confirm": accountpages.ConfirmPage(ctx, confirm), "confirm elsewhere": accountpages.ConfirmPage(ctx, accountpages.Confirm{Again: "/sign-in?again=1"}),
		"recovery": accountpages.RecoveryPage(ctx, recovery), "recovery codes": accountpages.RecoveryCodesPage(ctx, alone, codes), "reset": accountpages.ResetPage(ctx, reset), "dead reset": accountpages.DeadResetPage(ctx, accountpages.Reset{Faults: ui.Faults{"": {Sentence: "Fault."}}}),
		"remove": accountpages.ChangeMemberPage(ctx, site, leaving), "leave": accountpages.ChangeMemberPage(ctx, site, accountpages.ChangeMember{Key: leaving.Key, Person: leaving.Person, Self: true}), "demote": accountpages.ChangeMemberPage(ctx, site, accountpages.ChangeMember{Key: leaving.Key, Person: leaving.Person, Role: "viewer"}),
		"members": accountpages.MembersPage(ctx, site, members), "members for a viewer": accountpages.MembersPage(ctx, site, looking), "assign": accountpages.AssignPage(ctx, site, assign),
		"feedback": accountpages.FeedbackPage(ctx, site, feedback), "no feedback": accountpages.FeedbackPage(ctx, site, accountpages.Feedback{}),
	})
	return pages
}

func drawnPage(t *testing.T, ctx context.Context, p ui.Page) string {
	t.Helper()
	var b strings.Builder
	if err := p.Body.Render(templ.ClearChildren(ctx), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// typedWords are what the forms of the tests hold that is no sentence of ours.
var typedWords = strings.NewReplacer(">English<", "><", ">Deutsch<", "><", "Fault.", "", "figs_secret", "", "https://figs.example/invite?key=KEY", "", "✓", "", "ᴍʙ", "", "ᴍ", "", "ʙ", "", "†", "", "BCDF-GHJK", "", "figs-web admin member add --data DIR --workspace NAME --email ", "", " --role member", "")

func TestPeoplePagesAreSaid(t *testing.T) {
	ctx := translated()
	for name, page := range onPeople(ctx, func(any) {}) {
		checkSaid(t, name, typedWords.Replace(drawnPage(t, ctx, page)))
		if !strings.HasPrefix(page.Title, "⟦") {
			t.Errorf("%s: the title %q is not said", name, page.Title)
		}
	}
}

// ourWords are strings of the models that nobody types.
var ourWords = map[string]bool{"Key": true, "Services": true, "Level": true, "State": true, "Role": true, "Done": true, "Give": true, "Code": true, "Fresh": true, "About": true, "Action": true, "Slug": true, "Link": true, "InvitedRole": true, "AddRole": true, "Roles": true, "Mine": true, "Says": true, "Provider": true, "Next": true, "Host": true, "Goes": true, "Again": true, "Elsewhere": true}

func poisonModel(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		poisonModel(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			poisonModel(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !ourWords[v.Type().Field(i).Name] {
				poisonModel(v.Field(i))
			}
		}
	case reflect.String:
		if v.Type() == reflect.TypeFor[templ.SafeURL]() {
			return // the server's own, with what others wrote escaped
		}
		v.SetString(v.String() + poison)
	}
}

// withoutQuery is an address without the query of a list, which the person who looks has typed.
func withoutQuery(t *testing.T, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	values := u.Query()
	for name := range (listquery.Query{Filter: "x", Sort: "x", After: "x", Before: "x", Columns: []string{"x"}}).Values() {
		values.Del(name)
	}
	return u.Path + "?" + values.Encode()
}

// TestPeoplesWordsAreIsolated holds the pages on people to what holds for agents: what somebody
// else typed cannot become markup, or turn the words around it.
func TestPeoplesWordsAreIsolated(t *testing.T) {
	shown := 0
	for name, page := range onPeople(context.Background(), func(model any) { poisonModel(reflect.ValueOf(model)) }) {
		html := drawnPage(t, context.Background(), page)
		for n := range pagetest.Parse(t, html).Descendants() {
			if n.Data == "input" || n.Data == "b" && strings.Contains(html, "<b>ZQ") {
				continue // a field holds what was typed into it, as it is
			}
			for _, a := range n.Attr {
				if strings.Contains(a.Val, "\u202e") {
					t.Errorf("%s: <%s %s> holds a raw hidden character", name, n.Data, a.Key)
				}
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") || a.Key == "href" && strings.Contains(withoutQuery(t, a.Val), "ZQ") {
					t.Errorf("%s: <%s %s=%q>", name, n.Data, a.Key, a.Val)
				}
			}
		}
		shown += strings.Count(html, "ZQ")
		if strings.Contains(html, "<b>ZQ") {
			t.Errorf("%s: what somebody typed is markup", name)
		}
	}
	if shown < 40 {
		t.Errorf("only %d typed words were seen", shown)
	}
}
