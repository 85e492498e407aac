package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/testenv"
)

// webKit is a page of WebKitGTK, driven over WebDriver.
type webKit struct {
	t       testing.TB
	session string // the address of its session
}

// newWebKit starts a screen, a driver and a browser, which end with the test.
func newWebKit(t testing.TB, browser string) *webKit { return newWebKitBehind(t, browser, "") }

// newWebKitBehind is newWebKit with a proxy for every request, where an address of one is given.
func newWebKitBehind(t testing.TB, browser, proxy string) *webKit {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	screen := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp")
	screen.ExtraFiles = []*os.File{write}
	if err := screen.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(func() { screen.Process.Kill(); screen.Wait() })
	number := make([]byte, 16)
	read.SetReadDeadline(time.Now().Add(patience))
	n, err := read.Read(number) // it says so once it listens
	if err != nil {
		t.Fatalf("Xvfb says no display: %v", err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	driver := exec.Command("WebKitWebDriver", "--host=127.0.0.1", "--port="+port)
	driver.Env = append(os.Environ(), "DISPLAY=:"+strings.TrimSpace(string(number[:n])), "HOME="+t.TempDir(), "WEBKIT_DISABLE_COMPOSITING_MODE=1")
	if err := driver.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { driver.Process.Kill(); driver.Wait() })
	p := &webKit{t: t, session: "http://127.0.0.1:" + port}
	testenv.Eventually(t, patience, "WebKitWebDriver to listen", func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	var made struct{ SessionID string }
	wants := map[string]any{"webkitgtk:browserOptions": map[string]any{"binary": browser, "args": []string{"--automation"}}}
	if proxy != "" {
		wants["proxy"] = map[string]string{"proxyType": "manual", "httpProxy": proxy, "sslProxy": proxy}
	}
	p.call("POST", "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": wants}}, &made)
	p.session += "/session/" + made.SessionID
	t.Cleanup(func() { p.call("DELETE", "", nil, nil) })
	return p
}

// call sends a command and reads what it returns.
func (p *webKit) call(method, path string, body, into any) {
	p.t.Helper()
	if err := p.try(method, path, body, into); err != nil {
		p.t.Fatal(err)
	}
}

func (p *webKit) try(method, path string, body, into any) error {
	return p.within(patience, method, path, body, into)
}

func (p *webKit) within(limit time.Duration, method, path string, body, into any) error {
	sent, err := json.Marshal(body)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, p.session+path, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %d %.500s %v", method, path, answer.StatusCode, got, err)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(got, &struct{ Value any }{into})
}

func (p *webKit) open(address string) {
	p.t.Helper()
	p.call("POST", "/url", map[string]string{"url": address}, nil)
}

func (p *webKit) do(script string) {
	p.t.Helper()
	p.call("POST", "/execute/sync", map[string]any{"script": script, "args": []any{}}, nil)
}

func (p *webKit) fill(name, text string) {
	p.t.Helper()
	p.do(fmt.Sprintf(`document.querySelector('[name=%s]').value = %s`, name, quoted(text)))
}

// submit sends the form of an address as a click on its button does.
func (p *webKit) submit(action string) {
	p.t.Helper()
	p.do(fmt.Sprintf(`document.querySelector('form[action="%s"]').requestSubmit()`, action))
}

// await waits until an expression of the page is true.
func (p *webKit) await(expression, what string) {
	p.t.Helper()
	var err error
	if !testenv.Poll(patience, func() (is bool) {
		err = p.try("POST", "/execute/sync", map[string]any{"script": `return Boolean(` + expression + `)`, "args": []any{}}, &is)
		return err == nil && is
	}) {
		text := ""
		p.call("POST", "/execute/sync", map[string]any{"script": `return location.href + "\n" + document.body.innerText`, "args": []any{}}, &text)
		p.t.Fatalf("waited %s in vain for %s (%v); the page shows:\n%s", patience, what, err, text)
	}
}

// ask is the value of an expression of the page.
func (p *webKit) ask(expression string, into any) {
	p.t.Helper()
	p.call("POST", "/execute/sync", map[string]any{"script": "return " + expression, "args": []any{}}, into)
}

// later is the value that a promise of the page comes to.
func (p *webKit) later(expression string, into any) {
	p.t.Helper()
	p.call("POST", "/execute/async", map[string]any{"script": `const done = arguments[0]; Promise.resolve(` + expression + `).then(done, e => done(String(e)))`, "args": []any{}}, into)
}

// give hands a file to the input for files.
func (p *webKit) give(name string) {
	p.t.Helper()
	var found map[string]string
	p.call("POST", "/element", map[string]string{"using": "css selector", "value": "#pick-files"}, &found)
	for _, id := range found {
		p.call("POST", "/element/"+id+"/value", map[string]string{"text": name}, nil)
	}
}

// visit goes to a page of the inspector and waits for its words.
func (p *webKit) visit(path string, texts ...string) {
	p.t.Helper()
	p.do(fmt.Sprintf(`location.hash = %q`, path))
	for _, text := range texts {
		p.await(fmt.Sprintf(`location.hash === %q && !document.querySelector("#view").ariaBusy && `, "#"+path)+has("#view", text), path+" with "+text)
	}
}

// shot saves a picture where FIGS_SHOTS says.
func (p *webKit) shot(name string) {
	p.t.Helper()
	dir := pictures(p.t.(*testing.T))
	if dir == "" {
		return
	}
	var picture []byte // in JSON a []byte is base64
	if err := p.within(10*time.Second, "GET", "/screenshot", nil, &picture); err != nil {
		p.t.Logf("no picture of %s: %v", name, err) // the driver sometimes gives none
		return
	}
	if err := os.WriteFile(filepath.Join(dir, "webkit-"+name+".png"), picture, 0o644); err != nil {
		p.t.Fatal(err)
	}
}
