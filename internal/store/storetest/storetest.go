// Package storetest is the conformance suite of store.Store, and starts PostgreSQL for tests.
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

// Open returns an empty store, which the suite doesn't close.
type Open func(t *testing.T) store.Store

// Run tests an implementation; only selects cases by name.
func Run(t *testing.T, open Open, only ...string) {
	for _, c := range []struct {
		name string
		test func(*fixture)
	}{
		{"users", users}, {"workspaces", workspaces}, {"former members", formerMembers}, {"tokens", tokens}, {"token expiry", tokenExpiry}, {"sessions", sessions}, {"tickets", tickets}, {"passkeys", passkeys}, {"recovery codes", recoveryCodes}, {"resets", resets}, {"invites", invites}, {"invite race", inviteRace}, {"identities", identities}, {"devices", devices}, {"audit", audit}, {"saved views", savedViews}, {"rate limits", rateLimits}, {"user changes", userChanges},
		{"push", push}, {"push nothing new", pushNothingNew}, {"push in pieces", pushInPieces}, {"push of a moved agent", pushMoved}, {"push of a renamed agent", pushRenamed},
		{"findings", findings}, {"push concurrently", pushConcurrently}, {"ids of two agents", twoAgents}, {"odd texts", oddTexts}, {"many records", manyRecords},
		{"trail", trail}, {"events", events}, {"never backwards", neverBackwards}, {"refused alone", refusedAlone},
		{"messages", messages}, {"syncs", syncs}, {"replies", replies}, {"asks", asks}, {"inbox", inbox}, {"inbox by total wait", inboxByTotalWait}, {"lists", lists}, {"attachments", attachments}, {"files", files}, {"search", search}, {"search table", searchTable}, {"search pages", searchPages}, {"search rights", searchRights}, {"search as plain", searchAsPlain}, {"ask titles", askTitles},
		{"roster", roster}, {"hourly activity", hourlyActivity}, {"latest jobs", latestJobs}, {"agent figures", agentFigures}, {"answer times", answerTimes}, {"token usage", tokenUsage}, {"user names", userNames}, {"full records", fullRecords}, {"long tabs", longTabs},
		{"repeated pushes", repeatedPushes}, {"odd clocks", oddClocks}, {"claimed verified", claimedVerified}, {"many at once", manyAtOnce}, {"one record", oneRecord},
		{"decisions", decisions}, {"repeated forms", repeatedForms}, {"stale", stale}, {"rejected", rejected}, {"undo", undo}, {"changed while pending", changedWhilePending},
		{"reported", reported}, {"delivery", delivery}, {"decide concurrently", decideConcurrently}, {"decide with odd clocks", decideOddClocks},
		{"attachment views", attachmentViews}, {"drafts", drafts}, {"program drafts", programDrafts}, {"feedback", feedback}, {"feedback limit", feedbackLimit}, {"claims", claims}, {"snoozes", snoozes}, {"handovers", handovers}, {"ask notes", askNotes}, {"follow-ups", followUps}, {"reported tab", reportedTab}, {"reported names", reportedNames},
		{"signing key", signingKey}, {"policy", policy}, {"reports", reports}, {"list decisions", listDecisions}, {"decide invalid", decideInvalid}, {"review concurrently", reviewConcurrently},
		{"archive", archive}, {"allow a name", allowName}, {"move an agent", moveAgent}, {"move while pending", moveWhilePending},
		{"erase", erase}, {"erase invalid", eraseInvalid}, {"erase an attachment", eraseAttachment},
		{"destinations", destinations}, {"notification plan", notificationPlan}, {"sending notifications", sendNotifications}, {"outdated notifications", outdatedNotifications}, {"notification list", notificationList}, {"claim concurrently", claimConcurrently}, {"chat channels", chatChannels}, {"chat choice", chatChoice}, {"notification groups", groupNotifications}, {"notification groups at once", groupConcurrently}, {"text levels", textLevels},
		{"stats", stats}, {"deleted workspaces", deletedWorkspaces}, {"exports", exports}, {"facts", facts}, {"blobs", blobs}, {"seq", seq}, {"changes", changes}, {"changed records", changedRecords}, {"clock", clock}, {"reindex", reindex}, {"state hash", stateHash},
	} {
		if len(only) > 0 && !slices.Contains(only, c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(newFixture(t, open(t)))
		})
	}
	if len(only) > 0 {
		return
	}
	t.Run("set-up", func(t *testing.T) { setup(t, open(t)) })
	t.Run("set-up ended by user", func(t *testing.T) { setupEndedByUser(t, open(t)) })
}

var ctx = context.Background()

// fixture is a store with a workspace, its owner Ana and its member Bo, and the id of an agent.
type fixture struct {
	*testing.T
	s         store.Store
	workspace store.Workspace
	ana, bo   store.User
	agent     string
	clock     int64
}

const noon = 1795176000_000000 // 2026-11-20T12:00:00Z

func newFixture(t *testing.T, s store.Store) *fixture {
	w := &fixture{T: t, s: s, clock: noon, agent: "0d4f2a3c-1111-4222-8333-000000000001",
		workspace: store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme", Created: noon}}
	w.ana = w.user("ana@acme.example", "Ana")
	w.bo = w.user("bo@acme.example", "Bo")
	w.ok(s.AddWorkspace(ctx, w.act(), w.workspace, w.ana.ID))
	w.ok(s.SetMember(ctx, w.act(), w.workspace.ID, w.bo.ID, store.Member))
	return w
}

// act returns an act of Ana, a second after the previous one.
func (w *fixture) act() store.Act {
	w.clock += 1_000_000
	return store.Act{By: w.ana.ID, At: w.clock}
}

func (w *fixture) user(email, name string) store.User {
	w.Helper()
	u := store.User{ID: store.NewID(), Email: email, Name: name, Created: noon, NamedSince: noon}
	w.ok(w.s.AddUser(ctx, store.Act{At: noon}, u))
	return u
}

// reindex runs Reindex, which must change no ask, because every change derives the same data.
func (w *fixture) reindex() {
	w.Helper()
	if changed := must(w.s.Reindex(ctx))(w); len(changed) > 0 {
		w.Errorf("deriving everything again changes asks: %+v", changed)
	}
}

func (w *fixture) ok(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// wantError ends the test unless err is want.
func (w *fixture) wantError(err, want error) {
	w.Helper()
	if !errors.Is(err, want) {
		w.Fatalf("error %v, want %v", err, want)
	}
}

func (w *fixture) same(what string, got, want any) {
	w.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		w.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// must returns the answer, or ends the test if there is an error.
func must[T any](answer T, err error) func(*fixture) T {
	return func(w *fixture) T {
		w.Helper()
		if err != nil {
			w.Fatal(err)
		}
		return answer
	}
}

// pushBody is the body of a push; its lists are JSON texts, one per record.
type pushBody struct {
	workspace, agent, name       string
	runs, asks, messages, events []string
	confirm                      bool
	charter                      string // further fields of agent.json, ",…"
}

func (w *fixture) encode(b pushBody) []byte {
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

func (w *fixture) tryPush(b pushBody) (store.PushResult, error) {
	w.Helper()
	text := w.encode(b)
	read, err := figs.ReadPush(text)
	w.ok(err)
	return w.s.Push(ctx, store.Push{Workspace: read.Workspace, Act: w.act(), Digest: store.Hash(string(text)), Body: read})
}

func (w *fixture) push(b pushBody) store.PushResult {
	w.Helper()
	return must(w.tryPush(b))(w)
}

func (w *fixture) record(file figs.File, id string) *store.Record {
	w.Helper()
	return must(w.s.Record(ctx, w.agent, file, id))(w)
}

// reply adds a verified reply of Ana.
func (w *fixture) reply(id, ask, fields string) {
	w.Helper()
	act := w.act()
	line := fmt.Sprintf(`{"id":%q,"ask":%q,"by":"Ana","ts":%q,"source":"app",%s}`, id, ask, timestamp(act.At), fields)
	must(w.s.Reply(ctx, act, w.agent, []byte(line)))(w)
}

// timestamp formats a time of the test's day.
func timestamp(at int64) string {
	s := (at - noon) / 1_000_000
	return fmt.Sprintf("2026-11-20T%02d:%02d:%02dZ", 12+s/3600, s/60%60, s%60)
}

// nextTimestamp returns the time of an agent whose clock is right, a second after the previous one.
func (w *fixture) nextTimestamp() string { w.clock += 1_000_000; return timestamp(w.clock) }

const (
	aRun      = `{"id":"r","ts":"2026-11-20T10:00:00Z","title":"October","result":"98% matched","status":"warn"}`
	anAsk     = `{"id":"a","type":"sign-off","title":"Send it","ts":"2026-11-20T10:00:00Z","run":"r","onApprove":["send"]}`
	aQuestion = `{"id":"q","type":"question","title":"Which?","ts":"2026-11-20T10:30:00Z","options":["x","y"]}`
	anAnswer  = `{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","chosen":"x"}`
)
