package components

import (
	"context"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/a-h/templ"
)

// onPeople are all pages on people, in all their states; change may alter every model before it
// is shown.
func onPeople(ctx context.Context, change func(any)) map[string]Page {
	site := acmeSite("settings")
	alone := site
	alone.Shell = nil
	now := site.Now
	rows := []MemberRow{
		{Key: "u1", Person: "Ada", Email: "ada@example.org", Role: "owner", Since: now - day, Me: true, Remove: true},
		{Key: "u2", Person: "Bob", Email: "bob@example.org", Role: "viewer", Since: now - hour, Change: true, Remove: true},
	}
	var audit []AuditRow
	for action := range auditSentences {
		audit = append(audit, AuditRow{At: now, By: "Ada", Action: action, Whom: "Bob", What: "admin", Too: "Eve"})
	}
	audit = append(audit, AuditRow{At: now, By: "Ada", Action: "decision.make", Whom: "Closer", What: "Pay the invoice?", To: "/w/acme/agents/a1/asks/q1"})
	audit = append(audit, AuditRow{At: now, Action: "member.set", Whom: "Bob", What: "owner"}, AuditRow{At: now, By: "Ada", Action: "something.new"})
	signIn := SignIn{Email: "ada@example.org", Next: "/settings", Faults: Faults{"": "Fault.", "email": "Fault.", "password": "Fault."}}
	setup := Setup{Key: "KEY", Person: "Ada", Email: "a", Place: "Acme", Slug: "acme", About: "figs.example/w/", Faults: Faults{"name": "Fault.", "slug": "Fault."}}
	device := Device{State: "ask", Code: "BCDF-GHJK", Agent: "figs/1.2", Address: "192.0.2.1", Asked: now, Person: "Ada", Email: "ada@example.org"}
	settings := Settings{Person: "Ada", Email: "ada@example.org", Places: []MyPlace{{Place{"acme", "Acme"}, "owner"}}, Done: "name", Faults: Faults{"": "Fault.", "name": "Fault."}}
	security := Security{Email: "ada@example.org", Agent: "Firefox/140 Linux", Password: true, Works: true, KeyName: "phone", Done: "key", Faults: Faults{"": "Fault.", "old": "Fault.", "key": "Fault."},
		Passkeys: []MyPasskey{{Key: "k1", Called: "laptop", Created: now - day}, {Key: "k2", Called: "phone", Created: now - day, Used: now}}, Recovery: RecoveryLeft{Left: 2, Of: 10, Made: now - day}}
	for _, way := range []string{"password", "passkey", "recovery", "provider", "proxy", "link"} {
		security.Sessions = append(security.Sessions, MySession{Key: "s", Agent: "Firefox/140 Linux", Address: "192.0.2.1", Way: way, Created: now - day, Used: now, Here: way == "password"})
	}
	keyless := Security{Email: "ada@example.org", Elsewhere: "http://localhost:8080"}
	confirm := Confirm{Goes: "/settings/passkeys", Fields: []HiddenField{{"note", "typed"}}, Email: "ada@example.org", Password: true, Passkey: true, Faults: Faults{"": "Fault.", "confirm_password": "Fault."}}
	recovery := Recovery{Email: "ada@example.org", Next: "/settings", Faults: Faults{"": "Fault."}}
	codes := RecoveryCodes{Codes: []string{"BCDF-GHJK"}, Email: "ada@example.org", Host: "figs.example"}
	reset := Reset{Key: "KEY", Email: "ada@example.org", Faults: Faults{"password": "Fault."}}
	members := Members{Rows: rows, Give: []string{"owner", "admin", "member", "viewer"}, Audit: audit, Audits: true, Feedback: 2, Done: "role", Faults: Faults{"": "Fault.", "email": "Fault."}, Email: "x"}
	members.Invite, members.Mails, members.Invited, members.InvitedRole = true, true, "cy@example.org", "viewer"
	members.Invites = []InviteRow{{Key: "i1", Role: "member", By: "Ada", Email: "cy@example.org", Since: now, Until: now + day}, {Key: "i2", Role: "viewer", Since: now, Until: now + day}}
	members.Fresh = &FreshInvite{Link: "https://figs.example/invite?key=KEY", Role: "member", Email: "cy@example.org", Until: now + day, Unsent: true}
	members.Roles, members.Mine = []string{"owner", "admin", "member", "viewer"}, "admin"
	members.Rules = []RoleRule{{Says: "Read everything here", May: []bool{true, true, true, true}, Manager: make([]bool, 4), Builder: make([]bool, 4)},
		{Says: "Archive an agent", StepUp: true, May: []bool{true, true, false, false}, Manager: []bool{false, false, true, false}, Builder: []bool{false, false, true, true}}}
	looking := Members{Rows: rows}
	invite := Invite{Key: "KEY", Workspace: Place{"acme", "Acme"}, Role: "member", By: "Ada", Until: now + day, For: "cy@example.org", Person: "Bob", Email: "bob@example.org", Name: "Cy", Provider: "Acme Login", Faults: Faults{"": "Fault.", "email": "Fault."}}
	assign := Assign{Key: "a1", Agent: "Closer", Manager: "u1", Rows: rows, Faults: Faults{"": "Fault."}}
	leaving := ChangeMember{Key: "u2", Person: "Bob", Agents: []AnsweredAgent{{Name: "Closer", Key: "a1", Manager: true, Asks: []string{"Pay the invoice?"}, More: true}, {Name: "Reader", Key: "a2", Builder: true}, {Name: "Sender", Key: "a3", Manager: true, Builder: true}}}
	feedback := Feedback{From: 1, Total: 9, Size: 1, Removes: true, Done: "feedback", Items: []FeedbackRow{
		{Key: "f1", Who: "Bob", Tool: "figs-web", Version: "1.2", Context: "ls /agents", Text: "It broke.\nTwice.", At: now}, {Key: "f2", Who: "Bob", Text: strings.Repeat("long ", 1000), At: now - day}}}
	for _, model := range []any{&feedback, &signIn, &setup, &device, &settings, &security, &keyless, &confirm, &recovery, &reset, &members, &looking, &assign, &leaving, &invite} {
		change(model)
	}
	approved, denied, enter := device, device, device
	approved.State, denied.State, enter.State, enter.Faults = "approved", "denied", "", Faults{"code": "Fault.", "": "Fault."}
	person := struct{ Name, Email string }{"Ada", "ada@example.org"}
	change(&person)
	notices, news := noticesOf(now), newsOf(now)
	change(&notices)
	change(&news)
	pages := map[string]Page{"notifications": NotificationsPage(ctx, alone, notices), "no notifications": NotificationsPage(ctx, alone, Notifications{Off: true}),
		"place confirmed": ConfirmPlacePage(ctx, "KEY", true), "place not confirmed": ConfirmPlacePage(ctx, "", false), "news": NewsPage(ctx, site, news), "no news": NewsPage(ctx, site, News{}),
		"invite guessed": SlowInvitePage(ctx, Faults{"": "Fault."})}
	for _, invite.State = range []string{"join", "accept", "member", "other", "unknown", "used", "revoked", "expired", "gone"} {
		pages["invite "+invite.State] = InvitePage(ctx, alone, invite)
	}
	maps.Copy(pages, map[string]Page{
		"start": StartPage(ctx, "figs.example", false), "fresh start": StartPage(ctx, "figs.example", true), "sign-in": SignInPage(ctx, signIn), "set-up": SetupPage(ctx, setup), "dead set-up": DeadSetupPage(ctx),
		"nowhere": NoWorkspacePage(ctx, person.Name, person.Email), "device": DevicePage(ctx, alone, device), "device approved": DevicePage(ctx, alone, approved), "device denied": DevicePage(ctx, alone, denied), "device code": DevicePage(ctx, alone, enter),
		"settings": SettingsPage(ctx, alone, settings), "no settings": SettingsPage(ctx, alone, Settings{Person: person.Name, Email: person.Email}),
		"signing in": SecurityPage(ctx, alone, security), "signing in without a password": SecurityPage(ctx, alone, keyless), "confirm": ConfirmPage(ctx, confirm), "confirm elsewhere": ConfirmPage(ctx, Confirm{Again: "/sign-in?again=1"}),
		"recovery": RecoveryPage(ctx, recovery), "recovery codes": RecoveryCodesPage(ctx, alone, codes), "reset": ResetPage(ctx, reset), "dead reset": DeadResetPage(ctx, Reset{Faults: Faults{"": "Fault."}}),
		"remove": ChangeMemberPage(ctx, site, leaving), "leave": ChangeMemberPage(ctx, site, ChangeMember{Key: leaving.Key, Person: leaving.Person, Self: true}), "demote": ChangeMemberPage(ctx, site, ChangeMember{Key: leaving.Key, Person: leaving.Person, Role: "viewer"}),
		"members": MembersPage(ctx, site, members), "members for a viewer": MembersPage(ctx, site, looking), "assign": AssignPage(ctx, site, assign),
		"feedback": FeedbackPage(ctx, site, feedback), "no feedback": FeedbackPage(ctx, site, Feedback{}), "feedback past its end": FeedbackPage(ctx, site, Feedback{From: 50, Total: 3, Size: 50}),
	})
	return pages
}

func drawnPage(t *testing.T, ctx context.Context, p Page) string {
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
var ourWords = map[string]bool{"Key": true, "State": true, "Role": true, "Done": true, "Give": true, "Code": true, "Fresh": true, "About": true, "Action": true, "Slug": true, "Link": true, "InvitedRole": true, "AddRole": true, "Roles": true, "Mine": true, "Says": true, "Provider": true, "Next": true, "Host": true, "Goes": true, "Again": true, "Elsewhere": true}

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

// TestPeoplesWordsAreIsolated holds the pages on people to what holds for agents: what somebody
// else typed cannot become markup, or turn the words around it.
func TestPeoplesWordsAreIsolated(t *testing.T) {
	shown := 0
	for name, page := range onPeople(context.Background(), func(model any) { poisonModel(reflect.ValueOf(model)) }) {
		html := drawnPage(t, context.Background(), page)
		for n := range parse(t, html).Descendants() {
			if n.Data == "input" || n.Data == "b" && strings.Contains(html, "<b>ZQ") {
				continue // a field holds what was typed into it, as it is
			}
			for _, a := range n.Attr {
				if strings.Contains(a.Val, "\u202e") {
					t.Errorf("%s: <%s %s> holds a raw hidden character", name, n.Data, a.Key)
				}
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") || a.Key == "href" && strings.Contains(a.Val, "ZQ") {
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

func TestAddressInCommand(t *testing.T) {
	for email, want := range map[string]string{"ada+x@example.org": "ada+x@example.org", "a;rm -rf@x": "ADDRESS", "a\u202e@x": "ADDRESS", "jörg@example.org": "ADDRESS", "$(x)@y": "ADDRESS"} {
		if got := inCommand(email); got != want {
			t.Errorf("inCommand(%q) = %q, want %q", email, got, want)
		}
	}
}

func TestBrowserNames(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36":                     "Chrome on Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0": "Edge on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15":     "Safari on macOS",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/604.1": "Safari on iPhone",
		"Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0":                                                      "Firefox on Android",
		"curl/8.5.0": "curl", "": "A browser", "evil\u202e": "A browser",
	} {
		if got := browserName(context.Background(), agent); got != want {
			t.Errorf("browserName(%q) = %q, want %q", agent, got, want)
		}
	}
}
