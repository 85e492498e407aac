package accountpages

import (
	"context"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/components/ui"
)

// Security is how a person signs in, and where they are signed in.
type Security struct {
	Identities  Identities
	Email       string
	Agent       string // the browser's own words, to name a new passkey by
	Password    bool   // they have one
	Works       bool   // passkeys work under the address of the server
	Elsewhere   string // the same server where they do; "": nowhere
	Passkeys    []PasskeyRow
	KeyName     string // as typed
	Making      bool   // the proof that making a passkey takes was given just now, so it goes on
	Recovery    RecoveryLeft
	Sessions    []SessionRow
	SessionList listview.Request
	Done        string    // the URL's "notice": what a form has just done
	Faults      ui.Faults // "old", "password", "key", ""
}

// PasskeyRow is a key that one of a person's devices holds.
type PasskeyRow struct {
	Key, Called   string
	Created, Used int64 // Used 0: never
}

// RecoveryLeft is how many codes from paper are good.
type RecoveryLeft struct {
	Left, Of int
	Made     int64 // 0: there are none
}

// sessionColumns is the list of a person's sessions, with what they may do.
func sessionColumns(ctx context.Context) *listview.List[SessionRow] {
	l := SessionList(ctx)
	l.Columns[0].Cell, l.Actions = sessionName, sessionActions
	return l
}

// SessionList is the list of the browsers in which a person is signed in.
func SessionList(ctx context.Context) *listview.List[SessionRow] {
	return &listview.List[SessionRow]{
		Name: "sessions", Title: i18n.Say(ctx, "Active sessions"), Default: "-seen",
		ID: func(r *SessionRow) string { return r.Key },
		Columns: []listview.Column[SessionRow]{
			listview.Text("browser", i18n.Say(ctx, "Browser"), func(r *SessionRow) string { return r.Agent }),
			listview.Word("method", i18n.Say(ctx, "Signed in"), func(r *SessionRow) string { return r.Way }, wayWords),
			listview.Text("address", i18n.Say(ctx, "Address"), func(r *SessionRow) string { return r.Address }),
			listview.Time("since", i18n.Say(ctx, "Since"), func(r *SessionRow) int64 { return r.Created }),
			listview.Time("seen", i18n.Say(ctx, "Last seen"), func(r *SessionRow) int64 { return r.Used }),
		},
	}
}

// SecurityPage is the page of one's own settings on signing in.
func SecurityPage(ctx context.Context, site ui.Site, m Security) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Sign-in"), Body: securityPage(site, m)}
}

// Recovery is where somebody signs in with a code from paper.
type Recovery struct {
	Email, Next string // as typed
	Faults      ui.Faults
}

// RecoveryPage is its page.
func RecoveryPage(ctx context.Context, m Recovery) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Sign in with a recovery code"), Body: recoveryPage(m)}
}

// RecoveryCodes are new ones, which are shown this once.
type RecoveryCodes struct {
	Codes       []string
	Email, Host string // whose they are, and of which server
}

// RecoveryCodesPage is where they are shown.
func RecoveryCodesPage(ctx context.Context, site ui.Site, m RecoveryCodes) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Your recovery codes"), Body: recoveryCodesPage(site, m)}
}

// text is what is copied and kept.
func (m RecoveryCodes) text(ctx context.Context) string {
	return i18n.Say(ctx, "Recovery codes for %s at %s. Each code works once.", m.Email, m.Host) + "\n\n" + strings.Join(m.Codes, "\n") + "\n"
}

// file is the address of the codes as a file: the page itself holds it.
func (m RecoveryCodes) file(ctx context.Context) templ.SafeURL {
	return templ.SafeURL("data:text/plain;charset=utf-8," + url.PathEscape(m.text(ctx)))
}

// Reset is what the page of a reset link shows.
type Reset struct {
	Key, Email string
	Faults     ui.Faults // "password", ""
}

// ResetPage is where somebody who had lost every way in sets a new password.
func ResetPage(ctx context.Context, m Reset) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Set a new password"), Body: resetPage(m)}
}

// DeadResetPage is what a reset link leads to that is not good.
func DeadResetPage(ctx context.Context, m Reset) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "This link doesn't work"), Body: deadResetPage(m)}
}

// wayWords says how somebody signed in.
func wayWords(ctx context.Context, way string) string {
	switch way {
	case "passkey":
		return i18n.Say(ctx, "with a passkey")
	case "recovery":
		return i18n.Say(ctx, "with a recovery code")
	case "provider":
		return i18n.Say(ctx, "with the sign-in provider")
	case "proxy":
		return i18n.Say(ctx, "through the proxy")
	case "setup":
		return i18n.Say(ctx, "with the set-up link")
	case "invite":
		return i18n.Say(ctx, "with an invite")
	case "link":
		return i18n.Say(ctx, "with a password reset link")
	}
	return i18n.Say(ctx, "with a password")
}

// keyName is what a new passkey is called unless somebody calls it otherwise.
func keyName(ctx context.Context, m Security) string {
	if m.KeyName != "" {
		return m.KeyName
	}
	return browserNamed(ctx, m.Agent)
}

// keySays are the sentences that a script may have to say about passkeys.
func keySays(ctx context.Context) templ.Attributes {
	return templ.Attributes{
		"data-says-no":    i18n.Say(ctx, "No passkey was used. Try again, or choose another option."),
		"data-says-held":  i18n.Say(ctx, "This device already has one of your passkeys."),
		"data-says-gone":  i18n.Say(ctx, "The server didn't respond. Try again in a moment."),
		"data-says-never": i18n.Say(ctx, "This browser can't create a passkey here. Try another browser."),
	}
}

// signInLink leads to the sign-in page, and from there on.
func signInLink(next string) templ.SafeURL {
	if next == "" {
		return "/sign-in"
	}
	return templ.SafeURL("/sign-in?" + url.Values{"next": {next}}.Encode())
}

// recoveryLink leads to where one signs in with a code from paper.
func recoveryLink(next string) templ.SafeURL {
	if next == "" {
		return "/sign-in/recovery"
	}
	return templ.SafeURL("/sign-in/recovery?" + url.Values{"next": {next}}.Encode())
}
