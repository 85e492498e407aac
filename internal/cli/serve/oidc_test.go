package serve

import (
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/provision"
	"github.com/figs-web/figs-web/internal/store"
)

func TestOIDCFlags(t *testing.T) {
	good := func(change func(*OIDCFlags)) OIDCFlags {
		f := OIDCFlags{OIDCIssuer: "https://id.example.com/realms/acme", OIDCClientID: "figs"}
		change(&f)
		return f
	}
	if x, err := (OIDCFlags{}).check(); x != nil || err != nil {
		t.Errorf("no flag: %v, %v", x, err)
	}
	x, err := good(func(f *OIDCFlags) {
		f.OIDCLinkDomains, f.OIDCRole = []string{"@Acme.Example"}, []string{"figs-admins=acme:admin", "cn=all,ou=x=free:viewer", "cn=a,ou=b=acme:member, staff=acme:viewer,\nheads=acme:owner\n"}
	}).check()
	want := &handlers.OIDC{Rules: provision.Rules{LinkDomains: []string{"acme.example"}, Roles: []handlers.GroupRole{{Group: "figs-admins", Workspace: "acme", Role: store.Admin}, {Group: "cn=all,ou=x", Workspace: "free", Role: store.Viewer}, {Group: "cn=a,ou=b", Workspace: "acme", Role: store.Member}, {Group: "staff", Workspace: "acme", Role: store.Viewer}, {Group: "heads", Workspace: "acme", Role: store.Owner}}}}
	if err != nil || !reflect.DeepEqual(x, want) {
		t.Errorf("%+v, %v; want %+v", x, err, want)
	}
	for says, f := range map[string]OIDCFlags{
		"need --oidc-issuer":                     {OIDCProvision: true},
		"--oidc flags need --oidc-issuer":        {OIDCClaimFlags: OIDCClaimFlags{OIDCMissingGroupsMeanNone: true}},
		"needs --oidc-client-id":                 {OIDCIssuer: "https://id.example.com"},
		"is not an issuer URL":                   good(func(f *OIDCFlags) { f.OIDCIssuer = "http://id.example.com" }),
		"is not a domain":                        good(func(f *OIDCFlags) { f.OIDCLinkDomains = []string{"acme"} }),
		`"staff" does not map a group`:           good(func(f *OIDCFlags) { f.OIDCRole = []string{"staff"} }),
		`"=acme:admin" does not map a group`:     good(func(f *OIDCFlags) { f.OIDCRole = []string{"=acme:admin"} }),
		`"staff=acme:king" does not map a group`: good(func(f *OIDCFlags) { f.OIDCRole = []string{"staff=acme:king"} }),
	} {
		if x, err := f.check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %+v, %v", says, x, err)
		}
	}
}

// TestOIDCArgs holds admin oidc test to every setting of serve.
func TestOIDCArgs(t *testing.T) {
	flags, want := OIDCFlags{}, 0
	var fill func(reflect.Value)
	fill = func(v reflect.Value) {
		for i := range v.NumField() {
			want++
			switch f := v.Field(i); f.Kind() {
			case reflect.Struct:
				want--
				fill(f)
			case reflect.Bool:
				f.SetBool(true)
			case reflect.String:
				f.SetString("https://id.example.com")
			default:
				f.Set(reflect.ValueOf([]string{"a.example"}))
			}
		}
	}
	fill(reflect.ValueOf(&flags).Elem())
	var g serving
	parser, err := kong.New(&g)
	if err != nil {
		t.Fatal(err)
	}
	if args := flags.args(); len(args) != want {
		t.Errorf("%d flags of %d: %q", len(args), want, args)
	} else if _, err := parser.Parse(append([]string{"serve"}, args...)); err != nil || !reflect.DeepEqual(g.Serve.OIDCFlags, flags) {
		t.Errorf("%+v, %v; want %+v", g.Serve.OIDCFlags, err, flags)
	}
}

func TestHeaderFlags(t *testing.T) {
	if x, err := (headerFlags{}).header(); x != nil || err != nil {
		t.Errorf("no flag: %v, %v", x, err)
	}
	if x, err := (headerFlags{SignInHeader: "X-Forwarded-User", SignInHeaderFrom: []string{"127.0.0.1", "10.0.0.0/8"}}).header(); err != nil || len(x.From) != 2 {
		t.Errorf("%+v, %v", x, err)
	}
	for says, f := range map[string]headerFlags{
		"need --sign-in-header":             {SignInHeaderProvision: true},
		"needs --sign-in-header-from":       {SignInHeader: "X-Forwarded-User"},
		"is not a header name":              {SignInHeader: "X Forwarded", SignInHeaderFrom: []string{"127.0.0.1"}},
		"neither an IP address nor a range": {SignInHeader: "X-User", SignInHeaderFrom: []string{"proxy"}},
		"allows every address":              {SignInHeader: "X-User", SignInHeaderFrom: []string{"0.0.0.0/0"}},
	} {
		if x, err := f.header(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %+v, %v", says, x, err)
		}
	}
}
