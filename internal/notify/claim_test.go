package notify

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// TestClaim notifies the person in whose name a reply was reported, immediately and at every destination where they
// haven't turned it off. The headline says if the approved steps can't be undone.
func TestClaim(t *testing.T) {
	d := newDesk(t)
	hook, quiet := receive(t, nil), receive(t, nil)
	d.at(store.DestinationWebhook, hook.URL+"/hook", "secret")
	off := d.at(store.DestinationWebhook, quiet.URL+"/hook", "secret")
	d.ok(d.s.SetNotificationSettings(ctx, store.Act{At: d.now()}, d.ada.ID, d.place.ID, []store.NotificationSetting{{Destination: off.ID, Workspace: d.place.ID, Event: store.EventReportedReply}}))
	d.ask("small", "")
	d.ask("grave", `,"onApprove":["Send it (irreversible)"]`)
	d.step()
	d.step()
	for _, id := range []string{"small", "grave"} {
		d.claim(id, "Ada", "approved")
	}
	d.ask("declined", `,"onApprove":["Send it (irreversible)"]`)
	d.claim("declined", "ADA@example.org", "rejected")
	d.step()
	d.step()
	var titles []string
	for _, r := range hook.requests() {
		var p Payload
		d.ok(json.Unmarshal(r.body, &p))
		if p.Event == store.EventReportedReply {
			titles = append(titles, p.Title)
		}
	}
	const plain = "Confirm or contradict a reported reply · Acme"
	slices.Sort(titles)
	want := []string{"Confirm or contradict a reported approval of steps that can't be undone · Acme", plain, plain}
	if strings.Join(titles, "\n") != strings.Join(want, "\n") || len(quiet.requests()) != 0 {
		t.Errorf("told %q, and %d where it is switched off, want %q", titles, len(quiet.requests()), want)
	}
	d.step()
	if n := len(hook.requests()); n != len(titles) {
		t.Errorf("%d were sent, some of them twice", n)
	}
}

// claim pushes a verdict that is reported in someone's name.
func (d *desk) claim(ask, by, verdict string) {
	d.Helper()
	d.clock = d.clock.Add(time.Second)
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":%q},"messages":[{"id":"m-%s","ask":%q,"kind":"verdict","verdict":%q,"by":%q,"source":"chat","ts":"2026-11-20T11:00:00Z"}]}`,
		d.place.ID, agent, plantedName, ask, ask, verdict, by))
	d.ok(err)
	_, err = d.s.Push(ctx, store.Push{Workspace: d.place.ID, Act: store.Act{At: d.now()}, Body: body})
	d.ok(err)
}

// TestClaimOfWhoLeaves asks the owners to confirm a reply reported in the name of someone who has left since.
func TestClaimOfWhoLeaves(t *testing.T) {
	d := newDesk(t)
	bo := store.User{ID: store.NewID(), Email: "bo@example.org", Name: "Bo", Created: d.now()}
	d.ok(d.s.AddUser(ctx, store.Act{At: d.now()}, bo))
	d.ok(d.s.SetMember(ctx, store.Act{At: d.now()}, d.place.ID, bo.ID, store.Member))
	d.ask("asked", "")
	d.claim("asked", "Bo", "approved")
	d.step()
	told := func(person string) (n int) {
		t.Helper()
		list, err := d.s.ListNotifications(ctx, person, d.place.ID, store.NotificationQuery{Slice: store.Slice{N: 50}})
		d.ok(err)
		for i := range list.Items {
			if list.Items[i].Event == store.EventReportedReply {
				n++
			}
		}
		return n
	}
	if told(bo.ID) != 1 || told(d.ada.ID) != 0 {
		t.Errorf("Bo is told %d times, Ada %d times", told(bo.ID), told(d.ada.ID))
	}
	d.clock = d.clock.Add(time.Hour)
	d.ok(d.s.RemoveMember(ctx, store.Act{At: d.now()}, d.place.ID, bo.ID))
	for range 2 {
		d.step()
	}
	if told(d.ada.ID) != 1 {
		t.Errorf("when Bo has left, Ada is told %d times", told(d.ada.ID))
	}
}
