package handlers

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/notifications"
	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/safedial"
	"github.com/figs-web/figs-web/internal/store"
)

// notifyRows are the routes of how people are told.
func notifyRows(w *town) map[string]hostedRow {
	push := kind{}
	for name, value := range hostedKinds["page"] {
		push[name] = value
	}
	push["Content-Security-Policy"] = notifications.PushPolicy(hosted.Policy(hostedAt), hostedAt)
	gone := answers{303, 404, 404, 404, 404, 404, 303, 303, 303}  // of a place that is nobody's
	leads := answers{303, 404, 303, 303, 303, 303, 303, 303, 303} // of each member
	n := notifications.Notifications
	return map[string]hostedRow{
		"GET /push-worker.js":                     {"/push-worker.js", "", kind{"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Cache-Control": "no-cache"}, everybody},
		"GET " + n:                                {n, "", push, own},
		"GET " + n + "/confirm":                   {n + "/confirm?key=x", "", push, own},
		"POST " + n + "/confirm":                  {n + "/confirm", "key=wrong", push, gone},
		"POST " + n + "/places":                   {n + "/places", "kind=webhook&called=Mine&hook=https%3A%2F%2Fhooks.example%2Fx", push, own},
		"POST " + n + "/remove":                   {n + "/remove", "id=x", push, owned},
		"POST " + n + "/test":                     {n + "/test", "id=x", push, gone},
		"POST " + n + "/rotate":                   {n + "/rotate", "id=x", push, gone},
		"POST " + n + "/digest":                   {n + "/digest", "id=x&hour=8", push, gone},
		"POST " + n + "/wishes":                   {n + "/wishes", "workspace=" + w.acme.ID, push, answers{303, 404, 303, 303, 303, 303, 303, 303, 303}},
		"POST " + n + "/hours":                    {n + "/hours", "open=4&picked=24", push, owned},
		"POST " + n + "/replay":                   {n + "/replay", "id=x", push, owned},
		"GET /w/:workspace/news":                  {"/w/acme/news", "", hostedKinds["page"], inside},
		"POST /w/:workspace/news/read":            {"/w/acme/news/read", "until=1", hostedKinds["page"], leads},
		"GET /w/:workspace/settings/chat":         {"/w/acme/settings/chat", "", hostedKinds["page"], running},
		"POST /w/:workspace/settings/chat":        {"/w/acme/settings/chat", "service=slack&called=Ops&topic=open&url=https%3A%2F%2Fhooks.slack.com%2Fservices%2FT1%2FB1%2Fx", hostedKinds["page"], run},
		"POST /w/:workspace/settings/chat/choose": {"/w/acme/settings/chat/choose", "id=x&topic=open", hostedKinds["page"], answers{303, 404, 403, 403, 404, 404, 303, 303, 303}},
		"POST /w/:workspace/settings/chat/test":   {"/w/acme/settings/chat/test", "id=x", hostedKinds["page"], answers{303, 404, 403, 403, 404, 404, 303, 303, 303}},
		"POST /w/:workspace/settings/chat/remove": {"/w/acme/settings/chat/remove", "id=x", hostedKinds["page"], run},
		"POST /w/:workspace/settings/chat/resend": {"/w/acme/settings/chat/resend", "id=x", hostedKinds["page"], run},
		"GET /w/:workspace/news/:news":            {"/w/acme/news/x", "", hostedKinds["page"], leads},
	}
}

// outbox keeps the letters that a reader sends.
type outbox struct {
	mu  sync.Mutex
	all []mail.Message
	err error
}

func (o *outbox) Send(_ context.Context, l mail.Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.all = append(o.all, l)
	}
	return o.err
}

func TestPlaces(t *testing.T) {
	c := newClub(t)
	letters := &outbox{}
	c.h.Mail = letters
	ada, eve := c.person("ada"), c.person("eve")
	acme := c.workspace("acme", ada)
	b, other := c.as(ada), c.as(eve)
	ctx := context.Background()
	b.get(notifications.Notifications).says(t, 200).shows(t, "The acme").has(t, "#places li", "form[action=/settings/notifications/places] input[name=kind][value=email]", "form[data-push] input[name=kind][value=push]").part(t, "#sent p", "sent-none")

	for _, bad := range []struct{ hook, name string }{
		{"", "webhook-no-address"}, {"http://hooks.example/x", "webhook-no-https"}, {"ftp://hooks.example", "webhook-no-https"},
		{"https://ada:secret@hooks.example/", "webhook-with-password"}, {"https:///x", "webhook-no-web-address"}, {"https://hooks.example/#x", "webhook-no-web-address"},
	} {
		got := b.post(notifications.Notifications+"/places", "kind", "webhook", "called", "My hook", "hook", bad.hook)
		if got.says(t, 422, bad.name); !strings.Contains(got.body, `value="My hook"`) {
			t.Errorf("%q: the form forgets what was typed", bad.hook)
		}
	}
	c.h.Notifications.Dials = (&safedial.Guard{}).Check
	for _, inside := range []string{"https://127.0.0.1/x", "https://169.254.169.254/latest", "https://[::1]/x", "https://[::ffff:10.0.0.1]/x", "https://93.184.216.34:22/x"} {
		b.post(notifications.Notifications+"/places", "kind", "webhook", "called", "My hook", "hook", inside).says(t, 422, "webhook-inside")
	}
	made := b.post(notifications.Notifications+"/places", "kind", "webhook", "called", "<b>My hook", "hook", "https://hooks.example/secret-path")
	made.says(t, 200).shows(t, "&lt;b&gt;My hook", "hooks.example").has(t, ".is-fresh pre.command")
	secret := regexp.MustCompile(`figs_hook_[a-z2-7]{26}`).FindString(made.body)
	places, err := c.store.Destinations(ctx, ada.ID)
	c.must(err)
	if len(places) != 1 || places[0].Secret != secret || secret == "" {
		t.Fatalf("places %+v, the page shows %q", places, secret)
	}
	page := b.get(notifications.Notifications)
	if strings.Contains(page.body, secret) || strings.Contains(page.body, "secret-path") {
		t.Error("the page shows the secret again, or the whole address")
	}
	id := places[0].ID
	for _, what := range []string{"test", "rotate", "digest"} {
		other.post(notifications.Notifications+"/"+what, "id", id, "hour", "8").says(t, 404)
	}
	other.post(notifications.Notifications+"/remove", "id", id).leads(t, notifications.Notifications+"?notice=channel-removed")
	rotated := b.post(notifications.Notifications+"/rotate", "id", id)
	rotated.says(t, 200).has(t, ".is-fresh pre.command")
	if strings.Contains(rotated.body, secret) {
		t.Error("the secret is the old one")
	}
	b.post(notifications.Notifications+"/test", "id", id).leads(t, notifications.Notifications+"?notice=test-sent")
	b.get(notifications.Notifications).says(t, 200).part(t, "#sent li", "sent-try")

	b.post(notifications.Notifications+"/wishes", "workspace", acme.ID, "wish", id+" ask").leads(t, notifications.Notifications+"?notice=events-saved")
	wishes, err := c.store.NotificationSettings(ctx, ada.ID)
	c.must(err)
	if len(wishes) != 3+len(store.NotificationEvents())-1 { // one that is ticked, two that are told always unless they are not, and all of the page but the weekly one, which is off unless it is ticked
		t.Errorf("wishes %+v", wishes)
	}
	other.post(notifications.Notifications+"/wishes", "workspace", acme.ID).says(t, 404)
	b.post(notifications.Notifications+"/hours", "open", "5", "picked", "24").says(t, 422, "hours-odd")
	b.post(notifications.Notifications+"/hours", "open", "4", "picked", "72").leads(t, notifications.Notifications+"?notice=reminders-saved")
	b.post(notifications.Notifications+"/remove", "id", id).leads(t, notifications.Notifications+"?notice=channel-removed")
	if places, err = c.store.Destinations(ctx, ada.ID); err != nil || len(places) != 0 {
		t.Errorf("left: %+v, %v", places, err)
	}
}

// TestLetterConfirms holds that letters go to nobody who has not said so, that opening the link decides
// nothing, and that a key is good once, for a day, and for its person.
func TestLetterConfirms(t *testing.T) {
	c := newClub(t)
	letters := &outbox{}
	c.h.Mail = letters
	ada, eve := c.person("ada"), c.person("eve")
	b, ctx := c.as(ada), context.Background()
	confirmed := func() bool {
		places, err := c.store.Destinations(ctx, ada.ID)
		c.must(err)
		return len(places) == 1 && places[0].Confirmed != 0
	}
	b.post(notifications.Notifications+"/places", "kind", "email", "target", "eve@example.org").leads(t, notifications.Notifications+"?notice=confirmation-sent")
	if len(letters.all) != 1 || letters.all[0].To != ada.Email {
		t.Fatalf("letters %+v", letters.all)
	}
	link := regexp.MustCompile(`https://figs.example(/\S+)`).FindAllStringSubmatch(letters.all[0].Text, -1)
	to, err := url.Parse(link[len(link)-1][1])
	c.must(err)
	key := to.Query().Get("key")
	b.get(to.String()).says(t, 200, "letter-confirm").has(t, "form input[name=key]")
	if confirmed() {
		t.Fatal("opening the link has confirmed it")
	}
	c.as(eve).post(notifications.Notifications+"/confirm", "key", key).says(t, 404, "letter-link-unknown")
	b.post(notifications.Notifications+"/confirm", "key", "x"+key).says(t, 404)
	if confirmed() {
		t.Fatal("somebody else, or another key, has confirmed it")
	}
	b.post(notifications.Notifications+"/confirm", "key", key).leads(t, notifications.Notifications+"?notice=email-confirmed")
	if !confirmed() {
		t.Error("it is not confirmed")
	}
	b.post(notifications.Notifications+"/confirm", "key", key).says(t, 404)
	b.post(notifications.Notifications+"/places", "kind", "email").says(t, 422, "letter-already")

	letters.err = &mail.RefusedError{Says: "550 secret.internal.example"}
	for range 5 {
		c.as(eve).post(notifications.Notifications+"/places", "kind", "email").says(t, 422, "letter-refused")
	}
	got := c.as(eve).post(notifications.Notifications+"/places", "kind", "email")
	got.says(t, 429, "letter-too-often")
	if got.Header.Get("Retry-After") == "" || strings.Contains(got.body, "internal.example") {
		t.Error("no word on when to try again, or what the mail server said")
	}
}

// TestNewsPage lists what somebody was told, in that person's workspace, and leads on without changing anything.
func TestNewsPage(t *testing.T) {
	w := newTown(t)
	ctx, owner := context.Background(), w.people["owner"].ID
	n := store.Notification{ID: store.NewID(), Destination: owner, Person: owner, Workspace: w.acme.ID, Event: store.EventAsk, Name: "ask", Agent: acmeAgent, Ask: "send", Round: 1, At: hostedNow.UnixMicro()}
	w.ok(w.s.AddNotification(ctx, n))
	w.get("/w/acme/news", "owner").shows(t, "Send it?", "Closer").has(t, ".is-unread a[href=/w/acme/news/"+n.ID+"]").part(t, "main li", "news-of-ask")
	if page := text(t, w.ask(http.MethodGet, "/w/acme/news", "admin", "")); strings.Contains(page, n.ID) {
		t.Error("somebody else reads it")
	}
	before := w.fingerprint()
	for who, want := range map[string]string{"owner": "/w/acme/agents/" + acmeAgent + "/asks/send", "admin": "/w/acme/inbox"} {
		if got := w.ask(http.MethodGet, "/w/acme/news/"+n.ID, who, "").Header.Get("Location"); got != want {
			t.Errorf("it leads %s to %q, want %q", who, got, want)
		}
	}
	if unread, err := w.s.UnreadNotifications(ctx, owner, w.acme.ID); err != nil || unread != 1 || w.fingerprint() != before {
		t.Errorf("following has changed something: %d unread, %v", unread, err)
	}
	w.ask(http.MethodPost, "/w/acme/news/read", "owner", "until="+strconv.Itoa(int(n.At)))
	if unread, err := w.s.UnreadNotifications(ctx, owner, w.acme.ID); err != nil || unread != 0 {
		t.Errorf("%d unread, %v", unread, err)
	}
}

// TestNewsOfDecidedAskAreRead holds that news of an ask are read as soon as anybody has decided it, and say what was decided.
func TestNewsOfDecidedAskAreRead(t *testing.T) {
	w := newTown(t)
	ctx, owner := context.Background(), w.people["owner"].ID
	w.ok(w.s.AddNotification(ctx, store.Notification{ID: store.NewID(), Destination: owner, Person: owner, Workspace: w.acme.ID, Event: store.EventAsk, Name: "ask", Agent: acmeAgent, Ask: "send", Round: 1, At: hostedNow.UnixMicro()}))
	const unread, mark = ".is-unread", "form[action=/w/acme/news/read]"
	w.get("/w/acme/news", "owner").has(t, unread, mark).part(t, "main li", "news-of-ask")
	for filter, found := range map[string]bool{"kind:ask": true, "-kind:ask": false, "is:unread": true, "is:read": false, "-is:read": true, "agent:closer": true, "agent:nobody": false, "send": true, "NEEDS": true,
		"neither": false, "when:2020": false, "-when:2020": true, "nonsense:x": false, "kind:ask+send+is:unread": true} {
		if got := strings.Contains(text(t, w.ask(http.MethodGet, "/w/acme/news?q="+filter, "owner", "")), "is-unread"); got != found {
			t.Errorf("%s finds it: %v, want %v", filter, got, found)
		}
	}
	w.get("/w/acme/news?format=csv&q=send", "owner").shows(t, "ask,kind,says,agent,by,note,is,when", "unread")
	if code := w.fire(pattern{"POST", []string{"Origin: " + hostedAt}, w.scanForm(), ""}, "/w/acme/agents/"+acmeAgent+"/asks/send/decide", "admin"); code != http.StatusSeeOther {
		t.Fatalf("the admin's answer = %d", code)
	}
	_, err := w.s.Settle(ctx, hostedNow.Add(time.Hour).UnixMicro())
	w.ok(err)
	w.get("/w/acme/news", "owner").lacks(t, unread, mark).part(t, "main li", "news-of-decided-ask")
}

// A browser's subscription is taken as it is, or not at all.
func TestSubscribe(t *testing.T) {
	c := newClub(t)
	b := c.as(c.person("ada"))
	const public = "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"
	form := func(target, key, auth string) []string {
		return []string{"kind", "push", "target", target, "p256dh", key, "auth", auth}
	}
	for _, bad := range [][]string{
		form("http://push.example/x", public, "tBHItJI5svbpez7KI4CCXg"), form("https://push.example/x", "AAAA", "tBHItJI5svbpez7KI4CCXg"), form("https://push.example/x", public, "short"), form("", public, ""),
	} {
		b.post(notifications.Notifications+"/places", bad...).says(t, 422, "push-unusable")
	}
	b.post(notifications.Notifications+"/places", form("https://push.example/x", public, "tBHItJI5svbpez7KI4CCXg")...).leads(t, notifications.Notifications+"?notice=channel-added")
	page := b.get(notifications.Notifications)
	page.says(t, 200).shows(t, "push.example")
	if strings.Contains(page.body, "push.example/x") {
		t.Error("the page shows the address, with which anybody can send")
	}
	if policy := page.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "worker-src https://figs.example/push-worker.js") || !strings.Contains(policy, "trusted-types figs push;") && !strings.Contains(policy, "trusted-types figs push") {
		t.Errorf("the policy is %q", policy)
	}
}

// TestFullOfPlaces sends no letter whose link would lead nowhere: who has as many places as one may have is told so first.
// A second letter takes the place of the first.
func TestFullOfPlaces(t *testing.T) {
	c := newClub(t)
	letters := &outbox{}
	c.h.Mail = letters
	ada := c.person("ada")
	b, ctx := c.as(ada), context.Background()
	for range 2 {
		b.post(notifications.Notifications+"/places", "kind", "email").leads(t, notifications.Notifications+"?notice=confirmation-sent")
		c.now = c.now.Add(time.Hour)
	}
	places, err := c.store.Destinations(ctx, ada.ID)
	c.must(err)
	if len(places) != 1 || len(letters.all) != 2 {
		t.Fatalf("%d places, %d letters", len(places), len(letters.all))
	}
	key := func(n int) string {
		return regexp.MustCompile(`confirm\?key=(\S+)`).FindStringSubmatch(letters.all[n].Text)[1]
	}
	if got := b.post(notifications.Notifications+"/confirm", "key", key(0)); got.StatusCode < 400 {
		t.Errorf("the first letter's link is good: %d", got.StatusCode)
	}
	b.post(notifications.Notifications+"/confirm", "key", key(1)).leads(t, notifications.Notifications+"?notice=email-confirmed")
	c.must(c.store.RemoveDestination(ctx, store.Act{At: c.at()}, ada.ID, places[0].ID))
	for range store.MaxDestinations {
		c.must(c.store.AddDestination(ctx, store.Act{At: c.at()}, store.Destination{ID: store.NewID(), Person: ada.ID, Kind: store.DestinationNtfy, Target: "https://ntfy.example/x", Confirmed: 1, Created: c.at()}))
	}
	b.post(notifications.Notifications+"/places", "kind", "email").says(t, 422, "places-full")
	if len(letters.all) != 2 {
		t.Error("a letter left whose link leads nowhere")
	}
}
