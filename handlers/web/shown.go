package web

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Digests names attachments by what they hold.
type Digests interface {
	// Digest is the SHA-256, in lower-case hex, of the attachment that an agent's line names.
	Digest(ctx context.Context, agent, name string) (sha256 string, err error)
}

// Shown is the viewer as one page sees it.
type Shown struct {
	Viewer    *viewer.Viewer
	Digests   Digests
	Workspace string
	Fault     error                 // what the operator must know
	Alone     func(viewer.Document) // told of what View shows; may be nil
}

// View renders an attachment for a page, which frames it.
func (s *Shown) View(ctx context.Context, agent string, file *journal.File, view report.View) (*ui.ViewedAttachment, error) {
	v, err := s.view(ctx, agent, file, view)
	return v, s.noted(err)
}

func (s *Shown) view(ctx context.Context, agent string, file *journal.File, view report.View) (*ui.ViewedAttachment, error) {
	d, err := s.document(ctx, agent, file, view)
	if err != nil {
		return nil, err
	}
	made, err := s.Viewer.Result(ctx, s.Workspace, d)
	if err != nil {
		return nil, err
	}
	result := *made
	result.Name = file.Name
	shown := &ui.ViewedAttachment{Result: &result, Download: "/a/" + viewer.Segment(s.Workspace) + "/" + d.SHA256 + "/" + viewer.Segment(file.Name)}
	if len(result.Document) > 0 && d.Ext != "" {
		shown.Frame = s.Viewer.Address(s.Workspace, d, viewer.Document{})
		shown.Lines = linesOf(result.Document[:min(len(result.Document), 256<<10)])
		if s.Alone != nil && slices.Contains(SentWays, string(view)) {
			s.Alone(d)
		}
	}
	return shown, nil
}

// linesOf guesses how many lines of text a document fills on a screen. It only chooses how tall a frame begins:
// what it misses is scrolled inside of the frame.
func linesOf(document []byte) (lines int) {
	const perLine = 80 // characters
	_, body, found := bytes.Cut(document, []byte("</head>"))
	if !found {
		body = document
	}
	chars, raw := 0, false
	end := func() {
		lines += (chars + perLine - 1) / perLine
		chars = 0
	}
	for len(body) > 0 {
		if body[0] != '<' {
			if body[0] == '\n' && raw {
				lines++
				end()
			}
			chars++
			body = body[1:]
			continue
		}
		switch name, closing := tagOf(body); name {
		case "pre":
			raw = !closing
			end()
		case "p", "h1", "h2", "h3", "h4", "h5", "h6":
			end()
			if !closing {
				lines++ // the space around it
			}
		case "li", "tr", "div", "br", "blockquote", "section", "dt", "dd":
			end()
		case "img":
			lines += 12
		}
		at := bytes.IndexByte(body, '>')
		body = body[at+1:]
		if at < 0 {
			break
		}
	}
	end()
	return lines
}

// tagOf is the name of the tag that text begins with.
func tagOf(text []byte) (name string, closing bool) {
	text = text[1:]
	if closing = len(text) > 0 && text[0] == '/'; closing {
		text = text[1:]
	}
	n := 0
	for n < len(text) && n < 12 && (text[n] >= 'a' && text[n] <= 'z' || text[n] >= '0' && text[n] <= '9') {
		n++
	}
	return string(text[:n]), closing
}

// Compare compares two attachments for a page, which frames the difference.
func (s *Shown) Compare(ctx context.Context, agent string, before, after *journal.File) (*ui.ComparedAttachments, error) {
	c, err := s.compare(ctx, agent, before, after)
	return c, s.noted(err)
}

func (s *Shown) compare(ctx context.Context, agent string, before, after *journal.File) (*ui.ComparedAttachments, error) {
	x, err := s.document(ctx, agent, before, report.Rendered)
	if err != nil {
		return nil, err
	}
	y, err := s.document(ctx, agent, after, report.Rendered)
	if err != nil {
		return nil, err
	}
	made, err := s.Viewer.Comparison(ctx, s.Workspace, x, y)
	if err != nil {
		return nil, err
	}
	comparison := *made
	comparison.Before.Name, comparison.After.Name = before.Name, after.Name
	shown := &ui.ComparedAttachments{Comparison: &comparison}
	if len(made.Document) > 0 && x.Ext != "" && y.Ext != "" {
		shown.Frame = s.Viewer.Address(s.Workspace, x, y)
	}
	if !judgedByLooks(made.Before.Kind) || !judgedByLooks(made.After.Kind) {
		return shown, nil
	}
	if shown.Before, err = s.view(ctx, agent, before, report.Rendered); err != nil {
		return nil, err
	}
	shown.After, err = s.view(ctx, agent, after, report.Rendered)
	return shown, err
}

// judgedByLooks reports whether a person compares two files of a kind by looking at both.
func judgedByLooks(k report.Kind) bool {
	return k == report.HTML || k == report.Image || k == report.SVG
}

func (s *Shown) document(ctx context.Context, agent string, file *journal.File, view report.View) (viewer.Document, error) {
	sha256, err := s.Digests.Digest(ctx, agent, file.Name)
	return viewer.Document{SHA256: sha256, Ext: viewer.Extension(file.Name), View: view}, err
}

// noted keeps what is no matter of the person who looks, who reads why there is nothing to see where that is known.
func (s *Shown) noted(err error) error {
	if err == nil || errors.Is(err, httperr.ErrBusy) {
		return err
	}
	p := httperr.Of(err)
	if p.ForOperator() == nil {
		return err
	}
	s.Fault = err
	var damaged *blob.DamagedError
	if errors.As(err, &damaged) || errors.Is(err, blob.ErrUnavailable) {
		return &journal.Missing{Sentence: p.Title, Hint: p.Hint}
	}
	return err
}
