package web

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/sandbox/report"
)

// shownFor is how long an attachment must have been on somebody's page before they can have viewed it.
const shownFor = time.Second

// SentWays are the ways in which an attachment was sent to a page. None of them says that anybody has looked.
var SentWays = []string{string(report.Rendered), string(report.Source), string(report.Text)}

var (
	ErrViewedOther = &httperr.Problem{Status: http.StatusConflict, Code: "not_shown", Title: "This page is out of date, so nothing was recorded as viewed",
		Hint: "The ask or its attachments have changed. Reload the page."}
	ErrViewedEarly = &httperr.Problem{Status: http.StatusConflict, Code: "too_early", Title: "This file was not on your page long enough to count as viewed", Hint: "Keep it on the screen for at least a second."}
)

// LongAgo reports whether what was sent at a time can have been viewed by now. A clock that was set back since
// makes it later than now.
func LongAgo(at, now int64) bool { return now-at >= shownFor.Microseconds() || at > now }

// ViewedFile is the index of the one attachment that a form names, as it is now; -1 when there is none.
func ViewedFile(f *reply.Form, g *reply.Gate) int {
	if len(f.Files) != 1 {
		return -1
	}
	return slices.IndexFunc(g.Files, func(file reply.GatedFile) bool { return file.File == f.Files[0] && !file.Absent() })
}

// ViewedHow is the way that a page reports; "" is none.
func ViewedHow(c echo.Context) string {
	how := FormValue(c, "part")
	switch {
	case how == "":
		return receipt.OnScreen
	case receipt.ParsePart(how) == 0:
		return ""
	}
	return how
}

// OpenedAlone reports whether a person has opened the page of one file to view it for an ask: by the link
// of the ask's page, and on no other site.
func OpenedAlone(c echo.Context) bool {
	r := c.Request()
	return r.Method == http.MethodGet && c.Param("section") == "files" && c.QueryParam("for") != "" && SameServer(r) && !IsPrefetch(r)
}

// Download is how a file was opened that was downloaded; the other ways are the views of the report, those of
// package receipt.
const Download = receipt.Downloaded

// ViewedBy tells who notes it that a visitor was shown an attachment, or has downloaded it. What was
// loaded ahead nobody has seen, and a download that a page elsewhere began tells nothing of a person;
// frames are held against their page before.
func (s *Server) ViewedBy(c echo.Context, sha256, ext, how string) {
	r := c.Request()
	if s.Looked == nil || IsPrefetch(r) || how == Download && !SameServer(r) {
		return
	}
	s.Looked(c, sha256, ext, how)
}

// IsPrefetch reports whether a browser loads something before anybody has asked for it.
func IsPrefetch(r *http.Request) bool {
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"} {
		for _, value := range r.Header.Values(name) {
			if strings.Contains(value, "prefetch") || strings.Contains(value, "prerender") || strings.Contains(value, "preview") {
				return true
			}
		}
	}
	return false
}
