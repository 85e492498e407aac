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

// SMTP sends emails through one mail server, with a new connection for each.
type SMTP struct {
	from    *mail.Address
	domain  string // of the Message-Ids
	host    string
	options []gomail.Option
}

// Config configures an SMTP sender.
type Config struct {
	URL      string        // smtp://user@host:587, smtps://user@host:465
	Password string        // of the user; "" where the URL names none
	From     string        // "figs-web <figs@example.com>", or only the address
	Timeout  time.Duration // per email; 0 is 30 seconds
	Trust    *tls.Config   // for tests; nil trusts what the system trusts
}

// UnavailableError describes an invalid setting and how to fix it.
type UnavailableError struct{ Sentence, Hint string }

func (u *UnavailableError) Error() string { return "mail: " + u.Sentence }

const form = "Use a URL such as smtp://user@mail.example.com:587, or smtps://user@mail.example.com for TLS from the start."

// New checks the configuration without connecting. Errors are *UnavailableError. TLS is required unless the URL ends in
// ?tls=none or the mail server runs on this machine.
func New(s Config) (*SMTP, error) {
	server, err := parseURL(s.URL)
	if err != nil {
		return nil, err
	}
	from, err := mail.ParseAddress(s.From)
	if err != nil || badLine(s.From) {
		return nil, &UnavailableError{"The sender address isn't valid.", `Use an email address, as in --mail-from figs@example.com, or --mail-from "figs-web <figs@example.com>".`}
	}
	if server.user == "" && s.Password != "" {
		return nil, &UnavailableError{"A password for the mail server is set, but no user.", "Add the user to the URL, as in smtp://user@mail.example.com:587."}
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

// server is a parsed mail server URL.
type server struct {
	host  string
	port  int
	user  string // "" for no authentication
	smtps bool   // TLS from the start
	plain bool   // ?tls=none
}

// parseURL reads the URL of a mail server. Errors are *UnavailableError.
func parseURL(text string) (server, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || u.Path != "" && u.Path != "/" || u.Fragment != "" {
		return server{}, &UnavailableError{"The mail server URL isn't valid.", form}
	}
	if _, has := u.User.Password(); has {
		return server{}, &UnavailableError{"The mail server URL contains a password, which other users of this machine could see in the process list.", "Remove it, and set FIGS_WEB_MAIL_PASSWORD_FILE to a file that contains the password."}
	}
	s := server{host: u.Hostname(), port: 587, user: u.User.Username(), smtps: u.Scheme == "smtps", plain: u.RawQuery == "tls=none"}
	if u.RawQuery != "" && (s.smtps || !s.plain) {
		return server{}, &UnavailableError{"The only option in a mail server URL is ?tls=none, and smtps:// URLs have none.", form}
	}
	if s.smtps {
		s.port = 465
	}
	if u.Port() != "" {
		s.port, _ = strconv.Atoi(u.Port()) // url.Parse accepts digits only
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

// encryption is the TLS policy.
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

// auth is the authentication mechanism: PLAIN if the connection may be unencrypted.
func (s server) auth() gomail.SMTPAuthType {
	if s.plain || safedial.IsLoopback(s.host) {
		return gomail.SMTPAuthPlainNoEnc
	}
	return gomail.SMTPAuthAutoDiscover
}

// Name is the mail server's host, for operators.
func (x *SMTP) Name() string { return x.host }

// badLine reports whether s can't be in a header line.
func badLine(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) || len(s) > 900 }

// line makes one line of s, of at most 200 characters.
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
	case <-ctx.Done(): // the sending goroutine ends by its own timeout
		return fmt.Errorf("mail: the mail server didn't respond in time: %w", ctx.Err())
	}
}

// message builds an email.
func (x *SMTP) message(l Message) (*gomail.Msg, error) {
	to, err := mail.ParseAddress(l.To)
	if err != nil || badLine(l.To) || to.Address != strings.TrimSpace(l.To) {
		return nil, &RefusedError{"the recipient's address isn't valid"}
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
			return nil, &RefusedError{"the unsubscribe URL isn't valid"}
		}
		m.SetGenHeader("List-Unsubscribe", "<"+l.Unsubscribe+">")
	}
	m.SetBodyString(gomail.TypeTextPlain, l.Text)
	if l.HTML != "" {
		m.AddAlternativeString(gomail.TypeTextHTML, l.HTML)
	}
	return m, nil
}

// idOf makes an id usable in a Message-ID.
func idOf(id string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".-_", r)) {
			return r
		}
		return '-'
	}, id)
}

// verdict tells permanent errors from temporary ones. An email that the server accepted is sent, even if the connection
// fails afterwards.
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
		return fmt.Errorf("mail: the mail server didn't respond in time: %w", err)
	}
	return fmt.Errorf("mail: %w", err)
}
