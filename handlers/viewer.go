package handlers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"html"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// viewer turns attachments into documents for frames.
type viewer struct {
	files     journal.Attachments
	render    func(name string, content []byte, view report.View, limits report.Limits) *report.Result
	compare   func(before, after sandbox.Attachment, limits report.Limits) *report.Comparison
	renders   *renders
	limits    report.Limits
	origin    string          // of the documents, "http://localhost:4001"; "" when it is the pages' own
	signer    *signer         // where the origin is another; else nil, and the session decides
	hosts     map[string]bool // Host headers of that origin
	ancestors string          // the origins that may frame a document
}

func newViewer(files journal.Attachments) *viewer {
	return &viewer{files: files, render: sandbox.Render, compare: sandbox.Compare, renders: newRenders(cacheBytes), limits: report.Hosted(), ancestors: "'self'"}
}

// elsewhere moves the documents to an origin of their own, framed by the pages' origins.
func (v *viewer) elsewhere(origin, ancestors string, now func() time.Time) {
	v.origin, v.ancestors, v.signer = origin, ancestors, newSigner(now)
}

// address is where a frame finds a document; other, when it is one, is what it is compared with.
func (v *viewer) address(workspace string, d, other document) string {
	path, query := "/v/"+segment(workspace)+"/"+d.file(), url.Values{}
	if other != (document{}) {
		path += "/" + other.file()
	} else {
		query.Set("view", string(d.view))
	}
	switch {
	case v.signer != nil:
		return v.origin + v.signer.sign(path, query)
	case len(query) > 0:
		return path + "?" + query.Encode()
	}
	return path
}

// admit says who may not have a document: whoever is not a frame of a page that may show it.
func (v *viewer) admit(r *http.Request) error {
	dest, site := r.Header.Get("Sec-Fetch-Dest"), r.Header.Get("Sec-Fetch-Site")
	framed := dest == "iframe" && site == "same-origin" || dest == "" && site == ""
	if v.signer != nil {
		framed = framed || dest == "iframe" && (site == "same-site" || site == "cross-site")
	}
	if !framed {
		return &fault.Problem{Status: http.StatusForbidden, Title: "Attachments are shown inside their page only", Hint: "Open the page of the file, the ask or the job that names it."}
	}
	if v.signer == nil {
		return nil
	}
	switch ok, late := v.signer.holds(r.URL.Path, r.URL.Query()); {
	case !ok:
		return &fault.Problem{Status: http.StatusForbidden, Title: "This address was not made here", Hint: "Open the page of the file, the ask or the job that names it."}
	case late:
		return &fault.Problem{Status: http.StatusForbidden, Title: "This address has expired", Hint: "Addresses of documents hold for a minute. Load the page again."}
	}
	return nil
}

// showFrame sends an attachment's document, or the difference of two.
func (s *server) showFrame(c echo.Context) error {
	s.viewer.headers(c.Response().Header())
	if err := s.viewer.admit(c.Request()); err != nil {
		return err
	}
	measuring := s.viewer.signer == nil && c.QueryParams().Has("measure")
	if measuring {
		c.Response().Header().Set("Content-Security-Policy", measuringPolicy(s.viewer.ancestors))
	}
	ctx, workspace, view := c.Request().Context(), c.Param("workspace"), c.QueryParam("view")
	d, ok := documentOf(c.Param("file"), view)
	if !ok {
		return echo.ErrNotFound
	}
	var body []byte
	if c.Param("other") == "" {
		result, err := s.viewer.result(ctx, workspace, d)
		if err != nil {
			return err
		}
		body = result.Document
		if len(body) > 0 && !measuring {
			s.saw(c, d.sha256, d.ext, string(d.view))
		}
	} else {
		other, ok := documentOf(c.Param("other"), "")
		if !ok || view != "" {
			return echo.ErrNotFound
		}
		comparison, err := s.viewer.comparison(ctx, workspace, d, other)
		if err != nil {
			return err
		}
		body = comparison.Document
	}
	if measuring && c.QueryParam("measure") == "twin" {
		body = []byte("<!doctype html><title>figs-web</title>") // the page's script fills it with a copy
	}
	if len(body) == 0 {
		return &fault.Problem{Status: http.StatusNotFound, Title: "There is nothing to show", Hint: "Files of this type are not shown here. Download it instead."}
	}
	return c.Blob(http.StatusOK, "text/html; charset=utf-8", body)
}

// headers are those of every answer below /v.
func (v *viewer) headers(h http.Header) {
	privately(h)
	h.Set("Content-Security-Policy", framePolicy(v.ancestors))
	h.Set("Accept-Ranges", "none")
}

// frameOf is what a reader sees in the place of a document: a sentence and a hint.
func frameOf(ctx context.Context, p *fault.Problem) []byte {
	return []byte(`<!DOCTYPE html><html lang="` + components.Language(ctx) + `"><head><meta charset="utf-8"><title>figs-web</title><style>body{margin:2rem;font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff}</style></head><body><p><strong>` +
		html.EscapeString(components.Say(ctx, p.Title)) + `.</strong> ` + html.EscapeString(components.Say(ctx, p.Hint)) + `</p></body></html>`)
}

// result is what the sandbox makes of an attachment of the workspace, without its name.
func (v *viewer) result(ctx context.Context, workspace string, d document) (*report.Result, error) {
	a, err := v.attached(ctx, workspace, d)
	if err != nil {
		return nil, err
	}
	m, err := v.renders.get(ctx, key{document: d, version: sandbox.Version, limits: v.limits}, func(ctx context.Context) (*made, error) {
		content, err := v.read(ctx, a, d)
		if err != nil {
			return nil, err
		}
		r := v.render(d.name(), content, d.view, v.limits)
		r.Size, r.SHA256 = a.Size, d.sha256
		if v.cut(a) {
			r.Facts = nil
		}
		return &made{result: r}, nil
	})
	if err != nil {
		return nil, err
	}
	return m.result, nil
}

// hidden notes how many texts of an attachment the check without a browser reports as hidden. A file that cannot be read
// now has none: its view says so.
func (v *viewer) hidden(ctx context.Context, workspace string, file *reply.Gated) {
	if file.SHA256 == "" || figs.ClassOf(file.Name) != figs.Rendered {
		return
	}
	if r, err := v.result(ctx, workspace, document{file.SHA256, extension(file.Name), report.Lens}); err == nil {
		file.Hidden, file.Instructions = report.Count(r.Passages)
	}
}

func (v *viewer) comparison(ctx context.Context, workspace string, before, after document) (*report.Comparison, error) {
	a, err := v.attached(ctx, workspace, before)
	if err != nil {
		return nil, err
	}
	b, err := v.attached(ctx, workspace, after)
	if err != nil {
		return nil, err
	}
	m, err := v.renders.get(ctx, key{document: before, with: after, version: sandbox.Version, limits: v.limits}, func(ctx context.Context) (*made, error) {
		x, err := v.read(ctx, a, before)
		if err != nil {
			return nil, err
		}
		y, err := v.read(ctx, b, after)
		if err != nil {
			return nil, err
		}
		c := v.compare(sandbox.Attachment{Name: before.name(), Content: x}, sandbox.Attachment{Name: after.name(), Content: y}, v.limits)
		c.Before.Size, c.Before.SHA256, c.After.Size, c.After.SHA256 = a.Size, before.sha256, b.Size, after.sha256
		c.Same = before.sha256 == after.sha256
		if v.cut(a) {
			c.Before.Facts = nil
		}
		if v.cut(b) {
			c.After.Facts = nil
		}
		return &made{comparison: c}, nil
	})
	if err != nil {
		return nil, err
	}
	return m.comparison, nil
}

// name carries nothing of the attachment but its extension: one document serves all its names.
func (d document) name() string {
	if d.ext == "" {
		return "attachment"
	}
	return "attachment." + d.ext
}

// attached finds the file, when the workspace attaches the bytes under that extension. The same
// bytes as .txt and as .html are two documents.
func (v *viewer) attached(ctx context.Context, workspace string, d document) (*journal.Attachment, error) {
	a, err := v.files.Attachment(ctx, workspace, d.sha256)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(a.Names, func(name string) bool { return extension(name) == d.ext }) {
		return nil, journal.ErrNotFound
	}
	return a, nil
}

// cut reports whether the sandbox sees a part of the file only: its hash and size are known
// then, but what was counted in that part says nothing of the whole.
func (v *viewer) cut(a *journal.Attachment) bool { return a.Size > int64(v.limits.Input) }

// read reads as much of the bytes as the limits let be shown, and one more, so that the sandbox
// sees that there are more. All of them are held against the hash.
func (v *viewer) read(ctx context.Context, a *journal.Attachment, d document) ([]byte, error) {
	r, err := a.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	sum := sha256.New()
	content, err := io.ReadAll(io.TeeReader(io.LimitReader(r, int64(v.limits.Input)+1), sum))
	if err == nil {
		_, err = io.Copy(sum, r)
	}
	if err != nil {
		return nil, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != d.sha256 {
		return nil, fault.ErrChanged
	}
	return content, nil
}
