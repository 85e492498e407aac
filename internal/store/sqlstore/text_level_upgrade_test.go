//go:build unix

package sqlstore

import (
	"slices"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// TestTextLevelUpgrade tests that workspaces keep what their notifications said before there were levels.
func TestTextLevelUpgrade(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { upgradeTextLevel(t, inFile(t)) })
	t.Run("postgres", func(t *testing.T) { upgradeTextLevel(t, inPostgres(t, storetest.SharedPostgres(t))) })
}

func upgradeTextLevel(t *testing.T, p testDB) {
	old, err := p.raw()
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	steps, err := sqldb.MigrationSteps(sqldb.Migrations, old.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	before := slices.IndexFunc(steps, func(m sqldb.Migration) bool { return m.Name == "chat" })
	if err := old.ApplySteps(ctx, steps[:before]); err != nil {
		t.Fatal(err)
	}
	for slug, words := range map[string]string{"quiet": "0", "open": "1"} {
		if _, err := old.Write.Exec(`INSERT INTO workspaces (id, slug, name, seq, roster, created_at, deleted_at, tell_words) VALUES ('` + store.NewID() + `', '` + slug + `', 'W', 0, 0, 1, 0, ` + words + `)`); err != nil {
			t.Fatal(err)
		}
	}
	s, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for slug, want := range map[string]store.TextLevel{"quiet": store.TextLink, "open": store.TextEverywhere} {
		if w, err := s.Workspace(ctx, slug); err != nil || w.Text != want {
			t.Errorf("%s: %s, %v; want %s", slug, w.Text, err, want)
		}
	}
}
