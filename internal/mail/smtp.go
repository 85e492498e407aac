package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"

	"github.com/figs-web/figs-web/internal/safedial"
)

// SMTP sends letters through one mail server, with one connection for each.
type SMTP struct {
	from    *mail.Address
	domain  string // of the Message-Ids
	host    string
	options []gomail.Option
}

// Config is where letters go out.
type Config struct {
	URL      string        // smtp://user@host:587, smtps://user@host:465
	Password string        // of the user; "" where the URL names none
	From     string        // "figs-web <figs@example.com>", or the address alone
	Timeout  time.Duration // of a letter; 0 is 30 seconds
	Trust    *tls.Config   // for tests; nil trusts what the system trusts
}

// UnavailableError says what is wrong with a setting: a sentence, and one that says what to write instead.
type UnavailableError struct{ Sentence, Hint string }

func (u *UnavailableError) Error() string { return "mail: " + u.Sentence }

const form = "Write it as in smtp://user@mail.example.com:587, or smtps://user@mail.example.com for TLS from the first byte."

// New checks a setting; nothing is dialled. Errors are *UnavailableError. Passwords and letters cross a
// network by TLS alone, unless the setting says ?tls=none; a server on this machine may do without.
func New(s Config) (*SMTP, error) {
	server, err := parseURL(s.URL)
	if err != nil {
		return nil, err
	}
	from, err := mail.ParseAddress(s.From)
	if err != nil || badLine(s.From) {
		return nil, &UnavailableError{"The sender of the letters cannot be read.", `Write an address, as in --mail-from figs@example.com, or --mail-from "figs-web <figs@example.com>".`}
	}
	if server.user == "" && s.Password != "" {
		return nil, &UnavailableError{"There is a password for the mail server, and nobody whose it is.", "Name the user in the address, as in smtp://user@mail.example.com:587."}
	}
	x := &SMTP{from: from, host: server.host, domain: from.Address[strings.LastIndexByte(from.Address, '@')+1:]}
	x.options = []gomail.Option{
		gomail.WithPort(server.port),
		gomail.WithTimeout(cmp.Or(s.Timeout, 30*time.Second)),
		gomail.WithTLSConfig(server.tlsConfig(s.Trust)),
		gomail.WithHELO("figs-web." + x.domain),
		server.encryption(),
	}
	if server.user != "" {
		x.options = append(x.options, gomail.WithUsername(server.user), gomail.WithPassword(s.Password), gomail.WithSMTPAuth(server.auth()))
	}
	return x, nil
}

// server is what the URL of a mail server says.
type server struct {
	host  string
	port  int
	user  string // "" signs in as nobody
	smtps bool   // TLS from the first byte
	plain bool   // ?tls=none
}

// parseURL reads the URL of a mail server. Errors are *UnavailableError.
func parseURL(text string) (server, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || u.Path != "" && u.Path != "/" || u.Fragment != "" {
		return server{}, &UnavailableError{"The address of the mail server cannot be read.", form}
	}
	if _, has := u.User.Password(); has {
		return server{}, &UnavailableError{"The address of the mail server holds a password, which every list of programs on this machine would show.", "Leave it out, and name a file that holds it in FIGS_WEB_MAIL_PASSWORD_FILE."}
	}
	s := server{host: u.Hostname(), port: 587, user: u.User.Username(), smtps: u.Scheme == "smtps", plain: u.RawQuery == "tls=none"}
	if u.RawQuery != "" && (s.smtps || !s.plain) {
		return server{}, &UnavailableError{"Behind the address of the mail server nothing may stand but ?tls=none, and not behind smtps.", form}
	}
	if s.smtps {
		s.port = 465
	}
	if u.Port() != "" {
		s.port, _ = strconv.Atoi(u.Port()) // url.Parse lets digits through alone
	}
	return s, nil
}

// tlsConfig is a copy of trust, or the system's, for this server.
func (s server) tlsConfig(trust *tls.Config) *tls.Config {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if trust != nil {
		c = trust.Clone()
	}
	c.ServerName = s.host
	return c
}

// encryption is when TLS begins, and whether the connection may do without.
func (s server) encryption() gomail.Option {
	switch {
	case s.smtps:
		return gomail.WithSSL()
	case s.plain:
		return gomail.WithTLSPolicy(gomail.NoTLS)
	case safedial.IsLoopback(s.host):
		return gomail.WithTLSPolicy(gomail.TLSOpportunistic)
	default:
		return gomail.WithTLSPolicy(gomail.TLSMandatory)
	}
}

// auth is how the user signs in: without TLS, of the two ways the one that every server has.
func (s server) auth() gomail.SMTPAuthType {
	if s.plain || safedial.IsLoopback(s.host) {
		return gomail.SMTPAuthPlainNoEnc
	}
	return gomail.SMTPAuthAutoDiscover
}

// Name is the mail server in words for an operator.
func (x *SMTP) Name() string { return x.host }

// badLine reports whether a text cannot stand in one line of a letter's head.
func badLine(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) || len(s) > 900 }

// line makes one line of a text.
func line(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }), " ")
	if r := []rune(s); len(r) > 200 {
		s = string(r[:199]) + "…"
	}
	return s
}

// Send implements Sender.
func (x *SMTP) Send(ctx context.Context, l Message) error {
	m, err := x.message(l)
	if err != nil {
		return err
	}
	client, err := gomail.NewClient(x.host, x.options...)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- verdict(m, client.DialAndSendWithContext(ctx, m)) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done(): // what hangs ends by its own timeout, and nobody waits for it
		return fmt.Errorf("mail: the server did not answer in time: %w", ctx.Err())
	}
}

// message puts a letter together.
func (x *SMTP) message(l Message) (*gomail.Msg, error) {
	to, err := mail.ParseAddress(l.To)
	if err != nil || badLine(l.To) || to.Address != strings.TrimSpace(l.To) {
		return nil, &RefusedError{"the address of the reader cannot be read"}
	}
	m := gomail.NewMsg()
	m.FromMailAddress(x.from)
	m.ToMailAddress(&mail.Address{Address: to.Address})
	m.Subject(line(l.Subject))
	m.SetDate()
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetGenHeader("X-Auto-Response-Suppress", "All")
	if l.ID == "" {
		m.SetMessageID()
	} else {
		m.SetMessageIDWithValue(idOf(l.ID) + "@" + x.domain)
	}
	if l.Unsubscribe != "" {
		if u, err := url.Parse(l.Unsubscribe); err != nil || badLine(l.Unsubscribe) || u.Scheme != "https" && u.Scheme != "http" || strings.ContainsAny(l.Unsubscribe, "<>, ") {
			return nil, &RefusedError{"the page that ends such letters has no address"}
		}
		m.SetGenHeader("List-Unsubscribe", "<"+l.Unsubscribe+">")
	}
	m.SetBodyString(gomail.TypeTextPlain, l.Text)
	if l.HTML != "" {
		m.AddAlternativeString(gomail.TypeTextHTML, l.HTML)
	}
	return m, nil
}

// idOf is an id as it may stand in a Message-Id.
func idOf(id string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".-_", r)) {
			return r
		}
		return '-'
	}, id)
}

// verdict tells what is final from what may go better later. What the server has taken is sent,
// however it takes its leave.
func verdict(m *gomail.Msg, err error) error {
	if err == nil || m.IsDelivered() {
		return nil
	}
	var of *gomail.SendError
	if errors.As(err, &of) && of.ErrorCode() >= 500 {
		return &RefusedError{line(of.Error())}
	}
	var slow net.Error
	if errors.As(err, &slow) && slow.Timeout() {
		return fmt.Errorf("mail: the server did not answer in time: %w", err)
	}
	return fmt.Errorf("mail: %w", err)
}
