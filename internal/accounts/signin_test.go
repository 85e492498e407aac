package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

const address = "192.0.2.1"

func TestSignIn(t *testing.T) {
	fromLimits := []attempt{{"sign-in from 192.0.2.1", 15 * minute, 100}, {"sign-in 192.0.2.1 ada@example.org", 15 * minute, 10}, {"sign-in ada@example.org", hour, 60}}
	for lesson, c := range map[string]struct {
		email, password, full, fails string
		want                         error
		attempts                     int
		forgiven                     []string
	}{
		"right":                 {" Ada@Example.org ", "correct horse battery", "", "", nil, 3, []string{fromLimits[1].key, fromLimits[2].key}},
		"wrong":                 {"ada@example.org", "correct horse", "", "", ErrNoMatch, 3, nil},
		"unknown":               {"eve@example.org", "correct horse battery", "", "", ErrNoMatch, 3, nil},
		"an address at its end": {"ada@example.org", "correct horse battery", fromLimits[0].key, "", &RateLimitError{15 * minute}, 1, nil},
		"both at their end":     {"ada@example.org", "correct horse battery", fromLimits[1].key, "", &RateLimitError{15 * minute}, 2, nil},
		"an account at its end": {"ada@example.org", "correct horse battery", fromLimits[2].key, "", &RateLimitError{hour}, 3, nil},
		"tries cannot be kept":  {"ada@example.org", "correct horse battery", "", "Attempt", errDisk, 1, nil},
		"nobody can be found":   {"ada@example.org", "correct horse battery", "", "UserByEmail", errDisk, 0, nil},
		"nothing is forgiven":   {"ada@example.org", "correct horse battery", "", "Forgive", errDisk, 3, []string{fromLimits[1].key}},
	} {
		m := ada(t)
		m.full, m.fails = c.full, c.fails
		u, err := SignIn(ctx, m, c.email, c.password, ClientInfo{Address: address}, 1)
		if !reflect.DeepEqual(err, c.want) || (u.ID == "u1") != (err == nil) {
			t.Errorf("%s: SignIn = %q, %v; want %v", lesson, u.ID, err, c.want)
		}
		if len(m.attempts) != c.attempts || !slices.Equal(m.forgiven, c.forgiven) {
			t.Errorf("%s: %d tries counted, want %d; %q forgiven, want %q", lesson, len(m.attempts), c.attempts, m.forgiven, c.forgiven)
		}
		if lesson == "right" && !slices.Equal(m.attempts, fromLimits) {
			t.Errorf("%s: counted %+v, want %+v", lesson, m.attempts, fromLimits)
		}
	}
}

// Who goes away while a hash waits for its turn is told so, and nothing is kept of them.
func TestGone(t *testing.T) {
	m := ada(t)
	gone := gone(t)
	f := SetupInput{Name: "Ada", Email: "ada@example.org", Password: "correct horse battery", Workspace: "Acme"}
	secret, err := CreateSetup(ctx, m, 1)
	if err != nil {
		t.Fatal(err)
	}
	for lesson, do := range map[string]func() error{
		"signing in": func() error {
			_, err := SignIn(gone, m, "ada@example.org", "correct horse battery", ClientInfo{Address: address}, 1)
			return err
		},
		"an outdated password": func() error {
			_, err := rehash(gone, m, m.user, "correct horse battery")
			return err
		},
		"joining": func() error {
			_, err := AcceptInvite(gone, invites{memory: m}, "hash", NewAccount{"Eve", "eve@example.org", "correct horse battery"}, 1)
			return err
		},
		"founding": func() error {
			_, _, err := CompleteSetup(gone, m, secret, f, 1)
			return err
		},
		"one's own password": func() error { return CheckOwnPassword(gone, m, m.user, "correct horse battery", 1) },
	} {
		if err := do(); err != context.Canceled {
			t.Errorf("%s: %v, want %v", lesson, err, context.Canceled)
		}
	}
}

// The names of limits are bounded, whatever is typed as an e-mail address.
func TestSignInLimitsAreBounded(t *testing.T) {
	for length, want := range map[int]int{253: 253, 254: 254, 255: 254, 1000: 254} {
		if got := len(signInLimits(strings.Repeat("a", length), address)[2].key) - len("sign-in "); got != want {
			t.Errorf("of %d bytes of an address %d are kept, want %d", length, got, want)
		}
	}
}

// A browser with which somebody has signed in is counted for itself, for that person alone, and for a year.
func TestKnownDevice(t *testing.T) {
	const at = 10 * 365 * day
	key := []byte("key")
	device := NewDevice(key, "u1", at)
	id, _, _ := strings.Cut(device, ".")
	for lesson, c := range map[string]struct {
		from ClientInfo
		at   int64
		want string
	}{
		"at once":           {ClientInfo{address, device, key}, at, id},
		"after a year":      {ClientInfo{address, device, key}, at + DeviceLifetime, id},
		"later":             {ClientInfo{address, device, key}, at + DeviceLifetime + 1, ""},
		"another's":         {ClientInfo{address, NewDevice(key, "u2", at), key}, at, ""},
		"another key":       {ClientInfo{address, device, []byte("other")}, at, ""},
		"without a key":     {ClientInfo{address, NewDevice(nil, "u1", at), nil}, at, ""},
		"none":              {ClientInfo{Address: address, Key: key}, at, ""},
		"more parts":        {ClientInfo{address, device + ".x", key}, at, ""},
		"no time":           {ClientInfo{address, "x.y." + signDevice(key, "u1", "x.y"), key}, at, ""},
		"of nobody":         {ClientInfo{address, NewDevice(key, "", at), key}, at, ""},
		"changed afterward": {ClientInfo{address, "A" + device, key}, at, ""},
	} {
		user := "u1"
		if lesson == "of nobody" {
			user = ""
		}
		if got := c.from.deviceID(user, c.at); got != c.want {
			t.Errorf("%s: deviceID = %q, want %q", lesson, got, c.want)
		}
	}
	m := ada(t)
	if _, err := SignIn(ctx, m, "ada@example.org", "correct horse battery", ClientInfo{address, device, key}, at); err != nil {
		t.Fatal(err)
	}
	if want := []attempt{{"sign-in with " + id, 15 * minute, 10}}; !slices.Equal(m.attempts, want) || !slices.Equal(m.forgiven, []string{want[0].key}) {
		t.Errorf("counted %+v and forgave %q, want %+v", m.attempts, m.forgiven, want)
	}
}

// A password that was kept at a lower cost is kept at today's when it is given. Where somebody changed it meanwhile,
// theirs must fit.
func TestRehash(t *testing.T) {
	for lesson, c := range map[string]struct {
		changed   func(t *testing.T) string
		rehashErr error
		fails     string
		want      error
	}{
		"nobody changed it":       {nil, nil, "", nil},
		"to the same":             {outdated, store.ErrNotFound, "", nil},
		"to another":              {func(*testing.T) string { return "" }, store.ErrNotFound, "", ErrNoMatch},
		"the store fails":         {outdated, errDisk, "", errDisk},
		"the person is not found": {outdated, store.ErrNotFound, "User", errDisk},
	} {
		m := ada(t)
		m.user.Password = outdated(t)
		before := m.user.Password
		if c.changed != nil {
			m.changed = c.changed(t)
		}
		m.rehashErr, m.fails = c.rehashErr, c.fails
		u, err := SignIn(ctx, m, "ada@example.org", "correct horse battery", ClientInfo{Address: address}, 1)
		if err != c.want {
			t.Errorf("%s: SignIn = %v, want %v", lesson, err, c.want)
		}
		if c.rehashErr == nil && (m.user.Password == before || u.Password != m.user.Password) {
			t.Errorf("%s: the password is kept as %q and returned as %q", lesson, m.user.Password, u.Password)
		}
	}
}

func TestCheckOwn(t *testing.T) {
	m := ada(t)
	if err := CheckOwnPassword(ctx, m, m.user, "correct horse battery", 1); err != nil {
		t.Errorf("their own: %v", err)
	}
	if err := CheckOwnPassword(ctx, m, m.user, "another", 1); err != ErrNoMatch {
		t.Errorf("another: %v, want ErrNoMatch", err)
	}
	m.full = "password u1"
	var wait *RateLimitError
	if err := CheckOwnPassword(ctx, m, m.user, "correct horse battery", 1); !errors.As(err, &wait) {
		t.Errorf("too often: %v, want *Wait", err)
	}
}

// What can be guessed or sent to others may be tried so often and no more.
func TestLimits(t *testing.T) {
	for lesson, c := range map[string]struct {
		try  func(m *memory) error
		want []attempt
	}{
		"code":     {func(m *memory) error { return LimitCode(ctx, m, "u1", address, 1) }, []attempt{{"code u1", 10 * minute, 20}, {"code from 192.0.2.1", 10 * minute, 60}}},
		"token":    {func(m *memory) error { return LimitToken(ctx, m, address, 1) }, []attempt{{"token from 192.0.2.1", 15 * minute, 60}}},
		"password": {func(m *memory) error { return LimitPassword(ctx, m, "u1", 1) }, []attempt{{"password u1", 15 * minute, 10}}},
		"feedback": {func(m *memory) error { return LimitFeedback(ctx, m, "u1", "t", 1) }, []attempt{{"feedback with t", day, 20}, {"feedback of u1", day, 50}}},
		"passkey":  {func(m *memory) error { return LimitPasskey(ctx, m, address, 1) }, []attempt{{"passkey from 192.0.2.1", 15 * minute, 100}}},
		"reset":    {func(m *memory) error { return LimitReset(ctx, m, address, 1) }, []attempt{{"reset from 192.0.2.1", 15 * minute, 30}}},
		"invite":   {func(m *memory) error { return LimitInvite(ctx, m, address, 1) }, []attempt{{"invite from 192.0.2.1", 10 * minute, 60}}},
		"join":     {func(m *memory) error { return LimitJoin(ctx, m, address, 1) }, []attempt{{"join from 192.0.2.1", 15 * minute, 30}}},
		"inviting": {func(m *memory) error { return LimitInviting(ctx, m, "u1", 1) }, []attempt{{"inviting u1", day, 100}}},
		"provider": {func(m *memory) error { return LimitProvider(ctx, m, address, 1) }, []attempt{{"provider from 192.0.2.1", 15 * minute, 100}}},
		"notice":   {func(m *memory) error { return LimitNotification(ctx, m, "u1", "", 1) }, []attempt{{"notice u1", 10 * minute, 100}}},
		"email":    {func(m *memory) error { return LimitNotification(ctx, m, "u1", "letter", 1) }, []attempt{{"notice u1", 10 * minute, 100}, {"notice letter u1", day, 5}}},
		"test":     {func(m *memory) error { return LimitNotification(ctx, m, "u1", "test", 1) }, []attempt{{"notice u1", 10 * minute, 100}, {"notice try u1", hour, 20}}},
		"place":    {func(m *memory) error { return LimitNotification(ctx, m, "u1", "place", 1) }, []attempt{{"notice u1", 10 * minute, 100}, {"notice place u1", hour, 30}}},
	} {
		m := &memory{}
		if err := c.try(m); err != nil || !slices.Equal(m.attempts, c.want) {
			t.Errorf("%s: counted %+v, %v; want %+v", lesson, m.attempts, err, c.want)
		}
		m.full = c.want[len(c.want)-1].key
		var wait *RateLimitError
		if err := c.try(m); !errors.As(err, &wait) || wait.For != c.want[len(c.want)-1].window {
			t.Errorf("%s: at the limit %v, want *Wait", lesson, err)
		}
	}
}

func TestRecover(t *testing.T) {
	m := ada(t)
	codes, err := MakeRecoveryCodes(ctx, m, store.Act{By: "u1", At: 1}, "u1")
	if err != nil || len(codes) != 10 || len(m.codes) != 10 || len(codes[0]) != len("BCDF-GHJK-LMNP-QRST") {
		t.Fatalf("MakeRecoveryCodes = %q, %v", codes, err)
	}
	from := ClientInfo{Address: address}
	typed := strings.ToLower(strings.ReplaceAll(codes[3], "-", " _.−–"))
	if u, err := Recover(ctx, m, "ada@example.org", typed, from, 7); err != nil || u.ID != "u1" || m.act != (store.Act{By: "u1", At: 7}) || len(m.forgiven) != 2 {
		t.Errorf("Recover(%q) = %q, %v by %+v; forgave %q", typed, u.ID, err, m.act, m.forgiven)
	}
	for lesson, c := range map[string]struct {
		email, code, full, fails string
		want                     error
	}{
		"used up":         {"ada@example.org", codes[3], "", "", ErrNoMatch},
		"nobody's":        {"eve@example.org", codes[4], "", "", ErrNoMatch},
		"too often":       {"ada@example.org", codes[4], "sign-in ada@example.org", "", &RateLimitError{hour}},
		"the store fails": {"ada@example.org", codes[5], "", "UseRecoveryCode", errDisk},
		"forgiving fails": {"ada@example.org", codes[6], "", "Forgive", errDisk},
	} {
		m.full, m.fails = c.full, c.fails
		if _, err := Recover(ctx, m, c.email, c.code, from, 7); !reflect.DeepEqual(err, c.want) {
			t.Errorf("%s: Recover = %v, want %v", lesson, err, c.want)
		}
	}
}

func TestNewSession(t *testing.T) {
	s, secret := NewSession("u1", SessionStart{Method: "password", Agent: "Firefox", Address: address}, SessionData{Workspace: "w"}, SessionLimits{Idle: hour, Max: day}, 5*day)
	want := store.Session{Hash: store.Hash(secret), User: "u1", Data: []byte(`{"workspace":"w"}`), Created: 5 * day, Used: 5 * day, Expires: 5*day + hour, Agent: "Firefox", Address: address, Method: "password", Proved: 5 * day}
	if !reflect.DeepEqual(s, want) || !json.Valid(s.Data) {
		t.Errorf("NewSession = %+v, want %+v", s, want)
	}
}

func TestOfferReset(t *testing.T) {
	m := &memory{}
	secret, expires, err := CreateReset(ctx, m, store.Act{By: "a", At: 3 * day}, "u1", store.Reset{})
	if want := (store.Ticket{Hash: store.Hash(secret), Kind: store.ResetKind, Person: "u1", Expires: 3*day + hour}); err != nil || expires != 3*day+hour || !reflect.DeepEqual(m.reset, want) {
		t.Errorf("OfferReset = %d, %v; kept %+v, want %+v", expires, err, m.reset, want)
	}
}
