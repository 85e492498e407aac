//go:build unix

package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/demo"
	"github.com/figs-web/figs-web/internal/testenv"
)

// publicName is the name of the server in docs/reverse-proxy.md.
const publicName = "figs.example.com"

// visitorAddress is where visitors come from: another address than the proxy's, where this machine
// has one.
var visitorAddress = func() *net.TCPAddr {
	other := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}
	if l, err := net.ListenTCP("tcp", other); err == nil {
		l.Close()
		return other
	}
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}
}()

// fronted is a hosted reader behind a proxy, and how visitors reach it.
type fronted struct {
	t    *testing.T
	p    *process
	http *http.Client // that finds publicName at the proxy
}

// behind starts a hosted reader whose public address is the proxy's. proxy starts one that listens on
// the address and passes on to upstream.
func behind(t *testing.T, proxy func(listen, upstream, cert, key string)) {
	t.Helper()
	dir := t.TempDir()
	p := serveFolder(t, filepath.Join(dir, "data"), "--public-url", "https://"+publicName, "--trust-proxy", "127.0.0.1")
	cert, key := filepath.Join(dir, "fullchain.pem"), filepath.Join(dir, "privkey.pem")
	pool := certify(t, cert, key)
	listen := freeAddress(t)
	proxy(listen, strings.TrimPrefix(p.address, "http://"), cert, key)
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{LocalAddr: visitorAddress}).DialContext(ctx, network, listen)
		},
	}
	t.Cleanup(transport.CloseIdleConnections)
	f := &fronted{t: t, p: p, http: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	f.waits()
	f.works()
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// certify writes a certificate for publicName and its key.
func certify(t *testing.T, cert, key string) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: publicName}, DNSNames: []string{publicName}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: pkcs8}} {
		text := pem.EncodeToMemory(block)
		pool.AppendCertsFromPEM(text)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return pool
}

// waits until the proxy answers.
func (f *fronted) waits() {
	f.t.Helper()
	var err error
	passes := func() bool {
		var r *http.Response
		if r, err = f.http.Get("https://" + publicName + "/healthz"); err == nil {
			r.Body.Close()
			if r.StatusCode != 200 {
				err = fmt.Errorf("status %d", r.StatusCode)
			}
		}
		return err == nil
	}
	if !testenv.Poll(10*time.Second, passes) {
		f.t.Fatalf("the proxy does not pass on: %v\n%s", err, f.p.log)
	}
}

// works does what people and clients do through a proxy.
func (f *fronted) works() {
	t := f.t
	t.Helper()
	link, err := url.Parse(f.p.after[len(f.p.after)-2])
	if err != nil || link.Scheme+"://"+link.Host != "https://"+publicName {
		t.Fatalf("the link is %s, want it at the public address", link)
	}
	f.form("/setup", url.Values{"key": {link.Query().Get("key")}, "name": {"Ana"}, "email": {"ana@example.org"}, "password": {"four words make one"}, "workspace": {"Acme"}, "slug": {"acme"}})
	session := f.form("/sign-in", url.Values{"email": {"ana@example.org"}, "password": {"four words make one"}})
	if session == nil || !session.Secure || !strings.HasPrefix(session.Name, "__Host-") {
		t.Fatalf("signing in gives the cookie %v", session)
	}
	token := f.logIn(session)
	c := client.New(client.Options{Endpoint: "https://" + publicName, Token: token, HTTP: f.http})
	w, err := c.Link(context.Background(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	stream := f.listens(session)
	folder, err := demo.Folder("onboarding", w.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Push(context.Background(), folder, w.ID); err != nil {
		t.Fatal(err)
	}
	select {
	case line := <-stream:
		if line != "event: change" {
			t.Errorf("after a push comes %q", line)
		}
	case <-time.After(10 * time.Second):
		t.Error("ten seconds after a push no event has come")
	}
	large := fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":"0d4f2a3c-3333-4222-8333-000000000001","name":"N"},"runs":[{"id":"r","ts":"2026-11-20T10:00:00Z"}],"pad":[%s"x"]}`,
		w.ID, strings.Repeat(`"`+strings.Repeat("x", 1022)+`",`, 20<<10))
	if _, err := c.Ingest(context.Background(), large); err != nil {
		t.Errorf("a push of %d MiB: %.300v", len(large)>>20, err)
	}
	if from := f.whoAsks(); from != visitorAddress.IP.String() {
		t.Errorf("a visitor from %s comes from %q", visitorAddress.IP, from)
	}
}

// form sends a form as a browser does, and returns the session's cookie.
func (f *fronted) form(path string, fields url.Values, cookies ...*http.Cookie) *http.Cookie {
	f.t.Helper()
	r, _ := http.NewRequest("POST", "https://"+publicName+path, strings.NewReader(fields.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "https://"+publicName) // and no Sec-Fetch-Site, as of older browsers
	for _, c := range cookies {
		r.AddCookie(c)
	}
	answer, err := f.http.Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 400 {
		page, _ := io.ReadAll(answer.Body)
		f.t.Fatalf("POST %s = %d %s", path, answer.StatusCode, page)
	}
	if to := answer.Header.Get("Location"); to != "" && !strings.HasPrefix(to, "/") {
		f.t.Errorf("POST %s leads to %s", path, to)
	}
	for _, c := range answer.Cookies() {
		if c.Value != "" {
			return &http.Cookie{Name: c.Name, Value: c.Value, Secure: c.Secure}
		}
	}
	return nil
}

// logIn gives a client its token.
func (f *fronted) logIn(session *http.Cookie) string {
	f.t.Helper()
	c := client.New(client.Options{Endpoint: "https://" + publicName, HTTP: f.http})
	token, err := c.Login(context.Background(), func(d client.Device) {
		if !strings.HasPrefix(d.VerificationURIComplete, "https://"+publicName+"/device") {
			f.t.Errorf("a person is led to %s", d.VerificationURIComplete)
		}
		f.form("/device", url.Values{"code": {d.UserCode}, "decision": {"approve"}}, session)
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return token
}

// listens opens a stream of events and passes on the first event that says something changed.
func (f *fronted) listens(session *http.Cookie) <-chan string {
	f.t.Helper()
	r, _ := http.NewRequest("GET", "https://"+publicName+"/w/acme/events", nil)
	r.AddCookie(session)
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := f.http.Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { answer.Body.Close() })
	if answer.StatusCode != 200 || answer.Header.Get("Content-Encoding") != "" {
		f.t.Fatalf("the stream answers %d %v", answer.StatusCode, answer.Header)
	}
	lines := make(chan string, 1)
	go func() {
		for s := bufio.NewScanner(answer.Body); s.Scan(); {
			if strings.HasPrefix(s.Text(), "event: ") {
				lines <- s.Text()
				return
			}
		}
		lines <- "the end of the stream"
	}()
	return lines
}

// whoAsks is from where a visitor comes who claims to be somebody else, as the server logs it.
func (f *fronted) whoAsks() string {
	f.t.Helper()
	r, _ := http.NewRequest("GET", "https://"+publicName+"/rules/line_torn", nil)
	r.Header.Set("X-Forwarded-For", "203.0.113.99")
	answer, err := f.http.Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	answer.Body.Close()
	visit := regexp.MustCompile(`"route":"/rules/:code".*"from":"([^"]*)"`)
	var found []string
	if !testenv.Poll(10*time.Second, func() bool { // the line is written once the answer is out
		found = visit.FindStringSubmatch(f.p.log.String())
		return found != nil
	}) {
		f.t.Fatalf("the log does not tell of a visit\n%s", f.p.log)
	}
	return found[1]
}

// TestBehindProxy passes on as Go's own proxy does, once with the visitor's Host and once without.
func TestBehindProxy(t *testing.T) {
	for name, keep := range map[string]bool{"with_host": true, "without_host": false} {
		t.Run(name, func(t *testing.T) {
			behind(t, func(listen, upstream, cert, key string) {
				pair, err := tls.LoadX509KeyPair(cert, key)
				if err != nil {
					t.Fatal(err)
				}
				proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
					r.SetURL(&url.URL{Scheme: "http", Host: upstream})
					r.SetXForwarded()
					if keep {
						r.Out.Host = r.In.Host
					}
				}}
				s := httptest.NewUnstartedServer(proxy)
				s.Listener.Close()
				if s.Listener, err = net.Listen("tcp", listen); err != nil {
					t.Fatal(err)
				}
				s.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
				s.EnableHTTP2 = true
				s.StartTLS()
				t.Cleanup(s.Close)
			})
		})
	}
}

// documented is the block of docs/reverse-proxy.md in a language.
func documented(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/reverse-proxy.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "```"+language+"\n")
	block, _, found := strings.Cut(block, "```")
	if !found {
		t.Fatalf("the document has no block of %s", language)
	}
	return block
}

// replaced changes in a documented block what differs in a test, each exactly once.
func replaced(t *testing.T, block string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(block, pairs[i]) != 1 {
			t.Fatalf("the document has %q %d times", pairs[i], strings.Count(block, pairs[i]))
		}
		block = strings.Replace(block, pairs[i], pairs[i+1], 1)
	}
	return block
}

// start runs a proxy until the test ends.
func start(t *testing.T, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	said := &log{}
	cmd.Stdout, cmd.Stderr = said, said
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_DATA_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s says:\n%s", program, said)
		}
	})
}

// installed is a proxy's path; a test without it is skipped.
func installed(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/" + name)
	}
	if err != nil {
		t.Skipf("%s is not installed; Go's own proxy stands for it in TestBehindProxy", name)
	}
	return path
}

// TestBehindNginx runs the configuration that the document gives.
func TestBehindNginx(t *testing.T) {
	nginx := installed(t, "nginx")
	behind(t, func(listen, upstream, cert, key string) {
		dir := t.TempDir()
		config := replaced(t, documented(t, "nginx"), "listen 443 ssl", "listen "+listen+" ssl", "127.0.0.1:8080", upstream,
			"/etc/ssl/figs/fullchain.pem", cert, "/etc/ssl/figs/privkey.pem", key)
		temp := ""
		for _, name := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
			temp += fmt.Sprintf("%s_temp_path %s;\n", name, filepath.Join(dir, name))
		}
		user := ""
		if os.Getuid() == 0 {
			user = "user root;\n"
		}
		file := filepath.Join(dir, "nginx.conf")
		text := fmt.Sprintf("%sdaemon off;\nworker_processes 1;\npid %s;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n%s%s}\n", user, filepath.Join(dir, "pid"), temp, config)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		start(t, nginx, "-p", dir, "-c", file, "-e", "stderr")
	})
}

// TestBehindCaddy runs the configuration that the document gives, with a certificate of the
// test's own because none can be issued here.
func TestBehindCaddy(t *testing.T) {
	caddy := installed(t, "caddy")
	behind(t, func(listen, upstream, cert, key string) {
		_, port, _ := net.SplitHostPort(listen)
		config := replaced(t, documented(t, "caddy"), publicName+" {", "https://"+publicName+":"+port+" {\n\tbind 127.0.0.1\n\ttls "+cert+" "+key, "127.0.0.1:8080", upstream)
		file := filepath.Join(t.TempDir(), "Caddyfile")
		if err := os.WriteFile(file, []byte("{\n\tadmin off\n\tauto_https disable_redirects\n}\n"+config), 0o600); err != nil {
			t.Fatal(err)
		}
		start(t, caddy, "run", "--adapter", "caddyfile", "--config", file)
	})
}
