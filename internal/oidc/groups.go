package oidc

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// whyUngrouped says why a claim doesn't list groups: it is missing, too large for the provider, or of another shape.
func (c claims) whyUngrouped(name string) Finding {
	value, ok := c.find(name)
	var many []json.RawMessage
	var one claims
	switch {
	case !ok && c.elsewhere(name):
		return Finding{Failed, "groups_overage", "the provider left out the claim " + name + ", because the person is in too many groups",
			"Send fewer groups: in Entra, use app roles (--oidc-groups-claim roles), or only the groups assigned to the application."}
	case !ok:
		return Finding{Failed, "groups_missing", "neither the ID token nor userinfo has the claim " + name,
			"Let the provider send the groups in that claim (a mapper, a scope in --oidc-scopes), or name another claim with --oidc-groups-claim. If it leaves the claim out for people without groups: --oidc-missing-groups-mean-none."}
	case json.Unmarshal(value, &many) == nil && len(many) > 0 && json.Unmarshal(many[0], &one) == nil && one != nil:
		return Finding{Failed, "groups_shape", fmt.Sprintf("the claim %s is a list of objects with the fields %s, not a list of names", name, listed(one)),
			"Let the provider send names or ids as text, with a mapper for tokens."}
	case json.Unmarshal(value, &one) == nil && one != nil:
		return Finding{Failed, "groups_shape", fmt.Sprintf("the claim %s is an object with the fields %s, not a list of names", name, listed(one)),
			"Choose a field with a dot, as in --oidc-groups-claim " + name + ".FIELD."}
	}
	return Finding{Failed, "groups_shape", "the claim " + name + " is not a list of names", "Let the provider send a list of texts."}
}

// find is the value of a claim; a dot in its name leads into an object unless a claim has that whole name. Null
// counts as missing, so it changes no roles.
func (c claims) find(name string) (value json.RawMessage, ok bool) {
	if value, ok = c[name]; ok {
		return value, string(value) != "null"
	}
	first, rest, deeper := strings.Cut(name, ".")
	inner := claims{}
	if !deeper || json.Unmarshal(c[first], &inner) != nil {
		return nil, false
	}
	return inner.find(rest)
}

// elsewhere reports whether the provider says that it left a claim out, because it is large (Entra).
func (c claims) elsewhere(name string) bool {
	names := map[string]json.RawMessage{}
	_ = json.Unmarshal(c["_claim_names"], &names)
	_, left := names[name]
	return left || c.yes("hasgroups") && name == "groups"
}

// lists are the claims that list texts, by their path.
func (c claims) lists(under string, depth int) map[string][]string {
	all := map[string][]string{}
	for name, value := range c {
		var list []string
		inner := claims{}
		switch {
		case strings.Contains(name, ".") && under != "":
		case json.Unmarshal(value, &list) == nil && list != nil:
			all[under+name] = list
		case depth > 0 && json.Unmarshal(value, &inner) == nil:
			maps.Copy(all, inner.lists(under+name+".", depth-1))
		}
	}
	return all
}

// listed names the fields of an object, a few of them.
func listed(object claims) string {
	const most = 8
	names := slices.Sorted(maps.Keys(object))
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return strings.Join(names, ", ")
}
