package handlers

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

func TestSignIn(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	c.workspace("acme", ada)
	b := c.browser()
	b.get("/").says(t, 200).has(t, "a[href=/sign-in]", "a[href=/inspect]")
	b.get("/w/acme/inbox?tab=closed").leads(t, "/sign-in?next=%2Fw%2Facme%2Finbox%3Ftab%3Dclosed")
	page := b.get("/sign-in?next=%2Fw%2Facme%2Finbox%3Ftab%3Dclosed")
	page.says(t, 200, "sign-in").has(t, "input[name=email]", "input[name=password][type=password]")
	if !strings.Contains(page.body, `name="next" value="/w/acme/inbox?tab=closed"`) {
		t.Error("the form forgets where to go")
	}
	wrong := b.post("/sign-in", "email", "ada@example.org", "password", "not the words", "next", "/w/acme/inbox")
	wrong.says(t, 401, "sign-in-no-match")
	if !strings.Contains(wrong.body, `value="ada@example.org"`) || strings.Contains(wrong.body, "not the words") || b.keeps() != 0 {
		t.Error("a refused form keeps the e-mail address, never the password, and begins no session")
	}
	if !strings.Contains(wrong.body, `value="/w/acme/inbox"`) {
		t.Error("a refused form forgets where to go")
	}
	unknown := b.post("/sign-in", "email", "nobody@example.org", "password", "not the words", "next", "/w/acme/inbox")
	if strings.ReplaceAll(unknown.body, "nobody@", "ada@") != wrong.body {
		t.Error("the page tells whether there is an account")
	}
	ok := b.post("/sign-in", "email", " ADA@example.org ", "password", secretWords, "next", "/w/acme/inbox?tab=closed")
	ok.leads(t, "/w/acme/inbox?tab=closed")
	cookie := ok.Cookies()[0]
	if cookie.Name != "__Host-figs" || !cookie.Secure || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.Domain != "" || cookie.MaxAge != 30*24*3600 {
		t.Errorf("the cookie is %v", cookie)
	}
	b.get("/").leads(t, "/w/acme/inbox")
	b.get("/sign-in?next=/settings").leads(t, "/settings")

	other := c.browser()
	other.cookies["__Host-figs"] = b.cookies["__Host-figs"]
	b.post("/sign-out").leads(t, "/")
	if b.keeps() != 0 {
		t.Error("signing out leaves the cookie")
	}
	other.get("/").says(t, 200).has(t, "a[href=/sign-in]") // the session itself is over
	b.post("/sign-out").leads(t, "/")
}

// TestCookieNames holds the cookie to TLS wherever a browser takes it that way, and lets people
// sign in on a plain server too.
func TestCookieNames(t *testing.T) {
	for origin, want := range map[string]http.Cookie{
		"https://figs.example:8443": {Name: "__Host-figs", Secure: true}, "http://127.0.0.1:8080": {Name: "figs-web-8080"}, "http://localhost": {Name: "figs-web-80"},
		"http://[::1]:80": {Name: "figs-web-80"}, "http://figs.internal:8080": {Name: "figs-web-8080"}, "http://127.evil.example": {Name: "figs-web-80"},
	} {
		c := newClubAt(t, origin)
		c.person("ada")
		b := c.browser()
		got := b.post("/sign-in", "email", "ada@example.org", "password", secretWords)
		for i, name := range []string{want.Name, want.Name + "-device"} {
			if x := got.Cookies(); len(x) != 2 || x[i].Name != name || x[i].Secure != want.Secure || !x[i].HttpOnly {
				t.Errorf("%s: %v", origin, x)
			}
		}
		b.get("/settings").says(t, 200)
	}
}

// TestSessionIsAlwaysNew holds that a cookie that was there before signing in opens nothing
// afterwards (session fixation), and that signing in anew ends the session before it.
func TestSessionIsAlwaysNew(t *testing.T) {
	c := newClub(t)
	ada, eve := c.person("ada"), c.person("eve")
	b := c.browser()
	b.cookies["__Host-figs"] = "planted"
	b.post("/sign-in", "email", ada.Email, "password", secretWords).leads(t, "/")
	if b.cookies["__Host-figs"] == "planted" {
		t.Fatal("the planted cookie stays")
	}
	planted := c.browser()
	planted.cookies["__Host-figs"] = "planted"
	planted.get("/settings").leads(t, "/sign-in?next=%2Fsettings")

	first := c.as(eve)
	b = c.browser()
	b.cookies["__Host-figs"] = first.cookies["__Host-figs"]
	b.post("/sign-in", "email", ada.Email, "password", secretWords).leads(t, "/")
	first.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
}

// TestManyCookies holds that one request asks the store for few sessions, however many it brings.
func TestManyCookies(t *testing.T) {
	c := newClub(t)
	counted := &countsSessions{sqlStore: c.store}
	c.h.Auth.Source = counted
	b := c.as(c.person("ada"))
	b.headers = map[string]string{"Cookie": strings.Repeat("__Host-figs=x; ", 2000)}
	b.get("/settings")
	if counted.asked == 0 || counted.asked > 4 {
		t.Errorf("2000 cookies ask the store %d times", counted.asked)
	}
}

type countsSessions struct {
	*sqlStore
	asked int
}

func (s *countsSessions) Session(ctx context.Context, hash string, at int64) (store.Session, error) {
	s.asked++
	return s.sqlStore.Session(ctx, hash, at)
}

func TestNextStaysHere(t *testing.T) {
	c := newClub(t)
	c.person("ada")
	for _, next := range []string{
		"https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example", "/\n/evil.example", "javascript:alert(1)", "evil.example",
		"///evil.example", " //evil.example", "/%0a\\evil\x00", "/sign-out", "/sign-in?next=/", "http:/evil.example", "/" + strings.Repeat("a", 3000), "",
	} {
		got := c.browser().post("/sign-in", "email", "ada@example.org", "password", secretWords, "next", next)
		got.leads(t, "/")
	}
	for _, next := range []string{"/settings", "/w/acme/inbox?from=50&tab=closed", "/device?code=BCDF-GHJK", "/w/acme/agents/x#y"} {
		c.browser().post("/sign-in", "email", "ada@example.org", "password", secretWords, "next", next).leads(t, next)
	}
}

func TestGuessingIsLimited(t *testing.T) {
	c := newClub(t)
	c.person("ada")
	c.person("bob")
	b := c.browser()
	for range 10 {
		b.post("/sign-in", "email", "ada@example.org", "password", "guess").says(t, 401)
	}
	for _, password := range []string{"guess", secretWords} {
		got := b.post("/sign-in", "email", "Ada@example.org", "password", password)
		got.says(t, 429, "sign-in-too-often")
		if got.Header.Get("Retry-After") != "900" || len(b.cookies) != 0 {
			t.Errorf("Retry-After %q, cookies %v", got.Header.Get("Retry-After"), b.cookies)
		}
	}
	b.post("/sign-in", "email", "bob@example.org", "password", secretWords).leads(t, "/")
	elsewhere := c.browser()
	elsewhere.address = "198.51.100.7"
	elsewhere.post("/sign-in", "email", "ada@example.org", "password", secretWords).leads(t, "/") // she is not shut out by others
	c.now = c.now.Add(15 * time.Minute)
	b = c.browser()
	b.post("/sign-in", "email", "ada@example.org", "password", secretWords).leads(t, "/")
}

// TestAddressIsLimited holds that one address cannot try many accounts, in IPv6 not from a whole
// network of its own either.
func TestAddressIsLimited(t *testing.T) {
	c := newClub(t)
	at := c.at()
	for i := range 100 {
		_, err := accounts.SignIn(context.Background(), quick{c.store}, strings.Repeat("x", i+1)+"@example.org", "guess", accounts.ClientInfo{Address: "2001:db8::" + strconv.Itoa(i)}, at)
		if err != accounts.ErrNoMatch {
			t.Fatalf("try %d: %v", i, err)
		}
	}
	b := c.browser()
	b.address = "2001:db8::ffff"
	b.post("/sign-in", "email", "ada@example.org", "password", "guess").says(t, 429)
	b.address = "2001:db8:0:1::1"
	b.post("/sign-in", "email", "ada@example.org", "password", "guess").says(t, 401)
}

// TestKnownDeviceIsNotShutOut holds that a browser with which somebody has signed in lets them in, whatever others at its address
// tried, but neither lets others in nor tries for ever.
func TestKnownDeviceIsNotShutOut(t *testing.T) {
	c := newClub(t)
	c.person("ada")
	c.person("bob")
	known, fresh := c.browser(), c.browser()
	known.post("/sign-in", "email", "ada@example.org", "password", secretWords).leads(t, "/")
	known.post("/sign-out")
	for i := range 100 {
		if _, err := accounts.SignIn(context.Background(), quick{c.store}, strings.Repeat("x", i+1)+"@example.org", "guess", accounts.ClientInfo{Address: known.address}, c.at()); err != accounts.ErrNoMatch && i < 90 {
			t.Fatalf("try %d: %v", i, err)
		}
	}
	fresh.post("/sign-in", "email", "ada@example.org", "password", secretWords).says(t, 429)
	known.post("/sign-in", "email", "bob@example.org", "password", secretWords).says(t, 429) // who never signed in with it
	known.post("/sign-in", "email", "ada@example.org", "password", secretWords).leads(t, "/")
	known.post("/sign-out")
	for range 10 {
		known.post("/sign-in", "email", "ada@example.org", "password", "guess").says(t, 401)
	}
	known.post("/sign-in", "email", "ada@example.org", "password", secretWords).says(t, 429, "sign-in-too-often")
	c.now = c.now.Add(366 * 24 * time.Hour)
	for range 10 {
		known.post("/sign-in", "email", "ada@example.org", "password", "guess").says(t, 401)
	}
	known.address = "198.51.100.7"
	known.post("/sign-in", "email", "ada@example.org", "password", secretWords).leads(t, "/") // known no more: its address is counted
}

// quick has accounts whose encoding is cheap to verify.
type quick struct{ *sqlStore }

func (q quick) UserByEmail(context.Context, string) (store.User, error) {
	return store.User{Password: "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$MTIzNDU2Nzg5MDEyMzQ1Ng"}, nil
}

func TestSessionsEnd(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	w := c.workspace("acme", ada)
	b := c.browser()
	b.post("/sign-in", "email", ada.Email, "password", secretWords)
	day := 24 * time.Hour
	sessions := func() store.Session {
		all, err := c.store.ListSessions(context.Background(), ada.ID, c.at())
		c.must(err)
		if len(all) != 1 {
			t.Fatalf("%d sessions", len(all))
		}
		return all[0]
	}
	begun := sessions()
	c.now = c.now.Add(12 * time.Hour)
	if got := b.get("/settings"); len(got.Cookies()) != 0 || sessions().Expires != begun.Expires {
		t.Error("a session is noted more than once a day")
	}
	for range 2 {
		c.now = c.now.Add(29 * day)
		got := b.get("/settings")
		got.says(t, 200)
		if len(got.Cookies()) != 1 || got.Cookies()[0].MaxAge != 30*24*3600 || sessions().Expires != c.now.Add(30*day).UnixMicro() {
			t.Errorf("the session did not slide: %v", got.Cookies())
		}
	}
	c.now = c.now.Add(29 * day)
	if got := b.get("/settings"); len(got.Cookies()) != 1 || got.Cookies()[0].MaxAge != 60*3600 {
		t.Errorf("used every month, it lasts longer than ninety days: %v", got.Cookies())
	}
	c.now = c.now.Add(60 * time.Hour)
	b.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
	b.get("/w/"+w.Slug).leads(t, "/sign-in?next=%2Fw%2Facme")
	b.post("/settings/name", "name", "Eve").leads(t, "/sign-in")
}

// TestEndedSessionStaysEnded holds that a page which is being read cannot bring a session back
// that ends beside it.
func TestEndedSessionStaysEnded(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	w := c.workspace("acme", ada)
	b := c.as(ada)
	hash := store.Hash(b.cookies["__Host-figs"])
	c.now = c.now.Add(25 * time.Hour)
	c.h.Store = &endsBeside{sqlStore: c.store, hash: hash}
	b.get("/w/" + w.Slug + "/settings")
	b.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
}

// endsBeside ends the session as soon as it was read.
type endsBeside struct {
	*sqlStore
	hash string
}

func (s *endsBeside) UpdateSession(ctx context.Context, hash string, data []byte, used, expires int64) error {
	if err := s.sqlStore.EndSession(ctx, s.hash); err != nil {
		return err
	}
	return s.sqlStore.UpdateSession(ctx, hash, data, used, expires)
}

// TestPasswordChangedMeanwhile holds that signing in with a password that is changed beside it
// opens nothing.
func TestPasswordChangedMeanwhile(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	c.h.Store = &changesBeside{sqlStore: c.store, user: ada.ID}
	b := c.browser()
	b.post("/sign-in", "email", ada.Email, "password", secretWords).says(t, 401)
	if all, err := c.store.ListSessions(context.Background(), ada.ID, c.at()); err != nil || len(all) != 0 || b.cookies[c.h.Auth.Cookie] != "" {
		t.Errorf("sessions %v, cookies %v, %v", all, b.cookies, err)
	}
}

// changesBeside changes the password just before a session is kept.
type changesBeside struct {
	*sqlStore
	user string
}

func (s *changesBeside) SaveSession(ctx context.Context, x store.Session) error {
	if err := s.sqlStore.SetPassword(ctx, store.Act{At: 1}, s.user, "another"); err != nil {
		return err
	}
	return s.sqlStore.SaveSession(ctx, x)
}

func TestCrossSitePosts(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	c.workspace("acme", ada)
	for lesson, headers := range map[string]map[string]string{
		"another site": {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
		"another port": {"Sec-Fetch-Site": "same-site", "Origin": "https://figs.example:8443"},
		"old browser":  {"Sec-Fetch-Site": "", "Origin": "https://evil.example"},
		"null origin":  {"Sec-Fetch-Site": "", "Origin": "null"},
	} {
		for _, address := range []string{"/sign-in", "/sign-out", "/setup", "/device", "/settings/tokens", "/w/acme/settings/policy/name"} {
			b := c.as(ada)
			b.headers = headers
			got := b.post(address, "name", "x")
			got.says(t, 403, "sent-from-another-page")
			b.headers = nil
			b.get("/settings").says(t, 200)
			if t.Failed() {
				t.Fatalf("%s at %s", lesson, address)
			}
		}
	}
	for lesson, headers := range map[string]map[string]string{
		"behind a proxy": {"Sec-Fetch-Site": "", "Origin": clubAt},
		"no browser":     {"Sec-Fetch-Site": "", "Origin": ""},
		"typed":          {"Sec-Fetch-Site": "none", "Origin": ""},
	} {
		b := c.as(ada)
		b.headers = headers
		if got := b.post("/sign-out"); got.StatusCode != 303 {
			t.Errorf("%s: %d", lesson, got.StatusCode)
		}
	}
}

func TestForms(t *testing.T) {
	c := newClub(t)
	b := c.browser()
	b.send("POST", "/sign-in", "email="+strings.Repeat("a", 64<<10)).says(t, 413, "form-too-large")
	b.send("POST", "/sign-in", "email=%zz").says(t, 400, "form-broken")
	b.headers = map[string]string{"Content-Type": "application/json"}
	b.send("POST", "/sign-in", `{"email":"a"}`).says(t, 415, "form-of-another-type")
	b.headers = map[string]string{"Content-Type": "text/plain"}
	b.send("POST", "/sign-in", `email=a&password=b`).says(t, 415)
	b.headers = nil
	b.send("POST", "/sign-in?email=ada@example.org&password=x", "").says(t, 401) // the address holds no fields
	b.send("POST", "/sign-in", "email=a%00b&password=%ff").says(t, 401)
}

// TestNoCookie holds that a browser which keeps no cookie is told so before anything is used up, on every form that
// signs somebody in, and that nothing else is asked of programs.
func TestNoCookie(t *testing.T) {
	c := newClubAt(t, "http://127.0.0.1:8080")
	key, err := accounts.CreateSetup(context.Background(), c.store, c.at())
	c.must(err)
	form := []string{"cookie", "asked", "key", key, "name", "Ada", "email", "ada@example.org", "password", secretWords, "workspace", "Acme"}
	deaf, b := c.browser(), c.browser()
	page := deaf.get("/setup?key=" + key)
	page.says(t, 200, "setup").has(t, "form[action=/setup] input[name=cookie][value=asked]")
	if len(page.Cookies()) != 1 {
		t.Fatalf("the page asks for no cookie: %v", page.Cookies())
	}
	cookie := page.Cookies()[0]
	if cookie.Name != "figs-web-8080-kept" || cookie.Secure || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge != 0 {
		t.Errorf("the cookie is %v", cookie)
	}
	deaf.cookies = map[string]string{}
	for _, path := range []string{"/setup", "/sign-in", "/sign-in/recovery", "/reset", "/invite/join"} {
		deaf.post(path, form...).says(t, 400, "no-cookie")
		deaf.get(path)
		delete(deaf.cookies, cookie.Name)
	}
	b.get("/setup?key=" + key)
	b.post("/setup", form...).leads(t, "/w/acme/connect") // the link was not used up
	b.get("/w/acme/connect").says(t, 200, "connect")
	c.browser().post("/sign-in", "email", "ada@example.org", "password", secretWords).leads(t, "/")
}
