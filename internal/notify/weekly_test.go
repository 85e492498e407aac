package notify

import (
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/store"
)

// TestWeeklyPlanned tests that the weekly report is planned once a week, only where it was turned on.
func TestWeeklyPlanned(t *testing.T) {
	const place = "place"
	on := map[store.NotificationSetting]bool{{Destination: place, Workspace: "w", Event: store.EventWeekly, Wanted: true}: true}
	x := &store.PlanInput{Workspace: "w", From: store.PlanCursor{At: 1}, To: store.PlanCursor{At: 2}, Week: "2026-W47", Recipients: []store.Recipient{
		{Person: "ana", Destinations: []store.Destination{{ID: place, Kind: store.DestinationEmail, Digest: store.NoDigest}}, Settings: on},
		{Person: "bo", Destinations: []store.Destination{{ID: "other", Kind: store.DestinationEmail, Digest: store.NoDigest}}, Settings: map[store.NotificationSetting]bool{}}}}
	got := Plan(x, time.UnixMicro(2))
	if len(got) != 1 || got[0].Destination != place || got[0].Event != store.EventWeekly || got[0].Name != "weekly w 2026-W47" {
		t.Errorf("planned %+v", got)
	}
	if x.Week = ""; len(Plan(x, time.UnixMicro(2))) != 0 {
		t.Error("a report without a week that ended")
	}
}

// TestWeeklySent tests that one email a week is sent, with counts and without text of records.
func TestWeeklySent(t *testing.T) {
	d := newDesk(t)
	d.at(store.DestinationEmail, "ada@example.org", "")
	k := &mailbox{}
	d.w.Mail = k
	d.clock = time.Date(2026, 11, 23, 6, 0, 30, 0, time.UTC)
	for range 5 {
		d.step()
		d.clock = d.clock.Add(time.Hour)
	}
	if len(k.all) != 1 || k.all[0].Subject != "Your weekly report · Acme" || !strings.Contains(k.all[0].Text, "0 decisions last week. 0 asks wait for a human now, 0 of them for you.") {
		t.Fatalf("sent %+v", k.all)
	}
	d.clock = d.clock.AddDate(0, 0, 7)
	d.step()
	if len(k.all) != 2 {
		t.Errorf("after another week, %d emails were sent", len(k.all))
	}
}
