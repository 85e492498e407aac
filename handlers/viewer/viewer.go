// Package viewer turns attachments into the documents of the sandboxed frames, renders each once, and signs the addresses
// of frames that have an origin of their own.
package viewer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Viewer turns attachments into documents for frames.
type Viewer struct {
	Files     journal.Attachments
	Render    func(name string, content []byte, view report.View, limits report.Limits) *report.Result
	Compare   func(before, after sandbox.Attachment, limits report.Limits) *report.Comparison
	Renders   *renders
	Limits    report.Limits
	Origin    string          // of the documents, "http://localhost:4001"; "" when it is the pages' own
	Signer    *signer         // where the origin is another; else nil, and the session decides
	Hosts     map[string]bool // Host headers of that origin
	Ancestors string          // the origins that may frame a document
}

// New returns a viewer of files.
func New(files journal.Attachments) *Viewer {
	return &Viewer{Files: files, Render: sandbox.Render, Compare: sandbox.Compare, Renders: NewRenders(cacheBytes), Limits: report.Hosted(), Ancestors: "'self'"}
}

// Elsewhere moves the documents to an origin of their own, framed by the pages' origins.
func (v *Viewer) Elsewhere(origin, ancestors string, now func() time.Time) {
	v.Origin, v.Ancestors, v.Signer = origin, ancestors, newSigner(now)
}

// Address is where a frame finds a document; other, when it is one, is what it is compared with.
func (v *Viewer) Address(workspace string, d, other Document) string {
	path, query := "/v/"+Segment(workspace)+"/"+d.file(), url.Values{}
	if other != (Document{}) {
		path += "/" + other.file()
	} else {
		query.Set("view", string(d.View))
	}
	switch {
	case v.Signer != nil:
		return v.Origin + v.Signer.Sign(path, query)
	case len(query) > 0:
		return path + "?" + query.Encode()
	}
	return path
}

// Admit refuses a document to every request that is not a frame of a page that may show it.
func (v *Viewer) Admit(r *http.Request) error {
	dest, site := r.Header.Get("Sec-Fetch-Dest"), r.Header.Get("Sec-Fetch-Site")
	framed := dest == "iframe" && site == "same-origin" || dest == "" && site == ""
	if v.Signer != nil {
		framed = framed || dest == "iframe" && (site == "same-site" || site == "cross-site")
	}
	if !framed {
		return &httperr.Problem{Status: http.StatusForbidden, Title: "Attachments can only be viewed on their page", Hint: "Open the page of the file, the ask or the job that names it."}
	}
	if v.Signer == nil {
		return nil
	}
	switch ok, late := v.Signer.holds(r.URL.Path, r.URL.Query()); {
	case !ok:
		return &httperr.Problem{Status: http.StatusForbidden, Title: "This URL is not valid", Hint: "Open the page of the file, the ask or the job that names it."}
	case late:
		return &httperr.Problem{Status: http.StatusForbidden, Title: "This URL has expired", Hint: "URLs of documents are valid for one minute. Reload the page."}
	}
	return nil
}

// Headers are those of every answer below /v.
func (v *Viewer) Headers(h http.Header) {
	Privately(h)
	h.Set("Content-Security-Policy", FramePolicy(v.Ancestors))
	h.Set("Accept-Ranges", "none")
}

// Result is what the sandbox makes of an attachment of the workspace, without its name.
func (v *Viewer) Result(ctx context.Context, workspace string, d Document) (*report.Result, error) {
	a, err := v.Attached(ctx, workspace, d)
	if err != nil {
		return nil, err
	}
	m, err := v.Renders.Render(ctx, Key{Document: d, version: sandbox.Version, limits: v.Limits}, func(ctx context.Context) (*Made, error) {
		content, err := v.Read(ctx, a, d)
		if err != nil {
			return nil, err
		}
		r := v.Render(d.name(), content, d.View, v.Limits)
		r.Size, r.SHA256 = a.Size, d.SHA256
		if v.cut(a) {
			r.Facts = nil
		}
		return &Made{Result: r}, nil
	})
	if err != nil {
		return nil, err
	}
	return m.Result, nil
}

// Hidden notes how many texts of an attachment the check without a browser reports as hidden. A file that cannot be read
// now has none: its view says so.
func (v *Viewer) Hidden(ctx context.Context, workspace string, file *reply.GatedFile) {
	if file.SHA256 == "" || figs.ClassOf(file.Name) != figs.Rendered {
		return
	}
	if r, err := v.Result(ctx, workspace, Document{file.SHA256, Extension(file.Name), report.HiddenTextView}); err == nil {
		file.Hidden, file.Instructions = report.Count(r.Passages)
	}
}

// Comparison compares two versions of an attachment.
func (v *Viewer) Comparison(ctx context.Context, workspace string, before, after Document) (*report.Comparison, error) {
	a, err := v.Attached(ctx, workspace, before)
	if err != nil {
		return nil, err
	}
	b, err := v.Attached(ctx, workspace, after)
	if err != nil {
		return nil, err
	}
	m, err := v.Renders.Render(ctx, Key{Document: before, with: after, version: sandbox.Version, limits: v.Limits}, func(ctx context.Context) (*Made, error) {
		x, err := v.Read(ctx, a, before)
		if err != nil {
			return nil, err
		}
		y, err := v.Read(ctx, b, after)
		if err != nil {
			return nil, err
		}
		c := v.Compare(sandbox.Attachment{Name: before.name(), Content: x}, sandbox.Attachment{Name: after.name(), Content: y}, v.Limits)
		c.Before.Size, c.Before.SHA256, c.After.Size, c.After.SHA256 = a.Size, before.SHA256, b.Size, after.SHA256
		c.Same = before.SHA256 == after.SHA256
		if v.cut(a) {
			c.Before.Facts = nil
		}
		if v.cut(b) {
			c.After.Facts = nil
		}
		return &Made{comparison: c}, nil
	})
	if err != nil {
		return nil, err
	}
	return m.comparison, nil
}

// name carries nothing of the attachment but its extension: one document serves all its names.
func (d Document) name() string {
	if d.Ext == "" {
		return "attachment"
	}
	return "attachment." + d.Ext
}

// Attached finds the file, when the workspace attaches the bytes under that extension. The same
// bytes as .txt and as .html are two documents.
func (v *Viewer) Attached(ctx context.Context, workspace string, d Document) (*journal.Attachment, error) {
	a, err := v.Files.Attachment(ctx, workspace, d.SHA256)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(a.Names, func(name string) bool { return Extension(name) == d.Ext }) {
		return nil, journal.ErrNotFound
	}
	return a, nil
}

// cut reports whether the sandbox sees a part of the file only: its hash and size are known
// then, but what was counted in that part says nothing of the whole.
func (v *Viewer) cut(a *journal.Attachment) bool { return a.Size > int64(v.Limits.Input) }

// Read reads as much of the bytes as the limits let be shown, and one more, so that the sandbox
// sees that there are more. All of them are held against the hash.
func (v *Viewer) Read(ctx context.Context, a *journal.Attachment, d Document) ([]byte, error) {
	r, err := a.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	sum := sha256.New()
	content, err := io.ReadAll(io.TeeReader(io.LimitReader(r, int64(v.Limits.Input)+1), sum))
	if err == nil {
		_, err = io.Copy(sum, r)
	}
	if err != nil {
		return nil, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != d.SHA256 {
		return nil, httperr.ErrChanged
	}
	return content, nil
}
