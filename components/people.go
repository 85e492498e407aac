package components

import (
	"context"

	"github.com/a-h/templ"
)

// Page is a page on people, outside of any journal: what stands on its tab, and what on it.
type Page struct {
	Title string
	Body  templ.Component
}

// Faults are what is wrong with the fields of a form, by their names; "" is about the whole of it.
type Faults map[string]string

// field is one line of a form with what was typed into it.
type field struct {
	key   string // its name in the form
	label string
	sort  string // "text", "email", "password"
	typed string
	help  string
	fault string
	fill  string // what browsers may fill in: the autocomplete attribute
	most  string // characters that it takes at most; "" is not said
	may   bool   // it may stay empty
}

// attributes are those of the field's <input>. What was wrong or helps is read out with it.
func (f field) attributes() templ.Attributes {
	a := templ.Attributes{"id": "f-" + f.key, "name": f.key, "type": f.sort, "autocomplete": f.fill, "required": !f.may}
	if f.most != "" {
		a["maxlength"] = f.most
	}
	if f.sort != "password" {
		a["value"] = f.typed
	}
	if f.sort == "email" {
		a["autocapitalize"], a["spellcheck"] = "none", "false"
	}
	described := ""
	if f.fault != "" {
		a["aria-invalid"], described = "true", "w-"+f.key
	}
	if f.help != "" {
		described += " h-" + f.key
	}
	if described != "" {
		a["aria-describedby"] = described
	}
	return a
}

// SignIn is what the sign-in page shows.
type SignIn struct {
	Host   string // of the server
	Email  string // as it was typed
	Next   string // where to go afterwards; "" is the start
	Faults Faults
}

// SignInPage is where people give their e-mail address and password.
func SignInPage(ctx context.Context, m SignIn) Page { return Page{say(ctx, "Sign in"), signInPage(m)} }

// StartPage is what a visitor sees who is not signed in: the two doors of a hosted reader.
func StartPage(ctx context.Context, host string) Page {
	return Page{say(ctx, "Welcome"), startPage(host)}
}

// NoWorkspacePage is for somebody who belongs to no workspace.
func NoWorkspacePage(ctx context.Context, name, email string) Page {
	return Page{say(ctx, "No workspace yet"), noWorkspacePage(name, email)}
}

// Setup is what the page of a set-up link shows.
type Setup struct {
	Key                               string
	Person, Email, Place, Slug, About string // as typed; About is where workspaces have their addresses
	Faults                            Faults
}

// SetupPage is where the first person makes an account and a workspace.
func SetupPage(ctx context.Context, m Setup) Page { return Page{say(ctx, "Set up"), setupPage(m)} }

// DeadSetupPage is what a set-up link leads to that is not good.
func DeadSetupPage(ctx context.Context) Page {
	return Page{say(ctx, "This link is not good"), deadSetupPage()}
}
