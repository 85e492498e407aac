package cli

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/serve"
	"github.com/figs-web/figs-web/internal/testenv"
)

// written is what a program wrote, while it goes on writing.
type written struct {
	mutex sync.Mutex
	text  strings.Builder
}

func (w *written) Write(b []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.text.Write(b)
}

func (w *written) String() string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.text.String()
}

// running is a hosted reader that a test started.
type running struct {
	stdout, stderr *written
	address, setup string
	stop           func() int
}

// hostOn starts a hosted reader over a folder and waits until it says where it is.
func hostOn(t *testing.T, dir string, args ...string) *running {
	t.Helper()
	return serveWith(t, cmd.Env{Args: append([]string{"--data", dir}, args...)})
}

// serveWith starts a hosted reader in a world, and waits until it says where it is.
func serveWith(t *testing.T, env cmd.Env) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{stdout: &written{}, stderr: &written{}}
	env.Args = append([]string{"--agent", "serve", "--addr", "127.0.0.1:0", "--log", "json"}, env.Args...)
	env.Stdout, env.Stderr, env.Version, env.OpenData = r.stdout, r.stderr, "v1.2.3", openAnywhere
	env.Terminals = func() (bool, bool) { return false, false }
	if env.Now == nil {
		env.Now = time.Now
	}
	code := make(chan int, 1)
	go func() { code <- Main(ctx, env) }()
	r.stop = sync.OnceValue(func() int { cancel(); return <-code })
	t.Cleanup(func() { r.stop() })
	var line string
	if !testenv.Poll(10*time.Second, func() (whole bool) {
		line, _, whole = strings.Cut(r.stdout.String(), "\n")
		return whole
	}) {
		t.Fatalf("serve said nothing: %s", r.stderr)
	}
	var first struct{ Address, Setup string }
	if err := json.Unmarshal([]byte(line), &first); err != nil {
		t.Fatalf("serve begins with %q", line)
	}
	r.address, r.setup = first.Address, first.Setup
	return r
}

func TestHostAnnounces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "data")
	line, lines, stop := started(t, "serve", "--data", dir, "--addr", "127.0.0.1:0", "--log", "json")
	if !regexp.MustCompile(`^http://localhost:\d+$`).MatchString(line) {
		t.Errorf("serve begins with %q, want the address alone", line)
	}
	lines.Scan()
	lines.Scan()
	link := lines.Text()
	if !regexp.MustCompile(`^` + regexp.QuoteMeta(line) + `/setup\?key=[A-Z2-7]{26}$`).MatchString(link) {
		t.Errorf("then comes %q, want the link that sets it up", link)
	}
	drain(lines)
	if info, err := os.Stat(dir); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v; want it for its owner alone", info, err)
	}
	if status, _, page := get(t, visitor(t), link); status != 200 {
		t.Errorf("the link = %d %.300s", status, page)
	}
	if code := stop(); code != 0 {
		t.Errorf("a stopped server exits %d", code)
	}
}

// A new start replaces the link, and with people there is none any more.
func TestSetupLink(t *testing.T) {
	dir := t.TempDir()
	first := hostOn(t, dir)
	first.stop()
	second := hostOn(t, dir)
	status := func(link string) int {
		old, _ := url.Parse(link)
		code, _, _ := get(t, visitor(t), second.address+old.RequestURI())
		return code
	}
	if was, is := status(first.setup), status(second.setup); was == 200 || is != 200 {
		t.Errorf("the old link answers %d and the new one %d", was, is)
	}
	if setUp(t, second) != 303 {
		t.Fatal("the reader could not be set up")
	}
	second.stop()
	if third := hostOn(t, dir); third.setup != "" {
		t.Errorf("with people there is still a link: %s", third.setup)
	}
}

// setUp sets a reader up through its page.
func setUp(t *testing.T, r *running) int { return setUpAs(t, visitor(t), r) }

func setUpAs(t *testing.T, browser *http.Client, r *running) int {
	t.Helper()
	link, err := url.Parse(r.setup)
	if err != nil {
		t.Fatal(err)
	}
	once := *browser
	once.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := once.PostForm(r.address+"/setup", url.Values{
		"key": {link.Query().Get("key")}, "name": {"Ana"}, "email": {"ana@example.org"}, "password": {"four words make one"}, "workspace": {"Acme"}, "slug": {"acme"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 303 {
		page, _ := io.ReadAll(answer.Body)
		t.Logf("%s", page)
	}
	return answer.StatusCode
}

func TestHostRefuses(t *testing.T) {
	open, file, certificate := t.TempDir(), filepath.Join(t.TempDir(), "file"), filepath.Join(t.TempDir(), "cert.pem")
	for _, name := range []string{filepath.Join(open, "something"), file, certificate} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args string
		code int
	}{
		{"--data FILE", 2},
		{"--data OPEN", 101},
		{"--data DIR --addr nonsense", 2},
		{"--data DIR --metrics-addr 9100", 2},
		{"--data DIR --addr 192.0.2.1:0", 2},
		{"--data DIR --addr 0.0.0.0:0", 2},
		{"--data DIR --addr :0", 2},
		{"--data DIR --public-url figs.example", 2},
		{"--data DIR --public-url https://figs.example/below", 2},
		{"--data DIR --public-url https://u:p@figs.example", 2},
		{"--data DIR --public-url https://figs.example?x", 2},
		{"--data DIR --public-url ftp://figs.example", 2},
		{"--data DIR --public-url http://figs.example", 2},
		{"--data DIR --public-url http://127.evil.example", 2},
		{"--data DIR --tls-cert a.pem", 2},
		{"--data DIR --tls-key a.pem", 2},
		{"--data DIR --tls-cert CERT --tls-key nowhere.pem", 100},
		{"--data DIR --tls-cert CERT --tls-key CERT", 102},
		{"--data DIR --tls-auto figs.example.com --tls-cert a --tls-key b", 2},
		{"--data DIR --tls-auto 192.0.2.1", 2},
		{"--data DIR --tls-auto localhost", 2},
		{"--data DIR --tls-auto https://figs.example.com", 2},
		{"--data DIR --tls-auto figs.example.com --public-url http://figs.example.com", 2},
		{"--data DIR --max-ingest much", 2},
		{"--data DIR --max-ingest 10", 2},
		{"--data DIR --max-ingest 100G", 2},
		{"--data DIR --trust-proxy proxy", 2},
		{"--data DIR --log loud", 2},
		{"--public-url https://figs.example", 2},
		{"--insecure-http", 2},
		{"--tls-auto figs.example.com", 2},
		{"--max-ingest 1MiB", 2},
	} {
		if runtime.GOOS == "windows" && test.code == 101 {
			continue // rights are no part of a mode there
		}
		named := []string{"DIR", filepath.Join(t.TempDir(), "d"), "FILE", file, "OPEN", open, "CERT", certificate}
		args := strings.Fields("--agent serve " + strings.NewReplacer(named...).Replace(test.args))
		if !strings.Contains(test.args, "--addr") {
			args = append(args, "--addr", "127.0.0.1:0")
		}
		got := run(t, args...)
		var said struct {
			Message, Suggestion string
		}
		if err := json.Unmarshal([]byte(got.stderr), &said); err != nil {
			t.Errorf("%s: %q", test.args, got.stderr)
			continue
		}
		if got.code != test.code || said.Suggestion == "" || got.stdout != "" {
			t.Errorf("%s = %d %+v %q, want %d and a hint", test.args, got.code, said, got.stdout, test.code)
		}
		slices.Reverse(named) // to names from what they stand for
		told := strings.NewReplacer(named...)
		messages.Check(t, "refused: serve "+test.args, []string{told.Replace(said.Message), "hint: " + told.Replace(said.Suggestion)})
	}
}

func TestTwoServers(t *testing.T) {
	dir := t.TempDir()
	first := hostOn(t, dir)
	got := run(t, "serve", "--data", dir, "--addr", "127.0.0.1:0")
	if got.code != 1 || !strings.Contains(got.stderr, "Another server is using") || !strings.Contains(got.stderr, "hint: ") {
		t.Errorf("a second server = %d %q", got.code, got.stderr)
	}
	if got := run(t, "reindex", "--data", dir); got.code != 0 {
		t.Errorf("reindex beside a server = %d %q", got.code, got.stderr)
	}
	first.stop()
	hostOn(t, dir) // what a server leaves behind is no lock
}

// An empty folder that everybody could look into has told nobody anything: it is closed.
func TestEmptyFolderIsClosed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are no part of a mode there")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	hostOn(t, dir)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v", info.Mode(), err)
	}
}

func TestHostNames(t *testing.T) {
	r := hostOn(t, t.TempDir(), "--public-url", "https://figs.example:443")
	if !strings.HasPrefix(r.setup, "https://figs.example/setup?key=") {
		t.Errorf("the link is %s, want it at the public address as browsers write it", r.setup)
	}
	for host, want := range map[string]int{"figs.example": 200, strings.TrimPrefix(r.address, "http://"): 200, "rebound.example": 403} {
		q, _ := http.NewRequest("GET", r.address+"/healthz", nil)
		q.Host = host
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want || answer.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("asked as %s it answers %d %v, want %d", host, answer.StatusCode, answer.Header, want)
		}
	}
}

// Behind a proxy that was not named everybody seems to come from one address, which the log tells.
func TestProxyIsMissed(t *testing.T) {
	for args, want := range map[string]bool{"--public-url https://figs.example": true, "--public-url https://figs.example --trust-proxy 127.0.0.1": false, "": false} {
		r := hostOn(t, t.TempDir(), strings.Fields(args)...)
		r.stop()
		if got := strings.Contains(r.stderr.String(), "--trust-proxy"); got != want {
			t.Errorf("serve %s speaks of --trust-proxy: %v, want %v: %s", args, got, want, r.stderr)
		}
	}
}

// Without TLS every page of a workspace says so, and the cookie is one that such a browser keeps.
func TestInsecure(t *testing.T) {
	r := hostOn(t, t.TempDir(), "--public-url", "http://figs.example", "--insecure-http")
	browser := visitor(t)
	for _, path := range []string{"/sign-in", "/nowhere"} {
		_, _, page := get(t, browser, r.address+path)
		messages.Check(t, "serve: without TLS", pagetest.Lines(pagetest.All(pagetest.Parse(t, page), "body p.notice")...))
	}
	if status := setUpAs(t, browser, r); status != 303 {
		t.Fatalf("setting up = %d", status)
	}
	_, _, page := get(t, browser, r.address+"/w/acme/settings")
	messages.Check(t, "serve: without TLS", pagetest.Lines(pagetest.All(pagetest.Parse(t, page), "body p.notice")...))
	if !strings.Contains(r.stderr.String(), "without TLS") {
		t.Errorf("the log does not say that there is no TLS: %s", r.stderr)
	}
}

// certify writes a certificate for 127.0.0.1 and its key.
func certify(t *testing.T, name, cert, key string, at time.Time) *x509.Certificate {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90 * 24 * time.Hour), // so that nobody renews it meanwhile
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{name},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: pkcs8}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// presented is the certificate that a new connection is shown, and the protocol that it speaks.
func presented(t *testing.T, address string) (name, protocol string) {
	t.Helper()
	c, err := tls.Dial("tcp", strings.TrimPrefix(address, "https://"), &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2", "http/1.1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s := c.ConnectionState()
	return s.PeerCertificates[0].Subject.CommonName, s.NegotiatedProtocol
}

func TestTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	root := certify(t, "first.example", cert, key, time.Now().Add(-time.Minute))
	r := hostOn(t, filepath.Join(dir, "data"), "--tls-cert", cert, "--tls-key", key)
	if !strings.HasPrefix(r.address, "https://127.0.0.1:") || !strings.HasPrefix(r.setup, r.address) {
		t.Fatalf("the address is %s, the link %s", r.address, r.setup)
	}
	pool := x509.NewCertPool()
	pool.AddCert(root)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
	answer, err := client.Get(r.address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.Proto != "HTTP/2.0" || answer.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("it answers by %s with %v", answer.Proto, answer.Header)
	}
	certify(t, "second.example", cert, key, time.Now())
	renewed(t, r.address, "second.example")
	if err := os.WriteFile(cert, []byte("half of a renewal"), 0o600); err != nil {
		t.Fatal(err)
	}
	name := ""
	if !testenv.Poll(10*time.Second, func() bool {
		name, _ = presented(t, r.address) // it looks at the files when somebody connects
		return strings.Contains(r.stderr.String(), "the old one stays in use")
	}) || name != "second.example" {
		t.Errorf("in the middle of a renewal it shows %s and says %s", name, r.stderr)
	}
	certify(t, "third.example", cert, key, time.Now().Add(time.Second))
	renewed(t, r.address, "third.example")
}

func renewed(t *testing.T, address, want string) {
	t.Helper()
	name := ""
	if !testenv.Poll(10*time.Second, func() bool { name, _ = presented(t, address); return name == want }) {
		t.Errorf("after a renewal it shows %s, want %s", name, want)
	}
}

// With --tls-auto the certificate comes from the folder's cache once it was issued; other names
// get none.
func TestTLSAuto(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(dir, "certificates")
	if err := os.Mkdir(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	cert, key := filepath.Join(t.TempDir(), "cert"), filepath.Join(t.TempDir(), "key")
	certify(t, "figs.example.com", cert, key, time.Now())
	var both []byte
	for _, name := range []string{key, cert} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, b...)
	}
	if err := os.WriteFile(filepath.Join(cache, "figs.example.com"), []byte(strings.Replace(string(both), "PRIVATE KEY", "EC PRIVATE KEY", 2)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r := hostOn(t, dir, "--tls-auto", "figs.example.com")
	if !strings.HasPrefix(r.setup, "https://figs.example.com/setup?key=") {
		t.Errorf("the link is %s", r.setup)
	}
	if !strings.Contains(r.stderr.String(), "443") {
		t.Errorf("nothing is said of port 443: %s", r.stderr)
	}
	c, err := tls.Dial("tcp", strings.TrimPrefix(r.address, "https://"), &tls.Config{InsecureSkipVerify: true, ServerName: "figs.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if c, err := tls.Dial("tcp", strings.TrimPrefix(r.address, "https://"), &tls.Config{InsecureSkipVerify: true, ServerName: "other.example.com"}); err == nil {
		c.Close()
		t.Error("another name gets a certificate")
	}
}

// Where certificates are issued, and on the ports of the web, a port that cannot be had has hints of its own.
func TestPort443(t *testing.T) {
	auto := serve.ServeCommand{TLSAuto: "figs.example.com"}
	own := serve.ServeCommand{Addr: "0.0.0.0:443"}
	if f := cmd.FailureOf(own.OnPort443(cmd.Fail(cmd.Denied, "No.", "as before")), ""); !strings.Contains(f.Hint, "port443.conf") {
		t.Errorf("without a right to port 443 the hint is %q", f.Hint)
	}
	for kind, want := range map[cmd.Kind]string{cmd.Denied: "port443.conf", cmd.AddressInUse: "docs/reverse-proxy.md", cmd.Usage: "as before"} {
		before := cmd.Fail(kind, "No.", "as before")
		if f := cmd.FailureOf(auto.OnPort443(before), ""); f.Kind != kind || !strings.Contains(f.Hint, want) {
			t.Errorf("%v becomes %+v, want the hint %q", kind, f, want)
		}
		if f := cmd.FailureOf((serve.ServeCommand{}).OnPort443(cmd.Fail(kind, "No.", "as before")), ""); f.Hint != "as before" {
			t.Errorf("without --tls-auto %v becomes %+v", kind, f)
		}
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "1048576": 1 << 20, "2048k": 2 << 20, "2048KiB": 2 << 20, "3M": 3 << 20, "3MB": 3 << 20, "64 MiB": 64 << 20, "1G": 1 << 30, "1GiB": 1 << 30} {
		if got, err := serve.ParseSize(text); got != want || err != nil {
			t.Errorf("parseSize(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"0", "-1", "1.5G", "MiB", "64MiBs", "9999999999", "1T"} {
		if got, err := serve.ParseSize(text); err == nil {
			t.Errorf("parseSize(%q) = %d, want a refusal", text, got)
		}
	}
}
