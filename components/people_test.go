package components

import (
	"context"
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
	audit = append(audit, AuditRow{At: now, Action: "member.set", Whom: "Bob", What: "owner"}, AuditRow{At: now, By: "Ada", Action: "something.new"})
	signIn := SignIn{Email: "ada@example.org", Next: "/settings", Faults: Faults{"": "Fault.", "email": "Fault.", "password": "Fault."}}
	setup := Setup{Key: "KEY", Person: "Ada", Email: "a", Place: "Acme", Slug: "acme", About: "figs.example/w/", Faults: Faults{"name": "Fault.", "slug": "Fault."}}
	device := Device{State: "ask", Code: "BCDF-GHJK", Agent: "figs/1.2", Address: "192.0.2.1", Asked: now, Person: "Ada", Email: "ada@example.org"}
	settings := Settings{
		Person: "Ada", Email: "ada@example.org", Places: []MyPlace{{Place{"acme", "Acme"}, "owner"}}, Fresh: "figs_secret", Done: "name", TokenName: "x", Faults: Faults{"": "Fault.", "token": "Fault."},
		Sessions: []MySession{{Key: "s1", Agent: "Firefox/140 Linux", Created: now - day, Used: now, Here: true}, {Key: "s2", Agent: "nonsense", Created: now, Used: now}},
		Tokens:   []MyToken{{Key: "t1", Called: "ci", Created: now - day}, {Key: "t2", Called: "old", Created: now - day, Used: now, Revoked: now}, {Key: "t3", Called: "used", Created: now - day, Used: now}},
	}
	members := Members{Rows: rows, Give: []string{"owner", "admin", "member", "viewer"}, Audit: audit, Audits: true, Feedback: 2, Done: "role", Faults: Faults{"": "Fault.", "email": "Fault."}, Called: "Acme", Email: "x"}
	looking := Members{Rows: rows}
	assign := Assign{Key: "a1", Agent: "Closer", Manager: "u1", Rows: rows, Faults: Faults{"": "Fault."}}
	feedback := Feedback{From: 1, Total: 9, Size: 1, Removes: true, Done: "feedback", Items: []FeedbackRow{
		{Key: "f1", Who: "Bob", Tool: "figs-web", Version: "1.2", Context: "ls /agents", Text: "It broke.\nTwice.", At: now}, {Key: "f2", Who: "Bob", Text: strings.Repeat("long ", 1000), At: now - day}}}
	for _, model := range []any{&feedback, &signIn, &setup, &device, &settings, &members, &looking, &assign} {
		change(model)
	}
	approved, denied, enter := device, device, device
	approved.State, denied.State, enter.State, enter.Faults = "approved", "denied", "", Faults{"code": "Fault.", "": "Fault."}
	person := struct{ Name, Email string }{"Ada", "ada@example.org"}
	change(&person)
	return map[string]Page{
		"start": StartPage(ctx, "figs.example"), "sign-in": SignInPage(ctx, signIn), "set-up": SetupPage(ctx, setup), "dead set-up": DeadSetupPage(ctx),
		"nowhere": NoWorkspacePage(ctx, person.Name, person.Email), "device": DevicePage(ctx, alone, device), "device approved": DevicePage(ctx, alone, approved), "device denied": DevicePage(ctx, alone, denied), "device code": DevicePage(ctx, alone, enter),
		"settings": SettingsPage(ctx, alone, settings), "no settings": SettingsPage(ctx, alone, Settings{Person: person.Name, Email: person.Email}),
		"members": MembersPage(ctx, site, members), "members for a viewer": MembersPage(ctx, site, looking), "assign": AssignPage(ctx, site, assign),
		"feedback": FeedbackPage(ctx, site, feedback), "no feedback": FeedbackPage(ctx, site, Feedback{}), "feedback past its end": FeedbackPage(ctx, site, Feedback{From: 50, Total: 3, Size: 50}),
	}
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
var typedWords = strings.NewReplacer("Fault.", "", "figs_secret", "", "BCDF-GHJK", "", "figs-web admin member add --data DIR --workspace NAME --email ", "", " --role member", "")

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
var ourWords = map[string]bool{"Key": true, "State": true, "Role": true, "Done": true, "Give": true, "Code": true, "Fresh": true, "About": true, "Action": true, "Slug": true, "Next": true, "Host": true}

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
