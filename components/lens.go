package components

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"sort"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/sandbox/report"
)

// lensFiles is how many attachments one page of the lens looks through.
const lensFiles = 200

// RecordLens looks through an agent's own files, its ledgers first, where a server does. Offline there is
// none: the page's script has the files.
type RecordLens interface {
	Records(ctx context.Context, agent string) ([]report.Reading, error)
}

// Lensed is what the lens found in an agent's files.
type Lensed struct {
	Readings []LensReading
	Missed   int // attachments that could not be looked into just now
}

// LensReading is one of them. Key is the attachment's; "" for one of the agent's own files.
type LensReading struct {
	Key     string
	Reading report.Reading
}

// RenderLens is what a page of the lens shows of what was found, for a page whose script looked.
func RenderLens(ctx context.Context, site Site, agent string, l *Lensed) ([]byte, error) {
	var b bytes.Buffer
	err := lensFound(site, agent, l).Render(ctx, &b)
	return b.Bytes(), err
}

// RenderLensNotice is what an ask says of its attachments that hide text; empty when none does. path is the ask's page.
func RenderLensNotice(ctx context.Context, site Site, path string, l *Lensed) ([]byte, error) {
	var b bytes.Buffer
	err := lensWarning(site, path, l).Render(ctx, &b)
	return b.Bytes(), err
}

// lens is the page of what a model reads and a person does not see.
func (r *request) lens() (view, error) {
	q := r.query
	if q.N == 0 {
		q.N = lensFiles
	}
	files, err := r.j.Files(r.ctx, r.agent.Key, q)
	if err != nil {
		return view{}, err
	}
	var l *Lensed
	if served && r.site.Attached != nil {
		if l, err = r.lensed(files); err != nil {
			return view{}, err
		}
	}
	return r.ok(say(r.ctx, "What a model reads"), LensPage(r.site, r.agent, q, files, l)), nil
}

// lensed looks through the files of one page, and on the first one through the agent's own.
func (r *request) lensed(files *journal.Page[journal.File]) (*Lensed, error) {
	l := &Lensed{}
	if r.site.Records != nil && files.From == 0 {
		own, err := r.site.Records.Records(r.ctx, r.agent.Key)
		if err != nil {
			return nil, err
		}
		for _, x := range own {
			l.Readings = append(l.Readings, LensReading{Reading: x})
		}
	}
	l.look(r.ctx, r.site, r.agent.Key, files.Items)
	return l, r.ctx.Err()
}

// look looks through attachments that are here.
func (l *Lensed) look(ctx context.Context, site Site, agent string, files []journal.File) {
	for i := range files {
		f := &files[i]
		if !f.Present() || ctx.Err() != nil {
			continue
		}
		v, err := site.Attached.View(ctx, agent, f, report.Lens)
		switch {
		case errors.Is(err, journal.ErrNotFound):
		case err != nil:
			l.Missed++
		default:
			l.Readings = append(l.Readings, LensReading{Key: f.Key, Reading: readingOf(v.Result)})
		}
	}
}

// readingOf is what a result of the lens's view says of its attachment.
func readingOf(r *report.Result) report.Reading {
	x := report.Reading{Name: r.Name, Size: r.Size, Passages: r.Passages, More: r.More.Passages}
	for _, code := range []report.Code{report.Unread, report.TooLarge} {
		if n := r.Notice(code); n != nil {
			x.Unread = n.Text
		}
	}
	return x
}

// lensItem is a passage and where it was found.
type lensItem struct {
	*report.Passage
	in *LensReading
}

// lensParts divides what was found: hidden texts that read like instructions, other hidden ones, and those that are
// seen on purpose or elsewhere. In each the worst comes first.
func lensParts(l *Lensed) (told, hidden, beside []lensItem) {
	for i := range l.Readings {
		in := &l.Readings[i]
		for k := range in.Reading.Passages {
			switch x := (lensItem{&in.Reading.Passages[k], in}); {
			case x.Sight.Hides() && len(x.Cues) > 0:
				told = append(told, x)
			case x.Sight.Hides():
				hidden = append(hidden, x)
			default:
				beside = append(beside, x)
			}
		}
	}
	for _, list := range [][]lensItem{told, hidden, beside} {
		sort.SliceStable(list, func(a, b int) bool { return report.Worse(list[a].Passage, list[b].Passage) })
	}
	return told, hidden, beside
}

// passageData gives a script the text of a passage that people do not see, and why.
func passageData(x *report.Passage) templ.Attributes {
	if !x.Sight.Hides() {
		return nil
	}
	return templ.Attributes{"data-passage": plain(shortened(passageWords(x), 400)), "data-why": plain(cmp.Or(x.Why, string(x.Way)))}
}

// lensNews is the headline of the page, and the sentence below it.
func lensNews(ctx context.Context, l *Lensed) (news, lede string) {
	told, hidden, _ := lensParts(l)
	n := len(told) + len(hidden)
	if n == 0 {
		return say(ctx, "Nothing here is hidden from people."), say(ctx, "A model that is given these files would read nothing that you could not see on their pages, as far as this lens looks.")
	}
	news = countSpelled(ctx, n, "One text here is hidden from people.", "%s texts here are hidden from people.")
	if len(told) > 0 {
		return news, countSpelled(ctx, len(told), "One reads like an instruction to a machine.", "%s read like instructions to a machine.")
	}
	return news, say(ctx, "None of them reads like an instruction to a machine.")
}

// lensMost is how many passages of one part are listed.
const lensMost = 200

// hidingWord names how a text is kept from a person's eyes.
func hidingWord(ctx context.Context, way report.Hiding) string {
	switch way {
	case report.Characters:
		return say(ctx, "Characters that leave no mark")
	case report.LookAlike:
		return say(ctx, "Letters of another script")
	case report.Comment:
		return say(ctx, "Comment")
	case report.Styled:
		return say(ctx, "Hidden by its style")
	case report.Folded:
		return say(ctx, "Folded away")
	case report.Attribute:
		return say(ctx, "In an attribute")
	case report.Undrawn:
		return say(ctx, "Never drawn")
	case report.Control:
		return say(ctx, "Form or control")
	case report.LinkNote:
		return say(ctx, "Note of a link")
	case report.Formula:
		return say(ctx, "Formula")
	case report.Member:
		return say(ctx, "Passed over by readers")
	case report.Metadata:
		return say(ctx, "Metadata")
	case report.Far:
		return say(ctx, "Behind white space")
	case report.Generated:
		return say(ctx, "Written by the style")
	case report.Reordered:
		return say(ctx, "Shown in another order")
	}
	return say(ctx, "Other things")
}

// sightSign says how sure it is that nobody sees a passage.
func sightSign(ctx context.Context, x *report.Passage) sign {
	switch x.Sight {
	case report.Never:
		return sign{Kind: "fail", Word: say(ctx, "nobody sees it")}
	case report.Likely:
		return sign{Kind: "warn", Word: say(ctx, "most likely nobody sees it")}
	case report.LeftOut:
		return sign{Kind: "note", Word: say(ctx, "not shown here")}
	case report.Unjudged:
		return sign{Kind: "note", Word: say(ctx, "not judged")}
	case report.PersonOnly:
		return sign{Kind: "note", Word: say(ctx, "seen by people only")}
	case report.Elsewhere:
		return sign{Kind: "note", Word: say(ctx, "shown here, hidden elsewhere")}
	}
	return sign{Kind: "note", Word: say(ctx, "seen on purpose only")}
}

// lensPlace leads to where a passage stands; "" where there is no page for it.
func lensPlace(site Site, agent string, x lensItem) templ.SafeURL {
	if x.in.Key != "" {
		return templ.SafeURL(site.Links.To("/" + agent + "/files/" + x.in.Key + "?view=" + string(report.Lens)))
	}
	return site.place(agent, x.in.Reading.Name, x.Line)
}

// lensShow is the address of an attachment of a page under the lens.
func lensShow(site Site, path, key string) templ.SafeURL {
	return templ.SafeURL(site.Links.To(path + "?show=" + key + "&view=" + string(report.Lens)))
}

// hiders are the readings in which something is hidden.
func hiders(l *Lensed) []LensReading {
	var list []LensReading
	for _, x := range l.Readings {
		if n, _ := x.Reading.Hidden(); n > 0 {
			list = append(list, x)
		}
	}
	return list
}

// askLensed looks through the attachments of an ask, where a server does.
func askLensed(ctx context.Context, site Site, v *viewing) *Lensed {
	l := &Lensed{}
	if served && site.Attached != nil {
		l.look(ctx, site, v.agent, v.files[:min(len(v.files), 20)])
	}
	return l
}
