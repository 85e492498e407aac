package viewer

import (
	"cmp"
	"context"
	"sort"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	proof "github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/sandbox/report"
)

// HiddenTextReport is what the lens found in an agent's files.
type HiddenTextReport struct {
	Readings []FileReading
	Missed   int // attachments that could not be looked into just now
}

// FileReading is one of them. Key is the attachment's; "" for one of the agent's own files.
type FileReading struct {
	Key     string
	Reading report.Reading
}

// ReadingOf is what a result of the lens's view says of its attachment.
func ReadingOf(r *report.Result) report.Reading {
	x := report.Reading{Name: r.Name, Size: r.Size, Passages: r.Passages, More: r.More.Passages}
	for _, code := range []report.Code{report.NotRead, report.TooLarge} {
		if n := r.Notice(code); n != nil {
			x.Unread = n.Text
		}
	}
	return x
}

// HiddenPassage is a passage and where it was found.
type HiddenPassage struct {
	*report.Passage
	In *FileReading
}

// GroupPassages divides what was found: hidden texts that read like instructions, other hidden ones, and those that are
// seen on purpose or elsewhere. In each the worst comes first.
func GroupPassages(l *HiddenTextReport) (told, hidden, beside []HiddenPassage) {
	for i := range l.Readings {
		in := &l.Readings[i]
		for k := range in.Reading.Passages {
			switch x := (HiddenPassage{&in.Reading.Passages[k], in}); {
			case x.Sight.Hides() && len(x.Cues) > 0:
				told = append(told, x)
			case x.Sight.Hides():
				hidden = append(hidden, x)
			default:
				beside = append(beside, x)
			}
		}
	}
	for _, list := range [][]HiddenPassage{told, hidden, beside} {
		sort.SliceStable(list, func(a, b int) bool { return report.IsWorse(list[a].Passage, list[b].Passage) })
	}
	return told, hidden, beside
}

// passageData gives a script the text of a passage that people do not see, and why.
func passageData(x *report.Passage) templ.Attributes {
	if !x.Sight.Hides() {
		return nil
	}
	return templ.Attributes{"data-passage": agenttext.Plain(shortened(passageWords(x), 400)), "data-why": agenttext.Plain(cmp.Or(x.Why, string(x.Way)))}
}

// LensMost is how many passages of one part are listed.
const LensMost = 200

// hidingWord names how a text is kept from a person's eyes.
func hidingWord(ctx context.Context, way report.HidingMethod) string {
	switch way {
	case report.Characters:
		return i18n.Say(ctx, "Invisible characters")
	case report.LookAlike:
		return i18n.Say(ctx, "Letters of another script")
	case report.Comment:
		return i18n.Say(ctx, "Comment")
	case report.Styled:
		return i18n.Say(ctx, "Hidden by its style")
	case report.Folded:
		return i18n.Say(ctx, "Folded away")
	case report.Attribute:
		return i18n.Say(ctx, "In an attribute")
	case report.Undrawn:
		return i18n.Say(ctx, "Never drawn")
	case report.Control:
		return i18n.Say(ctx, "Form or control")
	case report.LinkNote:
		return i18n.Say(ctx, "Title of a link")
	case report.Formula:
		return i18n.Say(ctx, "Formula")
	case report.Member:
		return i18n.Say(ctx, "Ignored by some parsers")
	case report.Metadata:
		return i18n.Say(ctx, "Metadata")
	case report.Far:
		return i18n.Say(ctx, "Far behind white space")
	case report.Generated:
		return i18n.Say(ctx, "Added by CSS")
	case report.Reordered:
		return i18n.Say(ctx, "Shown in another order")
	}
	return i18n.Say(ctx, "Other")
}

// sightSign says how sure it is that a person does not see a passage.
func sightSign(ctx context.Context, x *report.Passage) ui.Sign {
	switch x.Sight {
	case report.Never:
		return ui.Sign{Kind: "fail", Word: i18n.Say(ctx, "not visible")}
	case report.Likely:
		return ui.Sign{Kind: "warn", Word: i18n.Say(ctx, "most likely not visible")}
	case report.LeftOut:
		return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "not shown here")}
	case report.Unjudged:
		return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "not judged")}
	case report.PersonOnly:
		return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "visible to people only")}
	case report.Elsewhere:
		return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "shown here, hidden elsewhere")}
	}
	return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "visible on request only")}
}

// HiddenWordsOf is what a receipt says of hidden text, as it was reported when the person approved.
func HiddenWordsOf(ctx context.Context, h *proof.HiddenText) (words []string) {
	if h.Texts > 0 {
		words = append(words, i18n.Count(ctx, h.Texts, "one hidden text reported", "%d hidden texts reported"))
	}
	if len(h.Widths) > 0 {
		widths := make([]string, len(h.Widths))
		for i, n := range h.Widths {
			widths[i] = i18n.Number(ctx, n)
		}
		at := strings.Join(widths, ", ")
		if h.Undrawn == 0 {
			words = append(words, i18n.Say(ctx, "all text visible in the browser at %s px", at))
		} else {
			words = append(words, i18n.Count(ctx, h.Undrawn, "one text not visible in the browser", "%d texts not visible in the browser")+" "+i18n.Say(ctx, "(at %s px)", at))
		}
	}
	if h.Read {
		words = append(words, i18n.Say(ctx, "hidden text read, according to the person"))
	}
	return words
}
