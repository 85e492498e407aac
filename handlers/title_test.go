package handlers

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var pageTitle = regexp.MustCompile(`<title>([^<]*)</title>`)

// TestTitlesOfPages holds that every page of a workspace is titled with what it shows, the workspace and the program, in this
// order, and any other page with what it shows and the program.
func TestTitlesOfPages(t *testing.T) {
	w := newTown(t)
	ours, others := regexp.MustCompile(`^[^·]+( · [^·]+)* · Acme · figs-web$`), regexp.MustCompile(`^[^·]+ · figs-web$`)
	pages := map[bool]int{}
	addresses := []string{"/w/acme/activity", "/w/acme/search?q=close", "/w/acme/connect", "/w/acme/agents/" + acmeAgent + "/asks/send"}
	for route, row := range hostedRows(w) {
		if strings.HasPrefix(route, "GET ") {
			addresses = append(addresses, row.address)
		}
	}
	for _, address := range addresses {
		r := w.ask("GET", address, "owner", "")
		found := pageTitle.FindStringSubmatch(text(t, r))
		if r.StatusCode != http.StatusOK || found == nil || strings.HasPrefix(address, "/v/") {
			continue
		}
		title, inside := html.UnescapeString(found[1]), strings.HasPrefix(address, "/w/")
		pages[inside]++
		if want := map[bool]*regexp.Regexp{true: ours, false: others}[inside]; !want.MatchString(title) {
			t.Errorf("%s is titled %q", address, title)
		}
	}
	if pages[true] < 20 || pages[false] < 8 {
		t.Errorf("looked at %d pages of a workspace and %d others", pages[true], pages[false])
	}
}
