package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/testenv"
)

// testWebKit sets a reader up at http on this machine in Safari's engine, signs out and in again, decides, and takes the
// decision back: WebKit keeps no Secure cookie there.
func testWebKit(t *testing.T) {
	browser := testenv.WebKit(t)
	s := &hostedServer{t: t, program: program(t), on: newGround(t)}
	s.serve("127.0.0.1:0")
	t.Cleanup(s.stop)
	data, err := s.on.open()
	if err != nil {
		t.Fatal(err)
	}
	key, err := accounts.CreateSetup(context.Background(), data, time.Now().UnixMicro())
	if err != nil {
		t.Fatal(err)
	}
	if err := data.Close(); err != nil {
		t.Fatal(err)
	}
	p := newWebKit(t, browser)
	p.open(s.url("/setup?key=" + key))
	p.fill("name", "Ruth Okafor")
	p.fill("email", ownerEmail)
	p.fill("password", ownerPassword)
	p.fill("workspace", "Acme")
	p.submit("/setup")
	p.await(`location.pathname === "/w/acme/connect" && document.querySelector("h1")`, "the page to connect an agent")

	s.token = s.admin("", "token", "create", "--email", ownerEmail, "--name", "laptop")["token"]
	s.workspace = s.onlyWorkspace()
	w := newWorker(t)
	w.pushes(s)
	w.more()
	w.push()

	p.submit("/sign-out")
	p.await(`location.pathname === "/" && document.body.innerText.includes("Sign in")`, "the start page")
	p.open(s.at("/inbox"))
	p.await(`location.pathname === "/sign-in"`, "the sign-in page")
	p.fill("email", ownerEmail)
	p.fill("password", ownerPassword)
	p.submit("/sign-in")
	p.await(`location.pathname === "/w/acme/inbox" && `+has("#view", "Purge the old rows"), "the inbox")

	p.open(s.url(workersAsk("purge")))
	p.await(`document.querySelector('`+approve+`')`, "the buttons")
	p.do(`document.querySelector('` + approve + `').click()`)
	p.await(has(".pending", "You approved this."), "the decision that can be taken back")
	p.do(`document.querySelector(".pending [data-undo] button").click()`)
	p.await(has("#view", "The reply was undone before it took effect."), "that it was taken back")
	if n := w.sync(); n != 0 {
		t.Errorf("what was taken back was handed out: %v", w.replies())
	}
}

// onlyWorkspace is the id of the one workspace that was set up in a browser.
func (s *hostedServer) onlyWorkspace() string {
	s.t.Helper()
	data, err := s.on.open()
	if err != nil {
		s.t.Fatal(err)
	}
	defer data.Close()
	x, err := data.Workspace(context.Background(), workspaceSlug)
	if err != nil {
		s.t.Fatal(err)
	}
	return x.ID
}
