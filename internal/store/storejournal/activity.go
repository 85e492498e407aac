package storejournal

import (
	"context"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

const (
	hour = int64(time.Hour / time.Microsecond)
	day  = 24 * hour
)

// floor divides and rounds down.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// weekday returns the weekday of a day since 1970, which was a Thursday; 0 is Monday.
func weekday(day int64) int64 { return ((day+3)%7 + 7) % 7 }

// Activity implements journal.Journal.
func (j *Journal) Activity(ctx context.Context, key string) (*journal.Activity, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	days, err := j.s.DailyActivity(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	return j.calendar(days, a.Last), nil
}

// calendarRange returns the first and the last day of a calendar.
func (j *Journal) calendarRange(newest int64) (first, last int64) {
	const past = 7 * 52
	last, today := floor(newest, day), floor(j.now, day)
	if newest == figs.NoTime || today-last < past {
		last = today
	}
	return last - past - weekday(last), last
}

// calendar returns an activity of 53 weeks. The last week is the current one, or that of the newest line if that is more
// than a year old.
func (j *Journal) calendar(days []store.DayCount, newest int64) *journal.Activity {
	if len(days) == 0 || newest == figs.NoTime {
		return &journal.Activity{}
	}
	first, last := j.calendarRange(newest)
	x := &journal.Activity{First: first * day, Days: make([]journal.Day, last-first+1)}
	for _, d := range days {
		switch {
		case d.Day < first:
			x.Before += d.N
		case d.Day > last:
			x.After += d.N
		default:
			at := &x.Days[d.Day-first]
			*[...]*int{&at.Jobs, &at.Asks, &at.Replies}[d.File] += d.N
		}
	}
	return x
}
