package oidc

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Person is who somebody is to the provider.
type Person struct {
	Issuer, Subject string // together, and only together, they name one person for good
	Email           string // as the provider says it; ""
	Verified        bool   // the provider says that the address is theirs
	Name            string // ""
	Groups          []string
	Grouped         bool   // the provider said something about groups, if only that there are none
	Ungrouped       string // why Grouped is false though a claim is set, as a clause; "" otherwise
}

// claims are all that a token or the provider's page on the person says.
type claims map[string]json.RawMessage

// person reads the ID token, and asks the provider's userinfo endpoint for what is not in it.
func (p *Provider) person(ctx context.Context, at *found, f Flow, token *oauth2.Token, id *oidc.IDToken) (Person, error) {
	said := claims{}
	if err := id.Claims(&said); err != nil {
		return Person{}, bad("the ID token", err)
	}
	if f.Again && !again(said, f, p.config.Now()) {
		return Person{}, &Error{Code: "not_again", Sentence: "The sign-in provider didn't ask you to sign in again, so we couldn't confirm that it's you. Start again; if it keeps happening, tell the server's administrator."}
	}
	_, groups := said.groups(p.config.Groups)
	verified := p.config.verifiedClaim()
	if (said.text("email") == "" || said[verified] == nil || p.config.Groups != "" && !groups) && at.provider.UserInfoEndpoint() != "" {
		info, err := at.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil {
			return Person{}, down(bare(err))
		}
		more := claims{}
		if err := info.Claims(&more); err != nil || info.Subject != id.Subject {
			return Person{}, bad("the userinfo is about someone else", nil)
		}
		said.add(more, verified)
	}
	return p.personOf(id.Subject, said), nil
}

// personOf reads all that the provider said.
func (p *Provider) personOf(subject string, said claims) Person {
	x := Person{Issuer: p.config.Issuer, Subject: subject, Email: said.text("email"), Verified: said.yes(p.config.verifiedClaim()), Name: said.text("name")}
	if x.Name == "" {
		x.Name = said.text("preferred_username")
	}
	switch x.Groups, x.Grouped = said.groups(p.config.Groups); {
	case x.Grouped || p.config.Groups == "":
	case p.config.MissingIsNone && said.omit(p.config.Groups):
		x.Grouped = true
	default:
		x.Ungrouped = said.whyUngrouped(p.config.Groups).Found
	}
	return x
}

// again reports whether the person signed in since the flow was begun.
func again(said claims, f Flow, now time.Time) bool {
	var at float64
	if json.Unmarshal(said["auth_time"], &at) != nil {
		return false
	}
	when := time.Unix(int64(at), 0)
	return when.After(time.UnixMicro(f.Begun).Add(-skew)) && when.Before(now.Add(skew))
}

// add takes what the other says and c does not. An address and whether it is verified belong
// together: one is never taken without the other.
func (c claims) add(other claims, verified string) {
	if c["email"] == nil || c[verified] == nil && c.text("email") == other.text("email") {
		c["email"], c[verified] = other["email"], other[verified]
	}
	for name, value := range other {
		if _, had := c[name]; !had && name != "email" && name != verified {
			c[name] = value
		}
	}
}

func (c claims) text(name string) (s string) {
	if json.Unmarshal(c[name], &s) != nil {
		return ""
	}
	return s
}

// yes reports whether a claim is true. Some providers write it as a word or as the number 1.
func (c claims) yes(name string) bool {
	value := strings.Trim(string(c[name]), `"`)
	return value == "true" || value == "1"
}

// groups reads a list of names, or one name.
func (c claims) groups(name string) (groups []string, told bool) {
	value, ok := c.find(name)
	if !ok {
		return nil, false
	}
	if json.Unmarshal(value, &groups) == nil {
		return groups, true
	}
	var one string
	if json.Unmarshal(value, &one) == nil {
		return []string{one}, true
	}
	return nil, false
}
