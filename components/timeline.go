package components

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/a-h/templ"

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

// lifeStops is how many places the slider has over time.
const lifeStops = 1000

// lifeView is a timeline worked out for its page.
type lifeView struct {
	*journal.Timeline
	ByLine               bool
	Lines, Needs, Failed string  // paths
	Spot                 float64 // where the point is, 0 to 1
	Ticks                []tick
	MostNeeds            int
	Marked               bool // some job failed
}

func lifeOf(ctx context.Context, site Site, t *journal.Timeline, byLine bool) *lifeView {
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
			v.Ticks = append(v.Ticks, tick{X: 25 * float64(i), Word: grouped(ctx, n), Even: i%2 == 0})
		}
	case !v.Past || t.To <= t.From:
		v.Spot = 1
	case t.Now.TS != figs.NoTime:
		v.Spot = min(max(float64(t.Now.TS-t.From)/float64(t.To-t.From), 0), 1)
	}
	if !v.ByLine {
		s := scale{from: t.From, to: t.To, now: figs.NoTime, right: edgeRight}
		for _, mark := range ticks(ctx, site, s) {
			mark.X = (mark.X - edgeLeft) / (edgeRight - edgeLeft) * 100
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

// timeline is the page on the life of an agent.
func (r *request) timeline() (view, error) {
	replay, ok := r.j.(journal.Replay)
	if !ok {
		return view{}, journal.ErrNotFound
	}
	t, err := replay.Timeline(r.ctx, r.agent.Key, r.query)
	_, query, _ := strings.Cut(r.site.Path, "?")
	return r.page(say(r.ctx, "Over time"), err, func() templ.Component {
		return TimePage(r.site, r.agent, lifeOf(r.ctx, r.site, t, within(query, "by") == "line"))
	})
}

// orNotYet puts what cannot be seen, or is not there at the point that is looked at into the agent's frame.
func (r *request) orNotYet(v view, err error) (view, error) {
	if m := missingOf(err); served && m != nil {
		return cannotSee(r.ctx, r.site, r.agent, m), nil
	}
	if r.agent.At == nil || !errors.Is(err, journal.ErrNotFound) {
		return v, err
	}
	v = r.ok(say(r.ctx, "Nothing here"), NotYetPage(r.site, r.agent))
	v.status = statusNotFound
	return v, nil
}

// lifeNews is the headline: how much was written, and over how long.
func (v *lifeView) news(ctx context.Context) string {
	words := count(ctx, v.Now.Steps, "%d line", "%d lines")
	if v.From == figs.NoTime || v.To-v.From < minute {
		return words
	}
	return say(ctx, "%s in %s", words, span(ctx, v.To-v.From))
}

// sliderTo is the beginning of the addresses to which the slider leads; a point follows it.
func (v *lifeView) sliderTo(site Site, a *journal.Agent) string {
	to := "/" + a.Key + "/time?"
	if v.ByLine {
		to += "by=line&"
	}
	return unpinned(site).To(to + "at=")
}

// unpinned are links that lead to now.
func unpinned(site Site) Links {
	if p, ok := site.Links.(pinned); ok {
		return p.Links
	}
	return site.Links
}

// axis is the address of the timeline over time or over lines, at the same point.
func (v *lifeView) axis(site Site, a *journal.Agent, byLine bool) templ.SafeURL {
	to := "/" + a.Key + "/time"
	if byLine {
		to += "?by=line"
	}
	return templ.SafeURL(site.Links.To(to))
}

// slider are the ends of the slider over time, in milliseconds, for its script.
func (v *lifeView) slider() templ.Attributes {
	if v.ByLine {
		return templ.Attributes{"name": "at", "max": itoa(v.Now.Steps), "value": itoa(v.Now.Step)}
	}
	return templ.Attributes{
		"max": itoa(lifeStops), "value": itoa(int(math.Round(v.Spot * lifeStops))),
		"data-from": strconv.FormatInt(v.From/1000, 10), "data-to": strconv.FormatInt(v.To/1000+1, 10),
	}
}

// here is where the slider stands, in words.
func (v *lifeView) here(ctx context.Context, site Site) string {
	if !v.Past {
		return say(ctx, "Now: all %s lines", grouped(ctx, v.Now.Steps))
	}
	return site.asOfWords(ctx, &v.Now)
}

// stepTo is the page of a line by its place in the order of writing.
func stepTo(site Site, a *journal.Agent, n int) templ.SafeURL {
	return templ.SafeURL(unpinned(site).To("/" + a.Key + "/step?at=" + itoa(n)))
}

// dayOf is the day of the point as a field for days has it.
func (v *lifeView) day(at int64) string {
	if at == figs.NoTime {
		return ""
	}
	return machine(at)[:len("2006-01-02")]
}

// stepWords say what kind of thing a line is.
func stepWords(ctx context.Context, l *journal.StepLine) string {
	switch {
	case l.Kind == "aside":
		return say(ctx, "A line that cannot be read")
	case l.Kind == "reply":
		return say(ctx, "A reply")
	case l.Kind == "raise" && l.First:
		return say(ctx, "An ask is raised")
	case l.Kind == "raise":
		return say(ctx, "An ask is raised again")
	case l.Kind == "close":
		return say(ctx, "An ask is closed")
	case l.Place.File == figs.Asks:
		return say(ctx, "An ask is added to")
	case l.First && l.Flight:
		return say(ctx, "A job begins")
	case l.Flight:
		return say(ctx, "A job goes on")
	case l.Kind == "ok":
		return say(ctx, "A job settles: ok")
	case l.Kind == "warn":
		return say(ctx, "A job settles: warn")
	case l.Kind == "fail":
		return say(ctx, "A job fails")
	}
	return say(ctx, "A line of a job")
}

// stepKind chooses the sign of a line.
func stepKind(l *journal.StepLine) string {
	if l.Kind == "aside" {
		return "fail"
	}
	return l.Kind
}

const noTime = figs.NoTime
