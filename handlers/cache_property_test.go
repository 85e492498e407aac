package handlers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// village is a town in which things happen at random. Two servers see it: one that has been there all the time, and
// whatever server is new.
type village struct {
	*town
	*rand.Rand
	dir    string
	clock  time.Time
	titles map[[2]string][]string // every title that an ask has had, by agent and ask
}

var villageAgents = []string{acmeAgent, "0d4f2a3c-1111-4222-8333-000000000011", "0d4f2a3c-1111-4222-8333-000000000012"}

func newVillage(t testing.TB, seed uint64) *village {
	v := &village{Rand: rand.New(rand.NewPCG(seed, 1)), dir: t.TempDir(), clock: hostedNow, titles: map[[2]string][]string{}}
	v.town = v.open(t)
	v.found()
	return v
}

func (v *village) open(t testing.TB) *town {
	w := openTown(t, v.dir)
	now := func() time.Time { return v.clock }
	w.h.Options.Now, w.h.Auth.Now = now, now
	return w
}

func (v *village) now() int64    { return v.clock.UnixMicro() }
func (v *village) agent() string { return villageAgents[v.IntN(len(villageAgents))] }
func (v *village) askID() string { return fmt.Sprint("ask-", v.IntN(6)) }
func (v *village) person() store.User {
	return v.people[[]string{"owner", "admin", "member", "viewer"}[v.IntN(4)]]
}
func (v *village) act(by string) store.Act { return store.Act{By: v.people[by].ID, At: v.now()} }

// step does something at random, which may be refused, and says what.
func (v *village) step(n int) string {
	agent, ask := v.agent(), v.askID()
	if kind := v.IntN(14); kind < 10 {
		return v.change(kind, n, agent, ask)
	}
	return v.erase(agent, ask)
}

// change does one of ten things to an agent or an ask, which may be refused.
func (v *village) change(kind, n int, agent, ask string) string {
	ctx := context.Background()
	switch kind {
	case 0, 1, 2:
		return "push " + v.someRecords(n, agent)
	case 3, 4:
		record, err := v.s.Record(ctx, agent, figs.Asks, ask)
		if err != nil {
			return "nothing"
		}
		line, _ := figs.Answer(figs.Fold([][]byte{record.Fold}), figs.ReplyInput{ID: fmt.Sprint("reply-", n), By: "The owner", TS: "2026-11-20T18:00:00Z", Text: "Yes."})
		v.s.Decide(ctx, v.act("owner"), store.DecisionInput{Workspace: v.acme.ID, Agent: agent, Ask: ask, Line: line, Key: fmt.Sprint(n), Saw: store.View{Revision: store.RevisionOf(record)}})
		return "decide " + ask
	case 5:
		roles := store.Roles()
		role := roles[v.IntN(len(roles))]
		v.s.SetMember(ctx, v.act("owner"), v.acme.ID, v.people[[]string{"admin", "member"}[v.IntN(2)]].ID, role)
		return "role " + string(role)
	case 6:
		v.ok(v.s.SetUserName(ctx, v.act("owner"), v.person().ID, fmt.Sprint("Name ", v.IntN(4))))
		return "name"
	case 7:
		v.s.Assign(ctx, v.act("owner"), agent, v.person().ID, v.person().ID)
		return "assign"
	case 8:
		v.s.Snooze(ctx, v.act([]string{"owner", "member"}[v.IntN(2)]), v.acme.ID, agent, ask, v.now()+int64(1+v.IntN(90))*1_000_000)
		return "snooze " + ask
	}
	v.s.Claim(ctx, v.act("member"), v.acme.ID, agent, ask, v.now()+30_000_000)
	v.s.Archive(ctx, v.act("owner"), villageAgents[2], v.IntN(2) == 0)
	return "claim and archive"
}

// someRecords pushes an ask, and perhaps a reply to it that an agent reports.
func (v *village) someRecords(n int, agent string) string {
	ask, title := v.askID(), fmt.Sprintf("secret-%d.", n)
	status := []string{"open", "open", "open", "resolved"}[v.IntN(4)]
	name, said := "Agent of "+agent, ""
	if agent == acmeAgent {
		name = "Closer"
	}
	if v.IntN(3) == 0 {
		said = fmt.Sprintf(`{"id":"said-%d","ask":%q,"kind":"answer","by":"%s","text":"So be it","ts":"2026-11-20T17:00:00Z"}`, n, ask, v.person().Name)
	}
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":%q},"runs":[{"id":"job-%d","ts":"2026-11-20T11:00:00Z"}],"asks":[{"id":%q,"ts":"2026-11-20T17:%02d:00Z","type":%q,"to":%q,"title":%q,"status":%q}],"messages":[%s]}`,
		v.acme.ID, agent, name, v.IntN(4), ask, n%60, []string{"question", "sign-off"}[v.IntN(2)], []string{"manager", "builder"}[v.IntN(2)], title, status, said))
	v.ok(err)
	if _, err = v.s.Push(context.Background(), store.Push{Workspace: v.acme.ID, Act: v.act("owner"), Body: body}); err == nil {
		v.titles[[2]string{agent, ask}] = append(v.titles[[2]string{agent, ask}], title)
	}
	return ask
}

// erase erases an ask as a person does, after its agent was looked at in every way that is cached.
func (v *village) erase(agent, ask string) string {
	for _, page := range []string{"/jobs?at=2", "/hidden", "/waiting", "/asks/" + ask} {
		v.ask(http.MethodGet, "/w/acme/agents/"+agent+page, "owner", "")
	}
	titles := v.titles[[2]string{agent, ask}]
	if len(titles) == 0 {
		return "looks"
	}
	if !v.caches(titles[len(titles)-1]) {
		v.t.Errorf("the title of %s is in no cache before it is erased", ask)
	}
	r := v.ask(http.MethodPost, "/w/acme/agents/"+agent+"/erase?kind=ask&key="+ask, "owner", "why=gone")
	if r.StatusCode != http.StatusSeeOther {
		return "nothing" // a decision is pending
	}
	for _, title := range titles {
		if v.caches(title) {
			v.t.Errorf("%q was erased and is still in a cache", title)
		}
	}
	delete(v.titles, [2]string{agent, ask})
	return "erase " + ask
}

// caches reports whether a text is in any cache of the server that has been there all the time.
func (v *village) caches(text string) bool {
	s := reflect.ValueOf(v.s).Elem()
	for _, cache := range []any{v.h.Lenses.Cache, v.h.Pasts, v.h.Whole, v.h.Viewer.Renders.Cache} {
		if contains(reflect.ValueOf(cache), []byte(text), map[uintptr]bool{}) {
			return true
		}
	}
	return contains(s.FieldByName("held"), []byte(text), map[uintptr]bool{}) || contains(s.FieldByName("rosters"), []byte(text), map[uintptr]bool{})
}

// contains reports whether a value holds a text, wherever it leads.
func contains(x reflect.Value, text []byte, seen map[uintptr]bool) bool {
	switch x.Kind() {
	case reflect.String:
		return strings.Contains(x.String(), string(text))
	case reflect.Interface:
		return contains(x.Elem(), text, seen)
	case reflect.Pointer:
		if x.IsNil() || seen[x.Pointer()] || strings.Contains(x.Type().String(), "sqlstore.Store") {
			return false
		}
		seen[x.Pointer()] = true
		return contains(x.Elem(), text, seen)
	case reflect.Slice, reflect.Array:
		if x.Kind() == reflect.Slice && x.Type().Elem().Kind() == reflect.Uint8 {
			return bytes.Contains(x.Bytes(), text)
		}
		for i := range x.Len() {
			if contains(x.Index(i), text, seen) {
				return true
			}
		}
	case reflect.Map:
		for i := x.MapRange(); i.Next(); {
			if contains(i.Key(), text, seen) || contains(i.Value(), text, seen) {
				return true
			}
		}
	case reflect.Struct:
		for i := range x.NumField() {
			if contains(x.Field(i), text, seen) {
				return true
			}
		}
	}
	return false
}

// Whatever has happened, a server that has cached things since the beginning shows the same as one that has just started;
// and what was erased is in none of its caches.
func TestCachedPagesAreAsNew(t *testing.T) {
	for seed := range uint64(3) {
		v := newVillage(t, seed)
		done := map[string]int{}
		for n := range 60 {
			what := v.step(n)
			done[strings.Fields(what)[0]]++
			v.clock = v.clock.Add(time.Duration(v.IntN(15)) * time.Second)
			fresh := v.open(t)
			for _, who := range []string{"owner", "member"} {
				for _, page := range []string{"inbox?everybody=1", "inbox", "inbox?tab=reported&everybody=1", "inbox?tab=snoozed", "inbox?sort=cost"} {
					old, anew := v.ask(http.MethodGet, "/w/acme/"+page, who, ""), fresh.ask(http.MethodGet, "/w/acme/"+page, who, "")
					was, is := body(t, old), body(t, anew)
					if was != is || old.StatusCode != anew.StatusCode {
						t.Fatalf("seed %d, step %d (%s): %s as %s is\n%s\nof a new server\n%s", seed, n, what, page, who, was, is)
					}
				}
			}
			v.ok(fresh.s.Close())
		}
		v.ok(v.s.Close())
		t.Logf("seed %d: %v", seed, done)
	}
}

func body(t *testing.T, r *http.Response) string {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
