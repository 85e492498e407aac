// Package storetest holds every implementation of store.Store to one set of answers.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// Open gives an empty store, which the suite does not close.
type Open func(t *testing.T) store.Store

// Run puts every question to an implementation.
func Run(t *testing.T, open Open, only ...string) {
	for _, c := range []struct {
		name string
		test func(*world)
	}{
		{"users", users}, {"workspaces", workspaces}, {"vacated", vacated}, {"tokens", tokens}, {"tokens end", tokensEnd}, {"sessions", sessions}, {"tickets", tickets}, {"passkeys", passkeys}, {"recovery codes", recoveryCodes}, {"resets", resets}, {"invites", invites}, {"invite race", inviteRace}, {"identities", identities}, {"devices", devices}, {"audit", audit}, {"limits", limits}, {"persons", persons},
		{"push", push}, {"push nothing new", pushNothingNew}, {"push in pieces", pushInPieces}, {"push of a moved agent", pushMoved}, {"push of a renamed agent", pushRenamed},
		{"findings", findings}, {"push concurrently", pushConcurrently}, {"ids of two agents", twoAgents}, {"odd texts", oddTexts}, {"many records", manyRecords},
		{"trail", trail}, {"events", events}, {"never backwards", neverBackwards}, {"refused alone", refusedAlone},
		{"messages", messages}, {"syncs", syncs}, {"replies", replies}, {"asks", asks}, {"inbox", inbox}, {"inbox by cost", inboxCost}, {"lists", lists}, {"attachments", attachments}, {"files", files}, {"search", search}, {"search table", searchTable},
		{"roster", roster}, {"beats", beats}, {"newest", newest}, {"answers", answers}, {"usage", usage}, {"names", names}, {"whole", whole}, {"long tabs", longTabs},
		{"replays", replays}, {"clocks", clocks}, {"claims", claims}, {"many at once", manyAtOnce}, {"one record", oneRecord},
		{"decisions", decisions}, {"forms sent twice", formsTwice}, {"stale", stale}, {"barred", barred}, {"undo", undo}, {"overtaken", overtaken},
		{"reported", reported}, {"delivered", delivered}, {"decide concurrently", decideConcurrently}, {"decide by odd clocks", decideClocks},
		{"opened", opened}, {"drafts", drafts}, {"begun drafts", begunDrafts}, {"feedback", feedback}, {"feedback is bounded", feedbackBounded}, {"looking", looking}, {"snoozes", snoozes}, {"reported tab", reportedTab}, {"named", namedDecides},
		{"signing key", signingKey}, {"policy", policy}, {"list decisions", listDecisions}, {"decide what is odd", decideOdd}, {"desks concurrently", desksConcurrently},
		{"archive", archive}, {"grant a name", grantName}, {"move an agent", moveAgent}, {"move while pending", moveWhilePending},
		{"erase", erase}, {"erase what is odd", eraseOdd}, {"erase an attachment", eraseFile},
		{"places", places}, {"plans", plans}, {"sendings", sendings}, {"news that are over", overNews}, {"claim concurrently", claimConcurrently},
		{"figures", figures}, {"disposals", disposals}, {"exports", exports}, {"facts", facts}, {"blobs", blobs}, {"seq", seq}, {"clock", clock}, {"reindex", reindex}, {"state hash", stateHash},
	} {
		if len(only) > 0 && !slices.Contains(only, c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(newWorld(t, open(t)))
		})
	}
	if len(only) > 0 {
		return
	}
	t.Run("set-up", func(t *testing.T) { setups(t, open(t)) })
	t.Run("set-up otherwise", func(t *testing.T) { setupsOtherwise(t, open(t)) })
}

var ctx = context.Background()

// world is a store with a workspace, its owner Ana and its member Bo, and an agent's id.
type world struct {
	*testing.T
	s         store.Store
	workspace store.Workspace
	ana, bo   store.User
	agent     string
	clock     int64
}

const noon = 1795176000_000000 // 2026-11-20T12:00:00Z

func newWorld(t *testing.T, s store.Store) *world {
	w := &world{T: t, s: s, clock: noon, agent: "0d4f2a3c-1111-4222-8333-000000000001",
		workspace: store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme", Created: noon}}
	w.ana = w.user("ana@acme.example", "Ana")
	w.bo = w.user("bo@acme.example", "Bo")
	w.ok(s.AddWorkspace(ctx, w.act(), w.workspace, w.ana.ID))
	w.ok(s.SetMember(ctx, w.act(), w.workspace.ID, w.bo.ID, store.Member))
	return w
}

// act is Ana's, a second after the one before.
func (w *world) act() store.Act {
	w.clock += 1_000_000
	return store.Act{By: w.ana.ID, At: w.clock}
}

func (w *world) user(email, name string) store.User {
	w.Helper()
	u := store.User{ID: store.NewID(), Email: email, Name: name, Created: noon, NamedSince: noon}
	w.ok(w.s.AddUser(ctx, store.Act{At: noon}, u))
	return u
}

// reindexed derives everything again, which changes no ask: what each change derived is what all that came derives.
func (w *world) reindexed() {
	w.Helper()
	if changed := must(w.s.Reindex(ctx))(w); len(changed) > 0 {
		w.Errorf("deriving everything again changes asks: %+v", changed)
	}
}

func (w *world) ok(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// is ends the test unless err is the wanted one.
func (w *world) is(err, want error) {
	w.Helper()
	if !errors.Is(err, want) {
		w.Fatalf("error %v, want %v", err, want)
	}
}

func (w *world) same(what string, got, want any) {
	w.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		w.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// must returns an answer that may not be an error.
func must[T any](answer T, err error) func(*world) T {
	return func(w *world) T {
		w.Helper()
		if err != nil {
			w.Fatal(err)
		}
		return answer
	}
}

// body is an ingest; its lists are JSON texts, one record each.
type body struct {
	workspace, agent, name       string
	runs, asks, messages, events []string
	confirm                      bool
	charter                      string // further fields of agent.json, ",…"
}

func (w *world) text(b body) []byte {
	list := func(l []string) string { return "[" + strings.Join(l, ",") + "]" }
	quoted := func(s, other string) string {
		if s == "" {
			s = other
		}
		text, _ := json.Marshal(s)
		return string(text)
	}
	return fmt.Appendf(nil, `{"workspaceId":%s,"agent":{"id":%s,"name":%s%s},"runs":%s,"asks":%s,"messages":%s,"runEvents":%s,"confirmRename":%v}`,
		quoted(b.workspace, w.workspace.ID), quoted(b.agent, w.agent), quoted(b.name, "Reconciliation"), b.charter, list(b.runs), list(b.asks), list(b.messages), list(b.events), b.confirm)
}

func (w *world) try(b body) (store.PushResult, error) {
	w.Helper()
	text := w.text(b)
	read, err := figs.ReadPush(text)
	w.ok(err)
	return w.s.Push(ctx, store.Push{Workspace: read.Workspace, Act: w.act(), Digest: store.Hash(string(text)), Body: read})
}

func (w *world) push(b body) store.PushResult {
	w.Helper()
	return must(w.try(b))(w)
}

func (w *world) record(file figs.File, id string) *store.Record {
	w.Helper()
	return must(w.s.Record(ctx, w.agent, file, id))(w)
}

// reply mints a verdict or an answer of Ana's.
func (w *world) reply(id, ask, fields string) {
	w.Helper()
	act := w.act()
	line := fmt.Sprintf(`{"id":%q,"ask":%q,"by":"Ana","ts":%q,"source":"app",%s}`, id, ask, stamp(act.At), fields)
	must(w.s.Reply(ctx, act, w.agent, []byte(line)))(w)
}

// stamp writes an instant of the test's day.
func stamp(at int64) string {
	s := (at - noon) / 1_000_000
	return fmt.Sprintf("2026-11-20T%02d:%02d:%02dZ", 12+s/3600, s/60%60, s%60)
}

// now is the clock of an agent that is right.
func (w *world) now() string { w.clock += 1_000_000; return stamp(w.clock) }

const (
	aRun      = `{"id":"r","ts":"2026-11-20T10:00:00Z","title":"October","result":"98% matched","status":"warn"}`
	anAsk     = `{"id":"a","type":"sign-off","title":"Send it","ts":"2026-11-20T10:00:00Z","run":"r","onApprove":["send"]}`
	aQuestion = `{"id":"q","type":"question","title":"Which?","ts":"2026-11-20T10:30:00Z","options":["x","y"]}`
	anAnswer  = `{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","chosen":"x"}`
)
