package oidc

import (
	"encoding/json"
	"testing"
)

// TestVerifiedClaim believes the claim that the settings name and no other, as Microsoft Entra writes it.
func TestVerifiedClaim(t *testing.T) {
	at, _ := newProvider(t)
	p := config(t, at, func(c *Config) { c.Verified = "xms_edov" })
	at.Info = map[string]any{"email": "ada@example.org", "email_verified": true}
	for value, want := range map[any]bool{true: true, "true": true, "1": true, 1: true, false: false, "0": false, 0: false, "yes": false, nil: false} {
		at.Claims = map[string]any{"email_verified": true, "xms_edov": value}
		if got, err := through(t, p, false); err != nil || got.Verified != want || got.Email != "ada@example.org" {
			t.Errorf("%v: %+v, %v", value, got, err)
		}
	}
	// What userinfo says of another address verifies nothing.
	at.Claims, at.Info = map[string]any{"email": "root@example.org"}, map[string]any{"email": "ada@example.org", "xms_edov": true}
	if got, err := through(t, p, false); err != nil || got.Verified {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestMissingGroups tells people without groups from groups that can't be read or are kept elsewhere.
func TestMissingGroups(t *testing.T) {
	for _, test := range []struct {
		claims, name string
		none         bool
	}{
		{`{}`, "groups", true},
		{`{}`, "realm_access.roles", true},
		{`{"realm_access": {}}`, "realm_access.roles", true},
		{`{"groups": []}`, "groups", false}, // it isn't missing
		{`{"groups": [{"name": "staff"}]}`, "groups", false},
		{`{"realm_access": "x"}`, "realm_access.roles", false},
		{`{"realm_access": {"roles": {}}}`, "realm_access.roles", false},
		{`{"_claim_names": {"groups": "src1"}, "_claim_sources": {}}`, "groups", false},
		{`{"_claim_names": {"groups": "src1"}}`, "roles", true},
		{`{"hasgroups": true}`, "groups", false},
		{`{}`, "", false}, // no role depends on groups
	} {
		c := claims{}
		if err := json.Unmarshal([]byte(test.claims), &c); err != nil || c.omit(test.name) != test.none {
			t.Errorf("%s in %s: %v, %v", test.name, test.claims, !test.none, err)
		}
	}
	at, p := newProvider(t)
	at.Claims = map[string]any{"groups": nil}
	if got, err := through(t, p, false); err != nil || got.Grouped {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := through(t, config(t, at, func(c *Config) { c.MissingIsNone = true }), false); err != nil || !got.Grouped || len(got.Groups) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
