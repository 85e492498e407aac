package notify

import (
	"context"
	"slices"
	"time"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/report"
	"github.com/figs-web/figs-web/internal/store"
)

// weekly says what was decided in the week before a notification, and what waits now. It has counts only, so it needs no
// permission for the text of records. It is "" if they can't be read: the email still leads to the reports.
func (w *Worker) weekly(ctx context.Context, d *store.DueNotification) string {
	at := time.UnixMicro(d.At).UTC()
	monday := time.Date(at.Year(), at.Month(), at.Day()-int(at.Weekday()+6)%7, 0, 0, 0, 0, time.UTC)
	facts, err := w.Store.DecisionFacts(ctx, d.Workspace, monday.AddDate(0, 0, -7).UnixMicro(), monday.UnixMicro())
	if err != nil {
		return ""
	}
	open, err := w.Store.OpenAskFacts(ctx, d.Workspace, w.now())
	if err != nil {
		return ""
	}
	var waits []int64
	for i := range facts {
		if facts[i].Waited >= 0 {
			waits = append(waits, facts[i].Waited)
		}
	}
	mine := 0
	for i := range open {
		if slices.Contains(open[i].People, d.Person) {
			mine++
		}
	}
	text := i18n.Count(ctx, len(facts), "%d decision last week.", "%d decisions last week.")
	if t := report.TimesOf(waits); t.N > 0 {
		text += " " + i18n.Count(ctx, int((t.Median+hour-1)/hour), "Half of the asks waited at most %d hour.", "Half of the asks waited at most %d hours.")
	}
	text += " " + i18n.Count(ctx, len(open), "%d ask waits for a human now,", "%d asks wait for a human now,")
	return text + " " + i18n.Count(ctx, mine, "%d of them for you.", "%d of them for you.")
}
