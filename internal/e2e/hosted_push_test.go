package e2e

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"
)

// TestHostedPush adds a browser that is told while no page is open: what the server encrypts for it
// reaches a push service of the test, is opened with the browser's key, and the worker shows it.
func TestHostedPush(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only there can a variable say whose certificates a program trusts")
	}
	service := newPushService(t)
	s := newHosted(t, "--notify-allow", "127.0.0.1")
	s.push("payables")
	p := newTab(t)
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: service.stub()})
	worker := p.workers()
	p.signIn(s, "/inbox")
	// What was there before is told before anybody wishes to be told elsewhere.
	eval[chromedp.Void](p, `(async () => {
		while (!(await (await fetch(location.href)).text()).includes('>unread<')) await new Promise(again => setTimeout(again, 50));
	})()`)
	p.do(chromedp.Navigate(s.url("/settings/notifications")))
	p.permit(s, browser.PermissionSettingDenied)
	p.click("form[data-push] [type=submit]")
	p.await(has("[data-push-fault]", "The browser blocks notifications from this page. You can allow them in its settings."), "what to do about a refusal")
	p.shot("push-refused")

	p.permit(s, browser.PermissionSettingGranted)
	p.click("form[data-push] [type=submit]:enabled")
	p.lands(s, "/settings/notifications?notice=channel-added")
	p.sees(strings.TrimPrefix(service.URL, "https://"))
	p.click(`.wish-form fieldset:last-of-type [name="wish"][value$=" ask"]`)
	p.click(`.wish-form [type=submit]`)
	p.lands(s, "/settings/notifications?notice=events-saved")

	s.raise("payables", "push-1", "A question of the customer")
	message := service.next()
	there := <-worker
	type note struct{ Title, Body, Data string }
	var got note
	// A worker that is just being stopped hears nothing, so the message comes again: it has a tag, and is shown once.
	for end := time.Now().Add(patience); got.Title == "" && time.Now().Before(end); {
		call(p, serviceworker.DeliverPushMessage, serviceworker.DeliverPushMessageParams{Origin: s.address, RegistrationID: there.RegistrationID, Data: message})
		got = eval[note](p, `(async () => {
			const there = await navigator.serviceWorker.ready;
			for (let i = 0; i < 20; i++) {
				for (const { title, body, data } of await there.getNotifications()) return { title, body, data };
				await new Promise(again => setTimeout(again, 50));
			}
			return {};
		})()`)
	}
	if got.Title != "Payables needs your answer · Acme Finance" || got.Body != "A question of the customer" || !strings.HasPrefix(got.Data, s.at("/news/")) {
		t.Errorf("the notification says %+v", got)
	}
	if to, numbers := p.clickNotification(there); to != got.Data || numbers != "3,0" {
		t.Errorf("a click opens %q, want %q; the app's icon has the numbers %s, want 3,0", to, got.Data, numbers)
	}
	p.do(chromedp.Navigate(got.Data))
	p.sees("A question of the customer", "Say which.")
	p.await(`document.querySelector('form[action$="/decide"]')`, "the ask, which still waits")
	p.quiet()
}

// clickNotification does in the worker what a click on what it shows does, and returns the address
// of the window that it would open, which a browser allows only where a person has clicked; a notification has no buttons,
// which could decide. Then it gives the worker messages with and without a number, and returns those that the app's icon gets.
func (p *tab) clickNotification(there *serviceworker.Version) (opens, numbers string) {
	p.t.Helper()
	ctx, stop := chromedp.NewContext(p.ctx, chromedp.WithTargetID(there.TargetID))
	defer stop()
	got := eval[[]string](&tab{p.t, ctx, p.hearing}, `(async () => {
		const [shown] = await registration.getNotifications(), opened = [], numbers = [];
		clients.openWindow = async url => { opened.push(url) };
		const event = new NotificationEvent("notificationclick", { notification: shown });
		event.waitUntil = () => {};
		self.dispatchEvent(event);
		const left = await registration.getNotifications();
		navigator.setAppBadge = async n => { numbers.push(n) };
		for (const data of ['{"badge":3}', '{"badge":0}', '{}', '{"badge":"9"}', "{"]) {
			const message = new PushEvent("push", { data });
			message.waitUntil = () => {};
			self.dispatchEvent(message);
		}
		return [opened.join(" ") + (left.length ? " and stays" : "") + (shown.actions.length ? " and has buttons" : ""), numbers.join()];
	})()`)
	return got[0], got[1]
}

// permit says what the browser answers when the page asks whether it may show notifications.
func (p *tab) permit(s *hostedServer, setting browser.PermissionSetting) {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	_, err := chromedp.CallBrowser(ctx, browser.SetPermission, browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: "notifications"}, Setting: setting, Origin: s.address, BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

// workers hands out each service worker that begins to stand in this tab's browser.
func (p *tab) workers() <-chan *serviceworker.Version {
	p.t.Helper()
	active := make(chan *serviceworker.Version, 10)
	err := chromedp.Listen(p.ctx, func(event any) {
		e, ok := event.(*serviceworker.EventWorkerVersionUpdated)
		if !ok {
			return
		}
		for _, v := range e.Versions {
			if v.Status == serviceworker.VersionStatusActivated && len(active) < cap(active) {
				active <- v
			}
		}
	})
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := chromedp.Call(p.ctx, serviceworker.Enable, struct{}{}); err != nil {
		p.t.Fatal(err)
	}
	return active
}

// pushService stands for that of a browser's vendor, of which headless Chromium has none, and for
// the browser's half of the encryption.
type pushService struct {
	*httptest.Server
	t    *testing.T
	key  *ecdh.PrivateKey
	auth []byte
	got  chan []byte
}

// newPushService starts one that programs started by this test trust.
func newPushService(t *testing.T) *pushService {
	t.Helper()
	x := &pushService{t: t, auth: make([]byte, 16), got: make(chan []byte, 10)}
	var err error
	if x.key, err = ecdh.P256().GenerateKey(rand.Reader); err != nil {
		t.Fatal(err)
	}
	rand.Read(x.auth)
	x.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.HasPrefix(r.Header.Get("Authorization"), "vapid ") || r.Header.Get("Content-Encoding") != "aes128gcm" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		x.got <- body
		w.WriteHeader(http.StatusCreated)
	}))
	t.Cleanup(x.Close)
	trusted := filepath.Join(t.TempDir(), "trusted.pem")
	if err := os.WriteFile(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: x.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSL_CERT_FILE", trusted)
	return x
}

// stub is the one thing of the browser that is put in place: a subscription at this service, for
// whoever asks with a key that is one.
func (x *pushService) stub() string {
	b64 := base64.RawURLEncoding.EncodeToString
	return fmt.Sprintf(`PushManager.prototype.subscribe = async function({ userVisibleOnly, applicationServerKey: key }) {
		if (!userVisibleOnly || key.length !== 65 || key[0] !== 4) throw new TypeError("no key");
		return { toJSON: () => ({ endpoint: %q, keys: { p256dh: %q, auth: %q } }) };
	}`, x.URL+"/to/this-browser", b64(x.key.PublicKey().Bytes()), b64(x.auth))
}

// next waits for a message and opens it, as RFC 8291 says.
func (x *pushService) next() string {
	x.t.Helper()
	var sealed []byte
	select {
	case sealed = <-x.got:
	case <-time.After(patience):
		x.t.Fatal("no message comes to the push service")
	}
	salt, from, text := sealed[:16], sealed[21:21+65], sealed[21+65:]
	sender, err := ecdh.P256().NewPublicKey(from)
	if err != nil {
		x.t.Fatal(err)
	}
	shared, err := x.key.ECDH(sender)
	if err != nil {
		x.t.Fatal(err)
	}
	derive := func(secret, salt []byte, info string, size int) []byte {
		key, err := hkdf.Key(sha256.New, secret, salt, info, size)
		if err != nil {
			x.t.Fatal(err)
		}
		return key
	}
	secret := derive(shared, x.auth, "WebPush: info\x00"+string(x.key.PublicKey().Bytes())+string(from), 32)
	block, err := aes.NewCipher(derive(secret, salt, "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		x.t.Fatal(err)
	}
	open, err := cipher.NewGCM(block)
	if err != nil {
		x.t.Fatal(err)
	}
	plain, err := open.Open(nil, derive(secret, salt, "Content-Encoding: nonce\x00", 12), text, nil)
	if err != nil {
		x.t.Fatalf("the message cannot be opened with the browser's key: %v", err)
	}
	return strings.TrimRight(string(plain), "\x00\x02")
}
