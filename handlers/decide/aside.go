package decide

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/store"
)

// Claimed is how long others see that someone is reviewing an ask.
const Claimed = 30 * time.Minute

// Claim shows others that the visitor is reviewing an ask, or no longer is.
func (h Handlers) Claim(c echo.Context) error {
	t, err := h.ReadReply(c, false)
	if t == nil {
		return err
	}
	until, said := int64(0), "review-stopped"
	switch web.FormValue(c, "for") {
	case "on":
		until, said = t.now+Claimed.Microseconds(), "review-started"
	case "off":
	default:
		return t.refuse(http.StatusUnprocessableEntity, RefusedForm{Unread: true, Fault: &ui.Fault{Sentence: "The form doesn't say whether you are reviewing this.", Hint: "Nothing was changed. Try the button again."}})
	}
	seq, err := h.Store.Claim(c.Request().Context(), store.Act{By: t.user.ID, At: t.now}, t.at.Workspace.ID, t.x.id, t.x.ask.Ask.ID, until)
	if err != nil {
		return err
	}
	h.Live.Changed(t.at.Workspace.ID, seq)
	return t.stay(said)
}

// Snooze puts an ask off for the visitor alone, or takes that back.
func (h Handlers) Snooze(c echo.Context) error {
	t, err := h.ReadReply(c, false)
	if t == nil {
		return err
	}
	until, ok := SnoozedUntil(web.FormValue(c, "until"), h.Now())
	if !ok {
		return t.refuse(http.StatusUnprocessableEntity, RefusedForm{Unread: true, Fault: &ui.Fault{Sentence: "The form doesn't say until when to snooze this.", Hint: "Nothing was changed. Choose one of the times."}})
	}
	if err := t.planNext(c.Request().Context()); err != nil {
		return err
	}
	seq, err := h.Store.Snooze(c.Request().Context(), store.Act{By: t.user.ID, At: t.now}, t.at.Workspace.ID, t.x.id, t.x.ask.Ask.ID, until)
	if err != nil {
		return err
	}
	h.Live.Changed(t.at.Workspace.ID, seq)
	if until == 0 {
		return t.stay("unsnoozed")
	}
	return t.onward(t.page(t.x, "?notice=snoozed"))
}

// morning is the hour at which a day of work begins.
const morning = 8

// SnoozedUntil reads a time to put something off to; 0 takes it back.
func SnoozedUntil(word string, now time.Time) (until int64, ok bool) {
	days := 1
	switch word {
	case "off":
		return 0, true
	case "news":
		return store.SnoozeUntilChange, true
	case "1h":
		return now.Add(time.Hour).UnixMicro(), true
	case "tomorrow":
	case "monday":
		days = (int(time.Monday)-int(now.Weekday())+6)%7 + 1
	default:
		return 0, false
	}
	year, month, day := now.Date()
	return time.Date(year, month, day+days, morning, 0, 0, 0, now.Location()).UnixMicro(), true
}
