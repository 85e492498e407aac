package oidc

import (
	"encoding/json"
	"strings"
)

func (c Config) verifiedClaim() string {
	if c.Verified == "" {
		return "email_verified"
	}
	return c.Verified
}

// omit reports whether the claim that lists groups is missing because the person is in none. A claim that can't be read
// isn't missing. Nor is one that is kept elsewhere: Microsoft Entra names it in _claim_names, or sends hasgroups, if the
// person is in too many groups for a token.
func (c claims) omit(name string) bool {
	first, rest, deeper := strings.Cut(name, ".")
	inner, elsewhere := claims{}, claims{}
	_ = json.Unmarshal(c["_claim_names"], &elsewhere)
	switch {
	case name == "" || c[name] != nil || elsewhere[name] != nil || c.yes("hasgroups"):
		return false
	case deeper && c[first] != nil:
		return json.Unmarshal(c[first], &inner) == nil && inner.omit(rest)
	}
	return true
}
