package notify

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/store"
)

// verify is the check of a webhook's receiver, as docs/notifications.md has it.
func verify(head string, body []byte, secret string, now int64) error {
	var at int64
	var sum string
	if _, err := fmt.Sscanf(strings.ReplaceAll(head, ",", " "), "t=%d v1=%s", &at, &sum); err != nil {
		return err
	}
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d.%s", at, body)
	given, err := hex.DecodeString(sum)
	switch {
	case err != nil:
		return err
	case !hmac.Equal(mac.Sum(nil), given):
		return fmt.Errorf("wrong signature")
	case now-at > 300 || at-now > 300:
		return fmt.Errorf("too old")
	}
	return nil
}

// TestWays sends one ask to every kind of destination.
func TestWays(t *testing.T) {
	for _, words := range []bool{false, true} { // the level between them is storetest's
		t.Run(fmt.Sprint("words ", words), func(t *testing.T) {
			d := newDesk(t)
			d.ok(d.s.SetPolicy(ctx, store.Act{At: d.now()}, d.place.ID, store.Policy{Text: map[bool]store.TextLevel{true: store.TextEverywhere}[words]}, true))
			hook, topic, push, box := receive(t, nil), receive(t, nil), receive(t, nil), d.mailing()
			browser, keys := subscription(t)
			d.at(store.DestinationWebhook, hook.URL+"/hook", "signing secret")
			d.at(store.DestinationNtfy, topic.URL+"/topic", "tk_1")
			d.at(store.DestinationPush, push.URL+"/endpoint", keys)
			d.at(store.DestinationEmail, "ada@example.org", "")
			d.ask(plantedAsk, "")
			d.step()
			d.step()
			if len(hook.requests()) != 1 || len(topic.requests()) != 1 || len(push.requests()) != 1 || len(box.all) != 1 {
				t.Fatalf("arrived: %d at the webhook, %d at the topic, %d in the browser, %d emails; want each once", len(hook.requests()), len(topic.requests()), len(push.requests()), len(box.all))
			}
			one := hook.requests()[0]
			if err := verify(one.head.Get("Figs-Signature"), one.body, "signing secret", d.clock.Unix()); err != nil {
				t.Errorf("the signature: %v", err)
			}
			if verify(one.head.Get("Figs-Signature"), append(one.body, ' '), "signing secret", d.clock.Unix()) == nil {
				t.Error("the signature is good for other bytes")
			}
			var p Payload
			d.ok(json.Unmarshal(one.body, &p))
			if p.ID != one.head.Get("Figs-Delivery") || p.Event != store.EventAsk || p.Workspace.Slug != "acme" || p.Link != "https://figs.example/w/acme/news/"+p.ID {
				t.Errorf("the payload is %s", one.body)
			}
			got := topic.requests()[0]
			if got.head.Get("Authorization") != "Bearer tk_1" || got.path != "/topic" || got.head.Get("Click") == "" {
				t.Errorf("the topic got %v at %s", got.head, got.path)
			}
			message := browser.decrypt(t, push.requests()[0])
			if !strings.Contains(message, "https://figs.example/w/acme/news/") || !strings.HasPrefix(push.requests()[0].head.Get("Authorization"), "vapid t=") {
				t.Errorf("the browser got %s", message)
			}
			everything := message + box.all[0] + fmt.Sprint(one.head, string(one.body), got.head, string(got.body))
			for _, planted := range []string{plantedTitle, plantedName, plantedAsk, agent} {
				if got := strings.Contains(everything, planted); got && !words {
					t.Errorf("%q left, though the workspace does not allow it", planted)
				}
			}
			if words && (p.Ask.ID != plantedAsk || !strings.Contains(box.all[0], plantedTitle) || !strings.Contains(message, plantedName)) {
				t.Error("the words are missing that the workspace allows")
			}
			for _, s := range d.sent() {
				if s.State != store.SendSent || s.Tries != 1 {
					t.Errorf("%s: %s after %d tries: %s", s.Destination, s.State, s.Tries, s.Answer)
				}
			}
			if n, err := d.s.UnreadNotifications(ctx, d.ada.ID, d.place.ID); err != nil || n != 1 && !words || words && n != 2 { // that words may leave is told, too
				t.Errorf("the page tells %d, %v", n, err)
			}
		})
	}
}

// userAgent is a browser that was subscribed.
type userAgent struct {
	key  *ecdh.PrivateKey
	auth []byte
}

func subscription(t *testing.T) (*userAgent, string) {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	u := &userAgent{key, make([]byte, 16)}
	rand.Read(u.auth)
	b64 := base64.RawURLEncoding.EncodeToString
	return u, fmt.Sprintf(`{"auth":%q,"p256dh":%q}`, b64(u.auth), b64(key.PublicKey().Bytes()))
}

// decrypt reads a message as RFC 8291 has it.
func (u *userAgent) decrypt(t *testing.T, r request) string {
	t.Helper()
	must := func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	salt, n := r.body[:16], int(r.body[20])
	public, sealed := r.body[21:21+n], r.body[21+n:]
	theirs, err := ecdh.P256().NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	shared := must(u.key.ECDH(theirs))
	info := "WebPush: info\x00" + string(u.key.PublicKey().Bytes()) + string(public)
	ikm := must(hkdf.Key(sha256.New, shared, u.auth, info, 32))
	block, err := aes.NewCipher(must(hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: aes128gcm\x00", 16)))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	plain := must(gcm.Open(nil, must(hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: nonce\x00", 12)), sealed, nil))
	text, _, _ := strings.Cut(string(plain), "\x02")
	return text
}

// TestBackoff lets a receiver fail in each of the ways: tries come at their times and not before,
// then the news are dead, which the page tells, and a replay sends them under their own id.
func TestBackoff(t *testing.T) {
	cut := func(w http.ResponseWriter, _ *http.Request) {
		if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
			c.Close()
		}
	}
	for _, test := range []struct {
		lesson, answer string
		does           func(http.ResponseWriter, *http.Request)
	}{
		{"500", "HTTP 500: no", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusInternalServerError) }},
		{"cut", "EOF", cut},
		{"hang", "no response in time", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
	} {
		t.Run(test.lesson, func(t *testing.T) {
			d := newDesk(t)
			hook := receive(t, test.does)
			d.w.HTTP.Timeout = 100 * time.Millisecond
			d.at(store.DestinationWebhook, hook.URL, "s")
			d.ask("a", "")
			tries := map[store.SendState]int{}
			d.w.Tried = func(_ store.DestinationKind, state store.SendState) { tries[state]++ }
			for i, wait := range backoff {
				d.step()
				if s := d.sent()[0]; s.State != store.SendWaiting || s.Tries != i+1 || !strings.Contains(s.Answer, test.answer) || s.Next != d.now()+wait {
					t.Fatalf("after try %d: %+v", i+1, s)
				}
				d.clock = d.clock.Add(time.Duration(wait-1) * time.Microsecond)
				d.ok(d.w.send(ctx))
				if n := len(hook.requests()); n != i+1 {
					t.Fatalf("tried before its time: %d tries", n)
				}
				d.clock = d.clock.Add(time.Microsecond)
			}
			d.ok(d.w.send(ctx))
			dead := d.sent()[0]
			if dead.State != store.SendDead || dead.Tries != 7 {
				t.Fatalf("in the end: %+v", dead)
			}
			list, err := d.s.ListNotifications(ctx, d.ada.ID, d.place.ID, store.NotificationQuery{})
			d.ok(err)
			if list.Items[0].Event != store.EventDestinationFailing {
				t.Errorf("the page tells of %s", list.Items[0].Event)
			}
			hook.mu.Lock()
			hook.does = nil
			hook.mu.Unlock()
			d.ok(d.s.ResendNotification(ctx, store.Act{By: d.ada.ID, At: d.now()}, d.ada.ID, dead.ID))
			d.ok(d.w.send(ctx))
			got := hook.requests()
			if s := d.sent()[0]; s.State != store.SendSent || got[len(got)-1].head.Get("Figs-Delivery") != got[0].head.Get("Figs-Delivery") {
				t.Errorf("the replay: %+v", s)
			}
			if tries[store.SendWaiting] != len(backoff) || tries[store.SendDead] != 1 || tries[store.SendSent] != 1 || len(tries) != 3 {
				t.Errorf("it was told of the tries %v", tries)
			}
		})
	}
}

// TestOnce stops between planning and sending, and lets two do the same at once: everything arrives, once.
func TestOnce(t *testing.T) { once(t, newDesk(t)) }

func once(t *testing.T, d *desk) {
	t.Helper()
	hook := receive(t, nil)
	d.at(store.DestinationWebhook, hook.URL, "s")
	d.ask("a", "")
	d.ok(d.w.plan(ctx, true)) // and it ends here
	d.s.Close()
	d.open()
	d.step()
	d.step()
	if n := len(hook.requests()); n != 1 {
		t.Fatalf("after a crash it arrived %d times", n)
	}
	for i := range 20 {
		d.ask(fmt.Sprint("b", i), "")
	}
	second, err := openAgain(d)
	d.ok(err)
	var both sync.WaitGroup
	for _, w := range []*Worker{d.w, second} {
		both.Go(func() {
			for range 3 {
				if err := w.Step(ctx, true); err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	seen := map[string]int{}
	for _, r := range hook.requests() {
		seen[r.head.Get("Figs-Delivery")]++
	}
	if len(seen) != 21 {
		t.Errorf("%d arrived, want 21", len(seen))
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s arrived %d times", id, n)
		}
	}
}

// TestPushLanguage sends to the browser of someone who reads German; webhooks and topics, which others may read too, stay English.
func TestPushLanguage(t *testing.T) {
	d := newDesk(t)
	d.ok(d.s.SetLanguage(ctx, store.Act{By: d.ada.ID, At: d.now()}, d.ada.ID, "de"))
	hook, topic, push := receive(t, nil), receive(t, nil), receive(t, nil)
	browser, keys := subscription(t)
	d.at(store.DestinationWebhook, hook.URL, "secret")
	d.at(store.DestinationNtfy, topic.URL+"/topic", "")
	d.at(store.DestinationPush, push.URL, keys)
	d.ask("a", "")
	d.step()
	if len(hook.requests()) != 1 || len(topic.requests()) != 1 || len(push.requests()) != 1 {
		t.Fatal("want one notification each")
	}
	if message := browser.decrypt(t, push.requests()[0]); !strings.Contains(message, `"title":"Ein Agent braucht Sie`) {
		t.Errorf("the browser got %s", message)
	}
	if got := topic.requests()[0].head.Get("Title"); !strings.Contains(got, "An_agent_needs_you") {
		t.Errorf("the topic got %q", got)
	}
	if got := string(hook.requests()[0].body); !strings.Contains(got, "An agent needs you") {
		t.Errorf("the webhook got %s", got)
	}
}

// TestPushBadge sends two asks to a browser: each message has the number of asks that need its person, in all workspaces,
// as their inboxes count it; what others are asked isn't in it.
func TestPushBadge(t *testing.T) {
	d := newDesk(t)
	push := receive(t, nil)
	browser, keys := subscription(t)
	d.at(store.DestinationPush, push.URL, keys)
	other := store.Workspace{ID: store.NewID(), Slug: "other", Name: "Other", Created: d.now()}
	d.ok(d.s.AddWorkspace(ctx, store.Act{By: d.ada.ID, At: d.now()}, other, d.ada.ID))
	for i, id := range []string{"a", "b"} {
		d.clock = d.clock.Add(time.Minute)
		d.ask(id, "")
		d.step()
		if len(push.requests()) != i+1 {
			t.Fatalf("%d messages arrived after ask %s", len(push.requests()), id)
		}
		var got struct {
			Badge *int
			Title string
		}
		d.ok(json.Unmarshal([]byte(browser.decrypt(t, push.requests()[i])), &got))
		in, err := d.s.Inbox(ctx, store.InboxQuery{Workspace: d.place.ID, Mine: d.ada.ID, Now: d.now(), Slice: store.Slice{N: -1}})
		d.ok(err)
		if got.Badge == nil || *got.Badge != i+1 || *got.Badge != in.Total || got.Title == "" {
			t.Errorf("after ask %s the message says %v, the inbox %d", id, got.Badge, in.Total)
		}
	}
}

// TestGone checks that a browser that has unsubscribed is removed as a destination, and that final failures aren't retried.
func TestGone(t *testing.T) {
	d := newDesk(t)
	push := receive(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })
	_, keys := subscription(t)
	d.at(store.DestinationPush, push.URL, keys)
	away := receive(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
	})
	d.at(store.DestinationNtfy, away.URL+"/t", "")
	d.at(store.DestinationWebhook, "http://169.254.169.254/latest", "s")
	d.ask("a", "")
	tries := map[store.DestinationKind]store.SendState{}
	d.w.Tried = func(by store.DestinationKind, state store.SendState) { tries[by] = state }
	d.step()
	if tries[store.DestinationPush] != store.SendDead {
		t.Errorf("it was told of the tries %v", tries)
	}
	places, err := d.s.Destinations(ctx, d.ada.ID)
	d.ok(err)
	if len(places) != 2 {
		t.Errorf("%d places are left", len(places))
	}
	kinds := map[string]store.DestinationKind{}
	for _, p := range places {
		kinds[p.ID] = p.Kind
	}
	for _, s := range d.sent() {
		switch kind := kinds[s.Destination]; {
		case kind == store.DestinationNtfy && s.State == store.SendDead && strings.Contains(s.Answer, "redirects aren't followed"):
		case kind == store.DestinationWebhook && s.State == store.SendWaiting && strings.Contains(s.Answer, "isn't allowed"):
		default:
			t.Errorf("%s, %q", s.State, s.Answer)
		}
	}
}

// TestDigest sends one email a day at its hour.
func TestDigest(t *testing.T) {
	d := newDesk(t)
	box := d.mailing()
	p := d.at(store.DestinationEmail, "ada@example.org", "")
	d.ok(d.s.SetDestinationDigest(ctx, store.Act{At: d.now()}, d.ada.ID, p.ID, 8))
	for _, id := range []string{"a", "b", "c"} {
		d.ask(id, "")
	}
	d.step()
	d.clock = time.Date(2026, 11, 21, 7, 59, 0, 0, time.UTC)
	d.step()
	if len(box.all) != 0 {
		t.Fatal("an email was sent before its hour")
	}
	d.clock = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	d.step()
	if len(box.all) != 1 || strings.Count(box.all[0], "\r\nhttps://figs.example/w/acme/news/") != 3 || !strings.Contains(box.all[0], "List-Unsubscribe: <https://figs.example/settings/notifications>") {
		t.Errorf("emails: %q", box.all)
	}
}

// TestQuiet checks that asks that are withdrawn or snoozed cause no notifications.
func TestQuiet(t *testing.T) {
	d := newDesk(t)
	hook := receive(t, nil)
	d.at(store.DestinationWebhook, hook.URL, "s")
	d.ask("a", "")
	d.ok(d.w.plan(ctx, true))
	d.ask("a", `,"resolution":{"at":"2026-11-20T12:00:00Z"},"status":"withdrawn"`)
	d.ok(d.w.send(ctx))
	if got := d.sent()[0]; got.State != store.SendDropped || len(hook.requests()) != 0 {
		t.Errorf("what is over: %s, %d arrived", got.State, len(hook.requests()))
	}
	d.ask("b", "")
	_, err := d.s.Snooze(ctx, store.Act{By: d.ada.ID, At: d.now()}, d.place.ID, agent, "b", d.now()+2*hour)
	d.ok(err)
	d.step()
	if n := len(hook.requests()); n != 0 {
		t.Errorf("%d arrived of what was put off", n)
	}
	d.clock = d.clock.Add(2 * time.Hour)
	d.step()
	if n := len(hook.requests()); n != 1 {
		t.Errorf("%d arrived when it came back", n)
	}
	d.clock = d.clock.Add(22 * time.Hour)
	d.step()
	d.step()
	if n := len(hook.requests()); n != 2 {
		t.Errorf("%d arrived after a day, want one more", n)
	}
}
