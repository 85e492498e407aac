package e2e

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// peoplePages are the pages on people and operations, beside those of hostedPages.
var peoplePages = []string{
	"/news", "/decisions", "/settings/agents", "/settings/policy", "/settings/chat?service=matrix", "/settings/data", "/settings/data/export", "/settings/feedback",
	reconciliation + "/move", reconciliation + "/assign", reconciliation + "/export", reconciliation + "/erase?kind=ask&key=acme-send",
	"/../../settings/signing-in", "/../../settings/tokens", "/../../settings/notifications", "/../../device", "/../../admin",
}

// lookAtPeople is lookEverywhere for the pages on people and operations. Each is looked at wide and
// light, and narrow and dark: what is wrong with colours or with room shows there.
func lookAtPeople(t *testing.T, s *hostedServer) {
	s.admin("", "user", "operator", "--email", ownerEmail)
	s.admit("lotte@example.org", "Bartholomäus-Maximilian Freiherr von Rindfleischetikettierungsüberwachungsaufgaben", "viewer")
	reset := s.admin("", "user", "reset", "--email", "lotte@example.org", "--public-url", s.address)["link"]
	invite := s.admin("", "invite", "create", "--workspace", workspaceSlug, "--role", "member", "--public-url", s.address)["link"]
	p, others := s.watched(t)
	for _, link := range []string{s.url("/sign-in/recovery"), reset, invite} {
		at, err := url.Parse(link)
		if err != nil || at.Path == "" {
			t.Fatalf("the link is %q, %v", link, err)
		}
		p.do(chromedp.Navigate(link))
		p.lands(s, at.Path)
		p.twoScreens(strings.Trim(strings.ReplaceAll(at.Path, "/", "-"), "-"))
	}
	p.signIn(s, "/settings")
	p.twoScreens("members")
	file := strings.NewReplacer(reconciliation, "-agent", "/", "-", "?", "-", "=", "-", "&", "-", ".", "")
	for _, page := range peoplePages {
		p.goes(s, page)
		p.twoScreens(strings.Trim(file.Replace(page), "-"))
	}
	p.quiet()
	others.none(t)
}

func (p *tab) twoScreens(name string) {
	p.t.Helper()
	p.oneScreen(name, 1280, "light")
	p.oneScreen(name, 360, "dark")
}
