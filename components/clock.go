package components

import (
	"context"
	"strconv"
	"time"

	"github.com/figs-web/figs-web/figs"
)

const (
	second = int64(1_000_000)
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// clocked reports whether the page knows what time it is.
func (s Site) clocked() bool { return s.Now != 0 && s.Now != figs.NoTime }

// local is the instant in the zone of the person who looks.
func (s Site) local(at int64) time.Time {
	return time.UnixMicro(at).In(time.FixedZone("", s.Zone*60))
}

// offset is the zone as it stands behind a time, "UTC+2" or "UTC−3:30".
func (s Site) offset() string {
	if s.Zone == 0 {
		return "UTC"
	}
	sign, minutes := "+", s.Zone
	if minutes < 0 {
		sign, minutes = "−", -minutes
	}
	text := "UTC" + sign + strconv.Itoa(minutes/60)
	if minutes%60 != 0 {
		text += ":" + strconv.Itoa(minutes%60/10) + strconv.Itoa(minutes%10)
	}
	return text
}

// exact is the full time with its zone, for titles.
func (s Site) exact(ctx context.Context, at int64) string {
	return dated(ctx, s.local(at), "Monday 2 January 2006, 15:04:05") + " " + s.offset()
}

// stamp is a short absolute time for time lines.
func (s Site) stamp(ctx context.Context, at int64) string {
	return dated(ctx, s.local(at), "2 Jan 2006, 15:04:05")
}

// shortDay is a day without the year that it is now.
func (s Site) shortDay(ctx context.Context, at int64) string {
	if s.clocked() && s.local(at).Year() == s.local(s.Now).Year() {
		return dated(ctx, s.local(at), "2 Jan")
	}
	return dated(ctx, s.local(at), "2 Jan 2006")
}

func machine(at int64) string { return time.UnixMicro(at).UTC().Format("2006-01-02T15:04:05Z") }

// span is a length of time in its largest unit, "6 h".
func span(ctx context.Context, length int64) string {
	switch {
	case length < minute:
		return say(ctx, "%d s", max(length/second, 0))
	case length < hour:
		return say(ctx, "%d min", length/minute)
	case length < 2*day:
		return say(ctx, "%d h", length/hour)
	case length < 60*day:
		return say(ctx, "%d days", length/day)
	case length < 730*day:
		return say(ctx, "%d months", length/(30*day))
	}
	return say(ctx, "%d years", length/(365*day))
}

// relative is how long ago something was, or how far ahead it claims to be.
func (s Site) relative(ctx context.Context, at int64) string {
	switch {
	case !s.clocked():
		return s.stamp(ctx, at)
	case at > s.Now+minute:
		return say(ctx, "in %s", span(ctx, at-s.Now))
	case s.Now-at < minute:
		return say(ctx, "just now")
	}
	return say(ctx, "%s ago", span(ctx, s.Now-at))
}

// isAhead reports whether a time that an agent wrote lies ahead of the clock: its line is wrongly dated, for it is there already.
func (s Site) isAhead(at int64) bool { return s.past() == "" && s.clocked() && at > s.Now+minute }

// period says from when to when, as briefly as the two allow.
func (s Site) period(ctx context.Context, from, to int64) string {
	a, b := s.local(from), s.local(to)
	if a.Format("20060102") == b.Format("20060102") {
		if a.Format("15:04") == b.Format("15:04") {
			return dated(ctx, a, "2 Jan 2006, 15:04")
		}
		return dated(ctx, a, "2 Jan 2006, 15:04") + " – " + b.Format("15:04")
	}
	if a.Year() == b.Year() {
		return dated(ctx, a, "2 Jan") + " – " + dated(ctx, b, "2 Jan 2006")
	}
	return dated(ctx, a, "2 Jan 2006") + " – " + dated(ctx, b, "2 Jan 2006")
}

func instant(ts string) int64 {
	at, ok := figs.ParseTime(ts)
	if !ok {
		return figs.NoTime
	}
	return at
}
