package accounts

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

var errDisk = errors.New("the disk is full")

// attempt is what was asked of a store's limits.
type attempt struct {
	key    string
	window int64
	max    int
}

// memory is a store of one person in memory; fails names a method that fails.
type memory struct {
	store.Users
	store.Workspaces
	user      store.User
	attempts  []attempt
	full      string // of this limit no more may be tried
	forgiven  []string
	codes     []string // hashes of recovery codes that are good
	setup     string   // hash of the set-up link
	expires   int64    // when that link or the reset link ends
	founded   store.Workspace
	reset     store.Ticket
	roles     map[string]store.Role
	changed   string // the password that somebody set while another was given
	act       store.Act
	invited   store.InviteAcceptance
	fails     string
	rehashErr error
}

func (m *memory) fail(method string) error {
	if m.fails == method {
		return errDisk
	}
	return nil
}

func (m *memory) UserByEmail(_ context.Context, email string) (store.User, error) {
	if err := m.fail("UserByEmail"); err != nil {
		return store.User{}, err
	}
	if email != m.user.Email {
		return store.User{}, store.ErrNotFound
	}
	return m.user, nil
}

func (m *memory) User(context.Context, string) (store.User, error) { return m.user, m.fail("User") }

func (m *memory) Rehash(_ context.Context, _, before, after string) error {
	if m.rehashErr != nil {
		m.user.Password = m.changed
		return m.rehashErr
	}
	if before != m.user.Password {
		return store.ErrNotFound
	}
	m.user.Password = after
	return nil
}

func (m *memory) Attempt(_ context.Context, key string, _, window int64, most int) (int64, error) {
	m.attempts = append(m.attempts, attempt{key, window, most})
	if key == m.full {
		return window, nil
	}
	return 0, m.fail("Attempt")
}

func (m *memory) ClearAttempts(_ context.Context, key string) error {
	m.forgiven = append(m.forgiven, key)
	return m.fail("Forgive")
}

func (m *memory) SetRecoveryCodes(_ context.Context, act store.Act, _ string, hashes []string) error {
	m.act, m.codes = act, hashes
	return nil
}

func (m *memory) RecoveryCodes(context.Context, string) (store.RecoveryCodeCount, error) {
	return store.RecoveryCodeCount{}, nil
}

func (m *memory) UseRecoveryCode(_ context.Context, act store.Act, _, hash string) (int, error) {
	m.act = act
	i := slices.Index(m.codes, hash)
	if i < 0 {
		return 0, errors.Join(store.ErrNotFound, m.fail("UseRecoveryCode"))
	}
	m.codes = slices.Delete(m.codes, i, i+1)
	return len(m.codes), m.fail("UseRecoveryCode")
}

func (m *memory) OfferReset(_ context.Context, _ store.Act, t store.Ticket, _ store.Reset) error {
	m.reset = t
	return nil
}

func (m *memory) SetSetup(_ context.Context, hash string, expires int64) error {
	m.setup, m.expires = hash, expires
	return nil
}

func (m *memory) Setup(_ context.Context, hash string, at int64) error {
	if hash != m.setup || at >= m.expires {
		return store.ErrNotFound
	}
	return nil
}

func (m *memory) UseSetup(_ context.Context, act store.Act, _ string, u store.User, w store.Workspace) error {
	m.act, m.user, m.founded = act, u, w
	return nil
}

func (m *memory) Role(_ context.Context, workspace, user string) (store.Role, error) {
	if role := m.roles[user]; role != "" && workspace == "w" {
		return role, m.fail("Role")
	}
	return "", store.ErrNotFound
}

// invites are those of a store in memory.
type invites struct {
	store.Invites
	*memory
}

func (i invites) AcceptInvite(_ context.Context, act store.Act, _ string, j store.InviteAcceptance) error {
	i.act, i.invited = act, j
	return nil
}

// ada is a store that knows Ada, whose password is "correct horse battery", at a cheap cost.
func ada(t *testing.T) *memory {
	t.Helper()
	was := today
	t.Cleanup(func() { today = was })
	UseCheapHashesForTests()
	encoded, err := HashPassword(ctx, "correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	return &memory{user: store.User{ID: "u1", Email: "ada@example.org", Name: "Ada", Password: encoded}}
}

// outdated is the same password at a cost that is less than today's.
func outdated(t *testing.T) string {
	t.Helper()
	older := today
	older.memory /= 2
	salt := []byte(strings.Repeat("s", saltBytes))
	key, err := derive(ctx, "correct horse battery", salt, older, keyBytes)
	if err != nil {
		t.Fatal(err)
	}
	return encode(older, salt, key)
}

// gone is the context of somebody who has gone while every place in the queue of hashes is taken.
func gone(t *testing.T) context.Context {
	t.Helper()
	for range cap(slots) {
		slots <- struct{}{}
	}
	t.Cleanup(func() {
		for range cap(slots) {
			<-slots
		}
	})
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx
}
