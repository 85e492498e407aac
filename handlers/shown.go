package handlers

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Digests names attachments by what they hold.
type Digests interface {
	// Digest is the SHA-256, in lower-case hex, of the attachment that an agent's line names.
	Digest(ctx context.Context, agent, name string) (sha256 string, err error)
}

// shown is the viewer as one page sees it.
type shown struct {
	viewer    *viewer
	digests   Digests
	workspace string
	fault     error // what the operator must know
}

// View renders an attachment for a page, which frames it.
func (s *shown) View(ctx context.Context, agent string, file *journal.File, view report.View) (*components.Viewed, error) {
	v, err := s.view(ctx, agent, file, view)
	return v, s.noted(err)
}

func (s *shown) view(ctx context.Context, agent string, file *journal.File, view report.View) (*components.Viewed, error) {
	d, err := s.document(ctx, agent, file, view)
	if err != nil {
		return nil, err
	}
	made, err := s.viewer.result(ctx, s.workspace, d)
	if err != nil {
		return nil, err
	}
	result := *made
	result.Name = file.Name
	shown := &components.Viewed{Result: &result, Download: "/a/" + segment(s.workspace) + "/" + d.sha256 + "/" + segment(file.Name)}
	if len(result.Document) > 0 && d.ext != "" {
		shown.Frame = s.viewer.address(s.workspace, d, document{})
	}
	return shown, nil
}

// Compare compares two attachments for a page, which frames the difference.
func (s *shown) Compare(ctx context.Context, agent string, before, after *journal.File) (*components.Compared, error) {
	c, err := s.compare(ctx, agent, before, after)
	return c, s.noted(err)
}

func (s *shown) compare(ctx context.Context, agent string, before, after *journal.File) (*components.Compared, error) {
	x, err := s.document(ctx, agent, before, report.Rendered)
	if err != nil {
		return nil, err
	}
	y, err := s.document(ctx, agent, after, report.Rendered)
	if err != nil {
		return nil, err
	}
	made, err := s.viewer.comparison(ctx, s.workspace, x, y)
	if err != nil {
		return nil, err
	}
	comparison := *made
	comparison.Before.Name, comparison.After.Name = before.Name, after.Name
	shown := &components.Compared{Comparison: &comparison}
	if len(made.Document) > 0 && x.ext != "" && y.ext != "" {
		shown.Frame = s.viewer.address(s.workspace, x, y)
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

func (s *shown) document(ctx context.Context, agent string, file *journal.File, view report.View) (document, error) {
	sha256, err := s.digests.Digest(ctx, agent, file.Name)
	return document{sha256, extension(file.Name), view}, err
}

// noted keeps what is no matter of the person who looks, who reads why there is nothing to see where that is known.
func (s *shown) noted(err error) error {
	if err == nil || errors.Is(err, fault.ErrBusy) {
		return err
	}
	p := fault.Of(err)
	if p.ForOperator() == nil {
		return err
	}
	s.fault = err
	var damaged *blob.Damaged
	if errors.As(err, &damaged) || errors.Is(err, blob.ErrUnavailable) {
		return &journal.Missing{Sentence: p.Title, Hint: p.Hint}
	}
	return err
}
