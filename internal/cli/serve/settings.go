package serve

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/acme"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/safedial"
)

// settings are the flags of a hosted reader, read.
type settings struct {
	command   ServeCommand
	where     cmd.Where    // zero when nothing is hosted
	public    *url.URL     // nil until the address is known, when no flag says it
	localhost bool         // public is http://localhost, the address it listens on
	ipv6      net.Listener // on [::1], beside 127.0.0.1, while localhost is set; nil where there is none
	proxies   []*net.IPNet
	maxIngest int64
	tls       *tls.Config // nil: plain HTTP
	log       *slog.Logger
	minFree   int64           // bytes; see WatchFlags
	mail      mail.Sender     // nil: no mail server
	guard     *safedial.Guard // of what people have typed
	oidc      *handlers.OIDC
	header    *handlers.Header
}

// longestDrain is longer than any balancer needs.
const longestDrain = 10 * time.Minute

// settings reads the flags; everything that can be refused without opening anything is.
func (c ServeCommand) settings(a *cmd.App) (*settings, error) {
	s := &settings{command: c}
	var err error
	if s.log, err = logger(a, c.Log); err != nil {
		return nil, err
	}
	var wrong string
	if s.proxies, wrong = handlers.ParseProxies(c.TrustProxy); wrong != "" {
		return nil, cmd.Fail(cmd.Usage, cmd.Quote(wrong)+" is neither an IP address nor a range.", "Use --trust-proxy 127.0.0.1 or --trust-proxy 10.0.0.0/8, for example.")
	}
	if c.Data != "" || c.WhereFlags.Set() {
		if s.where, err = c.Where(c.Data); err != nil {
			return nil, err
		}
	}
	if c.Drain < 0 || c.Drain > longestDrain {
		return nil, cmd.Fail(cmd.Usage, "--drain must be between 0s and 10m.", "Use a little longer than your load balancer needs to notice, as in --drain 10s.")
	}
	if s.maxIngest, err = ParseSize(c.MaxIngest); err != nil {
		return nil, err
	}
	if s.minFree, err = c.LeastFree(); err != nil {
		return nil, err
	}
	if err := c.SessionFlags.Check(); err != nil {
		return nil, err
	}
	if err := s.readTLS(); err != nil {
		return nil, err
	}
	if s.mail, err = c.Sender(); err != nil {
		return nil, err
	}
	if s.guard, err = c.notifyFlags.guard(); err != nil {
		return nil, err
	}
	if s.oidc, err = c.OIDCFlags.check(); err != nil {
		return nil, err
	}
	if s.header, err = c.header(); err != nil {
		return nil, err
	}
	if err := s.checkAddresses(); err != nil || c.PublicURL == "" {
		return s, err
	}
	if s.public, err = ParseOrigin(c.PublicURL); err != nil {
		return nil, err
	}
	return s, s.checkPublic()
}

// checkAddresses refuses what could not be listened on, and as far as that shows, what could not be made public.
func (s *settings) checkAddresses() error {
	host, _, err := hostAndPort(s.command.addr())
	if err == nil && s.command.MetricsAddr != "" {
		_, _, err = hostAndPort(s.command.MetricsAddr)
	}
	ip := net.ParseIP(host)
	if host == "" {
		ip = net.IPv6unspecified
	}
	if err != nil || ip == nil || s.where == (cmd.Where{}) || s.command.PublicURL != "" {
		return err
	}
	tried := *s // with port 0 nobody knows yet what is public
	return tried.choosePublic(&net.TCPAddr{IP: ip, Port: 1})
}

// readTLS reads where certificates come from.
func (s *settings) readTLS() error {
	c := s.command
	switch {
	case c.TLSAuto != "" && c.TLSCert+c.TLSKey != "":
		return cmd.Fail(cmd.Usage, "--tls-auto and --tls-cert can't be combined.", "Use --tls-auto for automatic certificates, or --tls-cert and --tls-key for your own.")
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return cmd.Fail(cmd.Usage, "--tls-cert and --tls-key must be used together.", "Use both, as in --tls-cert fullchain.pem --tls-key privkey.pem.")
	case c.TLSCert != "":
		pair := &keyPair{cert: c.TLSCert, key: c.TLSKey, log: s.log}
		if err := pair.load(); err != nil {
			return keyPairFailure(err, c.TLSCert, c.TLSKey)
		}
		s.tls = &tls.Config{GetCertificate: pair.get, NextProtos: []string{"h2", "http/1.1"}, MinVersion: tls.VersionTLS12}
	case c.TLSAuto != "":
		if c.Data == "" && s.where != (cmd.Where{}) {
			return cmd.Fail(cmd.Usage, "--tls-auto needs --data to store certificates.", "Behind a load balancer, let the balancer handle TLS. Otherwise add a folder, or use your own certificate with --tls-cert and --tls-key.")
		}
		if !isDomain(c.TLSAuto) {
			return cmd.Fail(cmd.Usage, cmd.Quote(c.TLSAuto)+" is not a name that a certificate can be issued for.", "Use the server's public name, without https:// and port, as in --tls-auto figs.example.com.")
		}
		s.tls = &tls.Config{GetCertificate: issued(c.TLSAuto, filepath.Join(c.Data, "certificates"), s.log), NextProtos: []string{"h2", "http/1.1", acme.ALPNProto}, MinVersion: tls.VersionTLS12}
	}
	return nil
}

// secure puts TLS around a listener, where it is to speak it.
func (s *settings) secure(l net.Listener) net.Listener {
	if s.tls == nil {
		return l
	}
	return tls.NewListener(l, s.tls)
}

func (s *settings) scheme() string {
	if s.tls != nil {
		return "https"
	}
	return "http"
}

// choosePublic settles the public URL, once the server listens. On 127.0.0.1 it is http://localhost, because browsers
// make passkeys for a name only.
func (s *settings) choosePublic(at *net.TCPAddr) error {
	switch {
	case s.public != nil:
		return nil
	case s.command.TLSAuto != "":
		s.public = &url.URL{Scheme: "https", Host: s.command.TLSAuto}
		return nil
	case at.IP.IsUnspecified():
		return cmd.Fail(cmd.Usage, "This server listens on every address, so it can't know its public URL.", "Set it, as in --public-url https://figs.example.com.")
	}
	origin := originAt(s.scheme(), at)
	if s.tls == nil && at.IP.Equal(net.IPv4(127, 0, 0, 1)) {
		if s.ipv6, s.localhost = alsoOnIPv6(at.Port); s.localhost {
			origin = "http://" + net.JoinHostPort("localhost", strconv.Itoa(at.Port))
		}
	}
	var err error
	if s.public, err = ParseOrigin(origin); err != nil {
		return err
	}
	return s.checkPublic()
}

// checkPublic refuses a public address that would send passwords in the clear.
func (s *settings) checkPublic() error {
	switch {
	case s.public.Scheme == "https":
		return nil
	case s.tls != nil:
		return cmd.Fail(cmd.Usage, "The server uses TLS, but "+cmd.Quote(s.public.String())+" does not.", "Use https:// in --public-url.")
	case !safedial.IsLoopback(s.public.Hostname()) && !s.command.InsecureHTTP:
		return cmd.Fail(cmd.Usage, "At "+cmd.Quote(s.public.String())+" passwords and pages would be sent unencrypted.",
			"Use TLS: --tls-auto HOST, --tls-cert and --tls-key, or a reverse proxy with --public-url https://HOST (docs/reverse-proxy.md). In a network that you trust, --insecure-http allows it; every page then shows a warning.")
	}
	return nil
}

// notice is what every page says while the server is reached without TLS.
func (s *settings) notice() string {
	if s.public.Scheme == "https" || safedial.IsLoopback(s.public.Hostname()) {
		return ""
	}
	return "This server is used without TLS: anyone on the network in between can read and change passwords and pages. The server's operator can turn on TLS."
}

// warn says at the start what an operator must know.
func (s *settings) warn(at *net.TCPAddr) {
	if s.notice() != "" {
		s.log.Warn("this server is used without TLS: anyone on the network in between can read passwords and pages", "public", s.public.String())
	}
	if s.public.Scheme == "https" && s.tls == nil && len(s.proxies) == 0 {
		s.log.Warn("--trust-proxy does not name the TLS proxy: all visitors appear to come from its IP address and share the sign-in limits", "public", s.public.String())
	}
	if s.where.Postgres() && s.where.Dir != "" && cmd.Exists(filepath.Join(s.where.Dir, "figs.db")) {
		s.log.Warn("the database in --data is not used because --database names another one; to move its data, back it up and restore it to that database", "data", s.where.Dir)
	}
	if s.where.Postgres() && s.command.PublicURL == "" {
		s.log.Warn("--public-url is not set: each server on the same database writes links to itself", "public", s.public.String())
	}
	if s.command.TLSAuto != "" && at.Port != 443 {
		s.log.Warn("certificates are issued over port 443, which must be forwarded to this port", "host", s.command.TLSAuto, "port", at.Port)
	}
}

// ParseOrigin reads http:// or https:// and a host, and nothing after it.
func ParseOrigin(text string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSuffix(text, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Path != "" || strings.ContainsAny(text, "?#") {
		return nil, cmd.Fail(cmd.Usage, cmd.Quote(text)+" is not a public URL.", "Use http:// or https:// and a host, and nothing after it, as in --public-url https://figs.example.com. Serving below a path of another site is not supported.")
	}
	u.Host = strings.ToLower(u.Host)
	if u.Port() == map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port()) // as browsers write it
	}
	return u, nil
}

var domain = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$`)

// isDomain reports whether the name could be one of the internet's.
func isDomain(name string) bool { return len(name) < 254 && domain.MatchString(name) }

var sizes = regexp.MustCompile(`^([0-9]{1,9}) ?(|B|[kK]i?B?|Mi?B?|Gi?B?)$`)

// ParseSize reads a number of bytes, "128MiB"; "" is 0, the default.
func ParseSize(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	const least, most = 1 << 20, 4 << 30
	n, ok := parseBytes(text)
	if !ok {
		return 0, cmd.Fail(cmd.Usage, cmd.Quote(text)+" is not a size.", "Use a number and a unit, as in --max-ingest 128MiB.")
	}
	if n < least || n > most {
		return 0, cmd.Fail(cmd.Usage, fmt.Sprintf("--max-ingest %s is out of range.", text), "Use a size between 1MiB and 4GiB. Clients send their whole ledgers with every push. The default is 64MiB.")
	}
	return n, nil
}

// parseBytes reads a number of bytes, "128MiB".
func parseBytes(text string) (n int64, ok bool) {
	m := sizes.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	unit := m[2]
	for _, step := range []string{"kK", "M", "G"} {
		if unit == "" || unit == "B" {
			break
		}
		n <<= 10
		if strings.ContainsAny(unit[:1], step) {
			break
		}
	}
	return n, err == nil
}

func keyPairFailure(err error, cert, key string) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return cmd.FailureOf(err, path.Path)
	}
	return cmd.Fail(cmd.BadFormat, cmd.Quote(cert)+" and "+cmd.Quote(key)+" are not a certificate and its key: "+cmd.Clean(err.Error())+".", "Both must be PEM files: the certificate followed by its chain (fullchain.pem), and its private key.")
}
