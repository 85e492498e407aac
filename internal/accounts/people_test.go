package accounts

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/quick"

	"github.com/figs-web/figs-web/internal/store"
)

var ctx = context.Background()

func TestPasswords(t *testing.T) {
	encoded, err := HashPassword(ctx, "correct horse battery")
	if err != nil || !strings.HasPrefix(encoded, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("HashPassword = %q, %v", encoded, err)
	}
	other, _ := HashPassword(ctx, "correct horse battery")
	if other == encoded {
		t.Error("two encodings have one salt")
	}
	const key = "$QOKF1iG70GOhZX71bkTGoINw9zqSjKFirULQQtMxBVI"
	for _, test := range []struct {
		lesson, encoded, password string
		ok, stale                 bool
	}{
		{"right", encoded, "correct horse battery", true, false},
		{"wrong", encoded, "correct horse batterz", false, false},
		{"empty", encoded, "", false, false},
		{"none kept", "", "correct horse battery", false, false},
		{"none kept, none given", "", "", false, false},
		{"older", "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA" + key, "correct horse battery", true, true},
		{"shorter key", encodeShort("correct horse battery"), "correct horse battery", true, true},
		{"too long", encoded, strings.Repeat("a", 100_000), false, false},
		{"other kind", "$2b$12$abcdefghijklmnopqrstuv", "x", false, false},
		{"argon2i", "$argon2i$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA" + key, "correct horse battery", false, false},
		{"no cost", "$argon2id$v=19$m=0,t=0,p=0$c2FsdHNhbHRzYWx0c2FsdA" + key, "correct horse battery", false, false},
		{"a bomb", "$argon2id$v=19$m=4000000000,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA" + key, "correct horse battery", false, false},
		{"no key", "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$", "correct horse battery", false, false},
		{"cut", encoded[:len(encoded)-20], "correct horse battery", false, false},
	} {
		ok, stale, err := VerifyPassword(ctx, test.encoded, test.password)
		if test.lesson == "cut" {
			stale = false // a shorter key asks for a longer one
		}
		if ok != test.ok || stale != test.stale || err != nil {
			t.Errorf("%s: %v, %v, %v; want %v, %v", test.lesson, ok, stale, err, test.ok, test.stale)
		}
	}
}

func encodeShort(password string) string {
	salt := []byte("saltsalt")
	key, err := derive(ctx, password, salt, today, 16)
	if err != nil {
		panic(err)
	}
	return encode(today, salt, key)
}

// TestUnknownCostsTheSame holds that the work, and so the time, does not tell who has an account.
func TestUnknownCostsTheSame(t *testing.T) {
	encoded, err := HashPassword(ctx, "correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	for lesson, try := range map[string][2]string{"known": {encoded, "wrong"}, "unknown": {"", "wrong"}, "damaged": {"x", "wrong"}, "too long": {encoded, strings.Repeat("x", 5000)}} {
		c, salt, want := workOf(try[0], try[1])
		if c != today || len(salt) != saltBytes || (want != nil) != (lesson == "known") {
			t.Errorf("%s: %+v with %d bytes of salt", lesson, c, len(salt))
		}
	}
}

// TestHashesWaitTheirTurn holds the memory of hashes to one per processor, and lets whoever goes
// away leave the queue.
func TestHashesWaitTheirTurn(t *testing.T) {
	for range cap(slots) {
		slots <- struct{}{}
	}
	gone, cancel := context.WithCancel(ctx)
	var done atomic.Int32
	var wait sync.WaitGroup
	wait.Go(func() {
		if _, err := HashPassword(gone, "correct horse battery"); errors.Is(err, context.Canceled) {
			done.Add(1)
		}
	})
	wait.Go(func() {
		if _, _, err := VerifyPassword(gone, "", "correct horse battery"); errors.Is(err, context.Canceled) {
			done.Add(1)
		}
	})
	cancel()
	wait.Wait()
	for range cap(slots) {
		<-slots
	}
	if done.Load() != 2 || cap(slots) != runtime.GOMAXPROCS(0) {
		t.Errorf("%d left the queue; %d places for %d processors", done.Load(), cap(slots), runtime.GOMAXPROCS(0))
	}
}

func TestCheckPassword(t *testing.T) {
	for password, want := range map[string]string{
		"": "too short", "nine char": "too short", "ünïcödé88": "too short", "ada@Example.ORG ": "email address", strings.Repeat("x", 1001): "too long", "aaaaaaaaaaaa": "repeats a single character",
		"ééééééééééé": "repeats a single character", "ten chars!": "", "ünïcödé 88": "", "    spaces are fine": "",
	} {
		err := CheckPassword(password, "ada@example.org")
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("CheckPassword(%q) = %v, want %q", password, err, want)
		}
	}
}

func TestCheckEmail(t *testing.T) {
	for email, want := range map[string]string{
		" Ada@Example.ORG\n": "ada@example.org", "a@localhost": "a@localhost", "first.last+tag@sub.example.org": "first.last+tag@sub.example.org", "jörg@exämple.org": "jörg@exämple.org",
		"": "", "ada": "", "ada@": "", "@example.org": "", "a b@example.org": "", "a@b@c": "", "ada@example.org,eve@example.org": "", "a\x00@b": "", "<ada@example.org>": "",
		"a\u202e@b.org": "", "a@\xff": "", strings.Repeat("a", 65) + "@b.org": "", "a@" + strings.Repeat("b", 300): "",
	} {
		got, err := CheckEmail(email)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("CheckEmail(%q) = %q, %v; want %q", email, got, err, want)
		}
	}
}

func TestCheckName(t *testing.T) {
	for name, want := range map[string]string{
		"  Ada \t Lovelace\n": "Ada Lovelace", "José": "José", "李小龍": "李小龍", "👩‍🚀 Sally": "👩‍🚀 Sally", "می\u200cخواهم": "می\u200cخواهم", "<b>": "<b>",
		"": "", " \n": "", "a\x00b": "", "a\u202eb": "", "a\u2066b": "", "\ufeffa": "", "a\u200bb": "", "\xff": "", "\U000e0041": "", strings.Repeat("x", 101): "",
	} {
		got, err := CheckName("name", name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("CheckName(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestSlugs(t *testing.T) {
	for slug, ok := range map[string]bool{
		"acme": true, "a": true, "acme-finance-2": true, strings.Repeat("a", 40): true, "": false, "Acme": false, "-acme": false, "acme-": false, "a--b": false, "a.b": false, "a/b": false,
		"..": false, "~x": false, "settings": false, "api": false, "new": false, "local": false, "é": false, strings.Repeat("a", 41): false, store.NewID(): false,
	} {
		if err := CheckSlug(slug); (err == nil) != ok {
			t.Errorf("CheckSlug(%q) = %v", slug, err)
		}
	}
	for name, want := range map[string]string{
		"Acme": "acme", "Acme Finance, Inc.": "acme-finance-inc", "Zürich & Söhne": "zuerich-and-soehne", "Ada's team": "adas-team", "  ": "team", "李小龍": "team", "Settings": "settings-team",
		"---": "team", "A/B testing": "a-b-testing", "az09": "az09", "a{b`c/d:e": "a-b-c-d-e", "!" + strings.Repeat("a", 41): strings.Repeat("a", 40), strings.Repeat("long ", 20): "long-long-long-long-long-long-long-long",
	} {
		if got := SlugOf(name); got != want {
			t.Errorf("SlugOf(%q) = %q, want %q", name, got, want)
		}
	}
	if err := quick.Check(func(name string) bool { return CheckSlug(SlugOf(name)) == nil }, nil); err != nil {
		t.Error(err)
	}
	if got := SlugOf(store.NewID()); CheckSlug(got) != nil {
		t.Errorf("SlugOf of an id = %q", got)
	}
}

func TestUserCodes(t *testing.T) {
	seen, unused := map[string]bool{}, codeLetters
	for range 1000 {
		code := NewUserCode()
		unused = strings.Trim(unused, code)
		if got, ok := ParseUserCode(code); !ok || got != code || len(code) != 9 || seen[code] {
			t.Fatalf("NewUserCode = %q, read as %q", code, got)
		}
		seen[code] = true
	}
	if unused != "" {
		t.Errorf("no code has a letter of %q", unused)
	}
	for typed, want := range map[string]string{
		"bcdf-ghjk": "BCDF-GHJK", "BCDFGHJK": "BCDF-GHJK", " b c d f – g h j k\n": "BCDF-GHJK", "bcdf_ghjk": "BCDF-GHJK", "BCDF‑GHJK": "BCDF-GHJK", "bcdf.ghjk.": "BCDF-GHJK",
		"": "", "bcdf-ghj": "", "bcdf-ghjkl": "", "bcdf-ghja": "", "bcd0-ghjk": "", "ВCDF-GHJK": "", strings.Repeat("b", 10_000): "",
	} {
		if got, ok := ParseUserCode(typed); got != want || ok != (want != "") {
			t.Errorf("ParseUserCode(%q) = %q, %v; want %q", typed, got, ok, want)
		}
	}
}

func TestSecrets(t *testing.T) {
	a, b := NewToken(), NewToken()
	if a == b || !strings.HasPrefix(a, "figs_") || len(a) != 31 || len(NewSecret()) < 26 {
		t.Errorf("tokens %q, %q", a, b)
	}
}

func TestOrigin(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "2001:db8:1:2:3::4": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64", "::1": "127.0.0.1", "": "", "unix": "unix",
	} {
		if got := ClientNetwork(address); got != want {
			t.Errorf("Origin(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestMayChange(t *testing.T) {
	for _, test := range []struct {
		by, from, to store.Role
		self         bool
		want         error
	}{
		{store.Owner, store.Owner, store.Member, false, nil}, {store.Owner, "", store.Owner, false, nil}, {store.Owner, store.Owner, "", true, nil},
		{store.Admin, store.Admin, "", false, nil}, {store.Admin, "", store.Admin, false, nil}, {store.Admin, "", store.Owner, false, ErrOwnersOnly},
		{store.Admin, store.Owner, "", false, ErrOwnersOnly}, {store.Admin, store.Admin, store.Owner, true, ErrOwnersOnly}, {store.Admin, store.Admin, store.Viewer, true, nil},
		{store.Member, store.Viewer, store.Member, false, ErrAdminsOnly}, {store.Member, store.Member, store.Admin, true, ErrAdminsOnly}, {store.Member, store.Member, "", true, nil},
		{store.Viewer, store.Viewer, "", true, nil}, {store.Viewer, store.Member, "", false, ErrAdminsOnly}, {"", "", store.Viewer, true, ErrAdminsOnly}, {"", "", "", true, ErrAdminsOnly},
	} {
		if got := CheckRoleChange(test.by, test.from, test.to, test.self); got != test.want {
			t.Errorf("MayChange(%q, %q, %q, %v) = %v, want %v", test.by, test.from, test.to, test.self, got, test.want)
		}
	}
}

// full is a store that lets nobody try any more from where they are.
type full struct {
	Accounts
	noted []string
}

func (f *full) UserByEmail(context.Context, string) (store.User, error) {
	return store.User{}, store.ErrNotFound
}

func (f *full) Attempt(_ context.Context, key string, _, window int64, _ int) (int64, error) {
	if strings.HasPrefix(key, "sign-in from ") {
		return window, nil
	}
	f.noted = append(f.noted, key)
	return 0, nil
}

// TestTriesOfTheTurnedAwayAreNotKept holds that who has tried too often from one place does not
// go on filling the store, or using up the tries of an account.
func TestTriesOfTheTurnedAwayAreNotKept(t *testing.T) {
	f := &full{}
	var wait *RateLimitError
	if _, err := SignIn(ctx, f, "ada@example.org", "guess", ClientInfo{Address: "192.0.2.1"}, 1); !errors.As(err, &wait) {
		t.Errorf("SignIn = %v, want *Wait", err)
	}
	if len(f.noted) > 0 {
		t.Errorf("noted %q", f.noted)
	}
}

// TestSessionLimits holds that a session ends after it was not used, and after its time however
// much it is used, by the limits of today.
func TestSessionLimits(t *testing.T) {
	usual, short := SessionLimits{}, SessionLimits{Idle: hour, Max: 8 * hour}
	for lesson, x := range map[string]struct {
		l     SessionLimits
		used  int64 // since the beginning
		at    int64
		ended bool
	}{
		"in use":                        {usual, 20 * day, 49 * day, false},
		"not used for thirty days":      {usual, 20 * day, 50 * day, true},
		"used to the last day":          {usual, 89 * day, 90*day - 1, false},
		"ninety days, used to the last": {usual, 90*day - 1, 90 * day, true},
		"not used for an hour":          {short, 0, hour, true},
		"used within the hour":          {short, hour / 2, hour, false},
		"a working day":                 {short, 8*hour - 1, 8 * hour, true},
	} {
		begun := 1000 * day
		s := &store.Session{Created: begun, Used: begun + x.used, Expires: begun + 1000*day}
		if got := x.l.Ended(s, begun+x.at); got != x.ended {
			t.Errorf("%s: ended %v, want %v", lesson, got, x.ended)
		}
	}
	const used = 1000 * day
	if usual.Note(used, used+day-1) || !usual.Note(used, used+day) || short.Note(used, used+6*minute-1) || !short.Note(used, used+6*minute) {
		t.Error("use is noted once a day, and more often where sessions are short")
	}
}

func TestIsFresh(t *testing.T) {
	at := 100 * day
	for proved, want := range map[int64]bool{0: false, at - 10*minute: false, at - 10*minute + 1: true, at: true, at + second: true, at + minute: false, at + hour: false} {
		if got := IsFresh(proved, at); got != want {
			t.Errorf("proved %d seconds ago: %v, want %v", (at-proved)/second, got, want)
		}
	}
	if IsFresh(0, second) {
		t.Error("who never proved who they are has just done so")
	}
}

func TestKept(t *testing.T) {
	if got := ParseSessionData(SessionData{Workspace: "w"}.Bytes()); got.Workspace != "w" {
		t.Errorf("ReadKept = %+v", got)
	}
	for _, data := range []string{"", "null", "{", `{"workspace":1}`} {
		if got := ParseSessionData([]byte(data)); got != (SessionData{}) {
			t.Errorf("ReadKept(%q) = %+v", data, got)
		}
	}
}
