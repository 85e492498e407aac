package mail

import (
	"context"
	"errors"
	"io"
	"net"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// sink is a mail server that takes letters, or answers as it is told.
type sink struct {
	mu      sync.Mutex
	letters []string
	users   []string
	rcpt    error // answer to whom a letter is for
	data    error // answer to the letter
	cut     bool  // ends the connection in the middle of the letter
	address string
}

func (s *sink) NewSession(c *smtp.Conn) (smtp.Session, error) { return &session{s, c}, nil }

type session struct {
	*sink
	conn *smtp.Conn
}

func (*session) Reset()                                 {}
func (*session) Logout() error                          { return nil }
func (*session) Mail(string, *smtp.MailOptions) error   { return nil }
func (s *session) Rcpt(string, *smtp.RcptOptions) error { return s.rcpt }
func (*session) AuthMechanisms() []string               { return []string{sasl.Plain} }
func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.users = append(s.users, user+" "+password)
		return nil
	}), nil
}

func (s *session) Data(r io.Reader) error {
	if s.cut {
		s.conn.Conn().Close()
		return errors.New("cut")
	}
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if s.data != nil {
		return s.data
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.letters = append(s.letters, string(b))
	return nil
}

func listen(t *testing.T, s *sink) *sink {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := smtp.NewServer(s)
	server.Domain, server.AllowInsecureAuth = "sink.example", true
	server.ErrorLog = quiet{}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	s.address = l.Addr().String()
	return s
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

func sender(t *testing.T, s Config) *SMTP {
	t.Helper()
	if s.From == "" {
		s.From = "figs-web <figs@figs.example>"
	}
	x, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestSend(t *testing.T) {
	s := listen(t, &sink{})
	x := sender(t, Config{URL: "smtp://ada@" + s.address, Password: "open sesame"})
	err := x.Send(context.Background(), Message{To: "bob@example.org", Subject: "Zwölf Dinge\r\nBcc: eve@example.org", Text: "Hello,\n.\nthis is it.", ID: "n-1\r\nX-Evil: 1>", Unsubscribe: "https://figs.example/settings/notifications"})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.letters) != 1 || len(s.users) != 1 || s.users[0] != "ada open sesame" {
		t.Fatalf("%d letters, signed in as %q", len(s.letters), s.users)
	}
	m, err := netmail.ReadMessage(strings.NewReader(s.letters[0]))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"To": "<bob@example.org>", "From": `"figs-web" <figs@figs.example>`, "Message-Id": "<n-1--X-Evil--1-@figs.example>", "Auto-Submitted": "auto-generated",
		"List-Unsubscribe": "<https://figs.example/settings/notifications>", "Bcc": "", "X-Evil": "",
	} {
		if got := m.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	body, _ := io.ReadAll(m.Body)
	if !strings.Contains(string(body), "\r\n.\r\nthis is it.") {
		t.Errorf("the letter says %q", body)
	}
}

// No text of a letter becomes a line of its head.
func FuzzHead(f *testing.F) {
	f.Add("a@b.example", "s\r\nBcc: eve@example.org", "1\n2", "https://x/\r\nX: y")
	f.Add("a@b.example>\r\nRCPT TO:<eve@example.org", "=?utf-8?q?=0d=0aBcc:_eve?=", "\x00", "https://x/>,<mailto:eve@example.org")
	x, err := New(Config{URL: "smtp://127.0.0.1", From: "figs@figs.example"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, to, subject, id, unsubscribe string) {
		m, err := x.message(Message{To: to, Subject: subject, Text: "t", ID: id, Unsubscribe: unsubscribe})
		if err != nil {
			if !errors.As(err, new(*RefusedError)) {
				t.Fatal(err)
			}
			return
		}
		var b strings.Builder
		if _, err := m.WriteTo(&b); err != nil {
			t.Skip() // go-mail has no such letter
		}
		head, _, _ := strings.Cut(b.String(), "\r\n\r\n")
		for line := range strings.SplitSeq(strings.ReplaceAll(head, "\r\n ", " "), "\r\n") {
			name, _, ok := strings.Cut(line, ":")
			switch name {
			case "Date", "MIME-Version", "Message-ID", "Auto-Submitted", "X-Auto-Response-Suppress", "List-Unsubscribe", "Subject", "From", "To", "Content-Type", "Content-Transfer-Encoding", "User-Agent", "X-Mailer":
			default:
				t.Fatalf("the head has the line %q (%v) of %q %q %q", line, ok, to, subject, id)
			}
		}
		if rcpt, err := m.GetRecipients(); err != nil || len(rcpt) != 1 {
			t.Fatalf("readers %q, %v", rcpt, err)
		}
	})
}

// TestAnswers holds which refusals are final. What a server does not say is tried again.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		lesson string
		sink   *sink
		final  bool
	}{
		{"no_such_reader", &sink{rcpt: &smtp.SMTPError{Code: 550, Message: "no such user"}}, true},
		{"full_for_now", &sink{rcpt: &smtp.SMTPError{Code: 452, Message: "later"}}, false},
		{"letter_refused", &sink{data: &smtp.SMTPError{Code: 554, Message: "no"}}, true},
		{"letter_later", &sink{data: &smtp.SMTPError{Code: 451, Message: "later"}}, false},
		{"cut", &sink{cut: true}, false},
	} {
		t.Run(test.lesson, func(t *testing.T) {
			s := listen(t, test.sink)
			err := sender(t, Config{URL: "smtp://" + s.address}).Send(context.Background(), Message{To: "bob@example.org", Subject: "x", Text: "x"})
			if err == nil || errors.As(err, new(*RefusedError)) != test.final {
				t.Errorf("error %v, final %v", err, test.final)
			}
		})
	}
}

// TestHangs asks a server that says nothing: the letter is given up, by the sender and by the caller.
func TestHangs(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	slow := sender(t, Config{URL: "smtp://" + l.Addr().String(), Timeout: 50 * time.Millisecond})
	if err := slow.Send(context.Background(), Message{To: "bob@example.org", Subject: "x", Text: "x"}); err == nil || errors.As(err, new(*RefusedError)) {
		t.Errorf("its own patience: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	patient := sender(t, Config{URL: "smtp://" + l.Addr().String()})
	if err := patient.Send(ctx, Message{To: "bob@example.org", Subject: "x", Text: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("the caller's patience: %v", err)
	}
}

// A server elsewhere that offers no TLS gets neither password nor letter.
func TestNeedsTLS(t *testing.T) {
	s := listen(t, &sink{})
	x := sender(t, Config{URL: "smtp://ada@" + s.address, Password: "secret"})
	away, err := New(Config{URL: "smtp://ada@mail.example.com", Password: "secret", From: "figs@figs.example"})
	if err != nil {
		t.Fatal(err)
	}
	away.host, away.options = x.host, append(away.options, x.options[0]) // dialled here, held to what is asked of another machine
	if err := away.Send(context.Background(), Message{To: "bob@example.org", Subject: "x", Text: "x"}); err == nil || len(s.letters)+len(s.users) != 0 {
		t.Errorf("error %v, with %d letters and %d passwords sent in the clear", err, len(s.letters), len(s.users))
	}
}

func TestSettings(t *testing.T) {
	for _, test := range []struct {
		url, from, password string
		good                bool
	}{
		{"smtp://mail.example.com", "figs@example.com", "", true},
		{"smtps://ada@mail.example.com:4465", "figs-web <figs@example.com>", "x", true},
		{"smtp://mail.example.com?tls=none", "figs@example.com", "", true},
		{"smtp://ada:secret@mail.example.com", "figs@example.com", "", false},
		{"smtps://mail.example.com?tls=none", "figs@example.com", "", false},
		{"smtp://mail.example.com?tls=maybe", "figs@example.com", "", false},
		{"smtp://mail.example.com", "nobody", "", false},
		{"smtp://mail.example.com", "figs@example.com\r\nX: y", "", false},
		{"smtp://mail.example.com", "figs@example.com", "whose", false},
		{"http://mail.example.com", "figs@example.com", "", false},
		{"mail.example.com:587", "figs@example.com", "", false},
		{"", "figs@example.com", "", false},
	} {
		_, err := New(Config{URL: test.url, From: test.from, Password: test.password})
		var unusable *UnavailableError
		if (err == nil) != test.good || err != nil && (!errors.As(err, &unusable) || unusable.Hint == "" || strings.Contains(err.Error()+unusable.Hint, "secret")) {
			t.Errorf("New(%q, %q) = %v", test.url, test.from, err)
		}
	}
}
