package notify

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/safedial"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

const (
	agent = "0d4f2a3c-1111-4222-8333-000000000001"
	// What an agent writes; none of it may leave unasked.
	plantedName, plantedTitle, plantedAsk = "Zephyrine", "Xylographer", "quokka-17"
)

var ctx = context.Background()

// desk is a workspace with its owner Ada, whom everything is asked, and a worker with a clock of the test.
type desk struct {
	*testing.T
	opens func() (*sqlstore.Store, error)
	s     *sqlstore.Store
	w     *Worker
	ada   store.User
	place store.Workspace
	clock time.Time
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	file := filepath.Join(t.TempDir(), "figs.db")
	return newDeskOn(t, func() (*sqlstore.Store, error) { return sqlstore.OpenSQLite(ctx, file) })
}

// newDeskOn is a desk on a database that can be opened several times.
func newDeskOn(t *testing.T, opens func() (*sqlstore.Store, error)) *desk {
	t.Helper()
	d := &desk{T: t, opens: opens, clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	d.open()
	act := store.Act{At: d.now()}
	d.ada = store.User{ID: store.NewID(), Email: "ada@example.org", Name: "Ada", Created: d.now()}
	d.place = store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme", Created: d.now()}
	d.ok(d.s.AddUser(ctx, act, d.ada))
	d.ok(d.s.AddWorkspace(ctx, act, d.place, d.ada.ID))
	d.step()
	return d
}

// open opens the store and makes a worker over it, as a server that starts does.
func (d *desk) open() {
	d.Helper()
	s, err := d.opens()
	d.ok(err)
	d.Cleanup(func() { s.Close() })
	d.s, d.w = s, d.worker(s)
}

// openAgain is a second server over the same store.
func openAgain(d *desk) (*Worker, error) {
	s, err := d.opens()
	if err != nil {
		return nil, err
	}
	d.Cleanup(func() { s.Close() })
	return d.worker(s), nil
}

func (d *desk) worker(s Store) *Worker {
	public, _ := url.Parse("https://figs.example")
	guard := safedial.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	return &Worker{Store: s, HTTP: guard.Client(), Public: public, Now: func() time.Time { return d.clock }, Log: slog.New(slog.DiscardHandler)}
}

func (d *desk) now() int64 { return d.clock.UnixMicro() }

func (d *desk) ok(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

func (d *desk) step() {
	d.Helper()
	d.ok(d.w.Step(ctx, true))
}

// at adds a confirmed place of Ada's, where all is told.
func (d *desk) at(kind store.DestinationKind, target, secret string) store.Destination {
	d.Helper()
	p := store.Destination{ID: store.NewID(), Person: d.ada.ID, Kind: kind, Name: string(kind), Target: target, Secret: secret, Digest: store.NoDigest, Created: d.now(), Confirmed: d.now()}
	d.ok(d.s.AddDestination(ctx, store.Act{By: d.ada.ID, At: d.now()}, p))
	had, err := d.s.NotificationSettings(ctx, d.ada.ID)
	d.ok(err)
	for _, e := range store.NotificationEvents() {
		had = append(had, store.NotificationSetting{Destination: p.ID, Workspace: d.place.ID, Event: e, Wanted: true})
	}
	d.ok(d.s.SetNotificationSettings(ctx, store.Act{At: d.now()}, d.ada.ID, d.place.ID, had))
	return p
}

// ask pushes a sign-off with planted words; more are members of it.
func (d *desk) ask(id, more string) {
	d.Helper()
	d.clock = d.clock.Add(time.Second)
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":%q},"asks":[{"id":%q,"ts":"2026-11-20T10:00:00Z","type":"sign-off","title":%q,"onApprove":["go"],"status":"open"%s}]}`,
		d.place.ID, agent, plantedName, id, plantedTitle, more))
	d.ok(err)
	_, err = d.s.Push(ctx, store.Push{Workspace: d.place.ID, Act: store.Act{At: d.now()}, Body: body})
	d.ok(err)
}

// sent lists what became of what was sent beyond the page, oldest first.
func (d *desk) sent() []store.QueuedNotification {
	d.Helper()
	all, err := d.s.SentNotifications(ctx, d.ada.ID, 0, 200)
	d.ok(err)
	for i, k := 0, len(all)-1; i < k; i, k = i+1, k-1 {
		all[i], all[k] = all[k], all[i]
	}
	return all
}

// receiver keeps what it is sent, and answers as it is told.
type receiver struct {
	*httptest.Server
	mu   sync.Mutex
	got  []request
	does func(http.ResponseWriter, *http.Request) // nil: 200
}

type request struct {
	head http.Header
	body []byte
	path string
}

func receive(t *testing.T, does func(http.ResponseWriter, *http.Request)) *receiver {
	t.Helper()
	r := &receiver{does: does}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		r.got = append(r.got, request{q.Header.Clone(), body, q.URL.Path})
		does := r.does
		r.mu.Unlock()
		if does != nil {
			does(w, q)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) requests() []request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]request(nil), r.got...)
}

// letters is a mail server that keeps what it takes.
type letters struct {
	mu  sync.Mutex
	all []string
}

func (l *letters) NewSession(*smtp.Conn) (smtp.Session, error) { return l, nil }
func (*letters) Reset()                                        {}
func (*letters) Logout() error                                 { return nil }
func (*letters) Mail(string, *smtp.MailOptions) error          { return nil }
func (*letters) Rcpt(string, *smtp.RcptOptions) error          { return nil }
func (l *letters) Data(r io.Reader) error {
	b, err := io.ReadAll(r)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, string(b))
	return err
}

// mailing gives a worker a mail server.
func (d *desk) mailing() *letters {
	d.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	d.ok(err)
	sink := &letters{}
	server := smtp.NewServer(sink)
	server.Domain = "sink.example"
	go server.Serve(l)
	d.Cleanup(func() { server.Close() })
	d.w.Mail, err = mail.New(mail.Config{URL: "smtp://" + l.Addr().String(), From: "figs@figs.example"})
	d.ok(err)
	return sink
}
