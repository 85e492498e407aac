package accounts

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

func TestNewInvite(t *testing.T) {
	i, key := NewInvite("w", store.Member, "ada@example.org", "u1", 5*day)
	want := store.Invite{ID: i.ID, Hash: store.Hash(key), Workspace: "w", Role: store.Member, Email: "ada@example.org", By: "u1", Created: 5 * day, Expires: 12 * day}
	if i != want || i.ID == "" || InviteLength() != "7 days" {
		t.Errorf("NewInvite = %+v for %s, want %+v", i, InviteLength(), want)
	}
}

// Whoever has left, or may do less than when they made an invite, lets nobody in any more.
func TestMayStillInvite(t *testing.T) {
	for lesson, c := range map[string]struct {
		by    string
		role  store.Role
		fails string
		want  bool
		err   error
	}{
		"the operator":                {"", store.Owner, "", true, nil},
		"an owner, an owner":          {"owner", store.Owner, "", true, nil},
		"an admin, a member":          {"admin", store.Member, "", true, nil},
		"an admin, an owner":          {"admin", store.Owner, "", false, nil},
		"who is but a member":         {"member", store.Viewer, "", false, nil},
		"who has left":                {"gone", store.Viewer, "", false, nil},
		"whose role cannot be looked": {"owner", store.Viewer, "Role", false, errDisk},
	} {
		m := &memory{roles: map[string]store.Role{"owner": store.Owner, "admin": store.Admin, "member": store.Member}, fails: c.fails}
		got, err := InviterStillAllowed(ctx, m, &store.Invite{Workspace: "w", By: c.by, Role: c.role})
		if got != c.want || err != c.err {
			t.Errorf("%s: MayStillInvite = %v, %v; want %v, %v", lesson, got, err, c.want, c.err)
		}
	}
}

func TestJoin(t *testing.T) {
	m := ada(t)
	u, err := AcceptInvite(ctx, invites{memory: m}, "hash", NewAccount{" Eve ", "Eve@Example.org", "correct horse battery"}, 5)
	if err != nil || u.ID == "" || u.Name != "Eve" || u.Email != "eve@example.org" || u.Created != 5 || m.act != (store.Act{By: u.ID, At: 5}) || !reflect.DeepEqual(m.invited, store.InviteAcceptance{User: u, New: true}) {
		t.Errorf("Join = %+v, %v by %+v", u, err, m.act)
	}
	if ok, _, err := VerifyPassword(ctx, u.Password, "correct horse battery"); !ok || err != nil {
		t.Errorf("the password does not fit: %v", err)
	}
	var wrong ValidationErrors
	if _, err := AcceptInvite(ctx, invites{memory: m}, "hash", NewAccount{"", "eve", "short"}, 5); !errors.As(err, &wrong) || fields(wrong) != "name email password" {
		t.Errorf("Join = %v, want what is wrong with all three", err)
	}
}

func fields(wrong ValidationErrors) string {
	var all []string
	for _, w := range wrong {
		all = append(all, w.Field)
	}
	return strings.Join(all, " ")
}

func TestFound(t *testing.T) {
	m := ada(t)
	secret, err := CreateSetup(ctx, m, 3*day)
	if err != nil || m.setup != store.Hash(secret) || m.expires != 4*day {
		t.Fatalf("OfferSetup = %v until %d", err, m.expires)
	}
	f := SetupInput{Name: "Ada", Email: "Ada@Example.org", Password: "correct horse battery", Workspace: "Acme Finance"}
	for lesson, c := range map[string]struct {
		secret string
		at     int64
		change func(*SetupInput)
		wrong  string
	}{
		"another link": {"x", 3 * day, func(*SetupInput) {}, ""},
		"too late":     {secret, 4 * day, func(*SetupInput) {}, ""},
		"all wrong":    {secret, 3 * day, func(f *SetupInput) { *f = SetupInput{} }, "name email password workspace"},
		"a bad slug":   {secret, 3 * day, func(f *SetupInput) { f.Slug = "API" }, "slug"},
	} {
		g := f
		c.change(&g)
		_, _, err := CompleteSetup(ctx, m, c.secret, g, c.at)
		var wrong ValidationErrors
		if errors.As(err, &wrong); fields(wrong) != c.wrong || c.wrong == "" && err != store.ErrNotFound || m.founded.ID != "" {
			t.Errorf("%s: Found = %v about %q, want %q", lesson, err, fields(wrong), c.wrong)
		}
	}
	u, w, err := CompleteSetup(ctx, m, secret, f, 3*day)
	if err != nil || w.Slug != "acme-finance" || w.Name != "Acme Finance" || w.Created != 3*day || w.ID == "" || m.act != (store.Act{By: u.ID, At: 3 * day}) || m.founded != w || u.Email != "ada@example.org" || u.Created != 3*day {
		t.Errorf("Found = %+v, %+v, %v", u, w, err)
	}
	if ok, _, _ := VerifyPassword(ctx, u.Password, f.Password); !ok {
		t.Error("the first person's password does not fit")
	}
	if _, err := NewWorkspace("Acme", "own-word", 1); err != nil {
		t.Errorf("NewWorkspace = %v", err)
	}
}

func TestTerms(t *testing.T) {
	for days, want := range map[string]int64{"30": 1000 + 30*day, "365": 1000 + 365*day, "0": 0, "31": -1, "": -1, "x": -1} {
		end, err := CheckTerm(days, 1000)
		if want < 0 && err == nil || want >= 0 && (err != nil || end != want) {
			t.Errorf("CheckTerm(%q) = %d, %v; want %d", days, end, err, want)
		}
	}
	for _, c := range []struct {
		expires, at int64
		soon, ended bool
	}{{0, day, false, false}, {20 * day, 6 * day, false, false}, {20 * day, 6*day + 1, true, false}, {20 * day, 20*day - 1, true, false}, {20 * day, 20 * day, false, true}, {20 * day, 21 * day, false, true}} {
		if soon, ended := ExpiresSoon(c.expires, c.at), IsExpired(c.expires, c.at); soon != c.soon || ended != c.ended {
			t.Errorf("until %d at %d: soon %v, ended %v; want %v, %v", c.expires, c.at, soon, ended, c.soon, c.ended)
		}
	}
	for name, ok := range map[string]bool{string(store.ScopePush): true, string(store.ScopeRead): true, "": false, "admin": false} {
		if got, err := CheckScope(name); (err == nil) != ok || ok && string(got) != name {
			t.Errorf("CheckScope(%q) = %q, %v", name, got, err)
		}
	}
}

func TestWaitSeconds(t *testing.T) {
	for wait, want := range map[int64]int{1: 1, second: 1, second + 1: 2} {
		if got := (&RateLimitError{wait}).Seconds(); got != want {
			t.Errorf("%d: %d seconds, want %d", wait, got, want)
		}
	}
}

// Who stands to an agent as its manager or builder is a person with an id.
func TestStandsTo(t *testing.T) {
	a := &store.Agent{Manager: "m", Builder: "b"}
	for person, want := range map[string]AgentRelation{"m": {Manager: true}, "b": {Builder: true}, "x": {}, "": {}} {
		if got := RelationTo(person, a); got != want {
			t.Errorf("StandsTo(%q) = %+v, want %+v", person, got, want)
		}
	}
	if got := RelationTo("", &store.Agent{}); got != (AgentRelation{}) {
		t.Errorf("nobody stands to an agent of nobody as %+v", got)
	}
	for role, want := range map[store.Role]bool{store.Owner: true, store.Member: true, store.Viewer: false, "": false} {
		if got := CanAnswer(role); got != want {
			t.Errorf("CanAnswer(%q) = %v, want %v", role, got, want)
		}
	}
}

// All that takes a proof by the table of rules, and ten things more, needs one.
func TestNeedProof(t *testing.T) {
	all, own := ActionsNeedingProof(), 10
	for _, r := range Rules() {
		if slices.Contains(all[own:], r.Action) != r.StepUp {
			t.Errorf("%s needs a proof: %v, want %v", r.Action, !r.StepUp, r.StepUp)
		}
	}
}
