package notify

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/SherClockHolmes/webpush-go"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/chat"
	"github.com/figs-web/figs-web/internal/store"
)

// mostAnswer is how many bytes of a response body are read, and mostShown how many of them are kept.
const mostAnswer, mostShown = 16 << 10, 200

// do sends a request and judges the response.
func (w *Worker) do(r *http.Request) (answer string, err error) {
	r.Header.Set("User-Agent", "figs-web")
	got, err := w.HTTP.Do(r)
	if err != nil {
		return "", err
	}
	defer got.Body.Close()
	return judge(got, w.Now())
}

// judge turns a response into a result. Failures are retried, except redirects and 410; not before the time that the response
// asks for.
func judge(got *http.Response, now time.Time) (answer string, err error) {
	body, err := io.ReadAll(io.LimitReader(got.Body, mostAnswer))
	if err != nil {
		return "", err
	}
	answer = "HTTP " + strconv.Itoa(got.StatusCode)
	switch {
	case got.StatusCode/100 == 2:
		return answer, nil
	case got.StatusCode/100 == 3:
		return "", &final{answer + ": redirects aren't followed"}
	case got.StatusCode == http.StatusGone:
		return "", &final{answer}
	}
	if said := oneLine(strings.ToValidUTF8(string(body[:min(len(body), mostShown)]), "\uFFFD")); said != "" {
		answer += ": " + said
	}
	if wait := chat.RetryAfter(got.StatusCode, got.Header, body, now); wait > 0 {
		return "", &laterError{answer, wait}
	}
	return "", errors.New(answer)
}

// byNtfy publishes to a topic.
func (w *Worker) byNtfy(ctx context.Context, d *store.DueNotification) (string, error) {
	n := w.note(ctx, d)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.To.Target, strings.NewReader(cmp.Or(n.Body(), n.Title())))
	if err != nil {
		return "", &final{"the URL of the topic isn't valid"}
	}
	r.Header.Set("Title", mime.QEncoding.Encode("utf-8", n.Title()))
	r.Header.Set("Click", n.Link)
	if d.To.Secret != "" {
		r.Header.Set("Authorization", "Bearer "+d.To.Secret)
	}
	return w.do(r)
}

// Payload is what a webhook is sent.
type Payload struct {
	ID        string                  `json:"id"`    // of the notification: the same for retries and resends
	Event     store.NotificationEvent `json:"event"` // "ask", "changes", "open", "picked", "failing", "test", …
	At        string                  `json:"at"`
	Title     string                  `json:"title"` // what happened, for people
	Link      string                  `json:"link"`
	Workspace *PayloadWorkspace       `json:"workspace,omitempty"`
	Agent     *PayloadAgent           `json:"agent,omitempty"` // only if the workspace allows record text in notifications
	Ask       *PayloadAsk             `json:"ask,omitempty"`   // likewise
}

// PayloadWorkspace is the workspace of the agent.
type PayloadWorkspace struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
}

// PayloadAgent is the agent that the notification is about.
type PayloadAgent struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// PayloadAsk is the ask that the notification is about.
type PayloadAsk struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

func (w *Worker) payload(ctx context.Context, d *store.DueNotification) Payload {
	n := w.note(ctx, d)
	p := Payload{ID: d.ID, Event: d.Event, At: time.UnixMicro(d.At).UTC().Format(time.RFC3339), Title: n.Title(), Link: n.Link}
	if d.Workspace != "" {
		p.Workspace = &PayloadWorkspace{d.Workspace, d.Slug, d.WorkspaceName}
	}
	if d.IncludeText && d.Agent != "" {
		p.Agent = &PayloadAgent{d.Agent, d.AgentName}
		p.Ask = &PayloadAsk{d.Ask, d.Title}
	}
	return p
}

// byWebhook sends the payload, signed.
func (w *Worker) byWebhook(ctx context.Context, d *store.DueNotification) (string, error) {
	body, err := json.Marshal(w.payload(ctx, d))
	if err != nil {
		return "", &final{err.Error()}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.To.Target, strings.NewReader(string(body)))
	if err != nil {
		return "", &final{"the URL of the webhook isn't valid"}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Figs-Event", string(d.Event))
	r.Header.Set("Figs-Delivery", d.ID)
	r.Header.Set("Figs-Signature", Sign(d.To.Secret, body, w.Now().Unix()))
	return w.do(r)
}

// Sign returns the Figs-Signature header: the HMAC-SHA256 over the Unix time in decimal, a full stop and the body.
// Receivers should reject old times.
func Sign(secret string, body []byte, at int64) string {
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d.", at)
	mac.Write(body)
	return fmt.Sprintf("t=%d,v1=%s", at, hex.EncodeToString(mac.Sum(nil)))
}

// PushKeys makes a key pair that identifies this server to push services (VAPID).
func PushKeys() (private, public string, err error) { return webpush.GenerateVAPIDKeys() }

// pushMessage is what the browser's worker (static/js/hosted/push-worker.js) reads.
type pushMessage struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	Link  string `json:"link"`
	Tag   string `json:"tag"`
	Badge *int   `json:"badge,omitempty"` // how many asks need the person; nil: unknown
}

// badge returns how many asks need a person now, in all their workspaces. A failure costs a notification its number only.
func (w *Worker) badge(ctx context.Context, person string) *int {
	all, err := w.Store.Memberships(ctx, person)
	n := 0
	if err == nil {
		n, err = store.CountNeeds(ctx, w.Store, person, all, w.now())
	}
	if err != nil {
		w.Log.Warn("a push message is sent without the number of asks", "error", err)
		return nil
	}
	return &n
}

// byPush sends one message about all notifications of a part in the recipient's language, encrypted for the browser.
func (w *Worker) byPush(ctx context.Context, part []store.DueNotification) (string, error) {
	d := &part[0]
	fresh, public, err := PushKeys()
	if err != nil {
		return "", err
	}
	if fresh, public, err = w.Store.PushKey(ctx, fresh, public, w.now()); err != nil {
		return "", err
	}
	to := webpush.Subscription{Endpoint: d.To.Target}
	if err := json.Unmarshal([]byte(d.To.Secret), &to.Keys); err != nil {
		return "", &final{"the browser's subscription keys aren't valid"}
	}
	ctx = i18n.WithLanguage(ctx, d.Language)
	n := w.note(ctx, d)
	if len(part) > 1 {
		n = w.groupNote(ctx, part)
	}
	message, err := json.Marshal(pushMessage{n.Title(), n.Body(), n.Link, cmp.Or(d.Batch, d.ID), w.badge(ctx, d.Person)})
	if err != nil {
		return "", &final{err.Error()}
	}
	who := "https://" + w.Public.Host
	got, err := webpush.SendNotificationWithContext(ctx, message, &to, &webpush.Options{
		HTTPClient: w.HTTP, Subscriber: who, TTL: 24 * 3600, Urgency: webpush.UrgencyNormal, RecordSize: 2048,
		VAPIDPrivateKey: fresh, VAPIDPublicKey: public,
	})
	if err != nil {
		return "", err
	}
	defer got.Body.Close()
	if got.StatusCode == http.StatusNotFound || got.StatusCode == http.StatusGone {
		return "", errGone
	}
	return judge(got, w.Now())
}
