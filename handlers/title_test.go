package handlers

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var pageTitle = regexp.MustCompile(`<title>([^<]*)</title>`)

// TestTitlesOfPages checks the title of every hosted page: "Page · Workspace · figs-web" in a workspace, where an agent's page
// adds the agent ("Jobs · Closer · Acme · figs-web"), and "Page · figs-web" elsewhere. No title has invisible characters.
func TestTitlesOfPages(t *testing.T) {
	w := newTown(t)
	ours, others := regexp.MustCompile(`^[^·]+( · [^·]+)* · Acme · figs-web$`), regexp.MustCompile(`^[^·]+ · figs-web$`)
	pages := map[bool]int{}
	invisible := regexp.MustCompile(`\p{Cc}|\p{Cf}|\p{Co}|\p{Zl}|\p{Zp}`)
	addresses := []string{"/sign-in", "/w/acme/inbox", "/w/acme/nothing-here", "/w/acme/agents/" + acmeAgent + "/jobs", "/w/acme/activity", "/w/acme/search?q=close", "/w/acme/connect", "/w/acme/agents/" + acmeAgent + "/asks/send"}
	for route, row := range hostedRows(w) {
		if strings.HasPrefix(route, "GET ") {
			addresses = append(addresses, row.address)
		}
	}
	for _, address := range addresses {
		r := w.ask("GET", address, "owner", "")
		found := pageTitle.FindStringSubmatch(text(t, r))
		if r.StatusCode != http.StatusOK && r.StatusCode != http.StatusNotFound || found == nil || strings.HasPrefix(address, "/v/") {
			continue
		}
		title, inside := html.UnescapeString(found[1]), strings.HasPrefix(address, "/w/")
		pages[inside]++
		if want := map[bool]*regexp.Regexp{true: ours, false: others}[inside]; !want.MatchString(title) || invisible.MatchString(title) || strings.Contains(title, "  ") {
			t.Errorf("%s is titled %q", address, title)
		}
	}
	if pages[true] < 20 || pages[false] < 8 {
		t.Errorf("looked at %d pages of a workspace and %d others", pages[true], pages[false])
	}
}
