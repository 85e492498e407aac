package ui

import (
	"context"
	"strconv"
	"time"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/figs"
)

const (
	Second = int64(1_000_000)
	Minute = 60 * Second
	Hour   = 60 * Minute
	Day    = 24 * Hour
)

// HasClock reports whether the page knows what time it is.
func (s Site) HasClock() bool { return s.Now != 0 && s.Now != figs.NoTime }

// Local is the instant in the zone of the person who looks.
func (s Site) Local(at int64) time.Time {
	return time.UnixMicro(at).In(time.FixedZone("", s.Zone*60))
}

// Offset is the zone as it stands behind a time, "UTC+2" or "UTC−3:30".
func (s Site) Offset() string {
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

// Exact is the full time with its zone, for titles.
func (s Site) Exact(ctx context.Context, at int64) string {
	return i18n.Date(ctx, s.Local(at), "Monday 2 January 2006, 15:04:05") + " " + s.Offset()
}

// Stamp is a short absolute time for time lines.
func (s Site) Stamp(ctx context.Context, at int64) string {
	return i18n.Date(ctx, s.Local(at), "2 Jan 2006, 15:04:05")
}

// ShortDay is a day without the year that it is now.
func (s Site) ShortDay(ctx context.Context, at int64) string {
	if s.HasClock() && s.Local(at).Year() == s.Local(s.Now).Year() {
		return i18n.Date(ctx, s.Local(at), "2 Jan")
	}
	return i18n.Date(ctx, s.Local(at), "2 Jan 2006")
}

func Machine(at int64) string { return time.UnixMicro(at).UTC().Format("2006-01-02T15:04:05Z") }

// Span is a length of time in its largest unit, "6 h".
func Span(ctx context.Context, length int64) string {
	switch {
	case length < Minute:
		return i18n.Say(ctx, "%d s", max(length/Second, 0))
	case length < Hour:
		return i18n.Say(ctx, "%d min", length/Minute)
	case length < 2*Day:
		return i18n.Say(ctx, "%d h", length/Hour)
	case length < 60*Day:
		return i18n.Say(ctx, "%d days", length/Day)
	case length < 730*Day:
		return i18n.Say(ctx, "%d months", length/(30*Day))
	}
	return i18n.Say(ctx, "%d years", length/(365*Day))
}

// Relative is how long ago something was, or how far ahead it claims to be.
func (s Site) Relative(ctx context.Context, at int64) string {
	switch {
	case !s.HasClock():
		return s.Stamp(ctx, at)
	case at > s.Now+Minute:
		return i18n.Say(ctx, "in %s", Span(ctx, at-s.Now))
	case s.Now-at < Minute:
		return i18n.Say(ctx, "just now")
	}
	return i18n.Say(ctx, "%s ago", Span(ctx, s.Now-at))
}

// isAhead reports whether a time that an agent wrote lies ahead of the clock: its line is wrongly dated, for it is there already.
func (s Site) isAhead(at int64) bool { return s.Past() == "" && s.HasClock() && at > s.Now+Minute }

// Period says from when to when, as briefly as the two allow.
func (s Site) Period(ctx context.Context, from, to int64) string {
	a, b := s.Local(from), s.Local(to)
	if a.Format("20060102") == b.Format("20060102") {
		if a.Format("15:04") == b.Format("15:04") {
			return i18n.Date(ctx, a, "2 Jan 2006, 15:04")
		}
		return i18n.Date(ctx, a, "2 Jan 2006, 15:04") + " – " + b.Format("15:04")
	}
	if a.Year() == b.Year() {
		return i18n.Date(ctx, a, "2 Jan") + " – " + i18n.Date(ctx, b, "2 Jan 2006")
	}
	return i18n.Date(ctx, a, "2 Jan 2006") + " – " + i18n.Date(ctx, b, "2 Jan 2006")
}

func Instant(ts string) int64 {
	at, ok := figs.ParseTime(ts)
	if !ok {
		return figs.NoTime
	}
	return at
}
