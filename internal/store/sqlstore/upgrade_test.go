//go:build unix

package sqlstore

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// Ids of the people in testdata/upgrade, which has what programs of that time wrote, step by step.
const (
	upgradeAna       = "11111111-1111-4111-8111-111111111111"
	upgradeBo        = "22222222-2222-4222-8222-222222222222"
	upgradeWorkspace = "33333333-3333-4333-8333-333333333333"
	upgradeAgent     = "0d4f2a3c-1111-4222-8333-000000000001"
	upgradeSince     = 1795176000_000000 // when it all began
	upgradeNow       = upgradeSince + 3600_000000
)

// released are the last steps of releases. Steps 2 and 3 came in one release.
var released = []int{1, 3, 4, 5, 6}

// testDB is a database: open opens it with the current program, and raw connects to it without any migration.
type testDB struct {
	open func() (*Store, error)
	raw  func() (*Store, error)
}

func inFile(t *testing.T) testDB {
	file := filepath.Join(t.TempDir(), "figs.db")
	return testDB{
		open: func() (*Store, error) { return OpenSQLite(ctx, file) },
		raw: func() (*Store, error) {
			db, err := sql.Open("sqlite", sqldb.FileURI(file)+"_pragma=foreign_keys(1)&_pragma=journal_mode(wal)&_txlock=immediate")
			return &Store{DB: &sqldb.DB{Write: db, Read: db, Dialect: sqldb.SQLite{}}}, err
		},
	}
}

func inPostgres(t *testing.T, p *storetest.Postgres) testDB {
	return inPostgresAt(p.Database(t))
}

func inPostgresAt(connection string) testDB {
	return testDB{
		open: func() (*Store, error) { return OpenPostgres(ctx, connection, sqldb.PostgresOptions{}) },
		raw: func() (*Store, error) {
			db, err := sql.Open("pgx", connection)
			return &Store{DB: &sqldb.DB{Write: db, Read: db, Dialect: sqldb.PostgreSQL{}}}, err
		},
	}
}

// TestUpgrade tests that a database of any release is migrated when it is opened, and answers as it did before.
func TestUpgrade(t *testing.T) {
	for _, last := range released {
		t.Run(fmt.Sprint(last), func(t *testing.T) { upgradedFrom(t, last, inFile(t)) })
	}
}

func TestUpgradePostgres(t *testing.T) {
	p := storetest.SharedPostgres(t)
	for _, last := range released {
		t.Run(fmt.Sprint(last), func(t *testing.T) { upgradedFrom(t, last, inPostgres(t, p)) })
	}
}

func upgradedFrom(t *testing.T, last int, p testDB) {
	p.fillAtStep(t, last)
	s, err := p.open()
	if err != nil {
		t.Fatalf("a database of step %d: %v", last, err)
	}
	defer s.Close()
	checkPeople(t, s)
	if last >= 3 {
		checkRecords(t, s)
	}
	if last >= 4 {
		checkReviewActivity(t, s, last)
	}
	if last >= 6 {
		list, err := s.ListFeedback(ctx, upgradeWorkspace)
		if err != nil || len(list) != 1 || list[0].Text != "The wait was long." {
			t.Errorf("feedback: %+v, %v", list, err)
		}
	}
	if _, err := s.Reindex(ctx); err != nil {
		t.Error(err)
	}
	if last >= 3 {
		checkRecords(t, s)
	}
	checkFurtherPushes(t, s)
}

// TestUpgradeInterrupted tests that a program that is killed between or during steps leaves a database that the next one
// can migrate, and that several programs can migrate an old database at once.
func TestUpgradeInterrupted(t *testing.T) {
	p := inFile(t)
	p.fillAtStep(t, 3)
	s, err := p.raw()
	if err != nil {
		t.Fatal(err)
	}
	all, err := sqldb.MigrationSteps(sqldb.Migrations, s.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ApplySteps(ctx, all[:5]); err != nil { // two more, and then the power fails
		t.Fatal(err)
	}
	tx, err := s.Write.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sqldb.ApplyNextStep(ctx, tx, all); err != nil { // within a step
		t.Fatal(err)
	}
	if err := errors.Join(tx.Rollback(), s.Close()); err != nil {
		t.Fatal(err)
	}
	openConcurrently(t, p.open)
	if s, err = p.open(); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	checkPeople(t, s)
	checkRecords(t, s)
	checkFurtherPushes(t, s)
}

func TestUpgradeAtOncePostgres(t *testing.T) {
	p := inPostgres(t, storetest.SharedPostgres(t))
	p.fillAtStep(t, 3)
	openConcurrently(t, p.open)
	s, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	checkRecords(t, s)
}

// fillAtStep migrates an empty database to a step, and fills it as programs of that time did.
func (p testDB) fillAtStep(t *testing.T, last int) {
	t.Helper()
	s, err := p.raw()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all, err := sqldb.MigrationSteps(sqldb.Migrations, s.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ApplySteps(ctx, all[:last]); err != nil {
		t.Fatal(err)
	}
	for no := range last + 1 {
		s.fill(t, fmt.Sprintf("%04d_*.sql", no))
	}
}

// fill runs the statements in testdata/upgrade for a step, in the database's dialect.
func (s *Store) fill(t *testing.T, pattern string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata/upgrade", pattern))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if other := filepath.Ext(name[:len(name)-len(".sql")]); other != "" && other != "."+s.Dialect.Name() {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Write.Exec(s.Dialect.Placeholders().Replace(string(text))); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// checkPeople checks sign-in, tokens, sessions, roles and the audit log.
func checkPeople(t *testing.T, s *Store) {
	t.Helper()
	ana, err := accounts.SignIn(ctx, s, "Ana@acme.example", "four words make one", accounts.ClientInfo{Address: "192.0.2.9"}, upgradeNow)
	if err != nil || ana.ID != upgradeAna || ana.Name != "Ana K" || ana.NamedSince != upgradeSince {
		t.Errorf("signing in by password: %+v, %v", ana, err)
	}
	if _, err := accounts.SignIn(ctx, s, "ana@acme.example", "four words make two", accounts.ClientInfo{Address: "192.0.2.9"}, upgradeNow); err == nil {
		t.Error("signed in by another password")
	}
	token, err := s.UseToken(ctx, store.Hash("the token of ci"), "192.0.2.9", upgradeNow)
	if err != nil || token.User != upgradeAna || token.Name != "ci" {
		t.Errorf("a token: %+v, %v", token, err)
	}
	if _, err := s.UseToken(ctx, store.Hash("the token that was revoked"), "192.0.2.9", upgradeNow); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a token that was revoked: %v", err)
	}
	session, err := s.Session(ctx, store.Hash("the cookie of Ana"), upgradeNow)
	if err != nil || session.User != upgradeAna || accounts.ParseSessionData(session.Data).Workspace != upgradeWorkspace || session.Method != store.MethodPassword ||
		session.Used != upgradeSince || accounts.IsFresh(session.Proved, upgradeNow) {
		t.Errorf("a session: %+v, %v", session, err)
	}
	for person, want := range map[string]store.Role{upgradeAna: store.Owner, upgradeBo: store.Member} {
		if role, err := s.Role(ctx, upgradeWorkspace, person); err != nil || role != want {
			t.Errorf("%s is %s, %v, want %s", person, role, err, want)
		}
	}
	for _, workspace := range []string{"", upgradeWorkspace} {
		if chain, err := s.VerifyAudit(ctx, workspace); err != nil || chain.Broken != 0 || chain.Rows < 4 {
			t.Errorf("the audit of %q: %+v, %v", workspace, chain, err)
		}
	}
}

// checkRecords compares pushed data and decisions with a database that the current program filled.
func checkRecords(t *testing.T, s *Store) {
	t.Helper()
	fresh := filledToday(t)
	want, err := fresh.StateHash(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.StateHash(ctx); err != nil || got != want {
		t.Errorf("the state hash is %s, %v, want that of today's database, %s", got, err, want)
	}
	for _, tab := range []store.Tab{store.TabNeeds, store.TabReported, store.TabWaiting, store.TabClosed} {
		query := store.InboxQuery{Workspace: upgradeWorkspace, Tab: tab}
		if diff := cmp.Diff(itemsOf(t, fresh, query), itemsOf(t, s, query)); diff != "" {
			t.Errorf("the inbox (-today's +upgraded):\n%s", diff)
		}
	}
	agent, err := s.Agent(ctx, upgradeAgent)
	if err != nil {
		t.Fatal(err)
	}
	if today, err := fresh.Agent(ctx, upgradeAgent); err != nil || cmp.Diff(today.Counts, agent.Counts) != "" {
		t.Errorf("what is counted (-today's +upgraded): %v\n%s", err, cmp.Diff(today.Counts, agent.Counts))
	}
	found, err := s.Search(ctx, store.SearchQuery{Workspace: upgradeWorkspace, Text: "balances"})
	if err != nil || len(found.Hits) != 1 {
		t.Errorf("search: %+v, %v", found, err)
	}
	messages, err := s.Messages(ctx, upgradeAgent)
	if err != nil || len(messages) != 3 {
		t.Errorf("replies: %+v, %v", messages, err)
	}
	if made, err := s.Decision(ctx, upgradeAgent, "decision-1"); err != nil || made.Ask != "send" || !bytes.Contains(made.Notes, []byte("ticked")) {
		t.Errorf("the decision: %+v, %v", made, err)
	}
	if agent, _, err := s.KnownPush(ctx, store.Hash(string(upgradePushes(t)[1]))); err != nil || agent != upgradeAgent {
		t.Errorf("the push that came last is not known: %q, %v", agent, err)
	}
}

// itemsOf returns the items of a tab of the inbox as text.
func itemsOf(t *testing.T, s *Store, query store.InboxQuery) (said []string) {
	t.Helper()
	in, err := s.Inbox(ctx, query)
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range in.Items {
		said = append(said, fmt.Sprint(item.Agent, " ", item.ReportedBy, " ", item.Round, " ", item.Since, " ", string(item.Fold)))
	}
	return append(said, fmt.Sprint(in.Total, " ", in.Reported))
}

// checkReviewActivity checks views, drafts, claims and snoozes.
func checkReviewActivity(t *testing.T, s *Store, last int) {
	t.Helper()
	draft, err := s.Draft(ctx, upgradeAna, upgradeAgent, "later")
	if err != nil || draft.Text != "Not before Monday." || draft.Verdict != "declined" || draft.Token != "" {
		t.Errorf("a draft: %+v, %v", draft, err)
	}
	if draft, err := s.Draft(ctx, upgradeBo, upgradeAgent, "named"); err != nil || (draft.Token != "") != (last >= 6) {
		t.Errorf("a program's draft: %+v, %v", draft, err)
	}
	if claims, err := s.Claims(ctx, upgradeAgent, "later", upgradeSince+60_000000); err != nil || len(claims) != 1 || claims[0].By != upgradeAna {
		t.Errorf("who looks at an ask: %+v, %v", claims, err)
	}
	if until, err := s.Snoozed(ctx, upgradeAna, upgradeAgent, "later", upgradeNow); err != nil || until == 0 {
		t.Errorf("an ask that was put off: %d, %v", until, err)
	}
	if opened, err := s.AttachmentViews(ctx, upgradeWorkspace, upgradeAna, []string{store.Hash("<p>October</p>")}); err != nil || len(opened) != 1 {
		t.Errorf("what was opened: %+v, %v", opened, err)
	}
	seed := bytes.Repeat([]byte("seed"), 8)
	if got, _, err := s.SigningKey(ctx, bytes.Repeat([]byte("else"), 8), upgradeNow); err != nil || !bytes.Equal(got, seed) {
		t.Errorf("the key that signs receipts is %q, %v", got, err)
	}
	if w, err := s.Workspace(ctx, "acme"); err != nil || !w.TickEveryStep || w.StepUp || w.Text != store.TextLink {
		t.Errorf("what the workspace's people have set: %+v, %v", w, err)
	}
}

// checkFurtherPushes pushes again and verifies the audit log.
func checkFurtherPushes(t *testing.T, s *Store) {
	t.Helper()
	body := bytes.Replace(upgradePushes(t)[0], []byte(`"id":"later"`), []byte(`"id":"newer"`), 1)
	pushInto(t, s, body, upgradeNow)
	in, err := s.Inbox(ctx, store.InboxQuery{Workspace: upgradeWorkspace, Tab: store.TabNeeds})
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range in.Items {
		if bytes.Contains(item.Fold, []byte(`"newer"`)) {
			return
		}
	}
	t.Errorf("an ask that was pushed after the upgrade is not in the inbox: %+v", in.Items)
}

func upgradePushes(t *testing.T) [][]byte {
	t.Helper()
	text, err := os.ReadFile("testdata/upgrade/pushes.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
}

func pushInto(t *testing.T, s *Store, body []byte, at int64) {
	t.Helper()
	read, err := figs.ReadPush(body)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Push(ctx, store.Push{Workspace: upgradeWorkspace, Act: store.Act{By: upgradeAna, At: at}, Digest: store.Hash(string(body)), Body: read}); err != nil {
		t.Fatal(err)
	}
}

// filledToday returns a database of the current program with the pushes, the file and the replies of testdata/upgrade.
func filledToday(t *testing.T) *Store {
	t.Helper()
	s := openSQLite(t)
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	second := int64(0)
	act := func() store.Act { second++; return store.Act{By: upgradeAna, At: upgradeSince + second*1_000_000} }
	ok(s.AddUser(ctx, store.Act{At: upgradeSince}, store.User{ID: upgradeAna, Email: "ana@acme.example", Name: "Ana K", Created: upgradeSince}))
	ok(s.AddWorkspace(ctx, act(), store.Workspace{ID: upgradeWorkspace, Slug: "acme", Name: "Acme", Created: upgradeSince}, upgradeAna))
	second = 5 // as in the fixtures
	for _, body := range upgradePushes(t) {
		pushInto(t, s, body, act().At)
	}
	at := act()
	_, err := s.Attach(ctx, at, store.Attachment{Agent: upgradeAgent, Name: "report.html", SHA256: store.Hash("<p>October</p>"), Size: 14, Uploaded: at.At, PushedBy: upgradeAna}, "October balances")
	ok(err)
	for _, line := range []string{
		`{"id":"reply-1","ask":"which","by":"Ana K","ts":"2026-11-20T12:30:00Z","source":"app","kind":"answer","chosen":"x"}`,
		`{"id":"decision-1","ask":"send","by":"Ana K","ts":"2026-11-20T12:40:00Z","source":"app","kind":"verdict","verdict":"approved"}`,
	} {
		_, err := s.Reply(ctx, act(), upgradeAgent, []byte(line))
		ok(err)
	}
	return s
}
