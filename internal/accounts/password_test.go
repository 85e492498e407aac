package accounts

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

// A stored hash is taken only in its whole form and at a cost that the machine can bear.
func TestDecode(t *testing.T) {
	b64 := base64.RawStdEncoding.EncodeToString
	salt, key := b64(make([]byte, 16)), b64(make([]byte, 32))
	cost := func(memory, passes, lanes int) string {
		return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", memory, passes, lanes, salt, key)
	}
	with := func(salt, key string) string { return "$argon2id$v=19$m=64,t=1,p=1$" + salt + "$" + key }
	for lesson, c := range map[string]struct {
		encoded string
		ok      bool
	}{
		"the least":           {cost(1, 1, 1), true},
		"the most":            {cost(256<<10, 16, 16), true},
		"no memory":           {cost(0, 1, 1), false},
		"no passes":           {cost(64, 0, 1), false},
		"no lanes":            {cost(64, 1, 0), false},
		"too much memory":     {cost(256<<10+1, 1, 1), false},
		"too many passes":     {cost(64, 17, 1), false},
		"too many lanes":      {cost(64, 1, 17), false},
		"shortest salt":       {with(b64(make([]byte, 8)), key), true},
		"salt too short":      {with(b64(make([]byte, 7)), key), false},
		"longest salt":        {with(b64(make([]byte, 64)), key), true},
		"salt too long":       {with(b64(make([]byte, 65)), key), false},
		"salt in other text":  {with(salt+"!", key), false},
		"shortest key":        {with(salt, b64(make([]byte, 16))), true},
		"key too short":       {with(salt, b64(make([]byte, 15))), false},
		"longest key":         {with(salt, b64(make([]byte, 64))), true},
		"key too long":        {with(salt, b64(make([]byte, 65))), false},
		"key in other text":   {with(salt, key+"!"), false},
		"text in front":       {"x" + cost(64, 1, 1), false},
		"text behind":         {cost(64, 1, 1) + "$", false},
		"a part is missing":   {strings.TrimSuffix(cost(64, 1, 1), "$"+key), false},
		"another kind":        {strings.Replace(cost(64, 1, 1), "argon2id", "argon2i", 1), false},
		"another version":     {strings.Replace(cost(64, 1, 1), "v=19", "v=16", 1), false},
		"a cost without end":  {strings.Replace(cost(64, 1, 1), "p=1", "p=x", 1), false},
		"a cost out of range": {strings.Replace(cost(64, 1, 1), "p=1", "p=300", 1), false},
	} {
		if _, _, _, err := decode(c.encoded); (err == nil) != c.ok {
			t.Errorf("%s: decode(%q) = %v", lesson, c.encoded, err)
		}
	}
}

// An encoding is outdated when one part of it is less than today's.
func TestOutdated(t *testing.T) {
	ada(t)
	const password = "correct horse battery"
	for lesson, c := range map[string]struct {
		memory, passes uint32
		salt, key      int
		stale          bool
	}{
		"as today":     {128, 2, saltBytes, keyBytes, false},
		"more of all":  {129, 3, saltBytes + 1, keyBytes + 1, false},
		"less memory":  {127, 2, saltBytes, keyBytes, true},
		"fewer passes": {128, 1, saltBytes, keyBytes, true},
		"shorter salt": {128, 2, saltBytes - 1, keyBytes, true},
		"shorter key":  {128, 2, saltBytes, keyBytes - 1, true},
	} {
		today.passes = 2
		was, salt := cost{c.memory, c.passes, 1}, make([]byte, c.salt)
		key, err := derive(ctx, password, salt, was, uint32(c.key))
		if err != nil {
			t.Fatal(err)
		}
		if ok, stale, err := VerifyPassword(ctx, encode(was, salt, key), password); !ok || stale != c.stale || err != nil {
			t.Errorf("%s: VerifyPassword = %v, %v, %v; want true, %v", lesson, ok, stale, err, c.stale)
		}
	}
}

// What is as long as it may be is taken.
func TestLongest(t *testing.T) {
	m := ada(t)
	password := strings.Repeat("ab", longestPassword/2)
	if err := CheckPassword(password, "ada@example.org"); err != nil {
		t.Errorf("CheckPassword = %v", err)
	}
	encoded, err := HashPassword(ctx, password)
	if err != nil {
		t.Fatal(err)
	}
	if ok, _, err := VerifyPassword(ctx, encoded, password); !ok || err != nil {
		t.Errorf("VerifyPassword = %v, %v", ok, err)
	}
	if ok, _, err := VerifyPassword(ctx, m.user.Password, ""); ok || err != nil {
		t.Errorf("VerifyPassword of nothing = %v, %v", ok, err)
	}
	for email, ok := range map[string]bool{
		strings.Repeat("a", 64) + "@b.org":                       true,
		"a@" + strings.Repeat("b", 189):                          true,
		"a@" + strings.Repeat("b", 190):                          false,
		strings.Repeat("é", 64) + "@" + strings.Repeat("é", 189): true,
	} {
		if _, err := CheckEmail(email); (err == nil) != ok {
			t.Errorf("CheckEmail(%q) = %v", email, err)
		}
	}
	if _, err := CheckName("name", strings.Repeat("é", longestName)); err != nil {
		t.Errorf("CheckName = %v", err)
	}
}

// Characters at the ends of the ranges that no name may hold.
func TestOdd(t *testing.T) {
	for r, want := range map[rune]bool{
		'\u2027': false, '\u2028': true, '\u202e': true, '\u202f': false, '\u205f': false, '\u2060': true, '\u206f': true, '\u2070': false,
		'\U000dffff': true, '\U000e0000': true, '\U000e0fff': true, '\U000e1000': false, '\ufffe': true, '\u00ad': false, '\ufeff': true, '\u200b': true, '\u200c': false,
	} {
		if got := odd(r); got != want {
			t.Errorf("odd(%U) = %v, want %v", r, got, want)
		}
	}
}

// Who manages or built an agent may do what the table gives them, each alone, as a member.
func TestMayForTheirAgent(t *testing.T) {
	manager, builder := AgentRelation{Manager: true}, AgentRelation{Builder: true}
	for _, c := range []struct {
		role   store.Role
		s      AgentRelation
		action Action
		want   bool
	}{
		{store.Member, manager, ReplyToAsk, true}, {store.Member, builder, ReplyToAsk, true}, {store.Member, AgentRelation{}, ReplyToAsk, false}, {store.Viewer, manager, ReplyToAsk, false},
		{store.Member, manager, ArchiveAgent, true}, {store.Member, builder, ArchiveAgent, false}, {store.Member, AgentRelation{}, ArchiveAgent, false}, {store.Admin, AgentRelation{}, ArchiveAgent, true},
		{store.Member, manager, AssignAgent, false}, {store.Member, builder, AssignAgent, false}, {store.Member, AgentRelation{true, true}, AssignAgent, false}, {store.Admin, builder, AssignAgent, true},
	} {
		if got := Can(c.role, c.s, c.action); got != c.want {
			t.Errorf("May(%s, %+v, %s) = %v, want %v", c.role, c.s, c.action, got, c.want)
		}
	}
}
