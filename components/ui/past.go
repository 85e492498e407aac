package ui

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// PinnedLinks are links while a point in an agent's life is looked at: all that lead to pages of the agent
// lead to that point.
type PinnedLinks struct {
	Links
	Agent, At string
}

// To adds the point, unless the path names one itself.
func (p PinnedLinks) To(path string) string {
	page, query, _ := strings.Cut(path, "?")
	page, _, _ = strings.Cut(page, "#")
	if rest, ok := strings.CutPrefix(page, "/"+p.Agent); !ok || rest != "" && rest[0] != '/' || QueryValue(query, "at") != "" {
		return p.Links.To(path)
	}
	path, anchor, found := strings.Cut(path, "#")
	if strings.Contains(path, "?") {
		path += "&at=" + p.At
	} else {
		path += "?at=" + p.At
	}
	if found {
		path += "#" + anchor
	}
	return p.Links.To(path)
}

// QueryValue is the value of a key in an address's query, as it stands there.
func QueryValue(query, key string) string {
	query, _, _ = strings.Cut(query, "#")
	for query != "" {
		var part string
		part, query, _ = strings.Cut(query, "&")
		if name, value, _ := strings.Cut(part, "="); name == key {
			return value
		}
	}
	return ""
}

// AsOf is the site of pages that show an agent at a point: links stay there, lengths of time are measured
// to it, and nothing can be decided.
func (s Site) AsOf(a *journal.Agent) Site {
	if a.At == nil {
		return s
	}
	s.Links, s.DecisionForms = PinnedLinks{s.Links, a.Key, a.At.Point}, nil
	if a.At.TS != figs.NoTime {
		s.Now = a.At.TS
	}
	return s
}

// Past is the point that pages show; "" is now.
func (s Site) Past() string {
	p, _ := s.Links.(PinnedLinks)
	return p.At
}

// AtPoint is the page that is shown, at another point; "" is now.
func (s Site) AtPoint(point string) string {
	links := s.Links
	if p, ok := links.(PinnedLinks); ok {
		links = p.Links
	}
	path, query, _ := strings.Cut(s.Path, "?")
	between := byte('?')
	for query != "" {
		var part string
		part, query, _ = strings.Cut(query, "&")
		if name, _, _ := strings.Cut(part, "="); name != "at" && part != "" {
			path += string(between) + part
			between = '&'
		}
	}
	if point != "" {
		path += string(between) + "at=" + point
	}
	return links.To(path)
}

// AsOfWords is the sentence of the banner.
func (s Site) AsOfWords(ctx context.Context, at *journal.Instant) string {
	step := i18n.Say(ctx, "step %s of %s", i18n.Number(ctx, at.Step), i18n.Number(ctx, at.Steps))
	switch {
	case at.Step == 0:
		return i18n.Say(ctx, "Before the first line.")
	case at.TS == figs.NoTime:
		return i18n.Say(ctx, "As of %s.", step)
	}
	return i18n.Say(ctx, "As of %s (%s).", s.Stamp(ctx, at.TS), step)
}

// unmoved says why a page shows what there is now although its address names a point that can be read; "" when it names none.
func (s Site) unmoved(ctx context.Context) string {
	path, query, _ := strings.Cut(s.Path, "?")
	if journal.ParseQuery(query).At == "" {
		return ""
	}
	if Served && s.Shell != nil {
		if section := strings.Split(path+"//", "/")[2]; section == "search" || section == "lens" || section == "text" {
			return i18n.Say(ctx, "This page has no history: it shows the current state.")
		}
	}
	return i18n.Say(ctx, "Nothing was written after the point in time in the URL, so this is the current state.")
}

// garbled reports whether the address names a point that nobody understands: the page then shows everything.
func (s Site) garbled() bool {
	_, query, _ := strings.Cut(s.Path, "?")
	at := journal.ParseQuery(query).At
	_, ok := figs.New(figs.Options{}).ParsePoint(at)
	return at != "" && !ok
}
