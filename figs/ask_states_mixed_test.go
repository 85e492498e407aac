package figs

import "testing"

// Whatever comes in whatever order, by whatever clocks: a human's word covers only what had
// arrived before it, and what decides unreported is a human's word.
func TestDeskNeverCoversWhatCameLater(t *testing.T) {
	const arrival = 1795176000_000000 // 2026-11-20T12:00:00Z
	clocks := [...]string{"2026-11-20T09:00:00Z", "2026-11-20T12:00:00Z", "2099-01-01T00:00:00Z"}
	type event struct{ version, verified, clock, revises int }
	var all []event
	for clock := range clocks {
		all = append(all, event{version: 1, clock: clock}, event{clock: clock})
	}
	all = append(all, event{verified: 1, clock: 1}, event{verified: 1, clock: 1, revises: 1}, event{clock: 1, revises: 1})
	verdict := func(i int, e event) []byte {
		word := [...]string{"approved", "changes-requested"}[e.revises]
		return []byte(`{"id":"m` + itoa(i) + `","kind":"verdict","ask":"a","by":"ana","ts":"` + clocks[e.clock] + `","verdict":"` + word + `","text":"t"}`)
	}
	desk := func(events []event, step int64) (d *AskStates, messages []int) {
		d = NewAskStates()
		d.Version(Version{Line: []byte(signOff), Snapshot: true, At: arrival})
		for i, e := range events {
			if e.version == 1 {
				d.Version(Version{Line: []byte(`{"id":"a","title":"T` + itoa(i) + `","ts":"` + clocks[e.clock] + `"}`), Snapshot: true, At: arrival + step*int64(i+1)})
			}
		}
		for i, e := range events {
			if e.version == 0 {
				d.Reply(verdict(i, e), arrival+step*int64(i+1), e.verified == 1)
				messages = append(messages, i)
			}
		}
		d.Finish()
		return d, messages
	}
	check := func(events []event, step int64) {
		d, messages := desk(events, step)
		s, ok := d.State("a")
		last, spoke := -1, -1
		for i, e := range events {
			if e.version == 1 {
				last = i
			} else if e.verified == 1 {
				spoke = i
			}
		}
		thread := d.Thread("a")
		decides := -1
		if s.Reply >= 0 {
			decides = messages[thread[s.Reply].Message]
		}
		switch {
		case !ok || s.Phase.Closed() || (s.Phase == NeedsYou) != (decides < 0):
			t.Fatalf("%v, every %d: %+v", events, step, s)
		case decides >= 0 && s.Reported == (events[decides].verified == 1):
			t.Fatalf("%v, every %d: reported %v, but event %d decides", events, step, s.Reported, decides)
		case decides >= 0 && !s.Reported && decides < last:
			t.Fatalf("%v, every %d: the word of event %d covers version %d", events, step, decides, last)
		case step > 0 && spoke >= 0 && spoke == len(events)-1 && (s.Reported || decides != spoke):
			t.Fatalf("%v, every %d: the last word is event %d, but %d decides, reported %v", events, step, spoke, decides, s.Reported)
		}
		for _, r := range thread {
			if i := messages[r.Message]; events[i].verified == 1 && i < last && !r.Earlier {
				t.Fatalf("%v, every %d: the word of event %d stands in the round of version %d", events, step, i, last)
			}
		}
	}
	var extend func(events []event, more int)
	extend = func(events []event, more int) {
		check(events, 1_000_000)
		check(events, 1)
		check(events, 0)
		for _, e := range all {
			if more > 0 {
				extend(append(events[:len(events):len(events)], e), more-1)
			}
		}
	}
	if testing.Short() {
		extend(nil, 3)
		return
	}
	extend(nil, 4)
}
