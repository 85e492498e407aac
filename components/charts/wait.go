package charts

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// waitView is the picture on a job's page: a lane of its lines, and one for the human wait of
// all asks that it raised.
type waitView struct {
	*pictureView
	Sum string // how long a human was waited for, in a sentence
}

// WaitOf works the picture out; nil when no human was asked, or the times are unknown.
func WaitOf(ctx context.Context, site ui.Site, j *journal.Job) *waitView {
	var work journal.Lane
	human := journal.Lane{Ask: true}
	for i := range j.Lanes {
		lane := &j.Lanes[i]
		if !lane.Ask {
			work = *lane
			continue
		}
		human.Waits = append(human.Waits, lane.Waits...)
		human.Marks = append(human.Marks, lane.Marks...)
	}
	if human.Waits = MergeWaits(human.Waits); len(human.Waits) == 0 {
		return nil
	}
	human.Open = human.Waits[len(human.Waits)-1].To == figs.NoTime
	v := pictureOf(ctx, site, &journal.Overview{Lanes: []journal.Lane{work, human}})
	if v == nil {
		return nil
	}
	return &waitView{v, waitSum(ctx, site, human.Waits, human.Open)}
}

// MergeWaits puts dated waits in order and makes one of those that overlap: while two asks wait, a
// human is waited for once.
func MergeWaits(waits []journal.Wait) (out []journal.Wait) {
	waits = slices.DeleteFunc(slices.Clone(waits), func(w journal.Wait) bool { return w.From == figs.NoTime })
	waits = figs.Sorted(waits, func(a, b *journal.Wait) bool { return a.From < b.From })
	for _, w := range waits {
		if n := len(out) - 1; n < 0 || out[n].To != figs.NoTime && w.From > out[n].To {
			out = append(out, w)
		} else if last := &out[n]; last.To != figs.NoTime && (w.To == figs.NoTime || w.To > last.To) {
			last.To = w.To
		}
	}
	return out
}

// waitSum says how long a human was waited for in all.
func waitSum(ctx context.Context, site ui.Site, waits []journal.Wait, open bool) string {
	sum := int64(0)
	for _, w := range waits {
		to := w.To
		if to == figs.NoTime && site.HasClock() {
			to = site.Now
		}
		if to != figs.NoTime {
			sum += max(0, to-w.From)
		}
	}
	switch {
	case open && !site.HasClock():
		return i18n.Say(ctx, "Waiting for a human.")
	case open:
		return i18n.Say(ctx, "Total wait for a human so far: %s.", ui.Span(ctx, sum))
	case sum < ui.Second:
		return i18n.Say(ctx, "Every ask was answered immediately.")
	}
	return i18n.Say(ctx, "Total wait for a human: %s.", ui.Span(ctx, sum))
}
