package notify

import (
	"fmt"
	"math/rand"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// asks pushes sign-offs with these ids at once. Their titles are the planted one and their id.
func (d *desk) asks(ids ...string) {
	d.Helper()
	d.clock = d.clock.Add(time.Second)
	var all []string
	for _, id := range ids {
		all = append(all, fmt.Sprintf(`{"id":%q,"ts":"2026-11-20T10:00:00Z","type":"sign-off","title":%q,"onApprove":["go"],"status":"open"}`, id, plantedTitle+" "+id))
	}
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":%q},"asks":[%s]}`, d.place.ID, agent, plantedName, strings.Join(all, ",")))
	d.ok(err)
	_, err = d.s.Push(ctx, store.Push{Workspace: d.place.ID, Act: store.Act{At: d.now()}, Body: body})
	d.ok(err)
}

// numbered are n ids.
func numbered(prefix string, n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprint(prefix, i))
	}
	return ids
}

// everywhere lets all messages have names and titles.
func (d *desk) everywhere() {
	d.Helper()
	d.ok(d.s.SetPolicy(ctx, store.Act{At: d.now()}, d.place.ID, store.Policy{Text: store.TextEverywhere}, true))
	d.step()
}

var newsLink = regexp.MustCompile(`https://figs\.example/w/acme/news/[0-9a-f-]+`)

// links are the different links to asks in a message.
func links(body string) []string {
	all := newsLink.FindAllString(body, -1)
	slices.Sort(all)
	return slices.Compact(all)
}

// TestGroup pushes twelve asks at once: each channel, the mailbox and the browser get one message, with what the level lets them know.
// A webhook gets each ask.
func TestGroup(t *testing.T) {
	for _, level := range []store.TextLevel{store.TextLink, store.TextMembers, store.TextEverywhere} {
		t.Run(level.String(), func(t *testing.T) {
			d := newDesk(t)
			p, box, push := d.provider(), d.mailing(), receive(t, nil)
			d.ok(d.s.SetPolicy(ctx, store.Act{At: d.now()}, d.place.ID, store.Policy{Text: level}, true))
			d.step()
			for _, c := range chatChannels {
				d.addChat(c)
			}
			browser, keys := subscription(t)
			d.at(store.DestinationEmail, "ada@example.org", "")
			d.at(store.DestinationPush, "https://push.example/"+push.URL[7:], keys)
			d.at(store.DestinationWebhook, "https://hook.example/", "secret")
			d.asks(numbered("n", 12)...)
			d.step()
			by := map[string][]provided{}
			for _, r := range p.got() {
				by[r.Host] = append(by[r.Host], r)
			}
			if len(by["hook.example"]) != 12 || len(by["push.example"]) != 1 || len(box.all) != 1 {
				t.Fatalf("%d to the webhook, %d to the browser, %d emails", len(by["hook.example"]), len(by["push.example"]), len(box.all))
			}
			message := browser.decrypt(t, request{body: []byte(by["push.example"][0].body), head: by["push.example"][0].Header})
			inText(t, "browser", message, `"title":"12 asks need you · Acme"`, "https://figs.example/w/acme/inbox")
			if got := strings.Contains(message, plantedTitle); got != (level != store.TextLink) {
				t.Errorf("the browser knows titles: %v: %s", got, message)
			}
			inText(t, "email", box.all[0], "12 asks need you", "https://figs.example/w/acme/inbox")
			if n := len(links(strings.ReplaceAll(box.all[0], "=\r\n", ""))); n != 12 {
				t.Errorf("the email has %d links: %s", n, box.all[0])
			}
			delete(by, "hook.example")
			delete(by, "push.example")
			if len(by) != len(chatChannels) {
				t.Fatalf("%d services were told", len(by))
			}
			for host, all := range by {
				if len(all) != 1 {
					t.Fatalf("%s: %d messages", host, len(all))
				}
				body := strings.ReplaceAll(all[0].body, "\u200b", "")
				inText(t, host, body, "12 asks need a person", "https://figs.example/w/acme/inbox")
				n, more := 0, false
				if level == store.TextEverywhere {
					n, more = maxChatItems, true
				}
				if len(links(body)) != n || strings.Contains(body, "and 7 more") != more || strings.Contains(body, plantedTitle) != more || strings.Contains(body, plantedName) != more {
					t.Errorf("%s got %s", host, body)
				}
			}
			for _, s := range append(d.toChat(), d.sent()...) {
				if s.State != store.SendSent || s.Tries != 1 {
					t.Errorf("%s %s after %d tries: %s", s.Event, s.State, s.Tries, s.Answer)
				}
			}
		})
	}
}

func inText(t *testing.T, what, text string, all ...string) {
	t.Helper()
	for _, s := range all {
		if !strings.Contains(text, s) {
			t.Errorf("%s: no %q in %s", what, s, text)
		}
	}
}

// TestGroupWindow tests what waits: after a message, others to the channel for half a minute, but no test and no report of an
// approval that can't be undone.
func TestGroupWindow(t *testing.T) {
	d := newDesk(t)
	p := d.provider()
	c := d.addChat(chatChannels[0])
	d.addChat(chatChannels[5])
	d.everywhere()
	start := d.now()
	d.ask("a", "") // the clock moves on by a second
	d.step()
	if got := toSlack(p); len(got) != 1 || !strings.Contains(got[0], "Zephyrine needs an approval") {
		t.Fatalf("the first goes at once: %s", got)
	}
	d.ask("b", "")
	d.ask("c", `,"onApprove":["Send it (irreversible)"]`)
	d.step()
	d.ask("d", "")
	d.step()
	if got := toSlack(p); len(got) != 1 {
		t.Fatalf("others wait: %s", got)
	}
	n := store.Notification{ID: store.NewID(), Destination: c.ID, Workspace: d.place.ID, Event: store.EventTest, Name: "test", At: d.now(), Next: d.now()}
	d.ok(d.s.AddNotification(ctx, n))
	d.claim("c", "Ada", "approved")
	d.step()
	if got := strings.Join(toSlack(p), "\n"); strings.Count(got, "\n") != 2 || !strings.Contains(got, "Confirm or contradict a reported approval") || !strings.Contains(got, "Test notification") {
		t.Fatalf("the test and the report go at once: %s", got)
	}
	d.clock = time.UnixMicro(start).Add(30 * time.Second)
	d.step()
	if !d.w.grouped {
		t.Error("Run doesn't know that others may wait")
	}
	d.clock = d.clock.Add(time.Second)
	d.step()
	if got := toSlack(p); len(got) != 4 || !strings.Contains(got[3], "2 asks need a person") || len(links(got[3])) != 2 {
		t.Errorf("those that waited go together: %s", got)
	}
	for _, s := range d.toChat() {
		if s.State != store.SendSent && s.Ask != "c" { // a reply was reported meanwhile
			t.Errorf("%s is %s", s.Ask, s.State)
		}
	}
}

// toSlack lists what was sent to Slack.
func toSlack(p *provider) (bodies []string) {
	for _, r := range p.got() {
		if r.Host == "hooks.slack.com" {
			bodies = append(bodies, r.body)
		}
	}
	return bodies
}

// TestGroupAgain tests that a message is sent again as it was: under the same transaction ID, without what came later and what
// was settled, or erased, meanwhile.
func TestGroupAgain(t *testing.T) {
	d := newDesk(t)
	p := d.provider()
	d.addChat(chatChannels[5])
	d.everywhere()
	p.answers(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "down", http.StatusBadGateway) })
	d.asks("a", "b", "c", "d")
	d.step()
	first := p.got()[0]
	inText(t, "first", first.body, "4 asks need a person", plantedTitle+" b", plantedTitle+" c")
	p.answers(nil)
	d.asks("e")
	d.ask("b", `,"resolution":{"at":"2026-11-20T12:00:00Z"},"status":"withdrawn"`)
	_, err := d.s.Erase(ctx, store.Act{By: d.ada.ID, At: d.now()}, store.Erasure{Workspace: d.place.ID, Agent: agent, Kind: store.EraseAsk, ID: "c", Why: "asked for"})
	d.ok(err)
	d.clock = d.clock.Add(2 * time.Minute)
	d.step()
	all := p.got()
	if len(all) != 3 {
		t.Fatalf("%d requests", len(all))
	}
	again, later := all[1], all[2]
	if !strings.Contains(again.body, "asks need a person") {
		again, later = later, again
	}
	if again.RequestURI != first.RequestURI || later.RequestURI == first.RequestURI {
		t.Errorf("the first was put to %s, the same again to %s, what came later to %s", first.RequestURI, again.RequestURI, later.RequestURI)
	}
	for _, gone := range []string{plantedTitle + " b", plantedTitle + " c", plantedTitle + " e"} {
		if strings.Contains(again.body, gone) {
			t.Errorf("it still says %q: %s", gone, again.body)
		}
	}
	inText(t, "again", again.body, plantedTitle+" a", plantedTitle+" d")
	inText(t, "later", later.body, plantedTitle+" e")
}

// TestGroupDead tests a message that stays undeliverable: each of its asks has failed, the owner is told once, and one that is
// sent again goes alone under its own id.
func TestGroupDead(t *testing.T) {
	d := newDesk(t)
	p := d.provider()
	d.addChat(chatChannels[5])
	p.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) })
	d.asks("a", "b", "c")
	d.step()
	all := d.toChat()
	for _, s := range all {
		if s.State != store.SendDead || s.Tries != 1 {
			t.Errorf("%+v", s)
		}
	}
	list, err := d.s.ListNotifications(ctx, d.ada.ID, d.place.ID, store.NotificationQuery{})
	d.ok(err)
	told := slices.DeleteFunc(list.Items, func(n store.QueuedNotification) bool { return n.Event != store.EventDestinationFailing })
	if len(all) != 3 || len(p.got()) != 1 || len(told) != 1 {
		t.Fatalf("%d rows, %d requests, told %d times", len(all), len(p.got()), len(told))
	}
	p.answers(nil)
	d.ok(d.s.ResendToChat(ctx, store.Act{By: d.ada.ID, At: d.now()}, d.place.ID, all[1].ID))
	d.step()
	if r := p.got()[1]; !strings.HasSuffix(r.RequestURI, "/"+all[1].ID) || !strings.Contains(r.body, "news/"+all[1].ID) {
		t.Errorf("it was sent again as %s %s", r.RequestURI, r.body)
	}
}

// TestGroupOnce lets a node die after it has claimed, and two nodes send at once: each ask is in one message.
func TestGroupOnce(t *testing.T) { groupOnce(t, newDesk(t)) }

func groupOnce(t *testing.T, d *desk) {
	t.Helper()
	p := d.provider()
	slack, matrix := d.addChat(chatChannels[0]), d.addChat(chatChannels[5])
	d.everywhere()
	d.asks(numbered("died", 15)...)
	d.ok(d.w.plan(ctx, true))
	due, err := d.s.ClaimNotifications(ctx, "dead", d.now(), d.now()+leased, batch)
	d.ok(err)
	batches := map[string]string{}
	for _, x := range due {
		if batches[x.Destination] == "" {
			batches[x.Destination] = x.Batch
		}
		if x.Batch == "" || x.Batch != batches[x.Destination] {
			t.Errorf("%s is in batch %q of %q", x.Ask, x.Batch, batches[x.Destination])
		}
	}
	second, err := openAgain(d)
	d.ok(err)
	second.HTTP = d.w.HTTP
	clock := d.clock
	d.w.Now, second.Now = func() time.Time { return clock }, func() time.Time { return clock }
	run := func() {
		t.Helper()
		var both sync.WaitGroup
		for _, w := range []*Worker{d.w, second} {
			both.Go(func() {
				for range 3 {
					if err := w.Step(ctx, true); err != nil {
						t.Error(err)
					}
				}
			})
		}
		both.Wait()
	}
	told := map[string]int{}
	run()
	before := len(p.got())
	clock = clock.Add(time.Duration(leased) * time.Microsecond)
	run()
	for i := range 3 {
		d.clock = clock
		d.asks(numbered(fmt.Sprint("wave", i, "-"), 7)...)
		clock = clock.Add(20 * time.Second)
		run()
	}
	clock = clock.Add(time.Minute)
	run()
	for _, s := range d.toChat() {
		if s.State != store.SendSent || s.Tries != 1 {
			t.Errorf("%s is %s after %d tries", s.Ask, s.State, s.Tries)
		}
		told[s.Destination]++
	}
	if told[slack.ID] != 36 || told[matrix.ID] != 36 {
		t.Errorf("told %d and %d times, want 36", told[slack.ID], told[matrix.ID])
	}
	counts, uris := map[string]int{}, map[string]int{}
	number := regexp.MustCompile(`([0-9]+) asks need a person`)
	for _, r := range p.got() {
		n := 1
		if found := number.FindStringSubmatch(r.body); found != nil {
			fmt.Sscan(found[1], &n)
		}
		counts[r.Host] += n
		if uris[r.Host+r.RequestURI]++; r.Host == "matrix.example.org" && uris[r.Host+r.RequestURI] > 1 {
			t.Errorf("%s was sent twice", r.RequestURI)
		}
	}
	if counts["hooks.slack.com"] != 36 || counts["matrix.example.org"] != 36 || len(p.got()) > 10 {
		t.Errorf("%d messages, of which %d before the lease ended, with these numbers of asks: %v", len(p.got()), before, counts)
	}
	if uris["matrix.example.org/_matrix/client/v3/rooms/%21abc:example.org/send/m.room.message/"+batches[matrix.ID]] != 1 {
		t.Errorf("what the dead node had claimed was not sent under its batch: %v", uris)
	}
}

// TestChatSettled tests that a channel that wants it is told, once, when an ask that it was told about no longer needs a person,
// and not of one that was settled before its message was sent.
func TestChatSettled(t *testing.T) {
	d := newDesk(t)
	p := d.provider()
	c := chatChannels[0]
	c.Topics = []store.ChatTopic{store.ChatSignOffs, store.ChatSettled}
	d.addChat(c)
	d.addChat(chatChannels[5]) // which isn't told
	d.everywhere()
	d.asks("a", "b", "c")
	d.step()
	closed := `,"resolution":{"at":"2026-11-20T12:00:00Z"},"status":"withdrawn"`
	d.clock = d.clock.Add(time.Minute)
	d.ask("never", closed) // it was never open
	d.ask("d", "")
	d.ok(d.w.plan(ctx, true))
	d.ask("a", closed)
	d.ask("d", closed) // before its message
	d.step()
	got := toSlack(p)
	if len(got) != 2 || !strings.Contains(got[1], plantedName+" no longer waits for a person") || strings.Contains(got[1], "need") {
		t.Fatalf("told %s", got)
	}
	d.clock = d.clock.Add(time.Minute)
	d.ask("b", closed)
	d.ask("c", closed)
	d.step()
	d.step()
	if got = toSlack(p); len(got) != 3 || !strings.Contains(got[2], "2 asks no longer need a person") {
		t.Fatalf("told %s", got)
	}
	if all := p.got(); len(all) != 4 {
		t.Errorf("%d messages, of which one is to the other channel", len(all))
	}
}

// TestChannelChoice compares what is planned for channels with what they chose, for many choices, agents and asks.
func TestChannelChoice(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	agents := map[string]string{"a1": "Finance", "a2": "Finance", "a3": "Sales", "a4": ""}
	at := int64(1_800_000_000_000_000)
	for range 500 {
		x := &store.PlanInput{Workspace: "w", From: store.PlanCursor{Seq: 1, At: at - 60_000_000}, To: store.PlanCursor{Seq: 2, At: at}, Departments: agents}
		type event struct {
			topic     store.ChatTopic
			agent     string
			name      string
			createdAt int64
		}
		var all []event
		for id := range agents {
			for i := range r.Intn(4) {
				ask := fmt.Sprint(id, "-", i)
				a := store.OpenAsk{Agent: id, Ask: ask, Round: 1, Type: []string{"sign-off", "question", ""}[r.Intn(3)], New: r.Intn(2) == 0, Arrived: at - 1}
				if r.Intn(2) == 0 {
					a.Arrived = at - 24*hour - 1
					all = append(all, event{store.ChatReminders, id, "open " + id + " " + ask + " 1", a.Arrived})
				}
				if a.New {
					topic := store.ChatQuestions
					if a.Type == "sign-off" {
						topic = store.ChatSignOffs
					}
					all = append(all, event{topic, id, "ask " + id + " " + ask + " 1", a.Arrived})
				}
				x.Asks = append(x.Asks, a)
				x.Unconfirmed = append(x.Unconfirmed, store.UnconfirmedReply{Agent: id, Ask: ask, Round: 1, Since: 5, New: true})
				all = append(all, event{store.ChatReported, id, "claim " + id + " " + ask + " 5", at})
				x.Replies = append(x.Replies, store.LateReply{Agent: id, Ask: ask, ID: ask, At: at - 24*hour - 1})
				all = append(all, event{store.ChatLate, id, "picked " + id + " " + ask, at - 24*hour - 1})
				x.Settled = append(x.Settled, store.SettledAsk{Agent: id, Ask: ask, Round: 1, Told: []string{"c0", "c2"}})
				all = append(all, event{store.ChatSettled, id, "settled " + id + " " + ask + " 1", at})
			}
		}
		want := map[string]bool{}
		for i := range 3 {
			h := store.ChatChannel{ID: fmt.Sprint("c", i), Created: []int64{at - 30*hour, at - hour}[r.Intn(2)]}
			for _, topic := range store.ChatTopics() {
				if r.Intn(2) == 0 {
					h.Topics = append(h.Topics, topic)
				}
			}
			if r.Intn(2) == 0 {
				h.Agents = []string{"a1", "gone"}[:1+r.Intn(2)]
			}
			if r.Intn(2) == 0 {
				h.Departments = []string{"Sales"}
			}
			for _, e := range all {
				chosen := len(h.Agents)+len(h.Departments) == 0 || len(h.Agents) > 0 && e.agent == "a1" || len(h.Departments) > 0 && e.agent == "a3"
				if chosen && slices.Contains(h.Topics, e.topic) && (e.topic != store.ChatSettled || h.ID != "c1") && e.createdAt >= h.Created {
					want[h.ID+" "+e.name] = true
				}
			}
			x.Channels = append(x.Channels, h)
		}
		for _, n := range Plan(x, time.UnixMicro(at)) {
			if k := n.Destination + " " + n.Name; !want[k] {
				t.Fatalf("%s is told, but wasn't chosen", k)
			} else {
				delete(want, k)
			}
		}
		for k := range want {
			t.Fatalf("%s was chosen, but isn't told", k)
		}
	}
}
