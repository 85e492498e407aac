package agentpages

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// The drawing of a timeline, in units of its own: three strips, one above the other.
const (
	lifeWide   = 1000
	lifeLines  = 52 // the height of the strip of lines
	lifeNeeds  = 24 // of asks that need a human
	lifeFailed = 8
	lifeGap    = 6
	lifeHigh   = lifeLines + lifeGap + lifeNeeds + lifeGap + lifeFailed
)

// lifeMonths is how many months the table of a long agent has.
const lifeMonths = 36

// lifeStops is how many places the slider has over time.
const lifeStops = 1000

// lifeView is a timeline worked out for its page.
type lifeView struct {
	*journal.Timeline
	ByLine               bool
	Lines, Needs, Failed string  // paths
	Spot                 float64 // where the point is, 0 to 1
	Ticks                []ui.StepTick
	MostNeeds            int
	Marked               bool // some job failed
}

func lifeOf(ctx context.Context, site ui.Site, t *journal.Timeline, byLine bool) *lifeView {
	v := &lifeView{Timeline: t, ByLine: byLine || t.From == figs.NoTime}
	slices := t.ByTime
	if v.ByLine {
		slices = t.ByLine
	}
	v.draw(slices)
	switch {
	case v.ByLine && t.Now.Steps > 0:
		v.Spot = float64(t.Now.Step) / float64(t.Now.Steps)
		for i := range 5 {
			n := t.Now.Steps * i / 4
			v.Ticks = append(v.Ticks, ui.StepTick{X: 25 * float64(i), Word: i18n.Number(ctx, n), Even: i%2 == 0})
		}
	case !v.Past || t.To <= t.From:
		v.Spot = 1
	case t.Now.TS != figs.NoTime:
		v.Spot = min(max(float64(t.Now.TS-t.From)/float64(t.To-t.From), 0), 1)
	}
	if !v.ByLine {
		s := ui.Scale{From: t.From, To: t.To, Now: figs.NoTime, Right: ui.EdgeRight}
		for _, mark := range ui.Ticks(ctx, site, s) {
			mark.X = (mark.X - ui.EdgeLeft) / (ui.EdgeRight - ui.EdgeLeft) * 100
			v.Ticks = append(v.Ticks, mark)
		}
	}
	return v
}

// draw writes the three strips as paths. Lines are graded by their square root, so that one busy day does
// not hide the others.
func (v *lifeView) draw(slices []journal.Slice) {
	most := 0
	for i := range slices {
		most = max(most, lifeCount(&slices[i]))
		v.MostNeeds = max(v.MostNeeds, slices[i].Needs)
	}
	var lines, needs, failed strings.Builder
	wide := lifeWide / float64(max(len(slices), 1))
	for i := range slices {
		s := &slices[i]
		if n := lifeCount(s); n > 0 {
			high := max(2, lifeLines*math.Sqrt(float64(n)/float64(most)))
			box(&lines, float64(i)*wide, lifeLines-high, wide*.86, high)
		}
		if s.Needs > 0 {
			high := max(3, lifeNeeds*float64(s.Needs)/float64(v.MostNeeds))
			box(&needs, float64(i)*wide, lifeLines+lifeGap+lifeNeeds-high, wide+.3, high)
		}
		if s.Failed > 0 {
			box(&failed, float64(i)*wide, lifeHigh-lifeFailed, max(wide*.86, 4), lifeFailed)
			v.Marked = true
		}
	}
	v.Lines, v.Needs, v.Failed = lines.String(), needs.String(), failed.String()
}

// box adds a rectangle to a path.
func box(b *strings.Builder, x, y, wide, high float64) {
	part := func(command byte, n float64) {
		b.WriteByte(command)
		b.WriteString(strconv.FormatFloat(n, 'f', 1, 64))
	}
	part('M', x)
	part(' ', y)
	part('h', wide)
	part('v', high)
	part('h', -wide)
	b.WriteByte('z')
}

func lifeCount(s *journal.Slice) int {
	return s.Lines[figs.Runs] + s.Lines[figs.Asks] + s.Lines[figs.Messages]
}

// Timeline is the page on the life of an agent.
func Timeline(r *recordviews.Request) (ui.View, error) {
	replay, ok := r.J.(journal.Replay)
	if !ok {
		return ui.View{}, journal.ErrNotFound
	}
	t, err := replay.Timeline(r.Ctx, r.Agent.Key, r.Query)
	_, query, _ := strings.Cut(r.Site.Path, "?")
	return r.Page(i18n.Say(r.Ctx, "History"), err, func() templ.Component {
		return TimePage(r.Site, r.Agent, lifeOf(r.Ctx, r.Site, t, ui.QueryValue(query, "by") == "line"))
	})
}

// OrNotYet puts what cannot be seen, or is not there at the point that is looked at into the agent's frame.
func OrNotYet(r *recordviews.Request, v ui.View, err error) (ui.View, error) {
	if m := ui.MissingOf(err); ui.Served && m != nil {
		return TooLargePage(r.Ctx, r.Site, r.Agent, m), nil
	}
	if r.Agent.At == nil || !errors.Is(err, journal.ErrNotFound) {
		return v, err
	}
	v = r.OK(i18n.Say(r.Ctx, "Nothing here"), ui.NotYetPage(r.Site, r.Agent))
	v.Status = ui.StatusNotFound
	return v, nil
}

// news is the headline: how much was written, and over how long.
func (v *lifeView) news(ctx context.Context) string {
	words := i18n.Count(ctx, v.Now.Steps, "%d line", "%d lines")
	if v.From == figs.NoTime || v.To-v.From < ui.Minute {
		return words
	}
	return i18n.Say(ctx, "%s in %s", words, ui.Span(ctx, v.To-v.From))
}

// lede is what the page says below its headline.
func (v *lifeView) lede(ctx context.Context) string {
	if len(v.Months) > 0 {
		return i18n.Say(ctx, "The chart and the table count every line. An agent with this many lines can't be shown at an earlier point here: export it and open the folder in the inspector.")
	}
	return i18n.Say(ctx, "Go to any point in time, and every page of this agent shows what had been written by then.")
}

// sliderTo is the beginning of the addresses to which the slider leads; a point follows it.
func (v *lifeView) sliderTo(site ui.Site, a *journal.Agent) string {
	to := "/" + a.Key + "/time?"
	if v.ByLine {
		to += "by=line&"
	}
	return recordviews.LinksToNow(site).To(to + "at=")
}

// axis is the address of the timeline over time or over lines, at the same point.
func (v *lifeView) axis(site ui.Site, a *journal.Agent, byLine bool) templ.SafeURL {
	to := "/" + a.Key + "/time"
	if byLine {
		to += "?by=line"
	}
	return templ.SafeURL(site.Links.To(to))
}

// slider are the ends of the slider over time, in milliseconds, for its script.
func (v *lifeView) slider() templ.Attributes {
	if v.ByLine {
		return templ.Attributes{"name": "at", "max": strconv.Itoa(v.Now.Steps), "value": strconv.Itoa(v.Now.Step)}
	}
	return templ.Attributes{
		"max": strconv.Itoa(lifeStops), "value": strconv.Itoa(int(math.Round(v.Spot * lifeStops))),
		"data-from": strconv.FormatInt(v.From/1000, 10), "data-to": strconv.FormatInt(v.To/1000+1, 10),
	}
}

// here is where the slider stands, in words.
func (v *lifeView) here(ctx context.Context, site ui.Site) string {
	if !v.Past {
		return i18n.Say(ctx, "Now: all %s lines", i18n.Number(ctx, v.Now.Steps))
	}
	return site.AsOfWords(ctx, &v.Now)
}

// day is the day of the point as a field for days has it.
func (v *lifeView) day(at int64) string {
	if at == figs.NoTime {
		return ""
	}
	return ui.Machine(at)[:len("2006-01-02")]
}

// stepKind chooses the sign of a line.
func stepKind(l *journal.StepLine) string {
	if l.Kind == "aside" {
		return "fail"
	}
	return l.Kind
}

const noTime = figs.NoTime
