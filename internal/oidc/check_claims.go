package oidc

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// ErrClaims means that a text is neither an ID token nor claims as JSON.
var ErrClaims = errors.New("oidc: it is neither an ID token nor a JSON object with claims")

// tokenForm is what an ID token looks like: a header, claims and a signature, maybe encrypted (five parts).
var tokenForm = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]*){2,4}$`)

// CheckClaims reads an ID token, or the claims of one as a provider's preview prints them, as a sign-in does. groups are
// those that settings give a role.
func (p *Provider) CheckClaims(ctx context.Context, text []byte, groups []string) (Person, Step, error) {
	s := Step{Name: "claims"}
	body := []byte(strings.TrimSpace(string(text)))
	var answer struct {
		IDToken string `json:"id_token"`
	}
	if json.Unmarshal(body, &answer) == nil && answer.IDToken != "" { // a whole answer of the token endpoint
		body = []byte(answer.IDToken)
	}
	if size := len(body); size > largestAnswer {
		s.fail("token_large", "Send fewer groups: only those of this application.", "this has %d bytes, and sign-ins read at most 1 MiB", size)
	}
	if tokenForm.Match(body) {
		payload, err := p.checkToken(ctx, &s, string(body))
		if err != nil {
			return Person{}, s, err
		}
		body = payload
	}
	said := claims{}
	if json.Unmarshal(body, &said) != nil || len(said) == 0 {
		return Person{}, s, ErrClaims
	}
	p.checkAudience(&s, said)
	who := p.personOf(said.text("sub"), said)
	p.checkPerson(&s, who)
	if p.config.Groups != "" {
		p.checkGroups(&s, said, who, groups)
	}
	return who, s, nil
}

// checkToken verifies an ID token with the provider's keys, apart from what belongs to one sign-in, and returns its
// claims.
func (p *Provider) checkToken(ctx context.Context, s *Step, raw string) (payload []byte, err error) {
	parts := strings.Split(raw, ".")
	if len(parts) != 3 {
		s.fail("token_encrypted", "Turn the encryption of ID tokens off for this client.", "the ID token is encrypted")
		return nil, ErrClaims
	}
	if payload, err = base64.RawURLEncoding.DecodeString(parts[1]); err != nil {
		return nil, ErrClaims
	}
	at, err := p.find(ctx, true)
	if err != nil {
		s.unknown("signature", "", "the ID token's signature was not checked, because the provider isn't reached")
		return payload, nil
	}
	ctx = p.client(ctx)
	_, err = at.verifier.Verify(ctx, raw)
	var expired *oidc.TokenExpiredError
	if errors.As(err, &expired) { // it is a copy, so that counts only where a sign-in finds it
		if _, again := at.provider.Verifier(&oidc.Config{ClientID: p.config.ClientID, SkipExpiryCheck: true}).Verify(ctx, raw); again == nil {
			s.ok("signature", "the provider's keys verify the ID token, which expired at %s", expired.Expiry.UTC().Format(time.RFC3339))
			return payload, nil
		}
	}
	if err != nil {
		s.fail("token_refused", "Use an ID token of this client, not an access token. If a sign-in gave it, compare issuer, client id, algorithms and clocks.", "a sign-in would refuse this token: %v", p.clocks(bare(err)))
		return payload, nil
	}
	s.ok("signature", "the provider's keys verify the ID token")
	return payload, nil
}

// checkAudience compares whom claims are from and for with the settings. Previews often leave that out.
func (p *Provider) checkAudience(s *Step, said claims) {
	if iss := said.text("iss"); iss != "" && iss != p.config.Issuer {
		s.fail("claims_issuer", "Use claims of the provider in --oidc-issuer.", "these claims are from %s", quoted(iss))
	}
	audience := []string{said.text("aud")}
	if said["aud"] != nil && audience[0] == "" {
		_ = json.Unmarshal(said["aud"], &audience)
	}
	if said["aud"] != nil && !slices.Contains(audience, p.config.ClientID) {
		s.fail("claims_audience", "Use an ID token of this client; access tokens are for others.", "these claims are for %s", quoted(strings.Join(audience, ", ")))
	}
}

// checkPerson looks at who it is.
func (p *Provider) checkPerson(s *Step, who Person) {
	switch {
	case who.Subject == "":
		s.fail("no_subject", "Use the claims of an ID token or of userinfo; every one has sub.", "there is no subject (sub), so a sign-in is refused")
	case len(who.Subject) > 255:
		s.fail("no_subject", "Let the provider send a shorter sub.", "the subject (sub) is longer than 255 bytes, so a sign-in is refused")
	default:
		s.ok("subject", "the subject is %s", quoted(who.Subject))
	}
	switch {
	case who.Email == "":
		s.warn("no_email", "Let the provider send the claim email, and request the scope email.", "there is no email address, so people without a linked account are refused")
	case !who.Verified:
		s.warn("unverified", "Let the provider verify addresses and send the claim as true, or name another with --oidc-verified-claim.", "the address %s isn't verified (%s is not true), so people without a linked account are refused", quoted(who.Email), p.config.verifiedClaim())
	default:
		s.ok("email", "the address %s is verified", quoted(who.Email))
	}
	if who.Name == "" {
		s.ok("no_name", "there is no name (name or preferred_username); new people are called by their address")
	} else {
		s.ok("name", "the name is %s", quoted(who.Name))
	}
}

// manyGroups is a number of groups at which providers begin to leave them out.
const manyGroups = 150

// checkGroups looks at the groups, and for those in the settings also elsewhere.
func (p *Provider) checkGroups(s *Step, said claims, who Person, wanted []string) {
	if !who.Grouped {
		f := said.whyUngrouped(p.config.Groups)
		f.Found += ", so roles stay as they are"
		s.add(f)
		said.suggest(s, p.config.Groups, wanted)
		return
	}
	size := 0
	for _, g := range who.Groups {
		size += len(g)
	}
	switch n := len(who.Groups); {
	case n > manyGroups:
		s.warn("groups_many", "Send only the groups of this application; providers leave the claim out when there are too many (Entra: 200 in a token).", "the claim %s lists %d groups, %d KB in all", p.config.Groups, n, size/1000)
	case n == 0 && said.omit(p.config.Groups):
		s.warn("groups_none", "Send the claim, if the person is in a group.", "there is no claim %s, which means no group (--oidc-missing-groups-mean-none): the person loses the roles in every workspace that --oidc-role names", p.config.Groups)
	case n == 0:
		s.warn("groups_none", "Put the person into a group, or check the provider's filter for groups.", "the claim %s lists no groups, so the person loses the roles in every workspace that --oidc-role names", p.config.Groups)
	default:
		s.ok("groups", "the claim %s lists %s: %s", p.config.Groups, plural(n, "group"), shortList(who.Groups))
	}
	if !slices.ContainsFunc(wanted, func(g string) bool { return slices.Contains(who.Groups, g) }) {
		near(s, who.Groups, wanted)
		said.suggest(s, p.config.Groups, wanted)
	}
}

// near names groups that differ from one in the settings only in case or in a path.
func near(s *Step, groups, wanted []string) {
	for _, w := range wanted {
		for _, g := range groups {
			last := g[strings.LastIndex(g, "/")+1:]
			switch {
			case g == w:
			case strings.EqualFold(g, w):
				s.warn("group_case", "Write it in --oidc-role as the provider does.", "the group %s differs from %s only in case, so it gives no role", quoted(g), quoted(w))
			case last == w:
				s.warn("group_path", "Use the whole path in --oidc-role, or turn \"Full group path\" off at the provider.", "the group %s is a path, so %s doesn't match it", quoted(g), quoted(w))
			}
		}
	}
}

// suggest names other claims that list a group of the settings.
func (c claims) suggest(s *Step, claim string, wanted []string) {
	lists := c.lists("", 2)
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		for _, w := range wanted {
			if name != claim && slices.Contains(lists[name], w) {
				s.warn("groups_elsewhere", "Use --oidc-groups-claim "+name+".", "the claim %s lists %s", name, quoted(w))
				break
			}
		}
	}
}

// shortList are some of the names.
func shortList(names []string) string {
	const most = 10
	var words []string
	for i, n := range names {
		if i == most {
			return strings.Join(words, ", ") + fmt.Sprintf(" and %d more", len(names)-most)
		}
		words = append(words, quoted(n))
	}
	return strings.Join(words, ", ")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
