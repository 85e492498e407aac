package notify

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/chat"
	"github.com/figs-web/figs-web/internal/safedial"
	"github.com/figs-web/figs-web/internal/store"
)

// chatChannels is a channel of each service.
var chatChannels = []store.ChatChannel{
	{Service: "slack", URL: "https://hooks.slack.com/services/T0AAAAAAA/B0AAAAAAA/slacksecret"},
	{Service: "teams", URL: "https://prod-23.westeurope.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=teamssecret"},
	{Service: "discord", URL: "https://discord.com/api/webhooks/1234/discordsecret"},
	{Service: "mattermost", URL: "https://chat.example.org/hooks/mattermostsecret"},
	{Service: "telegram", Room: "-1001234", Token: "123456789:telegramsecret0123456789"},
	{Service: "matrix", URL: "https://matrix.example.org", Room: "!abc:example.org", Token: "matrixsecret"},
	{Service: "googlechat", URL: "https://chat.googleapis.com/v1/spaces/AAAA/messages?key=k&token=googlesecret"},
}

// addChat adds one of the channels to the workspace.
func (d *desk) addChat(c store.ChatChannel) store.ChatChannel {
	d.Helper()
	c.ID, c.Workspace, c.Name, c.By, c.Created = store.NewID(), d.place.ID, c.Service, d.ada.ID, d.now()
	if c.Topics == nil {
		c.Topics = store.DefaultChatTopics()
	}
	d.ok(d.s.AddChatChannel(ctx, store.Act{By: d.ada.ID, At: d.now()}, c))
	return c
}

// provider is a server that stands for every service's: the worker's connections to any host lead to it.
type provider struct {
	mu   sync.Mutex
	all  []provided
	does http.HandlerFunc // nil: 200
}

// got lists what was sent.
func (p *provider) got() []provided {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all
}

// answers sets how requests are answered; nil is 200.
func (p *provider) answers(does http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.does = does
}

type provided struct {
	*http.Request
	body string
}

func (d *desk) provider() *provider {
	d.Helper()
	p := &provider{}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		p.mu.Lock()
		p.all = append(p.all, provided{r, string(body)})
		does := p.does
		p.mu.Unlock()
		if does != nil {
			does(w, r)
		}
	}))
	d.Cleanup(server.Close)
	d.w.HTTP = &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
		}},
	}
	return p
}

// toChat lists what was sent to channels, newest first.
func (d *desk) toChat() []store.QueuedNotification {
	d.Helper()
	all, err := d.s.SentToChat(ctx, d.place.ID, 0, 100)
	d.ok(err)
	return all
}

// TestChat sends one ask to a channel of each service, at each level.
func TestChat(t *testing.T) {
	for _, level := range []store.TextLevel{store.TextLink, store.TextMembers, store.TextEverywhere} {
		t.Run(level.String(), func(t *testing.T) {
			d := newDesk(t)
			p := d.provider()
			d.ok(d.s.SetPolicy(ctx, store.Act{At: d.now()}, d.place.ID, store.Policy{Text: level}, true))
			d.step()
			for _, c := range chatChannels {
				d.addChat(c)
			}
			d.ask(plantedAsk, "")
			d.step()
			d.step()
			if len(p.got()) != len(chatChannels) {
				t.Fatalf("%d requests, want one for each of %d channels", len(p.got()), len(chatChannels))
			}
			sent := map[string]provided{}
			for _, r := range p.got() {
				sent[r.Host] = r
			}
			ids := map[string]string{}
			for _, s := range d.toChat() {
				if s.State != store.SendSent || s.Tries != 1 {
					t.Errorf("%s after %d tries: %s", s.State, s.Tries, s.Answer)
				}
				ids[s.ID] = s.Destination
			}
			for host, r := range sent {
				all := r.Method + " " + r.RequestURI + " " + strings.ReplaceAll(r.body, "\u200b", "")
				var link string
				for id := range ids {
					if strings.Contains(r.body, "https://figs.example/w/acme/news/"+id) {
						link = id
					}
				}
				if link == "" || !json.Valid([]byte(r.body)) || r.Header.Get("Content-Type") == "" {
					t.Errorf("%s got %s", host, all)
				}
				delete(ids, link)
				for _, planted := range []string{plantedName, plantedTitle} {
					if got := strings.Contains(all, planted); got != (level == store.TextEverywhere) {
						t.Errorf("%s: %q was told: %v", host, planted, got)
					}
				}
				if strings.Contains(all, plantedAsk) || strings.Contains(all, agent) {
					t.Errorf("%s: ids that the agent chose left", host)
				}
				if got := strings.Contains(all, "approval of one step") && strings.Contains(all, "2 hours"); got != (level == store.TextEverywhere) {
					t.Errorf("%s: what is asked, and for how long, was told: %v: %s", host, got, all)
				}
			}
			if r := sent["matrix.example.org"]; r.Method != "PUT" || r.Header.Get("Authorization") != "Bearer matrixsecret" || !strings.HasPrefix(r.RequestURI, "/_matrix/client/v3/rooms/%21abc:example.org/send/m.room.message/") {
				t.Errorf("Matrix got %s %s", r.Method, r.RequestURI)
			}
			if r := sent["api.telegram.org"]; r.RequestURI != "/bot123456789:telegramsecret0123456789/sendMessage" {
				t.Errorf("Telegram got %s", r.RequestURI)
			}
		})
	}
}

// TestChatOnce tests what a channel is told, and when: of each round once, however many people are asked, and not of what had
// arrived before it was added.
func TestChatOnce(t *testing.T) {
	d := newDesk(t)
	p := d.provider()
	d.ask("old", "")
	d.step()
	d.clock = d.clock.Add(time.Minute)
	d.addChat(chatChannels[0])
	bob := store.User{ID: store.NewID(), Email: "bob@example.org", Name: "Bob", Created: d.now()}
	d.ok(d.s.AddUser(ctx, store.Act{At: d.now()}, bob))
	d.ok(d.s.SetMember(ctx, store.Act{At: d.now()}, d.place.ID, bob.ID, store.Admin)) // asks of the last days are told to new people
	d.step()
	d.ask("new", "")
	d.step()
	d.ask("new", `,"found":"More"`)
	d.step()
	d.step()
	events := func() (out []string) {
		for _, s := range d.toChat() {
			out = append(out, string(s.Event)+" "+s.Ask)
		}
		return out
	}
	if got := strings.Join(events(), ", "); got != "ask new" || len(p.got()) != 1 {
		t.Fatalf("told: %s; %d requests", got, len(p.got()))
	}
	d.clock = d.clock.Add(24*time.Hour + time.Minute)
	d.step()
	d.step()
	if got := strings.Join(events(), ", "); got != "open new, ask new" || len(p.got()) != 2 || !strings.Contains(p.got()[1].body, "still waiting") {
		t.Errorf("told: %s", got)
	}
}

// TestChatRetries tests a provider that is down, and one that stays down.
func TestChatRetries(t *testing.T) {
	d := newDesk(t)
	p := d.provider()
	c := d.addChat(chatChannels[2])
	d.ask("a", "")
	p.answers(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no <b>database</b>", 500) })
	d.step()
	s := d.toChat()[0]
	if s.State != store.SendWaiting || s.Tries != 1 || s.Next != d.now()+backoff[0] || s.Answer != "HTTP 500: no <b>database</b>" {
		t.Errorf("after a failure: %+v", s)
	}
	if got, err := d.s.ChatChannel(ctx, d.place.ID, c.ID); err != nil || got.Failing != d.now() {
		t.Errorf("it fails since %d, %v", got.Failing, err)
	}
	p.answers(nil)
	d.clock = d.clock.Add(time.Minute)
	d.step()
	s = d.toChat()[0]
	if s.State != store.SendSent || s.Tries != 2 {
		t.Errorf("after a success: %+v", s)
	}
	if got, err := d.s.ChatChannel(ctx, d.place.ID, c.ID); err != nil || got.Failing != 0 {
		t.Errorf("it still fails: %+v, %v", got, err)
	}
	if p.got()[0].body != p.got()[1].body {
		t.Errorf("the message changed from %s to %s", p.got()[0].body, p.got()[1].body)
	}

	p.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(502) })
	d.ask("b", "")
	d.step()
	for _, wait := range backoff {
		d.clock = d.clock.Add(time.Duration(wait) * time.Microsecond)
		d.step()
	}
	for _, s := range d.toChat() {
		if s.Ask == "b" && s.Event == store.EventAsk && (s.State != store.SendDead || s.Tries != len(backoff)+1) {
			t.Errorf("after all tries: %+v", s)
		}
	}
	list, err := d.s.ListNotifications(ctx, d.ada.ID, d.place.ID, store.NotificationQuery{})
	d.ok(err)
	told := 0
	for i := range list.Items {
		if list.Items[i].Event == store.EventDestinationFailing {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the owner was told %d times", told)
	}
}

// TestChatRetryAfter tests that nothing is sent to a channel that asks to wait until it may be, while others are.
func TestChatRetryAfter(t *testing.T) {
	d := newDesk(t)
	p := d.provider()
	d.addChat(chatChannels[0])
	d.addChat(chatChannels[5])
	p.answers(func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "hooks.slack.com" {
			w.Header().Set("Retry-After", "300")
			http.Error(w, "rate_limited", http.StatusTooManyRequests)
		}
	})
	d.ask("a", "")
	d.step()
	until := d.now() + 300_000_000
	d.clock = d.clock.Add(time.Minute)
	d.ask("b", "")
	d.step()
	d.clock = d.clock.Add(time.Minute)
	d.ask("c", "")
	d.step()
	tried, postponed, elsewhere := 0, 0, 0
	for _, s := range d.toChat() {
		switch {
		case s.State == store.SendSent:
			elsewhere++
		case s.State == store.SendWaiting && s.Next == until && s.Tries == 1 && s.Answer == "HTTP 429: rate_limited":
			tried++
		case s.State == store.SendWaiting && s.Next == until && s.Tries == 0:
			postponed++
		default:
			t.Errorf("%+v", s)
		}
	}
	if tried != 1 || postponed != 2 || elsewhere != 3 || len(p.got()) != 4 {
		t.Errorf("%d were tried, %d postponed, %d sent elsewhere; %d requests", tried, postponed, elsewhere, len(p.got()))
	}
	d.clock = time.UnixMicro(until).Add(-time.Second)
	d.step()
	if len(p.got()) != 4 {
		t.Error("it was tried too early")
	}
	p.answers(nil)
	d.clock = d.clock.Add(time.Second)
	d.step()
	for _, s := range d.toChat() {
		if s.State != store.SendSent {
			t.Errorf("not sent: %+v", s)
		}
	}
	if got := p.got(); len(got) != 6 || !strings.Contains(got[4].body+got[5].body, "2 asks need a person") {
		t.Errorf("%d requests; what was postponed arrived as %s and %s", len(got), got[4].body, got[5].body)
	}
}

// TestChatRevoked tests that a webhook that is no longer valid is given up at once, and that the answer shows no secret.
func TestChatRevoked(t *testing.T) {
	for _, status := range []int{401, 403, 404, 410} {
		d := newDesk(t)
		p := d.provider()
		for _, c := range chatChannels {
			d.addChat(c)
		}
		p.answers(func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "unknown: "+r.URL.Path+" "+r.Header.Get("Authorization"), status)
		})
		d.ask("a", "")
		d.step()
		for _, s := range d.toChat() {
			if s.State != store.SendDead || s.Tries != 1 || !strings.Contains(s.Answer, "no longer valid") || strings.Contains(s.Answer, "secret") {
				t.Errorf("%d: %s after %d tries: %s", status, s.State, s.Tries, s.Answer)
			}
		}
	}
}

// TestChatRefused tests channels that may not be reached, whatever is stored, and one that was answered meanwhile.
func TestChatRefused(t *testing.T) {
	d := newDesk(t)
	d.w.HTTP = (&safedial.Guard{}).Client()
	d.addChat(store.ChatChannel{Service: "mattermost", URL: "https://127.0.0.1/hooks/abc"})
	d.addChat(store.ChatChannel{Service: "matrix", URL: "https://169.254.169.254", Room: "!a:b.example", Token: "matrixsecret"})
	d.addChat(store.ChatChannel{Service: "slack", URL: "https://hooks.example/services/T1/B1/x"})
	d.addChat(store.ChatChannel{Service: "mattermost", URL: "http://chat.example.org/hooks/abc"})
	d.addChat(store.ChatChannel{Service: "irc", URL: "https://irc.example"})
	d.ask("a", "")
	d.step()
	inside, wrong := 0, 0
	for _, s := range d.toChat() {
		switch {
		case s.State == store.SendWaiting && strings.HasPrefix(s.Answer, "this URL isn't allowed"):
			inside++
		case s.State == store.SendDead:
			wrong++
		}
	}
	if inside != 2 || wrong != 3 {
		t.Errorf("%d are inside and %d wrong: %+v", inside, wrong, d.toChat())
	}
}

// TestChatServices holds the channels of these tests to the list of services.
func TestChatServices(t *testing.T) {
	if len(chatChannels) != len(chat.Services()) {
		t.Errorf("%d channels for %d services", len(chatChannels), len(chat.Services()))
	}
}
