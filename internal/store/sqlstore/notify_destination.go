package sqlstore

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const destinationColumns = `p.id, p.person, p.kind, p.name, p.target, p.secret, p.digest, p.created_at, p.confirmed_at, p.failing_since, p.disabled_at`

func destinationFields(p *store.Destination) []any {
	return []any{&p.ID, &p.Person, (*string)(&p.Kind), &p.Name, &p.Target, &p.Secret, &p.Digest, &p.Created, &p.Confirmed, &p.Failing, &p.Disabled}
}

func scanDestination(r sqldb.Scanner, p *store.Destination) error {
	return r.Scan(destinationFields(p)...)
}

// AddDestination implements store.Notifications.
func (s *Store) AddDestination(ctx context.Context, act store.Act, p store.Destination) error {
	return s.update(ctx, func(c *storeTx) error {
		// Changes nothing, but locks the row until the commit, so that concurrent calls count each other's destinations.
		if err := c.ExecOne(ctx, `UPDATE users SET name = name WHERE id = $1`, sqldb.CleanText(p.Person)); err != nil {
			return err
		}
		if p.Confirmed == 0 {
			if _, err := c.Exec(ctx, `DELETE FROM notify_places WHERE person = $1 AND kind = $2 AND target = $3 AND confirmed_at = 0`, sqldb.CleanText(p.Person), string(p.Kind), sqldb.CleanText(p.Target)); err != nil {
				return err
			}
		}
		var n int
		if err := c.Row(ctx, `SELECT count(*) FROM notify_places WHERE person = $1`, sqldb.CleanText(p.Person)).Scan(&n); err != nil {
			return err
		}
		if n >= store.MaxDestinations {
			return store.ErrLimitReached
		}
		_, err := c.Exec(ctx, `INSERT INTO notify_places (id, person, kind, name, target, secret, digest, confirm, confirm_until, confirmed_at, created_at, failing_since, disabled_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0)`,
			p.ID, sqldb.CleanText(p.Person), string(p.Kind), sqldb.CleanText(p.Name), sqldb.CleanText(p.Target), sqldb.CleanText(p.Secret), p.Digest, p.Confirm, p.ConfirmUntil, p.Confirmed, p.Created)
		if err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "place.add", p.ID+" "+string(p.Kind))
	})
}

// Destination implements store.Notifications.
func (s *Store) Destination(ctx context.Context, person, id string) (p store.Destination, err error) {
	return p, scanDestination(s.Row(ctx, `SELECT `+destinationColumns+` FROM notify_places p WHERE p.id = $1 AND p.person = $2`, sqldb.CleanText(id), sqldb.CleanText(person)), &p)
}

// Destinations implements store.Notifications.
func (s *Store) Destinations(ctx context.Context, person string) ([]store.Destination, error) {
	rows, err := s.Rows(ctx, `SELECT `+destinationColumns+` FROM notify_places p WHERE p.person = $1 ORDER BY p.created_at, p.id`, sqldb.CleanText(person))
	return sqldb.Collect(rows, err, scanDestination)
}

// ConfirmDestination implements store.Notifications.
func (s *Store) ConfirmDestination(ctx context.Context, act store.Act, person, hash string) (p store.Destination, err error) {
	err = s.update(ctx, func(c *storeTx) error {
		var id string
		if err := c.Row(ctx, `UPDATE notify_places SET confirmed_at = $3, confirm = '', confirm_until = 0
			WHERE person = $1 AND confirm = $2 AND confirm <> '' AND confirm_until > $3 RETURNING id`, sqldb.CleanText(person), sqldb.CleanText(hash), act.At).Scan(&id); err != nil {
			return err
		}
		if err := scanDestination(c.Row(ctx, `SELECT `+destinationColumns+` FROM notify_places p WHERE p.id = $1`, id), &p); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "place.confirm", p.ID)
	})
	return p, err
}

// SetDestinationSecret implements store.Notifications. The audit log records the change, not the secret.
func (s *Store) SetDestinationSecret(ctx context.Context, act store.Act, person, id, secret string) error {
	return s.update(ctx, func(c *storeTx) error {
		if err := c.ExecOne(ctx, `UPDATE notify_places SET secret = $3 WHERE id = $1 AND person = $2`, sqldb.CleanText(id), sqldb.CleanText(person), sqldb.CleanText(secret)); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "place.rotate", sqldb.CleanText(id))
	})
}

// SetDestinationDigest implements store.Notifications.
func (s *Store) SetDestinationDigest(ctx context.Context, act store.Act, person, id string, hour int) error {
	return s.update(ctx, func(c *storeTx) error {
		if err := c.ExecOne(ctx, `UPDATE notify_places SET digest = $3 WHERE id = $1 AND person = $2`, sqldb.CleanText(id), sqldb.CleanText(person), hour); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "place.digest", sqldb.CleanText(id))
	})
}

// RemoveDestination implements store.Notifications.
func (s *Store) RemoveDestination(ctx context.Context, act store.Act, person, id string) error {
	return s.update(ctx, func(c *storeTx) error {
		if err := c.ExecOne(ctx, `DELETE FROM notify_places WHERE id = $1 AND person = $2`, sqldb.CleanText(id), sqldb.CleanText(person)); err != nil {
			return err
		}
		for _, query := range []string{`DELETE FROM notify_wishes WHERE place = $1 AND person = $2`, `DELETE FROM notify_outbox WHERE place = $1 AND person = $2`} {
			if _, err := c.Exec(ctx, query, sqldb.CleanText(id), sqldb.CleanText(person)); err != nil {
				return err
			}
		}
		return c.Audit(ctx, act, "", "place.remove", sqldb.CleanText(id))
	})
}

// NotificationSettings implements store.Notifications.
func (s *Store) NotificationSettings(ctx context.Context, person string) ([]store.NotificationSetting, error) {
	rows, err := s.Rows(ctx, `SELECT place, workspace, event, wanted FROM notify_wishes WHERE person = $1 ORDER BY place, workspace, event`, sqldb.CleanText(person))
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, w *store.NotificationSetting) error {
		var wanted int
		err := r.Scan(&w.Destination, &w.Workspace, (*string)(&w.Event), &wanted)
		w.Wanted = wanted != 0
		return err
	})
}

// SetNotificationSettings implements store.Notifications.
func (s *Store) SetNotificationSettings(ctx context.Context, act store.Act, person, workspace string, settings []store.NotificationSetting) error {
	return s.update(ctx, func(c *storeTx) error {
		if _, err := c.Exec(ctx, `DELETE FROM notify_wishes WHERE person = $1 AND workspace = $2`, sqldb.CleanText(person), sqldb.CleanText(workspace)); err != nil {
			return err
		}
		var rows [][]any
		for _, w := range settings {
			rows = append(rows, []any{sqldb.CleanText(person), sqldb.CleanText(w.Destination), sqldb.CleanText(workspace), string(w.Event), sqldb.BoolInt(w.Wanted)})
		}
		return c.Insert(ctx, "notify_wishes", "person, place, workspace, event, wanted", rows)
	})
}

// ReminderHours implements store.Notifications.
func (s *Store) ReminderHours(ctx context.Context, person string) (h store.ReminderHours, err error) {
	err = s.Row(ctx, `SELECT open, picked FROM notify_hours WHERE person = $1`, sqldb.CleanText(person)).Scan(&h.Open, &h.PickedUp)
	if errors.Is(err, store.ErrNotFound) {
		return store.DefaultReminderHours, nil
	}
	return h, err
}

// SetReminderHours implements store.Notifications.
func (s *Store) SetReminderHours(ctx context.Context, _ store.Act, person string, h store.ReminderHours) error {
	return s.update(ctx, func(c *storeTx) error {
		_, err := c.Exec(ctx, `INSERT INTO notify_hours (person, open, picked) VALUES ($1, $2, $3)
			ON CONFLICT (person) DO UPDATE SET open = excluded.open, picked = excluded.picked`, sqldb.CleanText(person), h.Open, h.PickedUp)
		return err
	})
}

// PushKey implements store.Notifications.
func (s *Store) PushKey(ctx context.Context, freshPrivate, freshPublic string, at int64) (private, public string, err error) {
	const query = `SELECT private, public FROM notify_keys WHERE no = 1`
	if err = s.Row(ctx, query).Scan(&private, &public); !errors.Is(err, store.ErrNotFound) {
		return private, public, err
	}
	err = s.update(ctx, func(c *storeTx) error {
		if _, err := c.Exec(ctx, `INSERT INTO notify_keys (no, private, public, created_at) VALUES (1, $1, $2, $3) ON CONFLICT (no) DO NOTHING`, freshPrivate, freshPublic, at); err != nil {
			return err
		}
		return c.Row(ctx, query).Scan(&private, &public)
	})
	return private, public, err
}
